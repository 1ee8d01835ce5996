package tns

import (
	"errors"
	"sync"

	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// maxAhead is how many bytes are kept that nobody has read yet. While no call
// runs, the reader waits for the decoder; during a call it must keep reading to
// notice a break, and a client that sends more is disconnected.
const maxAhead = 1 << 20

// errBreak says that the client wants the call ended.
var errBreak = errors.New("tns: the client sent a break")

// inbox passes what the reader got to the decoder.
type inbox struct {
	mu     sync.Mutex
	wake   sync.Cond // something below has changed
	queue  [][]byte
	size   int
	busy   bool  // a call is running
	broken bool  // a break arrived and is not answered yet
	reset  bool  // the reset after it has arrived, too
	err    error // the end of the connection
}

func newInbox() *inbox {
	b := &inbox{}
	b.wake.L = &b.mu
	return b
}

// put adds data. It waits until there is room.
func (b *inbox) put(data []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.size > maxAhead && !b.busy && b.err == nil && !b.broken {
		b.wake.Wait()
	}
	if b.err != nil {
		return b.err
	}
	if b.broken && !b.reset {
		return nil // of a request that will not be executed
	}
	if b.size > maxAhead {
		return wire.Errorf("more than %d bytes ahead of the response", maxAhead)
	}
	if len(data) == 0 {
		return nil
	}
	b.queue, b.size = append(b.queue, data), b.size+len(data)
	b.wake.Broadcast()
	return nil
}

// next returns the next data; errBreak if a break came first.
func (b *inbox) next() ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		switch {
		case b.broken:
			return nil, errBreak
		case len(b.queue) > 0:
			data := b.queue[0]
			b.queue[0] = nil
			b.queue, b.size = b.queue[1:], b.size-len(data)
			b.wake.Broadcast()
			return data, nil
		case b.err != nil:
			return nil, b.err
		}
		b.wake.Wait()
	}
}

// marker records a marker. It reports whether it is a new break.
func (b *inbox) marker(kind byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.wake.Broadcast()
	if kind == markerReset {
		b.reset = b.broken
		return false
	}
	if b.broken {
		return false
	}
	b.broken, b.reset = true, false
	b.queue, b.size = nil, 0
	return true
}

// setBusy records whether a call is running. It reports whether there is an unanswered break.
func (b *inbox) setBusy(busy bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busy = busy
	b.wake.Broadcast()
	return b.broken
}

// resume waits for the reset that follows a break and clears both.
func (b *inbox) resume() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.reset && b.err == nil {
		b.wake.Wait()
	}
	if !b.reset {
		return b.err
	}
	b.broken, b.reset = false, false
	b.wake.Broadcast()
	return nil
}

// end records the end of the connection.
func (b *inbox) end(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
	b.wake.Broadcast()
}
