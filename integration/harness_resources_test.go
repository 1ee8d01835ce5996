package integration

import (
	"slices"
	"strconv"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/stretchr/testify/require"
)

// resource defines a resource.
func (h *harness) resource(name string, capacity int) {
	h.Helper()
	require.NoError(h, h.sched.DefineResource(h.Context(), name, capacity))
}

// line returns who holds a resource and who waits for it, in order.
func (h *harness) line(name string) (held, waiting []int64) {
	h.Helper()
	all, err := h.sched.Resources(h.Context())
	require.NoError(h, err)
	for _, r := range all {
		switch {
		case r.Resource != name || r.Request == 0:
		case r.Status == "Waiting":
			waiting = append(waiting, r.Request)
		default:
			held = append(held, r.Request)
		}
	}
	return held, waiting
}

// request is a call that asks for a resource, while the scenario continues. Its state is
// read from the line, and its result is then awaited without letting time pass.
type request struct {
	h      *harness
	s      *session
	name   string
	id     int64 // its place in the line
	answer chan string
	got    string
}

// acquire asks for a resource in a session of its own and does not wait for the result: the request's number, "timeout", or
// an error.
func (h *harness) acquire(name, access string, timeout, lease int) *request {
	h.Helper()
	r := &request{h: h, s: h.session(), answer: make(chan string, 1)}
	r.again(name, access, timeout, lease)
	return r
}

// again asks for another resource in the same session. It returns when the request is in the line, or has a result.
func (r *request) again(name, access string, timeout, lease int) {
	r.h.Helper()
	r.name, r.id, r.got = name, 0, ""
	before := r.h.requests(name)
	go func() {
		answer, err := r.h.say.ask(r.h.Context(), r.s.conn, r.h.say.acquire(name, access, timeout, lease))
		if err != nil {
			answer = err.Error()
		}
		r.answer <- answer
	}()
	for r.id == 0 && r.got == "" {
		select {
		case r.got = <-r.answer:
		default:
			for _, now := range r.h.requests(name) {
				if !slices.ContainsFunc(before, func(b dialects.ResourceRequest) bool { return b.Request == now.Request }) {
					r.id = now.Request
				}
			}
		}
	}
}

// answered reports whether the call has returned.
func (r *request) answered() bool {
	r.h.Helper()
	if r.got != "" {
		return true
	}
	for _, now := range r.h.requests(r.name) {
		if now.Request == r.id && now.Status != "Granted" {
			return false
		}
	}
	select {
	case r.got = <-r.answer:
	case <-time.After(20 * time.Second):
		require.Fail(r.h, "the call does not return")
	}
	return true
}

// within waits for the result.
func (r *request) within(d time.Duration) string {
	r.h.Helper()
	r.h.until(d, "the answer", r.answered)
	return r.got
}

// granted waits for the resource and returns the request's number.
func (r *request) granted(d time.Duration) int64 {
	r.h.Helper()
	id, err := strconv.ParseInt(r.within(d), 10, 64)
	require.NoError(r.h, err)
	return id
}

// release releases what was granted.
func (r *request) release() {
	r.h.Helper()
	r.s.exec(r.h.say.releaseResource(r.granted(time.Second)))
}

// stillWait asserts that some requests are still waiting.
func stillWait(requests ...*request) {
	for _, r := range requests {
		r.h.Helper()
		_, waiting := r.h.line(r.name)
		require.Contains(r.h, waiting, r.id)
	}
}

// requests returns the rows of a line.
func (h *harness) requests(name string) []dialects.ResourceRequest {
	h.Helper()
	all, err := h.sched.Resources(h.Context())
	require.NoError(h, err)
	var line []dialects.ResourceRequest
	for _, r := range all {
		if r.Resource == name && r.Request != 0 {
			line = append(line, r)
		}
	}
	return line
}

func (h *harness) killSession(id int) {
	h.Helper()
	h.admin().exec(h.say.kill(id))
	h.pause(100 * time.Millisecond)
}

// killHolder ends the session of the first holder of a resource.
func (h *harness) killHolder(name string) {
	h.Helper()
	h.killSession(h.requests(name)[0].SessionID)
}
