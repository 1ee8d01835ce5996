package plan

import (
	"slices"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// withCTEs registers the common table expressions of a statement.
func (n *names) withCTEs(w *ast.WithCtesAndXmlNamespaces) {
	if w == nil {
		return
	}
	for _, def := range w.CommonTableExpressions {
		name := def.ExpressionName.Value
		for s := n.ctes; s != nil; s = s.next {
			if s.in == n && n.same(s.name, name) {
				panic(message.MS(239, name))
			}
		}
		n.ctes = &cteScope{next: n.ctes, name: name, def: def, in: n}
	}
}

// commonTable expands a common table expression where it is used.
func (n *names) commonTable(cte *cteScope, alias string) optimizer.Relation {
	if cte.self != nil {
		cte.self.used++
		src := &source{alias: alias, cols: append([]sourceColumn{}, cte.self.cols...)}
		n.sources = append(n.sources, src)
		return &optimizer.Source{Op: query.One{}, Sets: optimizer.SlotsOf(cte.self.at.Slot), Rows: 1, Access: []string{alias + ": work table"}}
	}
	body := &names{c: n.c, sc: cte.in.sc, ctes: cte.next, params: cte.in.params, free: new(expression.Usage)}
	columns := identifiers(cte.def.Columns)
	if u, ok := unparenthesized(cte.def.QueryExpression).(*ast.BinaryQueryExpression); ok && mentions(u, cte.name) {
		return n.recursive(cte, u, body, alias, columns)
	}
	if mentions(cte.def.QueryExpression, cte.name) && n.nearest(cte.next, cte.name) == nil { // it can only mean itself
		panic(message.MS(252, cte.name))
	}
	rel := n.derived(body.query(cte.def.QueryExpression, queryContext{}), body, alias, columns)
	if n.free != nil {
		n.free.Slots, n.free.Cols = n.free.Slots.Union(body.free.Slots), n.free.Cols.Union(body.free.Cols)
	}
	return rel
}

func unparenthesized(q ast.QueryExpression) ast.QueryExpression {
	for {
		p, ok := q.(*ast.QueryParenthesisExpression)
		if !ok {
			return q
		}
		q = p.QueryExpression
	}
}

// recursive expands a recursive common table expression: the last operand of the top-level
// UNION ALL is the recursive member, everything before it is the anchor.
func (n *names) recursive(cte *cteScope, u *ast.BinaryQueryExpression, body *names, alias string, columns []string) optimizer.Relation {
	if u.BinaryQueryExpressionType != "Union" || !u.All {
		panic(message.MS(252, cte.name))
	}
	if mentions(u.FirstQueryExpression, cte.name) {
		panic(sqlerr.NotSupported("several recursive members in common table expression %s", cte.name))
	}
	c := n.c
	anchor := body.query(u.FirstQueryExpression, queryContext{})
	pa, oa := anchor.build(nil)
	at, work := c.Slot(len(oa)), c.Slot(len(oa))
	if len(columns) > 0 && len(columns) != len(oa) {
		panic(message.MS(8158, alias))
	}
	src := &source{alias: alias}
	self := &recursiveRef{at: work}
	for i, e := range oa {
		name := anchor.cols[i].name
		if len(columns) > 0 {
			name = columns[i]
		}
		if name == "" {
			panic(message.MS(8155, i+1, alias))
		}
		t := e.Type
		if t.IsUntyped() {
			t = datatype.Of(datatype.Int)
			oa[i] = implicitTo(e, t)
		}
		src.cols = append(src.cols, sourceColumn{name: name, e: columnExpr(at, i, t, true, name)})
		self.cols = append(self.cols, sourceColumn{name: name, e: columnExpr(work, i, t, true, name)})
	}
	member := &names{c: c, sc: cte.in.sc, params: cte.in.params, free: body.free}
	member.ctes = &cteScope{next: cte.next, name: cte.name, in: cte.in, self: self}
	step := member.query(u.SecondQueryExpression, queryContext{})
	if self.used > 1 {
		panic(message.MS(253, cte.name))
	}
	if len(step.cols) != len(oa) {
		panic(message.MS(205))
	}
	if len(step.assigns) > 0 || !step.simple {
		panic(message.MS(460, cte.name))
	}
	ps, os := step.build(nil)
	for i := range os {
		if want := src.cols[i].e.Type; os[i].Type != want && !os[i].Type.IsUntyped() {
			panic(message.MS(240, src.cols[i].name, cte.name))
		}
	}
	limit := c.hints.maxRecursion
	op := &query.Recursive{
		Anchor: &query.Project{Child: pa.Op, Slot: at.Slot, Exprs: expression.Evals(oa), KeepID: -1},
		Step:   &query.Project{Child: ps.Op, Slot: at.Slot, Exprs: expression.Evals(os), KeepID: -1},
		Slot:   at.Slot, Work: work.Slot, Limit: limit,
		TooDeep: func(limit int) {
			panic(message.MS(530, limit))
		},
	}
	n.sources = append(n.sources, src)
	return &optimizer.Source{Op: op, Sets: optimizer.SlotsOf(at.Slot), Deps: body.free.Slots, Rows: optimizer.TempRows, Access: slices.Concat(pa.Access, ps.Access)}
}

// cteScope is a list of common table expressions, the nearest first.
type cteScope struct {
	next *cteScope
	name string
	def  *ast.CommonTableExpression
	in   *names        // what the definition itself may name
	self *recursiveRef // while the recursive part is being bound: how it sees itself
}

type recursiveRef struct {
	cols []sourceColumn
	at   expression.Slot
	used int
}

func (n *names) findCTE(name string) *cteScope { return n.nearest(n.ctes, name) }

// nearest finds a name in a list of common table expressions.
func (n *names) nearest(s *cteScope, name string) *cteScope {
	for s != nil && !n.same(s.name, name) {
		s = s.next
	}
	return s
}
