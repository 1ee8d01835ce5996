package integration

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestInstallAgainChangesNothing: the second time there is nothing to change, and running tasks are not disturbed.
func TestInstallAgainChangesNothing(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		id := h.exec(h.sleep(1, 30*time.Second))[0]
		h.untilRunning(1, 2*h.restart)
		report, err := h.sched.Install(h.Context(), dialects.InstallOptions{})
		require.NoError(h, err)
		require.Empty(h, report.Applied)
		require.Positive(h, report.Unchanged)
		require.Equal(h, 4, report.Lanes)
		require.True(h, h.status().Started, "still started")
		h.drain(time.Minute)
		require.Len(h, h.logsOf(id), 1)
		require.Equal(h, "Succeeded", h.statusOf(id))
	})
}

// TestUpgradeNow: an upgrade that does not wait for tasks cancels them; the scheduler continues with the others.
func TestUpgradeNow(t *testing.T) {
	each(t, setup{lanes: 3}, func(h *harness) {
		h.mayKill()
		ids := h.exec(h.sleep(1, time.Hour), h.sleep(1, time.Hour), h.task(2, h.say.nothing))
		h.untilRunning(2, 2*h.restart)
		h.session().exec(h.say.older)
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{DrainTimeout: 5 * time.Second})
		require.ErrorAs(h, err, new(*dialects.PreflightError), "they run")
		_, err = h.sched.Install(h.Context(), dialects.InstallOptions{DrainTimeout: 30 * time.Second, Now: true})
		require.NoError(h, err)
		require.Equal(h, []string{"Cancelled", "Cancelled"}, h.statuses(ids[:2]))
		require.True(h, h.status().Started)
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(ids[2]))
		require.Len(h, h.logs(), 3)
		h.requireNoAlarms()
	})
}

// TestUpgradeOfTheTables: a later version adds to the tables while there is work of all kinds. It waits for the running tasks, and
// everything enqueued before runs once. The earlier version leaves the tables alone then.
func TestUpgradeOfTheTables(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		s := h.marks()
		open := number(h, s.ask(h.say.createProcess("open", false)))
		suspended := number(h, s.ask(h.say.createProcess("suspended", true)))
		later := h.task(2, h.say.mark(2))
		later.NotBefore = h.now().Add(2 * time.Minute)
		h.exec(h.sleep(1, 20*time.Second), h.task(2, h.say.mark(1)), later)
		s.exec(h.say.enqueue(open, 1, h.say.mark(3)))
		s.exec(h.say.enqueue(suspended, 1, h.say.mark(4)))
		h.untilRunning(1, 2*h.restart)
		s.exec(h.say.older)

		next := h.next()
		report, err := next.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Contains(h, report.Applied, "0002_later.up.sql")
		require.NotContains(h, report.Applied, "0001_tables.up.sql")
		require.Equal(h, 2, report.Lanes)
		require.True(h, h.status().Started)
		require.Equal(h, "Suspended", h.processOf(suspended).Status)
		s.exec(h.say.release(suspended))
		for _, p := range []int64{1, open, suspended} {
			h.waitFor(p, 5*time.Minute)
		}
		require.Equal(h, [][]string{{"1"}, {"2"}, {"3"}, {"4"}}, inOrder(s.rows(h.say.markRead)))
		h.requireWaves(h.logs())
		h.requireNoAlarms()

		report, err = next.Install(h.Context(), dialects.InstallOptions{})
		require.NoError(h, err)
		require.Empty(h, report.Applied)
		_, err = h.sched.Install(h.Context(), dialects.InstallOptions{})
		require.ErrorAs(h, err, new(*dialects.UsageError), "the tables are those of a later version")
		_, err = next.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
	})
}

// inOrder sorts rows.
func inOrder(rows [][]string) [][]string {
	slices.SortFunc(rows, slices.Compare)
	return rows
}

// TestMoreLanes: installing again with more lanes adds them; with fewer it is refused.
func TestMoreLanes(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		if h.keepsLanes {
			_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 1})
			require.ErrorAs(h, err, new(*dialects.UsageError))
		}
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 5})
		require.NoError(h, err)
		require.Equal(h, 5, h.status().MaxLanes)
		require.NoError(h, h.sched.SetWorkers(h.Context(), 5))
		var list []dialects.NewTask
		for range 5 {
			list = append(list, h.sleep(1, 10*time.Second))
		}
		h.exec(list...)
		h.untilRunning(5, h.restart)
	})
}

// TestTwoInstallations: under two schema names in one database each runs only its own tasks and is unaware of the other.
func TestTwoInstallations(t *testing.T) {
	each(t, setup{schema: "first"}, func(h *harness) {
		second := h.beside("second")
		_, err := second.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 2})
		require.NoError(h, err)
		require.NoError(h, second.sched.SetWorkers(h.Context(), 2))
		require.NoError(h, second.sched.Start(h.Context()))

		h.exec(h.sleep(1, 10*time.Second), h.sleep(1, 10*time.Second), h.sleep(2, time.Second))
		second.exec(second.sleep(1, 10*time.Second), second.sleep(1, 10*time.Second), second.sleep(1, 10*time.Second))
		h.untilRunning(2, 2*h.restart)
		second.untilRunning(2, 2*h.restart)
		h.drain(time.Minute)
		h.until(time.Minute, "the second's tasks end", func() bool { return second.status().Unfinished == 0 })
		require.Len(h, h.logs(), 3)
		require.Len(h, second.logs(), 3)

		_, err = second.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(id, h.now(), h.soon)
		h.drain(time.Minute)
	})
}

// TestNamesThatNeedQuoting: the schema's and the database's name may need quotes.
func TestNamesThatNeedQuoting(t *testing.T) {
	t.Parallel()
	for _, e := range engines() {
		for _, name := range e.odd {
			t.Run(e.dialect.Name()+" "+name, func(t *testing.T) {
				t.Parallel()
				e.run(t, setup{schema: name, box: func(o *sandbox.Options) { o.Database = "we[ird]-n'ame" }}, installedAs)
			})
		}
	}
}

// installedAs uses an installation, whatever its name.
func installedAs(h *harness) {
	h.mayKill()
	h.marks()
	h.exec(h.task(1, h.say.mark(1)), h.task(2, h.say.failing[0].sql), h.task(3, h.say.mark(2)))
	h.drain(time.Minute)
	require.Equal(h, [][]string{{"1"}, {"2"}}, h.session().rows(h.say.markRead))
	report, err := h.sched.Install(h.Context(), dialects.InstallOptions{})
	require.NoError(h, err)
	require.Empty(h, report.Applied)
	require.Equal(h, h.schema, report.Schema)
	_, err = h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
	require.NoError(h, err)
}

// TestNamesThatAreRefused: they are refused before anything is sent.
func TestNamesThatAreRefused(t *testing.T) {
	each(t, setup{bare: true}, func(h *harness) {
		for _, name := range h.refused {
			_, err := h.dialect.Open(h.Context(), dialects.Target{Dial: h.server.dial(), DSN: h.server.dsn, Schema: name})
			require.ErrorAs(h, err, new(*dialects.UsageError), "%q", name)
		}
	})
}

// TestUninstallLeavesNothing: what was in the database before is there after, and nothing else; pending tasks are
// dropped, and running ones are waited for.
func TestUninstallLeavesNothing(t *testing.T) {
	each(t, setup{bare: true}, func(h *harness) {
		ctx := h.Context()
		h.marks().exec(h.say.mark(7))
		before := h.inventory()
		_, err := h.sched.Install(ctx, dialects.InstallOptions{Lanes: 3})
		require.NoError(h, err)
		require.NotEqual(h, before, h.inventory())
		require.NoError(h, h.sched.SetWorkers(ctx, 2))
		require.NoError(h, h.sched.Start(ctx))
		h.exec(h.task(1, h.say.mark(8)), h.sleep(2, 20*time.Second), h.task(3, h.say.mark(9)))
		h.untilRunning(1, 2*h.restart)

		_, err = h.sched.Uninstall(ctx, dialects.UninstallOptions{DrainTimeout: time.Second})
		require.ErrorAs(h, err, new(*dialects.PartialError), "a task runs")
		require.NotEqual(h, before, h.inventory())
		_, err = h.sched.Uninstall(ctx, dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Equal(h, before, h.inventory())
		require.Equal(h, [][]string{{"7"}, {"8"}}, h.session().rows(h.say.markRead))

		_, err = h.sched.Uninstall(ctx, dialects.UninstallOptions{})
		require.NoError(h, err, "again: there is nothing to do")
		_, err = h.sched.Install(ctx, dialects.InstallOptions{Lanes: 2})
		require.NoError(h, err, "and it can be installed again")
		require.NoError(h, h.sched.Start(ctx))
		h.exec(h.task(1, h.say.mark(10)))
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"7"}, {"8"}, {"10"}}, h.session().rows(h.say.markRead))
	})
}
