package builtin

import (
	"math"

	"github.com/cockroachdb/apd/v3"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// numbers is the result of a numeric function: the argument's binary type, or NUMBER.
func numbers(args []datatype.Type, _ bool) (datatype.Type, error) {
	t := tNumber
	for _, a := range args {
		if a.ID == datatype.BinaryDouble || a.ID == datatype.BinaryFloat && t.ID != datatype.BinaryDouble {
			t = a
		}
	}
	return t, check(args, tNumber)
}

// numeric makes a function of numbers with a form for NUMBERs and one for doubles.
func numeric(name string, minArgs, maxArgs int, fn func(c *call) (value.Value, error), double func(x, y float64) float64) Func {
	return Func{Name: name, MinArgs: minArgs, MaxArgs: maxArgs, NullIn: true, result: numbers, eval: func(c *call) value.Value {
		t, _ := numbers(c.types, false)
		if !t.IsBinaryFloat() {
			v, err := fn(c)
			if err != nil {
				return c.fail(err)
			}
			return v
		}
		if double == nil {
			return c.fail(sqlerr.NotSupported("%s of a binary floating-point number", name))
		}
		var y float64
		if len(c.args) > 1 {
			y = c.as(1, t).Float64()
		}
		f := double(c.as(0, t).Float64(), y)
		if t.ID == datatype.BinaryFloat {
			f = float64(float32(f))
		}
		return value.NewFloat(f)
	}}
}

func mathFuncs() []Func {
	return []Func{
		numeric("ABS", 1, 1, func(c *call) (value.Value, error) {
			v := c.number(0)
			if datatype.SignOf(v) < 0 {
				v = datatype.NegateNumber(v)
			}
			return v, nil
		}, func(x, _ float64) float64 { return math.Abs(x) }),
		{Name: "SIGN", MinArgs: 1, MaxArgs: 1, NullIn: true, result: fixed(tNumber, tNumber), eval: func(c *call) value.Value {
			if c.types[0].IsBinaryFloat() { // 1 for zero and NaN, too ("SIGN")
				if c.args[0].Float64() < 0 {
					return value.NewInt(-1)
				}
				return value.NewInt(1)
			}
			return value.NewInt(int64(datatype.SignOf(c.number(0))))
		}},
		numeric("FLOOR", 1, 1, func(c *call) (value.Value, error) { return datatype.FloorNumber(c.number(0)) },
			func(x, _ float64) float64 { return math.Floor(x) }),
		numeric("CEIL", 1, 1, func(c *call) (value.Value, error) {
			v, err := datatype.FloorNumber(datatype.NegateNumber(c.number(0)))
			return datatype.NegateNumber(v), err
		}, func(x, _ float64) float64 { return math.Ceil(x) }),
		numeric("MOD", 2, 2, func(c *call) (value.Value, error) { return remainder(c.number(0), c.number(1), datatype.TruncNumber) },
			func(x, y float64) float64 {
				if y == 0 {
					return x
				}
				return math.Mod(x, y)
			}),
		numeric("POWER", 2, 2, func(c *call) (value.Value, error) { return power(c.number(0), c.number(1)) }, math.Pow),
		numeric("SQRT", 1, 1, func(c *call) (value.Value, error) {
			return apply(c, datatype.SignOf(c.number(0)) < 0, func(k *apd.Context, d, x, _ *apd.Decimal) (apd.Condition, error) { return k.Sqrt(d, x) })
		}, func(x, _ float64) float64 { return math.Sqrt(x) }),
		numeric("EXP", 1, 1, func(c *call) (value.Value, error) {
			return apply(c, false, func(k *apd.Context, d, x, _ *apd.Decimal) (apd.Condition, error) { return k.Exp(d, x) })
		}, nil),
		numeric("LN", 1, 1, func(c *call) (value.Value, error) {
			return apply(c, datatype.SignOf(c.number(0)) <= 0, func(k *apd.Context, d, x, _ *apd.Decimal) (apd.Condition, error) { return k.Ln(d, x) })
		}, nil),
		{Name: "BITAND", MinArgs: 2, MaxArgs: 2, NullIn: true, result: fixed(tNumber, tNumber), eval: func(c *call) value.Value {
			return value.NewInt(c.whole(0, 0) & c.whole(1, 0))
		}},
	}
}

// remainder is n - d * quo(n / d); of a division by 0 it is n.
func remainder(n, d value.Value, quo func(value.Value, int) (value.Value, error)) (value.Value, error) {
	if datatype.SignOf(d) == 0 {
		return n, nil
	}
	if n.Kind == value.Int && d.Kind == value.Int && n.N >= 0 && d.N > 0 {
		if r := n.N % d.N; r*2 < d.N { // rounding does not matter
			return value.NewInt(r), nil
		}
	}
	q, err := datatype.DivNumbers(n, d)
	if err == nil {
		q, err = quo(q, 0)
	}
	if err == nil {
		q, err = datatype.MulNumbers(q, d)
	}
	if err != nil {
		return q, err
	}
	return datatype.SubNumbers(n, q)
}

func apply(c *call, outside bool, fn func(k *apd.Context, d, x, y *apd.Decimal) (apd.Condition, error)) (value.Value, error) {
	v := c.number(0)
	if c.err != nil {
		return v, c.err
	}
	if outside {
		return v, datatype.ErrRange(datatype.FormatNumber(v))
	}
	return datatype.Apply(fn, v, v)
}

func power(x, y value.Value) (value.Value, error) {
	if n, ok := datatype.Whole(y); ok && y.Kind == value.Int && n >= 0 && n < 1000 {
		r := value.NewInt(1) // exact as long as it fits
		var err error
		for range n {
			if r, err = datatype.MulNumbers(r, x); err != nil {
				return r, err
			}
		}
		return r, nil
	}
	switch s := datatype.SignOf(x); {
	case s == 0 && datatype.SignOf(y) < 0:
		return x, datatype.ErrRange("0")
	case s == 0:
		return x, nil
	case s < 0 && y.Kind != value.Int:
		return x, datatype.ErrRange(datatype.FormatNumber(x))
	}
	return datatype.Apply(func(c *apd.Context, d, x, y *apd.Decimal) (apd.Condition, error) { return c.Pow(d, x, y) }, x, y)
}
