package integration

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
)

// TestMoveToANamedServer: the database goes on by itself on each server that was named for it, and back; each move is an alarm. On others it
// is a copy, and so is a database of another name.
func TestMoveToANamedServer(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.hourly("load")
		require.NoError(h, h.sched.StartAlsoOn(h.Context(), []string{"srv2", "SRV3"}))
		require.Equal(h, "SRV2, SRV3", strings.ToUpper(strings.Join(h.status().AlsoOn, ", ")), "without the server itself")
		for n, name := range []string{"SRV2", "SRV3", "", "SRV3"} {
			h.site(sandbox.Site{Server: name})
			h.goesOn()
			require.Len(h, h.alarmsOf("Moved"), n+1)
			require.Len(h, h.status().AlsoOn, 2)
			require.NotContains(h, h.status().AlsoOn, name, "it is there now")
		}
		require.Equal(h, "Enabled", h.scheduleOf("load").Status)

		h.site(sandbox.Site{Server: "SRV4"})
		h.isCopy()
		h.site(sandbox.Site{Server: "SRV3"})
		h.goesOn()
		require.Len(h, h.alarmsOf("Moved"), 4, "it has not moved")

		require.NoError(h, h.sched.StartAlsoOn(h.Context(), nil))
		require.Empty(h, h.status().AlsoOn)
		h.site(sandbox.Site{Server: "SRV2"})
		h.isCopy()
	})
}

// TestMoveNeedsTheSameName: a named server counts only for the database of the same name.
func TestMoveNeedsTheSameName(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		require.NoError(h, h.sched.StartAlsoOn(h.Context(), []string{"SRV2"}))
		h.site(sandbox.Site{Server: "SRV2"})
		h.session().exec(h.say.renamed)
		h.isCopy()
		require.Empty(h, h.alarmsOf("Moved"))
	})
}

// TestStartMoved: who says that the database has moved finds it as it was; in a copy, schedules wait for somebody, and the names of the
// original's servers do not count.
func TestStartMoved(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.hourly("load")
		require.NoError(h, h.sched.StartAlsoOn(h.Context(), []string{"SRV2"}))
		h.site(sandbox.Site{Server: "SRV9"})
		h.isCopy()
		require.NoError(h, h.sched.StartMoved(h.Context()))
		h.goesOn()
		require.Equal(h, "Enabled", h.scheduleOf("load").Status)
		require.Contains(h, h.status().AlsoOn, "SRV2")
		h.pause(time.Hour)
		require.Equal(h, "Succeeded", h.outcomes("load"))

		h.site(sandbox.Site{Server: "COPY"})
		h.isCopy()
		require.NoError(h, h.sched.StartHere(h.Context()))
		h.goesOn()
		require.Equal(h, "Suspended", h.scheduleOf("load").Status)
		require.Empty(h, h.status().AlsoOn)
	})
}

// TestMovedAgain: both ways of starting are harmless where the scheduler is at home.
func TestMovedAgain(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.hourly("load")
		require.NoError(h, h.sched.StartMoved(h.Context()))
		require.NoError(h, h.sched.StartHere(h.Context()))
		h.goesOn()
		require.Equal(h, "Enabled", h.scheduleOf("load").Status)
		h.requireNoAlarms()
	})
}
