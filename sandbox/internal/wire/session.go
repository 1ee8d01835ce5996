package wire

// Session is one connection's session, for an engine with requests Req, answers written to W, and initial state Env.
type Session[Req, W, Env any] interface {
	// Environment returns what the session starts with; it is called once, after Login.
	Environment() Env
	// Do executes a request and returns when it is done. The answer goes through w, which must not be used after Do has returned.
	Do(req Req, w W)
	canceler
}

// canceler is what a connection cancels and ends.
type canceler interface {
	// Cancel asks the running Do to return soon: the client sent an attention or a break. It is called from another goroutine, never after
	// the next Do has started, at most once per request, but possibly just before Do has begun or just after it has returned.
	// A Do that misses it can check w.Context(), which is done before Cancel is called. It must not block.
	Cancel()
	// Close ends the session: the client logged off, or the connection is gone or about to be closed. It is called exactly once, from
	// another goroutine if a Do runs, which must then return soon. A Do that begins just then finds w.Context() done and must do nothing.
	Close()
}
