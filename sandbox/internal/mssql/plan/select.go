package plan

import (
	"cmp"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// block is a query expression that has been bound.
type block struct {
	cols   []outColumn
	perRow bool // has something that is evaluated anew each time
	// A simple block selects, projects and joins, no more: it can be merged into the query around it.
	simple bool
	rel    optimizer.Relation
	where  []*optimizer.Cond
	// build plans it with further conditions on its columns; out are the columns after that.
	build func(extra []*expr) (pl optimizer.Plan, out []*expr)
	// elements of the select list, for code that looks at them (assignments, FOR JSON)
	assigns []*assignment
	access  *[]string
}

type outColumn struct {
	name string
	e    *expr
}

// queryContext says where a query is.
type queryContext struct {
	exists bool // in EXISTS: the select list does not matter
	assign bool // SELECT @v = … is allowed
	top    bool // the statement's own query: its ORDER BY needs no TOP
}

// plan builds the block on its own.
func (b *block) plan(extra []*expr) (query.Op, []*expr) {
	pl, out := b.build(extra)
	if b.access != nil {
		*b.access = append(*b.access, pl.Access...)
	}
	return pl.Op, out
}

// query binds a query expression; n are the names it may see, and becomes those of its own.
func (n *names) query(q ast.QueryExpression, qc queryContext) *block {
	var b *block
	switch x := q.(type) {
	case *ast.QuerySpecification:
		b = n.specification(x, qc)
	case *ast.QueryParenthesisExpression:
		b = n.query(x.QueryExpression, qc)
	case *ast.BinaryQueryExpression:
		b = n.setOperation(x, qc)
	default:
		panic(sqlerr.NotSupported("query %T", q))
	}
	b.access = &n.c.paths
	for _, c := range b.cols {
		b.perRow = b.perRow || c.e.PerRow
	}
	return b
}

// specification binds SELECT … FROM … .
func (n *names) specification(q *ast.QuerySpecification, qc queryContext) *block {
	if q.ForClause != nil {
		return n.forClause(q, qc)
	}
	rel := n.from(q.FromClause)
	var where []*optimizer.Cond
	if q.WhereClause != nil {
		if q.WhereClause.Cursor != nil {
			panic(sqlerr.NotSupported("WHERE CURRENT OF"))
		}
		where = n.c.conds(expression.Conjuncts(n.predicate(q.WhereClause.SearchCondition), nil))
	}
	s := &selection{n: n, q: q, qc: qc, rel: rel, where: where, own: rel.Slots()}
	s.bind()
	b := &block{cols: s.cols, rel: rel, where: where, build: s.plan, assigns: s.assigns}
	for _, e := range where {
		b.perRow = b.perRow || e.PerRow
	}
	b.simple = !s.grouped && !s.distinct && len(s.gather.windows) == 0 && q.TopRowFilter == nil && q.OffsetClause == nil && len(s.order) == 0 && len(s.assigns) == 0
	if _, none := rel.(optimizer.Nothing); none {
		b.simple = false
	}
	return b
}

// selection is a SELECT … FROM … that is being bound and planned.
type selection struct {
	n        *names
	q        *ast.QuerySpecification
	qc       queryContext
	rel      optimizer.Relation
	where    []*optimizer.Cond
	own      optimizer.Slots
	grouped  bool
	by       []*expr
	group    expression.Slot
	having   *expr
	gather   gathering
	distinct bool
	cols     []outColumn
	assigns  []*assignment
	order    []orderBy
	top      *topSpec
}

func (s *selection) bind() {
	n, q := s.n, s.q
	s.gather.sel = s
	s.distinct = q.UniqueRowFilter == "Distinct"
	s.grouped = q.GroupByClause != nil || q.HavingClause != nil || hasAggregateIn(q)
	if s.grouped {
		s.bindGroup()
	}
	n.gather = &s.gather
	s.binding("HAVING clause")
	if q.HavingClause != nil {
		s.having = n.predicate(q.HavingClause.SearchCondition)
	}
	s.binding("select list")
	if s.qc.exists && !s.grouped && q.TopRowFilter == nil {
		s.cols = []outColumn{{e: constExpr(value.NewInt(1), datatype.Of(datatype.Int))}}
	} else {
		s.bindList()
	}
	s.binding("ORDER BY clause")
	s.top = n.topFilter(q.TopRowFilter, q.OffsetClause)
	if q.OrderByClause != nil {
		if !s.qc.top && q.TopRowFilter == nil && q.OffsetClause == nil {
			panic(message.MS(1033))
		}
		s.bindOrder(q.OrderByClause)
	}
	if s.top != nil && s.top.ties && len(s.order) == 0 {
		panic(message.MS(1062))
	}
	n.gather = nil
	if s.grouped {
		s.group.Width = len(s.by) + len(s.gather.aggs)
		n.c.Widths[s.group.Slot] = s.group.Width
	}
}

// binding records what is being bound.
func (s *selection) binding(part string) {
	if s.n.group != nil {
		s.n.group.part = part
	}
}

func (s *selection) bindList() {
	n := s.n
	for _, el := range s.q.SelectElements {
		switch x := el.(type) {
		case *ast.SelectStarExpression:
			s.star(x)
		case *ast.SelectScalarExpression:
			e := n.scalar(x.Expression)
			name := columnName(x.Expression)
			if x.ColumnName != nil {
				name = x.ColumnName.Value
				if x.ColumnName.Identifier != nil {
					name = x.ColumnName.Identifier.Value
				}
			}
			s.cols = append(s.cols, outColumn{name: name, e: e})
		case *ast.SelectSetVariable:
			if !s.qc.assign {
				panic(message.MS(10738))
			}
			a := n.assignment(x.Variable, x.Expression, x.AssignmentKind)
			s.assigns = append(s.assigns, a)
			s.cols = append(s.cols, outColumn{e: a.e})
		default:
			panic(sqlerr.NotSupported("select element %T", el))
		}
	}
	if len(s.assigns) > 0 && len(s.assigns) != len(s.cols) {
		panic(message.MS(141))
	}
}

// columnName is the name of a result column without an alias: the name of its column, as the query writes it.
func columnName(e ast.ScalarExpression) string {
	switch e := e.(type) {
	case *ast.ParenthesisExpression:
		return columnName(e.Expression)
	case *ast.ColumnReferenceExpression:
		if parts := idents(e.MultiPartIdentifier); len(parts) > 0 {
			return parts[len(parts)-1]
		}
	}
	return ""
}

// star expands * and t.*.
func (s *selection) star(x *ast.SelectStarExpression) {
	n := s.n
	sources := n.sources
	if x.Qualifier != nil {
		src := n.findSource(idents(x.Qualifier))
		if src == nil {
			parts := idents(x.Qualifier)
			panic(message.MS(107, strings.Join(parts, ".")))
		}
		sources = []*source{src}
	}
	if len(n.sources) == 0 {
		panic(message.MS(263))
	}
	for _, src := range sources {
		for i := range src.cols {
			e := src.cols[i].e
			if src.object != nil {
				n.c.use(src.object, "SELECT").read = true
			}
			if n.group != nil {
				e = n.group.column(e, cmp.Or(src.shown, src.alias))
			}
			s.cols = append(s.cols, outColumn{name: src.cols[i].name, e: e})
		}
	}
}

// plan plans the selection.
func (s *selection) plan(extra []*expr) (optimizer.Plan, []*expr) {
	c := s.n.c
	out := make([]*expr, len(s.cols))
	for i := range s.cols {
		out[i] = s.cols[i].e
	}
	where, after := s.where, extra
	if !s.grouped && len(s.gather.windows) == 0 && !s.distinct && s.top == nil {
		where, after = slices.Concat(where, c.conds(extra)), nil
	}
	t := &expression.Tail[expr, *expr]{
		Layout: &c.Layout, Grouped: s.grouped, Group: s.group, By: s.by, Aggs: s.gather.aggs, Having: s.having, Windows: s.gather.windows,
		Distinct: s.distinct, Out: out, Project: distinctColumns, Order: s.order, Goal: s.top.goal(),
	}
	if s.top != nil {
		t.Limit = s.top.op
	}
	p := &optimizer.Block{
		Own: s.own, Need: expression.Need(append(t.Exprs(), after...)...), Goal: s.top.goal(), InOrder: c.hints.force, Loops: c.hints.loop,
		Width: func(slot int) int { return c.Widths[slot] }, NoPath: noPath, LastOfEqual: s.n.sc.Settings().Guess.LastOfEqual,
	}
	if s.qc.exists {
		p.Goal = 1
	}
	order := s.order
	if s.grouped || len(s.gather.windows) > 0 {
		order = nil
		p.Goal = 0
	}
	var first *orderBy
	if s.grouped && len(s.by) == 0 {
		first = c.access().Extreme(s.gather.aggs, s.own)
	}
	if first != nil {
		order, p.Goal = []orderBy{*first}, 1
	}
	pl := p.Plan(s.rel, where, c.access().Orders(order))
	slots := s.own.List()
	if first != nil && pl.Ordered {
		if first.E.Null {
			pl.Op = &query.Filter{Child: pl.Op, Pred: rules.Negate(rules.IsNull(first.E)).Eval}
		}
		pl.Op = &query.Top{Child: pl.Op, Count: func(*query.Frame) int64 { return 1 }}
	}
	if first != nil || order == nil {
		pl.Ordered = false
	}
	pl, out = rules.Finish(t, pl, slots)
	if len(after) > 0 {
		pl.Op = &query.Filter{Child: pl.Op, Pred: rules.AllOf(after...).Eval}
	}
	return pl, out
}

// distinctColumns are the columns of a select list after DISTINCT.
func distinctColumns(at expression.Slot, out []*expr) []*expr {
	columns := make([]*expr, len(out))
	for i, e := range out {
		if !e.Type.IsComparable() && !e.Type.IsUntyped() {
			panic(message.MS(421, e.Type.Name()))
		}
		columns[i] = columnExpr(at, i, e.Type, e.Null, e.Name)
		columns[i].coll = e.coll
	}
	return columns
}

// noPath raises the error of hints that leave a table no access path.
func noPath() {
	panic(message.MS(8622))
}
