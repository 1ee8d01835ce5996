package tns

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/testing/fuzztext"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// stream returns a decoder over b, which comes in pieces of n bytes.
func stream(b []byte, n int) *decoder {
	d := &decoder{Decoder: wire.Decoder{Next: func() ([]byte, error) {
		if len(b) == 0 {
			return nil, io.EOF
		}
		k := min(n, len(b))
		chunk := bytes.Clone(b[:k])
		b = b[k:]
		return chunk, nil
	}}}
	d.Begin(1 << 20)
	return d
}

// quietConn is a connection to nobody.
func quietConn() *conn {
	return newConn(&wire.Conn{Net: discard{}, Options: wire.Options{Logger: slog.New(slog.DiscardHandler)}}, quietEngine{})
}

func FuzzPacket(f *testing.F) {
	var w bytes.Buffer
	for _, wide := range []bool{false, true} {
		var p packetWriter
		p.init(&w, wide, minDataUnit)
		require.NoError(f, p.Message(make([]byte, 1200)))
		require.NoError(f, p.marker(markerBreak))
		f.Add(bytes.Clone(w.Bytes()), wide)
		w.Reset()
	}
	connect := make([]byte, 62)
	connect[1] = 61 // version 317
	connect[0] = 1
	f.Add(append([]byte{0, 70, 0, 0, packConnect, 0, 0, 0}, connect...), false)
	f.Fuzz(func(t *testing.T, b []byte, wide bool) {
		defer fuzztext.Begin(t).End(fuzztext.Reading(len(b)), b)
		r := packetReader{r: bytes.NewReader(b), wide: wide, limit: sessionDataUnit}
		for {
			p, err := r.packet()
			if err != nil {
				return
			}
			require.LessOrEqual(t, len(p.body), sessionDataUnit)
			if c, err := decodeConnect(p.body); err == nil {
				if v, sdu, ok := c.negotiate(); ok {
					_ = accept(v, sdu)
				}
				_ = descriptorValue(c.data, "SID")
			}
		}
	})
}

// authBytes is a login call as go-ora sends it.
func authBytes() []byte {
	b := []byte{msgFunction, fnAuthAnswer, 0, 1, 1, 5, 2, 1, 0, 1, 1, 2, 1, 1}
	b = appendClr(b, "scott")
	b = appendKeyVal(b, "AUTH_SESSKEY", "00AA", 1)
	return appendKeyVal(b, "AUTH_PASSWORD", "00AA", 0)
}

func FuzzAuth(f *testing.F) {
	a := stream(authBytes(), 7).authCall()
	require.Equal(f, authCall{function: fnAuthAnswer, user: "scott", mode: 256,
		properties: map[string]string{"AUTH_SESSKEY": "00AA", "AUTH_PASSWORD": "00AA"}}, a)
	f.Add(authBytes(), 3, "AABB", "CC")
	ch := newChallenge(newVerifier(verifier11g, "tiger", []byte("0123456789")))
	f.Fuzz(func(t *testing.T, b []byte, n int, key, password string) {
		defer fuzztext.Begin(t).End(fuzztext.Reading(len(b)), b)
		d := stream(b, max(1, n))
		a := d.authCall()
		if d.Err == nil {
			require.LessOrEqual(t, len(a.properties), maxProperties)
		}
		_, ok := ch.answer(a.properties["AUTH_SESSKEY"], a.properties["AUTH_PASSWORD"])
		require.False(t, ok)
		_, ok = ch.answer(key, password)
		require.False(t, ok)
	})
}

// executeBytes is a call with binds, as go-ora sends it.
func executeBytes(types ...byte) []byte {
	text := "insert into t values (:1)"
	b := []byte{msgFunction, fnExecute, 0, 2, 0x80, 0x29, 0, 1}
	b = append(appendUint(b, uint64(len(text))), 1, 1, 13, 0, 0, 0, 0, 4, 0x3F, 0xFF, 0xFF, 0xFF, 1)
	b = append(appendUint(b, uint64(len(types))), 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	b = appendClr(b, text)
	b = append(b, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	for _, t := range types {
		b = append(b, t, 3, 0, 0, 1, 40, 0, 0, 0, 0, 2, 3, 0x69, 1, 1, 10, 0)
	}
	b = append(b, msgRowData)
	for _, t := range types {
		switch id, _ := wireType(t); {
		case id.isLOB():
			b = append(b, 1, locatorSize)
			b = appendClr(b, make([]byte, locatorSize))
		case id == Number:
			b = append(b, 2, 0xC1, 2)
		case id == RefCursor:
			b = append(b, 1, 0)
		default:
			b = appendClr(b, "abcdefg")
		}
	}
	return b
}

// lobBytes is a call on the LOB whose locator has a number.
func lobBytes(op, offset, dest, amount int, number byte, data ...byte) []byte {
	b := appendUint([]byte{msgFunction, fnLOB, 0, 1, 1, locatorSize, 0, 0, 0, 0, 0, 0, 0}, uint64(op))
	b = append(appendUint(appendUint(append(b, 0, 0), uint64(offset)), uint64(dest)), 1, 0, 0, 0, 0, 0, 0)
	locator := make([]byte, locatorSize)
	locator[locatorAt+7] = number
	return append(appendUint(append(b, locator...), uint64(amount)), data...)
}

// quietSession gives minimal answers.
type quietSession struct{}

func (quietSession) Environment() Environment { return Environment{} }
func (quietSession) Cancel()                  {}
func (quietSession) Close()                   {}
func (quietSession) Do(req Request, w *ResponseWriter) {
	switch r := req.(type) {
	case *Execute:
		if len(r.Binds) == 0 || r.DescribeOnly {
			_ = w.Query(&ResultSet{Columns: []Column{{Name: "C", Type: Type{ID: CLOB}}, {Name: "N", Type: Type{ID: Number}}}})
			return
		}
		use, values := make([]Direction, len(r.Binds)), make(value.Row, len(r.Binds))
		for i := range use {
			use[i], values[i] = DirInOut, r.Iterations[0][i]
		}
		_ = w.Out(use, values)
	case *Fetch:
		for i := range min(r.Max, 3) {
			_ = w.Row(value.Row{value.NewString("text"), value.NewInt(int64(i))})
		}
		w.EndOfData()
	}
}

// Whatever comes after the login, the connection ends and nothing panics.
func FuzzCalls(f *testing.F) {
	calls := [][]byte{
		executeBytes(), executeBytes(1, 2, 94, 24), executeBytes(112, 102, 12, 181), executeBytes(109),
		{msgFunction, fnReexecute, 0, 1, 1, 1, 1, 0, 1, 1, msgRowData, 1, 'x'},
		{msgFunction, fnReexecuteFetch, 0, 1, 1, 1, 25, 1, 32, 1, 1},
		{msgFunction, fnFetch, 0, 1, 1, 1, 25},
		{msgFunction, fnCommit, 0}, {msgFunction, fnRollback, 0}, {msgFunction, fnPing, 0},
		{msgPiggyback, fnCloseCursors, 0, 1, 1, 1, 1, 1}, {msgPiggyback, fnCancelCursors, 0, 1, 1, 1, 1, 1},
		{msgPiggyback, fnSchema, 0, 1, 1, 3, 3, 'A', 'P', 'P', msgFunction, fnPing, 0},
		{msgPiggyback, fnAttributes, 0, 0, 0, 1, 7, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 'i', 1, 'm', 1, 'n', msgFunction, fnPing, 0},
		append(append([]byte{msgPiggyback, fnLOB, 0, 1, 1, 2 * locatorSize, 0, 0, 0, 0, 0, 0, 0, 3, 0x08, 0x01, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
			make([]byte, 2*locatorSize)...), msgFunction, fnPing, 0),
		append(append([]byte{msgFunction, fnLOB, 0, 1, 1, locatorSize, 0, 1, 10, 0, 0, 1, 0, 1, 2, 1, 0x10, 1, 1, 1, 0, 1, 1, 1, 112, 1, 0, 0, 0, 0, 0, 0},
			make([]byte, locatorSize)...), 2, 3, 0x69, 0, 1, 10),
	}
	calls = append(calls, slices.Concat(lobBytes(lobCreateTemp, 1, int(CLOB), 0, 0), lobBytes(lobWrite, 1, 0, 3, 1, msgLOBData, 6, 0, 'a', 0, 'b', 0, 'c'),
		lobBytes(lobRead, 2, 0, 9, 1), lobBytes(lobTrim, 1, 0, 1, 1), lobBytes(lobLength, 1, 0, 0, 1), lobBytes(lobChunkSize, 1, 0, 0, 1),
		lobBytes(lobOpen, 1, 0, 0, 1), lobBytes(lobClose, 1, 0, 0, 1), lobBytes(lobFreeTemp, 1, 0, 0, 1)))
	var all []byte
	for _, c := range calls {
		f.Add(c, uint16(1000))
		all = append(all, c...)
	}
	f.Add(all, uint16(5))
	f.Fuzz(func(t *testing.T, b []byte, n uint16) {
		defer fuzztext.Begin(t).End(fuzztext.Reading(len(b)), b)
		c := quietConn()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		c.ctx, c.sess = ctx, quietSession{}
		d := stream(b, max(1, int(n)))
		c.d.Next = d.Next
		for {
			c.d.Begin(1 << 20)
			if done, err := c.message(); done || err != nil {
				return
			}
		}
	})
}

// FuzzConnection plays what a client sends from the first byte to the login: whatever it is, the connection ends when the client is gone.
func FuzzConnection(f *testing.F) {
	packet := func(wide bool, kind byte, body ...byte) []byte {
		if kind == packData {
			body = append([]byte{0, 0}, body...)
		}
		n := len(body) + headerSize
		head := []byte{byte(n >> 8), byte(n), 0, 0, kind, 0, 0, 0}
		if wide {
			head = []byte{0, 0, byte(n >> 8), byte(n), kind, 0, 0, 0}
		}
		return append(head, body...)
	}
	descriptor := "(DESCRIPTION=(CONNECT_DATA=(SERVICE_NAME=x)))"
	connect := make([]byte, 62)
	connect[1], connect[0], connect[6], connect[17], connect[19] = 61, 1, 0x20, byte(len(descriptor)), 70
	types := []byte{msgDataTypes, 0x69, 3, 0x69, 3, 3}
	types = append(append(types, byte(len(compileCaps()))), compileCaps()...)
	types = append(append(types, byte(len(runtimeCaps()))), runtimeCaps()...)
	types = append(append(types, make([]byte, 11)...), 7, 0xD0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 27, 0, 27, 0, 10, 0, 0, 0, 9, 0, 0, 0, 0)
	challenge := append([]byte{msgFunction, fnAuthChallenge, 0, 1, 1, 5, 2, 1, 0, 1, 0, 1, 1}, "\x05scott"...)
	all := slices.Concat(packet(false, packConnect, append(connect, descriptor...)...), packet(true, packData, msgProtocol, 6, 0, 'x', 0), packet(true, packData, types...),
		packet(true, packData, challenge...), packet(true, packData, authBytes()...), packet(true, packMarker, 1, 0, markerBreak), packet(true, packData, msgFunction, fnPing, 0))
	f.Add(all)
	f.Add(all[:len(all)-30])
	f.Fuzz(func(t *testing.T, b []byte) {
		w := fuzztext.Begin(t)
		synctest.Test(t, func(t *testing.T) {
			client, server := net.Pipe()
			c := newConn(&wire.Conn{Net: server, Options: wire.Options{Logger: w.Logger(), MaxMessage: 1 << 20, LoginTimeout: time.Hour}}, quietEngine{})
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

// The seeds of FuzzCalls are what they are meant to be.
func TestCallSeeds(t *testing.T) {
	for _, types := range [][]byte{nil, {1, 2, 94, 24}, {112, 102, 1, 24}} {
		d := stream(executeBytes(types...)[3:], 1)
		c := d.executeCall(func(*executeCall) int { return 0 })
		if len(types) > 0 {
			require.NoError(t, d.Err)
			require.Nil(t, c.refusal)
			require.Len(t, c.rows[0], len(types))
		}
		require.Equal(t, "insert into t values (:1)", c.sql)
	}
}

// What was read can be sent, and is read back the same.
func FuzzValue(f *testing.F) {
	f.Add(byte(Number), []byte{0xC1, 2})
	f.Add(byte(Number), []byte{0x3E, 100, 102})
	f.Add(byte(Date), []byte{120, 126, 11, 20, 18, 6, 44})
	f.Add(byte(TimestampTZ), []byte{120, 126, 11, 20, 18, 6, 44, 0, 0, 0, 0, 20, 60})
	f.Add(byte(IntervalDS), []byte{0x80, 0, 0, 3, 64, 65, 66, 0x80, 0, 0, 0})
	f.Add(byte(BinaryDouble), []byte{0xC0, 2, 0, 0, 0, 0, 0, 0})
	f.Add(byte(Varchar2), []byte("text"))
	f.Fuzz(func(t *testing.T, number byte, b []byte) {
		id, ok := wireType(number)
		if !ok || id.isLOB() || id == RefCursor {
			return
		}
		typ := Type{ID: id}
		v, err := readValue(typ, b)
		if err != nil {
			return
		}
		if id == Date {
			v.N -= v.N % ticksPerSecond
		}
		out, err := appendValue(nil, typ, v)
		require.NoError(t, err)
		again, err := readValue(typ, stream(out, 100).clr())
		require.NoError(t, err)
		require.Equal(t, v.String(), again.String())
	})
}

type quietEngine struct{}

func (quietEngine) Banner() Banner            { return Banner{Product: "fuzz"} }
func (quietEngine) Serves(string) bool        { return true }
func (quietEngine) Verifier(string) *Verifier { return nil }
func (quietEngine) Login(context.Context, Login) (Session, error) {
	return nil, errors.New("no")
}

// discard is a connection that nobody reads.
type discard struct{}

func (discard) Read([]byte) (int, error)         { return 0, io.EOF }
func (discard) Write(b []byte) (int, error)      { return len(b), nil }
func (discard) Close() error                     { return nil }
func (discard) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (discard) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (discard) SetDeadline(time.Time) error      { return nil }
func (discard) SetReadDeadline(time.Time) error  { return nil }
func (discard) SetWriteDeadline(time.Time) error { return nil }
