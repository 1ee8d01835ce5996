package catalog

import (
	"iter"
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// DefaultTablespace is where objects go unless a user has another one; the other tablespaces are SYSTEM, SYSAUX and TEMP.
const DefaultTablespace = "USERS"

// User is a user, a role, or PUBLIC. All fields may be changed in place, through the methods of Catalog.
type User struct {
	Name              string
	ID                int64
	Created           time.Time
	Role              bool // a role, or PUBLIC
	Password          any  // the verifier that the engine's login made; nil: nobody can log in
	Locked            bool
	Expired           bool
	DefaultTablespace string
	Quotas            []string // tablespaces with unlimited quota; others have none
	System            []SystemGrant
	Roles             []RoleGrant
}

// SystemGrant is a system privilege that was granted.
type SystemGrant struct {
	Privilege string
	Admin     bool // WITH ADMIN OPTION
}

// RoleGrant is a role that was granted.
type RoleGrant struct {
	Role  string
	Admin bool // WITH ADMIN OPTION
}

// User returns the user of that name, or nil; roles and PUBLIC are not users.
func (c *Catalog) User(name string) *User {
	u, _ := c.users.Get(name)
	if u == nil || u.Role {
		return nil
	}
	return u
}

// Grantee returns the user, role or PUBLIC of that name, or nil.
func (c *Catalog) Grantee(name string) *User {
	u, _ := c.users.Get(name)
	return u
}

// Users yields users, roles and PUBLIC by name.
func (c *Catalog) Users() iter.Seq[*User] {
	return func(yield func(*User) bool) {
		c.users.Scan(func(_ string, u *User) bool { return yield(u) })
	}
}

// CreateUser adds a user or role. Errors: ORA-01920, ORA-01921.
func (c *Catalog) CreateUser(u *User) error {
	if old := c.Grantee(u.Name); old != nil {
		if u.Role {
			return message.ORA(1921, u.Name)
		}
		return message.ORA(1920, u.Name)
	}
	c.version++
	u.ID = c.NewID()
	if id, ok := c.droppedIDs[u.Name]; ok && c.kernel.Differs(differ.UserIDsStay) {
		u.ID = id
	}
	u.Created = c.Now()
	if u.DefaultTablespace == "" && !u.Role {
		u.DefaultTablespace = DefaultTablespace
	}
	c.users.Set(u.Name, u)
	return nil
}

// DropUser removes a user or role, what was granted to it and by it, and a user's objects.
func (c *Catalog) DropUser(u *User) {
	c.version++
	for _, o := range slices.Collect(c.Objects(u.Name)) {
		if o.Kind != ast.KindIndex { // goes with its table
			c.Remove(o)
		}
	}
	c.users.Delete(u.Name)
	c.droppedIDs[u.Name] = u.ID
	c.dropGrants(func(g ObjectGrant) bool { return g.Grantee == u.Name || g.Grantor == u.Name })
	for other := range c.Users() {
		other.Roles = slices.DeleteFunc(other.Roles, func(r RoleGrant) bool { return r.Role == u.Name })
	}
}

// GrantSystem grants a system privilege, or makes it grantable.
func (c *Catalog) GrantSystem(u *User, privilege string, admin bool) {
	c.version++
	if i := slices.IndexFunc(u.System, func(g SystemGrant) bool { return g.Privilege == privilege }); i >= 0 {
		u.System[i].Admin = u.System[i].Admin || admin
		return
	}
	u.System = append(u.System, SystemGrant{privilege, admin})
}

// RevokeSystem revokes a system privilege; false: it was not granted to that user or role itself.
func (c *Catalog) RevokeSystem(u *User, privilege string) bool {
	c.version++
	n := len(u.System)
	u.System = slices.DeleteFunc(u.System, func(g SystemGrant) bool { return g.Privilege == privilege })
	return len(u.System) < n
}

// GrantRole grants a role. ORA-01934 if the role would then contain itself.
func (c *Catalog) GrantRole(u *User, role string, admin bool) error {
	if u.Name == role || u.Role && slices.Contains(c.rolesOf(role), u.Name) {
		return message.ORA(1934)
	}
	c.version++
	if i := slices.IndexFunc(u.Roles, func(g RoleGrant) bool { return g.Role == role }); i >= 0 {
		u.Roles[i].Admin = u.Roles[i].Admin || admin
		return nil
	}
	u.Roles = append(u.Roles, RoleGrant{role, admin})
	return nil
}

// RevokeRole revokes a role; false: it was not granted to that user or role itself.
func (c *Catalog) RevokeRole(u *User, role string) bool {
	c.version++
	n := len(u.Roles)
	u.Roles = slices.DeleteFunc(u.Roles, func(g RoleGrant) bool { return g.Role == role })
	return len(u.Roles) < n
}

// rolesOf returns the roles that a user or role has, including roles inside roles, by name.
func (c *Catalog) rolesOf(name string) []string {
	var out []string
	todo := []string{name}
	for i := 0; i < len(todo); i++ {
		u := c.Grantee(todo[i])
		if u == nil {
			continue
		}
		for _, g := range u.Roles {
			if !slices.Contains(out, g.Role) {
				out = append(out, g.Role)
				todo = append(todo, g.Role)
			}
		}
	}
	slices.Sort(out)
	return out
}

// NeedSegment gives a table its first space when it gets its first row or an index is built: ORA-01950 if its owner
// has no quota on its default tablespace. Sizes of quotas are not modeled.
func (c *Catalog) NeedSegment(o *Object) error {
	if o.Segment || o.Temporary {
		return nil
	}
	if err := c.CheckQuota(o.Owner); err != nil {
		return err
	}
	o.Segment = true
	return nil
}

// CheckQuota returns ORA-01950 if a user may not take space in the default tablespace.
func (c *Catalog) CheckQuota(owner string) error {
	u := c.User(owner)
	if u == nil || slices.Contains(u.Quotas, u.DefaultTablespace) || c.Has(Rights{User: owner}, "UNLIMITED TABLESPACE") {
		return nil
	}
	return ErrNoSpace(u.DefaultTablespace)
}

// AlterUser changes a user's attributes; privileges, name and id stay.
func (c *Catalog) AlterUser(u *User, to User) {
	c.version++
	u.Password, u.Locked, u.Expired = to.Password, to.Locked, to.Expired
	u.DefaultTablespace, u.Quotas = to.DefaultTablespace, to.Quotas
}
