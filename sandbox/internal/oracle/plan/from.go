package plan

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// OwnerScope is a Scope that can resolve names as a view's definition does: unqualified names are those of its owner,
// with the owner's privileges, and there are no variables and binds. A Scope that is not an OwnerScope resolves a view's names as it
// does the statement's own.
type OwnerScope interface {
	Scope
	Within(owner string) Scope
}

// from binds a FROM clause: its sources become those of b.
func (b *binder) from(list []ast.TableRef) (rels []optimizer.Relation) {
	if len(list) == 0 {
		fail(923)
	}
	for _, t := range list {
		rels = append(rels, b.tableRef(t, b.beside(b.sources))) // only LATERAL sees what is to the left
	}
	return rels
}

// beside returns the binder of what a derived table may see: the enclosing queries, and with LATERAL what is to the left.
func (b *binder) beside(left []*source) *binder {
	return &binder{c: b.c, outer: b.outer, sources: left, ctes: b.ctes, free: b.free, noSeq: true}
}

// tableRef binds an element of FROM; lateral is what LATERAL and APPLY see.
func (b *binder) tableRef(t ast.TableRef, lateral *binder) optimizer.Relation {
	b.c.pos = t.Position()
	switch x := t.(type) {
	case *ast.Table:
		return b.named(x)
	case *ast.DerivedTable:
		around := b.beside(nil)
		if x.Lateral {
			around = lateral
		}
		sub := around.inner()
		return b.derived(sub.query(x.Query), sub, aliasOf(x.Alias), nil)
	case *ast.Join:
		return b.join(x, lateral)
	}
	refuse("%T in FROM", t)
	return nil
}

func aliasOf(n *ast.Name) string {
	if n == nil {
		return ""
	}
	return n.Text
}

// named binds a table, view, dictionary view or common table.
func (b *binder) named(x *ast.Table) optimizer.Relation {
	alias := aliasOf(x.Alias)
	if len(x.Name.Parts) == 1 {
		cte := b.ctes
		for cte != nil && cte.name != x.Name.Parts[0].Text {
			cte = cte.next
		}
		if cte != nil {
			alias = cmp.Or(alias, cte.name)
			return b.commonTable(cte, alias)
		}
	}
	privilege := "READ"
	if b.c.locking {
		privilege = "SELECT"
	}
	o := query.Must(b.c.sc.Table(x.Name, privilege))
	b.c.uses(o)
	switch def := o.Def.(type) {
	case *catalog.Table:
		rel, src := b.stored(o, alias)
		b.sources = append(b.sources, src)
		return rel.rel
	case *catalog.View:
		return b.view(o, def, alias)
	case *catalog.SystemView:
		return b.systemView(o, def, alias)
	}
	fail(942)
	return nil
}

// exposed returns a source under the name that an object has where it is used.
func exposed(o *catalog.Object, alias string) *source {
	if alias == "" {
		return &source{alias: o.Name, schema: o.Owner}
	}
	return &source{alias: alias}
}

// view expands a view where it is used.
func (b *binder) view(o *catalog.Object, v *catalog.View, alias string) optimizer.Relation {
	sub := b.c.binder().inner()
	var blk *block
	err := query.Catch(func() error {
		b.c.within(o.Owner, func() { blk = sub.query(v.Query) })
		return nil
	})
	if e, ok := err.(*sqlerr.Error); ok && e.Number == sqlerr.NotSupportedNumber { //nolint:errorlint // the error itself
		panic(e)
	}
	if err != nil || len(blk.cols) != len(v.Columns) {
		fail(4063, "view", o.Owner, o.Name)
	}
	names := make([]string, len(v.Columns))
	for i := range v.Columns {
		names[i] = v.Columns[i].Name
	}
	return b.deriveInto(blk, sub, exposed(o, alias), names)
}

// within binds a part of a definition as its owner sees names. Errors report its place in the enclosing statement.
func (c *compiler) within(owner string, fn func()) {
	sc, pos := c.sc, c.pos
	if owned, ok := sc.(OwnerScope); ok {
		c.sc = owned.Within(owner)
	}
	defer func() { c.sc, c.pos = sc, pos }()
	fn()
}

// systemView binds a view whose rows Go code produces. DUAL has one row, which nothing needs to fetch.
func (b *binder) systemView(o *catalog.Object, v *catalog.SystemView, alias string) optimizer.Relation {
	at := b.c.Slot(len(v.Columns))
	src := exposed(o, alias)
	if o.Name != "DUAL" {
		src.view = o.Name
	}
	for i := range v.Columns {
		col := &v.Columns[i]
		src.cols = append(src.cols, sourceColumn{name: col.Name, e: columnExpr(at, i, col.Type, col.Nullable, col.Name)})
	}
	b.sources = append(b.sources, src)
	out := &optimizer.Source{Sets: optimizer.SlotsOf(at.Slot), Rows: optimizer.TempRows, Access: []string{src.alias + ": fixed table " + o.Name}}
	if o.Name == "DUAL" && o.Owner == catalog.Sys {
		x := Constant(value.NewString("X"), v.Columns[0].Type)
		out.Op, out.Rows = &query.Values{Slot: at.Slot, Rows: [][]query.Expr{{x.Eval}}}, 1
		return out
	}
	out.Op = &query.Rows{Slot: at.Slot, Seq: func(fr *query.Frame) iter.Seq[value.Row] { return v.Rows(env(fr).ViewContext()) }}
	return out
}

// derived makes a source of a query in FROM. columns, if not nil, are the names of its columns.
func (b *binder) derived(blk *block, sub *binder, alias string, columns []string) optimizer.Relation {
	return b.deriveInto(blk, sub, &source{alias: alias}, columns)
}

// deriveInto merges a query that only selects, projects and joins into b's; others have rows of their own.
func (b *binder) deriveInto(blk *block, sub *binder, src *source, columns []string) optimizer.Relation {
	b.free.Add(sub.free.Slots, sub.free.Cols)
	name := func(i int) string {
		if columns != nil {
			return columns[i]
		}
		return blk.cols[i].name
	}
	b.sources = append(b.sources, src)
	if blk.simple && !blk.perRow {
		for i, c := range blk.cols {
			e := *c.e
			e.Name = name(i)
			src.cols = append(src.cols, sourceColumn{name: e.Name, e: &e})
		}
		return &optimizer.Filtered{Of: blk.rel, Where: b.c.conds(blk.where)}
	}
	pl, out := blk.build()
	at := b.c.Slot(len(out))
	for i, e := range out {
		src.cols = append(src.cols, sourceColumn{name: name(i), e: columnExpr(at, i, e.Type, e.Null, name(i))})
	}
	return &optimizer.Source{
		Op: &query.Project{Child: pl.Op, Slot: at.Slot, Exprs: expression.Evals(out), KeepID: -1}, Sets: optimizer.SlotsOf(at.Slot),
		Deps: sub.free.Slots, Rows: max(1, pl.Rows), Access: pl.Access,
	}
}

// join binds an ANSI join or APPLY.
func (b *binder) join(x *ast.Join, lateral *binder) optimizer.Relation {
	first := len(b.sources)
	left := b.tableRef(x.Left, lateral)
	mid := len(b.sources)
	around := *lateral
	around.sources = slices.Concat(lateral.sources, b.sources[first:])
	r := b.tableRef(x.Right, &around)
	j := &optimizer.Join{Kind: query.Inner, Left: left, Right: r}
	ls, rs := b.sources[first:mid:mid], b.sources[mid:]
	var merged *source
	switch {
	case len(x.Using) > 0:
		var names []string
		for _, n := range x.Using {
			names = append(names, n.Text)
		}
		merged = b.using(j, ls, rs, names, x.Kind)
	case x.On != nil:
		j.On = b.c.conds(expression.Conjuncts(b.with(b.sources[first:]...).cond(x.On), nil))
	}
	switch x.Kind {
	case ast.LeftJoin:
		j.Kind = query.Left
		nullable(rs, optimizer.Witness(r))
	case ast.RightJoin:
		j.Kind, j.Left, j.Right = query.Left, r, left
		nullable(ls, optimizer.Witness(left))
	case ast.FullJoin:
		j.Kind = query.Full
		nullable(ls, optimizer.Witness(left))
		nullable(rs, optimizer.Witness(r))
	}
	if merged != nil { // the columns of USING come first in *
		b.sources = slices.Insert(b.sources, first, merged)
	}
	return j
}

func findIn(sources []*source, name string) (found *sourceColumn) {
	for _, s := range sources {
		for i := range s.cols {
			c := &s.cols[i]
			if c.name != name || c.merged {
				continue
			}
			if found != nil {
				fail(918)
			}
			found = c
		}
	}
	return found
}

// using joins by equal columns and merges each pair into one.
func (b *binder) using(j *optimizer.Join, ls, rs []*source, names []string, kind ast.JoinKind) *source {
	out := &source{}
	for _, name := range names {
		l, r := findIn(ls, name), findIn(rs, name)
		if l == nil || r == nil {
			fail(904, fmt.Sprintf("%q", name))
		}
		j.On = append(j.On, b.c.conds([]*Expr{b.comparison("=", l.e, r.e)})...)
		e := l.e
		if kind == ast.RightJoin {
			e = r.e
		}
		l.merged, r.merged = true, true
		out.cols = append(out.cols, sourceColumn{name: name, e: e})
	}
	return out
}

// nullable marks columns as those of an outer join's side that may have no row.
func nullable(sources []*source, witness int) {
	for _, src := range sources {
		for i := range src.cols {
			src.cols[i].e = expression.OrNull(src.cols[i].e, witness)
		}
	}
}
