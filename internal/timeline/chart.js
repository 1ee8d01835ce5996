// dbschedChart draws a timeline into an element: lanes down, time across. Wheel and + - zoom, drag and arrows move, 0 shows all, N and P go to the next and the previous task.
function dbschedChart(box, data) {
  const NS = "http://www.w3.org/2000/svg", left = 60, top = 24, row = 27, high = 19;
  const kinds = ["bad", "crit", "run", "other"]; // the worst of several merged bars decides how they look; a failure is merged with failures only
  const lane = new Map(data.lanes.map((l, i) => [l, i]));
  const lanes = data.lanes.map(() => []);
  const first = new Map(); // task and attempt to bar
  data.bars.forEach((b) => { lanes[lane.get(b.l)].push(b); first.set(b.t + "/" + b.a, b); });
  let from = 0, to = data.end, at = -1;
  const flat = data.bars.slice().sort((a, b) => a.s - b.s);
  const svg = make("svg", { tabindex: 0, role: "application", "aria-label": "Timeline. Arrow keys move, plus and minus zoom, 0 shows all, N and P go to the next and the previous task." });
  const height = top + row * lanes.length + 28;
  svg.setAttribute("height", height);
  const tip = document.createElement("div");
  tip.className = "tip"; tip.hidden = true; tip.setAttribute("role", "status");
  const legend = document.createElement("div");
  legend.className = "legend";
  [["crit", "--accent", "critical path"], ["run", "--bar", "running"], ["other", "--bar", "other tasks"], ["bad", "--bad", "failed ×"], ["", "", "waiting for a resource"], ["over", "", "! overran its timeout"]].forEach(([kind, color, text]) => {
    if (!data.bars.some((b) => kind === "over" ? b.v : kind ? b.k === kind : b.w)) return;
    const s = document.createElement("span"), i = document.createElement("i");
    if (color) i.style.background = "var(" + color + ")"; else i.className = "dashed";
    if (kind === "run") i.className = "ring";
    if (kind !== "over") s.append(i);
    s.append(text); legend.append(s);
  });
  if (data.note) { const s = document.createElement("span"); s.textContent = data.note; legend.append(s); }
  box.replaceChildren(svg, legend, tip);

  function make(name, attributes, text) {
    const e = document.createElementNS(NS, name);
    for (const k in attributes) e.setAttribute(k, attributes[k]);
    if (text !== undefined) e.textContent = text;
    return e;
  }
  function took(ms) {
    if (ms < 1000) return Math.floor(ms) + " ms";
    if (ms < 10000) return Math.floor(ms / 100) / 10 + " s";
    const units = [[86400000, "d"], [3600000, "h"], [60000, "m"], [1000, "s"]];
    let i = units.findIndex(([u]) => ms >= u), text = Math.floor(ms / units[i][0]) + " " + units[i][1];
    if (i < 3) { const rest = Math.floor(ms % units[i][0] / units[i + 1][0]); if (rest) text += " " + rest + " " + units[i + 1][1]; }
    return text;
  }
  function clock(ms, fine) {
    const d = new Date(data.begin + ms), two = (n) => String(n).padStart(2, "0");
    let text = two(d.getHours()) + ":" + two(d.getMinutes());
    if (fine < 60000) text += ":" + two(d.getSeconds());
    if (fine < 1000) text += "." + String(d.getMilliseconds()).padStart(3, "0");
    return fine >= 86400000 ? (d.getMonth() + 1) + "/" + d.getDate() : text;
  }
  function describe(g) {
    if (g.length > 1) {
      const bad = g.filter((b) => b.k === "bad").length, over = g.filter((b) => b.v).length;
      return g.length + " attempts, " + clock(g[0].s, 999) + " to " + clock(g[g.length - 1].e, 999) + (bad ? ", " + bad + " failed" : "") + (over ? ", " + over + " overran" : "") + "\nZoom in to see them.";
    }
    const b = g[0];
    let text = "Task " + b.t + ", order " + b.o + ", lane " + b.l + (b.a > 1 ? ", attempt " + b.a : "") + "\n" + b.x + ": " +
      clock(b.s, 999) + " to " + clock(b.e, 999) + ", " + took(b.e - b.s);
    if (b.w) text += "\nWaited " + took(b.w) + " for " + b.r + " or a worker";
    return text + "\n" + b.q + (b.m ? "\n" + b.m : "");
  }
  function show(text, x, y) {
    tip.textContent = text; tip.hidden = false;
    const r = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(x + 12, innerWidth - r.width - 4)) + "px";
    tip.style.top = (y + 16 + r.height > innerHeight ? Math.max(4, y - r.height - 8) : y + 16) + "px";
  }
  function draw() {
    const width = Math.max(svg.clientWidth || 900, 640), scale = (width - left - 8) / (to - from);
    const x = (ms) => left + (ms - from) * scale;
    svg.setAttribute("viewBox", "0 0 " + width + " " + height);
    const clip = make("clipPath", { id: "inside" });
    clip.append(make("rect", { x: left, y: 0, width: width - left, height: height }));
    const all = make("g", { "clip-path": "url(#inside)" }), out = [clip];
    let free = left;
    data.waves.forEach((w, i) => {
      const a = x(w.s), end = i + 1 < data.waves.length ? data.waves[i + 1].s : w.e, b = x(Math.max(end, w.s));
      if (b < left || a > width) return;
      if (i % 2) all.append(make("rect", { class: "shade", x: a, y: 0, width: Math.max(b - a, 0), height: top + row * lanes.length }));
      const name = String(w.o), tx = Math.max(a + 4, left + 4);
      if (tx >= free && b - a > 2) { all.append(make("text", { x: tx, y: 14 }, name)); free = tx + 7 * name.length + 6; }
    });
    const steps = [1, 10, 100, 500, 1000, 5000, 10000, 30000, 60000, 300000, 900000, 1800000, 3600000, 10800000, 21600000, 43200000, 86400000];
    const step = steps.find((s) => (to - from) / s <= width / 110) || 86400000 * Math.ceil((to - from) / 86400000 / 10);
    const offset = -new Date(data.begin).getTimezoneOffset() * 60000;
    for (let ms = Math.ceil((from + data.begin + offset) / step) * step - data.begin - offset; ms <= to; ms += step) {
      all.append(make("text", { x: x(ms), y: height - 8, "text-anchor": x(ms) < left + 20 ? "start" : x(ms) > width - 24 ? "end" : "middle" }, clock(ms, step)));
      all.append(make("line", { class: "rule", x1: x(ms), x2: x(ms), y1: height - 28, y2: height - 24 }));
    }
    const failures = make("g", {}); // on top: a success beside it does not cover one
    lanes.forEach((bars, i) => {
      const y = top + row * i + 3;
      out.push(make("text", { x: 0, y: y + 14 }, "lane " + data.lanes[i]));
      all.append(make("line", { class: "rule", x1: left, x2: width, y1: y + row - 5, y2: y + row - 5 }));
      let group = [], a = 0, b = 0, before = -Infinity;
      const flush = () => {
        if (!group.length) return;
        const kind = kinds.find((k) => group.some((g) => g.k === k)), w = Math.max(b - a - (b - a > 3 ? 1 : 0), kind === "bad" ? 2 : 1);
        const r = make("rect", { class: kind, x: a, y: y, width: w, height: high, rx: Math.min(3, w / 2) });
        if (group.some((g) => g === flat[at])) r.classList.add("at");
        const g = make("g", { "data-task": group[0].t, "data-count": group.length });
        const text = group.length > 1 ? "×" + group.length : group[0].n, room = Math.floor((w - 14) / 6.6);
        g.append(r);
        if (group.length > 1 ? room >= text.length : room >= 4) g.append(make("text", { x: a + 5, y: y + 14 }, text.length > room ? text.slice(0, room - 1) + "…" : text));
        if (kind === "bad" && w >= 9) g.append(make("path", { class: "cross", d: "M" + (a + w - 7) + " " + (y + 7) + "l5 5m0 -5l-5 5" }));
        else if (group.some((c) => c.v) && w >= 9) g.append(make("path", { class: "over", d: "M" + (a + w - 5) + " " + (y + 5) + "v6m0 2v2" }));
        const items = group;
        g.addEventListener("mousemove", (e) => show(describe(items), e.clientX, e.clientY));
        g.addEventListener("mouseleave", () => { tip.hidden = true; });
        (kind === "bad" ? failures : all).append(g);
        group = [];
      };
      bars.forEach((c) => {
        if (c.e < from || c.s > to) { before = x(c.e); return; }
        const ca = x(c.s), cb = x(c.e);
        if (c.w) {
          const wa = Math.max(x(c.s - c.w), before, left);
          if (ca - wa > 3) all.append(make("rect", { class: "wait", x: wa + 1, y: y + 2, width: ca - wa - 2, height: high - 4, rx: 3 }));
        }
        before = cb;
        if (group.length && (ca - a >= 2 && cb - ca >= 2 || ca - b > 1 || (c.k === "bad") !== (group[0].k === "bad"))) flush();
        if (!group.length) { a = ca; b = cb; }
        group.push(c);
        b = Math.max(b, cb);
        if (b - a >= 2 && group.length === 1) flush();
      });
      flush();
    });
    data.bars.forEach((c) => {
      const p = c.a > 1 && first.get(c.t + "/" + (c.a - 1));
      if (!p || c.s < from || p.e > to || x(c.s) - x(p.e) < 2) return;
      const y1 = top + row * lane.get(p.l) + 3 + high / 2, y2 = top + row * lane.get(c.l) + 3 + high / 2;
      all.append(make("path", { class: "again", d: "M" + x(p.e) + " " + y1 + "L" + x(c.s) + " " + y2 }));
    });
    all.append(failures);
    out.push(all);
    svg.replaceChildren(...out);
  }
  function zoom(factor, ms) {
    const span = Math.min(Math.max((to - from) * factor, Math.min(20, data.end)), data.end);
    from = Math.min(Math.max(ms - (ms - from) * span / (to - from), 0), data.end - span);
    to = from + span;
    draw();
  }
  function move(ms) { const span = to - from; from = Math.min(Math.max(from + ms, 0), data.end - span); to = from + span; draw(); }
  function time(e) { const r = svg.getBoundingClientRect(); return from + (e.clientX - r.left - left) / (r.width - left - 8) * (to - from); }
  svg.addEventListener("wheel", (e) => { if (e.deltaY) { e.preventDefault(); zoom(e.deltaY > 0 ? 1.25 : 0.8, time(e)); } }, { passive: false });
  let grabbed = null;
  svg.addEventListener("pointerdown", (e) => { grabbed = e.clientX; });
  addEventListener("pointermove", (e) => { if (grabbed !== null) { move((grabbed - e.clientX) / svg.clientWidth * (to - from)); grabbed = e.clientX; } });
  addEventListener("pointerup", () => { grabbed = null; });
  function select(n) {
    at = n;
    const b = flat[at], span = to - from;
    if (b.s < from || b.e > to) { from = Math.min(Math.max((b.s + b.e - span) / 2, 0), data.end - span); to = from + span; }
    draw();
    const r = svg.getBoundingClientRect();
    show(describe([b]), r.left + left + (b.s - from) / (to - from) * (r.width - left), r.top + top + row * (lane.get(b.l) + 1));
  }
  svg.addEventListener("keydown", (e) => {
    const span = to - from, middle = (from + to) / 2;
    const keys = {
      "+": () => zoom(0.5, middle), "=": () => zoom(0.5, middle), "-": () => zoom(2, middle), "0": () => zoom(1e9, 0), Home: () => move(-data.end), End: () => move(data.end),
      ArrowLeft: () => move(-span / 4), ArrowRight: () => move(span / 4), Escape: () => { tip.hidden = true; at = -1; draw(); },
      n: () => select(Math.min(at + 1, flat.length - 1)), p: () => select(Math.max(at - 1, 0)),
    };
    if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    keys[e.key]();
  });
  svg.addEventListener("blur", () => { tip.hidden = true; });
  new ResizeObserver(draw).observe(box);
  draw();
}
