package ddl

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// types executes statements about types.
func (x *run) types(st ast.Statement) bool {
	switch n := st.(type) {
	case *ast.CreateTypeTableStatement:
		x.createTableType(n)
	case *ast.DropTypeStatement:
		x.dropType(n)
	default:
		return false
	}
	return true
}

// typePlace finds the schema for a new type and makes sure that its name is free (error 219).
func (x *run) typePlace(n *ast.SchemaObjectName) (*catalog.Schema, error) {
	if n.DatabaseIdentifier != nil {
		return nil, message.MS(117, "type", Written(n), 1)
	}
	sch := x.target(n, "CREATE TYPE")
	_, system := datatype.FromName(base(n))
	if x.db.TypeByName(sch.Name, base(n)) != nil || system == nil {
		return nil, message.MS(219, Written(n))
	}
	return sch, nil
}

func (x *run) createTableType(n *ast.CreateTypeTableStatement) {
	if len(n.Options) > 0 {
		panic(sqlerr.NotSupported("memory-optimized table types"))
	}
	sch := query.Must(x.typePlace(n.Name))
	t := x.anonymousTable(base(n.Name), n.Definition)
	id := x.db.NewTypeID()
	o := &catalog.Object{
		SchemaID: catalog.SysSchema, Kind: catalog.TableTypeObject, Def: &catalog.TableType{UserType: id, Table: t},
		ID: x.db.NewID(), OwnOwner: sch.Owner,
	}
	o.Name = systemName("TT", base(n.Name), "", o.ID)
	x.add(o)
	x.db.AddType(x.tx, &catalog.UserType{ID: id, SchemaID: sch.ID, Name: base(n.Name), Table: o})
}

func (x *run) dropType(n *ast.DropTypeStatement) {
	t := x.userType(n.Name)
	if t == nil || !x.may("ALTER", catalog.OnSchema(x.db.SchemaByID(t.SchemaID))) && !x.may("CONTROL", catalog.OnType(t)) {
		if n.IsIfExists && t == nil {
			return
		}
		panic(message.MS(218, Written(n.Name)))
	}
	for _, o := range x.db.Objects() {
		if usesType(o, t.ID) {
			panic(message.MS(3732, Written(n.Name), o.Name))
		}
	}
	x.db.RemoveType(x.tx, t)
	if t.Table != nil {
		x.db.Remove(x.tx, x.db.ObjectByID(t.Table.ID))
	}
}

// usesType reports whether a table has a column or a module a parameter of a user-defined type.
func usesType(o *catalog.Object, id int32) bool {
	if t := o.Table(); t != nil {
		for i := range t.Columns {
			if t.Columns[i].UserType == id {
				return true
			}
		}
	}
	if m := o.Module(); m != nil {
		for _, p := range m.Params {
			if p.UserType == id {
				return true
			}
		}
		return m.ReturnUserType == id
	}
	return false
}
