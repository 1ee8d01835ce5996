// Package oracle is a deterministic in-memory model of the parts of Oracle Database that dbsched uses: sessions, SQL,
// PL/SQL, transactions, supplied packages, DBMS_SCHEDULER jobs, Advanced Queuing, dictionary views. What it accepts, it
// does as Oracle documents for release 19c; what it does not model, it refuses. It is not a production engine.
package oracle

import (
	"cmp"
	"fmt"
	"log/slog"
	"time"

	"github.com/tidwall/btree"

	"github.com/dbsched/dbsched/sandbox/internal/aq"
	"github.com/dbsched/dbsched/sandbox/internal/jobs"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/settings"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/temporary"
	"github.com/dbsched/dbsched/sandbox/internal/parsecache"
	"github.com/dbsched/dbsched/sandbox/internal/site"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Version is the banner of V$VERSION: nobody should mistake the sandbox for the real thing.
const Version = "dbsched sandbox, an in-memory model of Oracle Database 19c (19.0.0.0.0); not a production engine"

// Container is the name of the only pluggable database.
const Container = catalog.Database

// Options configure a server.
type Options struct {
	User          string                    // an application user to create, with the rights that an installation needs; default APP
	StatementCost time.Duration             // virtual time that a statement takes; default 20 µs
	JobProcesses  int                       // JOB_QUEUE_PROCESSES; default 100
	StopLate      time.Duration             // jobs.Options.StopLate
	Stalled       bool                      // deleted index entries stay until something is inserted into their block
	Logger        *slog.Logger              // the alert log; nil: none
	Texts         *parsecache.Texts[Parsed] // texts already parsed; nil: none
}

// Server is an instance with one pluggable database. It may be used with the kernel's baton only.
type Server struct {
	k       *kernel.Kernel
	store   *store.Store
	catalog *catalog.Catalog
	queues  *aq.Instance
	jobs    *jobs.Scheduler
	opts    Options

	sessions   btree.Map[int, *Session]
	freeSIDs   []int
	nextSID    int
	nextSerial int
	statements map[statementKey]*prepared
	pins       map[int64]*pin // by object id
	compiling  []*catalog.Object

	otherObjects map[string]*catalog.Object // see method others
	killed       map[[2]int]bool            // sessions that were killed, by SID and serial number
	lastRuns     map[string]*Session        // the last one of each job, see reuse
	alertLog     []string
	started      time.Time

	crashAt          int  // commits until the instance crashes; 0: it does not
	crashAtStatement int  // the same for SQL statements
	down             bool // between the crash and the end of its last session
	crashes          int
	lost             []string
	site             site.Site

	covered map[[2]string][]plsql.Statement // the statements of all units and blocks since Cover, by name, "" for blocks, and text, and views that have been used; nil: nobody asks
}

// SetSite changes what surrounds the engine.
func (srv *Server) SetSite(x site.Site) {
	srv.site = x
}

// firstSID is the first SID of foreground sessions and job slaves; lower ones belong to background processes.
const firstSID = 40

// New starts an instance with SYS, SYSTEM, the supplied packages and one application user.
func New(k *kernel.Kernel, o Options) (*Server, error) {
	o.User = cmp.Or(o.User, "APP")
	o.StatementCost = cmp.Or(o.StatementCost, 20*time.Microsecond)
	o.JobProcesses = cmp.Or(o.JobProcesses, 100)
	srv := &Server{
		k: k, opts: o, nextSID: firstSID - 1, started: k.Now(),
		catalog: catalog.New(k), statements: map[statementKey]*prepared{}, pins: map[int64]*pin{},
		otherObjects: map[string]*catalog.Object{}, killed: map[[2]int]bool{}, lastRuns: map[string]*Session{},
	}
	// Oracle checks for a deadlock after a session has waited three seconds. The session that detects it loses its statement;
	// no documentation says which session that is.
	srv.store = store.New(k, store.Options{
		DetectAfter: 3 * time.Second,
		Stalled:     o.Stalled, Block: 200,
		Victim: func(cycle []*store.Session) *store.Session { return cycle[k.Choose("deadlock", len(cycle))] },
	})
	srv.queues = aq.New(k, srv.store)
	srv.jobs = jobs.New(k, srv.store, jobs.Options{Starter: starter{srv}, Processes: o.JobProcesses, StopLate: o.StopLate})
	srv.catalog.SetOthers(srv.others)
	srv.registerViews()
	if err := srv.loadPackages(); err != nil {
		return nil, err
	}
	srv.catalog.NumberFrom(70085)
	return srv, srv.createApplicationUser(o.User)
}

// Kernel returns the run loop.
func (srv *Server) Kernel() *kernel.Kernel { return srv.k }

// Catalog returns the data dictionary.
func (srv *Server) Catalog() *catalog.Catalog { return srv.catalog }

// Scheduler returns the engine's DBMS_SCHEDULER, for tests that stop its coordinator or count runs.
func (srv *Server) Scheduler() *jobs.Scheduler { return srv.jobs }

// Counters returns the total cost of all sessions so far.
func (srv *Server) Counters() store.Counters { return srv.store.Counters }

// Work returns what all transactions have written and locked.
func (srv *Server) Work() store.Work { return srv.store.Work.Clone() }

// AlertLog returns the lines of the alert log.
func (srv *Server) AlertLog() []string { return srv.alertLog }

// Resume begins another run of an image; lines of the alert log go to l, nil: nowhere.
func (srv *Server) Resume(l *slog.Logger) { srv.opts.Logger = l }

// log writes a line to the alert log.
func (srv *Server) log(text string) {
	srv.alertLog = append(srv.alertLog, text)
	if srv.opts.Logger != nil {
		srv.opts.Logger.Info(text)
	}
}

// Session returns the session with a SID, or nil.
func (srv *Server) Session(sid int) *Session {
	s, _ := srv.sessions.Get(sid)
	return s
}

// newSession registers a session of a user; its coroutine is started by spawn.
func (srv *Server) newSession(user *catalog.User) *Session {
	var sid int
	if n := len(srv.freeSIDs); n > 0 { // SIDs are reused; the serial number distinguishes sessions
		sid, srv.freeSIDs = srv.freeSIDs[0], srv.freeSIDs[1:]
	} else {
		srv.nextSID++
		sid = srv.nextSID
	}
	srv.nextSerial++
	s := &Session{
		srv: srv, sid: sid, serial: srv.nextSerial, user: user, schema: user.Name, logonTime: srv.k.Now(),
		nls: settings.Default(), temporary: temporary.Rows{}, packages: map[int64]*packageState{},
		currval: map[*catalog.Sequence]int64{},
	}
	s.Start = func() *store.Txn { return s.st.Begin() }
	s.rights = []frame{{catalog.Rights{User: user.Name, Roles: true}, ""}}
	srv.sessions.Set(sid, s)
	return s
}

// spawn gives a session its coroutine. However it ends, whatever it left open is undone.
func (srv *Server) spawn(s *Session, name string, fn func()) {
	s.task = srv.k.Go(name, func(*kernel.Task) {
		defer s.close()
		fn()
	}, kernel.Logged(srv.opts.Logger, s.sid, func(p any) { s.fatal = message.ORA(600, p) }))
	s.st = srv.store.NewSession(s.task)
	s.st.Label = s
	s.st.LockTimeout = -1
}

// kill ends a session as ALTER SYSTEM KILL SESSION does: its transaction is rolled back while its coroutine unwinds.
func (srv *Server) kill(s *Session) {
	srv.log(fmt.Sprintf("session %d,%d was killed", s.sid, s.serial))
	s.killed, srv.killed[[2]int{s.sid, s.serial}] = true, true
	s.task.Kill()
}
