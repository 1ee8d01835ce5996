package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

func never() bool { return false }

func TestTasksRunInOrder(t *testing.T) {
	k := kernel.New(kernel.Options{})
	var log []string
	for _, name := range []string{"a", "b", "c"} {
		k.Go(name, func(task *kernel.Task) {
			for i := range 2 {
				log = append(log, fmt.Sprint(task.Name(), i))
				task.Switch(kernel.AtStatements)
				task.Switch(kernel.AtLocks) // finer than this kernel switches
			}
		}, nil)
	}
	k.RunReady()
	require.Equal(t, []string{"a0", "b0", "c0", "a1", "b1", "c1"}, log)
}

// trace runs tasks that switch and choose, and returns the order of their steps and the hash.
func trace(seed uint64, g kernel.Granularity) ([]int, uint64) {
	k := kernel.New(kernel.Options{Seed: seed, Granularity: g})
	var log []int
	for n := range 4 {
		k.Go("t", func(task *kernel.Task) {
			for range 5 {
				log = append(log, n*10+k.Choose("c", 3))
				task.Switch(g)
				task.Block(kernel.Wait{For: k.Duration("d", time.Second, time.Minute), Kind: kernel.Demand})
			}
		}, nil)
	}
	_ = k.RunUntil(never)
	return log, k.TraceHash()
}

func TestSameSeedSameHistory(t *testing.T) {
	for _, g := range []kernel.Granularity{kernel.AtStatements, kernel.AtLocks, kernel.AtRows} {
		log, hash := trace(1, g)
		again, sameHash := trace(1, g)
		require.Equal(t, log, again)
		require.Equal(t, hash, sameHash)
		other, otherHash := trace(2, g)
		require.NotEqual(t, log, other)
		require.NotEqual(t, hash, otherHash)
	}
}

func TestChoices(t *testing.T) {
	k := kernel.New(kernel.Options{Seed: 1})
	hash := k.TraceHash()
	require.Zero(t, k.Choose("one", 1))
	require.Zero(t, k.Choose("none", 0))
	require.Equal(t, time.Second, k.Duration("fixed", time.Second, time.Second))
	require.Equal(t, hash, k.TraceHash(), "where nothing is chosen nothing is traced")
	seen := map[int]bool{}
	for range 100 {
		seen[k.Choose("c", 3)] = true
		d := k.Duration("d", time.Second, 2*time.Second)
		require.True(t, d >= time.Second && d < 2*time.Second)
	}
	require.Len(t, seen, 3)
	a, b := make([]byte, 16), make([]byte, 16)
	k.Random(a)
	kernel.New(kernel.Options{Seed: 1}).Random(b)
	require.NotEqual(t, a, b)
}

func TestTimersFireInOrder(t *testing.T) {
	k := kernel.New(kernel.Options{})
	start := k.Now()
	require.Equal(t, kernel.Epoch, start)
	var log []string
	at := func(name string, d time.Duration, kind kernel.TimerKind) *kernel.Timer {
		return k.After(d, kind, func() { log = append(log, fmt.Sprint(name, k.Now().Sub(start).Seconds())) })
	}
	at("c", 3*time.Second, kernel.Demand)
	at("a", time.Second, kernel.HouseKeeping)
	at("b1 ", 2*time.Second, kernel.Demand)
	at("b2 ", 2*time.Second, kernel.HouseKeeping)
	stopped := at("x", time.Second, kernel.Demand)
	require.Equal(t, start.Add(time.Second), stopped.At())
	stopped.Stop()
	stopped.Stop()
	at("late", time.Hour, kernel.HouseKeeping)
	require.ErrorIs(t, k.RunUntil(never), kernel.ErrStuck, "house-keeping attracts no jump")
	require.Equal(t, []string{"a1", "b1 2", "b2 2", "c3"}, log)
	k.Advance(2 * time.Hour)
	require.Equal(t, "late3600", log[4])
	require.Equal(t, start.Add(2*time.Hour+3*time.Second), k.Now())
	stopped.Stop()
}

func TestSpendMovesTime(t *testing.T) {
	k := kernel.New(kernel.Options{Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	fired := false
	k.After(time.Second, kernel.HouseKeeping, func() { fired = true })
	k.Go("t", func(task *kernel.Task) {
		task.Spend(2 * time.Second)
		require.False(t, fired, "not while somebody runs")
		task.Switch(kernel.AtStatements)
		require.True(t, fired)
	}, nil)
	k.RunReady()
	require.Equal(t, 2, k.Now().Second())
}

func TestBlockEnds(t *testing.T) {
	k := kernel.New(kernel.Options{})
	var reasons []kernel.Reason
	var values []any
	block := func(task *kernel.Task, w kernel.Wait) {
		r, v := task.Block(w)
		reasons, values = append(reasons, r), append(values, v)
	}
	task := k.Go("t", func(task *kernel.Task) {
		block(task, kernel.Wait{For: -1})
		block(task, kernel.Wait{For: time.Minute, Kind: kernel.Demand})
		block(task, kernel.Wait{For: time.Minute})
		block(task, kernel.Wait{})
		block(task, kernel.Wait{For: -1, Unstoppable: true})
		block(task, kernel.Wait{For: -1})
	}, nil)
	k.RunReady()
	require.True(t, task.Wake(7))
	require.False(t, task.Wake(8), "it is awake")
	k.RunReady()
	require.Equal(t, []kernel.Reason{kernel.Woken}, reasons)
	require.Equal(t, []any{7}, values)
	k.Advance(2 * time.Minute)
	require.Equal(t, []kernel.Reason{kernel.Woken, kernel.TimedOut}, reasons)
	task.Interrupt()
	k.RunReady()
	require.Equal(t, []kernel.Reason{kernel.Woken, kernel.TimedOut, kernel.Interrupted, kernel.TimedOut}, reasons)
	task.Interrupt() // an unstoppable wait leaves it for the next
	k.RunReady()
	require.Len(t, reasons, 4)
	require.True(t, task.Wake("x"))
	k.RunReady()
	require.Equal(t, []kernel.Reason{kernel.Woken, kernel.Interrupted}, reasons[4:])
	require.True(t, task.Done())
	require.False(t, task.Wake(nil))
	k.RunReady()
}

func TestInterruptOfARunningTask(t *testing.T) {
	k := kernel.New(kernel.Options{})
	k.Go("t", func(task *kernel.Task) {
		task.Interrupt()
		require.True(t, task.ClearInterrupt())
		require.False(t, task.ClearInterrupt())
		task.Interrupt()
		r, _ := task.Block(kernel.Wait{For: time.Hour})
		require.Equal(t, kernel.Interrupted, r)
	}, nil)
	k.RunReady()
	require.Equal(t, kernel.Epoch, k.Now())
}

func TestKillUnwinds(t *testing.T) {
	kinds := map[string]func(*kernel.Task){
		"blocked":     func(task *kernel.Task) { task.Block(kernel.Wait{For: -1}) },
		"unstoppable": func(task *kernel.Task) { task.Block(kernel.Wait{For: -1, Unstoppable: true}) },
		"timed":       func(task *kernel.Task) { task.Block(kernel.Wait{For: time.Hour, Kind: kernel.Demand}) },
		"ready": func(task *kernel.Task) {
			for {
				task.Switch(kernel.AtStatements)
			}
		},
		"itself, then a wait":     func(task *kernel.Task) { task.Kill(); task.Block(kernel.Wait{For: -1}) },
		"itself, then a switch":   func(task *kernel.Task) { task.Kill(); task.Switch(kernel.AtRows) },
		"itself, then a deadline": func(task *kernel.Task) { task.Kill(); task.Block(kernel.Wait{}) },
		"dies":                    func(task *kernel.Task) { task.Die() },
	}
	for name, wait := range kinds {
		t.Run(name, func(t *testing.T) {
			k := kernel.New(kernel.Options{})
			var log []string
			task := k.Go("t", func(task *kernel.Task) {
				defer func() { log = append(log, "outer") }()
				defer func() {
					p := recover()
					require.True(t, kernel.IsKill(p))
					require.True(t, task.Dying())
					r, _ := task.Block(kernel.Wait{For: time.Hour}) // clean-up never waits
					require.Equal(t, kernel.Interrupted, r)
					task.Switch(kernel.AtStatements)
					log = append(log, "inner")
					panic(p)
				}()
				wait(task)
				log = append(log, "went on")
			}, func(p any, _ []byte) { t.Error("not a panic", p) })
			k.Go("killer", func(*kernel.Task) { task.Kill(); task.Kill() }, nil)
			k.RunReady()
			require.Equal(t, []string{"inner", "outer"}, log)
			require.True(t, task.Done())
			require.ErrorIs(t, k.RunUntil(never), kernel.ErrStuck)
			require.Equal(t, kernel.Epoch, k.Now(), "its deadline is forgotten")
		})
	}
}

func TestKillBeforeTheStart(t *testing.T) {
	k := kernel.New(kernel.Options{})
	cleaned := false
	task := k.Go("t", func(task *kernel.Task) {
		defer func() { cleaned = true }()
		task.Switch(kernel.AtRows)
		t.Error("it goes on")
	}, nil)
	task.Kill()
	k.RunReady()
	require.True(t, task.Done())
	require.True(t, cleaned)
}

func TestPanicEndsOneTask(t *testing.T) {
	k := kernel.New(kernel.Options{})
	var got any
	bad := k.Go("bad", func(*kernel.Task) { panic("boom") }, func(p any, stack []byte) {
		got = p
		require.Contains(t, string(stack), "TestPanicEndsOneTask")
	})
	ran := false
	k.Go("good", func(*kernel.Task) { ran = true }, nil)
	k.RunReady()
	require.Equal(t, "boom", got)
	require.True(t, ran && bad.Done())
	k.Go("nobody listens", func(*kernel.Task) { panic("boom") }, nil)
	require.Panics(t, k.RunReady)
}

func TestCloseKillsAll(t *testing.T) {
	k := kernel.New(kernel.Options{})
	var ended []string
	for _, name := range []string{"a", "b", "c"} {
		k.Go(name, func(task *kernel.Task) {
			defer func() { ended = append(ended, name) }()
			for {
				task.Block(kernel.Wait{For: time.Second, Kind: kernel.Demand})
			}
		}, nil)
	}
	k.Advance(3 * time.Second)
	k.Close()
	slices.Sort(ended)
	require.Equal(t, []string{"a", "b", "c"}, ended)
}

// serve runs a kernel in a goroutine and returns how to stop it.
func serve(t *testing.T, o kernel.Options) (*kernel.Kernel, func()) {
	t.Helper()
	k := kernel.New(o)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.Run(ctx) }()
	return k, func() {
		cancel()
		require.True(t, errors.Is(<-ended, context.Canceled))
	}
}

func TestFastClockJumpsWhenNobodyThinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k, stop := serve(t, kernel.Options{Clock: kernel.Fast})
		defer stop()
		took := make(chan time.Duration)
		wait := func(d time.Duration) {
			k.Go("sleeper", func(task *kernel.Task) {
				before := k.Now()
				task.Block(kernel.Wait{For: d, Kind: kernel.Demand})
				after := k.Now()
				go func() { took <- after.Sub(before) }()
			}, nil)
		}
		began := time.Now()
		k.Post(1, func() { wait(time.Hour) })
		require.GreaterOrEqual(t, <-took, time.Hour)
		require.Less(t, time.Since(began), time.Minute)

		began = time.Now()
		k.Post(1, func() { k.Thinking(1); wait(30 * time.Millisecond) })
		require.Less(t, <-took, 10*time.Second)
		require.GreaterOrEqual(t, time.Since(began), 30*time.Millisecond, "a client thinks: real pace")
	})
}

func TestRealClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k, stop := serve(t, kernel.Options{Clock: kernel.Real})
		defer stop()
		took := make(chan time.Duration)
		began := time.Now()
		k.Post(1, func() {
			k.Go("sleeper", func(task *kernel.Task) {
				before := k.Now()
				task.Spend(time.Hour) // the work itself takes the time
				task.Block(kernel.Wait{For: 20 * time.Millisecond, Kind: kernel.Demand})
				after := k.Now()
				go func() { took <- after.Sub(before) }()
			}, nil)
		})
		require.GreaterOrEqual(t, <-took, 20*time.Millisecond)
		require.GreaterOrEqual(t, time.Since(began), 20*time.Millisecond)
	})
}

func TestStoppingKillsTasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k, stop := serve(t, kernel.Options{Clock: kernel.Real})
		started, ended := make(chan bool, 1), make(chan bool, 1)
		k.Post(1, func() {
			k.Go("t", func(task *kernel.Task) {
				defer func() { ended <- true }()
				started <- true
				task.Block(kernel.Wait{For: -1})
			}, nil)
		})
		<-started
		stop()
		require.True(t, <-ended)
	})
}

func BenchmarkSwitch(b *testing.B) {
	k := kernel.New(kernel.Options{})
	for range 2 {
		k.Go("t", func(task *kernel.Task) {
			for range b.N {
				task.Switch(kernel.AtStatements)
			}
		}, nil)
	}
	b.ReportAllocs()
	b.ResetTimer()
	k.RunReady()
}
