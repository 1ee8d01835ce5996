package builtin

import (
	"math"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func mathFuncs() []Func {
	return []Func{{
		Name: "power", MinArgs: 2, MaxArgs: 2, NullIn: true,
		Result: func(args []datatype.Type) (datatype.Type, error) {
			switch t := args[0]; {
			case t.ID == datatype.BigInt, t.ID == datatype.Float:
				return t, nil
			case t.IsInteger():
				return tInt, nil
			}
			return datatype.Type{}, sqlerr.NotSupported("POWER of a %s", args[0])
		},
		Eval: power,
	}}
}

func power(args []value.Value, types []datatype.Type) (value.Value, error) {
	t := types[0]
	if t.IsInteger() && t.ID != datatype.BigInt {
		t = tInt
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
