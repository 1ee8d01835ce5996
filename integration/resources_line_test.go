package integration

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestWaiterIsRemoved: removing a request from the line ends the wait of its session, which is told why.
func TestWaiterIsRemoved(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		holder := h.acquire("db", "Shared", 600, 0)
		holder.granted(time.Second)
		waiter := h.acquire("db", "Shared", 600, 0)
		h.pause(time.Second)
		_, waiting := h.line("db")
		require.Len(h, waiting, 1)
		h.session().exec(h.say.releaseResource(waiting[0]))
		require.Contains(h, waiter.within(10*time.Second), h.errorText(44))
		holder.release()
		require.Empty(h, h.requests("db"))
		h.requireNoAlarms()
	})
}

// TestResourceCommitOrder: simultaneous requests are served in the order of their numbers, whatever the order of events.
func TestResourceCommitOrder(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			each(t, setup{lanes: 1, stopped: true, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.resource("db", 1)
				const n = 6
				got := make(chan int64, 2*n)
				var released sync.WaitGroup
				for range n {
					s := h.session()
					released.Go(func() {
						answer, err := h.say.ask(h.Context(), s.conn, h.say.acquire("db", "Shared", 600, 0))
						id, _ := strconv.ParseInt(answer, 10, 64)
						got <- id
						if err == nil {
							err = s.try(h.say.releaseResource(id))
						}
						if err != nil {
							got <- -1
						}
					})
				}
				var order []int64
				for range n {
					order = append(order, <-got)
				}
				released.Wait()
				require.IsIncreasing(h, order)
				require.Empty(h, h.requests("db"))
				require.Empty(h, got)
			})
		})
	}
}

// TestLeaseStartsWithTheGrant: a lease begins when its session has the resource, and not before: not while it waits, and not while it has not yet been
// told that its turn has come.
func TestLeaseStartsWithTheGrant(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		first := h.acquire("db", "Shared", 600, 0)
		first.granted(time.Second)
		next := h.acquire("db", "Shared", 600, 30)
		h.pause(time.Minute)
		stillWait(next)
		require.Nil(h, h.requests("db")[1].LeaseUntil)
		first.release()
		since := h.now()
		if told := h.requests("db")[0]; told.Status == "Reserved" {
			require.Nil(h, told.LeaseUntil)
		}
		next.granted(time.Second)
		lease := h.requests("db")[0].LeaseUntil
		require.NotNil(h, lease)
		require.InDelta(h, 30, lease.Sub(since).Seconds(), 1.5)
		h.pause(25 * time.Second)
		require.Len(h, h.requests("db"), 1)
		h.until(8*time.Second, "the lease is over", func() bool { return len(h.requests("db")) == 0 })
		require.Len(h, h.alarmsOf("StaleResource"), 1)
	})
}

// TestLeaseEndsWhileStopped: while the scheduler is stopped nobody takes back what a lease has ended for, unless another session asks for it; a task that
// waits for it starts with the scheduler.
func TestLeaseEndsWhileStopped(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		h.acquire("db", "Shared", 600, 20).granted(time.Second)
		id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, Resource: "db"})[0]
		h.until(h.soon+slack, "it stands in the line", func() bool { return len(h.requests("db")) == 2 })
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.killHolder("db")
		h.pause(5 * time.Minute)
		require.Len(h, h.requests("db"), 2)
		require.Equal(h, "Waiting", h.statusOf(id))
		require.NoError(h, h.sched.Start(h.Context()))
		h.until(2*h.restart, "the task runs", func() bool { return h.statusOf(id) == "Succeeded" })
		require.Len(h, h.alarmsOf("StaleResource"), 1)

		h.acquire("db", "Shared", 600, 20).granted(time.Second)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.pause(time.Minute)
		h.acquire("db", "Exclusive", 600, 0).granted(8 * time.Second)
		require.Len(h, h.alarmsOf("StaleResource"), 2)
	})
}

// TestDeadWaiterWithALease: a session that asked for a lease and died before its turn leaves the line with the next sweep, and without an alarm: it
// held nothing.
func TestDeadWaiterWithALease(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		holder := h.acquire("db", "Shared", 600, 0)
		holder.granted(time.Second)
		h.acquire("db", "Exclusive", 600, 600)
		h.pause(2 * time.Second) // the request is committed
		h.killSession(h.requests("db")[1].SessionID)
		require.Len(h, h.requests("db"), 2)
		h.session().exec(h.say.sweep)
		h.until(5*time.Second, "it is gone", func() bool { return len(h.requests("db")) == 1 })
		holder.release()
		require.Empty(h, h.requests("db"))
		h.requireNoAlarms()
	})
}
