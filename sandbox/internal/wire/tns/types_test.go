package tns_test

import (
	"database/sql"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	goora "github.com/sijms/go-ora/v2"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tns"
)

// ticks converts a time as the sandbox counts it.
func ticks(t time.Time) int64 {
	return (t.Unix()+62_135_596_800)*10_000_000 + int64(t.Nanosecond())/100
}

func bigDecimal(s string, scale uint8) value.Value {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		panic(s)
	}
	return value.NewBigDecimal(n, scale)
}

// Columns of every type, as go-ora reads them.
func TestColumns(t *testing.T) {
	at := time.Date(2026, 11, 20, 17, 5, 43, 123_456_700, time.UTC)
	plusTwo := time.FixedZone("+02:00", 2*3600)
	minus := time.FixedZone("-03:30", -(3*3600 + 1800))
	nat := tns.Type{ID: tns.Varchar2, Length: 100, National: true}
	for _, c := range []struct {
		name string
		typ  tns.Type
		in   value.Value
		want any
	}{
		{"number", tns.Type{ID: tns.Number, Scale: -127}, value.NewInt(0), "0"},
		{"number", tns.Type{ID: tns.Number, Precision: 10}, value.NewInt(-5), "-5"},
		{"number", tns.Type{ID: tns.Number, Precision: 12, Scale: 2}, value.NewDecimal(-12345, 2), "-123.45"},
		{"number", tns.Type{ID: tns.Number, Scale: -127}, value.NewInt(math.MaxInt64), "9223372036854775807"},
		{"number", tns.Type{ID: tns.Number, Scale: -127}, value.NewInt(math.MinInt64), "-9223372036854775808"},
		{"number", tns.Type{ID: tns.Number, Scale: -127}, value.NewInt(100), "100"},
		{"number", tns.Type{ID: tns.Number, Scale: -127}, value.NewDecimal(1, 3), "0.001"},
		{"number", tns.Type{ID: tns.Number, Scale: -127}, bigDecimal("99999999999999999999999999999999999999", 0), "99999999999999999999999999999999999999"},
		{"varchar2", tns.Type{ID: tns.Varchar2, Length: 20}, value.NewString("täxt €😀"), "täxt €😀"},
		{"varchar2", tns.Type{ID: tns.Varchar2, Length: 32767}, value.NewString(strings.Repeat("é", 16000)), strings.Repeat("é", 16000)},
		{"char", tns.Type{ID: tns.Char, Length: 4}, value.NewString("ab  "), "ab  "},
		{"nvarchar2", nat, value.NewString("täxt €😀"), "täxt €😀"},
		{"raw", tns.Type{ID: tns.Raw, Length: 16}, value.NewBytes([]byte{0, 1, 0xFE, 0xFF}), []byte{0, 1, 0xFE, 0xFF}},
		{"date", tns.Type{ID: tns.Date}, value.NewTime(ticks(at.Truncate(time.Second)), 0), at.Truncate(time.Second)},
		{"timestamp", tns.Type{ID: tns.Timestamp, Scale: 6}, value.NewTime(ticks(at), 0), at},
		{"timestamp ltz", tns.Type{ID: tns.TimestampLTZ, Scale: 6}, value.NewTime(ticks(at), 0), at},
		{"timestamp tz", tns.Type{ID: tns.TimestampTZ, Scale: 6}, value.NewTime(ticks(at), 0), at},
		{"timestamp tz +2", tns.Type{ID: tns.TimestampTZ, Scale: 6}, value.NewTime(ticks(at), 120), at.In(plusTwo)},
		{"timestamp tz -3:30", tns.Type{ID: tns.TimestampTZ, Scale: 6}, value.NewTime(ticks(at), -210), at.In(minus)},
		{"first day", tns.Type{ID: tns.Date}, value.NewTime(0, 0), time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)},
		{"last day", tns.Type{ID: tns.Date}, value.NewTime(3_155_378_975_990_000_000, 0), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)},
		{"interval ds", tns.Type{ID: tns.IntervalDS, Precision: 2, Scale: 6}, value.NewSpan((3*86400+4*3600+5*60+6)*10_000_000 + 7_000_000), "+03 04:05:06.700000"},
		{"interval ds", tns.Type{ID: tns.IntervalDS, Precision: 2, Scale: 6}, value.NewSpan(-((3*86400+4*3600+5*60+6)*10_000_000 + 7_000_000)), "-03 04:05:06.700000"},
		{"binary_double", tns.Type{ID: tns.BinaryDouble}, value.NewFloat(-1.5e300), -1.5e300},
		{"binary_double", tns.Type{ID: tns.BinaryDouble}, value.NewFloat(2.25), 2.25},
		{"binary_float", tns.Type{ID: tns.BinaryFloat}, value.NewFloat(-2.25), float32(-2.25)},
		{"clob", tns.Type{ID: tns.CLOB}, value.NewString("täxt €😀"), "täxt €😀"},
		{"clob", tns.Type{ID: tns.CLOB}, value.NewString(strings.Repeat("long ", 100_000)), strings.Repeat("long ", 100_000)},
		{"nclob", tns.Type{ID: tns.CLOB, National: true}, value.NewString("täxt €😀"), "täxt €😀"},
		{"blob", tns.Type{ID: tns.BLOB}, value.NewBytes([]byte{1, 2, 0}), []byte{1, 2, 0}},
		{"long", tns.Type{ID: tns.Long}, value.NewString("text of a view"), "text of a view"},
	} {
		for _, lobs := range []string{"pre", "post"} {
			t.Run(fmt.Sprint(c.name, c.want, lobs)[:min(40, len(fmt.Sprint(c.name, c.want, lobs)))], func(t *testing.T) {
				if c.typ.ID == tns.Long && lobs == "post" {
					t.Skip("go-ora reads a LONG with the others only")
				}
				db, _ := open(t, query([]tns.Column{number("ID"), column("C", c.typ)},
					value.Row{value.NewInt(1), c.in}, value.Row{value.NewInt(2), {}}, value.Row{value.NewInt(3), c.in}),
					"LOB FETCH", lobs, "TIMEOUT", "10")
				rows, err := db.QueryContext(t.Context(), "select id, c from t")
				require.NoError(t, err)
				defer rows.Close()
				names, err := rows.Columns()
				require.NoError(t, err)
				require.Equal(t, []string{"ID", "C"}, names)
				var got []any
				for rows.Next() {
					var id int
					var v any
					require.NoError(t, rows.Scan(&id, &v))
					got = append(got, v)
				}
				require.NoError(t, rows.Err())
				require.Len(t, got, 3)
				require.Nil(t, got[1])
				for _, v := range []any{got[0], got[2]} {
					if want, ok := c.want.(time.Time); ok {
						v := v.(time.Time)
						require.True(t, v.Equal(want), "%v instead of %v", v, want)
						_, a := v.Zone()
						_, b := want.Zone()
						require.Equal(t, b, a)
					} else {
						require.Equal(t, c.want, v)
					}
				}
			})
		}
	}
}

// Values that do not fit their column.
func TestColumnMismatch(t *testing.T) {
	for _, c := range []struct {
		typ tns.TypeID
		v   value.Value
	}{
		{tns.Number, value.NewString("1")},
		{tns.Number, bigDecimal("1234567890123456789012345678901234567890123", 0)},
		{tns.Varchar2, value.NewInt(1)},
		{tns.Raw, value.NewString("x")},
		{tns.Date, value.NewTime(1, 0)},
		{tns.Date, value.NewInt(1)},
		{tns.TimestampTZ, value.NewTime(1, 2000)},
		{tns.CLOB, value.NewBytes([]byte{1})},
		{tns.BLOB, value.NewString("x")},
		{tns.IntervalDS, value.NewInt(1)},
		{tns.BinaryDouble, value.NewInt(1)},
		{tns.RefCursor, value.NewInt(1)},
	} {
		t.Run(fmt.Sprint(c.typ, c.v), func(t *testing.T) {
			var got error
			db, _ := open(t, func(_ *session, req tns.Request, w *tns.ResponseWriter) {
				switch req.(type) {
				case *tns.Execute:
					must(w.Query(&tns.ResultSet{Columns: []tns.Column{column("C", tns.Type{ID: c.typ, Length: 10})}}))
				case *tns.Fetch:
					got = w.Row(value.Row{c.v})
					w.EndOfData()
				}
			}, "LOB FETCH", "post")
			rows, err := db.Query("select c from t")
			require.NoError(t, err)
			defer rows.Close()
			require.False(t, rows.Next())
			require.NoError(t, rows.Err())
			require.Error(t, got)
		})
	}
}

// Bind variables of every type that go-ora sends, as the engine receives them.
func TestBinds(t *testing.T) {
	at := time.Date(2026, 11, 20, 17, 5, 43, 123_456_700, time.FixedZone("", -(3*3600+1800)))
	long := strings.Repeat("ü", 20_000) // more than 32,767 bytes
	raw := strings.Repeat("\x00\xFF", 20_000)
	for _, c := range []struct {
		in   any
		typ  tns.TypeID
		want value.Value
	}{
		{42, tns.Number, value.NewInt(42)},
		{int64(math.MinInt64), tns.Number, value.NewInt(math.MinInt64)},
		{-1.25, tns.Number, value.NewDecimal(-125, 2)},
		{true, tns.Number, value.NewInt(1)},
		{"täxt €😀", tns.Varchar2, value.NewString("täxt €😀")},
		{"", tns.Varchar2, value.Value{}},
		{nil, tns.Varchar2, value.Value{}},
		{sql.NullInt64{}, tns.Varchar2, value.Value{}},
		{long, tns.Long, value.NewString(long)},
		{goora.NVarChar("täxt €😀"), tns.Varchar2, value.NewString("täxt €😀")},
		{[]byte{0, 1, 255}, tns.Raw, value.NewBytes([]byte{0, 1, 255})},
		{[]byte(raw), tns.LongRaw, value.NewBytes([]byte(raw))},
		{at, tns.TimestampTZ, value.NewTime(ticks(at), -210)},
		{at.UTC(), tns.TimestampTZ, value.NewTime(ticks(at), 0)},
		{goora.Clob{String: long, Valid: true}, tns.CLOB, value.NewString(long)},
		{goora.NClob{String: "täxt €😀", Valid: true}, tns.CLOB, value.NewString("täxt €😀")},
		{goora.Clob{}, tns.CLOB, value.Value{}},
		{goora.Blob{Data: []byte(raw)}, tns.BLOB, value.NewBytes([]byte(raw))},
	} {
		t.Run(fmt.Sprintf("%T %s", c.in, c.typ), func(t *testing.T) {
			var got *tns.Execute
			db, _ := open(t, func(_ *session, req tns.Request, w *tns.ResponseWriter) {
				if x, ok := req.(*tns.Execute); ok {
					got = x
					w.Rows(1)
				}
			}, "TIMEOUT", "10")
			st, err := db.PrepareContext(t.Context(), "insert into t values (:1, :2, :3)")
			require.NoError(t, err)
			defer st.Close()
			// The second time, only values are sent.
			for range 2 {
				got = nil
				_, err = st.ExecContext(t.Context(), 1, c.in, "last")
				require.NoError(t, err)
				require.Len(t, got.Binds, 3)
				require.Equal(t, c.typ, got.Binds[1].Type.ID)
				require.Equal(t, fmt.Sprint([]value.Row{{value.NewInt(1), c.want, value.NewString("last")}}), fmt.Sprint(got.Iterations))
			}
		})
	}
}

func TestBindWithRegion(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	var got value.Value
	db, _ := open(t, func(_ *session, req tns.Request, w *tns.ResponseWriter) {
		if x, ok := req.(*tns.Execute); ok {
			got = x.Iterations[0][0]
			w.Rows(1)
		}
	})
	_, err = db.ExecContext(t.Context(), "insert into t values (:1)", time.Date(2026, 7, 1, 14, 0, 0, 0, berlin))
	require.NoError(t, err)
	require.Equal(t, "Europe/Berlin", got.Region().String())
	require.EqualValues(t, 120, got.Aux)
	require.EqualValues(t, 12, got.N/36_000_000_000%24)
}
