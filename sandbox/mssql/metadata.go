package mssql

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
	"github.com/dbsched/dbsched/sandbox/value"
)

// addMetadata adds the functions about databases and objects.
func addMetadata(add adder) {
	add("DB_NAME ORIGINAL_DB_NAME", typeName, 0, 1, func(s *Session, args []value.Value) (value.Value, error) {
		if len(args) == 0 {
			return value.NewString(s.db.Name), nil
		}
		db := s.srv.catalog.DatabaseByID(int32(args[0].Int64()))
		if args[0].IsNull() || db == nil {
			return value.Value{}, nil
		}
		return value.NewString(db.Name), nil
	})
	add("DB_ID", typeSmallInt, 0, 1, func(s *Session, args []value.Value) (value.Value, error) {
		if len(args) == 0 {
			return value.NewInt(int64(s.db.ID)), nil
		}
		db := s.srv.catalog.DatabaseByName(textOf(args[0]))
		if db == nil {
			return value.Value{}, nil
		}
		return value.NewInt(int64(db.ID)), nil
	})
	add("SERVERPROPERTY", typeVariant, 1, 1, func(s *Session, args []value.Value) (value.Value, error) {
		return s.serverProperty(textOf(args[0]))
	})
	add("CURSOR_STATUS", typeSmallInt, 2, 2, func(s *Session, args []value.Value) (value.Value, error) { return s.cursorStatus(args) })
}

func variantText(s string) value.Value { return variantOf(typeName, value.NewString(s)) }

func variantInt(n int64) value.Value { return variantOf(typeInt, value.NewInt(n)) }

func variantOf(t datatype.Type, v value.Value) value.Value {
	return value.NewRef(datatype.Variant{Type: t, Value: v})
}

// serverProperty is SERVERPROPERTY(). EngineEdition 3 is Enterprise, of which Developer is one.
func (s *Session) serverProperty(name string) (value.Value, error) {
	switch strings.ToLower(name) {
	case "productversion":
		return variantText(ProductVersion), nil
	case "productmajorversion":
		return variantText("16"), nil
	case "productlevel":
		return variantText("RTM"), nil
	case "edition":
		return variantText("Developer Edition (64-bit)"), nil
	case "engineedition":
		return variantInt(3), nil
	case "servername", "machinename":
		return variantText(s.srv.catalog.Name), nil
	case "instancename":
		return value.Value{}, nil
	case "collation":
		return variantText(s.srv.catalog.Collation.String()), nil
	case "ishadrenabled", "isclustered", "issingleuser", "isintegratedsecurityonly":
		return variantInt(0), nil
	}
	return value.Value{}, nil
}

// hasPerms is HAS_PERMS_BY_NAME(securable, class, permission).
func (s *Session) hasPerms(args []value.Value) (value.Value, error) {
	if len(args) > 3 {
		return value.Value{}, sqlerr.NotSupported("HAS_PERMS_BY_NAME of a part")
	}
	class, permission := strings.ToUpper(textOf(args[1])), strings.ToUpper(textOf(args[2]))
	switch {
	case class == "" && args[0].IsNull():
		l := s.securityContext().login
		return boolInt(l != nil && (l.Sysadmin || s.srv.catalog.ServerAllowed(l.ID, permission))), nil
	case class == "DATABASE":
		db := s.db
		if !args[0].IsNull() {
			if db = s.srv.catalog.DatabaseByName(unquoted(textOf(args[0]))); db == nil {
				return value.Value{}, nil
			}
		}
		return boolInt(s.demand(db, permission, catalog.OnDatabase())), nil
	case class == "SCHEMA":
		sch := s.db.SchemaByName(unquoted(textOf(args[0])))
		if sch == nil {
			return value.Value{}, nil
		}
		return boolInt(s.demand(s.db, permission, catalog.OnSchema(sch))), nil
	case class == "OBJECT":
		name, err := splitName(textOf(args[0]))
		if err != nil || len(name) > 2 {
			return value.Value{}, err
		}
		schema := s.defaultSchema()
		if len(name) == 2 {
			schema = name[0]
		}
		o := s.db.Object(schema, name[len(name)-1])
		if o == nil {
			return value.Value{}, nil
		}
		return boolInt(s.demand(s.db, permission, catalog.OnObject(o))), nil
	}
	return value.Value{}, sqlerr.NotSupported("HAS_PERMS_BY_NAME of class %s", class)
}

// unquoted takes the brackets or quotes off a one-part name.
func unquoted(name string) string {
	parts, err := splitName(name)
	if err != nil || len(parts) != 1 {
		return name
	}
	return parts[0]
}
