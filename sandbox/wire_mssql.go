package sandbox

import (
	"context"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync"

	"github.com/dbsched/dbsched/sandbox/kernel"
	"github.com/dbsched/dbsched/sandbox/mssql"
	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
	"github.com/dbsched/dbsched/sandbox/tds"
	"github.com/dbsched/dbsched/sandbox/value"
)

// PassiveSuffix ends the application name of a connection that does not count as thinking: a Fast clock
// may jump while such a connection is idle.
const PassiveSuffix = "(passive)"

func mssqlDSN(address, password, database string) string {
	u := url.URL{
		Scheme: "sqlserver", User: url.UserPassword("sa", password), Host: address,
		RawQuery: url.Values{"database": {database}}.Encode(),
	}
	return u.String()
}

func serveMSSQL(ctx context.Context, l net.Listener, k *kernel.Kernel, engine *mssql.Server, log *slog.Logger) error {
	return tds.Serve(ctx, l, &mssqlEngine{k, engine}, tds.Options{Logger: log})
}

// mssqlEngine lets the wire server's goroutines use the engine, which lives on the kernel's thread of control.
type mssqlEngine struct {
	k *kernel.Kernel
	e *mssql.Server
}

// Banner implements tds.Engine.
func (m *mssqlEngine) Banner() tds.Banner {
	return tds.Banner{Product: "dbsched sandbox, not a production engine", ServerName: "SANDBOX", Major: 16, Build: 1000}
}

// Login implements tds.Engine.
func (m *mssqlEngine) Login(ctx context.Context, l tds.Login) (tds.Session, error) {
	c := &mssqlSession{mssqlEngine: m, passive: strings.HasSuffix(l.AppName, PassiveSuffix), disconnect: l.Disconnect}
	var err error
	done := make(chan struct{})
	m.k.Post(func() {
		defer close(done)
		c.s, err = m.e.Login(l.User, l.Password, l.Database)
		if err == nil {
			c.s.Describe(l.AppName, l.HostName)
			c.env = tds.Environment{Database: c.s.DatabaseName(), Language: "us_english", Collation: c.s.DatabaseCollation(), SPID: uint16(c.s.SPID())}
			c.s.OnEnd(c.ended)
			c.think(true)
		}
	})
	select {
	case <-done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// mssqlSession is one connection. Its fields below "with the baton" are touched in posted functions only.
type mssqlSession struct {
	*mssqlEngine
	s          *mssql.Session
	env        tds.Environment
	passive    bool
	disconnect func()

	// with the baton
	thinking bool
	gone     bool
}

// think notes whether the client is between calls.
func (c *mssqlSession) think(on bool) {
	if c.passive || on == c.thinking || (on && c.gone) {
		return
	}
	c.thinking = on
	if on {
		c.k.Thinking(1)
	} else {
		c.k.Thinking(-1)
	}
}

// ended is called when the session is gone, by KILL for instance.
func (c *mssqlSession) ended() {
	c.gone = true
	c.think(false)
	if c.disconnect != nil {
		go c.disconnect()
	}
}

// Environment implements tds.Session.
func (c *mssqlSession) Environment() tds.Environment { return c.env }

// Do implements tds.Session.
func (c *mssqlSession) Do(req tds.Request, w *tds.ResponseWriter) {
	out := newStream()
	c.k.Post(func() {
		if w.Context().Err() != nil {
			out.end()
			return
		}
		c.think(false)
		c.s.Submit(out, func(s *mssql.Session) { c.run(s, out, req) }, func() {
			c.think(true)
			out.end()
		})
	})
	out.copyTo(w)
}

func (c *mssqlSession) run(s *mssql.Session, out *stream, req tds.Request) {
	switch r := req.(type) {
	case *tds.Batch:
		c.reset(s, r.Reset)
		s.RunBatch(r.SQL)
	case *tds.RPC:
		c.reset(s, r.Reset)
		s.RunRPC(r.Proc, rpcParams(r.Params))

	case *tds.Transaction:
		c.reset(s, r.Reset)
		switch r.Op {
		case tds.BeginTransaction:
			s.RunTransaction("begin", uint8(r.Isolation), r.Name)
		case tds.CommitTransaction:
			s.RunTransaction("commit", 0, r.Name)
		case tds.RollbackTransaction:
			s.RunTransaction("rollback", 0, r.Name)
		case tds.SaveTransaction:
			s.RunTransaction("save", 0, r.Name)
		}
		if r.BeginAfter {
			s.RunTransaction("begin", uint8(r.Isolation), r.BeginName)
		}
	default:
		out.Error(sqlerr.NotSupported("bulk load"))
	}
}

func (c *mssqlSession) reset(s *mssql.Session, r tds.Reset) {
	if r != tds.ResetNone {
		s.ResetConnection(r == tds.ResetKeepTran)
	}
}

func rpcParams(params []tds.Param) []mssql.RPCParam {
	out := make([]mssql.RPCParam, len(params))
	for i, p := range params {
		out[i] = mssql.RPCParam{Name: p.Name, Type: p.Type, Value: p.Value, Output: p.Output, Default: p.Default}
		if p.TVP != nil {
			out[i].Kind = p.TVP.Name
			if p.TVP.Schema != "" {
				out[i].Kind = p.TVP.Schema + "." + p.TVP.Name
			}
			out[i].Table = p.TVP.Rows
			for _, col := range p.TVP.Columns {
				out[i].Columns = append(out[i].Columns, col.Type)
			}
		}
	}
	return out
}

// Cancel implements tds.Session.
func (c *mssqlSession) Cancel() { c.k.Post(c.s.Cancel) }

// Close implements tds.Session.
func (c *mssqlSession) Close() {
	c.k.Post(func() {
		c.gone = true
		c.think(false)
		c.s.Close()
	})
}

// stream carries output from the engine, which must not wait for a socket, to the connection's goroutine.
type stream struct {
	mu     sync.Mutex
	events []func(*tds.ResponseWriter)
	ended  bool
	signal chan struct{}
}

var _ mssql.Sink = (*stream)(nil)

func newStream() *stream { return &stream{signal: make(chan struct{}, 1)} }

func (o *stream) add(fn func(*tds.ResponseWriter)) {
	o.mu.Lock()
	o.events = append(o.events, fn)
	o.mu.Unlock()
	o.wake()
}

func (o *stream) end() {
	o.mu.Lock()
	o.ended = true
	o.mu.Unlock()
	o.wake()
}

func (o *stream) wake() {
	select {
	case o.signal <- struct{}{}:
	default:
	}
}

// copyTo writes what comes until the request has ended.
func (o *stream) copyTo(w *tds.ResponseWriter) {
	for {
		o.mu.Lock()
		events, ended := o.events, o.ended
		o.events = nil
		o.mu.Unlock()
		for _, fn := range events {
			fn(w)
		}
		if ended && len(events) == 0 {
			return
		}
		if len(events) == 0 {
			<-o.signal
		}
	}
}

// Columns implements mssql.Sink.
func (o *stream) Columns(cols []plan.Column) {
	out := make([]tds.Column, len(cols))
	for i, c := range cols {
		out[i] = tds.Column{Name: c.Name, Type: c.Type, Nullable: c.Nullable, Identity: c.Identity}
	}
	o.add(func(w *tds.ResponseWriter) { o.failed(w, w.Columns(out)) })
}

// Row implements mssql.Sink.
func (o *stream) Row(row value.Row) {
	row = append(value.Row(nil), row...)
	o.add(func(w *tds.ResponseWriter) { o.failed(w, w.Row(row)) })
}

// failed tells the client of a value that cannot be sent; that is a defect of the sandbox.
func (o *stream) failed(w *tds.ResponseWriter, err error) {
	if err != nil && w.Err() == nil {
		w.Error(sqlerr.NotSupported("sending a result: %v", err))
	}
}

// Done implements mssql.Sink.
func (o *stream) Done(d mssql.Done) {
	command := [...]tds.Command{
		mssql.Other: tds.CommandNone, mssql.Select: tds.CommandSelect, mssql.Insert: tds.CommandInsert,
		mssql.Update: tds.CommandUpdate, mssql.Delete: tds.CommandDelete, mssql.Merge: tds.CommandMerge,
	}[d.Kind]
	o.add(func(w *tds.ResponseWriter) {
		w.DoneStatement(tds.Done{Rows: d.Rows, HasCount: d.Counted, InProc: d.InProcedure, Command: command})
	})
}

// Error implements mssql.Sink.
func (o *stream) Error(e *sqlerr.Error) { o.add(func(w *tds.ResponseWriter) { w.Error(e) }) }

// Info implements mssql.Sink.
func (o *stream) Info(e *sqlerr.Error) {
	o.add(func(w *tds.ResponseWriter) {
		w.Info(tds.Message{Number: e.Number, Class: e.Severity, State: e.State, Text: e.Text, Proc: e.Unit, Line: e.Line})
	})
}

// Flush implements mssql.Sink.
func (o *stream) Flush() { o.add(func(w *tds.ResponseWriter) { w.Flush() }) }

// ReturnStatus implements mssql.Sink.
func (o *stream) ReturnStatus(status int32) {
	o.add(func(w *tds.ResponseWriter) { w.ReturnStatus(status) })
}

// ReturnValue implements mssql.Sink.
func (o *stream) ReturnValue(name string, ordinal int, t datatype.Type, v value.Value) {
	o.add(func(w *tds.ResponseWriter) {
		o.failed(w, w.ReturnValue(tds.Param{Name: name, Ordinal: ordinal, Type: t, Value: v, Output: true}))
	})
}

// Database implements mssql.Sink.
func (o *stream) Database(before, after string) {
	o.add(func(w *tds.ResponseWriter) { w.EnvDatabase(before, after) })
}

// Transaction implements mssql.Sink.
func (o *stream) Transaction(ev mssql.TranEvent, id int64) {
	change := map[mssql.TranEvent]tds.TransactionChange{
		mssql.TranBegun: tds.TransactionBegun, mssql.TranCommitted: tds.TransactionCommitted, mssql.TranRolledBack: tds.TransactionRolledBack,
	}[ev]
	o.add(func(w *tds.ResponseWriter) { w.EnvTransaction(change, uint64(id)) })
}
