package tds

import (
	"bytes"
	"context"
	"io"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/testing/fuzztext"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// Anybody can send anything to the decoders: they must neither panic nor allocate by a
// length that is merely claimed.

func FuzzMessage(f *testing.F) {
	f.Add([]byte{packBatch, 0, 0, 9, 0, 0, 1, 0, 'a', packBatch, 1, 0, 9, 0, 0, 2, 0, 'b'})
	f.Add([]byte{packBatch, 1, 0xFF, 0xFF, 0, 0, 1, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		defer fuzztext.Begin(t).End(fuzztext.Reading(len(b)), b)
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
	f.Fuzz(func(t *testing.T, b []byte) {
		defer fuzztext.Begin(t).End(fuzztext.Reading(len(b)), b)
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
	f.Fuzz(func(t *testing.T, kind byte, b []byte) {
		defer fuzztext.Begin(t).End(fuzztext.Reading(len(b)), b)
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

// FuzzConnection plays what a client sends from the first byte: whatever it is, the connection ends when the client is gone.
func FuzzConnection(f *testing.F) {
	packet := func(kind, status byte, payload []byte) []byte {
		n := len(payload) + headerSize
		return append([]byte{kind, status, byte(n >> 8), byte(n), 0, 0, 1, 0}, payload...)
	}
	login := append(packet(packPrelogin, 1, appendPrelogin(nil, Banner{}, encryptNotSup)), packet(packLogin7, 1, login7(version74, 4096, nil))...)
	one := packet(packBatch, 1, batch("SELECT 1"))
	for _, after := range [][]byte{
		nil, one, slices.Concat(one, packet(packAttention, 1, nil)), slices.Concat(packet(packBatch, 0, batch("a")), packet(packBatch, 3, nil), one),
		packet(packRPC, 9, call("dbo.P")), packet(packTransaction, 17, []byte{4, 0, 0, 0, 5, 0, 0, 0}), packet(packBatch, 1, []byte{1}), packet(packFedAuth, 1, nil),
		slices.Concat(one, one, one, one, one, one, one, one),
	} {
		f.Add(slices.Concat(login, after))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		w := fuzztext.Begin(t)
		synctest.Test(t, func(t *testing.T) {
			client, server := net.Pipe()
			wc := &wire.Conn{Net: server, Options: wire.Options{Logger: w.Logger(), MaxMessage: 1 << 20, LoginTimeout: time.Hour}}
			c := &conn{Conn: wc, engine: quietEngine{}, banner: Banner{}}
			ended := make(chan error, 1)
			go func() {
				ended <- c.serve(t.Context())
				_ = server.Close()
			}()
			go func() { _, _ = io.Copy(io.Discard, client) }()
			_, _ = client.Write(b)
			synctest.Wait()
			_ = client.Close()
			<-ended
		})
		w.End(fuzztext.Reading(len(b)), b)
	})
}

// quietEngine gives minimal answers.
type quietEngine struct{}

func (quietEngine) Banner() Banner                                { return Banner{} }
func (quietEngine) Login(context.Context, Login) (Session, error) { return quietSession{}, nil }

type quietSession struct{}

func (quietSession) Environment() Environment { return Environment{SPID: 51} }
func (quietSession) Cancel()                  {}
func (quietSession) Close()                   {}
func (quietSession) Do(_ Request, w *ResponseWriter) {
	_ = w.Columns([]Column{{Name: "c", Type: Int}})
	_ = w.Row(value.Row{value.NewInt(1)})
	w.DoneStatement(Done{Rows: 1, HasCount: true})
}
