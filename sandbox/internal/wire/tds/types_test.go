package tds_test

import (
	"database/sql"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	mssql "github.com/microsoft/go-mssqldb"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tds"
)

const day = 24 * 60 * 60 * 10_000_000 // ticks

// ticks counts 100 ns since 0001-01-01.
func ticks(t time.Time) int64 {
	return (t.Unix()+62135596800)*10_000_000 + int64(t.Nanosecond())/100
}

func at(s string) time.Time {
	t, err := time.Parse("2006-01-02 15:04:05.999999999 -07:00", s)
	must(err)
	return t
}

func local(s string) value.Value { return value.NewTime(ticks(at(s+" +00:00")), 0) }

func utc(s string) time.Time { return at(s + " +00:00").UTC() }

func dec(prec, scale uint8) tds.Type {
	return tds.Type{ID: tds.DecimalN, Prec: prec, Scale: scale}
}

func timeOf(id tds.TypeID, scale uint8) tds.Type {
	return tds.Type{ID: id, Scale: scale}
}

func variantValue(t tds.Type, v value.Value) value.Value {
	return value.NewRef(tds.Variant{Type: t, Value: v})
}

var huge, _ = new(big.Int).SetString("99999999999999999999999999999999999999", 10)

var columnCases = []struct {
	name string
	t    tds.Type
	v    value.Value
	want any
}{
	{"bit 1", tds.Bit, value.NewInt(1), true},
	{"bit bool", tds.Bit, value.NewBool(false), false},
	{"tinyint", tds.TinyInt, value.NewInt(255), int64(255)},
	{"smallint", tds.SmallInt, value.NewInt(math.MinInt16), int64(math.MinInt16)},
	{"int", tds.Int, value.NewInt(math.MinInt32), int64(math.MinInt32)},
	{"bigint", tds.BigInt, value.NewInt(math.MinInt64), int64(math.MinInt64)},
	{"decimal(5,2)", dec(5, 2), value.NewDecimal(-12345, 2), []byte("-123.45")},
	{"decimal rescaled", dec(19, 4), value.NewDecimal(15, 1), []byte("1.5000")},
	{"decimal of an int", dec(10, 0), value.NewInt(7), []byte("7")},
	{"decimal exact descale", dec(10, 1), value.NewDecimal(1500, 3), []byte("1.5")},
	{"decimal(28,0)", dec(28, 0), value.NewDecimal(math.MaxInt64, 0), []byte("9223372036854775807")},
	{"decimal(38,10)", dec(38, 10), value.NewBigDecimal(huge, 10), []byte("9999999999999999999999999999.9999999999")},
	{"money", tds.Money, value.NewDecimal(-922337203685477, 4), []byte("-92233720368.5477")},
	{"money of less scale", tds.Money, value.NewDecimal(5, 1), []byte("0.5000")},
	{"float", tds.Float, value.NewFloat(-1.5e300), -1.5e300},
	{"date first", tds.Date, value.NewTime(0, 0), utc("0001-01-01 00:00:00")},
	{"date last", tds.Date, value.NewTime(3652058*day, 0), utc("9999-12-31 00:00:00")},
	{"time(7)", timeOf(tds.TimeN, 7), value.NewSpan(day - 1), utc("0001-01-01 23:59:59.9999999")},
	{"time(3)", timeOf(tds.TimeN, 3), value.NewSpan(1_230_000), utc("0001-01-01 00:00:00.123")},
	{"time(0)", timeOf(tds.TimeN, 0), value.NewSpan(10_000_000), utc("0001-01-01 00:00:01")},
	{"datetime", tds.DateTime, local("2026-02-28 12:34:56.7833333"), utc("2026-02-28 12:34:56.783")},
	{"datetime .997", tds.DateTime, local("1753-01-01 23:59:59.9966667"), utc("1753-01-01 23:59:59.997")},
	{"datetime rounds up", tds.DateTime, local("2026-12-31 23:59:59.9999999"), utc("2027-01-01 00:00:00")},
	{"datetime2(7)", timeOf(tds.DateTime2N, 7), local("2026-11-20 01:02:03.1234567"), utc("2026-11-20 01:02:03.1234567")},
	{"datetime2(4)", timeOf(tds.DateTime2N, 4), local("2026-11-20 01:02:03.1234"), utc("2026-11-20 01:02:03.1234")},
	{"datetime2(0)", timeOf(tds.DateTime2N, 0), local("0001-01-01 00:00:00"), utc("0001-01-01 00:00:00")},
	{"datetimeoffset", timeOf(tds.DateTimeOffsetN, 7), value.NewTime(ticks(utc("2026-11-20 06:32:03.1234567")), -330), at("2026-11-20 01:02:03.1234567 -05:30")},
	{"datetimeoffset(0)", timeOf(tds.DateTimeOffsetN, 0), value.NewTime(ticks(utc("2026-11-20 09:30:00")), 840), at("2026-11-20 23:30:00 +14:00")},
	{"char", text(tds.Char, 4), value.NewString("ab  "), "ab  "},
	{"varchar", text(tds.VarChar, 8000), value.NewString("grün €"), "grün €"},
	{"varchar without a character", text(tds.VarChar, 10), value.NewString("漢🔑"), "???"},
	{"varchar CS", tds.Type{ID: tds.VarChar, Size: 10, Collation: tds.CSAS}, value.NewString("ÿŸ™"), "ÿŸ™"},
	{"varchar BIN2", tds.Type{ID: tds.VarChar, Size: 10, Collation: tds.BIN2}, value.NewString("ÿ–"), "ÿ–"},
	{"varchar empty", text(tds.VarChar, 0), value.NewString(""), ""},
	{"varchar(max)", text(tds.VarChar, tds.Max), value.NewString(strings.Repeat("é", 100000)), strings.Repeat("é", 100000)},
	{"nchar", text(tds.NChar, 3), value.NewString("漢  "), "漢  "},
	{"nvarchar", text(tds.NVarChar, 4000), value.NewString("漢🔑z"), "漢🔑z"},
	{"nvarchar full", text(tds.NVarChar, 4), value.NewString("🔑🔑"), "🔑🔑"},
	{"nvarchar(max)", text(tds.NVarChar, tds.Max), value.NewString(strings.Repeat("漢", 50000)), strings.Repeat("漢", 50000)},
	{"nvarchar(max) empty", text(tds.NVarChar, tds.Max), value.NewString(""), ""},
	{"binary", text(tds.Binary, 2), value.NewBytes([]byte{0, 255}), []byte{0, 255}},
	{"varbinary", text(tds.VarBinary, 8000), value.NewBytes([]byte{1, 2, 3}), []byte{1, 2, 3}},
	{"varbinary empty", text(tds.VarBinary, 10), value.NewBytes(nil), []byte{}},
	{"varbinary(max)", text(tds.VarBinary, tds.Max), value.NewBytes(make([]byte, 70000)), make([]byte, 70000)},
	{"uniqueidentifier", tds.GUIDType, value.NewGUID([16]byte{1, 2, 3, 15: 16}), []byte{1, 2, 3, 15: 16}},
	{"variant int", tds.SQLVariant, variantValue(tds.Int, value.NewInt(5)), int64(5)},
	{"variant bigint", tds.SQLVariant, variantValue(tds.BigInt, value.NewInt(5e12)), int64(5e12)},
	{"variant bit", tds.SQLVariant, variantValue(tds.Bit, value.NewInt(1)), true},
	{"variant tinyint", tds.SQLVariant, variantValue(tds.TinyInt, value.NewInt(200)), int64(200)},
	{"variant text", tds.SQLVariant, variantValue(text(tds.NVarChar, 9), value.NewString("漢")), "漢"},
	{"variant varchar", tds.SQLVariant, variantValue(text(tds.VarChar, 5), value.NewString("grün")), "grün"},
	{"variant float", tds.SQLVariant, variantValue(tds.Float, value.NewFloat(0.5)), 0.5},
	{"variant decimal", tds.SQLVariant, variantValue(dec(9, 2), value.NewDecimal(-150, 2)), []byte("-1.50")},
	{"variant money", tds.SQLVariant, variantValue(tds.Money, value.NewDecimal(15000, 4)), []byte("1.5000")},
	{"variant bytes", tds.SQLVariant, variantValue(text(tds.VarBinary, 9), value.NewBytes([]byte{9})), []byte{9}},
	{"variant guid", tds.SQLVariant, variantValue(tds.GUIDType, value.NewGUID([16]byte{7})), []byte{7, 15: 0}},
	{"variant datetime", tds.SQLVariant, variantValue(tds.DateTime, local("2026-01-01 00:00:00")), utc("2026-01-01 00:00:00")},
	{"variant datetime2", tds.SQLVariant, variantValue(timeOf(tds.DateTime2N, 7), local("2026-01-01 00:00:00.1")), utc("2026-01-01 00:00:00.1")},
	{"variant time", tds.SQLVariant, variantValue(timeOf(tds.TimeN, 7), value.NewSpan(1)), utc("0001-01-01 00:00:00.0000001")},
	{"variant date", tds.SQLVariant, variantValue(tds.Date, value.NewTime(day, 0)), utc("0001-01-02 00:00:00")},
	{"variant offset", tds.SQLVariant, variantValue(timeOf(tds.DateTimeOffsetN, 0), value.NewTime(day, 60)), at("0001-01-02 01:00:00 +01:00")},
}

func TestColumns(t *testing.T) {
	var columns []tds.Column
	values, nulls := value.Row{}, value.Row{}
	for i, c := range columnCases {
		columns = append(columns,
			tds.Column{Name: fmt.Sprintf("c%d", i), Type: c.t, Nullable: true},
			tds.Column{Name: fmt.Sprintf("n%d", i), Type: c.t})
		values = append(values, c.v, c.v)
		nulls = append(nulls, value.Value{}, c.v)
	}
	db, _ := open(t, rows(columns, values, nulls, values))
	set, err := db.Query("SELECT * FROM t")
	require.NoError(t, err)
	defer set.Close()
	names, err := set.Columns()
	require.NoError(t, err)
	require.Equal(t, "c0", names[0])
	for row := range 3 {
		require.True(t, set.Next(), "%v", set.Err())
		got, dest := make([]any, len(columns)), make([]any, len(columns))
		for i := range dest {
			dest[i] = &got[i]
		}
		require.NoError(t, set.Scan(dest...))
		for i, c := range columnCases {
			if row == 1 {
				require.Nil(t, got[2*i], c.name)
			} else {
				same(t, c.name, c.want, got[2*i])
			}
			same(t, c.name+" not null", c.want, got[2*i+1])
		}
	}
	require.False(t, set.Next())
	require.NoError(t, set.Err())
}

func same(t *testing.T, name string, want, got any) {
	t.Helper()
	if w, ok := want.(time.Time); ok {
		g, ok := got.(time.Time)
		require.True(t, ok, "%s: %T", name, got)
		require.Equal(t, w.Format(time.RFC3339Nano), g.Format(time.RFC3339Nano), name)
		return
	}
	require.Equal(t, want, got, name)
}

func TestReal(t *testing.T) {
	// go-mssqldb returns a real as float64, or as float32 when it is not nullable.
	db, _ := open(t, rows([]tds.Column{{Type: tds.Real, Nullable: true}, {Type: tds.Real}},
		value.Row{value.NewFloat(0.25), value.NewFloat(-0.5)}))
	var a, b float64
	require.NoError(t, db.QueryRow("SELECT 1").Scan(&a, &b))
	require.Equal(t, []float64{0.25, -0.5}, []float64{a, b})
}

func TestColumnMetadata(t *testing.T) {
	db, _ := open(t, rows([]tds.Column{
		{Name: "id", Type: tds.Int, Identity: true},
		{Name: "name", Type: text(tds.NVarChar, 128), Nullable: true},
		{Name: "total", Type: dec(18, 4), Nullable: true, Computed: true},
		{Name: "no type", Type: tds.Untyped, Nullable: true},
	}))
	set, err := db.Query("SELECT * FROM t")
	require.NoError(t, err)
	defer set.Close()
	types, err := set.ColumnTypes()
	require.NoError(t, err)
	require.False(t, set.Next())
	require.NoError(t, set.Err())
	nullable, ok := types[0].Nullable()
	require.True(t, ok)
	require.False(t, nullable)
	nullable, _ = types[1].Nullable()
	require.True(t, nullable)
	length, _ := types[1].Length()
	require.Equal(t, int64(128), length)
	require.Equal(t, "NVARCHAR", types[1].DatabaseTypeName())
	prec, scale, ok := types[2].DecimalSize()
	require.True(t, ok)
	require.Equal(t, []int64{18, 4}, []int64{prec, scale})
	require.Equal(t, "INT", types[3].DatabaseTypeName())
}

func TestRowsThatDoNotFit(t *testing.T) {
	cases := []struct {
		name string
		c    tds.Column
		v    value.Value
	}{
		{"NULL", tds.Column{Type: tds.Int}, value.Value{}},
		{"kind", tds.Column{Type: tds.Int}, value.NewString("1")},
		{"text kind", tds.Column{Type: text(tds.NVarChar, 3)}, value.NewInt(1)},
		{"tinyint", tds.Column{Type: tds.TinyInt}, value.NewInt(256)},
		{"int", tds.Column{Type: tds.Int}, value.NewInt(1 << 31)},
		{"bit", tds.Column{Type: tds.Bit}, value.NewInt(2)},
		{"digits", tds.Column{Type: dec(3, 0)}, value.NewInt(1000)},
		{"scale", tds.Column{Type: dec(3, 0)}, value.NewDecimal(15, 1)},
		{"nvarchar", tds.Column{Type: text(tds.NVarChar, 3)}, value.NewString("abcd")},
		{"surrogates", tds.Column{Type: text(tds.NVarChar, 3)}, value.NewString("🔑🔑")},
		{"varbinary", tds.Column{Type: text(tds.VarBinary, 1)}, value.NewBytes([]byte{1, 2})},
		{"time", tds.Column{Type: timeOf(tds.TimeN, 7)}, value.NewSpan(day)},
		{"date", tds.Column{Type: tds.Date}, value.NewTime(-1, 0)},
		{"datetime", tds.Column{Type: tds.DateTime}, value.NewTime(0, 0)},
		{"variant", tds.Column{Type: tds.SQLVariant}, value.NewRef(1)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var failure error
			db, _ := open(t, func(_ *session, _ tds.Request, w *tds.ResponseWriter) {
				must(w.Columns([]tds.Column{c.c, {Type: tds.Int}}))
				failure = w.Row(value.Row{c.v, value.NewInt(1)})
				w.DoneStatement(tds.Done{HasCount: true})
			})
			_, err := db.Exec("SELECT 1") // the stream stays intact
			require.NoError(t, err)
			require.Error(t, failure)
		})
	}
}

// echo answers a call with its parameters after sp_executesql's two.
func echo(_ *session, req tds.Request, w *tds.ResponseWriter) {
	r, ok := req.(*tds.RPC)
	if !ok {
		return
	}
	var columns []tds.Column
	var row value.Row
	for _, p := range r.Params[2:] {
		columns = append(columns, tds.Column{Name: p.Name, Type: p.Type, Nullable: true})
		row = append(row, p.Value)
	}
	send(w, columns, row)
	w.ReturnStatus(0)
}

func TestParameters(t *testing.T) {
	moment := at("2026-11-20 01:02:03.1234567 +05:30")
	guid := mssql.UniqueIdentifier{0x6F, 0x96, 0x19, 0xFF, 0x8B, 0x86, 0xD0, 0x11, 0xB4, 0x2D, 0x00, 0xC0, 0x4F, 0xC9, 0x64, 0xFF}
	wire := [16]byte{0xFF, 0x19, 0x96, 0x6F, 0x86, 0x8B, 0x11, 0xD0, 0xB4, 0x2D, 0x00, 0xC0, 0x4F, 0xC9, 0x64, 0xFF}
	nvarchar := func(n int) tds.Type { return text(tds.NVarChar, n) }
	varbinary := func(n int) tds.Type { return text(tds.VarBinary, n) }
	long := strings.Repeat("x漢", 5000)
	cases := []struct {
		name string
		arg  any
		t    tds.Type
		v    value.Value
		want any
	}{
		{"bool", true, tds.Bit, value.NewInt(1), true},
		{"byte", byte(200), tds.TinyInt, value.NewInt(200), int64(200)},
		{"int16", int16(-2), tds.SmallInt, value.NewInt(-2), int64(-2)},
		{"int32", int32(-2), tds.Int, value.NewInt(-2), int64(-2)},
		{"int64", int64(math.MinInt64), tds.BigInt, value.NewInt(math.MinInt64), int64(math.MinInt64)},
		{"float32", float32(0.5), tds.Real, value.NewFloat(0.5), 0.5},
		{"float64", 0.1, tds.Float, value.NewFloat(0.1), 0.1},
		{"string", "漢🔑", nvarchar(3), value.NewString("漢🔑"), "漢🔑"},
		{"empty string", "", nvarchar(tds.Max), value.NewString(""), ""},
		{"long string", long, nvarchar(tds.Max), value.NewString(long), long},
		{"varchar", mssql.VarChar("ab"), text(tds.VarChar, 2), value.NewString("ab"), "ab"},
		{"varchar(max)", mssql.VarCharMax("ab"), text(tds.VarChar, tds.Max), value.NewString("ab"), "ab"},
		{"nvarchar(max)", mssql.NVarCharMax("ab"), nvarchar(tds.Max), value.NewString("ab"), "ab"},
		{"nchar", mssql.NChar("ab"), text(tds.NChar, 2), value.NewString("ab"), "ab"},
		{"bytes", []byte{0, 255}, varbinary(2), value.NewBytes([]byte{0, 255}), []byte{0, 255}},
		{"long bytes", make([]byte, 9000), varbinary(tds.Max), value.NewBytes(make([]byte, 9000)), make([]byte, 9000)},
		{"time", moment, timeOf(tds.DateTimeOffsetN, 7), value.NewTime(ticks(moment), 330), moment},
		{"datetime", mssql.DateTime1(utc("2026-11-20 01:02:03.003")), tds.DateTime, local("2026-11-20 01:02:03.0033333"), utc("2026-11-20 01:02:03.003")},
		{"date", civil.Date{Year: 2026, Month: 2, Day: 28}, tds.Date, local("2026-02-28 00:00:00"), utc("2026-02-28 00:00:00")},
		{"datetime2", civil.DateTimeOf(utc("2026-02-28 01:02:03.1234567")), timeOf(tds.DateTime2N, 7), local("2026-02-28 01:02:03.1234567"), utc("2026-02-28 01:02:03.1234567")},
		{"time of day", civil.Time{Hour: 23, Nanosecond: 100}, timeOf(tds.TimeN, 7), value.NewSpan(day/24*23 + 1), utc("0001-01-01 23:00:00.0000001")},
		{"guid", guid, tds.GUIDType, value.NewGUID(wire), wire[:]},
		{"money", mssql.Money[decimal.Decimal]{Decimal: decimal.RequireFromString("-1.5")}, nvarchar(4), value.NewString("-1.5"), "-1.5"},
		{"nil", nil, tds.Untyped, value.Value{}, nil},
		{"null string", sql.NullString{}, nvarchar(4000), value.Value{}, nil},
		{"null bool", sql.NullBool{}, tds.Bit, value.Value{}, nil},
		{"null int", sql.NullInt32{}, tds.Int, value.Value{}, nil},
		{"null float", sql.NullFloat64{}, tds.Float, value.Value{}, nil},
		{"null time", sql.NullTime{}, timeOf(tds.DateTimeOffsetN, 7), value.Value{}, nil},
		{"null date", mssql.NullDate{}, tds.Date, value.Value{}, nil},
		{"null datetime", mssql.NullDateTime{}, timeOf(tds.DateTime2N, 7), value.Value{}, nil},
		{"null bytes", []byte(nil), varbinary(tds.Max), value.Value{}, nil},
	}
	db, e := open(t, echo)
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got any
			require.NoError(t, db.QueryRow("SELECT @p1", c.arg).Scan(&got))
			call := e.sessions[0].requests[i].(*tds.RPC)
			require.Equal(t, "sp_executesql", call.Proc)
			require.EqualValues(t, tds.ProcExecuteSQL, call.ProcID)
			require.Equal(t, "SELECT @p1", call.Params[0].Value.Str())
			p := call.Params[2]
			require.Equal(t, "@p1", p.Name)
			require.Equal(t, c.t, p.Type)
			require.Equal(t, c.v.GoString(), p.Value.GoString())
			same(t, c.name, c.want, got)
		})
	}
}
