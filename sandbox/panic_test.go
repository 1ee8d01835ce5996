package sandbox

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

// TestPanic: a panic in an engine is counted, and Close reports it, so that the test in which it happens fails.
func TestPanic(t *testing.T) {
	box, err := Start(t.Context(), Options{Dialect: "mssql"})
	require.NoError(t, err)
	ended := make(chan struct{})
	bad := func(*kernel.Task) {
		defer close(ended)
		panic("boom")
	}
	await(box.kernel, 0, box.done, func() { box.kernel.Go("bad", bad, func(any, []byte) {}) })
	<-ended
	require.EqualValues(t, 1, box.Counters().Panics)
	require.ErrorContains(t, box.Close(), "1 sessions ended by an internal error")
}
