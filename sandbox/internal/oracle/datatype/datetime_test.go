package datatype

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func TestParseDate(t *testing.T) {
	for _, c := range []struct{ s, model, want string }{
		{"2020-01-02 03:04:05", "YYYY-MM-DD HH24:MI:SS", "2020-01-02 03:04:05"},
		{"2020-01-02", "YYYY-MM-DD HH24:MI:SS", "2020-01-02 00:00:00"},
		{"20200102", "YYYY-MM-DD", "2020-01-02 00:00:00"},
		{"2020/1/2", "YYYY-MM-DD", "2020-01-02 00:00:00"},
		{"15/ JAN /1998", "DD-MON-YYYY", "1998-01-15 00:00:00"},
		{"January 15, 1989, 11:00 AM", "Month dd, YYYY, HH:MI AM", "1989-01-15 11:00:00"},
		{"12:30 AM", "HH:MI AM", "2026-11-01 00:30:00"},
		{"12:30 pm", "HH:MI AM", "2026-11-01 12:30:00"},
		{"27-OCT-98", "DD-MON-RR", "1998-10-27 00:00:00"},
		{"27-OCT-17", "DD-MON-RR", "2017-10-27 00:00:00"},
		{"27-OCT-2017", "DD-MON-RR", "2017-10-27 00:00:00"},
		{"27-OCT-98", "DD-MON-YY", "2098-10-27 00:00:00"},
		{"01JAN2020", "DD-MON-YYYY", "2020-01-01 00:00:00"},
		{"15", "DD", "2026-11-15 00:00:00"},
		{"2451545", "J", "2000-01-01 00:00:00"},
		{"2020 366", "YYYY DDD", "2020-12-31 00:00:00"},
		{"2020-FEB-29", "YYYY-MM-DD", "2020-02-29 00:00:00"},
		{"2020T01", `YYYY"T"MM`, "2020-01-01 00:00:00"},
		{"86399", "SSSSS", "2026-11-01 23:59:59"},
	} {
		v, err := ParseDate(c.s, c.model, Of(Date), testEnv)
		require.NoError(t, err, "%s %s", c.s, c.model)
		require.Equal(t, c.want, show(t, v, Of(Date)), "%s %s", c.s, c.model)
	}
	for _, c := range []struct {
		s, model string
		want     int32
	}{
		{"15! JAN % /1998", "DD-MON-YYYY", 1858},
		{"2020-01-02", "DD-MON-RR", 1861},
		{"01/02/2020", "DD-MON-RR", 1843},
		{"2020-13-01", "YYYY-MM-DD", 1843},
		{"2020-02-30", "YYYY-MM-DD", 1839},
		{"2020-01-32", "YYYY-MM-DD", 1847},
		{"2020-01-02 10:00", "YYYY-MM-DD", 1830},
		{"2020-01", "YYYY-MM-DD", 1840},
		{"x", "DD", 1858},
		{"25", "HH24", 1850},
		{"13", "HH", 1849},
		{"60", "MI", 1851},
		{"0000-01-01", "YYYY-MM-DD", 1841},
		{"1", "FOO", 1821},
		{"1", "Q", 1820},
		{"1", "FF", 1821},
		{"2020 2020", "YYYY YYYY", 1812},
		{"1 1", "DD DD", 1810},
		{"10 AM", "HH24 AM", 1818},
		{"10 XX", "HH AM", 1855},
		{"1500-02-29", "YYYY-MM-DD", 49999},
		{"Monday 2026-11-20", "DAY YYYY-MM-DD", 1835},
	} {
		_, err := ParseDate(c.s, c.model, Of(Date), testEnv)
		require.EqualValues(t, c.want, number(t, err), "%s %s: %v", c.s, c.model, err)
	}
}

func TestParseTimestamp(t *testing.T) {
	ts, tz := Of(Timestamp), Of(TimestampTZ)
	v, err := ParseDate("10-Sep-02 14:10:10.123000", "DD-Mon-RR HH24:MI:SS.FF", ts, testEnv)
	require.NoError(t, err)
	require.Equal(t, "2002-09-10 14:10:10.123000", show(t, v, ts))
	v, err = ParseDate("1999-12-01 11:00:00 -8:00", "YYYY-MM-DD HH:MI:SS TZH:TZM", tz, testEnv)
	require.NoError(t, err)
	require.Equal(t, "1999-12-01 11:00:00.000000 -08:00", show(t, v, tz))
	v, err = ParseDate("2020-01-01", "YYYY-MM-DD", tz, testEnv)
	require.NoError(t, err)
	require.Equal(t, "2020-01-01 00:00:00.000000 +01:00", show(t, v, tz))
	_, err = ParseDate("10:00:00.12345678", "HH24:MI:SS.FF", ts, testEnv)
	require.EqualValues(t, 49999, number(t, err))

	v, ty, err := TimestampLiteral("1997-01-31 09:26:56.66 +02:00", testEnv)
	require.NoError(t, err)
	require.Equal(t, Timestamps(TimestampTZ, 9), ty)
	require.Equal(t, "1997-01-31 09:26:56.660000000 +02:00", show(t, v, ty))
	v, ty, err = TimestampLiteral("2026-11-20 10:00:00 UTC", testEnv)
	require.NoError(t, err)
	require.Equal(t, "2026-11-20 10:00:00.000000000 +00:00", show(t, v, ty))
	v, err = DateLiteral("1998-12-25", testEnv)
	require.NoError(t, err)
	require.Equal(t, "1998-12-25 00:00:00", show(t, v, Of(Date)))
}

func TestFormatDate(t *testing.T) {
	v, ty, err := TimestampLiteral("2026-01-02 15:04:05.123456 -05:30", testEnv)
	require.NoError(t, err)
	for model, want := range map[string]string{
		"DD-MON-RR HH.MI.SSXFF AM TZR":  "02-JAN-26 03.04.05.123456000 PM -05:30",
		"FMMonth DD, YYYY":              "January 2, 2026",
		"Day Month":                     "Friday    January  ",
		"fmDay, dd month":               "Friday, 2 january",
		"YYYY-MM-DD\"T\"HH24:MI:SS.FF3": "2026-01-02T15:04:05.123",
		"TZH:TZM SSSSS DDD D DY Dy dy":  "-05:30 54245 002 6 FRI Fri fri",
		"FF9 hh12 am YY":                "123456000 03 pm 26",
	} {
		got, err := FormatDate(v, ty, model, testEnv)
		require.NoError(t, err, model)
		require.Equal(t, want, got, model)
	}
	_, err = FormatDate(v, Of(Date), "FF", testEnv)
	require.EqualValues(t, 1821, number(t, err))
	_, err = FormatDate(v, ty, "YEAR", testEnv)
	require.EqualValues(t, 49999, number(t, err))
	text, err := Convert(v, ty, Of(Varchar2), testEnv)
	require.NoError(t, err)
	require.Equal(t, "02-JAN-26 03.04.05.123456000 PM -05:30", text.Str())
}

func TestIntervals(t *testing.T) {
	for _, c := range []struct {
		text     string
		from, to Field
		prec     uint8
		frac     int8
		want     string
	}{
		{"4 5:12:10.222", Day, Second, 2, 3, "+04 05:12:10.222"},
		{"4 5:12", Day, Minute, 2, 0, "+04 05:12:00"},
		{"400 5", Day, Hour, 3, 0, "+400 05:00:00"},
		{"11:12:10.2222222", Hour, Second, 2, 7, "+00 11:12:10.2222222"},
		{"250", Hour, Hour, 3, 0, "+10 10:00:00"},
		{"-10:22", Minute, Second, 2, 6, "-00 00:10:22.000000"},
		{"30.12345", Second, Second, 2, 4, "+00 00:00:30.1235"},
	} {
		v, ty, err := IntervalLiteral(c.text, c.from, c.to, c.prec, c.frac)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, FormatInterval(v, ty), c.text)
	}
	_, _, err := IntervalLiteral("1234", Day, Day, 2, 0)
	require.EqualValues(t, 1873, number(t, err))
	_, _, err = IntervalLiteral("x", Day, Day, 2, 0)
	require.EqualValues(t, 1867, number(t, err))
	for s, want := range map[string]string{"100 00:00:00": "+100 00:00:00.000000", "-0 00:00:01.5": "-00 00:00:01.500000"} {
		v, err := ParseInterval(s)
		require.NoError(t, err, s)
		require.Equal(t, want, FormatInterval(v, Of(IntervalDS)))
	}
	_, err = ParseInterval("1:00")
	require.EqualValues(t, 1867, number(t, err))
	v, err := IntervalOf(num(t, "1"), Day)
	require.NoError(t, err)
	require.EqualValues(t, TicksPerDay, v.N)
	third, err := DivNumbers(value.NewInt(1), value.NewInt(86400))
	require.NoError(t, err)
	v, err = IntervalOf(third, Day)
	require.NoError(t, err)
	require.EqualValues(t, TicksPerSecond, v.N)
	third, _ = DivNumbers(value.NewInt(1), value.NewInt(3))
	_, err = IntervalOf(third, Second)
	require.EqualValues(t, 49999, number(t, err))
}

func TestDatetimeArithmetic(t *testing.T) {
	date := func(s string) value.Value {
		v, err := ParseDate(s, "YYYY-MM-DD HH24:MI:SS", Of(Date), testEnv)
		require.NoError(t, err)
		return v
	}
	d1, d2 := date("2026-01-31 12:00:00"), date("2026-02-01")
	day := value.NewSpan(TicksPerDay)
	ds, dt, nr, ts, tz := Of(IntervalDS), Of(Date), Of(Number), Of(Timestamp), Of(TimestampTZ)
	for _, c := range []struct {
		op     Op
		a, b   value.Value
		ta, tb Type
		want   string
		err    int32
	}{
		{Sub, d2, d1, dt, dt, ".5", 0},
		{Add, d1, num(t, "0.5"), dt, nr, "2026-02-01 00:00:00", 0},
		{Add, value.NewInt(1), d1, nr, dt, "2026-02-01 12:00:00", 0},
		{Sub, d1, value.NewInt(31), dt, nr, "2025-12-31 12:00:00", 0},
		{Add, d1, day, dt, ds, "2026-02-01 12:00:00", 0},
		{Sub, d2, d1, ts, ts, "+000000000 12:00:00.000000", 0},
		{Sub, d2, d1, ts, dt, "+000000000 12:00:00.000000", 0},
		{Sub, d1, d1, tz, ts, "+000000000 01:00:00.000000", 0}, // the session is an hour ahead
		{Add, d1, value.NewInt(1), ts, nr, "2026-02-01 12:00:00", 0},
		{Add, day, day, ds, ds, "+000000002 00:00:00.000000", 0},
		{Mul, day, num(t, "1.5"), ds, nr, "+000000001 12:00:00.000000000", 0},
		{Div, day, value.NewInt(2), ds, nr, "+000000000 12:00:00.000000000", 0},
		{Div, day, value.NewInt(0), ds, nr, "", 1476},
		{Add, d1, value.NewInt(9_000_000), dt, nr, "", 1841},
	} {
		ty, fn, err := Arith(c.op, c.ta, c.tb, false)
		require.NoError(t, err)
		v, err := fn(c.a, c.b, testEnv)
		require.EqualValues(t, c.err, number(t, err), "%s %c %s: %v", c.ta, c.op, c.tb, err)
		if err == nil {
			require.Equal(t, c.want, show(t, v, ty), "%s %c %s", c.ta, c.op, c.tb)
		}
	}
	for _, c := range []struct {
		op   Op
		a, b Type
		want int32
	}{{Add, dt, dt, 975}, {Sub, nr, dt, 932}, {Mul, dt, nr, 932}, {Sub, ds, dt, 30081}, {Add, Of(Raw), nr, 932}} {
		_, _, err := Arith(c.op, c.a, c.b, false)
		require.EqualValues(t, c.want, number(t, err), "%s %c %s", c.a, c.op, c.b)
	}
}

// The seconds from a timestamp to another, as PL/SQL computes them from an interval's fields.
func TestExtract(t *testing.T) {
	left, err := ParseInterval("-1 02:03:04.5")
	require.NoError(t, err)
	for f, want := range map[Field]string{Day: "-1", Hour: "-2", Minute: "-3", Second: "-4.5"} {
		v, err := Extract(left, Of(IntervalDS), f)
		require.NoError(t, err)
		require.Equal(t, want, FormatNumber(v))
	}
	v, ty, err := TimestampLiteral("2026-01-02 03:04:05.25 -05:30", testEnv)
	require.NoError(t, err)
	for f, want := range map[Field]string{Year: "2026", Hour: "8", Minute: "34", Second: "5.25"} {
		got, err := Extract(v, ty, f)
		require.NoError(t, err)
		require.Equal(t, want, FormatNumber(got))
	}
	_, err = Extract(v, Of(Date), Hour)
	require.EqualValues(t, 30076, number(t, err))
	_, err = Extract(left, Of(IntervalDS), Year)
	require.EqualValues(t, 30076, number(t, err))
}

func TestZones(t *testing.T) {
	for s, want := range map[string]int16{"+00:00": 0, "+02:00": 120, "-5:30": -330, "0:00": 0} {
		got, err := ParseZone(s)
		require.NoError(t, err)
		require.Equal(t, Zone{Offset: want}, got)
	}
	for s, want := range map[string]int32{"US/Pacific-New": 49999, "Europe/Nowhere": 1882, "+16:00": 1874, "+01:60": 1875, "12": 1882} {
		_, err := ParseZone(s)
		require.Equal(t, want, number(t, err), s)
	}
	v, ty, err := TimestampLiteral("2026-01-02 03:04:05 +02:00", testEnv)
	require.NoError(t, err)
	v, err = AtZone(v, ty, Zone{}, testEnv)
	require.NoError(t, err)
	require.Equal(t, "2026-01-02 01:04:05.000000000 +00:00", show(t, v, ty))
	for s, want := range map[string]string{ // as UTC; empty: the clocks skip it
		"2026-03-29 01:59:59": "00:59:59", "2026-03-29 02:00:00": "", "2026-03-29 02:59:59": "", "2026-03-29 03:00:00": "01:00:00",
		"2026-10-25 01:59:59": "23:59:59", "2026-10-25 02:00:00": "01:00:00", "2026-10-25 02:59:59": "01:59:59", "2026-10-25 03:00:00": "02:00:00",
	} {
		v, ty, err := TimestampLiteral(s+" europe/berlin", testEnv)
		if want == "" {
			require.EqualValues(t, 1878, number(t, err), s)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "Europe/Berlin", ZoneOf(v).String())
		v, err = AtZone(v, ty, Zone{}, testEnv)
		require.NoError(t, err)
		require.Contains(t, show(t, v, ty), want, s)
	}
}

func TestConcat(t *testing.T) {
	ty, fn, err := Concat(Sized(Char, 2), Of(Number))
	require.NoError(t, err)
	require.Equal(t, Varchar2, ty.ID)
	v, err := fn(value.NewString("a "), value.NewInt(1), testEnv)
	require.NoError(t, err)
	require.Equal(t, "a 1", v.Str())
	v, err = fn(value.Value{}, value.Value{}, testEnv)
	require.NoError(t, err)
	require.True(t, v.IsNull())
	ty, _, err = Concat(Of(CLOB), Of(Varchar2))
	require.NoError(t, err)
	require.Equal(t, CLOB, ty.ID)
	_, _, err = Concat(Of(Boolean), Of(Varchar2))
	require.EqualValues(t, 932, number(t, err))
}
