package catalog

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// Add publishes a new object and numbers it; a table brings its indexes and the names of its constraints, each
// numbered. A table's Data should have been made with the id that NewID gave. Errors: ORA-00955, ORA-02264; in that case nothing
// is changed.
func (c *Catalog) Add(o *Object) error {
	if c.Used(o.Owner, o.Name, o.Kind) {
		return ErrNameUsed()
	}
	if err := c.checkParts(o, o.Def); err != nil {
		return err
	}
	if o.ID == 0 {
		o.ID = c.NewID()
	}
	o.Created = c.Now()
	c.stamp(o)
	c.objects.Set(o)
	c.ids.Set(o.ID, o)
	c.syncParts(o, nil)
	c.shadow(o)
	return nil
}

// Replace publishes another definition of an existing object (CREATE OR REPLACE, ALTER): it keeps its id and the
// grants on it; what depends on it becomes invalid. Errors: as Add.
func (c *Catalog) Replace(o *Object, def any) error {
	return c.publish(o, def, func(*Object) bool { return true })
}

// TableChange says what a new definition of a table means for its dependents.
type TableChange uint8

// Changes of a table.
const (
	SameRows     TableChange = iota // names, constraints, READ ONLY: everything stays valid
	MoreColumns                     // or other rows or indexes: views stay valid, since they never include what was added later
	OtherColumns                    // nothing stays valid
)

// ReplaceTable publishes another definition of a table. Indexes are identified by their ID, so they may be renamed.
// Oracle invalidates by the columns used (Database Development Guide, "Schema Object Dependency",
// fine-grained invalidation), and reparses the SQL of units by itself. Here units are compiled with their SQL for
// one definition, so they also become invalid when the rows move: after CREATE INDEX and TRUNCATE, which
// leave them valid in Oracle. Errors: as Add.
func (c *Catalog) ReplaceTable(o *Object, t *Table, change TableChange) error {
	return c.publish(o, t, func(d *Object) bool {
		return change == OtherColumns || change == MoreColumns && d.Kind != ast.KindView
	})
}

func (c *Catalog) publish(o *Object, def any, affects func(*Object) bool) error {
	if err := c.checkParts(o, def); err != nil {
		return err
	}
	old := o.Def
	o.Def = def
	c.stamp(o)
	c.syncParts(o, old)
	c.invalidate(o, affects)
	c.shadow(o)
	return nil
}

// Remove deletes an object, for a table also its indexes, and the grants on it; what depends on it becomes invalid.
// The body of a package is not removed with it.
func (c *Catalog) Remove(o *Object) {
	c.version++
	c.objects.Delete(o)
	c.ids.Delete(o.ID)
	c.dropGrants(func(g ObjectGrant) bool { return g.Object == o.ID })
	switch d := o.Def.(type) {
	case *Table:
		c.removeParts(o, d)
		for _, t := range slices.Clone(o.Triggers) {
			c.Remove(t)
		}
	case *Unit:
		if d.Table != nil {
			d.Table.Triggers = slices.DeleteFunc(slices.Clone(d.Table.Triggers), func(t *Object) bool { return t == o })
		}
	}
	c.Invalidate(o)
	c.shadow(o)
}

// Validate records that an object was recompiled without errors, or with errors (invalid), and what it uses; its
// definition is the same as before, so that nothing else becomes invalid.
func (c *Catalog) Validate(o *Object, invalid bool, uses []*Object) {
	c.version++
	o.Invalid, o.Uses = invalid, uses
	o.LastDDL = c.Now()
}

// Invalidate marks everything that depends on an object INVALID, directly or not; a package's body depends on the package.
func (c *Catalog) Invalidate(o *Object) { c.invalidate(o, func(*Object) bool { return true }) }

// invalidate starts with the direct dependents that a change affects.
func (c *Catalog) invalidate(o *Object, affects func(*Object) bool) {
	c.version++
	seen := []*Object{o}
	for i := 0; i < len(seen); i++ {
		from := seen[i]
		for _, d := range c.objects.Items() {
			body := from.Kind == ast.KindPackage && d.Kind == ast.KindPackageBody && d.Owner == from.Owner && d.Name == from.Name
			if (body || slices.Contains(d.Uses, from)) && (i > 0 || affects(d)) && !slices.Contains(seen, d) {
				d.Invalid = true
				seen = append(seen, d)
			}
		}
	}
}

// NewID returns an object number that is not used yet.
func (c *Catalog) NewID() int64 {
	c.lastID++
	return c.lastID
}

func (c *Catalog) stamp(o *Object) {
	c.version++
	o.Stamp = c.version
	o.LastDDL = c.Now()
	o.Timestamp = o.LastDDL
}

// Touch records a change that was made in place and that nothing depends on: a comment, a sequence's options.
func (c *Catalog) Touch(o *Object) {
	c.version++
	o.LastDDL = c.Now()
}

// shadow invalidates whatever resolved a name that is now taken, or free, to another object: through a public synonym
// of the same name or, if o is a synonym, its target.
func (c *Catalog) shadow(o *Object) {
	syn, ok := o.Def.(*Synonym)
	if !ok {
		p := c.Find(Public, o.Name, ast.KindSynonym)
		if p == nil || namespace(o.Kind) != 1 {
			return
		}
		syn = p.Def.(*Synonym)
	}
	target := c.Object(syn.Owner, syn.Name)
	if target == nil {
		return
	}
	for _, d := range c.objects.Items() {
		if (o.Owner == Public || o.Owner == d.Owner) && d.Owner != target.Owner && !d.Invalid && slices.Contains(d.Uses, target) {
			d.Invalid = true
			c.Invalidate(d)
		}
	}
}

// checkParts checks that no other object uses the names of a table's indexes and constraints.
func (c *Catalog) checkParts(o *Object, def any) error {
	t, ok := def.(*Table)
	if !ok {
		return nil
	}
	for _, x := range t.Indexes {
		if other := c.Index(x.Owner, x.Name); other != nil && other.ID != x.ID {
			return ErrNameUsed()
		}
	}
	for _, k := range t.Constraints {
		if other := c.constraints[nameKey{o.Owner, k.Name}]; other != nil && other != o {
			return ErrConstraintUsed()
		}
	}
	return nil
}

// syncParts updates the entries of a table's indexes and constraints to its new definition.
func (c *Catalog) syncParts(o *Object, old any) {
	t, ok := o.Def.(*Table)
	if !ok {
		return
	}
	before, _ := old.(*Table)
	kept := map[int64]*Object{}
	if before != nil {
		for _, x := range before.Indexes {
			kept[x.ID] = c.ByID(x.ID)
		}
		c.removeParts(o, before)
	}
	for _, x := range t.Indexes {
		x.Table = o
		e := kept[x.ID]
		if e == nil {
			if x.ID == 0 {
				x.ID = c.NewID()
			}
			e = &Object{ID: x.ID, Kind: ast.KindIndex, Created: c.Now()}
		}
		if e.Def == nil || e.Name != x.Name {
			c.stamp(e)
		}
		e.Owner, e.Name, e.Generated, e.Temporary, e.Def = x.Owner, x.Name, x.Generated, t.Temporary, x
		c.objects.Set(e)
		c.ids.Set(e.ID, e)
	}
	for _, k := range t.Constraints {
		c.constraints[nameKey{o.Owner, k.Name}] = o
	}
}

func (c *Catalog) removeParts(o *Object, t *Table) {
	for _, x := range t.Indexes {
		if e := c.ByID(x.ID); e != nil {
			c.objects.Delete(e)
			c.ids.Delete(e.ID)
		}
	}
	for _, k := range t.Constraints {
		delete(c.constraints, nameKey{o.Owner, k.Name})
	}
}
