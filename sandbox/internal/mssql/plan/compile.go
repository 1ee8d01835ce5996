package plan

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func newCompiler(sc Scope) *compiler {
	return &compiler{db: sc.Database(), hints: queryHints{maxRecursion: 100}}
}

func (c *compiler) names(sc Scope) *names { return &names{c: c, sc: sc} }

// compileDML compiles a statement that changes rows.
func compileDML(sc Scope, hints []ast.OptimizerHintBase, ctes *ast.WithCtesAndXmlNamespaces, bind func(*names, *Statement)) (out *Statement, err error) {
	err = query.Catch(func() error {
		c := newCompiler(sc)
		c.options(hints)
		n := c.names(sc)
		n.withCTEs(ctes)
		out = &Statement{Counts: true}
		bind(n, out)
		c.finish(out)
		return nil
	})
	return out, err
}

// CompileExpr compiles a scalar expression without columns.
func CompileExpr(sc Scope, e ast.ScalarExpression) (out *Expr, err error) {
	err = query.Catch(func() error {
		c := newCompiler(sc)
		b := c.names(sc).scalar(e)
		out = &Expr{Type: b.Type, Uses: c.uses, size: c.Size(), eval: b.Eval}
		return nil
	})
	return out, err
}

// CompilePredicate compiles a search condition without columns.
func CompilePredicate(sc Scope, e ast.BooleanExpression) (out *Predicate, err error) {
	err = query.Catch(func() error {
		c := newCompiler(sc)
		b := c.names(sc).predicate(e)
		out = &Predicate{Uses: c.uses, size: c.Size(), eval: b.Eval}
		return nil
	})
	return out, err
}

// CompileSetAssign compiles SET @v = e, SET @v += e and the like.
func CompileSetAssign(sc Scope, st *ast.SetVariableStatement) (out *Assign, err error) {
	err = query.Catch(func() error {
		if st.CursorDefinition != nil || st.FunctionCallExists || st.Identifier != nil || len(st.Parameters) > 0 {
			return sqlerr.NotSupported("SET of a cursor or of a property")
		}
		c := newCompiler(sc)
		a := c.names(sc).assignment(st.Variable, st.Expression, st.AssignmentKind)
		out = &Assign{Uses: c.uses, Slot: a.slot, Type: a.e.Type, Expr: &Expr{Type: a.e.Type, Uses: c.uses, size: c.Size(), eval: a.e.Eval}}
		return nil
	})
	return out, err
}

// assignment is @v = e of SELECT, SET and UPDATE, converted to the variable's type.
type assignment struct {
	slot int
	e    *expr
}

func (n *names) assignment(v *ast.VariableReference, e ast.ScalarExpression, kind string) *assignment {
	slot, t, ok := n.sc.Variable(v.Name)
	if !ok {
		panic(message.MS(137, v.Name))
	}
	b := n.compound(variableExpr(slot, t), e, kind)
	return &assignment{slot: slot, e: assignTo(b, t)}
}

// compound applies an assignment operator.
func (n *names) compound(target *expr, e ast.ScalarExpression, kind string) *expr {
	b := n.scalar(e)
	if kind == "" || kind == "Equals" {
		return b
	}
	ops := map[string]datatype.Op{
		"AddEquals": datatype.Add, "SubtractEquals": datatype.Subtract, "MultiplyEquals": datatype.Multiply, "DivideEquals": datatype.Divide,
		"ModEquals": datatype.Modulo, "BitwiseAndEquals": datatype.BitAnd, "BitwiseOrEquals": datatype.BitOr, "BitwiseXorEquals": datatype.BitXor,
	}
	op, ok := ops[kind]
	if !ok {
		panic(sqlerr.NotSupported("assignment operator %s", kind))
	}
	return arith(op, target, b, n.sc.Settings())
}

// CompileCursor compiles a SELECT that is read row by row.
func CompileCursor(sc Scope, st *ast.SelectStatement) (out *Query, err error) {
	err = query.Catch(func() error {
		if st.Into != nil || st.On != nil {
			return sqlerr.NotSupported("SELECT INTO in a cursor")
		}
		c := newCompiler(sc)
		b, exprs := c.root(sc, st, false)
		q := &Query{Columns: columnsOut(b, exprs), Uses: c.uses, Access: c.paths, size: c.Size(), root: b.root}
		fns := expression.Evals(exprs)
		q.output = func(fr *query.Frame) value.Row { return query.Eval(fr, fns) }
		out = q
		return nil
	})
	return out, err
}

// CompileSelect compiles a SELECT: one that returns rows, assigns variables or creates a table (INTO).
func CompileSelect(sc Scope, st *ast.SelectStatement) (out *Statement, err error) {
	err = query.Catch(func() error {
		c := newCompiler(sc)
		b, exprs := c.root(sc, st, st.Into == nil)
		out = &Statement{Counts: true}
		switch {
		case st.Into != nil:
			c.selectInto(out, sc, st.Into, b, exprs)
		case len(b.assigns) > 0:
			out.Counts = false
			root, assigns := b.root, b.assigns
			out.run = func(fr *query.Frame, _ func(value.Row) error) (int64, error) {
				var n int64
				e := env(fr)
				query.Each(fr, limited(root, e), func() bool {
					for _, a := range assigns { // from left to right: later ones see earlier ones
						*e.Var(a.slot) = a.e.Eval(fr)
					}
					n++
					return true
				})
				return n, nil
			}
		default:
			out.Columns = columnsOut(b, exprs)
			fns, root := expression.Evals(exprs), b.root
			out.run = func(fr *query.Frame, sink func(value.Row) error) (n int64, err error) {
				query.Each(fr, limited(root, env(fr)), func() bool {
					if err = sink(query.Eval(fr, fns)); err != nil {
						return false
					}
					n++
					return true
				})
				return n, err
			}
		}
		c.finish(out)
		return nil
	})
	return out, err
}

// CompileStatement compiles a SELECT, INSERT, UPDATE or DELETE.
func CompileStatement(sc Scope, st ast.Statement) (*Statement, error) {
	switch x := st.(type) {
	case *ast.SelectStatement:
		return CompileSelect(sc, x)
	case *ast.InsertStatement:
		return CompileInsert(sc, x)
	case *ast.UpdateStatement:
		return CompileUpdate(sc, x)
	case *ast.DeleteStatement:
		return CompileDelete(sc, x)
	}
	return nil, sqlerr.NotSupported("statement %T", st)
}

// RowFunc computes a value from a row of a table; env may be nil when the expression needs no session.
// It panics with *sqlerr.Error.
type RowFunc func(env Env, row value.Row) value.Value

// CompileRowPredicate compiles a condition over the columns of a table, for a CHECK constraint or the filter of
// an index. Its value is Bool or NULL.
func CompileRowPredicate(sc Scope, t *catalog.Table, e ast.BooleanExpression) (fn RowFunc, err error) {
	err = query.Catch(func() error {
		c := newCompiler(sc)
		n, at := c.rowNames(sc, t)
		fn = c.rowFunc(at, n.predicate(e))
		return nil
	})
	return fn, err
}

func (c *compiler) rowNames(sc Scope, t *catalog.Table) (*names, expression.Slot) {
	at := c.Slot(len(t.Columns))
	n := c.names(sc)
	n.sources = []*source{{cols: columnsOf(c, sc, nil, t, at)}}
	return n, at
}

func (c *compiler) rowFunc(at expression.Slot, b *expr) RowFunc {
	s, f := c.Size(), b.Eval
	return func(env Env, row value.Row) value.Value {
		fr := s.Frame(env)
		fr.Slots[at.Slot] = query.Tuple{Row: row}
		return f(fr)
	}
}

// limited applies SET ROWCOUNT.
func limited(op query.Op, e Env) query.Op {
	if n := e.RowCount(); n > 0 {
		return &query.Top{Child: op, Count: func(*query.Frame) int64 { return n }}
	}
	return op
}

func (c *compiler) finish(s *Statement) {
	s.Uses, s.Access, s.size = c.uses, c.paths, c.Size()
	c.tables, c.opaque = nil, nil // only binding needs them
}

// rootBlock is the query of a statement, planned.
type rootBlock struct {
	*block
	root query.Op
}

func (c *compiler) root(sc Scope, st *ast.SelectStatement, assign bool) (rootBlock, []*expr) {
	c.options(st.OptimizerHints)
	n := c.names(sc)
	n.withCTEs(st.WithCtesAndXmlNamespaces)
	b := n.query(st.QueryExpression, queryContext{top: true, assign: assign})
	op, out := b.plan(nil)
	for i, e := range out {
		if e.Type.IsUntyped() { // a bare NULL is an int
			out[i] = implicitTo(e, datatype.Of(datatype.Int))
		}
	}
	return rootBlock{b, op}, out
}

func columnsOut(b rootBlock, exprs []*expr) []Column {
	out := make([]Column, len(exprs))
	for i, e := range exprs {
		out[i] = Column{Name: b.cols[i].name, Type: e.Type, Nullable: e.Null, Identity: e.identity, Updatable: e.base, Computed: e.Shape != expression.Column}
	}
	return out
}

// selectInto creates the table and fills it.
func (c *compiler) selectInto(out *Statement, sc Scope, into *ast.SchemaObjectName, b rootBlock, exprs []*expr) {
	cols := make([]catalog.Column, len(exprs))
	identity := false
	for i, e := range exprs {
		name := b.cols[i].name
		if name == "" {
			panic(message.MS(1038).At(15, 5))
		}
		cols[i] = catalog.Column{ID: int32(i + 1), Name: name, Type: e.Type, Nullable: e.Null}
		if e.identity && !identity { // the property is kept if the column comes from one table, unjoined
			if t := c.tables[e.Slot]; t != nil && e.Shape == expression.Column && len(c.tables) == 1 {
				old := t.table.Columns[e.Ord].Identity
				cols[i].Identity = catalog.NewIdentity(old.Seed, old.Increment)
				identity = true
			}
		}
	}
	fns, root := expression.Evals(exprs), b.root
	out.run = func(fr *query.Frame, _ func(value.Row) error) (int64, error) {
		e := env(fr)
		var rows []value.Row
		query.Each(fr, limited(root, e), func() bool {
			rows = append(rows, query.Eval(fr, fns))
			return true
		})
		o, err := e.CreateTable(into, cols)
		if err != nil {
			return 0, err
		}
		t := o.Table()
		for _, row := range rows {
			if _, err := e.Txn().Insert(t.Data, row); err != nil {
				return 0, err
			}
			if t.Identity >= 0 {
				e.SawIdentity(t, row[t.Identity])
			}
		}
		return int64(len(rows)), nil
	}
	_ = sc
}
