package plan

import (
	"iter"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/parser"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// noon is 2026-11-20 12:34:56.789 in ticks.
var noon = datatype.DaysOf(2026, 11, 20)*datatype.TicksPerDay + 45296789*datatype.TicksPerSecond/1000

// fakeScope has a few names: variables N, S, C (a CLOB), B (a BOOLEAN) and REC (a record), the sequence SEQ, the
// functions SYSDATE, SYSTIMESTAMP, F(x) = x + 1 and BOOM, binds.
type fakeScope struct {
	plsql bool
	used  []*catalog.Object
	seq   *catalog.Object
	calls *int
	views map[string]*catalog.Object
}

func newScope(plsql bool) *fakeScope {
	number, text := datatype.Of(datatype.Number), datatype.Sized(datatype.Varchar2, 10)
	view := func(name string, cols []catalog.Column, rows ...value.Row) *catalog.Object {
		return &catalog.Object{Owner: "SYS", Name: name, Kind: ast.KindView, Def: &catalog.SystemView{
			Columns: cols, Rows: func(catalog.ViewContext) iter.Seq[value.Row] { return slices.Values(rows) },
		}}
	}
	row := func(n int64, g, s string) value.Row {
		return value.Row{value.NewInt(n), datatype.NewText(g), datatype.NewText(s)}
	}
	return &fakeScope{
		plsql: plsql, calls: new(int),
		seq: &catalog.Object{Owner: "APP", Name: "SEQ", Kind: ast.KindSequence, Def: &catalog.Sequence{}},
		views: map[string]*catalog.Object{
			"DUAL": view("DUAL", []catalog.Column{{Name: "DUMMY", Type: text}}, value.Row{value.NewString("X")}),
			"T": view("T", []catalog.Column{{Name: "N", Type: number}, {Name: "G", Type: text, Nullable: true}, {Name: "S", Type: text, Nullable: true}},
				row(1, "a", "x"), row(2, "a", "y"), row(3, "b", "x"), row(4, "", "")),
		},
	}
}

func (f *fakeScope) PLSQL() bool      { return f.plsql }
func (f *fakeScope) Linguistic() bool { return false }

func (f *fakeScope) Uses(o *catalog.Object) { f.used = append(f.used, o) }

func (f *fakeScope) Table(ref *ast.Ref, _ string) (*catalog.Object, error) {
	switch ref.String() {
	case "SEQ", "APP.SEQ":
		return f.seq, nil
	case "DUAL", "T":
		return f.views[ref.String()], nil
	}
	return nil, sqlerr.New(942, "table or view does not exist")
}

func (f *fakeScope) Operand(e ast.Expr, sub func(ast.Expr) *Expr) (*Expr, error) {
	constant := func(v value.Value) query.Expr { return func(*query.Frame) value.Value { return v } }
	number, text := datatype.Of(datatype.Number), datatype.Sized(datatype.Varchar2, 100)
	switch x := e.(type) {
	case *ast.Bind:
		return Fixed(":"+x.Name, number, constant(value.NewInt(7))), nil
	case *ast.Ref:
		switch x.String() {
		case "N":
			return Fixed("N", number, constant(value.NewInt(5))), nil
		case "I":
			return Fixed("I", datatype.Of(datatype.PLSInteger), constant(value.NewInt(5))), nil
		case "S":
			return Fixed("S", text, constant(value.NewString("abc"))), nil
		case "C":
			return Fixed("C", datatype.Of(datatype.CLOB), constant(value.NewString("a clob  "))), nil
		case "E":
			return Fixed("E", datatype.Of(datatype.CLOB), constant(value.NewString(""))), nil
		case "B":
			return Fixed("B", boolean, constant(expression.True)), nil
		case "REC":
			return &Expr{Composite: "record", Expr: expression.Expr[Expr]{Eval: constant(value.NewRef(1))}}, nil
		case "SYSDATE":
			return Fixed("SYSDATE", datatype.Of(datatype.Date), func(fr *query.Frame) value.Value {
				*f.calls++
				now := env(fr).Format(false).Now
				return value.NewTime(now-now%datatype.TicksPerSecond, 0)
			}), nil
		case "SYSTIMESTAMP":
			return Fixed("SYSTIMESTAMP", datatype.Timestamps(datatype.TimestampTZ, 6), constant(value.NewTime(noon, 0))), nil
		case "BOOM":
			return Volatile("BOOM", number, nil, func(*query.Frame) value.Value { panic(sqlerr.New(20001, "boom")) }), nil
		}
	case *ast.Call:
		if ref, ok := x.Func.(*ast.Ref); ok && ref.String() == "F" && len(x.Args) == 1 {
			a := ConvertTo(sub(x.Args[0].Value), number, f.plsql)
			return Volatile("F", number, []*Expr{a}, func(fr *query.Frame) value.Value {
				*f.calls++
				v := a.Eval(fr)
				if v.IsNull() {
					return v
				}
				return query.Must(datatype.AddNumbers(v, value.NewInt(1)))
			}), nil
		}
	}
	return nil, nil
}

// fakeEnv is a session with a clock and one sequence; task and tx are for statements.
type fakeEnv struct {
	next int64
	task *kernel.Task
	tx   *store.Txn
}

// withSession runs fn as a task with a transaction.
func withSession(t *testing.T, fn func(e *fakeEnv)) {
	t.Helper()
	k := kernel.New(kernel.Options{Seed: 1})
	defer k.Close()
	done := false
	k.Go("session", func(task *kernel.Task) {
		fn(&fakeEnv{task: task, tx: store.New(k, store.Options{}).NewSession(task).Begin()})
		done = true
	}, nil)
	require.NoError(t, k.RunUntil(func() bool { return done }))
}

func (f *fakeEnv) Txn() *store.Txn          { return f.tx }
func (f *fakeEnv) Snapshot() store.Snapshot { return f.tx.Snapshot() }
func (*fakeEnv) Serializable() bool         { return false }
func (*fakeEnv) Format(plsql bool) *datatype.Env {
	e := datatype.NewEnv(noon)
	e.PLSQL = plsql
	return e
}
func (*fakeEnv) Table(*catalog.Table) (*store.Table, func(*catalog.Index) *store.Index) {
	return nil, nil
}
func (f *fakeEnv) NextVal(*catalog.Sequence) value.Value {
	f.next++
	return value.NewInt(f.next)
}
func (f *fakeEnv) CurrVal(_ *catalog.Sequence, name string) (value.Value, error) {
	if f.next == 0 {
		return value.Value{}, sqlerr.New(8002, "sequence %s.CURRVAL is not yet defined in this session", name)
	}
	return value.NewInt(f.next), nil
}
func (*fakeEnv) ViewContext() catalog.ViewContext { return catalog.ViewContext{} }
func (*fakeEnv) Track(*Rows)                      {}
func (*fakeEnv) Untrack(*Rows)                    {}
func (*fakeEnv) Defer(Deferred) bool              { return false }
func (f *fakeEnv) Task() *kernel.Task             { return f.task }

// parseSQL returns the expression of SELECT e FROM dual, or the condition of a WHERE.
func parseSQL(t *testing.T, text string, condition bool) ast.Expr {
	t.Helper()
	if condition {
		st, err := parser.Statement("SELECT 1 FROM dual WHERE " + text)
		require.NoError(t, err, text)
		return st.(*ast.Query).Body.(*ast.Select).Where
	}
	st, err := parser.Statement("SELECT " + text + " FROM dual")
	require.NoError(t, err, text)
	return st.(*ast.Query).Body.(*ast.Select).Items[0].Value
}

// parsePLSQL returns the expression of an assignment.
func parsePLSQL(t *testing.T, text string) ast.Expr {
	t.Helper()
	st, err := parser.Statement("BEGIN x := " + text + "; END;")
	require.NoError(t, err, text)
	return st.(*ast.Block).Body[0].(*ast.Assign).Value
}

// show writes a value as the tests expect it.
func show(t *testing.T, e *Expr, v value.Value) string {
	t.Helper()
	switch {
	case v.IsNull():
		return "NULL"
	case v.Kind == value.Bool:
		return v.GoString()
	case v.Kind == value.Ref:
		return "ref"
	}
	env := datatype.NewEnv(noon)
	env.DateFormat, env.TimestampFormat, env.TimestampTZFormat = "YYYY-MM-DD HH24:MI:SS", "YYYY-MM-DD HH24:MI:SSXFF", "YYYY-MM-DD HH24:MI:SSXFF TZR"
	s, err := datatype.Text(v, e.Type, env)
	require.NoError(t, err)
	return s
}

func (*fakeEnv) Linguistic() bool { return false }
