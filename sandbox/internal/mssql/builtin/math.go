package builtin

import (
	"math"

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
	case t.ID == datatype.Money:
		return datatype.Of(datatype.Money), nil
	case t.IsApproximate(), t.IsCharacter(), t.ID == datatype.Bit:
		return tFloat, nil
	case t.ID == datatype.Untyped:
		return tInt, nil
	}
	return datatype.Type{}, datatype.ErrArgument(t, 1, name)
}

func mathFuncs() []Func {
	return []Func{
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
