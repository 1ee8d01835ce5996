package datatype

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// number returns the message number of an error, 0 for none.
func number(t *testing.T, err error) int32 {
	t.Helper()
	if err == nil {
		return 0
	}
	var e *sqlerr.Error
	require.ErrorAs(t, err, &e)
	return e.Number
}

// text returns the message text of an error, "" for none.
func text(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *sqlerr.Error
	require.ErrorAs(t, err, &e)
	return e.Text
}

func TestFromName(t *testing.T) {
	for _, c := range []struct {
		name   string
		params []int
		want   string
		sysID  uint8
		length int16
		prec   uint8
		scale  uint8
	}{
		{"bit", nil, "bit", 104, 1, 1, 0},
		{"INTEGER", nil, "int", 56, 4, 10, 0},
		{"bigint", nil, "bigint", 127, 8, 19, 0},
		{"numeric", nil, "decimal(18,0)", 108, 9, 18, 0},
		{"dec", []int{5}, "decimal(5,0)", 106, 5, 5, 0},
		{"decimal", []int{38, 10}, "decimal(38,10)", 106, 17, 38, 10},
		{"money", nil, "money", 60, 8, 19, 4},
		{"float", nil, "float", 62, 8, 53, 0},
		{"float", []int{24}, "real", 59, 4, 24, 0},
		{"double precision", nil, "float", 62, 8, 53, 0},
		{"date", nil, "date", 40, 3, 10, 0},
		{"time", nil, "time(7)", 41, 5, 16, 7},
		{"time", []int{0}, "time(0)", 41, 3, 8, 0},
		{"datetime", nil, "datetime", 61, 8, 23, 3},
		{"datetime2", []int{3}, "datetime2(3)", 42, 7, 23, 3},
		{"datetimeoffset", nil, "datetimeoffset(7)", 43, 10, 34, 7},
		{"char", nil, "char(1)", 175, 1, 0, 0},
		{"character varying", []int{20}, "varchar(20)", 167, 20, 0, 0},
		{"nvarchar", []int{Max}, "nvarchar(max)", 231, -1, 0, 0},
		{"sysname", nil, "nvarchar(128)", 231, 256, 0, 0},
		{"national character", []int{3}, "nchar(3)", 239, 6, 0, 0},
		{"varbinary", []int{8000}, "varbinary(8000)", 165, 8000, 0, 0},
		{"uniqueidentifier", nil, "uniqueidentifier", 36, 16, 0, 0},
		{"sql_variant", nil, "sql_variant", 98, 8016, 0, 0},
	} {
		got, err := FromName(c.name, c.params...)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, got.String())
		require.Equal(t, c.sysID, got.SystemTypeID(), c.want)
		require.Equal(t, c.length, got.MaxLength(), c.want)
		require.Equal(t, c.prec, got.Precision(), c.want)
		require.Equal(t, c.scale, got.CatalogScale(), c.want)
	}
}

func TestFromNameErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		params []int
		number int32
	}{
		{"nosuch", nil, 2715},
		{"image", nil, sqlerr.NotSupportedNumber},
		{"int", []int{4}, 2716},
		{"varchar", []int{0}, 1001},
		{"varchar", []int{8001}, 131},
		{"nvarchar", []int{4001}, 131},
		{"char", []int{Max}, 1001},
		{"decimal", []int{39, 0}, 2750},
		{"decimal", []int{5, 6}, 2751},
		{"datetime2", []int{8}, 1002},
		{"float", []int{54}, 2750},
	} {
		_, err := FromName(c.name, c.params...)
		require.Equal(t, c.number, number(t, err), "%s%v", c.name, c.params)
	}
}

func TestUnify(t *testing.T) {
	for _, c := range []struct {
		a, b Type
		want string
		err  string
	}{
		{Of(Int), Of(BigInt), "bigint", ""},
		{Type{Coll: NoColl}, Of(Int), "int", ""},
		{Of(Int), DecimalOf(5, 2), "decimal(12,2)", ""},
		{DecimalOf(10, 4), DecimalOf(6, 0), "decimal(10,4)", ""},
		{DecimalOf(38, 0), DecimalOf(10, 10), "decimal(38,0)", ""},
		{Sized(VarChar, 10), Sized(NVarChar, 5), "nvarchar(10)", ""},
		{Sized(VarChar, 8000), Sized(NVarChar, 5), "nvarchar(4000)", ""},
		{Sized(Char, 3), Sized(Char, 5), "char(5)", ""},
		{Sized(Char, 3), Sized(VarChar, 5), "varchar(5)", ""},
		{Sized(VarChar, Max), Sized(NVarChar, 5), "nvarchar(max)", ""},
		{Sized(VarChar, 10), Of(Int), "int", ""},
		{Of(DateTime), Scaled(DateTime2, 0), "datetime2(3)", ""},
		{Of(DateTime), Of(Int), "datetime", ""},
		{Of(Date), Of(DateTime), "datetime", ""},
		{Of(Date), Of(Int), "", "Operand type clash: int is incompatible with date"},
		{Of(Int), Of(UniqueIdentifier), "", "Operand type clash: uniqueidentifier is incompatible with int"},
		{Sized(NVarChar, Max), Of(SQLVariant), "", "Operand type clash: nvarchar(max) is incompatible with sql_variant"},
	} {
		got, err := Unify(c.a, c.b)
		require.Equal(t, c.err, text(t, err), "%s %s", c.a, c.b)
		if c.err == "" {
			require.Equal(t, c.want, got.String(), "%s %s", c.a, c.b)
		}
	}
}

func TestCompareTypeErrors(t *testing.T) {
	for _, c := range []struct {
		a, b Type
		want string
	}{
		{Of(Date), Of(Int), "Operand type clash: date is incompatible with int"},
		{Of(Int), Of(Date), "Operand type clash: date is incompatible with int"},
		{Of(Time), Of(DateTime), "The data types time and datetime are incompatible in the equal to operator."},
		{Sized(VarBinary, 5), Of(Date), "The data types varbinary and date are incompatible in the equal to operator."},
		{Of(Float), Sized(VarBinary, 5), "Operand type clash: varbinary is incompatible with float"},
		{Sized(NVarChar, 5), Sized(VarBinary, 5), ""},
		{Of(Int), Sized(NVarChar, 5), ""},
		{Of(Date), Of(DateTimeOffset), ""},
	} {
		_, err := CompareType(c.a, c.b, Equal)
		require.Equal(t, c.want, text(t, err), "%s %s", c.a, c.b)
	}
}

func TestOpType(t *testing.T) {
	for _, c := range []struct {
		op   Op
		a, b Type
		want string
		err  string
	}{
		{Add, Of(Int), Of(Int), "int", ""},
		{Divide, Of(TinyInt), Of(TinyInt), "tinyint", ""},
		{Add, Of(Bit), Of(Int), "int", ""},
		// learn.microsoft.com "Precision, scale, and length"
		{Add, DecimalOf(5, 2), DecimalOf(8, 4), "decimal(9,4)", ""},
		{Multiply, DecimalOf(10, 2), DecimalOf(5, 3), "decimal(16,5)", ""},
		{Divide, DecimalOf(5, 2), DecimalOf(3, 1), "decimal(10,6)", ""},
		{Divide, IntLiteral(1), IntLiteral(3), "decimal(7,6)", ""},
		{Modulo, DecimalOf(5, 2), DecimalOf(8, 4), "decimal(7,4)", ""},
		{Multiply, DecimalOf(38, 20), DecimalOf(38, 20), "decimal(38,6)", ""},
		{Divide, DecimalOf(38, 10), DecimalOf(38, 10), "decimal(38,6)", ""},
		{Add, DecimalOf(38, 10), DecimalOf(38, 0), "decimal(38,0)", ""},
		{Add, Of(Int), DecimalOf(5, 2), "decimal(13,2)", ""},
		{Multiply, Of(Money), DecimalOf(5, 2), "decimal(25,6)", ""},
		{Multiply, Of(Money), Of(Int), "money", ""},
		{Add, Of(Real), Of(Int), "real", ""},
		{Add, Sized(VarChar, 5), Of(Int), "int", ""},
		{Add, Sized(VarChar, 5), Sized(NVarChar, 7), "nvarchar(12)", ""},
		{Add, Sized(VarChar, 8000), Sized(VarChar, 7), "varchar(8000)", ""},
		{Add, Sized(VarChar, 8000), Sized(VarChar, Max), "varchar(max)", ""},
		{Add, Sized(Binary, 3), Sized(VarBinary, 4), "varbinary(7)", ""},
		{BitAnd, Of(Int), Of(Bit), "int", ""},
		{Add, Type{Coll: NoColl}, Sized(VarChar, 3), "varchar(6)", ""},
		{Add, Type{Coll: NoColl}, Type{Coll: NoColl}, "int", ""},
		{Add, Of(Bit), Of(Bit), "", "the sandbox does not model operator add with bit and bit"},
		{Add, Of(Date), Of(Int), "", "the sandbox does not model operator add with date and int"},
		{Modulo, Of(Float), Of(Int), "", "the sandbox does not model operator modulo with float and int"},
		{BitAnd, DecimalOf(5, 0), Of(Int), "", "the sandbox does not model operator '&' with decimal(5,0) and int"},
	} {
		got, err := OpType(c.op, c.a, c.b)
		require.Equal(t, c.err, text(t, err), "%s %s %s", c.a, c.op, c.b)
		if c.err == "" {
			require.Equal(t, c.want, got.String(), "%s %s %s", c.a, c.op, c.b)
		}
	}
}
