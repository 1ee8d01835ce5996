package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// compiler is what the parts of one statement share while it is compiled.
type compiler struct {
	sc      Scope
	defs    []definition // of the tables that the statement reads or writes
	plsql   bool
	locking bool  // it has FOR UPDATE, for which READ on a table is not enough
	stored  bool  // of a table's definition, where text is compared as bytes whatever a session asks
	rowOnly bool  // an expression over one row: no subqueries
	foreign bool  // something came from the scope: a variable, the clock, a user-defined function
	widths  []int // of each slot
	cols    int   // columns of all slots
	memos   int
	starts  []start
	formats formats // of the session, once something has asked
	access  []string
	drawn   map[*catalog.Sequence]bool // sequences that the statement refers to
	pos     ast.Pos                    // of what is being bound: where an error is
	tables  map[int]*tableRel          // the stored tables, by slot
}

// definition is a table as it was when a statement was compiled for it.
type definition struct {
	object *catalog.Object
	def    any
}

// uses notes that the statement depends on an object.
func (c *compiler) uses(o *catalog.Object) {
	c.sc.Uses(o)
	if _, ok := o.Def.(*catalog.Table); ok {
		c.defs = append(c.defs, definition{o, o.Def})
	}
}

func newCompiler(sc Scope) *compiler { return &compiler{sc: sc, plsql: sc.PLSQL()} }

// binder returns the names at the outermost level.
func (c *compiler) binder() *binder { return &binder{c: c} }

// slot allots a slot for rows of a number of columns.
func (c *compiler) slot(width int) slotRef {
	s := slotRef{slot: len(c.widths), base: c.cols, width: width}
	c.widths = append(c.widths, width)
	c.cols += width
	return s
}

// memo allots what a closure remembers for the length of a run.
func (c *compiler) memo() int { c.memos++; return c.memos - 1 }

// start is something that has one value for a whole statement, however long it waits for locks.
type start struct {
	key  string
	memo int
	eval query.Expr
}

// size is how large a frame a compiled thing needs, and what is evaluated when it starts.
type size struct {
	slots, memos int
	starts       []start
}

func (c *compiler) size() size { return size{len(c.widths), c.memos, c.starts} }

// frame starts a run: it evaluates what is the same throughout.
func (s size) frame(env Env) *query.Frame {
	fr := query.NewFrame(env, s.slots, s.memos)
	for _, st := range s.starts {
		fr.Memos[st.memo] = st.eval(fr)
	}
	return fr
}

// formats gives the session's clock and formats while something runs.
type formats func(fr *query.Frame) *datatype.Env

// format asks the session once in a run.
func (c *compiler) format() formats {
	if c.formats == nil {
		plsql, memo := c.plsql, c.memo()
		c.formats = func(fr *query.Frame) *datatype.Env {
			e, ok := fr.Memos[memo].(*datatype.Env)
			if !ok {
				e = env(fr).Format(plsql)
				fr.Memos[memo] = e
			}
			return e
		}
	}
	return c.formats
}

// formatFor is format for what has operands of these types: if none of them depends on the session, it is not asked.
func (c *compiler) formatFor(types ...datatype.Type) formats {
	if timeless(types...) {
		return neutral(c.plsql)
	}
	return c.format()
}

// neutral is for what does not depend on the session.
func neutral(plsql bool) formats {
	e := &datatype.Env{PLSQL: plsql}
	return func(*query.Frame) *datatype.Env { return e }
}

// source is something with columns that a FROM clause names.
type source struct {
	alias  string // the exposed name; "" for the merged columns of USING
	schema string // of a table without alias: t.c may be written s.t.c
	cols   []sourceColumn
}

type sourceColumn struct {
	name   string
	e      *Expr
	hidden bool // not of *
	merged bool // of USING: only without qualifier, in a source of its own
}

// outColumn is a column of a query.
type outColumn struct {
	name string
	e    *Expr
}

// usage is what a query uses of the queries around it.
type usage struct{ slots, cols optimizer.Slots }

func (u *usage) add(e *Expr) {
	if u != nil {
		u.slots, u.cols = u.slots.Union(e.refs), u.cols.Union(e.cols)
	}
}

// binder is what can be named at a place of a statement.
type binder struct {
	c       *compiler
	outer   *binder
	sources []*source
	ctes    *cteScope
	// pseudo has ROWNUM, LEVEL, CONNECT_BY_ISLEAF and CONNECT_BY_ISCYCLE where the query has them.
	pseudo map[string]*Expr
	prior  *binder    // what PRIOR x sees; nil: not allowed
	group  *grouping  // set where only grouping expressions and aggregates may be named
	gather *gathering // where aggregates and analytic functions of this query go; nil: not allowed
	free   *usage     // what of outer queries was used
	noSeq  bool       // sequences are not allowed here: WHERE, subqueries, DISTINCT, ORDER BY (ORA-02287)
	noPLS  bool       // binds and PL/SQL's own syntax are not known here: the body of a view
}

// inner returns the binder of a subquery.
func (b *binder) inner() *binder {
	return &binder{c: b.c, outer: b, ctes: b.ctes, free: new(usage), noSeq: true, noPLS: b.noPLS}
}

// plain returns b without grouping and gathering: for the arguments of aggregates.
func (b *binder) plain() *binder {
	p := *b
	p.group, p.gather = nil, nil
	return &p
}

// with returns b with other sources: for ON clauses and RETURNING.
func (b *binder) with(sources ...*source) *binder {
	p := *b
	p.sources = sources
	return &p
}

// grouping is what may be named after GROUP BY.
type grouping struct {
	at   slotRef          // the row of a group: by, then the results of aggregates
	by   []*Expr          // the expressions of GROUP BY, as they are before it
	keys map[string]*Expr // canonical text of a grouping expression: its column in the group's row
}

// gathering collects the aggregates and analytic functions that a query's expressions use.
type gathering struct {
	group   *grouping // nil: the query is not grouped
	aggs    []boundAgg
	windows []*window
}

// boundAgg is an aggregate; its result is column len(by)+i of the group's row.
type boundAgg struct {
	key     string
	agg     query.Agg
	arg     *Expr // nil: COUNT(*)
	extreme int   // MIN: -1, MAX: 1
}

// window is the analytic functions of a query that share PARTITION BY and ORDER BY.
type window struct {
	at    slotRef // the result of calls[i] is column i
	key   string
	part  []*Expr
	order []orderKey
	calls []*analytic
	cols  optimizer.Slots // the columns that they read
}

// analytic is a call with OVER.
type analytic struct {
	name string
	call *ast.Call
	args []*Expr // without the * of COUNT(*)
}

// orderKey is an element of an ORDER BY.
type orderKey struct {
	e          *Expr
	desc       bool
	nullsFirst bool
}

// groupKey is the image of expressions under which equal rows are equal (GROUP BY, DISTINCT).
func groupKey(exprs []*Expr) query.Key {
	return func(fr *query.Frame, dst []byte) []byte {
		for _, e := range exprs {
			dst = datatype.AppendKey(dst, e.Eval(fr), collated(fr, e.Type), false, false)
		}
		return dst
	}
}

// sortKey is the image of an ORDER BY.
func sortKey(order []orderKey) query.Key {
	return func(fr *query.Frame, dst []byte) []byte {
		for _, o := range order {
			dst = datatype.AppendKey(dst, o.e.Eval(fr), collated(fr, o.e.Type), o.desc, o.nullsFirst)
		}
		return dst
	}
}
