// Package value is the one representation of a scalar in the sandbox: 24 bytes,
// no allocation for NULL, integers, times and small decimals. It knows nothing about
// SQL types: what a Time means, how strings compare or what ” is belongs to the
// type layer of a dialect.
package value

import (
	"fmt"
	"math"
	"math/big"
	"time"
	"unsafe"
)

// Kind says how to read the bits of a Value.
type Kind uint8

// The kinds of values. NULL is a kind, so that the zero Value is NULL.
const (
	Null    Kind = iota
	Bool         // N is 0 or 1; results of predicates, never stored
	Int          // N
	Decimal      // mantissa N (or a *big.Int when it does not fit), scale Scale
	Float        // math.Float64bits in N
	String       // text as UTF-8; lone surrogates as three-byte WTF-8
	Bytes        // raw bytes
	Time         // N: 100 ns ticks since 0001-01-01; Aux: offset in minutes where the type has one
	Span         // N: 100 ns ticks, signed (SQL Server time of day, Oracle interval)
	GUID         // 16 raw bytes in SQL Server's wire order
	Ref          // any Go value (typed variant, cursor, rowset, LOB locator)
)

// Value is a scalar. The zero Value is NULL. Values are immutable.
type Value struct {
	Kind  Kind
	Scale uint8 // for a Decimal
	Aux   int16 // for a Time: zone offset in minutes
	N     int64 // number, or the length of a String, Bytes or GUID
	p     unsafe.Pointer
}

// Row is a tuple. A Row that was stored is never changed in place.
type Row []Value

// NewInt returns an integer.
func NewInt(n int64) Value { return Value{Kind: Int, N: n} }

// NewBool returns a truth value; the unknown truth value is NULL.
func NewBool(b bool) Value {
	if b {
		return Value{Kind: Bool, N: 1}
	}
	return Value{Kind: Bool}
}

// NewFloat returns a double.
func NewFloat(f float64) Value { return Value{Kind: Float, N: int64(math.Float64bits(f))} }

// NewDecimal returns mantissa * 10^-scale.
func NewDecimal(mantissa int64, scale uint8) Value {
	return Value{Kind: Decimal, Scale: scale, N: mantissa}
}

// NewBigDecimal returns mantissa * 10^-scale, in the short form if it fits.
// The mantissa must not be changed afterwards.
func NewBigDecimal(mantissa *big.Int, scale uint8) Value {
	if mantissa.IsInt64() {
		return NewDecimal(mantissa.Int64(), scale)
	}
	return Value{Kind: Decimal, Scale: scale, p: unsafe.Pointer(mantissa)}
}

// NewString returns text.
func NewString(s string) Value {
	return Value{Kind: String, N: int64(len(s)), p: unsafe.Pointer(unsafe.StringData(s))}
}

// NewBytes returns raw bytes; b is copied.
func NewBytes(b []byte) Value {
	s := string(b)
	return Value{Kind: Bytes, N: int64(len(s)), p: unsafe.Pointer(unsafe.StringData(s))}
}

// NewGUID returns a uniqueidentifier from its 16 bytes as they are on the wire.
func NewGUID(g [16]byte) Value {
	v := NewBytes(g[:])
	v.Kind = GUID
	return v
}

// NewTime returns an instant or a local date and time, as ticks of 100 ns since 0001-01-01.
func NewTime(ticks int64, offsetMinutes int16) Value {
	return Value{Kind: Time, N: ticks, Aux: offsetMinutes}
}

// In returns a Time in a region; Aux is the offset there.
func (v Value) In(region *time.Location) Value {
	v.p = unsafe.Pointer(region)
	return v
}

// Region returns the region of a Time, or nil.
func (v Value) Region() *time.Location { return (*time.Location)(v.p) }

// NewSpan returns a signed duration in ticks of 100 ns.
func NewSpan(ticks int64) Value { return Value{Kind: Span, N: ticks} }

// NewRef wraps any Go value.
func NewRef(v any) Value { return Value{Kind: Ref, p: unsafe.Pointer(&v)} }

// IsNull reports whether v is NULL.
func (v Value) IsNull() bool { return v.Kind == Null }

// IsTrue reports whether v is the truth value true (not false, not unknown).
func (v Value) IsTrue() bool { return v.Kind == Bool && v.N != 0 }

// Int64 returns the integer of an Int or Bool.
func (v Value) Int64() int64 { return v.N }

// Float64 returns the number of a Float.
func (v Value) Float64() float64 { return math.Float64frombits(uint64(v.N)) }

// Str returns the text of a String, or the raw bytes of a Bytes or GUID as a string.
func (v Value) Str() string {
	if v.N == 0 || v.p == nil {
		return ""
	}
	return unsafe.String((*byte)(v.p), v.N)
}

// GUIDBytes returns the 16 bytes of a GUID.
func (v Value) GUIDBytes() (g [16]byte) {
	copy(g[:], v.Str())
	return g
}

// Mantissa returns the unscaled number of a Decimal; the result must not be changed.
func (v Value) Mantissa() *big.Int {
	if v.p != nil {
		return (*big.Int)(v.p)
	}
	return big.NewInt(v.N)
}

// IsBig reports whether a Decimal's mantissa does not fit an int64.
func (v Value) IsBig() bool { return v.Kind == Decimal && v.p != nil }

// Any returns what NewRef wrapped.
func (v Value) Any() any {
	if v.Kind != Ref {
		return nil
	}
	return *(*any)(v.p)
}

// GoString shows a value for tests and traces; it is not how SQL formats it.
func (v Value) GoString() string {
	switch v.Kind {
	case Null:
		return "NULL"
	case Bool:
		return fmt.Sprintf("%t", v.N != 0)
	case Int:
		return fmt.Sprintf("%d", v.N)
	case Decimal:
		return fmt.Sprintf("%se-%d", v.Mantissa(), v.Scale)
	case Float:
		return fmt.Sprintf("%g", v.Float64())
	case String:
		return fmt.Sprintf("%q", v.Str())
	case Bytes, GUID:
		return fmt.Sprintf("0x%x", v.Str())
	case Time, Span:
		return fmt.Sprintf("ticks(%d,%d)", v.N, v.Aux)
	default:
		return fmt.Sprintf("ref(%v)", v.Any())
	}
}

// String is GoString: tests print rows readably.
func (v Value) String() string { return v.GoString() }
