package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// hierarchy is START WITH … CONNECT BY of one table (SQL Language Reference, "Hierarchical Queries").
type hierarchy struct {
	s       *selection
	level   expression.Slot
	prior   expression.Slot // the parent's row
	at      int             // the table's slot
	start   *Expr           // nil: every row is a root
	connect *Expr
	loops   bool // PRIOR is used: a row that is its own ancestor is an error, or is skipped with NOCYCLE
}

func (s *selection) bindHierarchy() {
	b, x := s.b, s.q
	if len(b.sources) != 1 || len(s.own.List()) != 1 {
		refuse("CONNECT BY of several tables")
	}
	src := b.sources[0]
	t := &hierarchy{s: s, at: s.own.List()[0], level: b.c.Slot(1)}
	t.prior = b.c.Slot(b.c.Widths[t.at])
	parent := &source{alias: src.alias, schema: src.schema}
	for _, c := range src.cols {
		if c.e.Shape != expression.Column || c.e.Slot != t.at {
			refuse("CONNECT BY of a query with expressions")
		}
		parent.cols = append(parent.cols, sourceColumn{name: c.name, e: columnExpr(t.prior, c.e.Ord, c.e.Type, true, c.name), hidden: c.hidden})
	}
	b.pseudo["LEVEL"] = columnExpr(t.level, 0, datatype.Of(datatype.Number), false, "LEVEL")
	if x.StartWith != nil {
		t.start = b.cond(x.StartWith)
	}
	b.prior = b.with(parent)
	t.connect = b.cond(x.ConnectBy)
	if t.connect.Refs.Has(s.rownum.Slot) || t.start != nil && t.start.Refs.Has(s.rownum.Slot) { // documented for WHERE only
		refuse("ROWNUM in CONNECT BY and START WITH: use LEVEL")
	}
	t.loops = t.connect.Refs.Has(t.prior.Slot)
	s.tree = t
}

// plan builds the tree of all rows, depth first, and then applies WHERE.
func (t *hierarchy) plan(p *optimizer.Block, where []*Expr) optimizer.Plan {
	c := t.s.b.c
	p.Goal = 0
	for col := range c.Widths[t.at] { // conditions need any column
		if tab := c.tables[t.at]; tab != nil {
			p.Need = p.Need.With(tab.at.Column(col))
		}
	}
	pl := p.Plan(t.s.rel, nil, nil)
	child := pl.Op
	pl.Op = query.OpFunc(func(fr *query.Frame) query.Iter { return &treeIter{t: t, fr: fr, child: child} })
	if pred := optimizer.All(c.conds(where)); pred != nil {
		pl.Op = &query.Filter{Child: pl.Op, Pred: pred}
	}
	return pl
}

type treeIter struct {
	t     *hierarchy
	fr    *query.Frame
	child query.Op
	rows  []query.Tuple
	read  bool
	stack []branch // the path to the row that was returned last
}

// maxLevels is the maximum depth of a hierarchy.
const maxLevels = 1 << 20

// branch is a row of the path and which rows have been looked at as its children.
type branch struct {
	row  int
	next int
}

func (it *treeIter) Next() bool {
	if !it.read {
		it.read = true
		query.Each(it.fr, it.child, func() bool {
			it.rows = append(it.rows, it.fr.Slots[it.t.at])
			return true
		})
		it.stack = []branch{{row: -1}}
	}
	for len(it.stack) > 0 {
		top := &it.stack[len(it.stack)-1]
		if top.next == len(it.rows) {
			it.stack = it.stack[:len(it.stack)-1]
			continue
		}
		row := top.next
		top.next++
		if it.fr.Step(); it.visit(top.row, row) {
			if len(it.stack) > maxLevels {
				fail(30009, "CONNECT BY")
			}
			it.stack = append(it.stack, branch{row: row})
			return true
		}
	}
	return false
}

// visit moves to a row as a child of parent (-1: as a root), if it is one.
func (it *treeIter) visit(parent, row int) bool {
	t := it.t
	it.fr.Slots[t.at] = it.rows[row]
	it.fr.Slots[t.level.Slot] = query.Tuple{Row: value.Row{value.NewInt(int64(len(it.stack)))}}
	if parent < 0 {
		return t.start == nil || t.start.Eval(it.fr).IsTrue()
	}
	it.fr.Slots[t.prior.Slot] = it.rows[parent]
	if !t.connect.Eval(it.fr).IsTrue() {
		return false
	}
	if t.loops {
		for _, b := range it.stack {
			if b.row == row {
				if !t.s.q.NoCycle {
					fail(1436)
				}
				return false
			}
		}
	}
	return true
}

func (it *treeIter) Close() {}
