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

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
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

func dec(prec, scale uint8) datatype.Type {
	return datatype.Type{ID: datatype.Decimal, Prec: prec, Scale: scale, Coll: datatype.NoColl}
}

func timeOf(id datatype.ID, scale uint8) datatype.Type {
	return datatype.Type{ID: id, Scale: scale, Coll: datatype.NoColl}
}

func variantValue(t datatype.Type, v value.Value) value.Value { return datatype.NewVariant(v, t) }

var huge, _ = new(big.Int).SetString("99999999999999999999999999999999999999", 10)

var columnCases = []struct {
	name string
	t    datatype.Type
	v    value.Value
	want any
}{
	{"bit 1", typ(datatype.Bit), value.NewInt(1), true},
	{"bit bool", typ(datatype.Bit), value.NewBool(false), false},
	{"tinyint", typ(datatype.TinyInt), value.NewInt(255), int64(255)},
	{"smallint", typ(datatype.SmallInt), value.NewInt(math.MinInt16), int64(math.MinInt16)},
	{"int", typ(datatype.Int), value.NewInt(math.MinInt32), int64(math.MinInt32)},
	{"bigint", typ(datatype.BigInt), value.NewInt(math.MinInt64), int64(math.MinInt64)},
	{"decimal(5,2)", dec(5, 2), value.NewDecimal(-12345, 2), []byte("-123.45")},
	{"decimal rescaled", dec(19, 4), value.NewDecimal(15, 1), []byte("1.5000")},
	{"decimal of an int", dec(10, 0), value.NewInt(7), []byte("7")},
	{"decimal exact descale", dec(10, 1), value.NewDecimal(1500, 3), []byte("1.5")},
	{"decimal(28,0)", dec(28, 0), value.NewDecimal(math.MaxInt64, 0), []byte("9223372036854775807")},
	{"decimal(38,10)", dec(38, 10), value.NewBigDecimal(huge, 10), []byte("9999999999999999999999999999.9999999999")},
	{"smallmoney", typ(datatype.SmallMoney), value.NewDecimal(-2147483648, 4), []byte("-214748.3648")},
	{"money", typ(datatype.Money), value.NewDecimal(-922337203685477, 4), []byte("-92233720368.5477")},
	{"money of less scale", typ(datatype.Money), value.NewDecimal(5, 1), []byte("0.5000")},
	{"float", typ(datatype.Float), value.NewFloat(-1.5e300), -1.5e300},
	{"date first", typ(datatype.Date), value.NewTime(0, 0), utc("0001-01-01 00:00:00")},
	{"date last", typ(datatype.Date), value.NewTime(3652058*day, 0), utc("9999-12-31 00:00:00")},
	{"time(7)", timeOf(datatype.Time, 7), value.NewSpan(day - 1), utc("0001-01-01 23:59:59.9999999")},
	{"time(3)", timeOf(datatype.Time, 3), value.NewSpan(1_230_000), utc("0001-01-01 00:00:00.123")},
	{"time(0)", timeOf(datatype.Time, 0), value.NewSpan(10_000_000), utc("0001-01-01 00:00:01")},
	{"smalldatetime", typ(datatype.SmallDateTime), local("2079-06-06 23:59:00"), utc("2079-06-06 23:59:00")},
	{"datetime", typ(datatype.DateTime), local("2026-02-28 12:34:56.7833333"), utc("2026-02-28 12:34:56.783")},
	{"datetime .997", typ(datatype.DateTime), local("1753-01-01 23:59:59.9966667"), utc("1753-01-01 23:59:59.997")},
	{"datetime rounds up", typ(datatype.DateTime), local("2026-12-31 23:59:59.9999999"), utc("2027-01-01 00:00:00")},
	{"datetime2(7)", timeOf(datatype.DateTime2, 7), local("2026-11-20 01:02:03.1234567"), utc("2026-11-20 01:02:03.1234567")},
	{"datetime2(4)", timeOf(datatype.DateTime2, 4), local("2026-11-20 01:02:03.1234"), utc("2026-11-20 01:02:03.1234")},
	{"datetime2(0)", timeOf(datatype.DateTime2, 0), local("0001-01-01 00:00:00"), utc("0001-01-01 00:00:00")},
	{"datetimeoffset", timeOf(datatype.DateTimeOffset, 7), value.NewTime(ticks(utc("2026-11-20 06:32:03.1234567")), -330), at("2026-11-20 01:02:03.1234567 -05:30")},
	{"datetimeoffset(0)", timeOf(datatype.DateTimeOffset, 0), value.NewTime(ticks(utc("2026-11-20 09:30:00")), 840), at("2026-11-20 23:30:00 +14:00")},
	{"char", text(datatype.Char, 4), value.NewString("ab  "), "ab  "},
	{"varchar", text(datatype.VarChar, 8000), value.NewString("grün €"), "grün €"},
	{"varchar without a character", text(datatype.VarChar, 10), value.NewString("漢🔑"), "???"},
	{"varchar CS", datatype.Type{ID: datatype.VarChar, Len: 10, Coll: datatype.CSAS}, value.NewString("ÿŸ™"), "ÿŸ™"},
	{"varchar BIN2", datatype.Type{ID: datatype.VarChar, Len: 10, Coll: datatype.BIN2}, value.NewString("ÿ–"), "ÿ–"},
	{"varchar empty", text(datatype.VarChar, 0), value.NewString(""), ""},
	{"varchar(max)", text(datatype.VarChar, datatype.Max), value.NewString(strings.Repeat("é", 100000)), strings.Repeat("é", 100000)},
	{"nchar", text(datatype.NChar, 3), value.NewString("漢  "), "漢  "},
	{"nvarchar", text(datatype.NVarChar, 4000), value.NewString("漢🔑z"), "漢🔑z"},
	{"nvarchar full", text(datatype.NVarChar, 4), value.NewString("🔑🔑"), "🔑🔑"},
	{"nvarchar(max)", text(datatype.NVarChar, datatype.Max), value.NewString(strings.Repeat("漢", 50000)), strings.Repeat("漢", 50000)},
	{"nvarchar(max) empty", text(datatype.NVarChar, datatype.Max), value.NewString(""), ""},
	{"binary", datatype.Type{ID: datatype.Binary, Len: 2}, value.NewBytes([]byte{0, 255}), []byte{0, 255}},
	{"varbinary", datatype.Type{ID: datatype.VarBinary, Len: 8000}, value.NewBytes([]byte{1, 2, 3}), []byte{1, 2, 3}},
	{"varbinary empty", datatype.Type{ID: datatype.VarBinary, Len: 10}, value.NewBytes(nil), []byte{}},
	{"varbinary(max)", datatype.Type{ID: datatype.VarBinary, Len: datatype.Max}, value.NewBytes(make([]byte, 70000)), make([]byte, 70000)},
	{"rowversion", typ(datatype.RowVersion), value.NewBytes([]byte{0, 0, 0, 0, 0, 0, 7, 0xD1}), []byte{0, 0, 0, 0, 0, 0, 7, 0xD1}},
	{"uniqueidentifier", typ(datatype.UniqueIdentifier), value.NewGUID([16]byte{1, 2, 3, 15: 16}), []byte{1, 2, 3, 15: 16}},
	{"variant int", typ(datatype.SQLVariant), variantValue(typ(datatype.Int), value.NewInt(5)), int64(5)},
	{"variant bigint", typ(datatype.SQLVariant), variantValue(typ(datatype.BigInt), value.NewInt(5e12)), int64(5e12)},
	{"variant bit", typ(datatype.SQLVariant), variantValue(typ(datatype.Bit), value.NewInt(1)), true},
	{"variant tinyint", typ(datatype.SQLVariant), variantValue(typ(datatype.TinyInt), value.NewInt(200)), int64(200)},
	{"variant text", typ(datatype.SQLVariant), variantValue(text(datatype.NVarChar, 9), value.NewString("漢")), "漢"},
	{"variant varchar", typ(datatype.SQLVariant), variantValue(text(datatype.VarChar, 5), value.NewString("grün")), "grün"},
	{"variant float", typ(datatype.SQLVariant), variantValue(typ(datatype.Float), value.NewFloat(0.5)), 0.5},
	{"variant decimal", typ(datatype.SQLVariant), variantValue(dec(9, 2), value.NewDecimal(-150, 2)), []byte("-1.50")},
	{"variant money", typ(datatype.SQLVariant), variantValue(typ(datatype.Money), value.NewDecimal(15000, 4)), []byte("1.5000")},
	{"variant bytes", typ(datatype.SQLVariant), variantValue(datatype.Sized(datatype.VarBinary, 9), value.NewBytes([]byte{9})), []byte{9}},
	{"variant guid", typ(datatype.SQLVariant), variantValue(typ(datatype.UniqueIdentifier), value.NewGUID([16]byte{7})), []byte{7, 15: 0}},
	{"variant datetime", typ(datatype.SQLVariant), variantValue(typ(datatype.DateTime), local("2026-01-01 00:00:00")), utc("2026-01-01 00:00:00")},
	{"variant datetime2", typ(datatype.SQLVariant), variantValue(timeOf(datatype.DateTime2, 7), local("2026-01-01 00:00:00.1")), utc("2026-01-01 00:00:00.1")},
	{"variant time", typ(datatype.SQLVariant), variantValue(timeOf(datatype.Time, 7), value.NewSpan(1)), utc("0001-01-01 00:00:00.0000001")},
	{"variant date", typ(datatype.SQLVariant), variantValue(typ(datatype.Date), value.NewTime(day, 0)), utc("0001-01-02 00:00:00")},
	{"variant offset", typ(datatype.SQLVariant), variantValue(timeOf(datatype.DateTimeOffset, 0), value.NewTime(day, 60)), at("0001-01-02 01:00:00 +01:00")},
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
	// go-mssqldb hands a real out as float64, or as float32 when it is not nullable.
	db, _ := open(t, rows([]tds.Column{{Type: typ(datatype.Real), Nullable: true}, {Type: typ(datatype.Real)}},
		value.Row{value.NewFloat(0.25), value.NewFloat(-0.5)}))
	var a, b float64
	require.NoError(t, db.QueryRow("SELECT 1").Scan(&a, &b))
	require.Equal(t, []float64{0.25, -0.5}, []float64{a, b})
}

func TestColumnMetadata(t *testing.T) {
	db, _ := open(t, rows([]tds.Column{
		{Name: "id", Type: typ(datatype.Int), Identity: true},
		{Name: "name", Type: text(datatype.NVarChar, 128), Nullable: true},
		{Name: "total", Type: dec(18, 4), Nullable: true, Computed: true},
		{Name: "no type", Type: typ(datatype.Untyped), Nullable: true},
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
		{"NULL", tds.Column{Type: typ(datatype.Int)}, value.Value{}},
		{"kind", tds.Column{Type: typ(datatype.Int)}, value.NewString("1")},
		{"text kind", tds.Column{Type: text(datatype.NVarChar, 3)}, value.NewInt(1)},
		{"tinyint", tds.Column{Type: typ(datatype.TinyInt)}, value.NewInt(256)},
		{"int", tds.Column{Type: typ(datatype.Int)}, value.NewInt(1 << 31)},
		{"bit", tds.Column{Type: typ(datatype.Bit)}, value.NewInt(2)},
		{"digits", tds.Column{Type: dec(3, 0)}, value.NewInt(1000)},
		{"scale", tds.Column{Type: dec(3, 0)}, value.NewDecimal(15, 1)},
		{"money", tds.Column{Type: typ(datatype.SmallMoney)}, value.NewInt(300000)},
		{"nvarchar", tds.Column{Type: text(datatype.NVarChar, 3)}, value.NewString("abcd")},
		{"surrogates", tds.Column{Type: text(datatype.NVarChar, 3)}, value.NewString("🔑🔑")},
		{"varbinary", tds.Column{Type: text(datatype.VarBinary, 1)}, value.NewBytes([]byte{1, 2})},
		{"time", tds.Column{Type: timeOf(datatype.Time, 7)}, value.NewSpan(day)},
		{"date", tds.Column{Type: typ(datatype.Date)}, value.NewTime(-1, 0)},
		{"datetime", tds.Column{Type: typ(datatype.DateTime)}, value.NewTime(0, 0)},
		{"smalldatetime", tds.Column{Type: typ(datatype.SmallDateTime)}, local("2100-01-01 00:00:00")},
		{"variant", tds.Column{Type: typ(datatype.SQLVariant)}, value.NewRef(1)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var failure error
			db, _ := open(t, func(_ *session, _ tds.Request, w *tds.ResponseWriter) {
				must(w.Columns([]tds.Column{c.c, {Type: typ(datatype.Int)}}))
				failure = w.Row(value.Row{c.v, value.NewInt(1)})
				w.DoneStatement(tds.Done{HasCount: true})
			})
			_, err := db.Exec("SELECT 1") // the stream stays intact
			require.NoError(t, err)
			require.Error(t, failure)
		})
	}
}

// echo answers a call with its parameters behind sp_executesql's two.
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
	nvarchar := func(n int32) datatype.Type { return text(datatype.NVarChar, n) }
	varbinary := func(n int32) datatype.Type {
		return datatype.Type{ID: datatype.VarBinary, Len: n, Coll: datatype.NoColl}
	}
	float := func(id datatype.ID, prec uint8) datatype.Type {
		return datatype.Type{ID: id, Prec: prec, Coll: datatype.NoColl}
	}
	long := strings.Repeat("x漢", 5000)
	cases := []struct {
		name string
		arg  any
		t    datatype.Type
		v    value.Value
		want any
	}{
		{"bool", true, typ(datatype.Bit), value.NewInt(1), true},
		{"byte", byte(200), typ(datatype.TinyInt), value.NewInt(200), int64(200)},
		{"int16", int16(-2), typ(datatype.SmallInt), value.NewInt(-2), int64(-2)},
		{"int32", int32(-2), typ(datatype.Int), value.NewInt(-2), int64(-2)},
		{"int64", int64(math.MinInt64), typ(datatype.BigInt), value.NewInt(math.MinInt64), int64(math.MinInt64)},
		{"float32", float32(0.5), float(datatype.Real, 24), value.NewFloat(0.5), 0.5},
		{"float64", 0.1, float(datatype.Float, 53), value.NewFloat(0.1), 0.1},
		{"string", "漢🔑", nvarchar(3), value.NewString("漢🔑"), "漢🔑"},
		{"empty string", "", nvarchar(datatype.Max), value.NewString(""), ""},
		{"long string", long, nvarchar(datatype.Max), value.NewString(long), long},
		{"varchar", mssql.VarChar("ab"), text(datatype.VarChar, 2), value.NewString("ab"), "ab"},
		{"varchar(max)", mssql.VarCharMax("ab"), text(datatype.VarChar, datatype.Max), value.NewString("ab"), "ab"},
		{"nvarchar(max)", mssql.NVarCharMax("ab"), nvarchar(datatype.Max), value.NewString("ab"), "ab"},
		{"nchar", mssql.NChar("ab"), text(datatype.NChar, 2), value.NewString("ab"), "ab"},
		{"bytes", []byte{0, 255}, varbinary(2), value.NewBytes([]byte{0, 255}), []byte{0, 255}},
		{"long bytes", make([]byte, 9000), varbinary(datatype.Max), value.NewBytes(make([]byte, 9000)), make([]byte, 9000)},
		{"time", moment, timeOf(datatype.DateTimeOffset, 7), value.NewTime(ticks(moment), 330), moment},
		{"datetime", mssql.DateTime1(utc("2026-11-20 01:02:03.003")), typ(datatype.DateTime), local("2026-11-20 01:02:03.0033333"), utc("2026-11-20 01:02:03.003")},
		{"date", civil.Date{Year: 2026, Month: 2, Day: 28}, typ(datatype.Date), local("2026-02-28 00:00:00"), utc("2026-02-28 00:00:00")},
		{"datetime2", civil.DateTimeOf(utc("2026-02-28 01:02:03.1234567")), timeOf(datatype.DateTime2, 7), local("2026-02-28 01:02:03.1234567"), utc("2026-02-28 01:02:03.1234567")},
		{"time of day", civil.Time{Hour: 23, Nanosecond: 100}, timeOf(datatype.Time, 7), value.NewSpan(day/24*23 + 1), utc("0001-01-01 23:00:00.0000001")},
		{"guid", guid, typ(datatype.UniqueIdentifier), value.NewGUID(wire), wire[:]},
		{"money", mssql.Money[decimal.Decimal]{Decimal: decimal.RequireFromString("-1.5")}, nvarchar(4), value.NewString("-1.5"), "-1.5"},
		{"nil", nil, typ(datatype.Untyped), value.Value{}, nil},
		{"null string", sql.NullString{}, nvarchar(4000), value.Value{}, nil},
		{"null bool", sql.NullBool{}, typ(datatype.Bit), value.Value{}, nil},
		{"null int", sql.NullInt32{}, typ(datatype.Int), value.Value{}, nil},
		{"null float", sql.NullFloat64{}, float(datatype.Float, 53), value.Value{}, nil},
		{"null time", sql.NullTime{}, timeOf(datatype.DateTimeOffset, 7), value.Value{}, nil},
		{"null date", mssql.NullDate{}, typ(datatype.Date), value.Value{}, nil},
		{"null datetime", mssql.NullDateTime{}, timeOf(datatype.DateTime2, 7), value.Value{}, nil},
		{"null bytes", []byte(nil), varbinary(datatype.Max), value.Value{}, nil},
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
