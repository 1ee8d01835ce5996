package tns_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/wire/tns"
)

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	nc, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = nc.Close() })
	require.NoError(t, nc.SetDeadline(time.Now().Add(10*time.Second)))
	return nc
}

// connectPacket is CONNECT of a client that offers a version and a packet size.
func connectPacket(version, lowest uint16, sdu uint32, descriptor string) []byte {
	b := make([]byte, 74)
	b[4] = 1
	binary.BigEndian.PutUint16(b, uint16(len(b)+len(descriptor)))
	binary.BigEndian.PutUint16(b[8:], version)
	binary.BigEndian.PutUint16(b[10:], lowest)
	binary.BigEndian.PutUint16(b[14:], uint16(min(sdu, 0xFFFF)))
	binary.BigEndian.PutUint16(b[24:], uint16(len(descriptor)))
	binary.BigEndian.PutUint16(b[26:], uint16(len(b)))
	binary.BigEndian.PutUint32(b[58:], sdu)
	return append(b, descriptor...)
}

const descriptor = "(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=h)(PORT=1))(CONNECT_DATA=( service_name = freepdb1 )(CID=(PROGRAM=p))))"

func readPacket(t *testing.T, nc net.Conn) []byte {
	t.Helper()
	head := make([]byte, 8)
	_, err := io.ReadFull(nc, head)
	require.NoError(t, err)
	body := make([]byte, int(binary.BigEndian.Uint16(head))-8)
	_, err = io.ReadFull(nc, body)
	require.NoError(t, err)
	return append(head, body...)
}

// What ACCEPT settles, and where in the packet.
func TestAccept(t *testing.T) {
	address := start(t, &engine{}, tns.Options{})
	for _, c := range []struct {
		version uint16
		sdu     uint32
		accept  uint16
		size    uint32
	}{
		{319, 8192, 317, 8192},
		{318, 1 << 21, 317, 8192},
		{317, 2048, 317, 2048},
		{315, 1 << 21, 315, 8192},
		{315, 1, 315, 512},
	} {
		nc := dial(t, address)
		_, err := nc.Write(connectPacket(c.version, 300, c.sdu, descriptor))
		require.NoError(t, err)
		b := readPacket(t, nc)
		require.EqualValues(t, 2, b[4])
		require.Equal(t, c.accept, binary.BigEndian.Uint16(b[8:]))
		require.GreaterOrEqual(t, len(b), 45)
		require.Equal(t, c.size, binary.BigEndian.Uint32(b[32:]))
		require.Zero(t, b[22]&1, "native services")
	}
}

func TestRefuse(t *testing.T) {
	address := start(t, &engine{}, tns.Options{})
	for _, c := range []struct {
		packet []byte
		code   string
	}{
		{connectPacket(314, 300, 8192, descriptor), "(ERR=12618)"},
		{connectPacket(330, 320, 8192, descriptor), "(ERR=12618)"},
		{connectPacket(317, 300, 8192, strings.ReplaceAll(descriptor, "freepdb1", "other")), "(ERR=12514)"},
		{connectPacket(317, 300, 8192, strings.ReplaceAll(descriptor, "service_name", "SID")[:60]), "(ERR=12505)"},
		{connectPacket(317, 300, 8192, ""), "(ERR=12505)"},
	} {
		nc := dial(t, address)
		_, err := nc.Write(c.packet)
		require.NoError(t, err)
		b := readPacket(t, nc)
		require.EqualValues(t, 4, b[4])
		require.Contains(t, string(b), c.code)
	}
}

// Garbage ends the connection it arrives on, at any stage, and no other.
func TestGarbage(t *testing.T) {
	e := &engine{}
	address := start(t, e, tns.Options{})
	db := connect(t, address)
	require.NoError(t, db.Ping())
	accepted := connectPacket(314, 300, 8192, descriptor)
	data := func(b ...byte) []byte {
		p := append([]byte{0, 0, 0, 0, 6, 0, 0, 0, 0, 0}, b...)
		binary.BigEndian.PutUint16(p, uint16(len(p)))
		return append(bytes.Clone(accepted), p...)
	}
	for name, b := range map[string][]byte{
		"http":             []byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
		"zeros":            make([]byte, 100),
		"ones":             bytes.Repeat([]byte{0xFF}, 70_000),
		"short CONNECT":    {0, 20, 0, 0, 1, 0, 0, 0, 1, 61, 1, 44, 0, 0, 0, 0, 0, 0, 0, 0},
		"offset outside":   append([]byte{0, 34, 0, 0, 1, 0, 0, 0, 1, 61, 1, 44, 0, 0, 32, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 9, 255, 255}, make([]byte, 6)...),
		"CONNECT twice":    append(bytes.Clone(accepted), accepted...),
		"short DATA":       append(bytes.Clone(accepted), 0, 9, 0, 0, 6, 0, 0, 0, 0),
		"large packet":     append(bytes.Clone(accepted), 0xFF, 0xFF, 0, 0, 6, 0, 0, 0),
		"no protocol":      data(3, 0x5E, 0),
		"break first":      append(bytes.Clone(accepted), 0, 11, 0, 0, 12, 0, 0, 0, 1, 0, 1),
		"then rubbish":     data(1, 6, 0, 'x', 0, 2, 9, 9, 9, 9, 9, 255, 255, 255),
		"endless protocol": data(bytes.Repeat([]byte{1}, 8000)...),
	} {
		t.Run(name, func(t *testing.T) {
			nc := dial(t, address)
			_, _ = nc.Write(b) // the server may hang up before everything is written
			_ = nc.(*net.TCPConn).CloseWrite()
			_, err := io.Copy(io.Discard, nc)
			require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
		})
	}
	require.NoError(t, db.Ping())
	require.Len(t, e.sessions, 1)
}
