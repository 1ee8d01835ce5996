// Package temporary holds the #tables of a session.
package temporary

import (
	"maps"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
)

// Tables are the #tables that a session has. The zero value has none.
type Tables struct {
	Creating bool  // a table is being created: #tables of other levels are ignored
	Version  int64 // raised when a #table comes or goes

	byName map[string][]*catalog.Object // by folded name, the innermost last
	level  map[int32]int                // the nesting level that created a #table
}

// Find finds a #table, the innermost with its name; nil: there is none.
func (t *Tables) Find(name string) *catalog.Object {
	if stack := t.byName[strings.ToLower(name)]; len(stack) > 0 {
		return stack[len(stack)-1]
	}
	return nil
}

// Seen is Find at a nesting level. CREATE TABLE sees the #tables of its own level only: a module or dynamic SQL may create one with a name
// that its caller has used (learn.microsoft.com, "CREATE TABLE (Transact-SQL)", temporary tables).
func (t *Tables) Seen(name string, level int) *catalog.Object {
	o := t.Find(name)
	if o != nil && t.Creating && t.level[o.ID] != level {
		return nil
	}
	return o
}

// All returns the #tables in the order of their names, inner ones of the same name last.
func (t *Tables) All() (list []*catalog.Object) {
	for _, key := range slices.Sorted(maps.Keys(t.byName)) {
		list = append(list, t.byName[key]...)
	}
	return list
}

// Put adds a #table that lives until the level that created it ends, or replaces its definition.
func (t *Tables) Put(o *catalog.Object, level int) {
	if t.byName == nil {
		t.byName, t.level = map[string][]*catalog.Object{}, map[int32]int{}
	}
	key := strings.ToLower(o.Name)
	t.Version++
	stack := t.byName[key]
	if i := slices.IndexFunc(stack, func(x *catalog.Object) bool { return x.ID == o.ID }); i >= 0 {
		stack[i] = o
		return
	}
	t.byName[key] = append(stack, o)
	if _, known := t.level[o.ID]; !known {
		t.level[o.ID] = level
	}
}

// Remove removes a #table.
func (t *Tables) Remove(o *catalog.Object) {
	t.drop(strings.ToLower(o.Name), func(x *catalog.Object) bool { return x.ID == o.ID })
}

func (t *Tables) drop(key string, which func(*catalog.Object) bool) {
	stack := slices.DeleteFunc(t.byName[key], which)
	t.Version++
	if t.byName[key] = stack; len(stack) == 0 {
		delete(t.byName, key)
	}
}

// Drop removes the #tables that a level or deeper ones have created; level 0: all.
func (t *Tables) Drop(level int) {
	for _, key := range slices.Sorted(maps.Keys(t.byName)) {
		t.drop(key, func(o *catalog.Object) bool { return t.level[o.ID] >= level })
	}
}
