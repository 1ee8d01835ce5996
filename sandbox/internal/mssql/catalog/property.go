package catalog

import (
	"cmp"
	"iter"
	"slices"

	"github.com/tidwall/btree"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Property is an extended property: a row of sys.extended_properties.
type Property struct {
	Class        uint8 // 0 database, 1 object or column, 2 parameter, 3 schema, 4 principal, 6 type, 7 index …
	Major, Minor int32
	Name         string
	Value        value.Value // sql_variant
}

// The classes of extended properties that the catalogue itself removes with their owner.
const (
	classObjectProperty    uint8 = 1
	classSchemaProperty    uint8 = 3
	classPrincipalProperty uint8 = 4
	classTypeProperty      uint8 = 6
)

func newProperties() *btree.BTreeG[Property] {
	return btree.NewBTreeGOptions(func(a, b Property) bool {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Major, b.Major),
			cmp.Compare(a.Minor, b.Minor), cmp.Compare(a.Name, b.Name)) < 0
	}, btree.Options{NoLocks: true})
}

// Properties yields the extended properties of the database.
func (db *Database) Properties() iter.Seq[Property] {
	return func(yield func(Property) bool) { db.props.Scan(yield) }
}

// RemoveProperty drops an extended property.
func (db *Database) RemoveProperty(u Undoer, p Property) {
	if old, had := db.props.Delete(p); had {
		u.Undo(func() { db.props.Set(old) })
	}
}

func (db *Database) removeProperties(u Undoer, class uint8, major int32) {
	for _, p := range slices.Collect(db.Properties()) {
		if p.Class == class && p.Major == major {
			db.RemoveProperty(u, p)
		}
	}
}
