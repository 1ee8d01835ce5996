package ddl

import (
	"strconv"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

func (x *run) createTable(n *ast.CreateTable) error {
	owner, name, err := x.target(n.Name, "CREATE TABLE")
	if err != nil {
		return err
	}
	if x.cat.Used(owner, name, ast.KindTable) {
		return catalog.ErrNameUsed()
	}
	o := &catalog.Object{Owner: owner, Name: name, Kind: ast.KindTable}
	b := &build{run: x, o: o, own: owner, name: name, t: &catalog.Table{Temporary: n.Temporary, PreserveRows: n.OnCommit == ast.PreserveRows}}
	if b.segment, err = x.tableOptions(n.Options, n.Temporary); err != nil {
		return err
	}
	if b.segment {
		if err := x.cat.CheckQuota(owner); err != nil {
			return err
		}
	}
	b.addColumns(n.Columns)
	for i := range n.Constraints {
		b.addConstraint(&n.Constraints[i], -1)
	}
	b.publish()
	return nil
}

// addColumns adds columns, then their constraints, which may need the type of virtual ones.
func (b *build) addColumns(list []ast.ColumnDef) {
	first := len(b.t.Columns)
	for i := range list {
		b.addColumn(&list[i])
	}
	b.typeVirtual(first)
	b.columnConstraints(list, first)
}

func (b *build) columnConstraints(list []ast.ColumnDef, first int) {
	for i := range list {
		for j := range list[i].Constraints {
			b.addConstraint(&list[i].Constraints[j], first+i)
		}
	}
}

// leftmost returns the query block that names a query's columns.
func leftmost(q *ast.Query) *ast.Select {
	body := q.Body
	for {
		switch n := body.(type) {
		case *ast.Select:
			return n
		case *ast.SetOperation:
			body = n.Left
		case *ast.Query:
			body = n.Body
		default:
			return nil
		}
	}
}

// named returns ORA-00998 for an expression without an alias, unless the columns are named elsewhere.
func named(q *ast.Query, names int) {
	if s := leftmost(q); s != nil && names == 0 {
		for _, item := range s.Items {
			switch item.Value.(type) {
			case *ast.Ref, *ast.Star:
			default:
				if item.Alias == nil {
					panic(message.ORA(998))
				}
			}
		}
	}
}

// tableOptions checks a table's options and reports whether it gets its space at once. Those accepted are about
// storage, logging and parallelism, which the sandbox does not model.
func (x *run) tableOptions(list []ast.Option, temporary bool) (segment bool, err error) {
	for _, o := range list {
		if temporary {
			return false, message.ORA(14451)
		}
		if segment = segment || o.Name == "SEGMENT CREATION IMMEDIATE"; o.Name != "SEGMENT CREATION IMMEDIATE" {
			physical(o)
		}
	}
	return segment, nil
}

// physical checks an option that tables and indexes share.
func physical(o ast.Option) {
	n, _ := strconv.Atoi(o.Value)
	switch o.Name {
	case "INITRANS":
		if n < 1 || n > 255 {
			panic(message.ORA(2207))
		}
	case "PCTFREE":
		if n < 0 || n > 99 {
			panic(message.ORA(2211))
		}
	case "TABLESPACE":
		tablespace(o.Value)
	}
}

// tablespace fails unless it names the default tablespace, where all objects are: quotas are checked there.
func tablespace(name string) {
	switch name {
	case catalog.DefaultTablespace:
		return
	case "SYSTEM", "SYSAUX":
		panic(sqlerr.NotSupported("objects in tablespace %s", name))
	case "TEMP":
		panic(message.ORA(2195))
	}
	panic(message.ORA(959, name))
}

func (x *run) truncate(n *ast.Truncate) error {
	o, t := x.table(n.Name, "DROP")
	if t.Temporary {
		x.ClearTemporary(t)
		return nil
	}
	b := x.edit(o, t)
	b.data, b.old = true, &catalog.Table{Columns: t.Columns, Temporary: true} // no rows are carried over
	b.write(b.filler())
	b.onCommit(func() error { return x.cat.ReplaceTable(o, b.t, catalog.MoreColumns) })
	return nil
}

func (x *run) comment(n *ast.Comment) {
	ref, column := n.Name, ast.Name{}
	if n.Column {
		last := len(ref.Parts) - 1
		if last < 1 {
			panic(message.ORA(904, ref))
		}
		column = ref.Parts[last]
		ref = &ast.Ref{Pos: ref.Pos, Parts: ref.Parts[:last]}
	}
	o := x.cat.ResolveIn(x.rights, x.Schema(), ref, ast.KindTable)
	if o == nil {
		panic(catalog.ErrNoTable())
	}
	var comment *string
	var columns []catalog.Column
	switch d := o.Def.(type) {
	case *catalog.Table:
		comment, columns = &d.Comment, d.Columns
	case *catalog.View:
		comment, columns = &d.Comment, d.Columns
	default:
		panic(catalog.ErrNoTable())
	}
	if !x.cat.Allowed(x.rights, "COMMENT", o) {
		panic(catalog.ErrPrivileges())
	}
	if len(n.Text) > 4000 {
		panic(message.ORA(1704))
	}
	if n.Column {
		comment = nil
		for i := range columns {
			if columns[i].Name == column.Text {
				comment = &columns[i].Comment
			}
		}
		if comment == nil {
			panic(invalidIdentifier(column.Text))
		}
	}
	*comment = n.Text
	x.cat.Touch(o)
}
