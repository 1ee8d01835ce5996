package builtin

import (
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// numbers is the result of a numeric function; those of binary floating-point numbers are refused.
func numbers(args []datatype.Type, _ bool) (datatype.Type, error) {
	for _, a := range args {
		if a.IsBinaryFloat() {
			return a, sqlerr.NotSupported("functions of binary floating-point numbers")
		}
	}
	return tNumber, check(args, tNumber)
}

func numeric(name string, minArgs, maxArgs int, fn func(c *call) (value.Value, error)) Func {
	return Func{Name: name, MinArgs: minArgs, MaxArgs: maxArgs, NullIn: true, Result: numbers, Eval: func(c *call) value.Value {
		v, err := fn(c)
		if err != nil {
			return c.fail(err)
		}
		return v
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
		}),
		{Name: "SIGN", MinArgs: 1, MaxArgs: 1, NullIn: true, Result: fixed(tNumber, tNumber), Eval: func(c *call) value.Value {
			return value.NewInt(int64(datatype.SignOf(c.number(0))))
		}},
		numeric("FLOOR", 1, 1, func(c *call) (value.Value, error) { return datatype.FloorNumber(c.number(0)) }),
		numeric("CEIL", 1, 1, func(c *call) (value.Value, error) {
			v, err := datatype.FloorNumber(datatype.NegateNumber(c.number(0)))
			return datatype.NegateNumber(v), err
		}),
		numeric("MOD", 2, 2, func(c *call) (value.Value, error) { return remainder(c.number(0), c.number(1)) }),
		numeric("BITAND", 2, 2, func(c *call) (value.Value, error) { return value.NewInt(c.whole(0, 0) & c.whole(1, 0)), nil }),
		numeric("POWER", 2, 2, func(c *call) (value.Value, error) { return power(c.number(0), c.number(1)) }),
	}
}

// remainder is n - d * quo(n / d); for a division by 0 it is n.
func remainder(n, d value.Value) (value.Value, error) {
	if datatype.SignOf(d) == 0 {
		return n, nil
	}
	if n.Kind == value.Int && d.Kind == value.Int && n.N >= 0 && d.N > 0 {
		return value.NewInt(n.N % d.N), nil
	}
	q, err := datatype.DivNumbers(n, d)
	if err == nil {
		q, err = datatype.TruncNumber(q, 0)
	}
	if err == nil {
		q, err = datatype.MulNumbers(q, d)
	}
	if err != nil {
		return q, err
	}
	return datatype.SubNumbers(n, q)
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
	return x, sqlerr.NotSupported("POWER with an exponent that is no whole number below 1000")
}
