package datatype

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

var (
	str   = value.NewString
	vc    = func(n int) Type { return Sized(VarChar, n) }
	nv    = func(n int) Type { return Sized(NVarChar, n) }
	intV  = value.NewInt
	float = value.NewFloat
	dec   = value.NewDecimal
)

// show converts v to text for a test: dates in style 121, binaries with 0x.
func show(t *testing.T, v value.Value, ty Type) string {
	t.Helper()
	if v.IsNull() {
		return "NULL"
	}
	style := NoStyle
	switch {
	case ty.IsDateTime():
		style = 121
	case ty.IsBinary():
		style = 1
	case ty.ID == Money:
		style = 2
	}
	s, err := textOf(v, ty, vc(Max), style)
	require.NoError(t, err)
	return s
}

func TestConvert(t *testing.T) {
	dt := func(y, m, d int, ticks int64) value.Value { return value.NewTime(DateTicks(y, m, d)+ticks, 0) }
	noon := dt(2006, 12, 30, 38*TicksPerMinute+54*TicksPerSecond+8_400_000)
	for _, c := range []struct {
		v     value.Value
		from  Type
		to    Type
		style int
		want  string
	}{
		// to integers
		{str("  42 "), vc(9), Of(Int), NoStyle, "42"},
		{str(""), vc(9), Of(Int), NoStyle, "0"},
		{str("-7"), nv(9), Of(SmallInt), NoStyle, "-7"},
		{dec(-1065, 1), DecimalOf(5, 1), Of(Int), NoStyle, "-106"},
		{dec(1065000, 4), Of(Money), Of(Int), NoStyle, "107"},
		{float(-2.9), Of(Float), Of(Int), NoStyle, "-2"},
		{intV(5), Of(Int), Of(Bit), NoStyle, "1"},
		{str("TRUE"), vc(5), Of(Bit), NoStyle, "1"},
		// to decimal and money
		{str("1.005"), vc(9), DecimalOf(5, 2), NoStyle, "1.01"},
		{dec(-25, 1), DecimalOf(5, 1), DecimalOf(5, 0), NoStyle, "-3"},
		{float(0.1), Of(Float), DecimalOf(38, 20), NoStyle, "0.10000000000000001000"},
		// to float and back
		{str("1e3"), vc(20), Of(Float), NoStyle, "1000"},
		{float(1234567), Of(Float), vc(30), NoStyle, "1.23457e+006"},
		{float(123456), Of(Float), vc(30), NoStyle, "123456"},
		{float(0.00001), Of(Float), vc(30), NoStyle, "1e-005"},
		{float(1234567), Of(Float), vc(30), 2, "1.234567000000000e+006"},
		// to strings
		{intV(123), Of(Int), Sized(Char, 5), NoStyle, "123  "},
		{dec(5, 1), DecimalOf(1, 1), vc(9), NoStyle, "0.5"},
		{dec(-5, 2), DecimalOf(9, 2), vc(9), NoStyle, "-0.05"},
		{dec(42359819, 4), Of(Money), vc(20), NoStyle, "4235.98"},
		{dec(42359819, 4), Of(Money), vc(20), 2, "4235.9819"},
		{str("abcdef"), vc(9), vc(3), NoStyle, "abc"},
		{str("日本"), nv(9), vc(9), NoStyle, "??"},
		{str("ab"), nv(9), Sized(NChar, 4), NoStyle, "ab  "},
		// learn.microsoft.com "CAST and CONVERT", style examples
		{noon, Of(DateTime), vc(40), NoStyle, "Dec 30 2006 12:38AM"},
		{noon, Of(DateTime), vc(40), 101, "12/30/2006"},
		{noon, Of(DateTime), vc(40), 103, "30/12/2006"},
		{noon, Of(DateTime), vc(40), 108, "00:38:54"},
		{noon, Of(DateTime), vc(40), 112, "20061230"},
		{noon, Of(DateTime), vc(40), 120, "2006-12-30 00:38:54"},
		{noon, Of(DateTime), vc(40), 121, "2006-12-30 00:38:54.840"},
		{noon, Of(DateTime), vc(40), 23, "2006-12-30"},
		{noon, Of(DateTime), vc(40), 126, "2006-12-30T00:38:54.840"},
		{dt(2006, 12, 30, 0), Of(DateTime), vc(40), 126, "2006-12-30T00:00:00"},
		{dt(2006, 1, 2, 9*TicksPerHour), Of(DateTime), vc(40), 0, "Jan  2 2006  9:00AM"},
		{noon, Scaled(DateTime2, 7), vc(40), NoStyle, "2006-12-30 00:38:54.8400000"},
		{noon, Scaled(DateTime2, 0), vc(40), 121, "2006-12-30 00:38:54"},
		{noon, Scaled(DateTime2, 3), vc(40), 126, "2006-12-30T00:38:54.840"},
		{dt(2006, 12, 30, 0), Of(Date), vc(40), NoStyle, "2006-12-30"},
		{value.NewSpan(90 * TicksPerMinute), Scaled(Time, 3), vc(40), NoStyle, "01:30:00.000"},
		{value.NewTime(DateTicks(2006, 12, 30)-2*TicksPerHour, 120), Scaled(DateTimeOffset, 0), vc(40), NoStyle, "2006-12-30 00:00:00 +02:00"},
		{value.NewTime(DateTicks(2006, 12, 30)-2*TicksPerHour, 120), Scaled(DateTimeOffset, 0), vc(40), 127, "2006-12-29T22:00:00Z"},
		// learn.microsoft.com "datetime2": the same string to every type
		{str("2007-05-08 12:35:29.1234567 +12:15"), vc(40), Scaled(Time, 7), NoStyle, "12:35:29.1234567"},
		{str("2007-05-08 12:35:29.1234567 +12:15"), vc(40), Of(Date), NoStyle, "2007-05-08"},
		{str("2007-05-08 12:35:29.123"), vc(40), Of(DateTime), NoStyle, "2007-05-08 12:35:29.123"},
		{str("2007-05-08 12:35:29.1234567 +12:15"), vc(40), Scaled(DateTime2, 7), NoStyle, "2007-05-08 12:35:29.1234567"},
		{str("2007-05-08 12:35:29.1234567 +12:15"), vc(40), Scaled(DateTimeOffset, 7), NoStyle, "2007-05-08 12:35:29.1234567 +12:15"},
		// other forms
		{str("20240229"), vc(40), Of(DateTime), NoStyle, "2024-02-29 00:00:00.000"},
		{str("2024-02-29T01:02:03"), vc(40), Of(DateTime), NoStyle, "2024-02-29 01:02:03.000"},
		{str("2024-02-29T01:02:03.5Z"), vc(40), Scaled(DateTimeOffset, 1), NoStyle, "2024-02-29 01:02:03.5 +00:00"},
		{str("12:30"), vc(40), Of(DateTime), NoStyle, "1900-01-01 12:30:00.000"},
		{str(""), vc(40), Of(DateTime), NoStyle, "1900-01-01 00:00:00.000"},
		{str("2024-01-01 00:00:00.001"), vc(40), Of(DateTime), NoStyle, "2024-01-01 00:00:00.000"},
		{str("2024-01-01 00:00:00.002"), vc(40), Of(DateTime), NoStyle, "2024-01-01 00:00:00.003"},
		{str("2024-01-01 23:59:59.999"), vc(40), Of(DateTime), NoStyle, "2024-01-02 00:00:00.000"},
		{value.NewTime(from300(1), 0), Of(DateTime), Scaled(DateTime2, 7), NoStyle, "0001-01-01 00:00:00.0033333"},
		{noon, Of(DateTime), Scaled(DateTimeOffset, 3), NoStyle, "2006-12-30 00:38:54.840 +00:00"},
		// binaries
		{str("A"), nv(1), Sized(VarBinary, 10), NoStyle, "0x4100"},
		{str("ABC"), vc(3), Sized(Binary, 4), NoStyle, "0x41424300"},
		{str("0x4E616d65"), vc(10), Sized(VarBinary, 8), 1, "0x4E616D65"},
		{str("4E616d65"), vc(10), Sized(VarBinary, 8), 2, "0x4E616D65"},
		{value.NewBytes([]byte("Name")), Sized(VarBinary, 8), Sized(Char, 8), NoStyle, "Name    "},
		{value.NewBytes([]byte("Name")), Sized(VarBinary, 8), vc(10), 1, "0x4E616D65"},
		{value.NewBytes([]byte("Name")), Sized(VarBinary, 8), vc(10), 2, "4E616D65"},
		{value.NewBytes([]byte{0x41}), Sized(VarBinary, 8), nv(10), NoStyle, "A"},
		// uniqueidentifier
		{str("{0E984725-C51C-4BF4-9960-E1C80E27ABA0}xyz"), vc(60), Of(UniqueIdentifier), NoStyle, "0E984725-C51C-4BF4-9960-E1C80E27ABA0"},
	} {
		got, err := Convert(c.v, c.from, c.to, c.style, Explicit)
		require.NoError(t, err, "%v %s -> %s", c.v, c.from, c.to)
		require.Equal(t, c.want, show(t, got, c.to), "%v %s -> %s style %d", c.v, c.from, c.to, c.style)
	}
}

func TestConvertErrors(t *testing.T) {
	guid := value.NewGUID([16]byte{})
	for _, c := range []struct {
		v    value.Value
		from Type
		to   Type
		want string
	}{
		{str("abc"), vc(9), Of(Int), "Conversion failed when converting the varchar value 'abc' to data type int."},
		{str("1.5"), nv(9), Of(Int), "Conversion failed when converting the nvarchar value '1.5' to data type int."},
		{str("-+5"), vc(9), Of(Int), "Conversion failed when converting the varchar value '-+5' to data type int."},
		{str("--5"), vc(9), Of(Money), "Cannot convert a char value to money. The char value has incorrect syntax."},
		{str("abc"), vc(9), Of(BigInt), "Error converting data type varchar to bigint."},
		{str("maybe"), vc(9), Of(Bit), "Conversion failed when converting the varchar value 'maybe' to data type bit."},
		{str("abc"), nv(9), DecimalOf(5, 2), "Error converting data type nvarchar to numeric."},
		{str("1e5"), nv(9), DecimalOf(5, 2), "Error converting data type nvarchar to numeric."},
		{str(""), nv(9), DecimalOf(5, 2), "Error converting data type nvarchar to numeric."},
		{str("x"), vc(9), Of(Float), "Error converting data type varchar to float."},
		{str("1e2"), vc(9), Of(Money), "Cannot convert a char value to money. The char value has incorrect syntax."},
		{str("300"), vc(9), Of(TinyInt), "The conversion of the varchar value '300' overflowed an INT1 column. Use a larger integer column."},
		{str("40000"), vc(9), Of(SmallInt), "The conversion of the varchar value '40000' overflowed an INT2 column. Use a larger integer column."},
		{str("3000000000"), vc(20), Of(Int), "The conversion of the varchar value '3000000000' overflowed an int column."},
		{intV(300), Of(Int), Of(TinyInt), "Arithmetic overflow error for data type tinyint, value = 300."},
		{intV(1 << 40), Of(BigInt), Of(Int), "Arithmetic overflow error converting expression to data type int."},
		{dec(2147483648, 0), DecimalOf(10, 0), Of(Int), "Arithmetic overflow error converting expression to data type int."},
		{float(3e9), Of(Float), Of(Int), "Arithmetic overflow error for type int, value = 3000000000.000000."},
		{intV(1234), Of(Int), DecimalOf(3, 0), "Arithmetic overflow error converting int to data type numeric."},
		{dec(12345, 2), DecimalOf(5, 2), DecimalOf(4, 2), "Arithmetic overflow error converting numeric to data type numeric."},
		{dec(12345, 2), DecimalOf(5, 2), vc(3), "Arithmetic overflow error converting numeric to data type varchar."},
		{intV(123), Of(Int), nv(2), "Arithmetic overflow error converting expression to data type nvarchar."},
		{dec(1, 4), Of(Money), vc(2), "There is insufficient result space to convert a money value to varchar."},
		{guid, Of(UniqueIdentifier), vc(35), "Insufficient result space to convert uniqueidentifier value to char."},
		{str("xyz"), vc(9), Of(UniqueIdentifier), "Conversion failed when converting from a character string to uniqueidentifier."},
		{str("xyz"), vc(9), Of(DateTime), "Conversion failed when converting date and/or time from character string."},
		{str("2024-13-01"), vc(19), Of(DateTime), "The conversion of a varchar data type to a datetime data type resulted in an out-of-range value."},
		{str("2024-13-01"), vc(19), Of(Date), "Conversion failed when converting date and/or time from character string."},
		{str("1600-01-01"), nv(19), Of(DateTime), "The conversion of a nvarchar data type to a datetime data type resulted in an out-of-range value."},
		{str("2024-01-01 00:00:00.1234"), vc(30), Of(DateTime), "Conversion failed when converting date and/or time from character string."},
		{value.NewTime(DateTicks(1600, 1, 1), 0), Of(DateTime2), Of(DateTime), "The conversion of a datetime2 data type to a datetime data type resulted in an out-of-range value."},
		{intV(1), Of(Int), Of(Date), "Explicit conversion from data type int to date is not allowed."},
		{intV(1), Of(Int), Of(UniqueIdentifier), "Explicit conversion from data type int to uniqueidentifier is not allowed."},
	} {
		_, err := Convert(c.v, c.from, c.to, NoStyle, Explicit)
		require.Equal(t, c.want, text(t, err), "%v %s -> %s", c.v, c.from, c.to)
		try, err := TryConvert(c.v, c.from, c.to, NoStyle)
		if number(t, err) != 529 {
			require.NoError(t, err)
			require.True(t, try.IsNull())
		}
	}
	_, err := Convert(str("x"), vc(9), Sized(VarBinary, 5), NoStyle, Implicit)
	require.Equal(t, "Implicit conversion from data type varchar to varbinary is not allowed. Use the CONVERT function to run this query.", text(t, err))
	_, err = Convert(value.Value{}, Of(Date), Of(Int), NoStyle, Implicit)
	require.EqualValues(t, 206, number(t, err))
	_, err = Convert(str("2024-01-02"), vc(20), Of(Date), 103, Explicit)
	require.EqualValues(t, 49999, number(t, err))
	_, err = Convert(value.NewTime(0, 0), Of(Date), vc(20), 108, Explicit)
	require.EqualValues(t, 8114, number(t, err))
	_, err = Convert(value.NewTime(0, 0), Of(DateTime), vc(20), 99, Explicit)
	require.EqualValues(t, 49999, number(t, err))
}

func TestAssign(t *testing.T) {
	got, err := Assign(str("abc   "), vc(9), vc(3), "c", "d.s.t")
	require.NoError(t, err)
	require.Equal(t, "abc", got.Str())
	_, err = Assign(str("abcdef"), vc(9), nv(3), "name", "db.dbo.t")
	require.Equal(t, "String or binary data would be truncated in table 'db.dbo.t', column 'name'. Truncated value: 'abc'.", text(t, err))
	_, err = Assign(value.NewBytes(make([]byte, 4)), Sized(VarBinary, 9), Sized(Binary, 3), "b", "t")
	require.EqualValues(t, 2628, number(t, err))
	got, err = Assign(str("a"), vc(1), Sized(Char, 3), "c", "t")
	require.NoError(t, err)
	require.Equal(t, "a  ", got.Str())
	_, err = Assign(intV(1), Of(Int), Of(Date), "d", "t")
	require.Equal(t, "Operand type clash: int is incompatible with date", text(t, err))
}

func TestVariantConversion(t *testing.T) {
	v, err := Convert(intV(7), Of(Int), Of(SQLVariant), NoStyle, Implicit)
	require.NoError(t, err)
	x, ok := VariantOf(v)
	require.True(t, ok)
	require.Equal(t, Of(Int), x.Type)
	_, err = Convert(v, Of(SQLVariant), Of(Int), NoStyle, Implicit)
	require.EqualValues(t, 257, number(t, err))
	got, err := Convert(v, Of(SQLVariant), nv(10), NoStyle, Explicit)
	require.NoError(t, err)
	require.Equal(t, "7", got.Str())
}

func TestUTF16(t *testing.T) {
	require.Equal(t, 2, charset.Len16("😀"))
	require.Equal(t, 3, charset.Len16("aé日"))
	half := charset.Sub16("😀", 0, 1)
	require.Equal(t, []uint16{0xD83D}, charset.Units(half))
	require.Equal(t, "😀", charset.Join(half, charset.Sub16("😀", 1, 1)))
	require.Equal(t, half, charset.FromUnits(charset.Units(half)))
	require.Equal(t, "é日", charset.Sub16("aé日b", 1, 2))
}

func TestLiterals(t *testing.T) {
	for _, c := range []struct{ text, typ, want string }{
		{"1", "int", "1"}, {"2147483648", "decimal(10,0)", "2147483648"}, {"1.50", "decimal(3,2)", "1.50"},
		{"0.5", "decimal(1,1)", "0.5"}, {"1e2", "float", "100"}, {"007", "int", "7"}, {"12345678901234567890.1", "decimal(21,1)", "12345678901234567890.1"},
	} {
		v, ty, err := NumberLiteral(c.text)
		require.NoError(t, err)
		require.Equal(t, c.typ, ty.String())
		require.Equal(t, c.want, show(t, v, ty))
	}
	v, ty, err := BinaryLiteral("ABC")
	require.NoError(t, err)
	require.Equal(t, "varbinary(2)", ty.String())
	require.Equal(t, "0x0ABC", show(t, v, ty))
	_, ty = StringLiteral("", true, CIAS)
	require.Equal(t, "nvarchar(1)", ty.String())
}

// FuzzConvertString looks for strings on which reading a value panics or gives
// something that does not survive being written and read again.
func FuzzConvertString(f *testing.F) {
	for _, s := range []string{"2024-02-29T01:02:03.5Z", "1.5", "1e5", "12:30 +02:00", "20240101"} {
		f.Add(s)
	}
	types := []Type{Of(Int), Of(Bit), DecimalOf(20, 3), Of(Money), Of(Float), Of(Date), Of(Time), Of(DateTime),
		Of(DateTime2), Of(DateTimeOffset), Of(UniqueIdentifier)}
	f.Fuzz(func(t *testing.T, s string) {
		for _, ty := range types {
			v, err := Convert(str(s), nv(4000), ty, NoStyle, Explicit)
			if err != nil || ty.ID == Float {
				continue
			}
			style := NoStyle
			if ty.IsDateTime() {
				style = 121
			} else if ty.ID == Money {
				style = 2
			}
			text, err := Convert(v, ty, nv(4000), style, Explicit)
			require.NoError(t, err)
			again, err := Convert(text, nv(4000), ty, NoStyle, Explicit)
			require.NoError(t, err, "%s %q", ty, text.Str())
			require.Zero(t, Compare(v, again, ty), "%s %q %q", ty, s, text.Str())
		}
	})
}
