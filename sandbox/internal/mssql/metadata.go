package mssql

import (
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
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
	addObjects(add)
	add("CERT_ID", typeInt, 1, 1, func(s *Session, args []value.Value) (value.Value, error) {
		if c := s.db.CertificateByName(unquoted(textOf(args[0]))); !args[0].IsNull() && c != nil {
			return value.NewInt(int64(c.ID)), nil
		}
		return value.Value{}, nil
	})
	add("CERTENCODED", datatype.Type{ID: datatype.VarBinary, Len: datatype.Max}, 1, 1, func(s *Session, args []value.Value) (value.Value, error) {
		if c := s.db.CertificateByID(int32(args[0].Int64())); !args[0].IsNull() && c != nil {
			return value.NewBytes([]byte(c.Encoded())), nil
		}
		return value.Value{}, nil
	})
	add("DATABASEPROPERTYEX", typeVariant, 2, 2, func(s *Session, args []value.Value) (value.Value, error) {
		return s.databaseProperty(s.srv.catalog.DatabaseByName(textOf(args[0])), textOf(args[1])), nil
	})
	add("SERVERPROPERTY", typeVariant, 1, 1, func(s *Session, args []value.Value) (value.Value, error) {
		return s.serverProperty(textOf(args[0])), nil
	})
	add("CURSOR_STATUS", typeSmallInt, 2, 2, func(s *Session, args []value.Value) (value.Value, error) { return s.cursorStatus(args), nil })
}

// addObjects adds the functions that map names to ids. What the user may not see does not exist for them.
func addObjects(add adder) {
	add("OBJECT_ID", typeInt, 1, 2, func(s *Session, args []value.Value) (value.Value, error) {
		o, err := s.objectNamed(textOf(args[0]))
		if err != nil || o == nil {
			return value.Value{}, err
		}
		if len(args) == 2 && !args[1].IsNull() && !strings.EqualFold(strings.TrimSpace(o.Kind.Code()), strings.TrimSpace(args[1].Str())) {
			return value.Value{}, nil
		}
		return value.NewInt(int64(o.ID)), nil
	})
	object := func(names string, get func(o *catalog.Object) value.Value) {
		add(names, typeName, 1, 2, func(s *Session, args []value.Value) (value.Value, error) {
			db := s.db
			if len(args) == 2 {
				db = s.srv.catalog.DatabaseByID(int32(args[1].Int64()))
			}
			if db == nil || args[0].IsNull() {
				return value.Value{}, nil
			}
			o := db.ObjectByID(int32(args[0].Int64()))
			if o == nil || !s.sees(db, o) {
				return value.Value{}, nil
			}
			return get(o), nil
		})
	}
	object("OBJECT_NAME", func(o *catalog.Object) value.Value { return value.NewString(o.Name) })
	object("OBJECT_SCHEMA_NAME", func(o *catalog.Object) value.Value { return value.NewString(o.Schema) })
	add("OBJECT_DEFINITION", datatype.Type{ID: datatype.NVarChar, Len: datatype.Max}, 1, 1, func(s *Session, args []value.Value) (value.Value, error) {
		o := s.db.ObjectByID(int32(args[0].Int64()))
		tok, err := s.tokenIn(s.db)
		if args[0].IsNull() || o == nil || err != nil || o.Module() == nil || !s.db.SeesDefinition(tok, o) {
			return value.Value{}, nil //nolint:nilerr // not in the database: nothing to see
		}
		return value.NewString(o.Module().Text), nil
	})
	add("SCHEMA_ID", typeInt, 0, 1, func(s *Session, args []value.Value) (value.Value, error) {
		name := s.defaultSchema()
		if len(args) == 1 {
			name = textOf(args[0])
		}
		sch := s.db.SchemaByName(name)
		if sch == nil {
			return value.Value{}, nil
		}
		return value.NewInt(int64(sch.ID)), nil
	})
	add("SCHEMA_NAME", typeName, 0, 1, func(s *Session, args []value.Value) (value.Value, error) {
		if len(args) == 0 {
			return value.NewString(s.defaultSchema()), nil
		}
		sch := s.db.SchemaByID(int32(args[0].Int64()))
		if args[0].IsNull() || sch == nil {
			return value.Value{}, nil
		}
		return value.NewString(sch.Name), nil
	})
	add("OBJECTPROPERTY OBJECTPROPERTYEX", typeInt, 2, 2, func(s *Session, args []value.Value) (value.Value, error) {
		v, ok := s.db.ObjectProperty(s.token(), int32(args[0].Int64()), textOf(args[1]))
		return modelled(v, ok, "OBJECTPROPERTY", args[1])
	})
	add("COLUMNPROPERTY", typeInt, 3, 3, func(s *Session, args []value.Value) (value.Value, error) {
		v, ok := s.db.ColumnProperty(s.token(), int32(args[0].Int64()), textOf(args[1]), textOf(args[2]))
		return modelled(v, ok, "COLUMNPROPERTY", args[2])
	})
	add("INDEXPROPERTY", typeInt, 3, 3, func(s *Session, args []value.Value) (value.Value, error) {
		v, ok := s.db.IndexProperty(s.token(), int32(args[0].Int64()), textOf(args[1]), textOf(args[2]))
		return modelled(v, ok, "INDEXPROPERTY", args[2])
	})
	add("COL_LENGTH", typeSmallInt, 2, 2, func(s *Session, args []value.Value) (value.Value, error) {
		o, err := s.objectNamed(textOf(args[0]))
		if err != nil || o == nil {
			return value.Value{}, err
		}
		return s.db.ColumnLength(s.token(), o.ID, textOf(args[1])), nil
	})
	add("COL_NAME", typeName, 2, 2, func(s *Session, args []value.Value) (value.Value, error) {
		return s.db.ColumnName(s.token(), int32(args[0].Int64()), int32(args[1].Int64())), nil
	})
	add("TYPE_ID", typeInt, 1, 1, func(s *Session, args []value.Value) (value.Value, error) {
		name, err := splitName(textOf(args[0]))
		if err != nil || len(name) > 2 {
			return value.Value{}, nil //nolint:nilerr // not a name: NULL
		}
		schema := ""
		if len(name) == 2 {
			schema = name[0]
		}
		return s.db.TypeID(schema, name[len(name)-1], s.defaultSchema()), nil
	})
	add("TYPE_NAME", typeName, 1, 1, func(s *Session, args []value.Value) (value.Value, error) {
		return s.db.TypeName(s.token(), int32(args[0].Int64())), nil
	})
	add("IDENT_CURRENT", datatype.Type{ID: datatype.Decimal, Prec: 38}, 1, 1, func(s *Session, args []value.Value) (value.Value, error) {
		o, err := s.objectNamed(textOf(args[0]))
		if err != nil || o == nil {
			return value.Value{}, err
		}
		id := s.db.IdentityOf(s.token(), o)
		if id == nil {
			return value.Value{}, nil
		}
		last, used := id.Last()
		if !used {
			last = id.Seed
		}
		return value.NewDecimal(last, 0), nil
	})
}

// modelled refuses a property that the sandbox does not know.
func modelled(v value.Value, ok bool, function string, property value.Value) (value.Value, error) {
	if !ok {
		return v, sqlerr.NotSupported("%s(…, '%s')", function, textOf(property))
	}
	return v, nil
}

func (s *Session) sees(db *catalog.Database, o *catalog.Object) bool {
	tok, err := s.tokenIn(db)
	return err == nil && db.SeesObject(tok, o)
}

// objectNamed finds an object by a name in a string, as OBJECT_ID does; nil when there is none to see.
func (s *Session) objectNamed(text string) (*catalog.Object, error) {
	name, err := splitName(text)
	if err != nil || len(name) == 0 || len(name) > 3 {
		return nil, nil //nolint:nilerr // not a name: NULL
	}
	base := name[len(name)-1]
	if strings.HasPrefix(base, "#") {
		return s.temp(base), nil
	}
	db := s.db
	if len(name) == 3 && name[0] != "" {
		if db = s.srv.catalog.DatabaseByName(name[0]); db == nil {
			return nil, nil
		}
	}
	schemas := []string{s.defaultSchema(), "dbo"}
	if len(name) > 1 && name[len(name)-2] != "" {
		schemas = []string{name[len(name)-2]}
	}
	for _, schema := range schemas {
		if o := db.Object(schema, base); o != nil && s.sees(db, o) {
			return o, nil
		}
	}
	return nil, nil
}

// databaseProperty is DATABASEPROPERTYEX().
func (s *Session) databaseProperty(db *catalog.Database, property string) value.Value {
	if db == nil {
		return value.Value{}
	}
	switch strings.ToLower(property) {
	case "updateability":
		if db.ReadOnly {
			return variantText("READ_ONLY")
		}
		return variantText("READ_WRITE")
	case "status":
		return variantText("ONLINE")
	case "useraccess":
		if db.SingleUser {
			return variantText("SINGLE_USER")
		}
		return variantText("MULTI_USER")
	case "collation":
		return variantText(db.Collation.String())
	case "recovery":
		return variantText("SIMPLE")
	case "isoptimizedlockingon": // NULL: the server has not got it
		switch {
		case !s.srv.opts.Version2025:
			return value.Value{}
		case db.OptimizedLocking:
			return variantInt(1)
		}
		return variantInt(0)
	case "isparameterizationforced", "isautoclose", "isintegratedsecurityonly":
		return variantInt(0)
	}
	panic(sqlerr.NotSupported("DATABASEPROPERTYEX(…, '%s')", property))
}

func variantText(s string) value.Value { return variantOf(typeName, value.NewString(s)) }

func variantInt(n int64) value.Value { return variantOf(typeInt, value.NewInt(n)) }

func variantOf(t datatype.Type, v value.Value) value.Value {
	return value.NewRef(datatype.Variant{Type: t, Value: v})
}

// serverProperty is SERVERPROPERTY(). EngineEdition 3 is Enterprise, of which Developer is one.
func (s *Session) serverProperty(name string) value.Value {
	switch strings.ToLower(name) {
	case "productversion":
		return variantText(s.srv.ProductVersion())
	case "productmajorversion":
		return variantText(strconv.Itoa(s.srv.opts.major()))
	case "productlevel":
		return variantText("RTM")
	case "edition":
		return variantText("Developer Edition (64-bit)")
	case "engineedition":
		return variantInt(3)
	case "servername", "machinename":
		return variantText(s.srv.catalog.Name)
	case "instancename":
		return value.Value{}
	case "collation":
		return variantText(s.srv.catalog.Collation.String())
	case "ishadrenabled", "isclustered", "issingleuser", "isintegratedsecurityonly":
		return variantInt(0)
	}
	return value.Value{}
}

// hasPerms is HAS_PERMS_BY_NAME(securable, class, permission).
func (s *Session) hasPerms(args []value.Value) (value.Value, error) {
	if len(args) > 3 {
		return value.Value{}, sqlerr.NotSupported("HAS_PERMS_BY_NAME of a part")
	}
	class, permission := strings.ToUpper(textOf(args[1])), strings.ToUpper(textOf(args[2]))
	switch {
	case class == "" && args[0].IsNull():
		return boolInt(s.mayOnServer(permission)), nil
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
