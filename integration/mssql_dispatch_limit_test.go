package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestMSSQLWorkersAtOnce: of idle lanes that look at the same moment (wake-ups that a Stop or an earlier assignment left
// behind), no more work than SetWorkers allows, and no fewer for long.
func TestMSSQLWorkersAtOnce(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			onMSSQL(t, setup{lanes: 8, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				const allowed = 2
				var first []dialects.NewTask
				for range 8 {
					first = append(first, h.sleep(1, time.Second))
				}
				h.exec(first...)
				h.drain(10 * time.Second)
				require.NoError(h, h.sched.SetWorkers(h.Context(), allowed))
				h.pause(time.Second)

				var text strings.Builder
				for range 8 {
					text.WriteString(h.say.enqueue(0, 2, h.dialect.Sleep(time.Second)))
				}
				text.WriteString("UPDATE dbsched.Processes SET HasWork = 1 WHERE ProcessId = 1;")
				for lane := range 8 {
					fmt.Fprintf(&text, "EXEC dbsched.SendWake %d;", lane+1)
				}
				s := h.session()
				s.begin()
				s.exec(text.String())
				s.commit()
				h.drain(time.Minute)
				second := h.logs()[8:]
				require.Len(h, second, 8)
				require.Equal(h, allowed, overlap(second), h.report())
				h.requireNoAlarms()
			})
		})
	}
}

// TestMSSQLTwoGiveWay: two workers, only one of which is allowed, claim at the same moment from different processes. Each sees the other
// and gives way, and one is woken again. A resource that its task was just granted is free for others meanwhile.
func TestMSSQLTwoGiveWay(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		require.NoError(h, h.sched.SetPolicy(h.Context(), dialects.Fifo)) // RoundRobin would choose again under the lock
		a, b := h.process(dialects.NewProcess{Name: "a"}), h.process(dialects.NewProcess{Name: "b"})
		h.resource("a", 1)
		h.resource("b", 1)
		ids := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(time.Minute), Order: 1, ProcessID: a, Resource: "a", Access: "Exclusive"},
			dialects.NewTask{SQL: h.dialect.Sleep(time.Minute), Order: 1, ProcessID: b, Resource: "b", Access: "Exclusive"})
		h.pause(5 * time.Second)
		s, holder := h.session(), h.session()
		s.exec("UPDATE dbsched.Settings SET MaxWorkers = 1;") // as SetWorkers does, after its wake-up has been served
		holder.begin()
		holder.rows(fmt.Sprintf("SELECT p.Status FROM dbsched.Processes AS p WITH (UPDLOCK, ROWLOCK) WHERE p.ProcessId IN (%d, %d);", a, b))
		// Wake-ups left behind by an earlier assignment. The choice is made without locks, so that the second sees uncommitted rows.
		s.exec("EXEC dbsched.SendWake 1;")
		h.untilWaiting(1, "the first chooses process a")
		holder.exec(fmt.Sprintf("UPDATE dbsched.Processes SET HasWork = 0 WHERE ProcessId = %d;", a))
		s.exec("EXEC dbsched.SendWake 2;")
		h.untilWaiting(2, "the second chooses process b")
		since := h.now()
		holder.rollback()
		h.until(5*time.Second, "one of them runs", func() bool { return h.running() > 0 })
		require.LessOrEqual(h, h.now().Sub(since), h.soon)
		h.pause(10 * time.Second)
		require.Len(h, h.logs(), 1, "not more than one")
		require.Len(h, append(h.requests("a"), h.requests("b")...), 1, "who gave way holds nothing")
		for _, p := range []int64{a, b} {
			h.waitFor(p, 3*time.Minute)
		}
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses(ids))
		require.Equal(h, 1, overlap(h.logs()))
	})
}
