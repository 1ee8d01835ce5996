package supplied

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// dynamicTypes are the types of the overloads of BIND_VARIABLE and DEFINE_COLUMN, in the order of the specification.
var dynamicTypes = [...]datatype.ID{
	datatype.Number, datatype.Varchar2, datatype.Date, datatype.Timestamp, datatype.TimestampTZ, datatype.IntervalDS,
	datatype.BinaryFloat, datatype.BinaryDouble, datatype.CLOB, datatype.BLOB,
}

// dynamicValues returns the subprograms of DBMS_SQL that take values and columns, one for each type.
func dynamicValues() natives {
	n := natives{
		"BIND_VARIABLE_RAW": bindVariable(datatype.Raw, false), "DEFINE_COLUMN_RAW": defineColumn(datatype.Raw),
		"DEFINE_COLUMN_LONG": func(*call) error { return sqlerr.NotSupported("columns of type LONG") },
	}
	add := func(name string, fn native) {
		key := name
		for i := 2; n[key] != nil; i++ {
			key = fmt.Sprintf("%s#%d", name, i)
		}
		n[key] = fn
	}
	for _, id := range dynamicTypes {
		add("BIND_VARIABLE", bindVariable(id, false))
		if id == datatype.Varchar2 {
			add("BIND_VARIABLE", bindVariable(id, true))
		}
		add("DEFINE_COLUMN", defineColumn(id))
	}
	return n
}

// fullType returns the type that holds every value of its kind.
func fullType(id datatype.ID) datatype.Type {
	t := datatype.Of(id)
	switch id {
	case datatype.Timestamp, datatype.TimestampTZ, datatype.IntervalDS:
		t.Scale = 9
	}
	if t.IsInterval() {
		t.Prec = 9
	}
	return t
}

// bindVariable gives a bind its value. An OUT value may be as long as out_value_size says, or as long as this value.
func bindVariable(id datatype.ID, sized bool) native {
	return func(c *call) error {
		cur, err := c.usable()
		if err != nil {
			return err
		}
		b, err := cur.bind(c.text("NAME"))
		if err != nil {
			return err
		}
		b.Value, b.Type = c.Arg("VALUE"), fullType(id)
		if b.Type.IsText() || id == datatype.Raw {
			b.Type.Len = int32(max(1, len(c.text("VALUE"))))
		}
		if sized && !c.isNull("OUT_VALUE_SIZE") {
			b.Type.Len = int32(max(int64(b.Type.Len), min(c.whole("OUT_VALUE_SIZE"), 32767)))
		}
		return nil
	}
}

func defineColumn(id datatype.ID) native {
	return func(c *call) error {
		cur, err := c.parsed()
		if err != nil {
			return err
		}
		columns, n := cur.dynamic.Columns(), c.whole("POSITION")
		if n < 1 || n > int64(len(columns)) {
			return message.ORA(1007)
		}
		from, to := columns[n-1].Type, datatype.Of(id)
		if to.IsLOB() != from.IsLOB() {
			return sqlerr.NotSupported("DBMS_SQL.DEFINE_COLUMN of a %s column as %s", from, to)
		}
		cur.defined[n-1] = true
		return datatype.CheckImplicit(from, to)
	}
}

// describedFields are the numeric fields of DESC_REC3; the last two are of object types.
var describedFields = [...]string{
	"COL_TYPE", "COL_MAX_LEN", "COL_NAME_LEN", "COL_PRECISION", "COL_SCALE", "COL_CHARSETID", "COL_CHARSETFORM", "COL_SCHEMA_NAME_LEN",
	"COL_TYPE_NAME_LEN",
}

// describeColumns fills DESC_TAB3.
func describeColumns(c *call) error {
	cur, err := c.parsed()
	if err != nil {
		return err
	}
	columns := cur.dynamic.Columns()
	if len(columns) == 0 {
		return sqlerr.NotSupported("DBMS_SQL.DESCRIBE_COLUMNS of a statement that is no query")
	}
	to := c.Collection("DESC_T")
	to.Clear()
	for i, column := range columns {
		r := to.NewElement()
		f := describeType(column.Type)
		for j, n := range []int64{f.code, f.size, int64(len(column.Name)), f.precision, f.scale, f.charset, f.form, 0, 0} {
			r.Set(describedFields[j], value.NewInt(n))
		}
		r.Set("COL_NAME", datatype.NewText(column.Name))
		r.Set("COL_NULL_OK", value.NewBool(column.Nullable))
		to.Put(int64(i+1), value.NewRef(r))
	}
	c.Set("COL_CNT", value.NewInt(int64(len(columns))))
	return nil
}

// description is DBMS_SQL's description of a type.
type description struct{ code, size, precision, scale, charset, form int64 }

// Character sets by number: AL32UTF8, AL16UTF16.
const (
	utf8Set  = 873
	utf16Set = 2000
)

// describeType describes a column ("DBMS_SQL", DESC_REC3 Record Type; codes: "Data Types", table of internal data types).
func describeType(t datatype.Type) description {
	d := description{code: int64(t.ID.Code()), size: int64(t.Bytes()), precision: int64(t.Prec), scale: int64(t.Scale)}
	switch {
	case t.ID == datatype.PLSInteger || t.ID == datatype.Boolean: // PL/SQL only: no column has these types
		return description{}
	case t.IsText() || t.ID == datatype.Untyped:
		d.size = textSize(t)
	}
	switch {
	case t.IsNational():
		d.charset, d.form = utf16Set, 2
	case t.IsText() || t.ID == datatype.CLOB || t.ID == datatype.Untyped:
		d.charset, d.form = utf8Set, 1
	}
	return d
}

// textSize returns the maximum size of a text type in bytes.
func textSize(t datatype.Type) int64 {
	switch {
	case t.IsNational():
		return 2 * int64(t.Len)
	case t.Chars:
		return 4 * int64(t.Len)
	}
	return int64(t.Len)
}
