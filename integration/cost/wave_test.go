package cost

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestWaveToWave: the worker that ends a wave claims the first task of the next without a message. One dispatch wakes the others, which have
// not left: no session starts.
func TestWaveToWave(t *testing.T) {
	const workers, waves, length = 8, 20, 2 * time.Second
	each(t, workers, func(b *bench) {
		var tasks []dialects.NewTask
		for wave := range waves + 3 {
			for i := range workers { // one task is the last of its wave
				tasks = append(tasks, dialects.NewTask{SQL: b.dialect.Sleep(length * time.Duration(20-i) / 20), Order: wave})
			}
		}
		b.start()
		b.enqueue(tasks...)
		b.until("the second wave", time.Minute, func() bool { return b.wave() == 1 })
		b.start() // the next sweep is in a minute
		b.pause(length / 4)
		first := b.wave()
		c := b.spent(func() { b.pause(waves * length) })
		require.Equal(b, first+waves, b.wave())
		b.drain()

		logs := slices.DeleteFunc(b.log(), func(l dialects.LogEntry) bool { return l.Order < first || l.Order > first+waves })
		sessions, others := map[int]bool{}, 0
		last := logs[0] // the task of a wave that ended last
		for _, l := range logs {
			sessions[l.SessionID] = true
			if l.Order > last.Order && (l.SessionID != last.SessionID || l.StartedAt.Sub(*last.FinishedAt) > 5*time.Millisecond) {
				others++
			}
			if l.FinishedAt.After(*last.FinishedAt) {
				last = l
			}
		}
		b.record("waves/messages", float64(c.Messages)/waves)
		b.record("waves/activations", float64(c.Activations)/waves)
		b.record("waves/commits-that-wait", float64(c.Flushes)/waves)
		b.record("waves/sessions-started", float64(len(sessions)-workers)/waves)
		b.record("waves/begun-by-another-worker", float64(others)/waves)
		require.Zero(b, others)
		require.Len(b, sessions, workers, "all stay")
		require.LessOrEqual(b, c.Messages, int64(waves*workers), "one to each other worker, one to the dispatcher")
		require.Equal(b, map[string]int64{"mssql": waves, "oracle": 0}[b.dialect.Name()], c.Activations, "of the dispatcher, which stays on Oracle")
	})
}

// wave is the latest wave with a started task.
func (b *bench) wave() (latest int) {
	b.Helper()
	logs, err := b.sched.Logs(b.Context(), dialects.Filter{})
	require.NoError(b, err)
	for _, l := range logs {
		latest = max(latest, l.Order)
	}
	return latest
}
