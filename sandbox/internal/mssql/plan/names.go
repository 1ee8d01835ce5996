package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
)

// compiler is what the parts of one statement share while it is compiled.
type compiler struct {
	db *catalog.Database
	expression.Layout
	uses   []Use
	paths  []string
	via    []*catalog.Object
	hints  queryHints
	tables map[int]*tableRel // by slot
	opaque map[int]*opRel    // derived tables that were not merged, by slot
}

// use records a permission that the statement needs, once.
func (c *compiler) use(o *catalog.Object, permission string) *Use {
	for i := range c.uses {
		if u := &c.uses[i]; u.Object == o && u.Permission == permission && slices.Equal(u.Via, c.via) {
			return u
		}
	}
	c.uses = append(c.uses, Use{Object: o, Permission: permission, Via: slices.Clone(c.via)})
	return &c.uses[len(c.uses)-1]
}

// source is something with columns that a FROM clause names.
type source struct {
	alias  string          // the exposed name
	schema string          // of a table without alias: t.c may be written s.t.c
	shown  string          // how such a table is written
	object *catalog.Object // the object whose columns need SELECT permission
	cols   []sourceColumn
}

type sourceColumn struct {
	name string
	e    *expr
}

// names is what can be named at a place of a statement.
type names struct {
	c       *compiler
	sc      Scope
	outer   *names
	sources []*source
	ctes    *cteScope
	params  map[string]*expr  // arguments of the inline function that is being expanded
	group   *grouping         // set where only group keys and aggregates may be named
	gather  *gathering        // where aggregates and window functions of this query go; nil: not allowed
	free    *expression.Usage // what was used of outer queries
	hints   tableHints        // given to the view that is being expanded: passed on to its tables
}

// inner returns the names of a subquery.
func (n *names) inner() *names {
	return &names{c: n.c, sc: n.sc, outer: n, ctes: n.ctes, free: new(expression.Usage)}
}

// plain returns n without grouping and gathering: for the arguments of aggregates.
func (n *names) plain() *names {
	p := *n
	p.group, p.gather = nil, nil
	return &p
}

// with returns n with other sources: for ON clauses and OUTPUT.
func (n *names) with(sources ...*source) *names {
	p := *n
	p.sources = sources
	return &p
}

func (n *names) same(a, b string) bool { return catalog.SameName(n.c.db.Collation, a, b) }

func idents(m *ast.MultiPartIdentifier) []string {
	if m == nil {
		return nil
	}
	return identifiers(m.Identifiers)
}

// resolve finds a column by its one to four parts.
func (n *names) resolve(parts []string) *expr {
	known := false // whether the qualifier is known somewhere
	for s := n; s != nil; s = s.outer {
		e, alias, qualifier := s.local(parts)
		known = known || qualifier
		if e == nil {
			continue
		}
		if s.group != nil {
			e = s.group.column(e, alias)
		}
		for crossed := n; crossed != s; crossed = crossed.outer {
			crossed.free.Add(e.Refs, e.Cols)
		}
		return e
	}
	name := parts[len(parts)-1]
	if len(parts) > 1 && !known {
		panic(message.MS(4104, strings.Join(parts, ".")))
	}
	panic(message.MS(207, name))
}

// local finds a column among the sources of this level, and the source's name; qualifier reports whether one of them
// has the name before the dot.
func (n *names) local(parts []string) (found *expr, alias string, qualifier bool) {
	name := parts[len(parts)-1]
	for _, src := range n.sources {
		if !n.matches(src, parts[:len(parts)-1]) {
			continue
		}
		qualifier = len(parts) > 1
		for i := range src.cols {
			if !n.same(src.cols[i].name, name) {
				continue
			}
			if found != nil {
				panic(message.MS(209, name))
			}
			found, alias = src.cols[i].e, cmp.Or(src.shown, src.alias)
			if src.object != nil {
				n.c.use(src.object, "SELECT").read = true
			}
		}
	}
	return found, alias, qualifier
}

// matches reports whether a qualifier (db.schema.table, from the right) means the source.
func (n *names) matches(src *source, qualifier []string) bool {
	if len(qualifier) == 0 {
		return true
	}
	last := len(qualifier) - 1
	if !n.same(src.alias, qualifier[last]) {
		return false
	}
	if last >= 1 && (src.schema == "" || !n.same(src.schema, qualifier[last-1])) {
		return false
	}
	if last >= 2 && qualifier[last-2] != "" && !n.same(n.c.db.Name, qualifier[last-2]) {
		return false
	}
	return last < 3
}

// findSource finds a source of this level by its exposed name.
func (n *names) findSource(qualifier []string) *source {
	for _, src := range n.sources {
		if n.matches(src, qualifier) {
			return src
		}
	}
	return nil
}
