package mssql

import (
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// addMetadata adds the functions about databases and objects. What the user may not see does not exist for them.
func addMetadata(add adder) {
	add("DB_NAME", typeName, 0, 1, func(s *Session, args []value.Value) value.Value {
		return found(s.databaseAt(args, 0), func(db *catalog.Database) value.Value { return value.NewString(db.Name) })
	})
	add("DB_ID", typeSmallInt, 0, 1, func(s *Session, args []value.Value) value.Value {
		db := s.db
		if len(args) > 0 {
			db = s.srv.catalog.DatabaseByName(textOf(args[0]))
		}
		return found(db, func(db *catalog.Database) value.Value { return value.NewInt(int64(db.ID)) })
	})
	add("OBJECT_ID", typeInt, 1, 2, func(s *Session, args []value.Value) value.Value {
		o := s.objectNamed(textOf(args[0]))
		if o != nil && len(args) == 2 && !args[1].IsNull() && !strings.EqualFold(strings.TrimSpace(o.Kind.Code()), strings.TrimSpace(args[1].Str())) {
			o = nil
		}
		return found(o, func(o *catalog.Object) value.Value { return value.NewInt(int64(o.ID)) })
	})
	object := func(names string, get func(o *catalog.Object) value.Value) {
		add(names, typeName, 1, 2, func(s *Session, args []value.Value) value.Value {
			return found(s.databaseAt(args, 1), func(db *catalog.Database) value.Value {
				o := db.ObjectByID(int32(args[0].Int64()))
				if o == nil || !s.sees(db, o) {
					return value.Value{}
				}
				return get(o)
			})
		})
	}
	object("OBJECT_NAME", func(o *catalog.Object) value.Value { return value.NewString(o.Name) })
	object("OBJECT_SCHEMA_NAME", func(o *catalog.Object) value.Value { return value.NewString(o.Schema) })
	add("TYPE_NAME", nvarchar(128), 1, 1, func(s *Session, args []value.Value) value.Value {
		name := s.db.TypeName(int32(args[0].Int64()))
		if name == "" {
			return value.Value{}
		}
		return value.NewString(name)
	})
	add("OBJECT_DEFINITION", datatype.Type{ID: datatype.NVarChar, Len: datatype.Max}, 1, 1, func(s *Session, args []value.Value) value.Value {
		o := s.db.ObjectByID(int32(args[0].Int64()))
		tok, err := s.who.TokenIn(s.db)
		if o == nil || err != nil || o.Module() == nil || !s.db.SeesDefinition(tok, o) {
			return value.Value{}
		}
		return value.NewString(o.Module().Text)
	})
	add("SCHEMA_ID", typeInt, 0, 1, func(s *Session, args []value.Value) value.Value {
		return found(s.db.SchemaByName(textOr(args, s.defaultSchema())), func(sch *catalog.Schema) value.Value { return value.NewInt(int64(sch.ID)) })
	})
	add("SCHEMA_NAME", typeName, 0, 1, func(s *Session, args []value.Value) value.Value {
		if len(args) == 0 {
			return value.NewString(s.defaultSchema())
		}
		return found(s.db.SchemaByID(int32(args[0].Int64())), func(sch *catalog.Schema) value.Value { return value.NewString(sch.Name) })
	})
	add("CERT_ID", typeInt, 1, 1, func(s *Session, args []value.Value) value.Value {
		return found(s.db.CertificateByName(unquoted(textOf(args[0]))), func(c *catalog.Certificate) value.Value { return value.NewInt(int64(c.ID)) })
	})
	add("CERTENCODED", datatype.Type{ID: datatype.VarBinary, Len: datatype.Max}, 1, 1, func(s *Session, args []value.Value) value.Value {
		return found(s.db.CertificateByID(int32(args[0].Int64())), func(c *catalog.Certificate) value.Value { return value.NewBytes([]byte(c.Encoded())) })
	})
	add("DATABASEPROPERTYEX", typeVariant, 2, 2, func(s *Session, args []value.Value) value.Value {
		return found(s.srv.catalog.DatabaseByName(textOf(args[0])), func(db *catalog.Database) value.Value {
			return s.databaseProperty(db, textOf(args[1]))
		})
	})
	add("SERVERPROPERTY", typeVariant, 1, 1, func(s *Session, args []value.Value) value.Value { return s.serverProperty(textOf(args[0])) })
	add("CURSOR_STATUS", typeSmallInt, 2, 2, (*Session).cursorStatus)
}

// found returns get of x, NULL if there is no x.
func found[T any](x *T, get func(*T) value.Value) value.Value {
	if x == nil {
		return value.Value{}
	}
	return get(x)
}

// databaseAt is the database whose id is argument i; without that argument the session's.
func (s *Session) databaseAt(args []value.Value, i int) *catalog.Database {
	if len(args) <= i {
		return s.db
	}
	return s.srv.catalog.DatabaseByID(int32(args[i].Int64()))
}

// textOr is the first argument, otherwise absent.
func textOr(args []value.Value, absent string) string {
	if len(args) == 0 {
		return absent
	}
	return textOf(args[0])
}

func (s *Session) sees(db *catalog.Database, o *catalog.Object) bool {
	tok, err := s.who.TokenIn(db)
	return err == nil && db.SeesObject(tok, o)
}

// objectNamed finds an object by a name in a string, as OBJECT_ID does; nil if the user can see none, or the text is not a name.
func (s *Session) objectNamed(text string) *catalog.Object {
	name, err := splitName(text)
	if err != nil || len(name) == 0 || len(name) > 3 {
		return nil
	}
	base := name[len(name)-1]
	if strings.HasPrefix(base, "#") {
		return s.tmp.Find(base)
	}
	db := s.db
	if len(name) == 3 && name[0] != "" {
		if db = s.srv.catalog.DatabaseByName(name[0]); db == nil {
			return nil
		}
	}
	schemas := []string{s.defaultSchema(), "dbo"}
	if len(name) > 1 && name[len(name)-2] != "" {
		schemas = []string{name[len(name)-2]}
	}
	for _, schema := range schemas {
		if o := db.Object(schema, base); o != nil && s.sees(db, o) {
			return o
		}
	}
	return nil
}

// databaseProperty is DATABASEPROPERTYEX().
func (s *Session) databaseProperty(db *catalog.Database, property string) value.Value {
	switch strings.ToLower(property) {
	case "updateability":
		return variantText("READ_WRITE")
	case "status":
		return variantText("ONLINE")
	case "collation":
		return variantText(db.Collation.String())
	case "isoptimizedlockingon": // NULL before 2025
		if !s.srv.opts.Version2025 {
			return value.Value{}
		}
		return variantOf(typeInt, boolInt(db.OptimizedLocking))
	}
	panic(sqlerr.NotSupported("DATABASEPROPERTYEX(…, '%s')", property))
}

func variantText(s string) value.Value { return variantOf(typeName, value.NewString(s)) }

func variantInt(n int64) value.Value { return variantOf(typeInt, value.NewInt(n)) }

func variantOf(t datatype.Type, v value.Value) value.Value {
	return value.NewRef(datatype.Variant{Type: t, Value: v})
}

// serverProperty is SERVERPROPERTY(). EngineEdition 3 is Enterprise, which includes Developer.
func (s *Session) serverProperty(name string) value.Value {
	return map[string]value.Value{
		"productversion": variantText(s.srv.ProductVersion()), "productmajorversion": variantText(strconv.Itoa(s.srv.opts.major())),
		"productbuild": variantText(strings.Split(s.srv.ProductVersion(), ".")[2]), "productlevel": variantText("RTM"),
		"edition": variantText("Developer Edition (64-bit)"), "engineedition": variantInt(3), "collation": variantText(s.srv.catalog.Collation.String()),
		"servername": variantText(s.srv.catalog.Name), "machinename": variantText(s.srv.catalog.Name), "ishadrenabled": variantInt(0),
		"isclustered": variantInt(0), "issingleuser": variantInt(0), "isintegratedsecurityonly": variantInt(0),
	}[strings.ToLower(name)]
}

// hasPerms is HAS_PERMS_BY_NAME(securable, class, permission): NULL where there is no such securable.
func (s *Session) hasPerms(args []value.Value) value.Value {
	class, name, permission := strings.ToUpper(textOf(args[1])), textOf(args[0]), strings.ToUpper(textOf(args[2]))
	demanded := func(on catalog.Securable) value.Value { return boolInt(s.who.Allowed(s.db, permission, on)) }
	switch {
	case class == "" && args[0].IsNull():
		return boolInt(s.mayOnServer(permission))
	case class == "DATABASE" && (args[0].IsNull() || unquoted(name) == s.db.Name):
		return demanded(catalog.OnDatabase())
	case class == "SCHEMA":
		return found(s.db.SchemaByName(unquoted(name)), func(sch *catalog.Schema) value.Value { return demanded(catalog.OnSchema(sch)) })
	case class == "OBJECT":
		parts := append([]string{s.defaultSchema()}, query.Must(splitName(name))...)
		o := s.db.Object(parts[len(parts)-2], parts[len(parts)-1])
		return found(o, func(o *catalog.Object) value.Value {
			if s.srv.k.Differs(differ.PermissionsDenied) && s.who.Depth() > 1 {
				return boolInt(false)
			}
			if f := s.top(); s.srv.k.Differs(differ.PermissionsByOwnership) && f.module() != nil && f.module().owner == o.Owner {
				return boolInt(true)
			}
			return demanded(catalog.OnObject(o))
		})
	}
	panic(sqlerr.NotSupported("HAS_PERMS_BY_NAME(%s, %s)", name, class))
}

// unquoted removes the brackets or quotes from a one-part name.
func unquoted(name string) string {
	parts, err := splitName(name)
	if err != nil || len(parts) != 1 {
		return name
	}
	return parts[0]
}
