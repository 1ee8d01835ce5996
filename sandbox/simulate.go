package sandbox

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql"
	"github.com/dbsched/dbsched/sandbox/internal/oracle"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Simulation is an engine that its caller drives, in one goroutine and without a wire. The same options and the same calls give the same
// history. It starts from an image, which nobody else may use until Close.
type Simulation struct {
	k      *kernel.Kernel
	engine engine
	cover  func(*Simulation)
}

// SimulationOptions say who decides and who listens.
type SimulationOptions struct {
	Seed   uint64                        // of all choices and delays
	Choose func(point string, n int) int // decides which of n instead of the seed; "run" is who runs next. nil: the seed
	Fine   bool                          // sessions take turns at each lock, commit and message, not only between statements
	Watch  func(Event)                   // hears what sessions do while they do it, and may call Kill and Crash. nil: nobody
	// Fail makes fail what a session is about to do: lock (it loses a deadlock), timed lock (its time is up) or write (there is no space).
	Fail  func(session int, what string) bool
	Delay func(point string, d time.Duration) time.Duration // makes a delay longer: activation, job start
}

// Event is something that a session does.
type Event struct {
	At   time.Time // virtual, UTC
	Task uint64    // who does it; Sessions tells which session that is
	What string    // begin and end of dynamic SQL; point: others may run now
	Text string    // of the dynamic SQL
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
	s.engine.instance().SetLogger(nil)
	if im.Cover != nil {
		s.engine.instance().Cover()
	}
	return s
}

// Now is the virtual time, UTC.
func (s *Simulation) Now() time.Time { return s.k.Now() }

// Advance lets time pass, with all that happens meanwhile.
func (s *Simulation) Advance(d time.Duration) { s.k.Advance(d) }

// TraceHash identifies what has happened so far.
func (s *Simulation) TraceHash() uint64 { return s.k.TraceHash() }

// Counters are what all sessions have cost so far.
func (s *Simulation) Counters() Counters { return s.engine.instance().Counters() }

// Statement is one of a stored unit.
type Statement struct {
	Unit string // on Oracle with the subprogram
	Line int    // in the unit's text
	Text string // from where it begins to the end of that line
	Ran  bool   // it has been executed in this simulation, if the image has a Cover
}

// Statements are those of a schema's stored units, nested ones too. Neither declarations nor what SQL calls by itself are among them:
// views, inline functions.
func (s *Simulation) Statements(schema string) []Statement {
	var out []Statement
	last, lines := "", []string(nil)
	s.engine.instance().Statements(schema, func(unit, text string, line, column int, ran bool) {
		if text != last {
			last, lines = text, strings.Split(text, "\n")
		}
		out = append(out, Statement{unit, line, strings.TrimSpace(lines[line-1][column-1:]), ran})
	})
	return out
}

// Panics counts the sessions that ended by a defect of the sandbox.
func (s *Simulation) Panics() int64 { return s.k.Panics() }

// Ready are those of whom a choice named "run" takes one: see Event.
func (s *Simulation) Ready() []uint64 { return s.k.Ready() }

// Sessions are the ids of all sessions, by who runs them: see Event.
func (s *Simulation) Sessions() map[uint64]int {
	ids := map[uint64]int{}
	s.engine.instance().EachSession(func(id int, t *kernel.Task) { ids[t.ID()] = id })
	return ids
}

// Kill ends a session as if its connection or its job had been killed: what it has not committed is rolled back.
func (s *Simulation) Kill(task uint64) { s.k.Kill(task) }

// Crash lets the instance crash: all sessions end, what is not committed is rolled back, and on Oracle what was committed without
// waiting for its log is lost. The instance comes up again at once.
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

// Open opens a client's session: the administrator's, or on Oracle that of the user named.
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

// local is an engine's session of a client within the process.
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

// Over reports whether the call has ended, or its session with it.
func (c *Caller) Over() bool { return c.call.over() || c.session.Ended() }

// errGone is the error of a call whose session has ended.
var errGone = errors.New("the session has ended")

// Result is what the call has answered: the rows of its last result set, and its error.
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

// Do makes a call and lets time pass until it is over.
func (c *Caller) Do(text string) ([][]string, error) {
	c.Begin(text)
	if err := c.s.k.RunUntil(c.Over); err != nil {
		return nil, err
	}
	return c.Result()
}

// Close ends the session as a client does that leaves.
func (c *Caller) Close() { c.session.Close() }

// plain is a value as text. Queries of a simulation answer with texts and whole numbers.
func plain(v value.Value) string {
	switch v.Kind {
	case value.Null:
		return ""
	case value.String:
		return v.Str()
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
