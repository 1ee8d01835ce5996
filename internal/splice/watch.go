package splice

import (
	"bytes"
	"log/slog"
	"os"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Watch looks for what no input may cause: a panic that the engine has caught and logged, and memory or time out of all proportion.
type Watch struct {
	t     *testing.T
	log   bytes.Buffer
	start time.Time
	bytes uint64
}

// Begin starts to watch.
func Begin(t *testing.T) *Watch {
	t.Helper()
	return &Watch{t: t, start: time.Now(), bytes: allocated()}
}

// Logger is where the engine logs.
func (w *Watch) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelError}))
}

// End fails the test if something was logged as an error, or more than most bytes were allocated.
func (w *Watch) End(most uint64, input any) {
	w.t.Helper()
	require.Empty(w.t, w.log.String(), "logged of %q", input)
	require.LessOrEqual(w.t, allocated()-w.bytes, most, "bytes allocated for %q", input)
	require.Less(w.t, time.Since(w.start), 8*time.Second, "%q", input)
}

// allocated counts the bytes that the process has ever allocated.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// SkipInCensus leaves a fuzz test out of a census of what tests execute.
func SkipInCensus(f *testing.F) {
	f.Helper()
	if os.Getenv("DBSCHED_CENSUS") != "" {
		f.Skip("a census counts what tests mean to execute")
	}
}
