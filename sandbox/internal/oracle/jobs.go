package oracle

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/jobs"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/settings"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// starter runs the actions of jobs in separate sessions: job slaves.
type starter struct{ srv *Server }

var _ jobs.Starter = starter{}

// Start implements jobs.Starter.
func (st starter) Start(r *jobs.Run, done func(jobs.Outcome)) jobs.Session {
	srv := st.srv
	u := srv.catalog.User(r.Owner)
	if u == nil {
		done(jobs.Outcome{Err: message.ORA(1435)})
		return jobs.Session{}
	}
	s := srv.newSession(u)
	srv.reuse(s, r.Owner+"."+r.Name)
	s.run = r
	s.consumer.Idles = r.Repeat != "" // a repeating job may wait for messages forever
	s.client = Client{Program: "oracle (J00" + string(rune('0'+r.Slave%10)) + ")", Machine: "sandbox", OSUser: "oracle"}
	s.supplied.Module, s.supplied.Action = "DBMS_SCHEDULER", r.Name
	if srv.k.Differs(differ.ModulesSpread) {
		for _, other := range srv.sessions.Values() {
			if other.run != nil && other != s {
				s.supplied.Module = other.supplied.Module
			}
		}
	}
	if e, ok := r.Environment.(settings.NLS); ok { // jobs run with the NLS settings of the session that created them
		s.nls = e
	}
	out := jobs.Outcome{Killed: true}
	s.onEnd = func() {
		if s.fatal != nil {
			out = jobs.Outcome{Err: s.fatal}
		}
		done(out)
	}
	srv.spawn(s, "job "+r.Owner+"."+r.Name, func() {
		err := s.runJob(r)
		out = jobs.Outcome{Err: err}
		if err != nil {
			out.Stack = errorText(err)
			_ = s.Rollback()
			return
		}
		_ = s.Commit(nil)
	})
	if srv.down { // the instance is already down
		s.task.Kill()
	}
	return jobs.Session{ID: s.sid, Serial: s.serial}
}

// reuses reports whether the runs of a job have one session.
func (srv *Server) reuses() bool {
	return srv.k.Differs(differ.RunReusesSession) || srv.k.Differs(differ.RunKeepsState)
}

// reuse gives the session of a run, which has not begun, what it has of its job's last one.
func (srv *Server) reuse(s *Session, job string) {
	last := srv.lastRuns[job]
	if !srv.reuses() || last != nil && srv.Session(last.sid) != nil {
		return
	}
	if last != nil {
		srv.sessions.Delete(s.sid)
		srv.freeSIDs = append(srv.freeSIDs, s.sid)
		s.sid, s.serial = last.sid, last.serial
		srv.sessions.Set(s.sid, s)
		if srv.k.Differs(differ.RunKeepsState) {
			s.packages = last.packages
			for p := range s.Packages() {
				p.Move(s)
			}
		}
	}
	srv.lastRuns[job] = s
}

// Stop implements jobs.Starter.
func (st starter) Stop(r *jobs.Run, force bool) {
	s := st.srv.Session(r.Session.ID)
	if s == nil || s.run != r {
		return
	}
	if force {
		st.srv.kill(s)
		return
	}
	s.task.Interrupt()
}

// runJob runs the action of a job.
func (s *Session) runJob(r *jobs.Run) error {
	if r.Type == jobs.TypeChain {
		return sqlerr.NotSupported("runs of chains")
	}
	// The scheduler wraps the action in a block.
	action := strings.TrimRight(r.Action, " \t\r\n")
	if !strings.HasSuffix(action, ";") {
		action += ";"
	}
	action = "begin " + action + "\nend;"
	return s.mapped(query.Catch(func() error {
		d, err := s.Prepare(action)
		if err != nil {
			return err
		}
		if d.Kind() != plsql.DynamicBlock {
			return sqlerr.NotSupported("a job's action that is no PL/SQL block")
		}
		_, err = d.Execute(nil)
		return err
	}))
}
