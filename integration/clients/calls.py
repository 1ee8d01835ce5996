"""What the Python programs share: a call and its line."""


def call(name, do):
    """Runs a call and prints what became of it; returns what it returned."""
    try:
        result = do()
    except Exception as e:
        text = " ".join(str(e).split())
        refused = "49999" in text or "the sandbox does not model" in text
        print("refused" if refused else "FAIL", f"{name}: {type(e).__name__} {text}", flush=True)
        return None
    print("ok", name, flush=True)
    return result


def same(want, got):
    """Fails a call that has another outcome."""
    assert want == got, f"{got!r} instead of {want!r}"
