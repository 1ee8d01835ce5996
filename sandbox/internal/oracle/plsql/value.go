package plsql

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Record is a value of a record type.
type Record struct {
	typ    *Type
	values []value.Value
}

// Get returns a field, by its name in upper case.
func (r *Record) Get(name string) value.Value { return r.values[r.at(name)] }

// Set changes a field to a value of its type.
func (r *Record) Set(name string, v value.Value) { r.values[r.at(name)] = v }

func (r *Record) at(name string) int {
	i := r.typ.field(name)
	if i < 0 {
		panic("plsql: record " + r.typ.name + " has no field " + name)
	}
	return i
}

// Collection is a value of a collection type: elements in the order of their keys. In a nested table the
// element with key i is at i-1, even when it is deleted.
type Collection struct {
	typ   *Type
	items []item
	gone  int // deleted elements that keep their place
}

type item struct {
	key, v value.Value
	gone   bool
}

func compareKeys(a, b value.Value) int {
	if a.Kind == value.String {
		return strings.Compare(a.Str(), b.Str())
	}
	return cmp.Compare(a.Int64(), b.Int64())
}

// find returns the position where the element with a key is or would be.
func (c *Collection) find(key value.Value) (int, bool) {
	if n := len(c.items); n > 0 && compareKeys(c.items[n-1].key, key) < 0 { // after the last: the usual way to grow
		return n, false
	}
	i, ok := slices.BinarySearchFunc(c.items, key, func(it item, k value.Value) int { return compareKeys(it.key, k) })
	return i, ok && !c.items[i].gone
}

func (c *Collection) dense() bool { return c.typ.index == nil }

// Len returns the number of elements.
func (c *Collection) Len() int { return len(c.items) - c.gone }

// Put sets the element with a whole number as key, a value of the element's type.
func (c *Collection) Put(key int64, v value.Value) { c.put(value.NewInt(key), v) }

func (c *Collection) put(key, v value.Value) {
	i, ok := c.find(key)
	if !ok && (i >= len(c.items) || compareKeys(c.items[i].key, key) != 0) {
		c.items = slices.Insert(c.items, i, item{key: key})
	} else if !ok {
		c.gone--
	}
	c.items[i].v, c.items[i].gone = v, false
}

// NewElement returns a record of the type of the elements, which are records; its fields are NULL.
func (c *Collection) NewElement() *Record {
	return &Record{typ: c.typ.elem, values: make([]value.Value, len(c.typ.elem.fields))}
}

// Clear removes all elements.
func (c *Collection) Clear() { c.items, c.gone = nil, 0 }

// element returns the place of an element to read (ORA-01403, 06533) or, in an associative array, to write.
func (c *Collection) element(f *frame, key value.Value, create bool) *value.Value {
	i, ok := c.find(key)
	switch {
	case ok:
		return &c.items[i].v
	case c.dense():
		n := key.Int64()
		switch {
		case n < 1:
			raise(message.ORA(6532))
		case n > int64(len(c.items)):
			raise(message.ORA(6533))
		case create:
			c.items[i].gone = false
			c.gone--
			return &c.items[i].v
		}
		raise(message.ORA(1403))
	case !create:
		raise(message.ORA(1403))
	}
	c.items = slices.Insert(c.items, i, item{key: key, v: c.typ.elem.initial(f.Host)})
	return &c.items[i].v
}

func (c *Collection) copy(f *frame) *Collection {
	out := &Collection{typ: c.typ, items: slices.Clone(c.items), gone: c.gone}
	if c.typ.elem.kind != scalarKind {
		for i := range out.items {
			if it := &out.items[i]; !it.gone {
				it.v = c.typ.elem.store(f, it.v, c.typ.elem)
			}
		}
	}
	return out
}

// extend adds n elements at the end of a nested table.
func (c *Collection) extend(f *frame, n int64, like *value.Value) {
	for ; n > 0; n-- {
		v := c.typ.elem.initial(f.Host)
		if like != nil {
			v = c.typ.elem.store(f, *like, c.typ.elem)
		}
		c.items = append(c.items, item{key: value.NewInt(int64(len(c.items) + 1)), v: v})
	}
}

// trim removes n elements, counting deleted ones, from the end.
func (c *Collection) trim(n int64) {
	if n < 0 || n > int64(len(c.items)) {
		raise(message.ORA(6533))
	}
	for ; n > 0; n-- {
		last := len(c.items) - 1
		if c.items[last].gone {
			c.gone--
		}
		c.items = c.items[:last]
	}
}

// remove deletes the elements with keys from low to high.
func (c *Collection) remove(low, high value.Value) {
	i, _ := slices.BinarySearchFunc(c.items, low, func(it item, k value.Value) int { return compareKeys(it.key, k) })
	j := i
	for ; j < len(c.items) && compareKeys(c.items[j].key, high) <= 0; j++ {
		if c.dense() && !c.items[j].gone {
			c.items[j].gone, c.items[j].v = true, value.Value{}
			c.gone++
		}
	}
	if !c.dense() && j > i {
		c.items = slices.Delete(c.items, i, j)
	}
}

// next returns the key after (step 1) or before (step -1) another, which need not exist; NULL at the end.
func (c *Collection) next(key value.Value, step int) value.Value {
	i, ok := slices.BinarySearchFunc(c.items, key, func(it item, k value.Value) int { return compareKeys(it.key, k) })
	if ok || step < 0 {
		i += step
	}
	return c.from(i, step)
}

func (c *Collection) from(i, step int) value.Value {
	for ; i >= 0 && i < len(c.items); i += step {
		if !c.items[i].gone {
			return c.items[i].key
		}
	}
	return value.Value{}
}

// key converts a subscript.
func (c *Type) key(f *frame, v value.Value, from datatype.Type) value.Value {
	to := datatype.Of(datatype.PLSInteger)
	if c.index != nil {
		to = c.index.scalar
	}
	if to.IsText() && f.Linguistic() && !datatype.Caseless(v) {
		raise(sqlerr.NotSupported("text as a key of a collection with NLS_COMP = LINGUISTIC"))
	}
	if from != to {
		var err error
		if v, err = datatype.Assign(v, from, to, f.Format(true)); err != nil {
			raise(err)
		}
	}
	if v.IsNull() {
		raise(datatype.ErrNumeric("NULL index table key value"))
	}
	return v
}
