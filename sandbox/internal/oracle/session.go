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
	lastRow     [2]int64 // the table and row that the statement changed last
	schema      string   // CURRENT_SCHEMA of the session; units have their own
	client      Client
	logonTime   time.Time
	run         *jobs.Run // of a job slave
	statement   string    // that runs or ran last, for V$SESSION
	warned      bool      // the last DDL left compilation errors
	killed      bool
	unsynced    bool          // has commits that did not wait for their log
	synchWrites int64         // how often it has waited for its log, for V$MYSTAT
	fatal       *sqlerr.Error // an internal error ended it

	nls            settings.NLS
	ddlLockTimeout time.Duration

	transaction.Stack
	rights []frame // whose rights hold, the innermost unit's last

	temporary temporary.Rows
	packages  map[int64]*packageState // by the id of the specification
	currval   map[*catalog.Sequence]int64
	supplied  supplied.State
	plsql     plsql.State
	consumer  aq.Consumer

	inbox kernel.Inbox
	onEnd func()
}

// Client is what a client tells of itself at login.
type Client struct{ Program, Machine, Terminal, OSUser string }

// frame says whose rights hold while a unit runs, and where its names are looked for.
type frame struct {
	rights catalog.Rights
	schema string // empty: the session's CURRENT_SCHEMA
}

var _ plan.Env = (*Session)(nil)

// SID returns the session's id.
func (s *Session) SID() int { return s.sid }

// Serial tells apart the sessions that have had the same id.
func (s *Session) Serial() int { return s.serial }

// Counters returns what the session has cost so far.
func (s *Session) Counters() store.Counters { return s.st.Counters }

// Describe notes what the client told of itself.
func (s *Session) Describe(c Client) { s.client = c }

// Tell notes what the application tells of itself with a call; nil: as before.
func (s *Session) Tell(identifier, module, action, info *string) {
	s.supplied.Tell(identifier, module, action, info)
}

// OnEnd has fn called when the session is gone, however it ended.
func (s *Session) OnEnd(fn func()) { s.onEnd = fn }

func (s *Session) String() string { return fmt.Sprintf("session %d,%d", s.sid, s.serial) }

// here is the frame that runs.
func (s *Session) here() *frame { return &s.rights[len(s.rights)-1] }

// currentSchema is where unqualified names are looked for.
func (s *Session) currentSchema() string {
	return cmp.Or(s.here().schema, s.schema)
}

// Task implements plan.Env.
func (s *Session) Task() *kernel.Task { return s.task }

// ViewContext implements plan.Env.
func (s *Session) ViewContext() catalog.ViewContext {
	return catalog.ViewContext{User: s.here().rights.User, Rights: s.here().rights, Catalog: s.srv.catalog, Session: s}
}

// close undoes what is open and forgets the session. It runs with the baton, also while a killed coroutine unwinds:
// nothing here blocks.
func (s *Session) close() {
	for t, _ := s.Pop(); t != nil; t, _ = s.Pop() {
	}
	s.st.Owner().ReleaseAll()
	s.st.Close()
	s.srv.sessions.Delete(s.sid)
	s.srv.freeSIDs = append(s.srv.freeSIDs, s.sid)
	s.inbox.Drain()
	if s.onEnd != nil && (!s.srv.down || s.run == nil) { // the coordinator is gone with the instance
		s.onEnd()
	}
}
