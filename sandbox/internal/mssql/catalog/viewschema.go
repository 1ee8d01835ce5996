package catalog

import "github.com/dbsched/dbsched/sandbox/internal/charset"

// informationSchema registers the views of INFORMATION_SCHEMA that tools read.
func (s *Server) informationSchema() {
	const is = "INFORMATION_SCHEMA."
	s.view(is+"SCHEMATA", `CATALOG_NAME nvarchar(128)?, SCHEMA_NAME nvarchar(128), SCHEMA_OWNER nvarchar(128)?, DEFAULT_CHARACTER_SET_CATALOG nvarchar(6)?, `+
		`DEFAULT_CHARACTER_SET_SCHEMA nvarchar(3)?, DEFAULT_CHARACTER_SET_NAME sysname?`, func(v *viewer) {
		for _, sch := range v.db.Schemas() {
			var owner any
			if p := v.db.PrincipalByID(sch.Owner); p != nil {
				owner = p.Name
			}
			v.emit(v.db.Name, sch.Name, owner, nil, nil, "iso_1")
		}
	})
	s.view(is+"TABLES", `TABLE_CATALOG nvarchar(128)?, TABLE_SCHEMA sysname?, TABLE_NAME sysname, TABLE_TYPE varchar(10)?`, func(v *viewer) {
		for o := range v.objects(ofKind(UserTable, View)) {
			v.emit(v.db.Name, o.Schema, o.Name, pick(o.Kind == View, "VIEW", "BASE TABLE"))
		}
	})
	s.view(is+"VIEWS", `TABLE_CATALOG nvarchar(128)?, TABLE_SCHEMA nvarchar(128)?, TABLE_NAME nvarchar(128), VIEW_DEFINITION nvarchar(4000)?, CHECK_OPTION varchar(7)?, `+
		`IS_UPDATABLE varchar(2)`, func(v *viewer) {
		for o := range v.objects(ofKind(View)) {
			v.emit(v.db.Name, o.Schema, o.Name, v.definition(o), pick(o.Module().CheckOption, "CASCADE", "NONE"), "NO")
		}
	})
	s.view(is+"COLUMNS", `TABLE_CATALOG nvarchar(128)?, TABLE_SCHEMA nvarchar(128)?, TABLE_NAME nvarchar(128), COLUMN_NAME nvarchar(128)?, ORDINAL_POSITION int?, `+
		`COLUMN_DEFAULT nvarchar(4000)?, IS_NULLABLE varchar(3)?, DATA_TYPE nvarchar(128)?, CHARACTER_MAXIMUM_LENGTH int?, CHARACTER_OCTET_LENGTH int?, `+
		`NUMERIC_PRECISION tinyint?, NUMERIC_PRECISION_RADIX smallint?, NUMERIC_SCALE int?, DATETIME_PRECISION smallint?, CHARACTER_SET_CATALOG sysname?, `+
		`CHARACTER_SET_SCHEMA sysname?, CHARACTER_SET_NAME sysname?, COLLATION_CATALOG sysname?, COLLATION_SCHEMA sysname?, COLLATION_NAME sysname?, `+
		`DOMAIN_CATALOG sysname?, DOMAIN_SCHEMA sysname?, DOMAIN_NAME sysname?`, columnRows)
	s.view(is+"ROUTINES", `SPECIFIC_CATALOG nvarchar(128)?, SPECIFIC_SCHEMA nvarchar(128)?, SPECIFIC_NAME nvarchar(128), ROUTINE_CATALOG nvarchar(128)?, `+
		`ROUTINE_SCHEMA nvarchar(128)?, ROUTINE_NAME nvarchar(128), ROUTINE_TYPE nvarchar(20)?, DATA_TYPE nvarchar(128)?, ROUTINE_BODY nvarchar(30)?, `+
		`ROUTINE_DEFINITION nvarchar(4000)?, CREATED datetime, LAST_ALTERED datetime`, func(v *viewer) {
		for o := range v.objects(func(o *Object) bool { return o.Kind == Procedure || o.Kind.IsFunction() }) {
			kind, typ := "PROCEDURE", any(nil)
			switch o.Kind {
			case ScalarFunction:
				kind, typ = "FUNCTION", o.Module().Returns.Name()
			case InlineFunction, TableFunction:
				kind, typ = "FUNCTION", "TABLE"
			default:
			}
			v.emit(v.db.Name, o.Schema, o.Name, v.db.Name, o.Schema, o.Name, kind, typ, "SQL", v.definition(o), o.Created, o.Modified)
		}
	})
	s.view(is+"TABLE_CONSTRAINTS", `CONSTRAINT_CATALOG nvarchar(128)?, CONSTRAINT_SCHEMA nvarchar(128)?, CONSTRAINT_NAME sysname, TABLE_CATALOG nvarchar(128)?, `+
		`TABLE_SCHEMA nvarchar(128)?, TABLE_NAME sysname?, CONSTRAINT_TYPE varchar(11)?, IS_DEFERRABLE varchar(2), INITIALLY_DEFERRED varchar(2)`, func(v *viewer) {
		for o := range v.objects(ofKind(PrimaryKey, UniqueConstraint, CheckConstraint, ForeignKey)) {
			t := v.db.ObjectByID(o.Parent)
			if t == nil {
				continue
			}
			kind := map[Kind]string{PrimaryKey: "PRIMARY KEY", UniqueConstraint: "UNIQUE", CheckConstraint: "CHECK", ForeignKey: "FOREIGN KEY"}[o.Kind]
			v.emit(v.db.Name, o.Schema, o.Name, v.db.Name, t.Schema, t.Name, kind, "NO", "NO")
		}
	})
	s.view(is+"REFERENTIAL_CONSTRAINTS", `CONSTRAINT_CATALOG nvarchar(128)?, CONSTRAINT_SCHEMA nvarchar(128)?, CONSTRAINT_NAME sysname, `+
		`UNIQUE_CONSTRAINT_CATALOG nvarchar(128)?, UNIQUE_CONSTRAINT_SCHEMA nvarchar(128)?, UNIQUE_CONSTRAINT_NAME sysname?, MATCH_OPTION varchar(7)?, `+
		`UPDATE_RULE varchar(11)?, DELETE_RULE varchar(11)?`, referentialRows)
}

// definition is the text of a module for the reader: at most 4000 characters, or NULL.
func (v *viewer) definition(o *Object) any {
	if !v.db.SeesDefinition(v.Token, o) {
		return nil
	}
	return charset.Sub16(o.Module().Text, 0, 4000)
}

func columnRows(v *viewer) {
	for o := range v.objects(ofKind(UserTable, View)) {
		cols := o.Columns()
		for i := range cols {
			c := &cols[i]
			t := c.Type
			var def, length, octets, prec, radix, scale, fraction, charset, domain, domainSchema, domainCatalog any
			if c.Default != nil {
				def = c.Default.Text
			}
			switch {
			case t.IsCharacter() || t.IsBinary():
				length, octets = t.Len, int32(t.MaxLength())
				if t.IsCharacter() {
					charset = pick(t.IsUnicode(), "UNICODE", "iso_1")
				}
			case t.IsInteger() || t.IsExact():
				prec, radix, scale = t.Precision(), 10, int32(t.CatalogScale())
			case t.IsApproximate():
				prec, radix = t.Precision(), 2
			case t.IsDateTime():
				fraction = int16(t.CatalogScale())
			}
			if ut := v.db.TypeByID(c.UserType); ut != nil {
				domainCatalog, domainSchema, domain = v.db.Name, ut.Schema, ut.Name
			}
			if !v.emit(v.db.Name, o.Schema, o.Name, c.Name, i+1, def, pick(c.Nullable, "YES", "NO"), t.Name(), length, octets, prec, radix, scale, fraction,
				nil, nil, charset, nil, nil, collationCell(t), domainCatalog, domainSchema, domain) {
				return
			}
		}
	}
}

func referentialRows(v *viewer) {
	rule := func(a Action) string {
		return map[Action]string{NoAction: "NO ACTION", Cascade: "CASCADE", SetNull: "SET NULL", SetDefault: "SET DEFAULT"}[a]
	}
	for o := range v.objects(ofKind(ForeignKey)) {
		for _, f := range v.parent(o).ForeignKeys {
			if f.ID != o.ID {
				continue
			}
			ref := v.db.ObjectByID(f.Referenced)
			var key any
			if ref != nil {
				for _, x := range ref.Table().Indexes {
					if x.ID == f.RefIndex {
						key = x.Name
					}
				}
			}
			v.emit(v.db.Name, o.Schema, o.Name, v.db.Name, ref.Schema, key, "SIMPLE", rule(f.OnUpdate), rule(f.OnDelete))
		}
	}
}
