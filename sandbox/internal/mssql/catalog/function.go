package catalog

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// What follows are the metadata functions of T-SQL as plain functions: NULL for what does not exist
// or may not be seen, as documented for each of them (learn.microsoft.com "Metadata functions").

// ObjectProperty is OBJECTPROPERTY() of one of the properties that are modelled; ok is false for
// others, which the caller refuses.
func (db *Database) ObjectProperty(tok Token, id int32, property string) (v value.Value, ok bool) {
	o := db.ObjectByID(id)
	test, ok := objectProperties[strings.ToLower(property)]
	if !ok {
		return value.Value{}, false
	}
	if o == nil || !db.SeesObject(tok, o) {
		return value.Value{}, true
	}
	return test(o), true
}

func truth(b bool) value.Value {
	if b {
		return value.NewInt(1)
	}
	return value.NewInt(0)
}

func isKind(kinds ...Kind) func(*Object) value.Value {
	match := ofKind(kinds...)
	return func(o *Object) value.Value { return truth(match(o)) }
}

// tableTest answers for tables and is NULL for other objects.
func tableTest(test func(*Table) bool) func(*Object) value.Value {
	return func(o *Object) value.Value {
		if o.Kind != UserTable {
			return value.Value{}
		}
		return truth(test(o.Table()))
	}
}

// moduleTest answers for modules and is NULL for other objects.
func moduleTest(test func(*Module) bool) func(*Object) value.Value {
	return func(o *Object) value.Value {
		m := o.Module()
		if m == nil {
			return value.Value{}
		}
		return truth(test(m))
	}
}

var objectProperties = map[string]func(*Object) value.Value{
	"isusertable":         isKind(UserTable),
	"istable":             isKind(UserTable),
	"isview":              isKind(View, SystemViewObject),
	"isprocedure":         isKind(Procedure),
	"isscalarfunction":    isKind(ScalarFunction),
	"isinlinefunction":    isKind(InlineFunction),
	"istablefunction":     isKind(InlineFunction, TableFunction),
	"isqueue":             isKind(Queue),
	"isconstraint":        isKind(PrimaryKey, UniqueConstraint, CheckConstraint, DefaultConstraint, ForeignKey),
	"isprimarykey":        isKind(PrimaryKey),
	"isuniquecnst":        isKind(UniqueConstraint),
	"ischeckcnst":         isKind(CheckConstraint),
	"isdefaultcnst":       isKind(DefaultConstraint),
	"isforeignkey":        isKind(ForeignKey),
	"issystemtable":       isKind(NoKind),
	"istrigger":           isKind(NoKind),
	"ismsshipped":         isKind(SystemViewObject),
	"ownerid":             func(o *Object) value.Value { return value.NewInt(int64(o.Owner)) },
	"schemaid":            func(o *Object) value.Value { return value.NewInt(int64(o.SchemaID)) },
	"tablehasidentity":    tableTest(func(t *Table) bool { return t.Identity >= 0 }),
	"tablehasprimarykey":  tableTest(func(t *Table) bool { return t.PrimaryKey() != nil }),
	"tablehasclustindex":  tableTest(func(t *Table) bool { return t.Clustered() != nil }),
	"tablehasindex":       tableTest(func(t *Table) bool { return len(t.Indexes) > 0 }),
	"tablehasforeignkey":  tableTest(func(t *Table) bool { return len(t.ForeignKeys) > 0 }),
	"tablehascheckcnst":   tableTest(func(t *Table) bool { return len(t.Checks) > 0 }),
	"tablehastimestamp":   tableTest(func(t *Table) bool { return t.RowVersion >= 0 }),
	"execisansinullson":   moduleTest(func(m *Module) bool { return m.AnsiNulls }),
	"execisquotedidenton": moduleTest(func(m *Module) bool { return m.QuotedIdentifier }),
	"isschemabound":       moduleTest(func(m *Module) bool { return m.SchemaBound }),
}

// column finds a column of an object that the reader may see.
func (db *Database) column(tok Token, id int32, name string) *Column {
	o := db.ObjectByID(id)
	if o == nil || !db.SeesObject(tok, o) {
		return nil
	}
	cols := o.Columns()
	for i := range cols {
		if SameName(db.Collation, cols[i].Name, name) {
			return &cols[i]
		}
	}
	return nil
}

// ColumnProperty is COLUMNPROPERTY() of one of the properties that are modelled; ok is false for
// others. Parameters of modules are not looked at.
func (db *Database) ColumnProperty(tok Token, id int32, name, property string) (v value.Value, ok bool) {
	c := db.column(tok, id, name)
	var get func(*Column) value.Value
	switch strings.ToLower(property) {
	case "allowsnull":
		get = func(c *Column) value.Value { return truth(c.Nullable) }
	case "columnid":
		get = func(c *Column) value.Value { return value.NewInt(int64(c.ID)) }
	case "isidentity":
		get = func(c *Column) value.Value { return truth(c.Identity != nil) }
	case "iscomputed":
		get = func(c *Column) value.Value { return truth(c.Computed != nil) }
	case "isrowguidcol":
		get = func(c *Column) value.Value { return truth(c.GuidCol) }
	case "precision":
		get = func(c *Column) value.Value {
			if c.Type.IsCharacter() || c.Type.IsBinary() {
				return value.NewInt(int64(c.Type.Len))
			}
			return value.NewInt(int64(c.Type.Precision()))
		}
	case "scale":
		get = func(c *Column) value.Value {
			if c.Type.IsNumeric() || c.Type.IsDateTime() {
				return value.NewInt(int64(c.Type.CatalogScale()))
			}
			return value.Value{}
		}
	case "charmaxlen":
		get = func(c *Column) value.Value {
			if c.Type.IsCharacter() {
				return value.NewInt(int64(c.Type.Len))
			}
			return value.Value{}
		}
	default:
		return value.Value{}, false
	}
	if c == nil {
		return value.Value{}, true
	}
	return get(c), true
}

// ColumnLength is COL_LENGTH() of an object's column.
func (db *Database) ColumnLength(tok Token, id int32, name string) value.Value {
	if c := db.column(tok, id, name); c != nil {
		return value.NewInt(int64(c.Type.MaxLength()))
	}
	return value.Value{}
}

// ColumnName is COL_NAME().
func (db *Database) ColumnName(tok Token, id, column int32) value.Value {
	if o := db.ObjectByID(id); o != nil && db.SeesObject(tok, o) {
		for _, c := range o.Columns() {
			if c.ID == column {
				return value.NewString(c.Name)
			}
		}
	}
	return value.Value{}
}

// TypeID is TYPE_ID() of a name without quotes; schema is "" when the name had none.
func (db *Database) TypeID(schema, name, defaultSchema string) value.Value {
	if schema == "" || strings.EqualFold(schema, "sys") {
		switch lower := strings.ToLower(name); lower {
		case "sysname":
			return value.NewInt(sysnameType)
		case "numeric":
			return value.NewInt(108)
		default:
			for _, id := range systemTypes {
				if id.String() == lower {
					return value.NewInt(int64(datatype.Of(id).UserTypeID()))
				}
			}
		}
	}
	for _, s := range []string{schema, defaultSchema, "dbo"} {
		if t := db.TypeByName(s, name); t != nil && s != "" {
			return value.NewInt(int64(t.ID))
		}
		if schema != "" {
			break
		}
	}
	return value.Value{}
}

// TypeName is TYPE_NAME().
func (db *Database) TypeName(tok Token, id int32) value.Value {
	switch id {
	case sysnameType:
		return value.NewString("sysname")
	case 108:
		return value.NewString("numeric")
	}
	for _, s := range systemTypes {
		if datatype.Of(s).UserTypeID() == id {
			return value.NewString(s.String())
		}
	}
	if t := db.TypeByID(id); t != nil && db.SeesType(tok, t) {
		return value.NewString(t.Name)
	}
	return value.Value{}
}

// IndexProperty is INDEXPROPERTY() of one of the properties that are modelled; ok is false for others.
func (db *Database) IndexProperty(tok Token, id int32, index, property string) (v value.Value, ok bool) {
	var get func(*Index) value.Value
	switch strings.ToLower(property) {
	case "isunique":
		get = func(x *Index) value.Value { return truth(x.Unique) }
	case "isclustered":
		get = func(x *Index) value.Value { return truth(x.Clustered) }
	case "indexid":
		get = func(x *Index) value.Value { return value.NewInt(int64(x.ID)) }
	case "isdisabled":
		get = func(x *Index) value.Value { return truth(x.Disabled) }
	default:
		return value.Value{}, false
	}
	o := db.ObjectByID(id)
	if o == nil || o.Table() == nil || !db.SeesObject(tok, o) {
		return value.Value{}, true
	}
	for _, x := range o.Table().Indexes {
		if SameName(db.Collation, x.Name, index) {
			return get(x), true
		}
	}
	return value.Value{}, true
}

// IdentityOf returns the identity of a table that the reader may see, for IDENT_CURRENT, IDENT_SEED
// and IDENT_INCR; nil when it has none.
func (db *Database) IdentityOf(tok Token, o *Object) *Identity {
	if o == nil || !db.SeesObject(tok, o) {
		return nil
	}
	if t := o.Table(); t != nil && t.Identity >= 0 {
		return t.Columns[t.Identity].Identity
	}
	return nil
}
