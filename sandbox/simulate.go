package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Simulation is an engine that its caller drives, in one goroutine and without a wire. The same options and the same calls give the same
// history. It starts from an image, which must not be used otherwise until Close.
type Simulation struct {
	k      *kernel.Kernel
	engine engine
	cover  func(*Simulation)
}

// SimulationOptions say what decides and what is called.
type SimulationOptions struct {
	Seed   uint64                        // seed of all choices and delays
	Choose func(point string, n int) int // chooses one of n instead of the seed; "run" chooses who runs next. nil: the seed
	Fine   bool                          // sessions take turns at each lock, commit and message, not only between statements
	Watch  func(Event)                   // is called while sessions act, and may call Kill and Crash. nil: not called
	// Fail makes a session's next action fail: lock (it loses a deadlock), timed lock (its time is up) or write (there is no space).
	Fail  func(session int, what string) bool
	Delay func(point string, d time.Duration) time.Duration // extends a delay: activation, job start
}

// Event is something that a session does.
type Event struct {
	At   time.Time // virtual, UTC
	Task uint64    // who does it; Sessions says which session that is
	What string    // begin and end of dynamic SQL; point: others may run now
	Text string    // text of the dynamic SQL
}

// Simulate starts a simulation from an image.
func (im *Image) Simulate(o SimulationOptions) *Simulation {
	im.state.Restore()
	s := &Simulation{k: im.kernel, engine: im.engine, cover: im.Cover}
	ko := kernel.Options{Clock: kernel.Simulated, Seed: o.Seed, Choose: o.Choose}
	if o.Fine {
		ko.Granularity = kernel.AtLocks
	}
	if o.Watch != nil {
		ko.Watch = func(t *kernel.Task, what, text string) { o.Watch(Event{s.k.Now(), t.ID(), what, text}) }
	}
	if o.Fail != nil {
		ko.Fail = func(t *kernel.Task, what string) bool {
			id, ok := s.Sessions()[t.ID()]
			return ok && o.Fail(id, what)
		}
	}
	ko.Delay = o.Delay
	im.kernel.Resume(ko)
	s.engine.instance().Resume(nil)
	if im.Cover != nil {
		s.engine.instance().Cover()
	}
	return s
}

// Now returns the virtual time, UTC.
func (s *Simulation) Now() time.Time { return s.k.Now() }

// Advance lets time pass, with everything that happens meanwhile.
func (s *Simulation) Advance(d time.Duration) { s.k.Advance(d) }

// TraceHash identifies what has happened so far.
func (s *Simulation) TraceHash() uint64 { return s.k.TraceHash() }

// Counters returns what all sessions have cost so far.
func (s *Simulation) Counters() Counters { return s.engine.instance().Counters() }

// Statement is a statement of a stored unit.
type Statement struct {
	Unit string // on Oracle, with the subprogram
	Line int    // in the unit's text
	Text string // from where it begins to the end of that line
	Ran  bool   // it has been executed in this simulation, if the image has a Cover
}

// Statements yields the statements of a schema's stored units, including nested ones, but not declarations or what SQL calls by itself:
// views, inline functions.
func (s *Simulation) Statements(schema string) []Statement {
	return statements(s.engine, schema)
}

// Executed returns the lines that have been executed so far, as Server.Executed does, if the image has a Cover.
func (s *Simulation) Executed() []Place { return executed(s.engine) }

// Left is a statement that leaves something open. On SQL Server it is an access to a table that locks: what no hint decides.
type Left struct {
	Schema, Unit string
	Line         int // 0: of a view or an inline function
	Table        string
	// Granularity: whether rows, pages or the table are locked. Versions: whether row versions are read. Path: whether several rows are scanned for.
	// Degree: whether several threads look for them.
	Granularity, Versions, Path, Degree bool
	// Only Oracle. Unsafe: whether it is a COMMIT that does not wait for its log. Endless: whether it waits for others' locks without limit.
	Unsafe, Endless bool
}

// Left returns which statements of stored units left something open so far, sorted; what clients do is not told.
func (s *Simulation) Left() []Left { return left(s.engine) }

func left(e engine) (out []Left) {
	if e.mssql != nil {
		e.mssql.Left(func(schema, unit string, line int, table string, o plan.Open) {
			out = append(out, Left{Schema: schema, Unit: unit, Line: line, Table: table, Granularity: o&plan.Granularity != 0, Versions: o&plan.Versions != 0, Path: o&plan.Path != 0, Degree: o&plan.Degree != 0})
		})
	} else {
		e.oracle.Left(func(schema, unit string, line int, unsafe, endless bool) {
			out = append(out, Left{Schema: schema, Unit: unit, Line: line, Unsafe: unsafe, Endless: endless})
		})
	}
	slices.SortFunc(out, func(a, b Left) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return out
}

// Place is a line of a unit: on Oracle, of the unit's text from the first word after CREATE. Line 0 is a view or, on SQL Server, an inline function,
// that an executed statement used.
type Place struct {
	Unit string // "": a batch or block
	Text string // of the unit, the batch or the block
	Line int
}

func statements(e engine, schema string) (out []Statement) {
	last, lines := "", []string(nil)
	e.instance().Statements(schema, func(unit, text string, line, column int, ran bool) {
		if text != last {
			last, lines = text, strings.Split(text, "\n")
		}
		text = "" // of a trigger, whose lines count from its body
		if line <= len(lines) && column <= len(lines[line-1]) {
			text = strings.TrimSpace(lines[line-1][column-1:])
		}
		out = append(out, Statement{unit, line, text, ran})
	})
	return out
}

func executed(e engine) (out []Place) {
	e.instance().Executed(func(unit, text string, line int) { out = append(out, Place{unit, text, line}) })
	return out
}

// Panics counts the sessions that a bug in the sandbox ended.
func (s *Simulation) Panics() int64 { return s.k.Panics() }

// Ready returns the tasks that a choice named "run" chooses from: see Event.
func (s *Simulation) Ready() []uint64 { return s.k.Ready() }

// Sessions returns the ids of all sessions by their task: see Event.
func (s *Simulation) Sessions() map[uint64]int {
	ids := map[uint64]int{}
	s.engine.instance().EachSession(func(id int, t *kernel.Task) { ids[t.ID()] = id })
	return ids
}

// Kill ends a session as if its connection or its job had been killed: its uncommitted work is rolled back.
func (s *Simulation) Kill(task uint64) { s.k.Kill(task) }

// Crash crashes the instance: all sessions end, uncommitted work is rolled back, and on Oracle what was committed without
// waiting for its log is lost. The instance is back up at once.
func (s *Simulation) Crash() { s.engine.instance().Crash() }

// SetClock sets the server's clock forward or, with a negative d, back.
func (s *Simulation) SetClock(d time.Duration) { s.k.SetClock(d) }

// Close ends all sessions.
func (s *Simulation) Close() {
	if s.cover != nil {
		s.cover(s)
	}
	s.k.Close()
}

// Open opens a client's session: the administrator's, or on Oracle the given user's.
func (s *Simulation) Open(user string) (*Caller, error) {
	l, err := s.engine.local(user)
	return &Caller{s: s, session: l}, err
}

// Caller is a client's session. Its transaction ends when it says so, on SQL Server by autocommit too.
type Caller struct {
	s       *Simulation
	session local
	call    call
}

// local is an engine's session for an in-process client.
type local interface {
	begin(text string) call
	Ended() bool
	Close()
}

// call is a call of a session.
type call interface {
	over() bool
	rows() []value.Row
	err() error
}

// Begin starts a call: a batch, or on Oracle one statement or block.
func (c *Caller) Begin(text string) { c.call = c.session.begin(text) }

// Over reports whether the call has ended, or its session has.
func (c *Caller) Over() bool { return c.call.over() || c.session.Ended() }

// errGone is the error of a call whose session has ended.
var errGone = errors.New("the session has ended")

// Result is the result of the call: the rows of its last result set, and its error.
func (c *Caller) Result() ([][]string, error) {
	if err := c.call.err(); err != nil {
		return nil, err
	}
	if !c.call.over() || c.session.Ended() {
		return nil, errGone
	}
	var out [][]string
	for _, row := range c.call.rows() {
		texts := make([]string, len(row))
		for i, v := range row {
			texts[i] = plain(v)
		}
		out = append(out, texts)
	}
	return out, nil
}

// Do makes a call and lets time pass until it has ended.
func (c *Caller) Do(text string) ([][]string, error) {
	c.Begin(text)
	if err := c.s.k.RunUntil(c.Over); err != nil {
		return nil, err
	}
	return c.Result()
}

// Close ends the session as a disconnecting client does.
func (c *Caller) Close() { c.session.Close() }

// plain returns a value as text. Queries of a simulation return texts and whole numbers; rows have times, too.
func plain(v value.Value) string {
	switch v.Kind {
	case value.Null:
		return ""
	case value.String:
		return v.Str()
	case value.Time:
		const second, year1 = 10_000_000, -62135596800 // in ticks, and in seconds before 1970
		return time.Unix(v.N/second+year1, v.N%second*100).UTC().Format("2006-01-02T15:04:05.999Z")
	case value.Decimal:
		if v.Scale == 0 {
			return v.Mantissa().String()
		}
	}
	return fmt.Sprint(v)
}

// mssqlLocal and oracleLocal are the engines' sessions.
type (
	mssqlLocal  struct{ *mssql.Session }
	oracleLocal struct{ *oracle.Session }
	mssqlCall   struct{ *mssql.Recorder }
	oracleCall  struct{ *oracle.Result }
)

func (l mssqlLocal) begin(text string) call  { return mssqlCall{l.Begin(text)} }
func (l oracleLocal) begin(text string) call { return oracleCall{l.Begin(text)} }

func (c mssqlCall) over() bool  { return c.Finished }
func (c oracleCall) over() bool { return c.Finished }
func (c mssqlCall) err() error  { return c.Err() }
func (c oracleCall) err() error { return c.Err }

func (c mssqlCall) rows() []value.Row {
	if len(c.Sets) == 0 {
		return nil
	}
	return c.Sets[len(c.Sets)-1].Rows
}
func (c oracleCall) rows() []value.Row { return c.Rows }
