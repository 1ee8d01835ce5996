package ddl

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// drop is DROP of any object. A table is gone for good, with or without PURGE: there is no recycle bin, as with
// RECYCLEBIN = OFF.
func (x *run) drop(n *ast.Drop) {
	switch n.Kind {
	case ast.KindUser:
		x.dropUser(n)
		return
	case ast.KindRole:
		x.dropRole(n)
		return
	case ast.KindIndex:
		x.dropIndex(n)
		return
	case ast.KindSynonym:
		x.dropSynonym(n)
		return
	}
	o := x.cat.ResolveIn(x.rights, x.Schema(), n.Name, n.Kind)
	if o == nil || o.Kind != n.Kind {
		missing(n)
		return
	}
	if _, ok := o.Def.(*catalog.SystemView); ok || o.Owner == catalog.Sys && x.rights.User != catalog.Sys {
		panic(catalog.ErrPrivileges())
	}
	if !x.cat.Allowed(x.rights, "DROP", o) {
		panic(catalog.ErrPrivileges())
	}
	if o.Generated && o.Kind == ast.KindSequence {
		panic(message.ORA(32794))
	}
	if t, ok := o.Def.(*catalog.Table); ok {
		query.Check(x.lock(t))
	}
	x.remove(o)
}

// remove deletes an object and what is part of it: a package's body, the sequence of an identity column.
func (x *run) remove(o *catalog.Object) {
	x.cat.Remove(o)
	if o.Kind == ast.KindPackage {
		if body := x.cat.Body(o.Owner, o.Name); body != nil {
			x.cat.Remove(body)
		}
	}
	if t, ok := o.Def.(*catalog.Table); ok {
		for _, c := range t.Columns {
			if c.Identity != nil {
				x.removeSequence(o.Owner, c.Identity.Sequence)
			}
		}
	}
}

func (x *run) removeSequence(owner string, s *catalog.Sequence) {
	for _, o := range slices.Collect(x.cat.Objects(owner)) {
		if o.Def == any(s) {
			x.cat.Remove(o)
		}
	}
}

func missing(n *ast.Drop) {
	switch n.Kind {
	case ast.KindTable, ast.KindView:
		panic(catalog.ErrNoTable())
	case ast.KindSequence:
		panic(message.ORA(2289))
	case ast.KindTrigger:
		panic(message.ORA(4080, n.Name.Parts[len(n.Name.Parts)-1].Text))
	}
	panic(message.ORA(4043, n.Name.Parts[len(n.Name.Parts)-1].Text))
}

func (x *run) dropSynonym(n *ast.Drop) {
	if n.Public {
		o := x.cat.Object(catalog.Public, n.Name.Parts[0].Text)
		switch {
		case o == nil:
			panic(message.ORA(1432))
		case !x.cat.Has(x.rights, "DROP PUBLIC SYNONYM"):
			panic(catalog.ErrPrivileges())
		}
		x.cat.Remove(o)
		return
	}
	o := x.cat.ResolveIn(x.rights, x.Schema(), n.Name, ast.KindSynonym)
	switch {
	case o == nil || o.Kind != ast.KindSynonym:
		panic(message.ORA(1434))
	case o.Owner != x.rights.User && !x.cat.Has(x.rights, "DROP ANY SYNONYM"):
		panic(catalog.ErrPrivileges())
	}
	x.cat.Remove(o)
}

func (x *run) dropUser(n *ast.Drop) {
	if !x.cat.Has(x.rights, "DROP USER") {
		panic(catalog.ErrPrivileges())
	}
	name := n.Name.Parts[0].Text
	u := x.cat.User(name)
	switch {
	case u == nil:
		panic(message.ORA(1918, name))
	case name == catalog.Sys || name == "SYSTEM":
		panic(message.ORA(28050))
	case x.Connected(name):
		panic(message.ORA(1940))
	}
	objects := slices.Collect(x.cat.Objects(name))
	if len(objects) > 0 && !n.Cascade {
		panic(message.ORA(1922, name))
	}
	for _, o := range objects {
		if t, ok := o.Def.(*catalog.Table); ok {
			query.Check(x.lock(t))
		}
	}
	query.Check(x.DropOwner(name))
	x.cat.DropUser(u)
}

func (x *run) dropRole(n *ast.Drop) {
	name := n.Name.Parts[0].Text
	u := x.cat.Grantee(name)
	switch {
	case u == nil || !u.Role || name == catalog.Public:
		panic(query.Raised(message.ORA(1919, name)))
	case !x.cat.Has(x.rights, "DROP ANY ROLE") && !x.cat.MayAdminister(x.rights, name, true):
		panic(catalog.ErrPrivileges())
	}
	x.cat.DropUser(u)
}
