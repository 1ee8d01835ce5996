package integration

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/schema"
)

// TestDamage: whatever verify knows of, one at a time: it is named, and either comes back by --fix or an installation with all data whole, or
// the installation changes nothing and names the restore. DBSCHED_DAMAGE=all damages everything, otherwise the seed chooses ten.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, e := range engines() {
		layout := dialects.Layout{Schema: e.schema, Lanes: 2}
		parts, err := e.parts(layout)
		require.NoError(t, err)
		all := e.wrecks(parts)
		chosen := rand.New(rand.NewPCG(furtherSeeds(t), 7)).Perm(len(all))
		if os.Getenv("DBSCHED_DAMAGE") == "" {
			chosen = chosen[:10]
		}
		slices.Sort(chosen)
		for n, i := range chosen {
			w := all[i]
			t.Run(e.dialect.Name()+" "+w.name, func(t *testing.T) {
				t.Parallel()
				e.run(t, setup{lanes: 2}, func(h *harness) { h.wreck(w, parts, n%2 == 0) })
			})
		}
	}
}

// wreck damages an installation, and repairs it: with fix by the safe remedies, as far as they go.
func (h *harness) wreck(w wreck, parts []schema.Part, fix bool) {
	h.Helper()
	h.mayFail = true
	h.someData()
	before := h.data(parts, w)
	s := h.session()
	for _, text := range w.how {
		if w.dba {
			h.server.administrate(text)
		} else {
			s.exec(text)
		}
	}
	_, _ = h.sched.Status(h.Context()) // in case its connection was closed
	bad := h.bad(0)
	require.Contains(h, fmt.Sprint(bad), w.names)
	install := func() error {
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
		return err
	}
	if w.lost {
		err := install()
		require.ErrorAs(h, err, new(*dialects.PreflightError))
		require.ErrorContains(h, err, w.names+" is gone")
		require.ErrorContains(h, err, "back")
		after := h.data(parts, w)
		for table := range before {
			if _, there := after[table]; !there {
				delete(before, table)
			}
		}
		require.Equal(h, before, after, "nothing was changed")
		return
	}
	for _, c := range bad {
		switch {
		case fix && c.Safe:
			require.NoError(h, h.sched.Mend(h.Context(), c), "%+v", c)
		case w.dba:
			for line := range strings.Lines(c.Remedy) {
				h.server.administrate(strings.TrimSuffix(strings.TrimSpace(line), ";"))
			}
		}
	}
	require.NoError(h, install())
	require.Equal(h, before, h.data(parts, w), "the data is whole")
	h.pause(10 * time.Second)
	require.NoError(h, h.sched.Start(h.Context()))
	h.pause(15 * time.Minute)
	require.NoError(h, h.sched.AcknowledgeAlarms(h.Context(), 0))
	require.Empty(h, h.bad(time.Minute))
	require.NoError(h, install())
	require.Equal(h, before, h.data(parts, w), "and it stays so")
}

// someData makes what an installation may hold, and of which nothing is due.
func (h *harness) someData() {
	h.Helper()
	ids := h.exec(h.task(1, h.say.nothing), h.task(2, h.say.fails(0)))
	h.until(time.Minute, "both have ended", func() bool { return h.statusOf(ids[1]) == "Failed" })
	p := number(h, h.session().ask(h.say.createProcess("kept", true)))
	h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p, Timeout: time.Hour, DedupKey: "k"}, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})
	h.resource("crane", 2)
	require.NoError(h, h.sched.CreateSchedule(h.Context(), dialects.NewSchedule{Name: "yearly", Calendar: "0 0 1 1 *", Zone: "UTC", Tasks: []dialects.NewTask{{SQL: h.say.nothing, Order: 1}}}))
	require.NoError(h, h.sched.DefineRound(h.Context(), dialects.NewRound{Name: "r", Members: []string{"a", "b"}, SuccessorSQL: h.say.nothing, Order: 1, ProcessID: 1, MaxAge: time.Hour, StartTimeout: time.Minute}))
	h.pause(time.Minute) // until its workers have left
}

// data reads the rows of all tables that keep them.
func (h *harness) data(parts []schema.Part, w wreck) map[string][][]string {
	h.Helper()
	s := h.session()
	all := map[string][][]string{}
	for table, query := range sorted(h.engine.data(parts, w)) {
		rows, err := h.tryRows(s, query)
		if err != nil { // the lost table or column
			require.True(h, w.lost, "%s: %v", query, err)
			continue
		}
		all[table] = rows
	}
	return all
}

// tryRows runs a query that may fail.
func (h *harness) tryRows(s *session, query string) (all [][]string, err error) {
	rows, err := s.on().QueryContext(h.Context(), query)
	if err != nil {
		return nil, err
	}
	require.NoError(h, rows.Close()) //nolint:sqlclosecheck // before the next query
	return s.rows(query), rows.Err()
}
