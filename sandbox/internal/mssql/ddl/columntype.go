package ddl

import (
	"strconv"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// declared is a type as a declaration gives it.
type declared struct {
	t        datatype.Type
	user     int32           // user_type_id of an alias type or sysname
	nullable *bool           // what an alias type says about NULL
	table    *catalog.Object // for a table type
}

// sysnameID is the id of sysname, the alias type that every database has.
const sysnameID = 256

// typeOf resolves the type of a column, parameter or result. n is its ordinal, for messages.
func (x *run) typeOf(ref ast.DataTypeReference, n int) (declared, error) {
	var name *ast.SchemaObjectName
	var facets []ast.ScalarExpression
	switch r := ref.(type) {
	case *ast.SqlDataTypeReference:
		if r.SqlDataTypeOption == "Cursor" {
			return declared{t: datatype.Of(datatype.Cursor)}, nil
		}
		name, facets = r.Name, r.Parameters
	case *ast.UserDataTypeReference:
		name, facets = r.Name, r.Parameters
	default:
		return declared{}, sqlerr.NotSupported("data type %T", ref)
	}
	if r, ok := ref.(*ast.SqlDataTypeReference); ok && r.SqlDataTypeOption != "" {
		return x.systemType(synonym(r), facets, n)
	}
	sys := schemaOf(name) == "" || strings.EqualFold(schemaOf(name), "sys")
	if sys && strings.EqualFold(base(name), "sysname") {
		no := false
		return declared{t: datatype.SysName().WithCollation(x.db.Collation), user: sysnameID, nullable: &no}, nil
	}
	if ut := x.userType(name); ut != nil {
		if ut.Table != nil {
			t := datatype.Of(datatype.Table)
			t.Table = quote(ut.Schema) + "." + quote(ut.Name)
			return declared{t: t, user: ut.ID, table: ut.Table}, nil
		}
		return declared{t: ut.Base, user: ut.ID, nullable: &ut.Nullable}, nil
	}
	if sys {
		if d, err := x.systemType(base(name), facets, n); err == nil || !isNumber(err, 2715) {
			return d, err
		}
	}
	return declared{}, message.MS(2715, n, Written(name)).At(16, 6)
}

// synonym returns the name under which the system type is known: the parser has already
// resolved CHAR VARYING and the like.
func synonym(r *ast.SqlDataTypeReference) string {
	switch r.SqlDataTypeOption {
	case "VarChar", "NVarChar", "VarBinary", "Float", "NChar":
		return strings.ToLower(r.SqlDataTypeOption)
	}
	return base(r.Name)
}

// userType finds an alias or table type by a one- or two-part name.
func (x *run) userType(n *ast.SchemaObjectName) *catalog.UserType {
	if s := schemaOf(n); s != "" {
		return x.db.TypeByName(s, base(n))
	}
	if t := x.db.TypeByName(x.defaultSchema(), base(n)); t != nil {
		return t
	}
	return x.db.TypeByName("dbo", base(n))
}

func (x *run) systemType(name string, facets []ast.ScalarExpression, n int) (declared, error) {
	params := make([]int, len(facets))
	for i, f := range facets {
		switch l := f.(type) {
		case *ast.MaxLiteral:
			params[i] = datatype.Max
		case *ast.IntegerLiteral:
			v, err := strconv.Atoi(l.Value)
			if err != nil {
				return declared{}, message.MS(1001, l.StartLine, l.Value)
			}
			params[i] = v
		default:
			return declared{}, sqlerr.NotSupported("type facet %T", f)
		}
	}
	t, err := datatype.FromName(name, params...)
	if err != nil {
		return declared{}, numbered(err, n)
	}
	return declared{t: t.WithCollation(x.db.Collation)}, nil
}

// numbered puts the ordinal of a column into messages that name one.
func numbered(err error, n int) error {
	e, ok := err.(*sqlerr.Error) //nolint:errorlint // made just now
	if !ok {
		return err
	}
	c := *e
	c.Text = strings.Replace(c.Text, "#1:", "#"+strconv.Itoa(n)+":", 1)
	return &c
}

func isNumber(err error, number int32) bool {
	e, ok := err.(*sqlerr.Error) //nolint:errorlint // made just now
	return ok && e.Number == number
}

// collation resolves COLLATE in a column definition.
func (x *run) collation(id *ast.Identifier, t datatype.Type) datatype.Type {
	if id == nil {
		return t
	}
	if strings.EqualFold(id.Value, "database_default") {
		return t.WithCollation(x.db.Collation)
	}
	c, ok := datatype.CollationByName(id.Value)
	if !ok {
		panic(sqlerr.NotSupported("collation %s", id.Value))
	}
	if !t.IsCharacter() {
		panic(message.MS(452))
	}
	return t.WithCollation(c)
}

// quote puts a name in brackets, as QUOTENAME does.
func quote(s string) string { return "[" + strings.ReplaceAll(s, "]", "]]") + "]" }

// TypeOf resolves the type of a variable or parameter: the type, and the table type's object when it is one.
func TypeOf(s Session, ref ast.DataTypeReference) (datatype.Type, *catalog.Object, error) {
	x := &run{Session: s, db: s.Database(), tx: s.Txn()}
	d, err := x.typeOf(ref, 1)
	if d.t.IsCharacter() && err == nil {
		d.t = d.t.WithCollation(x.db.Collation)
	}
	return d.t, d.table, err
}
