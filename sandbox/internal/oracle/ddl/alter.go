package ddl

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

func (x *run) alterTable(n *ast.AlterTable) {
	o, t := x.table(n.Name, "ALTER")
	b := x.edit(o, t)
	for i := range n.Actions {
		b.action(&n.Actions[i])
	}
	b.publish()
}

func (b *build) action(a *ast.TableAction) {
	switch a.Kind {
	case ast.ActionAdd:
		b.addColumns(a.Columns)
		for i := range a.Constraints {
			b.addConstraint(&a.Constraints[i], -1)
		}
	case ast.ActionDropConstraint:
		b.dropConstraint(a)
		return
	case ast.ActionOption:
		b.option(a.Option)
		return
	}
}

func (b *build) option(o *ast.Option) {
	switch o.Name {
	case "SEGMENT CREATION IMMEDIATE", "SEGMENT CREATION DEFERRED", "ORGANIZATION HEAP", "ROWDEPENDENCIES", "NOROWDEPENDENCIES", "TABLESPACE":
		panic(message.ORA(1735))
	}
	query.Must(b.tableOptions([]ast.Option{*o}, b.t.Temporary))
}

// removeColumn takes a column out of the definition; nothing refers to it any more.
func (b *build) removeColumn(at int) {
	b.data = true
	if id := b.t.Columns[at].Identity; id != nil {
		b.dropped = append(b.dropped, id.Sequence)
	}
	b.t.Columns = slices.Delete(b.t.Columns, at, at+1)
	b.from = slices.Delete(b.from, at, at+1)
	for _, ix := range b.t.Indexes {
		for i := range ix.Keys {
			if ix.Keys[i].Column > at {
				ix.Keys[i].Column--
			}
		}
	}
	for _, k := range b.t.Constraints {
		for i := range k.Columns {
			if k.Columns[i] > at {
				k.Columns[i]--
			}
		}
	}
}

func (b *build) dropConstraint(a *ast.TableAction) {
	k := b.which(&a.Constraints[0])
	if k == nil {
		switch {
		case a.Constraints[0].Name != nil:
			panic(message.ORA(2443))
		case a.Constraints[0].Kind == ast.PrimaryKey:
			panic(message.ORA(2441))
		}
		panic(message.ORA(2442))
	}
	b.orphan(b.o, k.Name, a.Cascade, message.ORA(2273))
	b.disable(k, a.KeepIndex)
	b.t.Constraints = slices.DeleteFunc(b.t.Constraints, func(o *catalog.Constraint) bool { return o == k || o.Parent == b.o && o.Key == k.Name })
	b.checked = slices.DeleteFunc(b.checked, func(o *catalog.Constraint) bool { return o == k })
}
