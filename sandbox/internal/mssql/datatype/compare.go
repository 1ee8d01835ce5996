package datatype

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/big"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Compare orders two values that are both of type t, collation included: negative,
// 0 or positive. NULL is lowest, equal to NULL (as in ORDER BY; predicates must handle NULL first).
// Trailing spaces of strings and trailing zeros of binaries do not count; decimals
// compare by value whatever their scales.
func Compare(a, b value.Value, t Type) int {
	switch {
	case a.IsNull() && b.IsNull():
		return 0
	case a.IsNull():
		return -1
	case b.IsNull():
		return 1
	}
	switch t.class() {
	case clsExact:
		return compareDecimal(a, b)
	case clsApprox:
		return cmp.Compare(a.Float64(), b.Float64())
	case clsANSI, clsUnicode:
		if a.Str() == b.Str() {
			return 0
		}
		return compareText(a.Str(), b.Str(), t)
	case clsBinary:
		return cmp.Compare(trimZeros(a.Str()), trimZeros(b.Str()))
	case clsGUID:
		return compareGUID(a.Str(), b.Str())
	default:
		return compareInt(a.N, b.N) // integers, dates (datetimeoffset is in UTC)
	}
}

func trimZeros(s string) string {
	for s != "" && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	return s
}

// guidOrder is the order in which SQL Server looks at the 16 bytes of a
// uniqueidentifier (learn.microsoft.com "Compare GUID and uniqueidentifier values").
var guidOrder = [16]byte{10, 11, 12, 13, 14, 15, 8, 9, 6, 7, 4, 5, 0, 1, 2, 3}

func compareGUID(a, b string) int {
	for _, i := range guidOrder {
		if a[i] != b[i] {
			return compareInt(int64(a[i]), int64(b[i]))
		}
	}
	return 0
}

// First bytes of a key.
const (
	keyNull  = 0
	keyValue = 1
)

// AppendKey appends the key of v, a value of type t. bytes.Compare of keys orders
// like Compare, equal values have equal keys, and no key is a prefix of another, so keys of
// several columns may be concatenated. desc reverses the order, NULL highest.
func AppendKey(dst []byte, v value.Value, t Type, desc bool) []byte {
	start := len(dst)
	if v.IsNull() {
		dst = append(dst, keyNull)
	} else {
		dst = appendKey(append(dst, keyValue), v, t)
	}
	if desc {
		for i := start; i < len(dst); i++ {
			dst[i] = ^dst[i]
		}
	}
	return dst
}

func appendKey(dst []byte, v value.Value, t Type) []byte {
	switch t.class() {
	case clsExact:
		return appendDecimalKey(dst, v)
	case clsApprox:
		return appendFloatKey(dst, v.Float64())
	case clsANSI, clsUnicode:
		return appendTextKey(dst, v.Str(), t)
	case clsBinary:
		return value.AppendBytesKey(dst, trimZeros(v.Str()))
	case clsGUID:
		s := v.Str()
		for _, i := range guidOrder {
			dst = append(dst, s[i])
		}
		return dst
	case clsVariant:
		panic(sqlerr.NotSupported("sorting and grouping by sql_variant"))
	default:
		return binary.BigEndian.AppendUint64(dst, uint64(v.N)^1<<63)
	}
}

func appendFloatKey(dst []byte, f float64) []byte {
	bits := math.Float64bits(f + 0) // -0 becomes 0
	if bits>>63 == 1 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(dst, bits)
}

// appendDecimalKey writes sign, magnitude and digits without trailing zeros, so that
// the scale does not matter.
func appendDecimalKey(dst []byte, v value.Value) []byte {
	var buf [48]byte
	var digits []byte
	sign := 1
	if v.IsBig() {
		m := v.Mantissa()
		sign = m.Sign()
		digits = new(big.Int).Abs(m).Append(buf[:0], 10)
	} else {
		m := uint64(v.N)
		switch {
		case v.N == 0:
			return append(dst, 0x80)
		case v.N < 0:
			sign, m = -1, -m
		}
		i := len(buf)
		for ; m > 0; m /= 10 {
			i--
			buf[i] = '0' + byte(m%10)
		}
		digits = buf[i:]
	}
	whole := len(digits) - int(v.Scale) // position of the point after the first digit
	for digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	start := len(dst)
	dst = append(dst, 0x81, byte(whole+128))
	for i := 0; i < len(digits); i += 2 {
		pair := (digits[i] - '0') * 10
		if i+1 < len(digits) {
			pair += digits[i+1] - '0'
		}
		dst = append(dst, pair+1)
	}
	dst = append(dst, 0)
	if sign < 0 {
		for i := start; i < len(dst); i++ {
			dst[i] = ^dst[i]
		}
	}
	return dst
}
