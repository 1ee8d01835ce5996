package builtin

import (
	"math"
	"math/big"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// numberType is the type in which the arithmetic functions work on an argument
// (the table of "ROUND", "POWER", "SIGN"): strings and bit count as float.
func numberType(name string, t datatype.Type) (datatype.Type, error) {
	switch {
	case t.ID == datatype.BigInt, t.ID == datatype.Decimal:
		return t, nil
	case t.IsInteger():
		return tInt, nil
	case t.IsMoney():
		return datatype.Of(datatype.Money), nil
	case t.IsApproximate(), t.IsCharacter(), t.ID == datatype.Bit:
		return tFloat, nil
	case t.ID == datatype.Untyped:
		return tInt, nil
	}
	return datatype.Type{}, datatype.ErrArgument(t, 1, name)
}

// number creates a function of one number. decimal returns the result type for a decimal argument.
func number(name string, decimal func(datatype.Type) datatype.Type, fn func(v value.Value, t datatype.Type) (value.Value, error)) Func {
	return Func{
		Name: name, MinArgs: 1, MaxArgs: 1, NullIn: true,
		Result: func(args []datatype.Type) (datatype.Type, error) {
			t, err := numberType(name, args[0])
			if t.ID == datatype.Decimal {
				t = decimal(t)
			}
			return t, err
		},
		Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
			t, err := numberType(name, types[0])
			if err != nil {
				return null, err
			}
			v, err := to(args[0], types[0], t)
			if err != nil {
				return null, err
			}
			return fn(v, t)
		},
	}
}

func same(t datatype.Type) datatype.Type { return t }

func mathFuncs() []Func {
	whole := func(t datatype.Type) datatype.Type { return datatype.DecimalOf(t.Prec, 0) }
	return []Func{
		number("abs", same, abs),
		number("ceiling", whole, func(v value.Value, t datatype.Type) (value.Value, error) { return toWhole(v, t, true) }),
		number("floor", whole, func(v value.Value, t datatype.Type) (value.Value, error) { return toWhole(v, t, false) }),
		{
			Name: "round", MinArgs: 2, MaxArgs: 3, NullIn: true,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				if err := check(args[1:], tInt); err != nil {
					return datatype.Type{}, err
				}
				return numberType("round", args[0])
			},
			Eval: round,
		},
		{
			Name: "power", MinArgs: 2, MaxArgs: 2, NullIn: true,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				t, err := numberType("power", args[0])
				if t.ID == datatype.Decimal {
					t.Prec = 38
				}
				return t, err
			},
			Eval: power,
		},
	}
}

func abs(v value.Value, t datatype.Type) (value.Value, error) {
	switch {
	case t.IsInteger():
		if v.N >= 0 {
			return v, nil
		}
	case t.IsApproximate():
		return value.NewFloat(math.Abs(v.Float64())), nil
	case v.Mantissa().Sign() >= 0:
		return v, nil
	}
	_, negate, err := datatype.Negate(t)
	if err != nil {
		return null, err
	}
	return negate(v)
}

// toWhole is CEILING (up) and FLOOR.
func toWhole(v value.Value, t datatype.Type, up bool) (value.Value, error) {
	switch {
	case t.IsInteger():
		return v, nil
	case t.IsApproximate():
		if up {
			return value.NewFloat(math.Ceil(v.Float64())), nil
		}
		return value.NewFloat(math.Floor(v.Float64())), nil
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(v.Scale)), nil)
	q, m := new(big.Int).DivMod(v.Mantissa(), unit, new(big.Int)) // floored
	if up && m.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	w := value.NewBigDecimal(q, 0)
	if t.IsMoney() {
		return to(w, datatype.DecimalOf(38, 0), t)
	}
	return w, nil
}

// round is ROUND(number, length [, function]): a function other than 0 truncates.
func round(args []value.Value, types []datatype.Type) (value.Value, error) {
	t, err := numberType("round", types[0])
	if err != nil {
		return null, err
	}
	v, err := to(args[0], types[0], t)
	if err != nil {
		return null, err
	}
	length, err := toInt(args[1], types[1])
	if err != nil {
		return null, err
	}
	cut := 0
	if len(args) == 3 {
		if cut, err = toInt(args[2], types[2]); err != nil {
			return null, err
		}
	}
	switch {
	case t.IsApproximate():
		p := math.Pow(10, float64(length))
		f := v.Float64()
		if cut != 0 {
			f = math.Trunc(f*p) / p
		} else {
			f = math.Round(f*p) / p
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return v, nil
		}
		return value.NewFloat(f), nil
	case t.IsInteger():
		m := roundMantissa(big.NewInt(v.N), -length, cut != 0)
		return to(value.NewBigDecimal(m, 0), datatype.DecimalOf(38, 0), t)
	}
	m := roundMantissa(v.Mantissa(), int(v.Scale)-length, cut != 0)
	r := value.NewBigDecimal(m, v.Scale)
	if t.ID == datatype.Decimal && len(new(big.Int).Abs(m).String()) > int(t.Prec) {
		return null, datatype.ErrOverflow(t)
	}
	return r, nil
}

// roundMantissa makes the last n digits zero, rounding half away from zero or truncating.
func roundMantissa(m *big.Int, n int, cut bool) *big.Int {
	if n <= 0 {
		return m
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(min(n, 60))), nil)
	q, r := new(big.Int).QuoRem(m, unit, new(big.Int))
	if !cut && r.Abs(r).Lsh(r, 1).Cmp(unit) >= 0 {
		q.Add(q, big.NewInt(int64(m.Sign())))
	}
	return q.Mul(q, unit)
}

func power(args []value.Value, types []datatype.Type) (value.Value, error) {
	t, err := numberType("power", types[0])
	if err != nil {
		return null, err
	}
	if t.ID == datatype.Decimal {
		t.Prec = 38
	}
	x, err := to(args[0], types[0], tFloat)
	if err != nil {
		return null, err
	}
	y, err := to(args[1], types[1], tFloat)
	if err != nil {
		return null, err
	}
	f := math.Pow(x.Float64(), y.Float64())
	if math.IsNaN(f) || x.Float64() == 0 && y.Float64() < 0 {
		return null, message.MS(3623)
	}
	if math.IsInf(f, 0) {
		return null, datatype.ErrOverflow(t)
	}
	return to(value.NewFloat(f), tFloat, t)
}
