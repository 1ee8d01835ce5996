package tds

import (
	"encoding/binary"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// maxParams limits the parameters in all calls of a message.
const maxParams = 1 << 20

// decoder reads a message.
type decoder struct{ wire.Decoder }

func decode(b []byte) decoder {
	d := decoder{wire.Decoder{B: b}}
	d.Begin(len(b))
	return d
}

func (d *decoder) u16() uint16 {
	if b := d.Bytes(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (d *decoder) u32() uint32 {
	if b := d.Bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) u64() uint64 {
	if b := d.Bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// bVarchar reads text with its length in characters in a byte.
func (d *decoder) bVarchar() string { return charset.FromUTF16(d.Bytes(2 * int(d.U8()))) }

// bVarbyteText reads text with its length in bytes in a byte.
func (d *decoder) bVarbyteText() string {
	b := d.Bytes(int(d.U8()))
	if len(b)%2 != 0 {
		d.Failf("half a character in a name")
		return ""
	}
	return charset.FromUTF16(b)
}
