// Package mssql is a deterministic in-memory model of the parts of SQL Server that dbsched uses: sessions,
// batches, procedures, transactions, error handling, security contexts, Service Broker statements, system
// procedures and views. What it accepts it does as SQL Server documents; what it does not model it refuses.
// It is not a production engine.
package mssql

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/tidwall/btree"

	"github.com/dbsched/dbsched/sandbox/internal/agent"
	"github.com/dbsched/dbsched/sandbox/internal/broker"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/parser"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/security"
	"github.com/dbsched/dbsched/sandbox/internal/parsecache"
	"github.com/dbsched/dbsched/sandbox/internal/site"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Version returns @@VERSION. Programs read the engine's version from its beginning; its end tells people what this is.
func (srv *Server) Version() string {
	year := 2022
	if srv.opts.Version2025 {
		year = 2025
	}
	return fmt.Sprintf("Microsoft SQL Server %d (RTM) - %s (X64) \n\tdbsched sandbox, an in-memory model of it; not a production engine", year, srv.ProductVersion())
}

// ProductVersion returns SERVERPROPERTY('ProductVersion').
func (srv *Server) ProductVersion() string { return fmt.Sprintf("%d.0.1000.6", srv.opts.major()) }

func (o Options) major() int {
	if o.Version2025 {
		return 17
	}
	return 16
}

// Options configure a server.
type Options struct {
	Password              string                    // of the login sa
	Database              string                    // a user database to create; default "test"
	Collation             datatype.Collation        // of server and databases
	ReadCommittedSnapshot bool                      // of the user database
	StatementCost         time.Duration             // virtual time that a statement takes; default 20 µs
	KeepSessions          bool                      // an activated session serves further activations of its queue
	AgentStopped          bool                      // SQL Server Agent does not run
	Version2025           bool                      // a server of version 17, which has optimized locking; otherwise 16, SQL Server 2022
	Group                 [16]byte                  // the user database's group_database_id in an availability group; zero: it is in none
	Stalled               bool                      // ghost records stay
	OptimizedLocking      bool                      // of the user database, with its prerequisites, on a 2025 server
	Logger                *slog.Logger              // the error log; nil: none
	Texts                 *parsecache.Texts[Parsed] // texts that were parsed before; nil: none
}

// Server is an instance. It may only be used with the kernel's baton.
type Server struct {
	k       *kernel.Kernel
	store   *store.Store
	brokers *broker.Instance
	agent   *agent.Agent
	catalog *catalog.Server
	opts    Options

	sessions        btree.Map[int, *Session]
	nextSPID        int
	census          func(fact string) // see parser.CensusFromEnvironment; nil: what is not in the table is refused
	units           map[unitKey]*unit
	modules         map[*catalog.Object]*unit
	kept            parsecache.Kept[any, *Code] // the code of all units, by codeKey or module; what an image keeps
	unitOrder       []*unit                     // in the order they were compiled
	declarations    map[string][]catalog.Param
	procedures      map[string]*systemProcedure
	agentProcedures map[string]*systemProcedure // of msdb
	functions       map[string]*plan.SessionFunc
	errorLog        []string
	crashAt         int // statements until the instance crashes; 0: it does not
	crashes         int
	activations     map[int32]*Session // the last one of each queue
	ran             map[any][2]string  // statements that have been executed since Cover, and views and inline functions that they used, with their module, "" for batches, and text; nil: nobody asks
	left            map[left]bool
	started         time.Time
}

// defaultName is the server's name.
const defaultName = "SANDBOX"

// firstSPID is the first session id of a user session; the ids below belong to the system.
const firstSPID = 51

// New starts an instance with its system databases and one user database.
func New(k *kernel.Kernel, o Options) (*Server, error) {
	o.Database = cmp.Or(o.Database, "test")
	o.StatementCost = cmp.Or(o.StatementCost, 20*time.Microsecond)
	srv := &Server{
		census: parser.CensusFromEnvironment(),
		k:      k, opts: o, nextSPID: firstSPID - 1, started: k.Now(),
		units: map[unitKey]*unit{}, modules: map[*catalog.Object]*unit{}, kept: parsecache.Keep[any, *Code](), declarations: map[string][]catalog.Param{}, activations: map[int32]*Session{}, left: map[left]bool{},
	}
	srv.procedures, srv.agentProcedures, srv.functions = systemProcedures(), agentProcedures(), sessionFunctions()
	srv.store = store.New(k, store.Options{DetectAfter: 5 * time.Second, EscalateAt: 5000, Stalled: o.Stalled})
	srv.brokers = broker.New(k, srv.store, broker.Options{Activator: activator{srv}})
	srv.agent = agent.New(k, agent.Options{Starter: agentStarter{srv}, Stopped: o.AgentStopped})
	srv.catalog = catalog.NewServer(defaultName, o.major(), o.Collation, srv.brokers, k.Now())
	srv.catalog.Differ = k.Differ()
	sa := srv.catalog.LoginByName("sa")
	if sa == nil {
		return nil, fmt.Errorf("mssql: no login sa")
	}
	sa.Password = o.Password
	db := srv.catalog.CreateDatabase(o.Database, o.Collation, sa.ID, k.Now())
	db.ReadCommittedSnapshot = o.ReadCommittedSnapshot
	db.Group = o.Group
	db.AcceleratedRecovery, db.OptimizedLocking = o.OptimizedLocking, o.OptimizedLocking
	srv.registerDynamicViews()
	srv.registerAgentViews()
	return srv, nil
}

type activator struct{ srv *Server }

// Activate implements broker.Activator.
func (a activator) Activate(q *broker.Queue, done func()) int { return a.srv.activate(q, done) }

// Kernel returns the run loop.
func (srv *Server) Kernel() *kernel.Kernel { return srv.k }

// Counters sums up what all sessions have cost so far.
func (srv *Server) Counters() store.Counters { return srv.store.Counters }

// Work returns what all transactions have written and locked.
func (srv *Server) Work() store.Work { return srv.store.Work.Clone() }

// ErrorLog returns the lines of the error log.
func (srv *Server) ErrorLog() []string { return srv.errorLog }

// keptIdle is how many runs of an image keep code that they do not use: most texts that tests compose never come again.
const keptIdle = 5

// Resume begins another run of an image; lines of the error log go to l, nil: nowhere. Plans that were made after a change of the
// database are forgotten, and those that name another one, where anything may have changed.
func (srv *Server) Resume(l *slog.Logger) {
	srv.opts.Logger, srv.catalog.Differ = l, srv.k.Differ()
	forget := func(c *Code) {
		maps.DeleteFunc(c.plans, func(_ any, p *cachedPlan) bool { return p.foreign || p.version != p.db.Version })
	}
	for _, u := range srv.unitOrder {
		forget(u.Code)
	}
	maps.DeleteFunc(srv.kept.All, func(_ any, c *Code) bool {
		forget(c)
		c.idle++
		return c.idle > keptIdle || c.version != c.db.Version || srv.catalog.DatabaseByID(c.db.ID) != c.db
	})
}

// log writes a line to the error log.
func (srv *Server) log(text string) {
	srv.errorLog = append(srv.errorLog, text)
	if srv.opts.Logger != nil {
		srv.opts.Logger.Info(text)
	}
}

// newGUID returns a new uniqueidentifier of version 4.
func (srv *Server) newGUID() value.Value {
	var g [16]byte
	srv.k.Random(g[:])
	g[7] = g[7]&0x0f | 0x40 // bytes 6 and 7 are swapped on the wire
	g[8] = g[8]&0x3f | 0x80
	return value.NewGUID(g)
}

func (srv *Server) databaseOf(d *broker.Database) *catalog.Database {
	return srv.catalog.DatabaseByID(d.ID)
}

// Login checks a login and opens a session. The coroutine serves requests until Close.
func (srv *Server) Login(name, password, database string) (*Session, error) {
	failed := message.MS(18456, name).Ending(sqlerr.Connection)
	l := srv.catalog.LoginByName(name)
	if l == nil || l.Role || l.Certificate != "" || l.Disabled || l.Password != password {
		return nil, failed
	}
	database = cmp.Or(database, l.DefaultDB)
	db := srv.catalog.DatabaseByName(database)
	if db == nil {
		return nil, cannotOpen(database)
	}
	tok, ok := db.LoginToken(l)
	if !ok {
		return nil, cannotOpen(database)
	}
	s := srv.newSession(l, db, false)
	s.who.Start(security.Context{Home: db, Token: tok, Login: l})
	srv.spawn(s, "session", s.serve)
	return s, nil
}

func cannotOpen(database string) error {
	return message.MS(4060, database).Ending(sqlerr.Connection)
}

// spawn gives a session its coroutine. However it ends, what it left open is undone.
func (srv *Server) spawn(s *Session, name string, fn func()) {
	s.attach(srv.k.Go(name, func(*kernel.Task) {
		defer s.close()
		fn()
	}, kernel.Logged(srv.opts.Logger, s.spid, func(any) {})))
}

// Session returns the session with an id, or nil.
func (srv *Server) Session(spid int) *Session {
	s, _ := srv.sessions.Get(spid)
	return s
}

// CrashAtStatement makes the instance crash before the nth statement from now on: all sessions end, and what they have not committed is
// rolled back. It restarts at once. 0 cancels an earlier call.
func (srv *Server) CrashAtStatement(n int) { srv.crashAt = n }

// SetSite changes what surrounds the engine.
func (srv *Server) SetSite(x site.Site) {
	srv.catalog.Name, srv.catalog.Unresolved = cmp.Or(x.Server, defaultName), x.Unresolved
	srv.catalog.DatabaseByName(srv.opts.Database).Mirroring = x.GUID
}

// Crashes counts the crashes so far.
func (srv *Server) Crashes() int { return srv.crashes }

// countdown counts a statement down to the crash.
func (srv *Server) countdown() {
	if srv.crashAt--; srv.crashAt == 0 { // below 0 nothing happens
		srv.Crash()
	}
}

// Crash makes the instance crash: all sessions end, and what they have not committed is rolled back. It restarts at once.
func (srv *Server) Crash() {
	srv.log("the instance has crashed")
	restart, sessions := srv.brokers.Crash(), srv.sessions.Values()
	for _, s := range sessions {
		s.task.Kill()
	}
	srv.k.Go("recovery", func(t *kernel.Task) {
		for _, s := range sessions {
			for !s.task.Done() {
				t.Block(kernel.Wait{For: 1}) // whoever is ready runs first
			}
		}
		srv.crashes++
		restart()
	}, nil)
}

// EachSession calls fn with the id and the task of every session.
func (srv *Server) EachSession(fn func(id int, t *kernel.Task)) {
	srv.sessions.Scan(func(id int, s *Session) bool { fn(id, s.task); return true })
}

// killSession ends a session as KILL does: its transaction is rolled back while its coroutine unwinds.
func (srv *Server) killSession(s *Session, by int) {
	s.killedBy = by
	srv.log(fmt.Sprintf("Process ID %d was killed by process ID %d.", s.spid, by))
	s.task.Kill()
}
