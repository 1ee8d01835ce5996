package supplied

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// dynamicTypes are the types of the overloads of BIND_VARIABLE, DEFINE_COLUMN, COLUMN_VALUE and VARIABLE_VALUE, in the
// order of the specification.
var dynamicTypes = [...]datatype.ID{
	datatype.Number, datatype.Varchar2, datatype.Date, datatype.Timestamp, datatype.TimestampTZ,
	datatype.IntervalDS, datatype.BinaryFloat, datatype.BinaryDouble, datatype.CLOB, datatype.BLOB,
}

// dynamicValues are the subprograms of DBMS_SQL through which values go in and out, one for each type.
func dynamicValues() natives {
	n := natives{}
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
		add("DEFINE_COLUMN", defineColumn(id, id == datatype.Varchar2))
		add("COLUMN_VALUE", columnValue(id))
		add("VARIABLE_VALUE", variableValue(id))
	}
	for _, id := range []datatype.ID{datatype.Char, datatype.Raw} {
		suffix := "_" + id.String()
		add("BIND_VARIABLE"+suffix, bindVariable(id, false))
		add("BIND_VARIABLE"+suffix, bindVariable(id, true))
		add("DEFINE_COLUMN"+suffix, defineColumn(id, true))
		add("COLUMN_VALUE"+suffix, columnValue(id))
		add("VARIABLE_VALUE"+suffix, variableValue(id))
	}
	add("DEFINE_COLUMN_LONG", func(*call) error { return sqlerr.NotSupported("columns of type LONG") })
	return n
}

// fullType is a type that takes every value of its kind.
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

// bindVariable gives a bind its value. An OUT value may be as long as out_value_size says, or as this value.
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

// at returns the column of parameter POSITION. Error: 1007.
func (c *call) at(cur *cursor) (int, plan.Column, error) {
	columns, n := cur.dynamic.Columns(), c.whole("POSITION")
	if n < 1 || n > int64(len(columns)) {
		return 0, plan.Column{}, message.ORA(1007)
	}
	return int(n - 1), columns[n-1], nil
}

func defineColumn(id datatype.ID, sized bool) native {
	return func(c *call) error {
		cur, err := c.parsed()
		if err != nil {
			return err
		}
		i, column, err := c.at(cur)
		if err != nil {
			return err
		}
		d := define{set: true, to: fullType(id)}
		if d.to.IsLOB() != column.Type.IsLOB() {
			return sqlerr.NotSupported("DBMS_SQL.DEFINE_COLUMN of a %s column as %s", column.Type, d.to)
		}
		if sized {
			d.size = c.whole("COLUMN_SIZE")
		}
		cur.defines[i] = d
		return datatype.CheckImplicit(column.Type, d.to)
	}
}

// columnValue gives a column of the row fetched last, converted as defined. What is longer is cut off, as the
// parameter actual_length of the long form tells.
func columnValue(id datatype.ID) native {
	return func(c *call) error {
		cur, err := c.parsed()
		if err != nil {
			return err
		}
		i, column, err := c.at(cur)
		switch {
		case err != nil:
			return err
		case cur.row == nil:
			return message.ORA(1002)
		case !cur.defines[i].set || cur.defines[i].to.ID != id:
			return message.ORA(6562)
		}
		d := cur.defines[i]
		v, err := datatype.Convert(cur.row[i], column.Type, d.to, c.s.Format(false))
		if err != nil {
			return err
		}
		if d.size > 0 && d.to.ID == datatype.Raw && int64(len(v.Str())) > d.size {
			v = value.NewBytes([]byte(v.Str()[:d.size]))
		} else if d.size > 0 && d.to.IsText() {
			v = datatype.NewText(cut(v.Str(), int(d.size)))
		}
		c.Set("VALUE", v)
		return nil
	}
}

func variableValue(id datatype.ID) native {
	return func(c *call) error {
		cur, err := c.usable()
		if err != nil {
			return err
		}
		b, err := cur.bind(c.text("NAME"))
		if err != nil {
			return err
		}
		if b.Type.ID != id {
			return message.ORA(6562)
		}
		c.Set("VALUE", b.Value)
		return nil
	}
}

// describedFields are the numbers of DESC_REC.
var describedFields = [...]string{
	"COL_TYPE", "COL_MAX_LEN", "COL_NAME_LEN", "COL_PRECISION", "COL_SCALE", "COL_CHARSETID", "COL_CHARSETFORM",
}

// describeColumns fills DESC_TAB, DESC_TAB2 or DESC_TAB3.
func describeColumns(form int) native {
	return func(c *call) error {
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
			if form == 1 && len(column.Name) > 32 { // DESC_REC has no room for more
				return datatype.ErrNumeric(fmt.Sprintf("dbms_sql.describe_columns overflow, col_name_len=%d. Use describe_columns2", len(column.Name)))
			}
			r := to.NewElement()
			f := describeType(column.Type)
			for j, n := range []int64{f.code, f.size, int64(len(column.Name)), f.precision, f.scale, f.charset, f.form} {
				r.Set(describedFields[j], value.NewInt(n))
			}
			r.Set("COL_SCHEMA_NAME_LEN", value.NewInt(0)) // of object types, as the type's name is
			if form == 3 {
				r.Set("COL_TYPE_NAME_LEN", value.NewInt(0))
			}
			r.Set("COL_NAME", datatype.NewText(column.Name))
			r.Set("COL_NULL_OK", value.NewBool(column.Nullable))
			to.Put(int64(i+1), value.NewRef(r))
		}
		c.Set("COL_CNT", value.NewInt(int64(len(columns))))
		return nil
	}
}

// description is how DBMS_SQL describes a type.
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
	case t.ID == datatype.PLSInteger || t.ID == datatype.Boolean: // PL/SQL's own: no column has them
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

// textSize is how many bytes text of a type may have.
func textSize(t datatype.Type) int64 {
	switch {
	case t.IsNational():
		return 2 * int64(t.Len)
	case t.Chars:
		return 4 * int64(t.Len)
	}
	return int64(t.Len)
}
