package cost

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// stalled keeps the index entries of deleted and changed rows, as when clean-up lags behind.
func stalled(o *sandbox.Options) { o.Stalled = true }

// many is how many tasks leave their entries behind.
func many() int {
	if full {
		return 100_000
	}
	return 2_000
}

// recordStalled records a figure, unless it is one of the full measurement.
func (b *bench) recordStalled(name string, c taskCost) {
	b.Helper()
	if !full {
		b.recordTask("stalled/"+name, c)
	}
}

// passed runs n tasks that do nothing, in one transaction, and then one that takes long; it returns while that runs, with nothing else due.
func (b *bench) passed(n int, rest time.Duration, others ...dialects.NewTask) {
	b.Helper()
	tasks := slices.Repeat([]dialects.NewTask{{SQL: b.nothing, Order: 1}}, n)
	ids := b.enqueue(slices.Concat(tasks, []dialects.NewTask{{SQL: b.dialect.Sleep(rest), Order: 1}}, others)...)
	b.start()
	b.until("the task after them", 10*time.Minute, func() bool { return b.runs() == ids[n] })
	b.start() // the next sweep is in a minute
	b.pause(6 * time.Second)
}

// TestStalledClaims: late in a wave a claim costs what it cost early, though the entries of all tasks before it are still in the indexes.
func TestStalledClaims(t *testing.T) {
	const rest, measured = 30 * time.Second, 50
	each(t, 1, func(b *bench) {
		b.passed(many(), rest, slices.Concat(slices.Repeat([]dialects.NewTask{{SQL: b.nothing, Order: 1}}, measured),
			[]dialects.NewTask{{SQL: b.dialect.Sleep(rest), Order: 1}, {SQL: b.nothing, Order: 1}})...)
		before := b.runs()
		cost := per(b.spent(func() { b.pause(rest) }), measured+1)
		require.Equal(b, before+measured+1, b.runs())
		b.recordStalled("claim", cost)
		require.LessOrEqual(b, cost.rows, 20.0, "rows read")
		require.LessOrEqual(b, cost.flushes, 1.05, "commits that wait for the log")
	}, stalled)
}

// TestStalledPriorities: nor does it when the tasks of the wave differ in priority and expected duration.
func TestStalledPriorities(t *testing.T) {
	const rest, measured = 30 * time.Second, 50
	each(t, 1, func(b *bench) {
		var tasks []dialects.NewTask
		for i := range 2 * measured {
			tasks = append(tasks, dialects.NewTask{SQL: b.nothing, Order: 1, Priority: -1 - i/10, ExpectedSeconds: 1000 - i})
		}
		b.passed(many(), rest, append(tasks, dialects.NewTask{SQL: b.dialect.Sleep(rest), Order: 1, Priority: -1000})...)
		cost := per(b.spent(func() { b.pause(rest) }), 2*measured+1)
		require.NotZero(b, b.runs())
		b.recordStalled("claim-of-various", cost)
		require.LessOrEqual(b, cost.rows, 20.0, "rows read")
	}, stalled)
}

// TestStalledWaves: the end of a wave costs the same after many waves, each with a task that waited for its time.
func TestStalledWaves(t *testing.T) {
	const size, waves, rest = 5, 10, 30 * time.Second
	each(t, 2, func(b *bench) {
		var tasks []dialects.NewTask
		add := func(wave, n int, text string) {
			for range n {
				tasks = append(tasks, dialects.NewTask{SQL: text, Order: wave})
			}
		}
		before := many() / size
		for w := range before {
			add(w, size, b.nothing)
		}
		// Between the first two long tasks, lanes read the wake-ups that came while they had tasks.
		add(before, 1, b.dialect.Sleep(time.Second))
		add(before+1, size, b.nothing)
		add(before+2, 1, b.dialect.Sleep(rest))
		for w := range waves {
			add(before+3+w, size, b.nothing)
		}
		add(before+waves+3, 1, b.dialect.Sleep(rest))
		add(before+waves+4, 1, b.nothing)
		ids := b.enqueue(tasks...)
		b.start()
		b.until("the waves before", 10*time.Minute, func() bool { return b.runs() == ids[(before+1)*size+1] })
		b.start()
		b.pause(6 * time.Second)
		cost := per(b.spent(func() { b.pause(rest) }), waves)
		require.Equal(b, ids[len(ids)-2], b.runs())
		b.recordStalled("wave-of-5", cost)
		require.LessOrEqual(b, cost.rows, 350.0, "rows read")
	}, stalled)
}

// TestStalledDispatcher: while a wave runs whose first tasks have left their entries behind, an enqueuing transaction and the dispatcher's turns cost what
// they cost before.
func TestStalledDispatcher(t *testing.T) {
	const rest, measured = 5 * time.Minute, 20
	each(t, 1, func(b *bench) {
		enqueue := func() taskCost {
			b.Helper()
			b.start()
			b.pause(6 * time.Second)
			return per(b.spent(func() {
				for range measured {
					b.enqueue(dialects.NewTask{SQL: b.nothing, Order: 1})
					b.pause(2 * time.Second)
				}
			}), measured)
		}
		b.passed(1, rest)
		first := enqueue()
		b.until("all", 10*time.Minute, func() bool { return b.runs() == 0 })
		b.passed(many(), rest)
		later := enqueue()
		b.recordStalled("dispatch", later)
		require.LessOrEqual(b, later.rows, first.rows*maxGrowth, "rows read")
	}, stalled)
}

// TestStalledMarks: after very many enqueuing transactions, of which each left a mark, the next ones cost what the first did.
func TestStalledMarks(t *testing.T) {
	const measured = 50
	n := many() / 10 * 5 // 10,000 when full would take the whole day of the sandbox's clock
	each(t, 1, func(b *bench) {
		b.start()
		enqueue := func(n int) taskCost {
			b.Helper()
			return per(b.spent(func() {
				for range n {
					b.enqueue(dialects.NewTask{SQL: b.nothing, Order: 1})
					b.pause(100 * time.Millisecond)
				}
			}), n)
		}
		enqueue(measured)
		first := enqueue(measured)
		enqueue(n)
		later := enqueue(measured)
		b.recordStalled("transaction", later)
		require.LessOrEqual(b, later.rows, first.rows*maxGrowth, "rows read")
	}, stalled)
}

// TestStalledRising: of a transaction that adds tasks one by one, each of which comes before the last, each call costs what the first did, and what they
// leave behind is in no claim's way.
func TestStalledRising(t *testing.T) {
	const few, rest = 50, time.Minute
	n := many() / 10
	each(t, 1, func(b *bench) {
		enqueue := func(n int) taskCost {
			b.Helper()
			return per(b.spent(func() { b.exec(fmt.Sprintf(b.rising, n)) }), n)
		}
		b.passed(1, rest)
		first := enqueue(few)
		later := enqueue(n)
		b.Logf("%.2f rows a call, then %.2f", first.rows, later.rows)
		require.LessOrEqual(b, later.rows, first.rows+5, "rows read")
		b.drain()
		cost := per(b.spent(func() {
			b.enqueue(slices.Repeat([]dialects.NewTask{{SQL: b.nothing, Order: 1}}, n)...)
			b.drain()
		}), n)
		b.Logf("%.2f rows a task", cost.rows)
		require.LessOrEqual(b, cost.rows, 60.0, "rows read")
	}, stalled)
}

// TestBacklog: after the scheduler was stopped while very many transactions enqueued, starting many workers costs each transaction a few rows:
// the messages for the dispatcher do not lie in the way of those for workers.
func TestBacklog(t *testing.T) {
	const transactions = 500
	each(t, 16, func(b *bench) {
		for range transactions {
			b.enqueue(dialects.NewTask{SQL: b.dialect.Sleep(100 * time.Millisecond), Order: 1})
		}
		cost := per(b.spent(func() {
			b.start()
			b.drain()
			b.pause(time.Minute)
		}), transactions)
		if !full {
			b.recordTask("backlog/transaction", cost)
		}
		require.LessOrEqual(b, cost.rows, 60.0, "rows read")
	}, stalled)
}
