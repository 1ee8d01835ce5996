package datatype

import (
	"math"
	"math/big"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// BinaryFunc computes a op b. A NULL operand gives NULL.
type BinaryFunc func(a, b value.Value) (value.Value, error)

// BinaryOp prepares a op b for operands of these static types: the type of the
// result and the function that computes it. BinaryOp returns the errors of OpType; the
// function returns 8115, 8134 and the errors of converting an operand.
func BinaryOp(op Op, a, b Type) (Type, BinaryFunc, error) {
	t, err := OpType(op, a, b)
	if err != nil {
		return Type{}, nil, err
	}
	if t.ID == Money {
		return Type{}, nil, sqlerr.NotSupported("arithmetic with %s", t)
	}
	fn := kernel(op, t)
	ta, tb := operandType(a, b, t), operandType(b, a, t)
	ca, cb := needsConversion(a, ta), needsConversion(b, tb)
	return t, func(x, y value.Value) (value.Value, error) {
		if x.IsNull() || y.IsNull() {
			return value.Value{}, nil
		}
		var err error
		if ca {
			if x, err = convert(x, a, ta, NoStyle); err != nil {
				return value.Value{}, err
			}
		}
		if cb {
			if y, err = convert(y, b, tb, NoStyle); err != nil {
				return value.Value{}, err
			}
		}
		return fn(x, y)
	}, nil
}

// operandType is the type that an operand is converted to before the operator works on it.
func operandType(operand, other, result Type) Type {
	switch result.class() {
	case clsExact:
		if result.ID == Decimal {
			if !operand.class().number() { // a string with a decimal takes the decimal's type
				return asDecimal(other)
			}
			return asDecimal(operand)
		}
	case clsBinary:
		if operand.IsBinary() {
			return operand
		}
	}
	return result
}

// needsConversion reports whether a value changes on its way to the operand type.
func needsConversion(from, to Type) bool {
	if from == to || from.ID == Untyped {
		return false
	}
	f, t := from.class(), to.class()
	switch {
	case f == t && (f == clsInt || f == clsApprox || f == clsBinary || f == clsANSI || f == clsUnicode),
		f == clsBit && t == clsInt, f == clsANSI && t == clsUnicode:
		return false // same representation; overflow shows after the operation
	}
	return true
}

// kernel returns the operation on two converted operands.
func kernel(op Op, t Type) BinaryFunc {
	switch t.class() {
	case clsBit, clsInt:
		return func(a, b value.Value) (value.Value, error) { return intOp(op, a.N, b.N, t) }
	case clsApprox:
		return func(a, b value.Value) (value.Value, error) { return floatOp(op, a.Float64(), b.Float64(), t) }
	case clsExact:
		return func(a, b value.Value) (value.Value, error) { return decimalOp(op, a, b, t) }
	case clsDateTime: // days since 1900-01-01
		return func(a, b value.Value) (value.Value, error) {
			if op == Subtract {
				return fromNumber(a.N-(b.N-epoch1900), t)
			}
			return fromNumber(a.N+(b.N-epoch1900), t)
		}
	case clsBinary:
		return func(a, b value.Value) (value.Value, error) {
			s := a.Str() + b.Str()
			if !t.IsMax() {
				s = s[:min(len(s), int(t.Len))]
			}
			return value.NewBytes([]byte(s)), sqlerr.Fits(len(s))
		}
	default:
		return func(a, b value.Value) (value.Value, error) {
			return Concat(a.Str(), b.Str(), t), sqlerr.Fits(len(a.Str()) + len(b.Str()))
		}
	}
}

// Concat returns a followed by b as a value of a character type, cut off at its length.
func Concat(a, b string, t Type) value.Value {
	s := charset.Join(a, b)
	if !t.IsMax() && len(s) > int(t.Len) {
		s = charset.Sub16(s, 0, int(t.Len))
	}
	return value.NewString(s)
}

func intOp(op Op, a, b int64, t Type) (value.Value, error) {
	var r int64
	over := false
	switch op {
	case Add:
		r = a + b
		over = (a^r)&(b^r) < 0
	case Subtract:
		r = a - b
		over = (a^b)&(a^r) < 0
	case Multiply:
		r = a * b
		over = a != 0 && (r/a != b || a == -1 && b == math.MinInt64)
	case Divide, Modulo:
		if b == 0 {
			return value.Value{}, ErrDivideByZero()
		}
		switch {
		case op == Modulo:
			if b != -1 {
				r = a % b
			}
		case a == math.MinInt64 && b == -1:
			over = true
		default:
			r = a / b
		}
	case BitAnd:
		r = a & b
	case BitOr:
		r = a | b
	case BitXor:
		r = a ^ b
	}
	lo, hi := intRange(t.ID)
	if over || r < lo || r > hi {
		return value.Value{}, ErrOverflow(t)
	}
	return value.NewInt(r), nil
}

func floatOp(op Op, a, b float64, t Type) (value.Value, error) {
	var r float64
	switch op {
	case Add:
		r = a + b
	case Subtract:
		r = a - b
	case Multiply:
		r = a * b
	default:
		if b == 0 {
			return value.Value{}, ErrDivideByZero()
		}
		r = a / b
	}
	if t.ID == Real {
		r = float64(float32(r))
	}
	if math.IsInf(r, 0) || math.IsNaN(r) {
		return value.Value{}, ErrOverflow(t)
	}
	return value.NewFloat(r), nil
}

// decimalOp computes exactly and converts the result to t: sums and products are rounded,
// quotients are truncated.
func decimalOp(op Op, a, b value.Value, t Type) (value.Value, error) {
	var v value.Value
	switch op {
	case Add, Subtract:
		v = decimalSum(a, b, op == Subtract)
	case Multiply:
		v = decimalProduct(a, b)
	default:
		if !b.IsBig() && b.N == 0 {
			return value.Value{}, ErrDivideByZero()
		}
		if op == Modulo {
			scale := max(a.Scale, b.Scale)
			a, b = rescale(a, scale), rescale(b, scale)
			v = value.NewBigDecimal(new(big.Int).Rem(a.Mantissa(), b.Mantissa()), scale)
			break
		}
		// a/10^sa / (b/10^sb) at scale s is a*10^(s-sa+sb) / b
		m := new(big.Int).Set(a.Mantissa())
		shift := int(t.Scale) - int(a.Scale) + int(b.Scale)
		if shift >= 0 {
			m.Mul(m, bigPow10(shift)).Quo(m, b.Mantissa())
		} else {
			m.Quo(m, new(big.Int).Mul(b.Mantissa(), bigPow10(-shift)))
		}
		v = value.NewBigDecimal(m, t.Scale)
	}
	v = rescale(v, t.Scale)
	if !fitsPrecision(v, t.Prec) {
		return value.Value{}, ErrOverflow(t)
	}
	return v, nil
}

func decimalSum(a, b value.Value, subtract bool) value.Value {
	scale := max(a.Scale, b.Scale)
	a, b = rescale(a, scale), rescale(b, scale)
	if subtract {
		b = negateDecimal(b)
	}
	if !a.IsBig() && !b.IsBig() {
		if r := a.N + b.N; (a.N^r)&(b.N^r) >= 0 {
			return value.NewDecimal(r, scale)
		}
	}
	return value.NewBigDecimal(new(big.Int).Add(a.Mantissa(), b.Mantissa()), scale)
}

func decimalProduct(a, b value.Value) value.Value {
	if !a.IsBig() && !b.IsBig() {
		r := a.N * b.N
		if a.N == 0 || r/a.N == b.N && (a.N != -1 || b.N != math.MinInt64) {
			return value.NewDecimal(r, a.Scale+b.Scale)
		}
	}
	return value.NewBigDecimal(new(big.Int).Mul(a.Mantissa(), b.Mantissa()), a.Scale+b.Scale)
}

// Negate prepares unary minus. Strings, dates and the like raise 8117; tinyint becomes smallint.
func Negate(t Type) (Type, func(value.Value) (value.Value, error), error) {
	result := t
	switch {
	case t.ID == Untyped:
		result = Of(Int)
	case t.ID == TinyInt:
		result = Of(SmallInt)
	case t.ID == Money:
		return Type{}, nil, sqlerr.NotSupported("arithmetic with %s", t)
	case !t.class().arith():
		return Type{}, nil, ErrOperand(t, "minus")
	}
	return result, func(v value.Value) (value.Value, error) {
		switch {
		case v.IsNull():
			return v, nil
		case t.ID == Decimal:
			return negateDecimal(v), nil
		case t.IsApproximate():
			return value.NewFloat(0 - v.Float64()), nil
		}
		return intOp(Subtract, 0, v.N, result)
	}, nil
}
