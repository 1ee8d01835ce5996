package datatype

import (
	"errors"
	"fmt"

	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Mode says who asked for a conversion.
type Mode uint8

// The modes.
const (
	Implicit Mode = iota // assignment to a variable or parameter, operands
	Explicit             // CAST and CONVERT
)

// Convert turns v of type from into type to. Strings and binaries that are too long
// are truncated silently, as for variables and CAST; columns use Assign. style is the third
// argument of CONVERT, NoStyle without one. Errors are those of the two types (206, 257,
// 529) and those of the value (220, 241, 242, 245, 8114, 8115, …).
func Convert(v value.Value, from, to Type, style int, mode Mode) (value.Value, error) {
	if from == to {
		return v, nil
	}
	if mode == Explicit {
		if err := CheckExplicit(from, to); err != nil {
			return value.Value{}, err
		}
	} else if err := CheckImplicit(from, to); err != nil {
		return value.Value{}, err
	}
	return convert(v, from, to, style)
}

// TryConvert is Convert for TRY_CAST and TRY_CONVERT: a value that cannot be converted
// gives NULL; only a conversion that works for no value is an error (529).
func TryConvert(v value.Value, from, to Type, style int) (value.Value, error) {
	if err := CheckExplicit(from, to); err != nil {
		return value.Value{}, err
	}
	r, err := convert(v, from, to, style)
	if e, ok := errors.AsType[*sqlerr.Error](err); ok && e.Number != sqlerr.NotSupportedNumber && e.Number != 529 && e.Number != 281 {
		return value.Value{}, nil
	}
	return r, err
}

// Assign converts v for storing into a column. Truncation is error 2628, except for
// spaces at the end of a string. table is the three-part name that the message shows.
func Assign(v value.Value, from, to Type, column, table string) (value.Value, error) {
	if from == to {
		return v, nil
	}
	if err := CheckImplicit(from, to); err != nil {
		return value.Value{}, err
	}
	if v.IsNull() {
		return v, nil
	}
	var cut string
	switch {
	case to.IsMax():
	case to.IsCharacter() && from.IsCharacter():
		s := v.Str()
		n := charset.Len16(s)
		for n > int(to.Len) && strings.HasSuffix(s, " ") {
			s, n = s[:len(s)-1], n-1
		}
		if n > int(to.Len) {
			cut = charset.Sub16(s, 0, min(int(to.Len), 120))
			return value.Value{}, message.MS(2628, table, column, cut)
		}
	case to.IsBinary() && from.IsBinary() && len(v.Str()) > int(to.Len):
		return value.Value{}, message.MS(2628, table, column, "")
	}
	return convert(v, from, to, NoStyle)
}

// convert is Convert for a pair of types that is known to be allowed.
func convert(v value.Value, from, to Type, style int) (value.Value, error) {
	if v.IsNull() {
		return v, nil
	}
	if from.ID == SQLVariant && to.ID != SQLVariant {
		x := variantOf(v)
		return Convert(x.Value, x.Type, to, style, Explicit)
	}
	switch to.ID {
	case Untyped:
		return v, nil
	case Bit:
		return toBit(v, from, to)
	case TinyInt, SmallInt, Int, BigInt:
		return toInt(v, from, to)
	case Decimal:
		return toDecimal(v, from, to)
	case Money:
		return toMoney(v, from, to)
	case Float, Real:
		return toFloat(v, from, to)
	case Date, Time, DateTime, DateTime2, DateTimeOffset:
		return toDateTime(v, from, to, style)
	case Char, VarChar, NChar, NVarChar:
		return toString(v, from, to, style)
	case Binary, VarBinary:
		return toBinary(v, from, to, style)
	case UniqueIdentifier:
		return toGUID(v, from)
	case SQLVariant:
		if from.ID == SQLVariant {
			return v, nil
		}
		return NewVariant(v, from), nil
	}
	return value.Value{}, errExplicit(from, to)
}

func toGUID(v value.Value, from Type) (value.Value, error) {
	switch {
	case from.IsCharacter():
		g, ok := ParseGUID(v.Str())
		if !ok {
			return g, errGUIDString()
		}
		return g, nil
	case from.IsBinary():
		var g [16]byte
		copy(g[:], v.Str())
		return value.NewGUID(g), nil
	}
	return v, nil
}

// toString converts to a character type and fits the text into it.
func toString(v value.Value, from, to Type, style int) (value.Value, error) {
	if from.IsCharacter() && fitsAsIs(v, from, to) {
		return v, nil
	}
	s, err := textOf(v, from, to, style)
	if err != nil {
		return value.Value{}, err
	}
	if !to.IsUnicode() && from.ID != Char && from.ID != VarChar {
		s = ToCodePage(s)
	}
	if to.IsMax() {
		return value.NewString(s), nil
	}
	n := charset.Len16(s)
	switch {
	case n > int(to.Len):
		if s, err = tooLong(s, from, to); err != nil {
			return value.Value{}, err
		}
	case to.IsFixedLength():
		s += strings.Repeat(" ", int(to.Len)-n)
	}
	return value.NewString(s), nil
}

// fitsAsIs recognizes the strings that a conversion does not change.
func fitsAsIs(v value.Value, from, to Type) bool {
	if to.IsFixedLength() || from.IsUnicode() && !to.IsUnicode() {
		return false
	}
	return to.IsMax() || from.Len != Max && from.Len <= to.Len || v.N <= int64(to.Len)
}

// tooLong decides what becomes of text that does not fit: most is truncated, numbers become
// errors or an asterisk (learn.microsoft.com "CAST and CONVERT", truncating and rounding results).
func tooLong(s string, from, to Type) (string, error) {
	switch from.ID {
	case TinyInt, SmallInt, Int:
		if !to.IsUnicode() {
			return "", sqlerr.NotSupported("the asterisk of a number that %s does not hold", to)
		}
		return "", ErrOverflow(to)
	case Bit, BigInt, Float, Real:
		return "", ErrOverflow(to)
	case Decimal:
		return "", errOverflow("numeric", to, 5)
	case Money:
		return "", message.MS(234, to.Name()).At(16, 2)
	case UniqueIdentifier:
		if to.IsUnicode() {
			return "", ErrOverflow(to)
		}
		return "", message.MS(8170).At(16, 2)
	}
	return charset.Sub16(s, 0, int(to.Len)), nil
}

// textOf writes a value as text, before it is fitted into type to.
func textOf(v value.Value, from, to Type, style int) (string, error) {
	switch from.class() {
	case clsBit, clsInt:
		return formatInt(v.N), nil
	case clsExact:
		if from.ID == Money {
			return FormatMoney(v, style)
		}
		return FormatDecimal(v), nil
	case clsApprox:
		return FormatFloat(v.Float64(), style)
	case clsDateTime, clsDate, clsTime, clsDateTime2:
		return formatDateTime(v, from, to, style)
	case clsGUID:
		return FormatGUID(v), nil
	case clsBinary:
		return binaryText(v, to, style)
	default:
		return v.Str(), nil
	}
}

// binaryText reads bytes as characters (style 0) or shows them in hexadecimal (1 with 0x, 2 without).
func binaryText(v value.Value, to Type, style int) (string, error) {
	switch style {
	case NoStyle, 0:
		if !to.IsUnicode() {
			return charset.FromCodePage([]byte(v.Str())), nil
		}
		b := []byte(v.Str())
		return charset.FromUTF16(append(b, 0)), nil // half a character at the end is followed by a zero
	case 1, 2:
		s := fmt.Sprintf("%X", v.Str())
		if style == 1 {
			s = "0x" + s
		}
		if !to.IsMax() && len(s) > int(to.Len) { // whole bytes only
			s = s[:to.Len/2*2]
		}
		return s, nil
	}
	return "", message.MS(281, style, "varbinary")
}
