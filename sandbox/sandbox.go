// Package sandbox starts the embedded engines: deterministic in-memory models of the parts of SQL Server and
// Oracle that dbsched uses, served over the engine's own wire protocol. It is for experiments, for tests
// and for simulation, never for production; it keeps nothing on disk.
package sandbox

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql"
	"github.com/dbsched/dbsched/sandbox/internal/oracle"
	"github.com/dbsched/dbsched/sandbox/internal/parsecache"
	"github.com/dbsched/dbsched/sandbox/internal/site"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Options configure a sandbox.
type Options struct {
	Dialect  string       // mssql (default) or oracle
	Listen   string       // address to listen on; default 127.0.0.1:0
	Clock    string       // real (default): virtual time is real time; fast: time jumps when everybody waits
	Seed     uint64       // seed of the choices that the real engine leaves open
	Password string       // the administrator's; default: a random one
	Database string       // mssql: name of the user database; default: sandbox
	User     string       // oracle: the application user that the DSN names; default: app
	Logger   *slog.Logger // the engine's error log; nil: none
	// Settle, the synctest.Wait of a test's bubble, makes the sandbox part of it: nobody is served before every client waits,
	// the seed decides who is first, time passes when all wait, and clients connect only with Dial.
	Settle func()
	Texts  *Texts // what sandboxes have already parsed; nil: nothing

	// Stalled: index entries of deleted and changed rows stay (on Oracle until something is inserted into their block), and readers that pass over
	// them pay for it, as when a long query or a readable secondary keeps SQL Server from removing ghost records.
	Stalled bool

	Cover bool // record which statements are executed: see Server.Executed

	Differ []differ.Difference // what the documentation leaves open, and this sandbox does otherwise

	// Only for mssql.
	Collation             string   // SQL_Latin1_General_CP1_CI_AS (default), SQL_Latin1_General_CP1_CS_AS or Latin1_General_BIN2
	ReadCommittedSnapshot bool     // for the user database
	AgentStopped          bool     // SQL Server Agent does not run
	Group                 [16]byte // group_database_id of the user database in an availability group; zero: not in a group
	OptimizedLocking      bool     // SQL Server 2025, with optimized locking in the user database; otherwise 2022
}

// Texts holds what the sandboxes that share it have parsed: the next one does not parse it again.
type Texts struct {
	mssql  parsecache.Texts[mssql.Parsed]
	oracle parsecache.Texts[oracle.Parsed]
}

// Server is a running sandbox.
type Server struct {
	dsn      string
	listener net.Listener
	memory   *memory // the listener, if it is in memory
	kernel   *kernel.Kernel
	engine   engine
	cancel   context.CancelFunc
	done     chan struct{}
	err      error
}

// engine is a dialect's engine, with its wire protocol.
type engine struct {
	mssql  *mssql.Server
	oracle *oracle.Server
	dsn    func(address string) string
	serve  func(ctx context.Context, l net.Listener, log *slog.Logger) error
	local  func(user string) (local, error) // a session of a client within the process
}

// instance has the methods that both engines share.
type instance interface {
	Counters() store.Counters
	Work() store.Work
	CrashAtStatement(n int)
	Crashes() int
	Crash()
	Resume(l *slog.Logger)
	SetSite(x Site)
	EachSession(fn func(id int, t *kernel.Task))
	Cover()
	Executed(visit func(unit, text string, line int))
	Tables(visit func(schema, name string, data *store.Table, column func(name string) int))
	Statements(schema string, visit func(unit, text string, line, column int, ran bool))
}

func (e engine) instance() instance {
	if e.oracle != nil {
		return e.oracle
	}
	return e.mssql
}

// Start starts a sandbox that serves until ctx ends or Close is called.
func Start(ctx context.Context, o Options) (*Server, error) {
	ko, err := o.kernel()
	if err != nil {
		return nil, err
	}
	if o.Password == "" {
		o.Password = rand.Text()
	}
	k := kernel.New(ko)
	e, err := newEngine(k, o)
	if err != nil {
		return nil, err
	}
	if o.Cover {
		e.instance().Cover()
	}
	return start(ctx, k, e, o)
}

// start serves an engine.
func start(ctx context.Context, k *kernel.Kernel, e engine, o Options) (s *Server, err error) {
	s = &Server{kernel: k, engine: e, done: make(chan struct{})}
	if o.Settle != nil {
		s.memory = newMemory()
		s.listener = s.memory
	} else if s.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", cmp.Or(o.Listen, "127.0.0.1:0")); err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	s.dsn = e.dsn(s.listener.Addr().String())
	ctx, s.cancel = context.WithCancel(ctx)
	go s.serve(ctx, o.Logger)
	return s, nil
}

func newEngine(k *kernel.Kernel, o Options) (engine, error) {
	switch o.Dialect {
	case "", "mssql":
		return newMSSQL(k, o)
	case "oracle":
		return newOracle(k, o)
	}
	return engine{}, fmt.Errorf("sandbox: no engine for dialect %q: there are mssql and oracle", o.Dialect)
}

func (s *Server) serve(ctx context.Context, log *slog.Logger) {
	defer close(s.done)
	running := make(chan struct{})
	go func() {
		defer close(running)
		_ = s.kernel.Run(ctx) // it ends with ctx
	}()
	s.err = s.engine.serve(ctx, s.listener, log)
	s.cancel()
	<-running
}

// DSN returns the administrator's connection string, including the password.
func (s *Server) DSN() string { return s.dsn }

// Dial connects to a sandbox in a bubble; network and address do not matter.
func (s *Server) Dial(ctx context.Context, _, _ string) (net.Conn, error) { return s.memory.dial(ctx) }

// TraceHash identifies what has happened so far: the same seed and the same clients, the same hash.
func (s *Server) TraceHash() (hash uint64) {
	await(s.kernel, 0, s.done, func() { hash = s.kernel.TraceHash() })
	return hash
}

// Now returns the virtual time.
func (s *Server) Now() (now time.Time) {
	await(s.kernel, 0, s.done, func() { now = s.kernel.Now() })
	return now
}

// Counters are the costs of sessions.
type Counters = store.Counters

// Counters returns what all sessions have cost so far.
func (s *Server) Counters() (c Counters) {
	await(s.kernel, 0, s.done, func() {
		c = s.engine.instance().Counters()
		c.Panics = s.kernel.Panics()
	})
	return c
}

// Work is what transactions have written, and for how long they kept others away.
type Work = store.Work

// Work returns what all transactions have written and locked so far.
func (s *Server) Work() (w Work) {
	await(s.kernel, 0, s.done, func() { w = s.engine.instance().Work() })
	return w
}

// Executed returns the lines that have been executed so far, with the option Cover: also those of units that are gone, and what was executed
// before the image was made.
func (s *Server) Executed() (out []Place) {
	await(s.kernel, 0, s.done, func() { out = executed(s.engine) })
	return out
}

// Rows visits the committed rows of all tables, in the order in which they were added; column returns the text of a column's value: "" for NULL,
// and if there is none.
func (s *Server) Rows(visit func(schema, table string, column func(name string) string)) {
	await(s.kernel, 0, s.done, func() {
		s.engine.instance().Tables(func(schema, table string, data *store.Table, column func(name string) int) {
			data.Committed(func(row value.Row) {
				visit(schema, table, func(name string) string {
					if i := column(name); i >= 0 && i < len(row) {
						return plain(row[i])
					}
					return ""
				})
			})
		})
	})
}

// Left returns what statements of stored units left open so far, as Simulation does.
func (s *Server) Left() (out []Left) {
	await(s.kernel, 0, s.done, func() { out = left(s.engine) })
	return out
}

// Statements returns the statements of all stored units that there are now, as Simulation does.
func (s *Server) Statements() (out []Statement) {
	await(s.kernel, 0, s.done, func() { out = statements(s.engine, "") })
	return out
}

// CrashAtStatement crashes the instance before the nth statement from now on: sessions end, and uncommitted work is lost; on
// Oracle also what CrashAtCommit says. The instance is back up at once. 0 cancels an earlier call.
func (s *Server) CrashAtStatement(n int) {
	await(s.kernel, 0, s.done, func() { s.engine.instance().CrashAtStatement(n) })
}

// Crashes returns the number of crashes so far. It may be called when the instance is back up.
func (s *Server) Crashes() (n int) {
	await(s.kernel, 0, s.done, func() { n = s.engine.instance().Crashes() })
	return n
}

// SetClock sets the server's clock forward or, with a negative d, back. It does not change the length of waits.
func (s *Server) SetClock(d time.Duration) {
	await(s.kernel, 0, s.done, func() { s.kernel.SetClock(d) })
}

// Site is what surrounds an engine.
type Site = site.Site

// SetSite changes what surrounds the engine.
func (s *Server) SetSite(x Site) {
	await(s.kernel, 0, s.done, func() { s.engine.instance().SetSite(x) })
}

// SetPassword changes a user's password; only for oracle, like the methods below.
func (s *Server) SetPassword(user, password string) {
	s.oracle(func(e *oracle.Server) { e.SetPassword(user, password) })
}

// CrashAtCommit crashes the instance at the nth commit of a change from now on: sessions end, and what was committed without
// waiting for its log is lost. The instance is back up at once. 0 cancels an earlier call.
func (s *Server) CrashAtCommit(n int) { s.oracle(func(e *oracle.Server) { e.CrashAtCommit(n) }) }

// Lost returns the tables, as OWNER.NAME, that lost committed changes in crashes so far.
func (s *Server) Lost() (tables []string) {
	s.oracle(func(e *oracle.Server) { tables = slices.Clone(e.Lost()) })
	return tables
}

// oracle runs fn between two steps of the engine's sessions.
func (s *Server) oracle(fn func(*oracle.Server)) {
	await(s.kernel, 0, s.done, func() { fn(s.engine.oracle) })
}

// Wait returns when the sandbox has stopped serving.
func (s *Server) Wait() error {
	<-s.done
	if errors.Is(s.err, context.Canceled) || errors.Is(s.err, net.ErrClosed) {
		return nil
	}
	return s.err
}

// Close stops the sandbox; its data is gone. After that, no other method may be called. It returns an error if a session ended with a panic.
func (s *Server) Close() error {
	err := s.stop()
	if s.kernel == nil { // already closed
		return err
	}
	if n := s.kernel.Panics(); n > 0 {
		err = errors.Join(err, fmt.Errorf("sandbox: %d sessions ended by an internal error; the log has the stack", n))
	}
	s.kernel, s.engine = nil, engine{}
	return err
}

func (s *Server) stop() error {
	s.cancel()
	return s.Wait()
}

// kernel returns the options of the run loop.
func (o Options) kernel() (kernel.Options, error) {
	set, err := differ.New(cmp.Or(o.Dialect, "mssql"), o.Differ)
	if err != nil {
		return kernel.Options{}, err
	}
	k := kernel.Options{Seed: o.Seed, Settle: o.Settle, Differ: set}
	switch strings.ToLower(o.Clock) {
	case "", "real":
		k.Clock = kernel.Real
	case "fast":
		k.Clock = kernel.Fast
	default:
		return k, fmt.Errorf("sandbox: unknown clock %q: it is real or fast", o.Clock)
	}
	return k, nil
}
