package datatype

import (
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

// toBinary converts to binary and varbinary. Strings and binaries keep their first bytes.
func toBinary(v value.Value, from, to Type, style int) (value.Value, error) {
	var b []byte
	switch from.class() {
	case clsANSI, clsUnicode:
		var err error
		if b, err = stringToBytes(v.Str(), from, to, style); err != nil {
			return v, err
		}
	case clsBinary, clsGUID:
		b = []byte(v.Str())
	default:
		return v, errUnmodeled(from, to)
	}
	switch size := int(to.Len); {
	case to.IsMax():
	case len(b) > size:
		b = b[:size]
	case to.ID == Binary:
		b = append(b, make([]byte, size-len(b))...)
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
