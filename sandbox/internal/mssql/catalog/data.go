package catalog

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// WithData returns the definition with a new, empty table of the store and its indexes. The
// identity continues where it is: see Instance for one that starts over.
func (t *Table) WithData(tx *store.Txn, st *store.Store, spec store.TableSpec) (*Table, error) {
	c := *t
	spec.NoEscalation = spec.NoEscalation || t.NoEscalate
	c.Data = st.NewTable(spec)
	c.Indexes = slices.Clone(t.Indexes)
	for i, x := range c.Indexes {
		n := *x
		var err error
		if n.Data, err = c.Data.AddIndex(tx, c.IndexSpec(&n)); err != nil {
			return nil, err
		}
		c.Indexes[i] = &n
	}
	return &c, nil
}

// Instance returns a copy of a table type's or table variable's definition with storage and an
// identity of its own.
func (t *Table) Instance(tx *store.Txn, st *store.Store, spec store.TableSpec) (*Table, error) {
	c := *t
	if c.Identity >= 0 {
		c.Columns = slices.Clone(c.Columns)
		c.Columns[c.Identity].Identity = c.Columns[c.Identity].Identity.Fresh()
	}
	return c.WithData(tx, st, spec)
}

// IndexSpec describes an index of the table to the store.
func (t *Table) IndexSpec(x *Index) store.IndexSpec {
	return store.IndexSpec{
		Name: x.Name, Unique: x.Unique, Clustered: x.Clustered,
		Key: t.keyOf(x), Filter: x.Matches, Columns: t.watched(x),
	}
}

// watched returns the columns whose changes affect an index.
func (t *Table) watched(x *Index) []int {
	cols := x.Columns()
	if c := t.Clustered(); c != nil && c != x && !x.Clustered {
		for _, k := range c.Keys { // every index row carries the clustered key
			if !slices.Contains(cols, k.Column) {
				cols = append(cols, k.Column)
			}
		}
	}
	return cols
}

// keyOf returns the function that builds the key of a row in an index.
func (t *Table) keyOf(x *Index) func(value.Row) []byte {
	type part struct {
		column int
		typ    datatype.Type
		desc   bool
	}
	parts := make([]part, len(x.Keys))
	for i, k := range x.Keys {
		parts[i] = part{k.Column, t.Columns[k.Column].Type, k.Desc}
	}
	return func(r value.Row) []byte {
		key := make([]byte, 0, 16*len(parts))
		for _, p := range parts {
			key = datatype.AppendKey(key, r[p.column], p.typ, p.desc)
		}
		return key
	}
}
