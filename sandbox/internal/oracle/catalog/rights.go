package catalog

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// Rights says whose privileges apply: those of a session, or of a unit with AUTHID CURRENT_USER outside any definer's,
// are a user's with roles; those of a definer's rights unit are its owner's without roles. PUBLIC's always apply.
type Rights struct {
	User  string
	Roles bool
}

// holders returns the user, role and PUBLIC entries whose grants apply.
func (c *Catalog) holders(r Rights) []*User {
	names := []string{r.User, Public}
	if r.Roles {
		names = append(names, c.rolesOf(r.User)...)
		for _, n := range c.rolesOf(Public) {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	var out []*User
	for _, n := range names {
		if u := c.Grantee(n); u != nil {
			out = append(out, u)
		}
	}
	return out
}

// Has reports whether the rights include a system privilege. SYS has all.
func (c *Catalog) Has(r Rights, privilege string) bool {
	if r.User == Sys {
		return true
	}
	return slices.ContainsFunc(c.holders(r), func(u *User) bool {
		return slices.ContainsFunc(u.System, func(g SystemGrant) bool { return g.Privilege == privilege })
	})
}

// HasRole reports whether a role is enabled.
func (c *Catalog) HasRole(r Rights, role string) bool {
	return r.Roles && slices.Contains(c.rolesOf(r.User), role)
}

// SessionPrivileges returns the system privileges in the rights, by name: SESSION_PRIVS.
func (c *Catalog) SessionPrivileges(r Rights) []string {
	if r.User == Sys {
		return SystemPrivileges()
	}
	var out []string
	for _, u := range c.holders(r) {
		for _, g := range u.System {
			out = append(out, g.Privilege)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// SessionRoles returns the roles in the rights, by name: SESSION_ROLES.
func (c *Catalog) SessionRoles(r Rights) []string {
	if !r.Roles {
		return nil
	}
	return c.rolesOf(r.User)
}

// MayAdminister reports whether the rights may grant and revoke a system privilege (role false) or a role.
func (c *Catalog) MayAdminister(r Rights, name string, role bool) bool {
	if r.User == Sys || c.Has(r, map[bool]string{false: "GRANT ANY PRIVILEGE", true: "GRANT ANY ROLE"}[role]) {
		return true
	}
	return slices.ContainsFunc(c.holders(r), func(u *User) bool {
		if role {
			return slices.Contains(u.Roles, RoleGrant{name, true})
		}
		return slices.Contains(u.System, SystemGrant{name, true})
	})
}

// Allowed reports whether the rights allow a use of an object: always for the owner, otherwise by a grant or an ANY
// privilege. privilege is that of an object: SELECT, INSERT, EXECUTE, ALTER … READ is enough for SELECT without FOR UPDATE;
// SELECT includes it.
func (c *Catalog) Allowed(r Rights, privilege string, o *Object) bool {
	if r.User == o.Owner || r.User == Sys {
		return true
	}
	if c.allowedByGrant(r, privilege, o) || privilege == "READ" && c.allowedByGrant(r, "SELECT", o) {
		return true
	}
	return slices.ContainsFunc(anyPrivileges(privilege, o), func(p string) bool { return c.Has(r, p) })
}

// Grantable reports whether the rights may grant a privilege on an object to others.
func (c *Catalog) Grantable(r Rights, privilege string, o *Object) bool {
	if r.User == o.Owner || r.User == Sys {
		return true
	}
	for _, u := range c.holders(r) {
		for _, g := range c.grantsTo(o, u.Name) {
			if g.Privilege == privilege && g.Grantable {
				return true
			}
		}
	}
	return c.Has(r, "GRANT ANY OBJECT PRIVILEGE") && o.Owner != Sys
}

// Visible reports whether the rights may know about an object: those of its owner, or with any privilege on it, or with an ANY
// privilege for its kind. Synonyms are never hidden; what they refer to may be.
func (c *Catalog) Visible(r Rights, o *Object) bool {
	if r.User == o.Owner || r.User == Sys || o.Kind == ast.KindSynonym {
		return true
	}
	if x, ok := o.Def.(*Index); ok {
		return c.Visible(r, x.Table)
	}
	if o.Kind == ast.KindPackageBody { // EXECUTE on the package is not enough to see it
		return slices.ContainsFunc(anyPrivileges("DEBUG", o), func(p string) bool { return c.Has(r, p) })
	}
	if slices.ContainsFunc(c.holders(r), func(u *User) bool { return c.grantsTo(o, u.Name) != nil }) {
		return true
	}
	return slices.ContainsFunc(anyPrivileges("", o), func(p string) bool { return c.Has(r, p) })
}

func (c *Catalog) allowedByGrant(r Rights, privilege string, o *Object) bool {
	return slices.ContainsFunc(c.holders(r), func(u *User) bool {
		return slices.ContainsFunc(c.grantsTo(o, u.Name), func(g ObjectGrant) bool { return g.Privilege == privilege })
	})
}

// grantsTo returns what one user, role or PUBLIC was granted on an object; all, if the name is "".
func (c *Catalog) grantsTo(o *Object, grantee string) []ObjectGrant {
	var out []ObjectGrant
	c.grants.Ascend(ObjectGrant{Object: o.ID, Grantee: grantee}, func(g ObjectGrant) bool {
		match := g.Object == o.ID && (grantee == "" || g.Grantee == grantee)
		if match {
			out = append(out, g)
		}
		return match
	})
	return out
}

// anyPrivileges are the system privileges that allow a use of any object of a kind; all of the kind if privilege is
// "". Those never reach objects of SYS, except for SELECT ANY DICTIONARY (Database Security Guide, "Managing System
// Privileges": ANY privileges and SYS).
func anyPrivileges(privilege string, o *Object) []string {
	if o.Owner == Sys {
		switch {
		case o.Kind != ast.KindTable && o.Kind != ast.KindView:
		case privilege == "", privilege == "SELECT", privilege == "READ":
			return []string{"SELECT ANY DICTIONARY"}
		}
		return nil
	}
	var all []string
	switch o.Kind {
	case ast.KindTable, ast.KindView:
		all = []string{"SELECT ANY TABLE", "READ ANY TABLE", "INSERT ANY TABLE", "UPDATE ANY TABLE", "DELETE ANY TABLE"}
		if o.Kind == ast.KindTable {
			all = append(all, "LOCK ANY TABLE", "ALTER ANY TABLE", "DROP ANY TABLE", "COMMENT ANY TABLE")
		} else {
			all = append(all, "DROP ANY VIEW")
		}
		if privilege == "READ" {
			return all[:2]
		}
	case ast.KindSequence:
		all = []string{"SELECT ANY SEQUENCE", "ALTER ANY SEQUENCE", "DROP ANY SEQUENCE"}
	case ast.KindPackage, ast.KindProcedure, ast.KindFunction, ast.KindPackageBody:
		all = []string{"EXECUTE ANY PROCEDURE", "CREATE ANY PROCEDURE", "ALTER ANY PROCEDURE", "DROP ANY PROCEDURE", "DEBUG ANY PROCEDURE"}
	case ast.KindType:
		all = []string{"EXECUTE ANY TYPE", "CREATE ANY TYPE", "ALTER ANY TYPE", "DROP ANY TYPE"}
	case KindJob, KindProgram, KindSchedule, KindChain:
		all = []string{"CREATE ANY JOB"}
		if privilege == "ALTER" {
			return all
		}
	case KindQueue:
		all = []string{"ENQUEUE ANY QUEUE", "DEQUEUE ANY QUEUE"}
	}
	if privilege == "" {
		return all
	}
	return slices.DeleteFunc(all, func(p string) bool { return !strings.HasPrefix(p, privilege+" ") })
}
