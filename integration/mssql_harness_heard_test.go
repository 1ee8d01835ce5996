package integration

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"strconv"
	"testing"
	"unicode/utf16"

	mssqldb "github.com/microsoft/go-mssqldb"

	"github.com/dbsched/dbsched/dialects"
)

// hearing returns a dialer whose connections check each of dbsched's errors that arrives, whoever asked for it.
func hearing(t *testing.T, dial dialects.DialFunc) dialects.DialFunc {
	t.Helper()
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return heard{c, t}, nil
	}
}

// heard is a connection to SQL Server.
type heard struct {
	net.Conn

	t *testing.T
}

var (
	ownUTF16 = utf16Bytes("dbsched 51")
	errorAt  = 11 // bytes of an ERROR token before its text: AA, length, number, state, class, the text's length ([MS-TDS] 2.2.7.10)
)

func utf16Bytes(s string) (out []byte) {
	for _, c := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, c)
	}
	return out
}

// Read implements net.Conn. The driver reads a packet at a time.
func (c heard) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	for from := 0; ; {
		at := bytes.Index(p[from:n], ownUTF16)
		if at < 0 {
			return n, err
		}
		at += from
		from = at + 1
		const digits = 2 * len("dbsched 51nnn")
		if at < errorAt || at+digits > n || p[at-errorAt] != 0xAA {
			continue
		}
		e := mssqldb.Error{Number: int32(binary.LittleEndian.Uint32(p[at-8:])), State: p[at-4], Class: p[at-3]}
		e.Message = string([]byte{'5', '1', p[at+digits-6], p[at+digits-4], p[at+digits-2]})
		if wrong := broken(e, e.Message); wrong != "" {
			c.t.Error(wrong)
		}
	}
}

// broken says how an error of dbsched's does not arrive as docs/errors.md promises: with the number that its text has, or 50000 and the last digits of
// the number as the state. The severity is that of "errors that can be corrected by the user" (Database Engine error severities).
func broken(e mssqldb.Error, number string) string {
	n, err := strconv.Atoi(number)
	promised := err == nil && e.Class == 16 && (int(e.Number) == n && e.State == 1 || e.Number == 50000 && int(e.State) == n%1000)
	if promised {
		return ""
	}
	return "dbsched " + number + " arrives as error " + strconv.Itoa(int(e.Number)) + ", state " + strconv.Itoa(int(e.State)) + ", severity " + strconv.Itoa(int(e.Class))
}
