package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/transaction"
	"github.com/dbsched/dbsched/sandbox/internal/parsecache"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tds"
)

func newMSSQL(k *kernel.Kernel, o Options) (engine, error) {
	collation, err := collationNamed(o.Collation)
	if err != nil {
		return engine{}, err
	}
	o.Database = cmp.Or(o.Database, "sandbox")
	var texts *parsecache.Texts[mssql.Parsed]
	if o.Texts != nil {
		texts = &o.Texts.mssql
	}
	e, err := mssql.New(k, mssql.Options{
		Texts:    texts,
		Password: o.Password, Database: o.Database, Collation: collation,
		ReadCommittedSnapshot: o.ReadCommittedSnapshot, AgentStopped: o.AgentStopped, Version2025: o.OptimizedLocking, OptimizedLocking: o.OptimizedLocking, Stalled: o.Stalled, Group: o.Group, Logger: o.Logger,
	})
	return engine{
		mssql: e,
		dsn: func(address string) string {
			u := url.URL{
				Scheme: "sqlserver", User: url.UserPassword("sa", o.Password), Host: address,
			}
			q := url.Values{"database": {o.Database}}
			if o.Settle != nil {
				q.Set("encrypt", "disable") // nobody can eavesdrop
			}
			u.RawQuery = q.Encode()
			return u.String()
		},
		local: func(string) (local, error) {
			s, err := e.Login("sa", o.Password, o.Database)
			return mssqlLocal{s}, err
		},
		serve: func(ctx context.Context, l net.Listener, log *slog.Logger) error {
			return tds.Serve(ctx, l, &mssqlEngine{k, e}, tds.Options{Logger: log})
		},
	}, err
}

func collationNamed(name string) (datatype.Collation, error) {
	switch strings.ToLower(name) {
	case "", "sql_latin1_general_cp1_ci_as":
		return datatype.CIAS, nil
	case "sql_latin1_general_cp1_cs_as":
		return datatype.CSAS, nil
	case "latin1_general_bin2":
		return datatype.BIN2, nil
	}
	return 0, fmt.Errorf("sandbox: collation %q is not modeled", name)
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
	c := &mssqlSession{e: m.e, client: client{k: m.k, number: l.Connection, disconnect: l.Disconnect}}
	var err error
	if !await(m.k, l.Connection, ctx.Done(), func() {
		c.s, err = m.e.Login(l.User, l.Password, l.Database)
		if err == nil {
			c.s.Describe(l.AppName, l.HostName)
			c.env = tds.Environment{Database: c.s.DatabaseName(), Language: "us_english", Collation: collations[c.s.DatabaseCollation()], SPID: uint16(c.s.SPID())}
			c.begin(c.s)
		}
	}) {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// mssqlSession is one connection.
type mssqlSession struct {
	client
	e   *mssql.Server
	s   *mssql.Session
	env tds.Environment
}

// Environment implements tds.Session.
func (c *mssqlSession) Environment() tds.Environment { return c.env }

// Do implements tds.Session.
func (c *mssqlSession) Do(req tds.Request, w *tds.ResponseWriter) {
	do(&c.client, w, func(st *stream[*tds.ResponseWriter], finished func(answered bool)) {
		out, answered := tdsStream{st}, false
		c.s.Submit(out, func(s *mssql.Session) {
			c.run(s, req)
			answered = true
		}, func() { finished(answered) })
	}, func(st *stream[*tds.ResponseWriter]) {
		tdsStream{st}.Error(sqlerr.New(596, "Cannot continue the execution because the session is in the kill state.").At(21, 1).Ending(sqlerr.Connection))
	})
}

func (c *mssqlSession) run(s *mssql.Session, req tds.Request) {
	switch r := req.(type) {
	case *tds.Batch:
		c.reset(s, r.Reset)
		s.RunBatch(r.SQL)
	case *tds.RPC:
		c.reset(s, r.Reset)
		s.RunRPC(r.Proc, rpcParams(r.Params))
	case *tds.Transaction:
		c.reset(s, r.Reset)
		s.RunTransaction(map[tds.TransactionOp]string{
			tds.BeginTransaction: "begin", tds.CommitTransaction: "commit", tds.RollbackTransaction: "rollback", tds.SaveTransaction: "save",
		}[r.Op], uint8(r.Isolation), r.Name)
		if r.BeginAfter {
			s.RunTransaction("begin", uint8(r.Isolation), r.BeginName)
		}
	case *tds.BulkLoad:
		c.reset(s, r.Reset)
		types := make([]datatype.Type, len(r.Columns))
		for i, column := range r.Columns {
			types[i] = fromTDS(column.Type)
		}
		s.RunBulk(types, r.Rows)
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
		out[i] = mssql.RPCParam{Name: p.Name, Type: fromTDS(p.Type), Value: p.Value, Output: p.Output, Default: p.Default}
		if p.TVP != nil {
			out[i].Kind = p.TVP.Name
			if p.TVP.Schema != "" {
				out[i].Kind = p.TVP.Schema + "." + p.TVP.Name
			}
			out[i].Table = p.TVP.Rows
			for _, col := range p.TVP.Columns {
				out[i].Columns = append(out[i].Columns, fromTDS(col.Type))
			}
		}
	}
	return out
}

// tdsStream is the engine's sink for a connection.
type tdsStream struct{ *stream[*tds.ResponseWriter] }

var _ mssql.Sink = tdsStream{}

// Columns implements mssql.Sink.
func (o tdsStream) Columns(cols []plan.Column) {
	out := make([]tds.Column, len(cols))
	for i, c := range cols {
		out[i] = tds.Column{Name: c.Name, Type: toTDS(c.Type), Nullable: c.Nullable, Identity: c.Identity, Updatable: c.Updatable, Computed: c.Computed}
	}
	o.add(func(w *tds.ResponseWriter) { o.failed(w, w.Columns(out)) })
}

// Row implements mssql.Sink.
func (o tdsStream) Row(row value.Row) {
	row = append(value.Row(nil), row...)
	for i, v := range row {
		if x, ok := datatype.VariantOf(v); ok {
			row[i] = value.NewRef(tds.Variant{Type: toTDS(x.Type), Value: x.Value})
		}
	}
	o.add(func(w *tds.ResponseWriter) { o.failed(w, w.Row(row)) })
}

// failed tells the client that a value cannot be sent; that is a bug in the sandbox.
func (o tdsStream) failed(w *tds.ResponseWriter, err error) {
	if err != nil && w.Err() == nil {
		w.Error(sqlerr.NotSupported("sending a result: %v", err))
	}
}

// Done implements mssql.Sink.
func (o tdsStream) Done(d mssql.Done) {
	command := [...]tds.Command{
		mssql.Other: tds.CommandNone, mssql.Select: tds.CommandSelect, mssql.Insert: tds.CommandInsert,
		mssql.Update: tds.CommandUpdate, mssql.Delete: tds.CommandDelete,
		mssql.Definition: tds.CommandDefine,
	}[d.Kind]
	o.add(func(w *tds.ResponseWriter) {
		w.DoneStatement(tds.Done{Rows: d.Rows, HasCount: d.Counted, InProc: d.InProcedure, Command: command})
	})
}

// Error implements mssql.Sink.
func (o tdsStream) Error(e *sqlerr.Error) { o.add(func(w *tds.ResponseWriter) { w.Error(e) }) }

// Info implements mssql.Sink.
func (o tdsStream) Info(e *sqlerr.Error) {
	o.add(func(w *tds.ResponseWriter) {
		w.Info(tds.Message{Number: e.Number, Class: e.Severity, State: e.State, Text: e.Text, Proc: e.Unit, Line: e.Line})
	})
}

// Flush implements mssql.Sink.
func (o tdsStream) Flush() { o.add(func(w *tds.ResponseWriter) { w.Flush() }) }

// ReturnStatus implements mssql.Sink.
func (o tdsStream) ReturnStatus(status int32) {
	o.add(func(w *tds.ResponseWriter) { w.ReturnStatus(status) })
}

// ReturnValue implements mssql.Sink.
func (o tdsStream) ReturnValue(name string, ordinal int, t datatype.Type, v value.Value) {
	o.add(func(w *tds.ResponseWriter) {
		o.failed(w, w.ReturnValue(tds.Param{Name: name, Ordinal: ordinal, Type: toTDS(t), Value: v, Output: true}))
	})
}

// Database implements mssql.Sink.
func (o tdsStream) Database(before, after string) {
	o.add(func(w *tds.ResponseWriter) { w.EnvDatabase(before, after) })
}

// Transaction implements mssql.Sink.
func (o tdsStream) Transaction(ev transaction.Event, id int64) {
	change := map[transaction.Event]tds.TransactionChange{
		transaction.Begun: tds.TransactionBegun, transaction.Committed: tds.TransactionCommitted, transaction.RolledBack: tds.TransactionRolledBack,
	}[ev]
	o.add(func(w *tds.ResponseWriter) { w.EnvTransaction(change, uint64(id)) })
}

// tdsTypes are the wire types of the engine's types; facets are added.
var tdsTypes = [...]tds.Type{
	datatype.Untyped: tds.Untyped, datatype.Bit: tds.Bit, datatype.TinyInt: tds.TinyInt, datatype.SmallInt: tds.SmallInt,
	datatype.Int: tds.Int, datatype.BigInt: tds.BigInt, datatype.Decimal: {ID: tds.DecimalN},
	datatype.Money: tds.Money, datatype.Real: tds.Real, datatype.Float: tds.Float, datatype.Date: tds.Date,
	datatype.Time: {ID: tds.TimeN}, datatype.DateTime: tds.DateTime,
	datatype.DateTime2: {ID: tds.DateTime2N}, datatype.DateTimeOffset: {ID: tds.DateTimeOffsetN},
	datatype.Char: {ID: tds.Char}, datatype.VarChar: {ID: tds.VarChar}, datatype.NChar: {ID: tds.NChar}, datatype.NVarChar: {ID: tds.NVarChar},
	datatype.Binary: {ID: tds.Binary}, datatype.VarBinary: {ID: tds.VarBinary},
	datatype.UniqueIdentifier: tds.GUIDType, datatype.SQLVariant: tds.SQLVariant,
	datatype.Table: {ID: tds.TableType}, datatype.Cursor: {}, // refused
}

var collations = [...]tds.Collation{datatype.CIAS: tds.CIAS, datatype.CSAS: tds.CSAS, datatype.BIN2: tds.BIN2}

// sized has the types with a length and the bytes per unit of it.
func sized(id tds.TypeID) (unit int, text bool) {
	switch id {
	case tds.NChar, tds.NVarChar:
		return 2, true
	case tds.Char, tds.VarChar:
		return 1, true
	case tds.Binary, tds.VarBinary:
		return 1, false
	}
	return 0, false
}

func toTDS(t datatype.Type) tds.Type {
	w := tdsTypes[t.ID]
	unit, text := sized(w.ID)
	switch {
	case t.Len == datatype.Max && unit > 0:
		w.Size = tds.Max
	case unit > 0:
		w.Size = unit * max(int(t.Len), 1) // '' has a type of length 1
	case w.ID == tds.DecimalN:
		w.Prec, w.Scale = t.Prec, t.Scale
	case w.Size == 0: // a time
		w.Scale = t.Scale
	}
	if text {
		w.Collation = collations[t.Coll]
	}
	return w
}

func fromTDS(w tds.Type) datatype.Type {
	t := datatype.Type{Prec: w.Prec, Scale: w.Scale, Coll: datatype.NoColl}
	switch w.ID { // the deprecated predecessors of the (max) types
	case tds.Text:
		w.ID = tds.VarChar
	case tds.NText:
		w.ID = tds.NVarChar
	case tds.Image:
		w.ID = tds.VarBinary
	}
	unit, _ := sized(w.ID)
	for id, x := range tdsTypes {
		if x.ID == w.ID && (unit > 0 || x.Size == w.Size || x.Size == 0) {
			t.ID = datatype.ID(id)
			break
		}
	}
	switch {
	case unit > 0 && w.Size == tds.Max:
		t.Len = datatype.Max
	case unit > 0:
		t.Len = int32(w.Size / unit)
	case t.ID == datatype.Real:
		t.Prec = 24
	case t.ID == datatype.Float:
		t.Prec = 53
	}
	if t.IsCharacter() {
		t.Coll = datatype.Collation(slices.Index(collations[:], w.Collation))
	}
	return t
}
