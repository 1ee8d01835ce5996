package datatype

import (
	"encoding/binary"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// NewRowid returns the address of a row from its table's number and its own, so that addresses sort as rows were inserted.
func NewRowid(object, row int64) value.Value {
	const rows = 1 << 8 // per block
	b := binary.BigEndian.AppendUint32(nil, uint32(object))
	b = binary.BigEndian.AppendUint32(b, uint32(row/rows))
	return value.NewBytes(binary.BigEndian.AppendUint16(b, uint16(row%rows)))
}

// rowidDigits are the digits of a ROWID: 6 for the object, 3 for the file, always AAH, 6 for the block, and 3 for the row in
// it (Concepts, "Rowid Format").
const rowidDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

func formatRowid(v value.Value) string {
	digits := func(n uint64, width int) string {
		b := make([]byte, width)
		for i := range b {
			b[width-1-i], n = rowidDigits[n%64], n/64
		}
		return string(b)
	}
	b := []byte(v.Str())
	return digits(uint64(binary.BigEndian.Uint32(b)), 6) + "AAH" + digits(uint64(binary.BigEndian.Uint32(b[4:])), 6) +
		digits(uint64(binary.BigEndian.Uint16(b[8:])), 3)
}

func parseRowid(s string) (value.Value, error) {
	if len(s) != 18 || strings.Trim(s, rowidDigits) != "" {
		return value.Value{}, message.ORA(1410)
	}
	number := func(s string) (n uint32) {
		for _, d := range s {
			n = n*64 + uint32(strings.IndexRune(rowidDigits, d))
		}
		return n
	}
	b := binary.BigEndian.AppendUint32(nil, number(s[:6]))
	b = binary.BigEndian.AppendUint32(b, number(s[9:15]))
	return value.NewBytes(binary.BigEndian.AppendUint16(b, uint16(number(s[15:])))), nil
}
