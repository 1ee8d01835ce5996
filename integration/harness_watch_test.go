package integration

import (
	"context"
	"time"

	"github.com/stretchr/testify/require"
)

// dispatchErrors returns the alarm texts of a dispatcher that failed. It retries after seconds, so a scenario may
// succeed despite that.
func (h *harness) dispatchErrors(ctx context.Context) (texts []string) {
	h.Helper()
	db := h.server.open("dbsched-test")
	defer db.Close()
	rows, err := db.QueryContext(ctx, h.say.alarms)
	if err != nil {
		return nil // dbsched is not installed, or no longer
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

// watchDispatcher fails a scenario in which the dispatcher failed.
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
