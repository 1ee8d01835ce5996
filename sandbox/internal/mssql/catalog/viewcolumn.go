package catalog

import (
	"cmp"
	"iter"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
)

// typeCells returns system_type_id, user_type_id, max_length, precision and scale.
func typeCells(t datatype.Type, user int32) []any {
	user = cmp.Or(user, t.UserTypeID())
	return []any{t.SystemTypeID(), user, t.MaxLength(), t.Precision(), t.CatalogScale()}
}

func collationCell(t datatype.Type) any { return orNull(t.Coll.String()) }

func columnCells(o *Object, c *Column) []any {
	var def int32
	if c.Default != nil {
		def = c.Default.ID
	}
	out := append([]any{o.ID, c.Name, c.ID}, typeCells(c.Type, c.UserType)...)
	return append(out, collationCell(c.Type), c.Nullable, c.Type.IsCharacter() || c.Type.IsBinary(), c.GuidCol, c.Identity != nil, false, false, false, false, false, false,
		false, 0, def, 0, false, false, 0, "NOT_APPLICABLE", nil, nil, nil, nil, nil, false, false)
}

// Columns returns the columns of a table, view, table function, table type, queue or system view.
func (o *Object) Columns() []Column {
	if t := o.Table(); t != nil {
		return t.Columns
	}
	if m := o.Module(); m != nil {
		return m.Columns
	}
	if v, ok := o.Def.(*SystemView); ok {
		return v.Columns
	}
	if o.Kind == Queue {
		return queueColumns()
	}
	return nil
}

// queueColumns are the columns of SELECT * FROM a queue (learn.microsoft.com "CREATE QUEUE", remarks).
func queueColumns() []Column {
	cols := ColumnsOf("queue")
	for i := range cols {
		cols[i].ID = int32(i + 1)
	}
	return cols
}

func (s *Server) columnViews() {
	rows := func(o *Object, v *viewer) {
		cols := o.Columns()
		for i := range cols {
			if !v.emit(columnCells(o, &cols[i])...) {
				return
			}
		}
	}
	user := func(v *viewer) iter.Seq[*Object] {
		return v.objects(func(o *Object) bool { return o.Columns() != nil })
	}
	s.view("columns", func(v *viewer) {
		for o := range user(v) {
			rows(o, v)
		}
	})
	s.view("all_columns", func(v *viewer) {
		for _, o := range ordered(&s.viewIDs) {
			rows(o, v)
		}
		for o := range user(v) {
			rows(o, v)
		}
	})
	s.view("types", typeRows)
	s.view("table_types", func(v *viewer) {
		for _, t := range v.db.Types() {
			if t.Table != nil && v.db.SeesType(v.Token, t) {
				v.emit(append(userTypeCells(t), t.Table.ID, false)...)
			}
		}
	})
	s.view("parameters", parameterRows)
}

func parameterRows(v *viewer) {
	for o := range v.objects(func(o *Object) bool { return o.Kind.IsModule() }) {
		m := o.Module()
		row := func(id int, name string, t datatype.Type, user int32, out, cursor, def, readonly bool) {
			cells := append([]any{o.ID, name, id}, typeCells(t, user)...)
			v.emit(append(cells, out, cursor, def, false, nil, 0, readonly, true)...)
		}
		if o.Kind == ScalarFunction {
			row(0, "", m.Returns, m.ReturnUserType, true, false, false, false)
		}
		for i, p := range m.Params { // has_default_value is 0 for SQL modules, as documented
			row(i+1, p.Name, p.Type, p.UserType, p.Output, p.Varying, false, p.ReadOnly)
		}
	}
}

// systemTypes lists the types of sys.types that are modeled, in the order of their ids.
var systemTypes = []datatype.ID{
	datatype.UniqueIdentifier, datatype.Date, datatype.Time, datatype.DateTime2, datatype.DateTimeOffset, datatype.TinyInt,
	datatype.SmallInt, datatype.Int, datatype.Real, datatype.Money, datatype.DateTime, datatype.Float, datatype.SQLVariant,
	datatype.Bit, datatype.Decimal, datatype.BigInt, datatype.VarBinary, datatype.VarChar, datatype.Binary,
	datatype.Char, datatype.NVarChar, datatype.NChar,
}

// TypeName returns the name of a type by its user_type_id; empty: there is none.
func (d *Database) TypeName(user int32) string {
	for _, id := range systemTypes {
		if datatype.Of(id).UserTypeID() == user {
			return id.String()
		}
	}
	for _, t := range d.Types() {
		if t.ID == user {
			return t.Name
		}
	}
	return map[int32]string{108: "numeric", sysnameType: "sysname"}[user]
}

func typeRows(v *viewer) {
	for _, id := range systemTypes {
		t := datatype.Of(id).WithCollation(v.db.Collation)
		length, prec, scale := systemFacets(t)
		v.emit(id.String(), t.SystemTypeID(), t.UserTypeID(), SysSchema, nil, length, prec, scale, collationCell(t), true, false, false, 0, 0, false)
		if id == datatype.Decimal {
			v.emit("numeric", 108, 108, SysSchema, nil, length, prec, scale, nil, true, false, false, 0, 0, false)
		}
	}
	name := datatype.SysName().WithCollation(v.db.Collation)
	v.emit("sysname", name.SystemTypeID(), sysnameType, SysSchema, nil, 256, 0, 0, collationCell(name), false, false, false, 0, 0, false)
	for _, t := range v.db.Types() {
		if v.db.SeesType(v.Token, t) {
			v.emit(userTypeCells(t)...)
		}
	}
}

// systemFacets returns the greatest max_length, precision and scale of a type, as sys.types shows them.
func systemFacets(t datatype.Type) (length, prec, scale any) {
	switch t.ID {
	case datatype.Decimal:
		return 17, 38, 38
	case datatype.Char, datatype.VarChar, datatype.Binary, datatype.VarBinary, datatype.NChar, datatype.NVarChar:
		return 8000, 0, 0
	default:
	}
	return t.MaxLength(), t.Precision(), t.CatalogScale()
}

func userTypeCells(t *UserType) []any {
	base, table := t.Base, t.Table != nil
	if table {
		base = datatype.Of(datatype.Table)
	}
	return []any{
		t.Name, base.SystemTypeID(), t.ID, t.SchemaID, orNull(t.OwnOwner), base.MaxLength(), base.Precision(), base.CatalogScale(), collationCell(base),
		t.Nullable, true, false, 0, 0, table,
	}
}
