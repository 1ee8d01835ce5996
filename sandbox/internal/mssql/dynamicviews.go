package mssql

import (
	"iter"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// registerDynamicViews adds the views that show sessions, locks and activation.
func (srv *Server) registerDynamicViews() {
	for _, v := range []struct {
		name string
		rows func(catalog.ViewContext) []value.Row
	}{
		{"dm_broker_activated_tasks", srv.activatedTasks}, {"dm_broker_queue_monitors", srv.queueMonitors},
		{"dm_exec_sessions", srv.sessionRows}, {"dm_exec_requests", srv.requestRows}, {"dm_tran_locks", srv.lockRows},
		{"dm_exec_cached_plans", srv.planRows},
	} {
		srv.catalog.RegisterView("sys", v.name, catalog.ColumnsOf("sys."+v.name), func(c catalog.ViewContext) iter.Seq[value.Row] {
			return slices.Values(v.rows(c))
		})
	}
}

// mayViewServer reports whether the reader has VIEW SERVER STATE (see mayOnServer). A user impersonated
// in a database, as in activation, does not have it: the user sees only their own session
// (learn.microsoft.com, "sys.dm_exec_sessions (Transact-SQL)", Permissions; "Internal Activation Context").
func mayViewServer(c catalog.ViewContext) bool {
	return c.Session.(*Session).mayOnServer("VIEW SERVER STATE")
}

func (srv *Server) visible(c catalog.ViewContext) iter.Seq[*Session] {
	all := mayViewServer(c)
	return func(yield func(*Session) bool) {
		srv.sessions.Scan(func(_ int, s *Session) bool {
			return (!all && s != c.Session.(*Session)) || yield(s)
		})
	}
}

func (srv *Server) activatedTasks(c catalog.ViewContext) []value.Row {
	if !mayViewServer(c) {
		return nil
	}
	var rows []value.Row
	for _, t := range srv.brokers.ActivatedTasks() {
		rows = append(rows, catalog.Cells(t.Session, t.Database, t.Queue, t.Procedure, t.ExecuteAs))
	}
	return rows
}

func (srv *Server) queueMonitors(c catalog.ViewContext) []value.Row {
	if !mayViewServer(c) {
		return nil
	}
	var rows []value.Row
	for _, m := range srv.brokers.Monitors() {
		empty, activated := value.Value{}, value.Value{}
		if !m.LastEmpty.IsZero() {
			empty = value.NewTime(datetimeTicks(m.LastEmpty), 0)
		}
		if !m.LastActivated.IsZero() {
			activated = value.NewTime(datetimeTicks(m.LastActivated), 0)
		}
		rows = append(rows, catalog.Cells(m.Database, m.Queue, string(m.State), empty, activated, m.Waiting))
	}
	return rows
}

// sessionRows: an activated session shows no host and no program, and is asleep although it works.
func (srv *Server) sessionRows(c catalog.ViewContext) []value.Row {
	var rows []value.Row
	for s := range srv.visible(c) {
		status := "sleeping"
		if s.active && !s.activated {
			status = "running"
		}
		rows = append(rows, catalog.Cells(s.spid, value.NewTime(datetimeTicks(s.loginTime), 0), orNull(s.host, !s.activated), orNull(s.program, !s.activated),
			s.who.LoginName(), s.originalLogin(), status, !s.activated, s.db.ID, s.tran.Count, int(s.tran.Level), s.lockTimeout(), s.st.DeadlockPriority,
			value.NewTime(datetimeTicks(s.lastStart), 0)))
	}
	return rows
}

func (srv *Server) requestRows(c catalog.ViewContext) []value.Row {
	var rows []value.Row
	for s := range srv.visible(c) {
		if !s.active {
			continue
		}
		status, wait := "running", s.waiting
		blocker := value.NewInt(0)
		if _, mode, ok := s.st.Waiting(); ok {
			wait = "LCK_M_" + lockViewMode(mode)
			if by := s.st.Blockers(); len(by) > 0 {
				blocker = value.NewInt(int64(by[0].Label.(*Session).spid))
			}
		}
		if wait != "" {
			status = "suspended"
		}
		if s.activated {
			status = "background"
		}
		rows = append(rows, catalog.Cells(s.spid, 0, value.NewTime(datetimeTicks(s.lastStart), 0), status, commandWord(s), s.db.ID, blocker,
			orNull(wait, wait != "")))
	}
	return rows
}

func commandWord(s *Session) string {
	if s.activated {
		return "BRKR TASK"
	}
	word, _, _ := strings.Cut(strings.TrimSpace(s.command), " ")
	return strings.ToUpper(word[:min(len(word), 32)])
}

func (srv *Server) lockRows(c catalog.ViewContext) []value.Row {
	if !mayViewServer(c) {
		return nil
	}
	var rows []value.Row
	for l := range srv.store.Locks() {
		s, ok := l.Owner.Session().Label.(*Session)
		if !ok {
			continue
		}
		status := "GRANT"
		switch {
		case l.Converting:
			status = "CONVERT"
		case l.Waiting:
			status = "WAIT"
		}
		owner, description := "TRANSACTION", ""
		if l.Owner.Txn() == nil {
			owner = "SESSION"
		}
		if l.Resource.Class == store.Application {
			name := l.Resource.Key // the first 32 characters are readable
			description = "0:[" + name[:min(len(name), 32)] + "]"
		}
		rows = append(rows, catalog.Cells(l.Resource.Class.String(), l.Resource.DB, description, l.Resource.Object, lockViewMode(l.Mode), "LOCK", status,
			s.spid, owner))
	}
	return rows
}

func lockViewMode(m store.LockMode) string { return m.String() }

// planRows shows the plan cache: one entry per module and per different text.
func (srv *Server) planRows(c catalog.ViewContext) []value.Row {
	if !mayViewServer(c) {
		return nil
	}
	var rows []value.Row
	for _, u := range srv.unitOrder {
		rows = append(rows, catalog.Cells(u.kind, "Compiled Plan", u.uses, 16384+2*len(u.text), 2))
	}
	return rows
}
