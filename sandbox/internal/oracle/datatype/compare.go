package datatype

import (
	"cmp"
	"encoding/binary"
	"math"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// CompareType returns the type to which both operands of a comparison are converted
// ("Data Conversion", "Data Type Comparison Rules"), or ORA-00932. Text against a number
// is compared as a number, against a datetime as that datetime. Two CHARs are compared padded with
// blanks, for which the result is CHAR. SQL does not compare LOBs.
func CompareType(a, b Type, plsql bool) (Type, error) {
	switch {
	case !plsql && (a.IsLOB() || b.IsLOB()):
		lob := a
		if !a.IsLOB() {
			lob = b
		}
		return a, ErrInconsistent("-", lob)
	case a.ID == Untyped:
		return b, nil
	case b.ID == Untyped:
		return a, nil
	case a.IsFixed() && b.IsFixed():
		return Type{ID: Char}, nil
	case a.IsText() && b.IsText():
		return Of(Varchar2), nil
	case a.IsNumeric() && b.IsNumeric():
		return widest(a, b), nil
	case a.isChars() && b.isChars():
		return Of(CLOB), nil
	case a.IsDatetime() && b.IsDatetime():
		return widestDatetime(a, b), nil
	case a.ID == b.ID:
		return a, nil
	case a.IsText() && CheckImplicit(a, b) == nil:
		return facetless(b), nil
	case b.IsText() && CheckImplicit(b, a) == nil:
		return facetless(a), nil
	}
	return a, ErrInconsistent(a.messageName(), b)
}

// facetless keeps only what matters to a conversion.
func facetless(t Type) Type {
	if t.ID == PLSInteger {
		return Of(Number)
	}
	return Of(t.ID)
}

func widest(a, b Type) Type {
	switch {
	case a.ID == BinaryDouble || b.ID == BinaryDouble:
		return Of(BinaryDouble)
	case a.ID == BinaryFloat || b.ID == BinaryFloat:
		return Of(BinaryFloat)
	case a.ID == PLSInteger && b.ID == PLSInteger:
		return a
	}
	return Of(Number)
}

func widestDatetime(a, b Type) Type {
	if b.ID > a.ID {
		a, b = b, a
	}
	a.Scale = max(a.Scale, b.Scale)
	return a
}

// Common returns the type of an expression that is one of several (CASE, COALESCE,
// UNION): all must be of one family, else ORA-00932.
func Common(types ...Type) (Type, error) {
	var t Type
	for _, x := range types {
		switch {
		case x.ID == Untyped || x == t:
		case t.ID == Untyped:
			t = x
		case t.IsText() && x.IsText():
			id := Varchar2
			if t.IsNational() || x.IsNational() {
				id = NVarchar2
			}
			n := max(t.Len, x.Len)
			if t.Len == 0 || x.Len == 0 {
				n = 0
			}
			if t.IsFixed() && x.IsFixed() && t.ID == x.ID && t.Len == x.Len {
				id = t.ID
			}
			t = Type{ID: id, Len: n, Chars: t.Chars || x.Chars}
		case t.IsNumeric() && x.IsNumeric():
			t = widest(t, x)
		case t.IsDatetime() && x.IsDatetime():
			t = widestDatetime(t, x)
		case t.isChars() && x.isChars():
			t = Of(CLOB)
		case t.ID == x.ID && t.IsInterval():
			t.Prec, t.Scale = max(t.Prec, x.Prec), max(t.Scale, x.Scale)
		case t.ID == x.ID:
			t.Len = max(t.Len, x.Len)
		default:
			return t, ErrInconsistent(t.messageName(), x)
		}
	}
	return t, nil
}

// Compare compares two values that are not NULL and both of type t. CHAR compares padded
// with blanks, all other text byte by byte; NaN is greatest and equals itself.
func Compare(a, b value.Value, t Type) int {
	switch {
	case t.CI:
		t.CI = false
		return Compare(LowerCase(a), LowerCase(b), t)
	case t.IsFixed():
		return comparePadded(a.Str(), b.Str())
	case t.isChars() || t.ID == Raw || t.ID == BLOB || t.ID == Rowid:
		return strings.Compare(a.Str(), b.Str())
	case t.IsBinaryFloat():
		return compareFloat(a.Float64(), b.Float64())
	case t.IsNumeric():
		return CompareNumbers(a, b)
	}
	return cmp.Compare(a.N, b.N)
}

func comparePadded(a, b string) int {
	n := min(len(a), len(b))
	if c := strings.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	sign, rest := 1, a[n:]
	if len(b) > n {
		sign, rest = -1, b[n:]
	}
	for i := range len(rest) {
		if rest[i] != ' ' {
			return sign * cmp.Compare(rest[i], ' ')
		}
	}
	return 0
}

func compareFloat(a, b float64) int {
	switch na, nb := math.IsNaN(a), math.IsNaN(b); {
	case na && nb:
		return 0
	case na:
		return 1
	case nb:
		return -1
	}
	return cmp.Compare(a, b)
}

// LowerCase returns the form of a non-NULL text that the collation BINARY_CI compares.
func LowerCase(v value.Value) value.Value { return value.NewString(strings.ToLower(v.Str())) }

// Caseless reports whether the collation BINARY_CI finds a text exactly where a byte-by-byte search does.
func Caseless(v value.Value) bool {
	return v.IsNull() || strings.ToLower(v.Str()) == strings.ToUpper(v.Str())
}

// AppendKey appends the key of a value of type t. bytes.Compare of keys orders like
// [Compare], equal values have equal keys and no key is the start of another, so that
// keys may be concatenated. desc reverses the order of values; nullsFirst alone says where
// NULL goes (Oracle's default is last, and first under DESC).
func AppendKey(dst []byte, v value.Value, t Type, desc, nullsFirst bool) []byte {
	if v.IsNull() {
		if nullsFirst {
			return append(dst, 0)
		}
		return append(dst, 2)
	}
	dst = append(dst, 1)
	start := len(dst)
	dst = appendKey(dst, v, t)
	if desc {
		for i := start; i < len(dst); i++ {
			dst[i] = ^dst[i]
		}
	}
	return dst
}

func appendKey(dst []byte, v value.Value, t Type) []byte {
	switch {
	case t.CI:
		t.CI = false
		return appendKey(dst, LowerCase(v), t)
	case t.IsFixed():
		return appendPaddedKey(dst, v.Str())
	case t.isChars() || t.ID == Raw || t.ID == BLOB || t.ID == Rowid:
		return value.AppendBytesKey(dst, v.Str())
	case t.IsBinaryFloat():
		f := v.Float64()
		bits := math.Float64bits(f + 0)
		switch {
		case math.IsNaN(f):
			bits = math.MaxUint64
		case bits>>63 == 1:
			bits = ^bits
		default:
			bits |= 1 << 63
		}
		return binary.BigEndian.AppendUint64(dst, bits)
	case t.IsNumeric():
		return appendNumberKey(dst, v)
	}
	return binary.BigEndian.AppendUint64(dst, uint64(v.N)^1<<63)
}

// appendPaddedKey writes text as if it continued with blanks forever. Each run of blanks
// becomes a blank, whether what follows is smaller or larger than one (1 or 3), and the
// number of blanks left; the end of the text sorts between the two.
func appendPaddedKey(dst []byte, s string) []byte {
	s = strings.TrimRight(s, " ")
	for i := 0; i < len(s); {
		if s[i] != ' ' {
			dst = append(dst, s[i]) // bytes below a blank sort before the run's mark too
			i++
			continue
		}
		run := i
		for s[run] == ' ' { // ends: the last byte is not a blank
			run++
		}
		n := uint32(run - i)
		if s[run] < ' ' { // the earlier it comes, the smaller
			dst = binary.BigEndian.AppendUint32(append(dst, ' ', 1), n)
		} else { // the earlier it comes, the larger
			dst = binary.BigEndian.AppendUint32(append(dst, ' ', 3), ^n)
		}
		i = run
	}
	return append(dst, ' ', 2)
}

// appendNumberKey writes sign, magnitude and digits without zeros at the end.
func appendNumberKey(dst []byte, v value.Value) []byte {
	if SignOf(v) == 0 {
		return append(dst, 0x80)
	}
	sign, digits, whole := significant(v)
	start := len(dst)
	dst = append(dst, 0x81, byte(whole>>8)+0x80, byte(whole))
	for i := 0; i < len(digits); i += 2 {
		pair := (digits[i] - '0') * 10
		if i+1 < len(digits) {
			pair += digits[i+1] - '0'
		}
		dst = append(dst, pair+1)
	}
	dst = append(dst, 0)
	if sign != "" {
		for i := start; i < len(dst); i++ {
			dst[i] = ^dst[i]
		}
	}
	return dst
}
