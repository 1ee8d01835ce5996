package ddl

import (
	"fmt"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/syntax"
)

// addColumn appends a column, without its constraints. A virtual column without a type gets one from typeVirtual.
func (b *build) addColumn(d *ast.ColumnDef) {
	if i := b.t.Column(d.Name.Text); i >= 0 {
		if b.old != nil && b.from[i] >= 0 {
			panic(message.ORA(1430))
		}
		panic(message.ORA(957))
	}
	if len(b.t.Columns) == 1000 {
		panic(message.ORA(1792))
	}
	b.t.NextColumn++
	col := catalog.Column{Name: d.Name.Text, ID: b.t.NextColumn, Nullable: true}
	if d.Type != nil {
		t := query.Must(plan.DataType(d.Type, false, false))
		if t.ID == datatype.PLSInteger || t.ID == datatype.Boolean {
			panic(message.ORA(902))
		}
		col.Type = t
	}
	if d.Virtual != nil {
		if b.t.Temporary {
			panic(message.ORA(54010))
		}
		if d.Default != nil || d.Identity != nil {
			panic(message.ORA(54025))
		}
		col.Virtual = &catalog.Expression{Text: d.Text, Expr: d.Virtual}
	}
	b.t.Columns = append(b.t.Columns, col)
	b.from = append(b.from, -1)
	b.data = true
	at := len(b.t.Columns) - 1
	if d.Default != nil {
		b.setDefault(at, d)
	}
	if d.Identity != nil {
		b.identity(at, d)
		return
	}
}

// setDefault sets a column's default, which NULL removes. ON NULL makes it NOT NULL without a named constraint.
func (b *build) setDefault(at int, d *ast.ColumnDef) {
	col := &b.t.Columns[at]
	switch {
	case col.Virtual != nil:
		panic(message.ORA(54025))
	case col.Identity != nil:
		panic(message.ORA(30674))
	}
	if len(columnsIn(b.t, d.Default)) > 0 {
		panic(message.ORA(984))
	}
	e := query.Must(plan.CompileExpr(b.Scope(owned(b.own), b.own), d.Default))
	query.Check(datatype.CheckImplicit(e.Type, col.Type))
	col.Default = &catalog.Expression{Text: d.Text, Expr: d.Default}
	if col.DefaultOnNull = d.DefaultOnNull; d.DefaultOnNull && col.Nullable {
		b.addConstraint(&ast.Constraint{Pos: d.Pos, Kind: ast.NotNull}, at)
		return
	}
}

// identity makes an identity column and its sequence.
func (b *build) identity(at int, d *ast.ColumnDef) {
	col := &b.t.Columns[at]
	switch {
	case slices.ContainsFunc(b.t.Columns, func(c catalog.Column) bool { return c.Identity != nil }):
		panic(message.ORA(30669))
	case col.Default != nil:
		panic(message.ORA(30674))
	case !col.Type.IsNumeric() || col.Type.Scale > 0:
		panic(message.ORA(30675))
	}
	seq := newSequence(d.Identity.Options)
	col.Identity = &catalog.Identity{Kind: d.Identity.Kind, Sequence: seq}
	b.created = append(b.created, &catalog.Object{
		Owner: b.own, Name: fmt.Sprintf("ISEQ$$_%d", b.cat.NewID()), Kind: ast.KindSequence, Generated: true, Def: seq,
	})
	b.addConstraint(&ast.Constraint{Pos: d.Pos, Kind: ast.NotNull}, at)
}

// typeVirtual checks the virtual columns and gives a type to those without one.
func (b *build) typeVirtual(from int) {
	for i := from; i < len(b.t.Columns); i++ {
		col := &b.t.Columns[i]
		if col.Virtual == nil {
			continue
		}
		pure(b.t, col.Virtual.Expr, 54002, "only pure functions can be specified in a virtual column expression")
		for _, c := range columnsIn(b.t, col.Virtual.Expr) {
			if b.t.Columns[c].Virtual != nil {
				panic(message.ORA(54012))
			}
		}
		e := query.Must(plan.CompileRow(b.Scope(owned(b.own), b.own), b.t, col.Virtual.Expr))
		if col.Type.ID == datatype.Untyped {
			col.Type = columnType(e.Type)
		} else if err := datatype.CheckImplicit(e.Type, col.Type); err != nil {
			return
		}
	}
}

// columnType returns the type of a column that holds an expression's values.
func columnType(t datatype.Type) datatype.Type {
	switch {
	case t.ID == datatype.Untyped:
		panic(message.ORA(1723))
	case t.IsText() && t.Len == 0: // a function may return any length
		t.Len, t.Chars = 4000, false
		if t.IsNational() {
			t.Len = 2000
		}
	case t.ID == datatype.Raw && t.Len == 0:
		t.Len = 2000
	case t.ID == datatype.PLSInteger:
		return datatype.Of(datatype.Number)
	case t.ID == datatype.Boolean:
		panic(message.ORA(902))
	}
	return t
}

// pure fails if an expression can give different values at different times or for different sessions.
func pure(t *catalog.Table, e ast.Expr, number int32, text string) {
	in := namesIn(e)
	if in.query {
		panic(message.ORA(2251))
	}
	for _, r := range append(in.refs, in.calls...) {
		switch w := r.Word(); w {
		case "SYSDATE", "SYSTIMESTAMP", "CURRENT_DATE", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "DBTIMEZONE", "SESSIONTIMEZONE",
			"USER", "UID", "USERENV", "SYS_CONTEXT", "SYS_GUID", "ROWNUM", "LEVEL":
			if t.Column(w) < 0 {
				panic(sqlerr.New(number, "%s", text))
			}
		}
	}
}

// names holds the names in an expression, in the order written.
type names struct {
	refs, calls []*ast.Ref
	query       bool // it contains a subquery
}

// namesIn finds the names in an expression.
func namesIn(e ast.Expr) (out names) {
	functions := map[ast.Expr]bool{}
	syntax.Walk(e, func(node any) bool {
		switch n := node.(type) {
		case *ast.Ref:
			if functions[n] {
				out.calls = append(out.calls, n)
			} else {
				out.refs = append(out.refs, n)
			}
		case *ast.Call:
			functions[n.Func] = true
		case *ast.Query:
			out.query = true
			return false
		case *ast.DataType:
			return false
		}
		return true
	})
	return out
}

// columnsIn returns the positions of the columns that an expression names.
func columnsIn(t *catalog.Table, e ast.Expr) []int {
	var out []int
	for _, r := range namesIn(e).refs {
		if i := t.Column(r.Parts[len(r.Parts)-1].Text); i >= 0 && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}
