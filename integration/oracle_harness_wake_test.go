package integration

import (
	"time"
)

// ordered is how long a task may take to start if a job has to be started as its worker: the job start, and nothing
// noticeable besides.
func (h *harness) ordered() time.Duration {
	if h.server.box == nil {
		return h.soon
	}
	return jobStart + 100*time.Millisecond
}

// atOnce is how long a task may take to start when a worker is waiting.
const atOnce = 500 * time.Millisecond
