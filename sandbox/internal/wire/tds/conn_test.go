package tds

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// quiet is an engine that answers every request with just its end.
type quiet struct {
	requests chan Request
	closed   chan struct{}
}

func (q *quiet) Banner() Banner                                { return Banner{Product: "Microsoft SQL Server", Major: 16} }
func (q *quiet) Login(context.Context, Login) (Session, error) { return q, nil }
func (q *quiet) Environment() Environment                      { return Environment{Database: "db", Language: "us_english"} }
func (q *quiet) Cancel()                                       {}
func (q *quiet) Close()                                        { close(q.closed) }
func (q *quiet) Do(req Request, w *ResponseWriter) {
	if b, ok := req.(*Batch); ok && b.SQL == "wait" {
		<-w.Context().Done()
	}
	q.requests <- req
}

// client is a TDS client that does not behave like a driver.
type client struct {
	t   *testing.T
	c   net.Conn
	out packetWriter
	in  packetReader
}

func dial(t *testing.T, options Options) (*client, *quiet) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	q := &quiet{make(chan Request, 100), make(chan struct{})}
	go func() { done <- Serve(ctx, listener, q, options) }()
	c, err := net.Dial("tcp", listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = c.Close()
		cancel()
		require.NoError(t, <-done)
	})
	k := &client{t: t, c: c}
	k.out.init(c, 0, defaultPacketSize)
	k.in.r = c
	return k, q
}

func (k *client) send(kind byte, payload []byte) {
	k.t.Helper()
	k.out.kind = kind
	require.NoError(k.t, k.out.Message(payload))
}

func (k *client) receive() []byte {
	k.t.Helper()
	m, err := k.in.message(1<<20, nil)
	require.NoError(k.t, err)
	require.EqualValues(k.t, packReply, m.kind)
	return m.payload
}

// patience is how long a test waits for what should take no time.
const patience = 10 * time.Second

// hungUp returns what the server still sends before it closes the connection, which it must do.
func (k *client) hungUp() []byte {
	k.t.Helper()
	require.NoError(k.t, k.c.SetReadDeadline(time.Now().Add(patience)))
	rest, err := io.ReadAll(k.c)
	require.NotErrorIs(k.t, err, os.ErrDeadlineExceeded, "the server keeps the connection")
	return rest
}

// login sends LOGIN7 without a PRELOGIN, which is allowed.
func (k *client) login(version uint32, packetSize uint32) []byte {
	k.t.Helper()
	k.send(packLogin7, login7(version, packetSize, nil))
	return k.receive()
}

// login7 builds a LOGIN7 of user "sa" with a password; change may corrupt it.
func login7(version, packetSize uint32, change func([]byte)) []byte {
	b := make([]byte, login7Fixed)
	binary.LittleEndian.PutUint32(b[4:], version)
	binary.LittleEndian.PutUint32(b[8:], packetSize)
	field := func(at int, data []byte) {
		binary.LittleEndian.PutUint16(b[at:], uint16(len(b)))
		binary.LittleEndian.PutUint16(b[at+2:], uint16(len(data)/2))
		b = append(b, data...)
	}
	field(40, charset.AppendUTF16(nil, "sa"))
	hidden := charset.AppendUTF16(nil, "pw")
	for i, c := range hidden {
		hidden[i] = (c<<4 | c>>4) ^ 0xA5
	}
	field(44, hidden)
	binary.LittleEndian.PutUint32(b, uint32(len(b)))
	if change != nil {
		change(b)
	}
	return b
}

// lastDone returns the status of the DONE at the end of a response.
func lastDone(t *testing.T, response []byte) uint16 {
	t.Helper()
	require.GreaterOrEqual(t, len(response), 13)
	d := response[len(response)-13:]
	require.Contains(t, []byte{tokenDone, tokenDoneProc}, d[0])
	return binary.LittleEndian.Uint16(d[1:])
}

func batch(sql string) []byte { return charset.AppendUTF16([]byte{4, 0, 0, 0}, sql) }

func TestLoginVersions(t *testing.T) {
	k, _ := dial(t, Options{})
	response := k.login(0x74000004, 0)
	require.Contains(t, string(response), string([]byte{1, 0x74, 0, 0, 4}))
	require.Zero(t, lastDone(t, response))

	k, _ = dial(t, Options{})
	response = k.login(0x730B0003, 0)
	require.Contains(t, string(response), string([]byte{1, 0x73, 0x0B, 0, 3}))

	k, _ = dial(t, Options{})
	response = k.login(0x71000001, 0)
	require.Contains(t, charset.FromUTF16(response[11:11+2*60]), "does not model TDS version 0x71000001")
	require.EqualValues(t, doneError, lastDone(t, response))
	_, err := k.in.message(1, nil)
	require.ErrorIs(t, err, io.EOF)
}

func TestLoginIsJudged(t *testing.T) {
	for name, c := range map[string]struct {
		change func([]byte)
		number uint32
	}{
		"integrated":      {func(b []byte) { b[25] |= 0x80 }, 18452},
		"change password": {func(b []byte) { b[27] |= 1 }, 49999},
	} {
		t.Run(name, func(t *testing.T) {
			k, _ := dial(t, Options{})
			k.send(packLogin7, login7(version74, 0, c.change))
			response := k.receive()
			require.EqualValues(t, tokenError, response[0])
			require.Equal(t, c.number, binary.LittleEndian.Uint32(response[3:]))
		})
	}
}

func TestIdleAttention(t *testing.T) {
	k, q := dial(t, Options{})
	k.login(version74, 0)
	for range 3 {
		k.send(packAttention, nil)
		require.EqualValues(t, doneAttn, lastDone(t, k.receive()))
	}
	k.send(packBatch, batch("SELECT 1"))
	require.Zero(t, lastDone(t, k.receive()))
	require.Equal(t, &Batch{SQL: "SELECT 1"}, <-q.requests)
}

func TestAttentionBehindRequest(t *testing.T) {
	k, _ := dial(t, Options{})
	k.login(version74, 0)
	k.send(packBatch, batch("wait"))
	k.send(packAttention, nil)
	// The response, cut short, then a separate message.
	for _, status := range []uint16{doneError, doneAttn} {
		response := k.receive()
		require.Len(t, response, 13)
		require.Equal(t, status, lastDone(t, response))
	}
}

func TestIgnoredRequest(t *testing.T) {
	k, q := dial(t, Options{})
	k.login(version74, 0)
	k.out.kind = packBatch
	require.NoError(t, k.out.packet(batch("SELECT half of"), false))
	_, err := k.c.Write([]byte{packBatch, statusEOM | statusIgnore, 0, 8, 0, 0, 2, 0})
	require.NoError(t, err)
	response := k.receive()
	require.Len(t, response, 13)
	require.EqualValues(t, doneError, lastDone(t, response))
	k.send(packBatch, batch("SELECT 1"))
	k.receive()
	require.Equal(t, &Batch{SQL: "SELECT 1"}, <-q.requests)
}

func TestSeveralCallsAreAnsweredInOneResponse(t *testing.T) {
	k, q := dial(t, Options{})
	k.login(version74, 0)
	k.send(packRPC, append(append(call("dbo.A"), 0xFF), call("dbo.B")[4:]...))
	response := k.receive()
	require.Equal(t, append(done{token: tokenDoneProc, status: doneMore}.append(nil), done{token: tokenDoneProc}.append(nil)...), response)
	require.Equal(t, "dbo.A", (<-q.requests).(*RPC).Proc)
	require.Equal(t, "dbo.B", (<-q.requests).(*RPC).Proc)
}

func TestRefusedRequestLeavesTheConnection(t *testing.T) {
	k, q := dial(t, Options{})
	k.login(version74, 0)
	k.out.kind = packRPC
	// The reset requested with a refused call is kept.
	payload := append(call("dbo.P"), 0, 0, byte(wireUDT))
	_, err := k.c.Write(append([]byte{packRPC, statusEOM | statusReset, 0, byte(headerSize + len(payload)), 0, 0, 1, 0}, payload...))
	require.NoError(t, err)
	response := k.receive()
	require.EqualValues(t, tokenError, response[0])
	require.EqualValues(t, doneError, lastDone(t, response))
	k.send(packBatch, batch("SELECT 1"))
	response = k.receive()
	require.Equal(t, appendEnv(nil, envResetAck, nil, nil), response[:6])
	require.Equal(t, &Batch{SQL: "SELECT 1", Resetting: Resetting{ResetAll}}, <-q.requests)
}

func TestBadPacketsCloseTheConnection(t *testing.T) {
	for name, raw := range map[string][]byte{
		"short header":    {packBatch, 1, 0, 7, 0, 0, 1, 0},
		"huge packet":     {packBatch, 1, 0xFF, 0xFF, 0, 0, 1, 0},
		"unknown type":    {0x55, 1, 0, 8, 0, 0, 1, 0},
		"login again":     {packLogin7, 1, 0, 8, 0, 0, 1, 0},
		"type changes":    {packBatch, 0, 0, 8, 0, 0, 1, 0, packRPC, 1, 0, 8, 0, 0, 2, 0},
		"no headers":      {packBatch, 1, 0, 8, 0, 0, 1, 0},
		"too long":        append([]byte{packBatch, 0, 0x7F, 0xFF, 0, 0, 1, 0}, make([]byte, maxPacketSize-headerSize)...),
		"bad bulk load":   {packBulkLoad, 1, 0, 9, 0, 0, 1, 0, 0x42},
		"unknown feature": {packFedAuth, 1, 0, 8, 0, 0, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			k, q := dial(t, Options{MaxMessage: 10000})
			k.login(version74, maxPacketSize)
			_, err := k.c.Write(raw)
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, k.c)
			if err != nil { // a reset is a close, too
				require.NotErrorIs(t, err, context.DeadlineExceeded)
			}
			<-q.closed
			require.Empty(t, q.requests, "the session was given nothing")
		})
	}
}

func TestTooManyRequestsAhead(t *testing.T) {
	k, q := dial(t, Options{})
	k.login(version74, 0)
	for range maxQueued + 3 {
		k.out.kind = packBatch
		if k.out.Message(batch("wait")) != nil {
			break
		}
	}
	k.hungUp()
	select {
	case <-q.closed:
	case <-time.After(patience):
		require.Fail(t, "the session goes on")
	}
	require.LessOrEqual(t, len(q.requests), 1, "the first request ends, and no other begins")
}

func TestNotTDS(t *testing.T) {
	for _, raw := range []string{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\x12\x01\x00\x09\x00\x00\x01\x00\x00", "\x12\x01\x00\x08\x00\x00\x01\x00"} {
		k, _ := dial(t, Options{LoginTimeout: time.Millisecond}) // the first one is a packet that never ends
		_, _ = k.c.Write([]byte(raw))
		require.Empty(t, k.hungUp(), "%q has no answer", raw)
	}
}

func TestNegotiate(t *testing.T) {
	const required = 3
	for client, answer := range map[byte]byte{encryptOff: encryptOff, encryptOn: encryptOn, required: encryptOn, encryptNotSup: encryptNotSup} {
		require.Equal(t, answer, negotiate(client))
	}
}

// TestNoMARS: a client that wants MARS is told that it is not available.
func TestNoMARS(t *testing.T) {
	answer := appendPrelogin(nil, Banner{}, encryptNotSup)
	i := bytes.Index(answer, []byte{preloginMARS, 0})
	require.Positive(t, i)
	at, n := binary.BigEndian.Uint16(answer[i+1:]), binary.BigEndian.Uint16(answer[i+3:])
	require.Equal(t, []byte{0}, answer[at:at+n])
}

// TestRecordsAreNotOverread: after the encrypted login packet, plain TDS may already
// be in the socket's buffer.
func TestRecordsAreNotOverread(t *testing.T) {
	ours, theirs := net.Pipe()
	go func() {
		wrapped := &wrappedTLS{Conn: theirs}
		wrapped.out.init(theirs, packPrelogin, minPacketSize)
		var head bytes.Buffer
		c := tls.Client(wrapped, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12}) //nolint:gosec // its own certificate
		if c.Handshake() != nil {
			return
		}
		wrapped.done, wrapped.Conn = true, collect{theirs, &head}
		_, _ = c.Write([]byte("secret"))
		_, _ = theirs.Write(append(head.Bytes(), "plain"...))
		_ = theirs.Close()
	}()
	secure, err := handshake(context.Background(), ours)
	require.NoError(t, err)
	b := make([]byte, 6)
	_, err = io.ReadFull(secure, b)
	require.NoError(t, err)
	require.Equal(t, "secret", string(b))
	rest, err := io.ReadAll(ours)
	require.NoError(t, err)
	require.Equal(t, "plain", string(rest))
}

// collect keeps what is written.
type collect struct {
	net.Conn
	b *bytes.Buffer
}

func (c collect) Write(b []byte) (int, error) { return c.b.Write(b) }

func TestRowKeepsRowsWhole(t *testing.T) {
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var packets packetWriter
	packets.init(&out, packReply, minPacketSize)
	w := &ResponseWriter{Answer: wire.NewAnswer(ctx, &packets.Packets), nbc: true}
	require.Error(t, w.Row(value.Row{}), "no result set")
	require.Error(t, w.Columns(nil))
	require.Error(t, w.Columns([]Column{{}}))
	require.NoError(t, w.Columns([]Column{{Type: Int}, {Type: TinyInt, Nullable: true}}))
	require.Error(t, w.Row(value.Row{value.NewInt(1)}))
	n := len(w.Buf)
	require.Error(t, w.Row(value.Row{value.NewInt(1), value.NewInt(256)}))
	require.Len(t, w.Buf, n)
	require.NoError(t, w.Row(value.Row{value.NewInt(1), {}}))
	require.Equal(t, []byte{tokenNBCRow, 2, 1, 0, 0, 0}, w.Buf[n:])
	require.NoError(t, w.finish())
	require.Len(t, out.Bytes(), headerSize+n+6+13)
}
