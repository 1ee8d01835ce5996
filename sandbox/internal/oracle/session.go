package oracle

import (
	"cmp"
	"fmt"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/aq"
	"github.com/dbsched/dbsched/sandbox/internal/jobs"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/settings"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/supplied"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/temporary"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/transaction"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Session is one connection, or one job slave at work: a coroutine with its transactions, NLS settings, rights,
// temporary rows and package states.
type Session struct {
	srv  *Server
	task *kernel.Task
	st   *store.Session

	sid, serial int
	user        *catalog.User
	lastRow     [2]int64 // the table and row last changed by the statement
	schema      string   // CURRENT_SCHEMA of the session; units have their own
	client      Client
	logonTime   time.Time
	run         *jobs.Run // of a job slave
	statement   string    // running or last run, for V$SESSION
	warned      bool      // the last DDL left compilation errors
	killed      bool
	unsynced    bool          // has commits that did not wait for their log
	synchWrites int64         // how often it has waited for its log, for V$MYSTAT
	fatal       *sqlerr.Error // an internal error ended it

	nls            settings.NLS
	ddlLockTimeout time.Duration

	transaction.Stack
	rights []frame // whose rights apply, the innermost unit's last

	temporary temporary.Rows
	packages  map[int64]*packageState // by the id of the specification
	currval   map[*catalog.Sequence]int64
	supplied  supplied.State
	plsql     plsql.State
	consumer  aq.Consumer

	inbox kernel.Inbox
	onEnd func()
}

// Client is what a client says about itself at login.
type Client struct{ Program, Machine, Terminal, OSUser string }

// frame says whose rights apply while a unit runs, and where its names are looked up.
type frame struct {
	rights catalog.Rights
	schema string // empty: the session's CURRENT_SCHEMA
}

var _ plan.Env = (*Session)(nil)

// SID returns the session's id.
func (s *Session) SID() int { return s.sid }

// Serial distinguishes sessions that have had the same id.
func (s *Session) Serial() int { return s.serial }

// Counters returns what the session has cost so far.
func (s *Session) Counters() store.Counters { return s.st.Counters }

// Describe records what the client said about itself.
func (s *Session) Describe(c Client) { s.client = c }

// Tell records what the application says about itself with a call; nil: unchanged.
func (s *Session) Tell(identifier, module, action, info *string) {
	s.supplied.Tell(identifier, module, action, info)
}

// OnEnd registers fn to be called when the session is gone, however it ended.
func (s *Session) OnEnd(fn func()) { s.onEnd = fn }

func (s *Session) String() string { return fmt.Sprintf("session %d,%d", s.sid, s.serial) }

// here returns the running frame.
func (s *Session) here() *frame { return &s.rights[len(s.rights)-1] }

// currentSchema returns the schema where unqualified names are looked up.
func (s *Session) currentSchema() string {
	return cmp.Or(s.here().schema, s.schema)
}

// Task implements plan.Env.
func (s *Session) Task() *kernel.Task { return s.task }

// ViewContext implements plan.Env.
func (s *Session) ViewContext() catalog.ViewContext {
	return catalog.ViewContext{User: s.here().rights.User, Rights: s.here().rights, Catalog: s.srv.catalog, Session: s}
}

// close undoes what is open and removes the session. It runs with the baton, even while a killed coroutine unwinds:
// nothing here blocks.
func (s *Session) close() {
	for t, _ := s.Pop(); t != nil; t, _ = s.Pop() {
	}
	s.st.Owner().ReleaseAll()
	s.st.Close()
	s.srv.sessions.Delete(s.sid)
	if s.run == nil || !s.srv.reuses() {
		s.srv.freeSIDs = append(s.srv.freeSIDs, s.sid)
	}
	s.inbox.Drain()
	if s.onEnd != nil && (!s.srv.down || s.run == nil) { // the coordinator is gone with the instance
		s.onEnd()
	}
}
