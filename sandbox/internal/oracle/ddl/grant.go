package ddl

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// grant is GRANT and REVOKE. Everything is checked before anything is changed.
func (x *run) grant(n *ast.Grant) {
	var to []*catalog.User
	for _, name := range n.To {
		u := x.cat.Grantee(name.Text)
		if u == nil {
			panic(message.ORA(1917, name.Text))
		}
		to = append(to, u)
	}
	if n.On != nil {
		x.grantOn(n, to)
		return
	}
	if n.User != nil {
		x.grantOnUser(n)
		return
	}
	var changes []func() error
	for _, p := range n.Privileges {
		for _, u := range to {
			fn := x.grantGeneral(n, p, u)
			changes = append(changes, fn...)
		}
	}
	for _, fn := range changes {
		query.Check(fn())
	}
}

// grantGeneral returns the function that grants or revokes a system privilege or role.
func (x *run) grantGeneral(n *ast.Grant, p ast.Privilege, u *catalog.User) []func() error {
	if n.WithGrant {
		panic(message.ORA(990))
	}
	if role := x.cat.Grantee(p.Name); role != nil && role.Role && role.Name != catalog.Public {
		return x.grantRole(n, role, u)
	}
	names := []string{p.Name}
	switch {
	case p.Name == "ALL PRIVILEGES":
		names = catalog.SystemPrivileges()
	case !catalog.IsSystemPrivilege(p.Name):
		if catalog.IsObjectPrivilege(p.Name) || len(p.Name) > 0 && slices.Contains([]byte(p.Name), ' ') {
			panic(message.ORA(990))
		}
		panic(query.Raised(message.ORA(1919, p.Name)))
	}
	var out []func() error
	for _, name := range names {
		switch {
		case !x.cat.MayAdminister(x.rights, name, false):
			panic(catalog.ErrPrivileges())
		case name == "UNLIMITED TABLESPACE" && u.Role && u.Name != catalog.Public && !n.Revoke:
			panic(message.ORA(1931))
		case n.Revoke && !slices.ContainsFunc(u.System, func(g catalog.SystemGrant) bool { return g.Privilege == name }):
			panic(message.ORA(1952, u.Name))
		case n.Revoke:
			out = append(out, func() error { x.cat.RevokeSystem(u, name); return nil })
		default:
			out = append(out, func() error { x.cat.GrantSystem(u, name, false); return nil })
		}
	}
	return out
}

func (x *run) grantRole(n *ast.Grant, role, u *catalog.User) []func() error {
	switch {
	case !x.cat.MayAdminister(x.rights, role.Name, true):
		if x.cat.HasRole(x.rights, role.Name) {
			panic(message.ORA(1932, role.Name))
		}
		panic(message.ORA(1924, role.Name))
	case !n.Revoke:
		return []func() error{func() error {
			if err := x.cat.GrantRole(u, role.Name, false); err != nil {
				return err
			}
			if role.Name == "DBA" && !u.Role { // comes with the role and remains when the role is revoked from others
				x.cat.GrantSystem(u, "UNLIMITED TABLESPACE", false)
			}
			return nil
		}}
	case !slices.ContainsFunc(u.Roles, func(g catalog.RoleGrant) bool { return g.Role == role.Name }):
		panic(message.ORA(1951, role.Name, u.Name))
	}
	return []func() error{func() error {
		x.cat.RevokeRole(u, role.Name)
		if role.Name == "DBA" {
			x.cat.RevokeSystem(u, "UNLIMITED TABLESPACE")
		}
		return nil
	}}
}

// grantOn grants or revokes privileges on an object.
func (x *run) grantOn(n *ast.Grant, to []*catalog.User) {
	o, rest, err := x.cat.Resolve(x.rights, x.Schema(), n.On)
	query.Check(err)
	if o == nil {
		o, rest = x.job(n.On), nil
	}
	if o == nil || len(rest) > 0 {
		panic(catalog.ErrNoTable())
	}
	all := catalog.ObjectPrivileges(o.Kind)
	var names []string
	for _, p := range n.Privileges {
		switch {
		case !catalog.IsObjectPrivilege(p.Name) && p.Name != "ALL" && p.Name != "ALL PRIVILEGES":
			panic(message.ORA(990))
		case p.Name == "ALL" || p.Name == "ALL PRIVILEGES":
			names = append(names, all...)
		case !slices.Contains(all, p.Name):
			if slices.Contains(catalog.SchedulerKinds(), o.Kind) {
				panic(sqlerr.NotSupported("%s on a %s", p.Name, o.Kind))
			}
			wrongPrivilege(p.Name, o.Kind)
			return
		default:
			names = append(names, p.Name)
		}
	}
	grantor := x.rights.User
	if grantor != o.Owner && (grantor == catalog.Sys || x.cat.Has(x.rights, "GRANT ANY OBJECT PRIVILEGE")) {
		grantor = o.Owner // as if the owner had granted it
	}
	for _, u := range to {
		switch {
		case u.Name == x.rights.User:
			panic(message.ORA(1749))
		case u.Role && u.Name != catalog.Public && n.WithGrant:
			panic(message.ORA(1926))
		}
		for _, p := range names {
			if n.Revoke {
				if !x.cat.Granted(o, u.Name, p, grantor) && len(n.Privileges) == len(names) {
					panic(message.ORA(1927))
				}
			} else if !x.cat.Grantable(x.rights, p, o) {
				panic(catalog.ErrPrivileges())
			}
		}
	}
	for _, u := range to {
		for _, p := range names {
			if n.Revoke {
				x.cat.RevokeObject(o, u.Name, p, grantor)
			} else {
				x.cat.GrantObject(o, catalog.ObjectGrant{Grantee: u.Name, Privilege: p, Grantor: grantor, Grantable: n.WithGrant})
			}
		}
	}
}

// grantOnUser is GRANT INHERIT PRIVILEGES ON USER. It changes nothing: PUBLIC has that privilege on every user from the
// beginning (Security Guide, "Grants of the INHERIT PRIVILEGES Privilege to Other Users"), and the sandbox refuses to revoke it.
func (x *run) grantOnUser(n *ast.Grant) {
	name := n.User.Text
	switch user := x.cat.User(name); {
	case user == nil:
		panic(message.ORA(1918, name))
	case n.WithGrant, x.rights.User != name && x.rights.User != catalog.Sys && !x.cat.Has(x.rights, "GRANT ANY OBJECT PRIVILEGE"):
		panic(sqlerr.NotSupported("INHERIT PRIVILEGES ON USER, but by that user or who may grant all object privileges"))
	}
}

// job finds a job by a name of one or two parts; nil if there is none that the user may know about.
func (x *run) job(ref *ast.Ref) *catalog.Object {
	schema, name := x.Schema(), ref.Parts[0].Text
	if len(ref.Parts) == 2 {
		schema, name = name, ref.Parts[1].Text
	}
	o := x.cat.Job(schema, name)
	if o == nil || len(ref.Parts) > 2 || !x.cat.Visible(x.rights, o) {
		return nil
	}
	return o
}

// wrongPrivilege returns the error for a privilege that objects of that kind do not have.
func wrongPrivilege(name string, kind ast.ObjectKind) {
	switch kind {
	case ast.KindTable, ast.KindView:
		if name == "EXECUTE" {
			panic(message.ORA(2224))
		}
		panic(message.ORA(2204))
	case ast.KindSequence:
		panic(message.ORA(2205))
	}
	panic(message.ORA(2225))
}
