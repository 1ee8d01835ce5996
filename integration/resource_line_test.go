package integration

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
