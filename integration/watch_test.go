package integration

import (
	"context"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
)

// dispatchErrors are the texts of the alarms of a dispatcher that failed. It tries again after seconds, so that a scenario may well
// succeed in spite of it.
func (h *harness) dispatchErrors(ctx context.Context) (texts []string) {
	h.Helper()
	db := h.server.open("dbsched-test " + sandbox.PassiveSuffix)
	defer db.Close()
	rows, err := db.QueryContext(ctx, h.say.alarms)
	if err != nil {
		return nil // dbsched is not installed, or not any more
	}
	defer rows.Close()
	for rows.Next() {
		var kind, text string
		if rows.Scan(&kind, &text) == nil && kind == "DispatchError" {
			texts = append(texts, text)
		}
	}
	require.NoError(h, rows.Err())
	return texts
}

// watched runs a call that lets the server's clock run. One that a sandbox needs long for may be one whose dispatcher fails and tries
// again without end: that ends the scenario.
func (h *harness) watched(call func() error) error {
	h.Helper()
	if h.server.box == nil {
		return call()
	}
	done := make(chan error, 1)
	go func() { done <- call() }()
	for {
		select {
		case err := <-done:
			return err
		case <-time.After(10 * time.Second):
			if h.mayFail {
				continue
			}
			require.Empty(h, h.dispatchErrors(h.Context()), "the dispatcher fails")
		}
	}
}

// watchDispatcher has a scenario fail in which the dispatcher did.
func (h *harness) watchDispatcher() {
	h.Cleanup(func() {
		if h.Failed() || h.mayFail || h.server.box == nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		require.Empty(h, h.dispatchErrors(ctx), "the dispatcher failed")
	})
}
