package tds

import (
	"encoding/binary"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

func TestUTF16(t *testing.T) {
	const high, low = "\xED\xA0\xBD", "\xED\xB4\x91" // lone surrogates in WTF-8
	for _, s := range []string{"", "abc", "grün", "漢字", "🔑", "a🔑b", high, low, high + "a" + low, low + high, "x" + high} {
		b := charset.AppendUTF16(nil, s)
		require.Equal(t, s, charset.FromUTF16(b), "%q", s)
		require.Equal(t, len(b)/2, charset.Len16(s), "%q", s)
	}
	require.Equal(t, []byte{0x3D, 0xD8}, charset.AppendUTF16(nil, high))
	require.Equal(t, "\U0001F511", charset.FromUTF16([]byte{0x3D, 0xD8, 0x11, 0xDD}))
	require.Equal(t, "\uFFFD\uFFFDa", charset.FromUTF16(charset.AppendUTF16(nil, "\xFF\xEDa")))
}

// TestTypesThereAndBack sends every type as a column and reads it as a bulk load does.
func TestTypesThereAndBack(t *testing.T) {
	huge, _ := new(big.Int).SetString("-99999999999999999999999999999999999999", 10)
	str := func(id TypeID, n int, c Collation) Type { return Type{ID: id, Size: n, Collation: c} }
	scaled := func(id TypeID, prec, scale uint8) Type { return Type{ID: id, Prec: prec, Scale: scale} }
	cases := []struct {
		t Type
		v value.Value
	}{
		{Bit, value.NewInt(1)},
		{TinyInt, value.NewInt(255)},
		{SmallInt, value.NewInt(-32768)},
		{Int, value.NewInt(math.MinInt32)},
		{BigInt, value.NewInt(math.MinInt64)},
		{scaled(DecimalN, 9, 9), value.NewDecimal(-999999999, 9)},
		{scaled(DecimalN, 19, 0), value.NewDecimal(math.MaxInt64, 0)},
		{scaled(DecimalN, 28, 3), value.NewDecimal(0, 3)},
		{scaled(DecimalN, 38, 38), value.NewBigDecimal(huge, 38)},
		{Money, value.NewDecimal(math.MinInt64, 4)},
		{Real, value.NewFloat(0.25)},
		{Float, value.NewFloat(math.MaxFloat64)},
		{Date, value.NewTime(days9999*ticksPerDay, 0)},
		{DateTime, value.NewTime(days1753*ticksPerDay+33333, 0)},
		{DateTime, value.NewTime(days9999*ticksPerDay+ticksPerDay-33333, 0)},
		{str(Char, 8000, BIN2), value.NewString("ü")},
		{str(VarChar, 1, CSAS), value.NewString("")},
		{str(VarChar, Max, CIAS), value.NewString(strings.Repeat("€", 9000))},
		{str(NChar, 8000, CIAS), value.NewString("漢")},
		{str(NVarChar, 4, CIAS), value.NewString("\xED\xA0\xBDx")},
		{str(NVarChar, Max, BIN2), value.NewString("")},
		{str(Binary, 3, Collation{}), value.NewBytes([]byte{1, 2, 3})},
		{str(VarBinary, 3, Collation{}), value.NewBytes(nil)},
		{str(VarBinary, Max, Collation{}), value.NewBytes(make([]byte, 9000))},
		{GUIDType, value.NewGUID([16]byte{1, 15: 2})},
	}
	for scale := range uint8(8) {
		tick := clockUnit(scale) * 12345
		cases = append(cases, []struct {
			t Type
			v value.Value
		}{
			{scaled(TimeN, 0, scale), value.NewSpan(ticksPerDay - clockUnit(scale))},
			{scaled(DateTime2N, 0, scale), value.NewTime(days9999*ticksPerDay+tick, 0)},
			{scaled(DateTimeOffsetN, 0, scale), value.NewTime(ticksPerDay+tick, -840)},
		}...)
	}
	for _, c := range cases {
		for _, nullable := range []bool{true, false} {
			b, err := appendTypeInfo(nil, c.t, nullable)
			require.NoError(t, err)
			if b, err = appendValue(b, c.t, nullable, c.v, 0); err != nil {
				require.NoError(t, err, "%+v", c.t)
			}
			if nullable {
				b, err = appendValue(b, c.t, nullable, value.Value{}, 0)
				require.NoError(t, err)
			}
			d := decode(b)
			w := d.typeInfo()
			v := d.value(w)
			require.NoError(t, d.Err, "%+v", c.t)
			require.Equal(t, c.t, w.Type)
			require.Equal(t, c.v.GoString(), v.GoString(), "%+v", c.t)
			require.Equal(t, c.v.Kind, v.Kind)
			if nullable {
				require.True(t, d.value(w).IsNull())
			}
			require.NoError(t, d.Err)
			require.Empty(t, d.B)
		}
	}
}

func TestTextParameters(t *testing.T) {
	coll := CIAS
	param := func(id TypeID, coll []byte, data []byte) wireCase {
		b := append([]byte{byte(id), 0xFF, 0xFF, 0xFF, 0x7F}, coll...)
		return wireCase{append(binary.LittleEndian.AppendUint32(b, uint32(len(data))), data...)}
	}
	v := param(Text, coll[:], []byte{'a', 0x80}).read(t)
	require.Equal(t, "a€", v.Str())
	v = param(NText, coll[:], charset.AppendUTF16(nil, "漢")).read(t)
	require.Equal(t, "漢", v.Str())
	v = param(Image, nil, []byte{1, 2}).read(t)
	require.Equal(t, value.Bytes, v.Kind)
	v = wireCase{[]byte{byte(Image), 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF}}.read(t)
	require.True(t, v.IsNull())
}

type wireCase struct{ b []byte }

func (c wireCase) read(t *testing.T) value.Value {
	t.Helper()
	d := decode(c.b)
	v := d.value(d.typeInfo())
	require.NoError(t, d.Err)
	require.Empty(t, d.B)
	return v
}

func TestChunks(t *testing.T) {
	split := []byte{0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 'a', 'b', 1, 0, 0, 0, 'c', 0, 0, 0, 0, 'x'}
	d := decode(split)
	b, ok := d.chunks()
	require.True(t, ok)
	require.Equal(t, "abc", string(b))
	require.Equal(t, "x", string(d.B))
	require.Equal(t, byte(1), split[14], "the message itself stays as it was")

	for name, bad := range map[string][]byte{
		"too short":   {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 'a'},
		"huge chunk":  {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
		"wrong total": {9, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 'a', 0, 0, 0, 0},
	} {
		d := decode(bad)
		d.chunks()
		require.Error(t, d.Err, name)
	}
}

func TestInvalidValues(t *testing.T) {
	cases := map[string][]byte{
		"float NaN":                append([]byte{byte(FloatN), 8, 8}, binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN()))...),
		"decimal of too many":      {byte(DecimalN), 5, 2, 0, 5, 1, 100, 0, 0, 0},
		"decimal of odd length":    {byte(DecimalN), 5, 2, 0, 3, 1, 100, 0},
		"date beyond 9999":         {byte(DateN), 3, 0xFF, 0xFF, 0xFF},
		"time beyond midnight":     {byte(TimeN), 0, 3, 0xFF, 0xFF, 0xFF},
		"time that overflows":      {byte(TimeN), 0, 3, 0xFF, 0xFF, 0xFF},
		"datetime before 1753":     {byte(DateTimeN), 8, 8, 0, 0, 0, 0x80, 0, 0, 0, 0},
		"datetime after midnight":  {byte(DateTimeN), 8, 8, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF},
		"offset beyond 14:00":      {byte(DateTimeOffsetN), 0, 8, 0, 0, 0, 9, 0, 0, 0xFF, 0x7F},
		"local time before year 1": {byte(DateTimeOffsetN), 0, 8, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF},
		"half a character":         {byte(NVarChar), 4, 0, 9, 4, 0xD0, 0, 52, 3, 0, 'a', 0, 'b'},
	}
	for name, wire := range cases {
		t.Run(name, func(t *testing.T) {
			payload := append(call("dbo.P"), 2, '@', 0, 'x', 0, 0)
			_, err := decodeRequests(message{kind: packRPC, payload: append(payload, wire...)})
			var e *sqlerr.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, int32(8023), e.Number)
			require.Contains(t, e.Text, `Parameter 1 ("@x")`)
		})
	}
}

// call begins a call of a procedure.
func call(proc string) []byte {
	b := []byte{4, 0, 0, 0}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(proc)))
	return append(charset.AppendUTF16(b, proc), 0, 0)
}

func TestRefusedParameters(t *testing.T) {
	for name, wire := range map[string][]byte{
		"CLR types":          {0, 0, byte(wireUDT)},
		"Always Encrypted":   {0, 8, byte(IntN), 4, 0},
		"another code page":  {0, 0, byte(VarChar), 9, 0, 0x11, 0x04, 0xD0, 0, 0, 1, 0, 0x80},
		"xml":                {0, 0, byte(XMLN), 0},
		"sql_variant":        {0, 0, byte(VariantN), 0, 0, 0, 0},
		"not to be executed": {noExecuteFlag},
		"sort order":         append([]byte{0, 0, byte(TableType), 0, 0, 1, 'T', 0, 1, 0, 0, 0, 0, 0, 0, 0, byte(IntN), 4, 0}, 0x10),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeRequests(message{kind: packRPC, payload: append(call("dbo.P"), wire...)})
			var e *sqlerr.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, int32(sqlerr.NotSupportedNumber), e.Number)
		})
	}
}

const noExecuteFlag = 0xFE

func TestTooManyParameters(t *testing.T) {
	payload := call("dbo.P")
	for range maxCallParams + 1 {
		payload = append(payload, 0, 0, byte(Null))
	}
	_, err := decodeRequests(message{kind: packRPC, payload: payload})
	var e *sqlerr.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, int32(8003), e.Number)
}

func TestSeveralCalls(t *testing.T) {
	payload := append(call("dbo.A"), 0, 0, byte(IntN), 4, 4, 7, 0, 0, 0)
	payload = append(payload, 0xFF, 0xFF, 0xFF, ProcUnprepare, 0, 1, 0, 0, 3, 0x38, 9, 0, 0, 0, 0xFF)
	payload = append(payload, call("dbo.C")[4:]...)
	reqs, err := decodeRequests(message{kind: packRPC, status: statusEOM | statusResetKeepTran, payload: payload})
	require.NoError(t, err)
	require.Len(t, reqs, 3)
	a, b, c := reqs[0].(*RPC), reqs[1].(*RPC), reqs[2].(*RPC)
	require.Equal(t, ResetKeepTran, a.Reset)
	require.Equal(t, "dbo.A", a.Proc)
	require.Equal(t, int64(7), a.Params[0].Value.N)
	require.Equal(t, "sp_unprepare", b.Proc)
	require.Equal(t, uint16(ProcUnprepare), b.ProcID)
	require.True(t, b.Recompile)
	require.True(t, b.Params[0].Output)
	require.True(t, b.Params[0].Default)
	require.Equal(t, ResetNone, b.Reset)
	require.Equal(t, &RPC{Proc: "dbo.C"}, c)
}

func TestTransactionRequests(t *testing.T) {
	name := append([]byte{4}, charset.AppendUTF16(nil, "tx")...)
	build := func(parts ...[]byte) []byte {
		b := []byte{4, 0, 0, 0}
		for _, p := range parts {
			b = append(b, p...)
		}
		return b
	}
	cases := []struct {
		payload []byte
		want    *Transaction
	}{
		{build([]byte{5, 0, 4}, name), &Transaction{Op: BeginTransaction, Isolation: Serializable, Name: "tx"}},
		{build([]byte{7, 0}, name, []byte{0}), &Transaction{Op: CommitTransaction, Name: "tx"}},
		{build([]byte{8, 0, 0, 1, 5}, name), &Transaction{Op: RollbackTransaction, BeginAfter: true, Isolation: Snapshot, BeginName: "tx"}},
		{build([]byte{9, 0}, name), &Transaction{Op: SaveTransaction, Name: "tx"}},
		{build([]byte{9, 0, 0}), nil},
		{build([]byte{5, 0, 6, 0}), nil},
		{build([]byte{42, 0}), nil},
		{build([]byte{0, 0, 0, 0}), nil},
	}
	for _, c := range cases {
		reqs, err := decodeRequests(message{kind: packTransaction, payload: c.payload})
		if c.want == nil {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []Request{c.want}, reqs)
	}
}

func TestHeaders(t *testing.T) {
	header := func(kind byte, data ...byte) []byte {
		n := byte(10 + len(data))
		return append([]byte{n, 0, 0, 0, n - 4, 0, 0, 0, kind, 0}, data...)
	}
	sql := charset.AppendUTF16(nil, "SELECT 1")
	for _, kind := range []byte{2, 3} {
		reqs, err := decodeRequests(message{kind: packBatch, payload: append(header(kind, 1, 2, 3), sql...)})
		require.NoError(t, err)
		require.Equal(t, []Request{&Batch{SQL: "SELECT 1"}}, reqs)
	}
	_, err := decodeRequests(message{kind: packBatch, payload: header(1)})
	var e *sqlerr.Error
	require.ErrorAs(t, err, &e)
	for _, bad := range [][]byte{{}, {3, 0, 0, 0}, {255, 0, 0, 0}, {8, 0, 0, 0, 99, 0, 0, 0}, header(9), append(header(2), 'x')} {
		_, err := decodeRequests(message{kind: packBatch, payload: bad})
		var p *wire.ProtocolError
		require.ErrorAs(t, err, &p)
	}
}

// TestShortDecimals: JDBC and ODBC omit the leading zeros of a mantissa.
func TestShortDecimals(t *testing.T) {
	for n := 2; n <= 17; n++ {
		b := append([]byte{byte(DecimalN), 17, 38, 2, byte(n), 0}, make([]byte, n-1)...)
		b[6] = 250
		v := wireCase{b}.read(t)
		require.Equal(t, value.NewDecimal(-250, 2).GoString(), v.GoString())
	}
}
