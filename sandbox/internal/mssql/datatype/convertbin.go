package datatype

import (
	"encoding/binary"
	"encoding/hex"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func errUnmodeled(from, to Type) error {
	return sqlerr.NotSupported("conversion of %s to %s", from, to)
}

// toBinary converts to binary, varbinary and timestamp. Numbers keep their last bytes
// and get zeros in front, strings and binaries keep their first.
func toBinary(v value.Value, from, to Type, style int) (value.Value, error) {
	size := int(to.Len)
	if to.ID == RowVersion {
		size = 8
	}
	var b []byte
	right := false
	switch from.class() {
	case clsBit, clsInt:
		b = binary.BigEndian.AppendUint64(nil, uint64(v.N))[8-infos[from.ID].length:]
		right = true
	case clsANSI, clsUnicode:
		var err error
		if b, err = stringToBytes(v.Str(), from, to, style); err != nil {
			return v, err
		}
	case clsBinary, clsRowVersion, clsGUID:
		b = []byte(v.Str())
	default:
		return v, errUnmodeled(from, to)
	}
	if to.IsMax() {
		return value.NewBytes(b), nil
	}
	switch {
	case len(b) > size && right:
		b = b[len(b)-size:]
	case len(b) > size:
		b = b[:size]
	case len(b) < size && to.ID != VarBinary:
		pad := make([]byte, size-len(b))
		if right {
			b = append(pad, b...)
		} else {
			b = append(b, pad...)
		}
	}
	return value.NewBytes(b), nil
}

func stringToBytes(s string, from, to Type, style int) ([]byte, error) {
	switch style {
	case NoStyle, 0:
		if !from.IsUnicode() {
			return charset.CodePageBytes(s), nil
		}
		return charset.AppendUTF16(nil, s), nil
	case 1, 2:
		digits := s
		if style == 1 {
			if !strings.HasPrefix(s, "0x") && !strings.HasPrefix(s, "0X") {
				return nil, errConvertType(from, to)
			}
			digits = s[2:]
		}
		b, err := hex.DecodeString(digits)
		if err != nil {
			return nil, errConvertType(from, to)
		}
		return b, nil
	}
	return nil, message.MS(9809, style, from.Name(), to.Name())
}
