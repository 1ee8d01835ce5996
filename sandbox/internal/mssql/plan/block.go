package plan

import (
	"strconv"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/bound"
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
	// elements of the select list, for what looks at it (assignments, FOR JSON)
	assigns []*assignment
	access  *[]string
}

type outColumn struct {
	name string
	e    *expr
}

// queryContext tells a query where it stands.
type queryContext struct {
	exists bool // of EXISTS: the select list does not matter
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
		where = n.c.conds(bound.Conjuncts(n.predicate(q.WhereClause.SearchCondition), nil))
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
	group    bound.Slot
	having   *expr
	gather   gathering
	distinct bool
	cols     []outColumn
	assigns  []*assignment
	order    []orderBy
	top      *topSpec
}

// gathering collects the aggregates and window functions that a query's expressions use.
type gathering struct {
	sel     *selection
	aggs    []bound.Aggregate[*expr]
	windows []*window
}

// grouping is what may be named after GROUP BY.
type grouping struct {
	keys map[string]*expr // canonical text of a grouping expression: its column in the group row
	bare bool             // all of them are plain columns
	part string           // the part of the query that is being bound, for messages
}

// column replaces a column of the source by that of the group.
func (g *grouping) column(e *expr, alias string) *expr {
	if k := g.keys[e.Key]; k != nil {
		return k
	}
	number := map[string]int32{"select list": 8120, "HAVING clause": 8121, "ORDER BY clause": 8127}[g.part]
	panic(sqlerr.New(number, "Column '%s.%s' is invalid in the %s because it is not contained in either an aggregate function or the GROUP BY clause.", alias, e.Name, g.part))
}

// match finds a whole expression among the grouping expressions.
func (g *grouping) match(n *names, e ast.ScalarExpression) *expr {
	switch e.(type) {
	case *ast.ColumnReferenceExpression, *ast.VariableReference, *ast.IntegerLiteral, *ast.StringLiteral, *ast.ParenthesisExpression, *ast.ScalarSubquery:
		return nil
	}
	if g.bare || hasAggregate(e) {
		return nil
	}
	bound := n.plain().scalar(e)
	if bound.Key == "" {
		return nil
	}
	return g.keys[bound.Key]
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

// binding notes what is being bound.
func (s *selection) binding(part string) {
	if s.n.group != nil {
		s.n.group.part = part
	}
}

func (s *selection) bindGroup() {
	n := s.n
	s.group = n.c.Slot(64) // its columns are known only when all aggregates are; the width is set then
	g := &grouping{keys: map[string]*expr{}, bare: true}
	if c := s.q.GroupByClause; c != nil {
		if c.All || c.GroupByOption != "" && c.GroupByOption != "None" {
			panic(sqlerr.NotSupported("GROUP BY ALL, CUBE or ROLLUP"))
		}
		for _, spec := range c.GroupingSpecifications {
			x, ok := spec.(*ast.ExpressionGroupingSpecification)
			if !ok || x.DistributedAggregation {
				panic(sqlerr.NotSupported("%T", spec))
			}
			if hasAggregate(x.Expression) {
				panic(message.MS(144))
			}
			e := n.scalar(x.Expression)
			if e.Key == "" {
				panic(message.MS(144))
			}
			if e.Refs.Empty() {
				panic(message.MS(164))
			}
			if !e.Type.IsComparable() {
				panic(message.MS(306))
			}
			k := columnExpr(s.group, len(s.by), e.Type, e.Null, e.Name)
			k.identity = false
			g.keys[e.Key] = k
			g.bare = g.bare && e.Shape == bound.Column
			s.by = append(s.by, e)
		}
	}
	n.group = g
}

func (s *selection) bindList() {
	n := s.n
	for _, el := range s.q.SelectElements {
		switch x := el.(type) {
		case *ast.SelectStarExpression:
			s.star(x)
		case *ast.SelectScalarExpression:
			e := n.scalar(x.Expression)
			name := e.Name
			if !isColumn(x.Expression) {
				name = ""
			}
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

func isColumn(e ast.ScalarExpression) bool {
	for {
		p, ok := e.(*ast.ParenthesisExpression)
		if !ok {
			break
		}
		e = p.Expression
	}
	_, ok := e.(*ast.ColumnReferenceExpression)
	return ok
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
				e = n.group.column(e, src.alias)
			}
			s.cols = append(s.cols, outColumn{name: src.cols[i].name, e: e})
		}
	}
}

// bindOrder binds ORDER BY: ordinals, names of the select list, expressions.
func (s *selection) bindOrder(c *ast.OrderByClause) {
	for _, el := range c.OrderByElements {
		e := s.orderExpr(el.Expression)
		if !e.Type.IsComparable() && !e.Type.IsUntyped() {
			panic(message.MS(306))
		}
		s.order = append(s.order, orderBy{E: e, Desc: el.SortOrder == "Descending"})
	}
}

func (s *selection) orderExpr(e ast.ScalarExpression) *expr {
	if lit, ok := e.(*ast.IntegerLiteral); ok {
		i, err := strconv.Atoi(lit.Value)
		if err != nil || i < 1 || i > len(s.cols) {
			panic(message.MS(108, lit.Value))
		}
		return s.cols[i-1].e
	}
	if ref, ok := e.(*ast.ColumnReferenceExpression); ok && ref.Collation == nil {
		if parts := idents(ref.MultiPartIdentifier); len(parts) == 1 {
			var found *expr
			for i := range s.cols {
				if s.cols[i].name != "" && s.n.same(s.cols[i].name, parts[0]) {
					if found != nil && found.Key != s.cols[i].e.Key {
						panic(message.MS(209, parts[0]))
					}
					found = s.cols[i].e
				}
			}
			if found != nil {
				return found
			}
		}
	}
	b := s.n.scalar(e)
	if b.Shape == bound.Constant {
		panic(message.MS(408, len(s.order)+1))
	}
	if s.distinct {
		for i := range s.cols {
			if b.Key != "" && s.cols[i].e.Key == b.Key {
				return s.cols[i].e
			}
		}
		panic(message.MS(145))
	}
	return b
}
