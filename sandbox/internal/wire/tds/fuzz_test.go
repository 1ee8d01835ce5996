package tds

import (
	"bytes"
	"testing"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// The decoders see what anybody may send: they must neither panic nor allocate by a
// length that is only claimed.

func FuzzMessage(f *testing.F) {
	f.Add([]byte{packBatch, 0, 0, 9, 0, 0, 1, 0, 'a', packBatch, 1, 0, 9, 0, 0, 2, 0, 'b'})
	f.Add([]byte{packBatch, 1, 0xFF, 0xFF, 0, 0, 1, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		in := packetReader{r: bytes.NewReader(b)}
		for {
			m, err := in.message(1000, nil)
			if err != nil {
				return
			}
			if len(m.payload) > 1000 {
				t.Fatal("message beyond its limit")
			}
		}
	})
}

func FuzzPrelogin(f *testing.F) {
	f.Add(appendPrelogin(nil, Banner{}, encryptOn))
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = decodePrelogin(b) })
}

func FuzzLogin(f *testing.F) {
	f.Add(login7(version74, 4096, nil))
	f.Add(login7(version74, 4096, func(b []byte) { b[27] |= 0x10 }))
	f.Fuzz(func(_ *testing.T, b []byte) {
		if r, err := decodeLogin(b); err == nil {
			_ = r.judge(true)
		}
	})
}

func FuzzRequest(f *testing.F) {
	f.Add(byte(packBatch), batch("SELECT 1"))
	f.Add(byte(packTransaction), []byte{4, 0, 0, 0, 8, 0, 0, 1, 5, 2, 'x', 0})
	types := []Type{
		Bit, Int, {ID: DecimalN, Prec: 38, Scale: 2}, Money, Float,
		Date, {ID: TimeN, Scale: 3}, DateTime, {ID: DateTimeOffsetN, Scale: 7},
		{ID: VarChar, Size: 10}, {ID: NVarChar, Size: Max}, {ID: VarBinary, Size: 5}, GUIDType,
	}
	values := []value.Value{
		value.NewInt(1), value.NewInt(2), value.NewDecimal(-3, 2), value.NewDecimal(4, 4), value.NewFloat(5),
		value.NewTime(0, 0), value.NewSpan(7), value.NewTime(days9999*ticksPerDay, 0), value.NewTime(ticksPerDay, 60),
		value.NewString("a"), value.NewString("漢"), value.NewBytes([]byte{1}),
		value.NewGUID([16]byte{}),
	}
	bulk := []byte{tokenColMetadata, byte(len(types)), 0}
	row := []byte{tokenRow}
	tvp := append(call("dbo.P"), 0, 0, byte(TableType), 0, 0, 1, 'T', 0, byte(len(types)), 0)
	params := call("dbo.P")
	var tvpRow []byte
	for i, ty := range types {
		info, err := appendTypeInfo(nil, ty, true)
		if err != nil {
			f.Fatal(err)
		}
		v, err := appendValue(nil, ty, true, values[i], 0)
		if err != nil {
			f.Fatal(err)
		}
		params = append(append(append(params, 1, '@', 0, 0), info...), v...)
		bulk = append(append(append(bulk, 0, 0, 0, 0, 1, 0), info...), 0)
		tvp = append(append(append(tvp, 0, 0, 0, 0, 1, 0), info...), 0)
		row, tvpRow = append(row, v...), append(tvpRow, v...)
	}
	tvp = append(append(append(tvp, 0, 1), tvpRow...), 0)
	bulk = append(append(bulk, row...), tokenDone)
	for _, seed := range []struct {
		kind    byte
		payload []byte
	}{{packRPC, params}, {packRPC, tvp}, {packBulkLoad, bulk}} {
		if _, err := decodeRequests(message{kind: seed.kind, payload: seed.payload}); err != nil {
			f.Fatal(err)
		}
		f.Add(seed.kind, seed.payload)
	}
	f.Fuzz(func(_ *testing.T, kind byte, b []byte) {
		reqs, err := decodeRequests(message{kind: kind, status: statusReset, payload: b})
		if err != nil {
			return
		}
		// What was understood can be sent back.
		for _, req := range reqs {
			if r, ok := req.(*RPC); ok {
				for _, p := range r.Params {
					_, _ = appendValue(nil, p.Type, true, p.Value, 0)
				}
			}
		}
	})
}
