package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/dbsched/dbsched/sandbox/internal/bound"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// block is a query that has been bound.
type block struct {
	cols   []outColumn
	perRow bool // has something that is evaluated anew each time
	one    bool // only its first row is asked for: EXISTS

	// A simple block selects, filters and joins, no more: it can be merged into the query around it.
	simple  bool
	rel     optimizer.Relation
	where   []*Expr
	single  bool // a plain SELECT without DISTINCT, GROUP BY and row limit: FOR UPDATE may lock its rows
	limited bool // OFFSET or FETCH
	into    *ast.Into
	build   func() (optimizer.Plan, []*Expr)
	c       *compiler
}

// plan builds the block on its own; out are its columns after the operator has moved to a row.
func (b *block) plan() (op query.Op, out []*Expr) {
	pl, out := b.build()
	b.c.paths = append(b.c.paths, pl.Access...)
	return pl.Op, out
}

// query binds a query; b are the names around it (see inner), and becomes those of the query itself: what it uses of
// queries further out is in b.free after that.
func (b *binder) query(q *ast.Query) *block {
	if q.Siblings {
		refuse("ORDER SIBLINGS BY")
	}
	b.commonTables(q.With)
	var blk *block
	switch x := q.Body.(type) {
	case *ast.Select:
		blk = b.specification(x, q)
	case *ast.SetOperation:
		blk = b.arranged(b.setOperation(x), q)
	case *ast.Query:
		if len(q.OrderBy) == 0 && q.Offset == nil && q.Fetch == nil {
			blk = b.query(x)
		} else {
			blk = b.arranged(b.boxed(b.query(x)), q)
		}
	default:
		refuse("query %T", q.Body)
	}
	blk.c = b.c
	for _, c := range blk.cols {
		blk.perRow = blk.perRow || c.e.PerRow
	}
	return blk
}

// selection is a SELECT … FROM … that is being bound and planned.
type selection struct {
	b        *binder
	q        *ast.Select
	rel      optimizer.Relation
	where    []*Expr
	own      optimizer.Slots
	grouped  bool
	having   *Expr
	gather   gathering
	distinct bool
	cols     []outColumn
	order    []orderBy
	limit    *limit
	rownum   bound.Slot
	tree     *hierarchy // CONNECT BY
	blk      *block
}

func (b *binder) specification(x *ast.Select, q *ast.Query) *block {
	b.c.pos = x.Pos
	s := &selection{b: b, q: x, distinct: x.Distinct}
	s.rel = b.from(x.From)
	b.c.hints(x.Hint, s.rel)
	s.own = s.rel.Slots()
	s.rownum = b.c.Slot(1)
	if b.pseudo == nil {
		b.pseudo = map[string]*Expr{}
	}
	sequences := !b.noSeq && !x.Distinct && len(q.OrderBy) == 0
	b.noSeq = true // but in the select list
	b.pseudo["ROWNUM"] = columnExpr(s.rownum, 0, datatype.Of(datatype.Number), false, "ROWNUM")
	if x.ConnectBy != nil {
		s.bindHierarchy()
	}
	if x.Where != nil {
		s.where = bound.Conjuncts(b.cond(x.Where), nil)
	}
	s.bind(q, sequences)
	if b.free != nil {
		b.free.Slots = b.free.Slots.Minus(s.own)
	}
	plain := !s.grouped && !s.distinct && s.limit == nil
	blk := &block{cols: s.cols, rel: s.rel, where: s.where, build: s.plan, single: plain && s.tree == nil && len(s.gather.windows) == 0, limited: s.limit != nil, into: x.Into}
	for _, e := range s.where {
		blk.perRow = blk.perRow || e.PerRow
	}
	blk.simple = plain && s.tree == nil && len(s.gather.windows) == 0 && len(s.order) == 0 && !s.numbers()
	s.blk = blk
	return blk
}

// numbers reports whether anything reads ROWNUM.
func (s *selection) numbers() bool {
	return slices.ContainsFunc(append(s.tail().Exprs(), s.where...), func(e *Expr) bool { return e.Refs.Has(s.rownum.Slot) })
}

func (s *selection) bind(q *ast.Query, sequences bool) {
	b, x := s.b, s.q
	s.grouped = len(x.GroupBy) > 0 || x.Having != nil || slices.ContainsFunc(x.Items, func(i ast.SelectItem) bool { return hasAggregate(i.Value) }) ||
		slices.ContainsFunc(q.OrderBy, func(o ast.OrderItem) bool { return hasAggregate(o.Value) })
	if s.grouped {
		s.bindGroup()
	}
	b.gather = &s.gather
	if x.Having != nil {
		s.having = b.cond(x.Having)
	}
	b.noSeq = !sequences || s.grouped
	s.bindList()
	b.noSeq = true
	s.limit = b.limit(q)
	for _, o := range q.OrderBy {
		s.order = append(s.order, s.orderKey(o))
	}
	b.gather = nil
	if s.grouped {
		g := s.gather.group
		b.c.Widths[g.at.Slot] = len(g.by) + len(s.gather.aggs)
	}
	for _, w := range s.gather.windows {
		b.c.Widths[w.At.Slot] = len(w.Funcs)
	}
}

func (s *selection) bindGroup() {
	b := s.b
	// The columns of the group's row are known when all aggregates are; 256 is room for them in sets of columns.
	g := &grouping{at: b.c.Slot(256), keys: map[string]*Expr{}}
	for _, x := range s.q.GroupBy {
		if hasAggregate(x) {
			fail(934)
		}
		e := b.expr(x)
		b.sortable(e)
		if e.Key != "" {
			g.keys[e.Key] = columnExpr(g.at, len(g.by), e.Type, e.Null, e.Name)
		}
		g.by = append(g.by, e)
	}
	b.group, s.gather.group = g, g
}

func (s *selection) bindList() {
	b := s.b
	for _, item := range s.q.Items {
		b.c.pos = item.Pos
		if star, ok := item.Value.(*ast.Star); ok {
			s.star(star)
			continue
		}
		e := b.expr(item.Value)
		name := columnName(item)
		s.cols = append(s.cols, outColumn{name: name, e: e})
	}
}

// columnName is how a client sees a column: its alias, its name, or the expression in upper case without white space.
func columnName(item ast.SelectItem) string {
	if item.Alias != nil {
		return item.Alias.Text
	}
	if ref, ok := item.Value.(*ast.Ref); ok {
		return ref.Parts[len(ref.Parts)-1].Text
	}
	name := strings.ToUpper(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, item.Text))
	if len(name) > 128 { // the longest name
		name = strings.ToValidUTF8(name[:128], "")
	}
	return name
}

// star expands * and t.*.
func (s *selection) star(x *ast.Star) {
	b := s.b
	found := false
	for _, src := range b.sources {
		if x.Of != nil && !src.is(x.Of.Parts) {
			continue
		}
		found = true
		for i := range src.cols {
			c := &src.cols[i]
			if c.hidden || c.merged {
				continue
			}
			e := c.e
			if b.group != nil {
				e = b.group.column(e)
			}
			s.cols = append(s.cols, outColumn{name: c.name, e: e})
		}
	}
	if !found {
		fail(904, fmt.Sprintf("%q", x.Of.String()))
	}
}

// orderKey binds an element of ORDER BY: a position, a name of the select list, or an expression.
func (s *selection) orderKey(o ast.OrderItem) orderBy {
	e := position(o.Value, s.cols)
	if ref, ok := o.Value.(*ast.Ref); ok && e == nil && len(ref.Parts) == 1 {
		for _, c := range s.cols {
			if c.name != ref.Parts[0].Text {
				continue
			}
			if e != nil && (e.Key == "" || e.Key != c.e.Key) {
				fail(960)
			}
			e = c.e
		}
	}
	if e == nil {
		s.refuseAlias(o.Value)
		e = s.b.expr(o.Value)
		if s.distinct && e.Shape != bound.Constant {
			i := slices.IndexFunc(s.cols, func(c outColumn) bool { return e.Key != "" && c.e.Key == e.Key })
			if i < 0 {
				fail(1791)
			}
			e = s.cols[i].e
		}
	}
	return s.b.keyOf(e, o)
}

// refuseAlias refuses an alias of the select list in an expression of ORDER BY, where it is no column.
func (s *selection) refuseAlias(e ast.Expr) {
	walk(e, func(n ast.Expr) bool {
		if ref, ok := n.(*ast.Ref); ok && len(ref.Parts) == 1 {
			for _, item := range s.q.Items {
				if aliasOf(item.Alias) == ref.Parts[0].Text && s.b.local(ref) == nil {
					refuse("alias %s in an expression of ORDER BY", ref)
				}
			}
		}
		return true
	})
}

// position returns the column that ORDER BY names by its number; nil: it is no number.
func position(e ast.Expr, cols []outColumn) *Expr {
	n, ok := e.(*ast.Number)
	if !ok {
		return nil
	}
	v, _ := datatype.ParseNumber(n.Text)
	i, whole := datatype.Whole(v)
	if !whole || i < 1 || i > int64(len(cols)) {
		fail(1785)
	}
	return cols[i-1].e
}

func (b *binder) keyOf(e *Expr, o ast.OrderItem) orderBy {
	b.sortable(e)
	return orderBy{E: e, Desc: o.Desc, Moved: o.Nulls != "" && o.Desc != (o.Nulls == ast.NullsFirst)}
}

// limit is OFFSET and FETCH.
type limit struct {
	skip, count *Expr
	ties        bool
}

func (b *binder) limit(q *ast.Query) *limit {
	if q.Offset == nil && q.Fetch == nil {
		return nil
	}
	number := func(e ast.Expr) *Expr { return ConvertTo(b.expr(e), datatype.Of(datatype.Number), false) }
	l := &limit{}
	if q.Offset != nil {
		l.skip = number(q.Offset)
	}
	if f := q.Fetch; f != nil {
		if f.Percent {
			refuse("FETCH … PERCENT")
		}
		l.ties, l.count = f.WithTies, Constant(value.NewInt(1), datatype.Of(datatype.Number))
		if f.Count != nil {
			l.count = number(f.Count)
		}
	}
	return l
}

// goal is how many rows will be asked for, as far as one can tell; 0: all.
func (l *limit) goal() float64 {
	if l == nil || l.count == nil {
		return 0
	}
	rows := 100.0
	if v, ok := l.count.ConstantValue(); ok {
		rows = float64(floor(v))
	}
	if l.skip != nil {
		if v, ok := l.skip.ConstantValue(); ok {
			rows += float64(floor(v))
		}
	}
	return max(1, rows)
}

// floor is a row count: NULL and what is negative mean none (SELECT, row_limiting_clause).
func floor(v value.Value) int64 {
	if v.IsNull() {
		return 0
	}
	n, _ := datatype.Whole(v)
	return max(0, n)
}

func (l *limit) op(child query.Op, order []orderBy) query.Op {
	out := &query.Top{Child: child}
	count := func(e *Expr) func(*query.Frame) int64 {
		if e == nil {
			return nil
		}
		f := e.Eval
		return func(fr *query.Frame) int64 { return floor(f(fr)) }
	}
	out.Skip, out.Count = count(l.skip), count(l.count)
	if l.ties && len(order) > 0 {
		out.Ties = rules.SortKey(order)
	}
	return out
}
