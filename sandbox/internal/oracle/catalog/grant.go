package catalog

import (
	"cmp"
	"slices"
)

// ObjectGrant is a privilege on an object that was granted. Several grantors may grant the same privilege.
type ObjectGrant struct {
	Object    int64 // its ID
	Grantee   string
	Privilege string // SELECT, EXECUTE, …
	Grantor   string
	Grantable bool // WITH GRANT OPTION
}

func lessGrant(a, b ObjectGrant) bool {
	return cmp.Or(cmp.Compare(a.Object, b.Object), cmp.Compare(a.Grantee, b.Grantee),
		cmp.Compare(a.Privilege, b.Privilege), cmp.Compare(a.Grantor, b.Grantor)) < 0
}

// GrantObject records a privilege on an object; granting it again can only make it grantable.
func (c *Catalog) GrantObject(o *Object, g ObjectGrant) {
	c.version++
	g.Object = o.ID
	if old, ok := c.grants.Get(g); ok {
		g.Grantable = g.Grantable || old.Grantable
	}
	c.grants.Set(g)
}

// Granted reports whether a grantor has granted a privilege on an object to the grantee itself.
func (c *Catalog) Granted(o *Object, grantee, privilege, grantor string) bool {
	_, ok := c.grants.Get(ObjectGrant{Object: o.ID, Grantee: grantee, Privilege: privilege, Grantor: grantor})
	return ok
}

// RevokeObject revokes what grantor has granted and what was passed on because of it; false: there was nothing to revoke.
func (c *Catalog) RevokeObject(o *Object, grantee, privilege, grantor string) bool {
	g := ObjectGrant{Object: o.ID, Grantee: grantee, Privilege: privilege, Grantor: grantor}
	if _, ok := c.grants.Delete(g); !ok {
		return false
	}
	c.version++
	if !c.Grantable(Rights{User: grantee}, privilege, o) {
		for _, passed := range c.grantsTo(o, "") {
			if passed.Grantor == grantee && passed.Privilege == privilege {
				c.RevokeObject(o, passed.Grantee, privilege, grantee)
			}
		}
	}
	c.invalidate(o, func(d *Object) bool { return d.Owner == grantee || grantee == Public })
	return true
}

// granted returns the object of a grant, a job among them; nil if it was dropped.
func (c *Catalog) granted(g ObjectGrant) *Object {
	if o := c.ByID(g.Object); o != nil || c.others == nil {
		return o
	}
	for o := range c.others("") {
		if o.ID == g.Object {
			return o
		}
	}
	return nil
}

func (c *Catalog) dropGrants(match func(ObjectGrant) bool) {
	for _, g := range slices.Clone(c.grants.Items()) {
		if match(g) {
			c.grants.Delete(g)
		}
	}
}
