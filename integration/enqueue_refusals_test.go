package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestRefusals: each bad argument has its own number and text, nothing is written, and the caller's transaction stays
// as it is and can be committed.
func TestRefusals(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		c := h.marks()
		before := h.status()
		for i, r := range h.say.refusals {
			err := c.try(r.sql)
			require.ErrorContains(h, err, r.text, r.name)
			require.ErrorContains(h, err, show(r.number), r.name)

			c.begin()
			c.exec(h.say.mark(i))
			err = c.try(r.sql)
			if r.joins {
				require.ErrorContains(h, err, r.text, r.name)
				require.ErrorContains(h, err, show(r.number), r.name)
			} else {
				require.ErrorContains(h, err, h.errorText(10), "%s: it cannot be called in a transaction", r.name)
			}
			c.exec(h.say.mark(1000 + i))
			c.commit()
			require.Len(h, c.rows(h.say.markRead), 2, r.name)
			c.exec(h.say.markDelete)
		}
		after := h.status()
		after.Now = before.Now
		require.Equal(h, before, after)
		require.Empty(h, h.tasks())
		list, err := h.sched.Processes(h.Context(), dialects.Filter{})
		require.NoError(h, err)
		require.Len(h, list, 1)
		require.NoError(h, h.sched.Start(h.Context()))
		h.pause(2 * time.Minute)
		require.Empty(h, h.logs())
	})
}

// TestRefusedTaskTakesTheOthersWithIt: tasks that the program enqueues together exist together or not at all.
func TestRefusedTaskTakesTheOthersWithIt(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		_, err := h.sched.Exec(h.Context(), []dialects.NewTask{h.task(1, h.say.nothing), h.task(1, "")})
		require.ErrorAs(h, err, new(*dialects.ServerError))
		require.ErrorContains(h, err, h.errorText(1))
		h.pause(2 * time.Minute)
		require.Empty(h, h.tasks())
	})
}

// TestProgramErrors: the program passes on the server's messages.
func TestProgramErrors(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		ctx := h.Context()
		require.ErrorContains(h, h.sched.SetWorkers(ctx, 5), h.errorText(9))
		require.ErrorContains(h, h.sched.SetPolicy(ctx, "Random"), h.errorText(8))
		require.ErrorContains(h, h.sched.CloseProcess(ctx, 4711), h.errorText(4))
		_, err := h.sched.CreateProcess(ctx, dialects.NewProcess{})
		require.ErrorContains(h, err, h.errorText(12))
		_, err = h.sched.FindProcess(ctx, "nobody")
		require.ErrorAs(h, err, new(*dialects.UsageError))
		_, err = h.sched.WaitProcess(ctx, 4711, time.Second)
		require.ErrorContains(h, err, h.errorText(4))
	})
}
