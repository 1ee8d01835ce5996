package sandbox

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/parsecache"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tns"
)

func newOracle(k *kernel.Kernel, o Options) (engine, error) {
	o.User = cmp.Or(o.User, "app")
	var texts *parsecache.Texts[oracle.Parsed]
	if o.Texts != nil {
		texts = &o.Texts.oracle
	}
	e, err := oracle.New(k, oracle.Options{Texts: texts, User: oracle.Fold(o.User), StopLate: time.Second / 2, Stalled: o.Stalled, Logger: o.Logger})
	if err != nil {
		return engine{}, err
	}
	for _, user := range []string{o.User, "system", "sys"} {
		e.SetPassword(user, o.Password)
	}
	verifier := tns.NewVerifier
	if o.Settle != nil {
		verifier = tns.NewVerifier11g // cheaper to compute, and nobody can eavesdrop on a connection in memory
	}
	return engine{
		oracle: e,
		dsn: func(address string) string {
			u := url.URL{Scheme: "oracle", User: url.UserPassword(o.User, o.Password), Host: address, Path: "/" + oracle.Container}
			return u.String()
		},
		local: func(user string) (local, error) {
			s, err := e.Login(cmp.Or(user, o.User))
			return oracleLocal{s}, err
		},
		serve: func(ctx context.Context, l net.Listener, log *slog.Logger) error {
			return tns.Serve(ctx, l, &oracleEngine{k: k, e: e, newVerifier: verifier, done: ctx.Done()}, tns.Options{Logger: log})
		},
	}, nil
}

// oracleEngine lets the wire server's goroutines use the engine, which lives on the kernel's thread of control.
type oracleEngine struct {
	k    *kernel.Kernel
	e    *oracle.Server
	done <-chan struct{} // closed when the sandbox ends

	newVerifier func(password string) *tns.Verifier

	mu        sync.Mutex
	verifiers map[string]passwordVerifier // by user: making one takes milliseconds
}

type passwordVerifier struct {
	password string
	verifier *tns.Verifier
}

// Banner implements tns.Engine.
func (o *oracleEngine) Banner() tns.Banner {
	return tns.Banner{Product: oracle.Version, Release: [5]uint8{19, 0, 0, 0, 0}, DBName: oracle.Container}
}

// Serves implements tns.Engine.
func (o *oracleEngine) Serves(service string) bool {
	return strings.EqualFold(service, oracle.Container)
}

// Verifier implements tns.Engine.
func (o *oracleEngine) Verifier(user string) *tns.Verifier {
	var password string
	var ok bool
	if !await(o.k, 0, o.done, func() { password, ok = o.e.Password(user) }) || !ok {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if v := o.verifiers[user]; v.password == password && v.verifier != nil {
		return v.verifier
	}
	v := o.newVerifier(password)
	if o.verifiers == nil {
		o.verifiers = map[string]passwordVerifier{}
	}
	o.verifiers[user] = passwordVerifier{password, v}
	return v
}

// Login implements tns.Engine.
func (o *oracleEngine) Login(ctx context.Context, l tns.Login) (tns.Session, error) {
	switch sys := strings.EqualFold(l.User, "sys"); {
	case sys && !l.SYSDBA:
		return nil, sqlerr.New(28009, "connection as SYS should be as SYSDBA or SYSOPER")
	case l.SYSDBA && !sys:
		return nil, sqlerr.New(1017, "invalid username/password; logon denied")
	}
	c := &oracleSession{client: client{k: o.k, number: l.Connection, disconnect: l.Disconnect}}
	var err error
	if !await(o.k, l.Connection, ctx.Done(), func() {
		if c.s, err = o.e.Login(l.User); err != nil {
			return
		}
		c.s.Describe(oracle.Client{Program: l.Program, Machine: l.Machine, Terminal: l.Terminal, OSUser: l.OSUser})
		sid, serial := c.s.ID()
		c.env = tns.Environment{SID: uint32(sid), Serial: uint32(serial), Language: "AMERICAN", Territory: "AMERICA"}
		c.begin(c.s)
	}) {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// oracleSession is one connection.
type oracleSession struct {
	client
	s   *oracle.Session
	env tns.Environment
}

type tnsStream = *stream[*tns.ResponseWriter]

// Environment implements tns.Session.
func (c *oracleSession) Environment() tns.Environment { return c.env }

// Do implements tns.Session.
func (c *oracleSession) Do(req tns.Request, w *tns.ResponseWriter) {
	do(&c.client, w, func(out tnsStream, finished func(answered bool)) {
		answered := false
		c.s.Submit(func(*oracle.Session) {
			before := c.s.Schema()
			c.run(out, req)
			if now := c.s.Schema(); now != before {
				out.add(func(w *tns.ResponseWriter) { w.Schema(now) })
			}
			if c.s.TransactionID(false) != "" {
				out.add((*tns.ResponseWriter).InTransaction)
			}
			answered = true
		}, func() { finished(answered) })
	}, func(out tnsStream) {
		if c.s.Crashed() {
			out.add((*tns.ResponseWriter).Hangup)
			return
		}
		fail(out, sqlerr.New(28, "your session has been killed").Ending(sqlerr.Connection))
	})
}

func (c *oracleSession) run(out tnsStream, req tns.Request) {
	switch r := req.(type) {
	case *tns.Execute:
		c.execute(out, r)
	case *tns.Fetch:
		c.fetch(out, r)
	case *tns.CloseResult:
		if rows, ok := r.Result.State.(*plan.Rows); ok { // not if a query was only described
			rows.Close()
		}
	case *tns.Commit:
		fail(out, c.s.EndTransaction(true))
	case *tns.Rollback:
		fail(out, c.s.EndTransaction(false))
	case *tns.Attributes:
		c.s.Tell(r.Identifier, r.Module, r.Action, r.Info)
		if r.Schema != "" {
			_, err := c.s.Execute("ALTER SESSION SET CURRENT_SCHEMA = "+r.Schema, nil)
			fail(out, err)
		}
	case *tns.Returning:
		_, r.Count, _ = c.s.Placeholders(r.SQL)
	case *tns.Ping:
	}
}

// fail answers with an error, if there is one.
func fail(out tnsStream, err error) {
	if err == nil {
		return
	}
	e, ok := errors.AsType[*sqlerr.Error](err)
	if !ok {
		e = sqlerr.NotSupported("%v", err)
	}
	shown := *e
	shown.Text = plsql.ErrorText(e)
	if at, ok := plan.Where(err); ok {
		out.add(func(w *tns.ResponseWriter) { w.ErrorAt(&shown, at.Offset) })
		return
	}
	out.add(func(w *tns.ResponseWriter) { w.Error(&shown) })
}

func (c *oracleSession) execute(out tnsStream, r *tns.Execute) {
	names, returning, err := c.s.Placeholders(r.Statement.SQL)
	if err != nil {
		fail(out, err)
		return
	}
	if r.DescribeOnly {
		cols, isQuery, err := c.s.DescribeColumns(r.Statement.SQL)
		if err == nil && isQuery {
			result := &tns.ResultSet{Columns: wireColumns(cols)}
			out.add(func(w *tns.ResponseWriter) { broken(w, w.Query(result)) })
		}
		fail(out, err)
		return
	}
	if n := cmp.Compare(len(r.Binds), len(names)); n != 0 {
		fail(out, map[int]error{-1: sqlerr.New(1008, "not all variables bound"), 1: sqlerr.New(1036, "illegal variable name/number")}[n])
		return
	}
	counts := make([]int64, 0, len(r.Iterations))
	var batch []tns.BatchError
	dml := false
	for i, values := range r.Iterations {
		binds, err := bindsOf(r.Binds, values, names)
		if err != nil {
			fail(out, err)
			return
		}
		call, err := c.s.Execute(r.Statement.SQL, binds)
		if err != nil {
			if e, ok := errors.AsType[*sqlerr.Error](err); ok && r.BatchErrors {
				batch, counts = append(batch, tns.BatchError{Iteration: i, Err: e}), append(counts, 0)
				continue
			}
			fail(out, err)
			if len(r.Iterations) > 1 {
				out.add(func(w *tns.ResponseWriter) { w.Counts(counts, i) })
			}
			return
		}
		dml = call.Kind == plsql.DynamicDML
		out.add(func(w *tns.ResponseWriter) { w.LastRow(call.LastRow) })
		counts = append(counts, call.Count)
		outs := slices.ContainsFunc(call.Modes, func(m ast.ParamMode) bool { return m != ast.ModeIn })
		if len(r.Iterations) == 1 || returning > 0 && !r.AllValues || outs {
			c.answer(out, r, call, binds, returning)
		} else if call.Kind != plsql.DynamicDML && call.Kind != plsql.DynamicBlock {
			fail(out, sqlerr.NotSupported("array binds with anything but DML and blocks"))
			return
		}
	}
	if dml || len(r.Iterations) > 1 {
		out.add(func(w *tns.ResponseWriter) {
			w.Counts(counts, -1)
			if len(batch) > 0 {
				w.Batch(batch)
			}
		})
	}
	if r.AutoCommit {
		fail(out, c.s.EndTransaction(true))
	}
}

// answer tells the client what one execution did.
func (c *oracleSession) answer(out tnsStream, r *tns.Execute, call *oracle.Call, binds []*plsql.Bind, returning int) {
	switch call.Kind {
	case plsql.DynamicQuery:
		result := &tns.ResultSet{Columns: wireColumns(call.Columns), State: call.Rows, Number: datatype.FormatNumber}
		out.add(func(w *tns.ResponseWriter) { broken(w, w.Query(result)) })
	case plsql.DynamicDML:
		if returning > 0 {
			use, values := make([]tns.Direction, len(binds)), make([][]value.Value, len(binds))
			for i := range use {
				use[i] = tns.DirIn
				if j := i - (len(binds) - returning); j >= 0 {
					use[i], values[i] = tns.DirOut, call.Returning[j]
				}
			}
			out.add(func(w *tns.ResponseWriter) { broken(w, w.Returning(use, values)) })
		}
	case plsql.DynamicBlock:
		if len(binds) == 0 {
			return
		}
		use, values := make([]tns.Direction, len(binds)), make(value.Row, len(binds))
		for i, b := range binds {
			use[i] = map[ast.ParamMode]tns.Direction{ast.ModeOut: tns.DirOut, ast.ModeInOut: tns.DirInOut}[call.Modes[i]]
			use[i] = cmp.Or(use[i], tns.DirIn)
			values[i] = b.Value
			if b.Cursor && !b.Value.IsNull() {
				cur := b.Value.Any().(*plsql.Cursor)
				if rows := cur.Rows(); rows != nil {
					values[i] = value.NewRef(&tns.ResultSet{Columns: wireColumns(rows.Columns), State: rows, Number: datatype.FormatNumber})
				}
			}
		}
		out.add(func(w *tns.ResponseWriter) { broken(w, w.Out(use, values)) })
	case plsql.DynamicDDL:
		if call.Invalid {
			out.add(func(w *tns.ResponseWriter) { w.CompileErrors() })
		}
	}
}

func (c *oracleSession) fetch(out tnsStream, r *tns.Fetch) {
	rows, ok := r.Result.State.(*plan.Rows)
	if !ok {
		fail(out, sqlerr.New(1002, "fetch out of sequence"))
		return
	}
	for range r.Max {
		row, ok, err := c.s.Fetch(rows)
		if err != nil {
			fail(out, err)
			return
		}
		if !ok {
			out.add(func(w *tns.ResponseWriter) { w.EndOfData() })
			return
		}
		row = slices.Clone(row)
		out.add(func(w *tns.ResponseWriter) { broken(w, w.Row(row)) })
	}
}

// broken tells the client that a value cannot be sent; that is a bug in the sandbox.
func broken(w *tns.ResponseWriter, err error) {
	if err != nil && w.Err() == nil {
		w.Error(sqlerr.NotSupported("sending a result: %v", err))
	}
}

// bindsOf makes the engine's binds from the client's.
func bindsOf(wire []tns.Bind, values value.Row, names []string) ([]*plsql.Bind, error) {
	binds := make([]*plsql.Bind, len(names))
	for i, name := range names {
		b := wire[i]
		v := values[i]
		if b.Repeated {
			v = values[slices.Index(names, name)]
		}
		if b.Type.ID == tns.RefCursor {
			binds[i] = &plsql.Bind{Name: name, Cursor: true}
			continue
		}
		binds[i] = &plsql.Bind{Name: name, Type: engineType(b.Type), Value: v, Array: b.MaxElements}
	}
	return binds, nil
}

// engineType returns the engine's type for a wire type.
func engineType(t tns.Type) datatype.Type {
	switch t.ID {
	case tns.Varchar2, tns.Long, tns.Char:
		id := datatype.ByCode(uint8(t.ID))
		if t.ID == tns.Long {
			id = datatype.Varchar2
		}
		if t.National { // each is followed by its national type
			return datatype.Sized(id+1, max(t.Length/2, t.Chars))
		}
		return datatype.Sized(id, t.Length)
	case tns.Timestamp, tns.TimestampLTZ:
		return datatype.Timestamps(datatype.Timestamp, 9)
	case tns.TimestampTZ:
		return datatype.Timestamps(datatype.TimestampTZ, 9)
	case tns.IntervalDS:
		return datatype.Type{ID: datatype.IntervalDS, Prec: 9, Scale: 9}
	case tns.Raw, tns.LongRaw:
		return datatype.Sized(datatype.Raw, t.Length)
	}
	if t.ID == tns.Boolean {
		return datatype.Of(datatype.Boolean)
	}
	return datatype.Of(datatype.ByCode(uint8(t.ID)))
}

func wireColumns(cols []plan.Column) []tns.Column {
	out := make([]tns.Column, len(cols))
	for i, c := range cols {
		out[i] = tns.Column{Name: c.Name, Type: wireType(c.Type), Nullable: c.Nullable}
	}
	return out
}

// wireType returns the wire type for an engine's type.
func wireType(t datatype.Type) tns.Type {
	out := tns.Type{ID: tns.TypeID(t.ID.Code()), Precision: t.Prec, Scale: t.Scale, Length: int(t.Len), National: t.IsNational()}
	if t.Len == 0 && (t.IsText() || t.ID == datatype.Raw || t.ID == datatype.Untyped) {
		out.Length = 4000
	}
	switch {
	case t.IsNational():
		out.Chars = out.Length
		out.Length *= 2
	case t.Chars:
		out.Chars = out.Length
		out.Length = min(4*out.Length, 32767)
	}
	switch t.ID {
	case datatype.Float, datatype.PLSInteger:
		out.Scale = datatype.Unset
	case datatype.Untyped:
		out.ID = tns.Varchar2
	}
	return out
}
