package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// compiler holds what the parts of one statement share while it is compiled.
type compiler struct {
	expression.Layout
	sc      Scope
	defs    []definition // of the tables that the statement reads or writes
	plsql   bool
	locking bool    // it has FOR UPDATE, for which READ on a table is not enough
	stored  bool    // of a table's definition, where text is compared as bytes whatever a session sets
	rowOnly bool    // an expression over one row: no subqueries
	foreign bool    // something came from the scope: a variable, the clock, a user-defined function
	formats formats // the session's, once requested
	paths   []string
	drawn   map[*catalog.Sequence]bool // sequences that the statement refers to
	pos     ast.Pos                    // of what is being bound, for errors
	tables  map[int]*tableRel          // the stored tables, by slot
}

// definition is a table as it was when a statement was compiled for it.
type definition struct {
	object *catalog.Object
	def    any
}

// uses records that the statement depends on an object.
func (c *compiler) uses(o *catalog.Object) {
	c.sc.Uses(o)
	if _, ok := o.Def.(*catalog.Table); ok {
		c.defs = append(c.defs, definition{o, o.Def})
	}
}

func newCompiler(sc Scope) *compiler { return &compiler{sc: sc, plsql: sc.PLSQL()} }

// binder returns the names at the outermost level.
func (c *compiler) binder() *binder { return &binder{c: c} }

// formats gives the session's clock and formats while something runs.
type formats func(fr *query.Frame) *datatype.Env

// format asks the session once in a run.
func (c *compiler) format() formats {
	if c.formats == nil {
		plsql, memo := c.plsql, c.Memo()
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

// formatFor is format for operands of these types: if none depends on the session, the session is not asked.
func (c *compiler) formatFor(types ...datatype.Type) formats {
	if timeless(types...) {
		return neutral(c.plsql)
	}
	return c.format()
}

// neutral is used where nothing depends on the session.
func neutral(plsql bool) formats {
	e := &datatype.Env{PLSQL: plsql}
	return func(*query.Frame) *datatype.Env { return e }
}

// source is something with columns that a FROM clause names.
type source struct {
	alias  string // the exposed name; "" for the merged columns of USING
	schema string // of a table without alias: t.c may be written s.t.c
	cols   []sourceColumn
	view   string // of a dictionary view: its name
	rowid  *Expr  // of a table
}

type sourceColumn struct {
	name   string
	e      *Expr
	hidden bool // not included in *
	merged bool // from USING: only named without qualifier, in a separate source
}

// outColumn is a column of a query.
type outColumn struct {
	name string
	e    *Expr
}

// binder holds what can be named at a place in a statement.
type binder struct {
	c       *compiler
	outer   *binder
	sources []*source
	ctes    *cteScope
	// pseudo has ROWNUM, LEVEL, CONNECT_BY_ISLEAF and CONNECT_BY_ISCYCLE where the query has them.
	pseudo map[string]*Expr
	prior  *binder           // the names that PRIOR x sees; nil: not allowed
	group  *grouping         // set where only grouping expressions and aggregates may be named
	gather *gathering        // where aggregates and analytic functions of this query go; nil: not allowed
	free   *expression.Usage // what was used from outer queries
	marked *optimizer.Slots  // tables whose columns the condition marks with (+); nil: (+) is not allowed
	noSeq  bool              // sequences are not allowed here: WHERE, subqueries, DISTINCT, ORDER BY (ORA-02287)
	noPLS  bool              // binds and PL/SQL's own syntax are not known here: the body of a view
	values bool              // VALUES of INSERT: there are no columns (ORA-00984)
}

// inner returns the binder of a subquery.
func (b *binder) inner() *binder {
	return &binder{c: b.c, outer: b, ctes: b.ctes, free: new(expression.Usage), noSeq: true, noPLS: b.noPLS}
}

// plain returns b without grouping and gathering, for the arguments of aggregates.
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
