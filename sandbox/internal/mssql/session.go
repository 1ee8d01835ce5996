package mssql

import (
	"fmt"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/agent"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/security"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/settings"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/temporary"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/transaction"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Session is one connection, or one activated procedure: a coroutine with its transaction,
// SET options, security contexts and temporary objects.
type Session struct {
	srv  *Server
	task *kernel.Task
	st   *store.Session
	out  Sink

	spid      int
	activated bool       // started by a queue monitor, not by a client
	agentRun  *agent.Run // the run of the job whose step this session runs; nil: none
	login     *catalog.Login
	program   string
	host      string
	loginTime time.Time
	lastStart time.Time // of the request that runs or ran last
	command   string    // what the request does, for sys.dm_exec_requests
	waiting   string    // wait type while blocked, empty otherwise
	active    bool      // a request runs
	queried   bool      // the running statement was counted as one that works on tables or queues, or is known not to be one
	foreign   bool      // the statement being compiled names another database
	broken    Kind      // kind of the statement whose result set an error has cut short; Other: none
	control   int       // consecutive control-flow statements up to now
	dead      bool      // close the connection when the request ends
	killedBy  int       // the session that ordered KILL; 0: none

	home *catalog.Database // the login's, to which a reset returns
	db   *catalog.Database
	who  security.Contexts
	set  settings.Settings
	tran transaction.Transaction
	tmp  temporary.Tables

	frames    []*frame
	tries     []*frame        // the frames of the TRY blocks that run, innermost last
	caught    []*sqlerr.Error // the errors of the CATCH blocks that run, innermost last
	lastError int32           // @@ERROR
	rowCount  int64           // @@ROWCOUNT
	identity  value.Value     // @@IDENTITY
	warnings  []*sqlerr.Error // to send when the statement ends

	cursors     map[string]*cursor // global cursors
	prepared    map[int64]prepared // by handle
	lastHandle  int64
	bulk        *bulk // the INSERT BULK of the request before
	context     map[string]contextValue
	contextInfo value.Value
	identityOn  *catalog.Object // SET IDENTITY_INSERT
	fetchStatus int64           // @@FETCH_STATUS

	inbox kernel.Inbox
	onEnd func()
}

// contextValue is an entry of SESSION_CONTEXT.
type contextValue struct {
	v        value.Value
	readOnly bool
}

// SPID returns the session's id, @@SPID.
func (s *Session) SPID() int { return s.spid }

// Describe records the names that the client gave for itself.
func (s *Session) Describe(program, host string) { s.program, s.host = program, host }

// OnEnd sets the function to call when the session has ended, in whatever way.
func (s *Session) OnEnd(fn func()) { s.onEnd = fn }

// DatabaseName returns the name of the current database.
func (s *Session) DatabaseName() string { return s.db.Name }

// DatabaseCollation returns the collation of the current database.
func (s *Session) DatabaseCollation() datatype.Collation { return s.db.Collation }

// Counters returns what the session has cost so far.
func (s *Session) Counters() store.Counters { return s.st.Counters }

// newSession registers a session; its coroutine is started by the caller.
func (srv *Server) newSession(login *catalog.Login, db *catalog.Database, activated bool) *Session {
	srv.nextSPID++
	s := &Session{
		srv: srv, spid: srv.nextSPID, login: login, home: db, db: db, activated: activated,
		loginTime: srv.k.Now(), out: discard{srv.log},
		who: security.Contexts{Server: srv.catalog}, set: settings.Default(), cursors: map[string]*cursor{}, prepared: map[int64]prepared{}, context: map[string]contextValue{},
	}
	s.tran = transaction.Transaction{
		Level: plan.ReadCommitted, Start: func() *store.Txn { return s.st.Begin() },
		Tell: func(e transaction.Event, id int64) {
			if e != transaction.Begun && s.set.CursorCloseOnCommit {
				s.closeCursors()
			}
			s.out.Transaction(e, id)
		},
	}
	srv.sessions.Set(s.spid, s)
	return s
}

// attach gives the session its coroutine.
func (s *Session) attach(t *kernel.Task) {
	s.task = t
	s.st = s.srv.store.NewSession(t)
	s.st.Label = s
	s.st.LockTimeout = -1
}

// close undoes what is open and removes the session. It runs with the baton, also while a killed
// coroutine unwinds: nothing here blocks.
func (s *Session) close() {
	if tx := s.tran.Forget(); tx != nil {
		tx.Rollback()
	}
	s.tmp.Drop(0)
	s.st.Owner().ReleaseAll()
	s.st.Close()
	s.srv.sessions.Delete(s.spid)
	s.inbox.Drain()
	if s.onEnd != nil {
		s.onEnd()
	}
}

// resetConnection does what sp_reset_connection does: everything that a client can have changed
// returns to its state at login, except the isolation level
// (learn.microsoft.com, "SQL Server connection pooling (ADO.NET)", transaction isolation levels).
func (s *Session) resetConnection(keepTransaction bool) {
	if s.tran.Tx != nil && !keepTransaction {
		s.tran.RollbackAll()
	}
	s.tmp.Drop(0)
	s.cursors = map[string]*cursor{}
	clear(s.prepared)
	s.context = map[string]contextValue{}
	s.contextInfo = value.Value{}
	s.set = settings.Default()
	s.who.Cut(1)
	if s.db != s.home && query.Catch(func() error { s.use(s.home.Name); return nil }) != nil { // the database no longer exists
		s.dead = true
		s.out.Error(message.MS(4060, s.home.Name).Ending(sqlerr.Connection))
		return
	}
	s.st.Owner().ReleaseAll()
	s.st.LockTimeout, s.st.DeadlockPriority = -1, 0
	s.identityOn = nil
	s.lastError, s.rowCount = 0, 0
	_ = s.enter(s.db) // it fails when the session is about to be killed, which it will notice
}

// block suspends the session, showing why in sys.dm_exec_requests.
func (s *Session) block(waitType string, w kernel.Wait) (kernel.Reason, any) {
	s.waiting = waitType
	defer func() { s.waiting = "" }()
	return s.task.Block(w)
}

// endStatement drops what lives only as long as a statement.
func (s *Session) endStatement() {
	s.tran.EndStatement()
	for _, w := range s.warnings {
		s.out.Info(w)
	}
	s.warnings = nil
}

// info sends a message.
func (s *Session) info(number int32, severity, state uint8, line int, text string) {
	unit := ""
	if f := s.top(); f != nil {
		unit = f.unit
	}
	s.out.Info(&sqlerr.Error{Number: number, Severity: severity, State: state, Text: text, Unit: unit, Line: line})
}

func (s *Session) top() *frame {
	if len(s.frames) == 0 {
		return nil
	}
	return s.frames[len(s.frames)-1]
}

func (s *Session) String() string { return fmt.Sprintf("session %d", s.spid) }

// collation is the collation of literals and variables: the current database's.
func (s *Session) collation() datatype.Collation { return s.db.Collation }
