package fuzztext

import (
	"bytes"
	"log/slog"
	"os"
	"runtime/metrics"
	"testing"

	"github.com/stretchr/testify/require"
)

// PerByte and Slack limit the memory that reading may take: for each byte received, and in addition.
const (
	PerByte = 400
	Slack   = 4 << 20
)

// Reading returns how many bytes may be allocated to read n bytes.
func Reading(n int) uint64 { return uint64(n)*PerByte + Slack }

// Watch looks for what no input may cause: a panic that the engine has caught and logged, and disproportionate memory.
// The fuzzer watches the time: it gives an input ten seconds.
type Watch struct {
	t     *testing.T
	log   bytes.Buffer
	bytes uint64
}

// Begin starts watching.
func Begin(t *testing.T) *Watch {
	t.Helper()
	return &Watch{t: t, bytes: allocated()}
}

// Logger returns a logger for the engine.
func (w *Watch) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// Log returns what was logged as a warning or an error so far.
func (w *Watch) Log() string { return w.log.String() }

// End fails the test if something was logged as an error, or more than most bytes were allocated.
func (w *Watch) End(most uint64, input any) {
	w.t.Helper()
	require.NotContains(w.t, w.log.String(), "level=ERROR", "%q", input)
	require.LessOrEqual(w.t, allocated()-w.bytes, most, "bytes allocated for %q", input)
}

// allocated returns how many bytes the process has allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// SkipInCensus excludes a fuzz test from a census of what tests execute.
func SkipInCensus(f *testing.F) {
	f.Helper()
	if os.Getenv("DBSCHED_CENSUS") != "" {
		f.Skip("a census counts what tests mean to execute")
	}
}
