package plsql

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/builtin"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
)

// lookup finds what a dotted name begins with, and the names after it: *variable, *Type, *exception, *cursor,
// *overloads or a *Unit that is a package. A Unit that is a subprogram is found as its *overloads. It returns nil if
// nothing is known by that name.
//
// The order is that of the Language Reference ("PL/SQL Name Resolution"): blocks and subprograms from the inside out,
// the package, STANDARD, then the schema.
func (c *compiler) lookup(ref *ast.Ref) (x any, rest []ast.Name) {
	parts := ref.Parts
	for n := c.names; n != nil; n = n.outer {
		if x, ok := n.list[parts[0].Text]; ok {
			if _, wrong := x.(*broken); wrong {
				fail(ref, 320)
			}
			return x, parts[1:]
		}
		if n.label == parts[0].Text && n.label != "" && len(parts) > 1 {
			if x, ok := n.list[parts[1].Text]; ok {
				return x, parts[2:]
			}
		}
	}
	if x, rest := c.own(parts); x != nil {
		return x, rest
	}
	last := parts[len(parts)-1].Text
	if len(parts) == 1 || parts[0].Text == "STANDARD" && len(parts) == 2 {
		if e := predefined(last); e != nil {
			return e, nil
		}
	}
	return c.outside(ref)
}

// own finds a name that is qualified by the package's, or by owner and package.
func (c *compiler) own(parts []ast.Name) (any, []ast.Name) {
	if c.unit == nil || len(parts) < 2 {
		return nil, nil
	}
	if parts[0].Text == c.unit.Owner && len(parts) > 2 && parts[1].Text == c.unit.Name {
		parts = parts[1:]
	}
	if parts[0].Text != c.unit.Name {
		return nil, nil
	}
	for n := c.names; n != nil; n = n.outer {
		if n.level == 0 && n.label == "" {
			if x, ok := n.list[parts[1].Text]; ok {
				return x, parts[2:]
			}
		}
	}
	return nil, nil
}

// outside finds a unit of the schema, and in a package the member named after it.
func (c *compiler) outside(ref *ast.Ref) (any, []ast.Name) {
	u, rest, err := c.lib.Unit(ref)
	raiseAt(ref, err)
	if u == nil {
		return nil, nil
	}
	if u.Kind != ast.KindPackage {
		return u.names.list[u.Name], rest
	}
	if len(rest) == 0 {
		return u, nil
	}
	x, ok := u.names.list[rest[0].Text]
	if !ok && u.Owner == "SYS" {
		refuse(rest[0], "%s.%s", u.Name, rest[0].Text)
	}
	if !ok {
		fail(rest[0], 302, rest[0].Text)
	}
	return exported(u, x), rest[1:]
}

// exported returns a name in a package's specification as other units see it.
func exported(u *Unit, x any) any {
	if v, ok := x.(*variable); ok {
		o := *v
		o.owner = u
		return &o
	}
	return x
}

// isDesignator reports whether an expression as a whole may name something in PL/SQL.
func isDesignator(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Ref, *ast.Call, *ast.Field, *ast.Attribute, *ast.Bind:
		return true
	}
	return false
}

// builtin reports whether a call is one of SQL's functions, which plan compiles; a declaration with that name hides it.
func (c *compiler) builtin(e ast.Expr) bool {
	call, ok := e.(*ast.Call)
	if !ok {
		return false
	}
	ref, ok := call.Func.(*ast.Ref)
	if !ok || len(ref.Parts) != 1 {
		return false
	}
	for n := c.names; n != nil; n = n.outer {
		if _, ok := n.list[ref.Parts[0].Text]; ok {
			return false
		}
	}
	_, ok = builtin.Lookup(ref.Parts[0].Text)
	return ok
}

func undeclared(at ast.Node, name string) {
	if err := catalog.Elsewhere(name); err != nil && strings.Contains(name, ".") {
		panic(err)
	}
	fail(at, 201, name)
}
