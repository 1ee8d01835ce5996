package tds

import (
	"encoding/binary"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
)

// Limits on what a message may unfold to: a byte of it can stand for a whole
// value.Value or Param.
const (
	maxCells  = 1 << 24 // values in table-valued parameters and bulk loads
	maxParams = 1 << 20 // parameters in all calls of a message
)

// decoder reads a message. Its first error sticks: after it every read returns
// zeros, so that callers check at the end and in loops. It allocates no more than
// what the bytes that are really there call for.
type decoder struct {
	b     []byte
	err   error
	cells int
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
		d.b = nil
	}
}

func (d *decoder) failf(format string, args ...any) { d.fail(protocolErrorf(format, args...)) }

// bytes returns the next n bytes, not copied.
func (d *decoder) bytes(n int) []byte {
	if n < 0 || n > len(d.b) {
		d.failf("message ends too early")
		return nil
	}
	b := d.b[:n:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) u8() byte {
	if b := d.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) u16() uint16 {
	if b := d.bytes(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (d *decoder) u32() uint32 {
	if b := d.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) u64() uint64 {
	if b := d.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// bVarchar reads text with its length in characters in a byte.
func (d *decoder) bVarchar() string { return charset.FromUTF16(d.bytes(2 * int(d.u8()))) }

// bVarbyteText reads text with its length in bytes in a byte.
func (d *decoder) bVarbyteText() string {
	b := d.bytes(int(d.u8()))
	if len(b)%2 != 0 {
		d.failf("half a character in a name")
		return ""
	}
	return charset.FromUTF16(b)
}

// more reports whether something is left to read and nothing went wrong.
func (d *decoder) more() bool { return d.err == nil && len(d.b) > 0 }

// cell counts a value of a table against the limit.
func (d *decoder) cell(n int) bool {
	if d.cells += n; d.cells > maxCells {
		d.failf("more than %d values in a message", maxCells)
	}
	return d.err == nil
}
