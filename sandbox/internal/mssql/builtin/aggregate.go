package builtin

import (
	"math"
	"math/big"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/function"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Accumulator computes one aggregate over one group.
type Accumulator = function.Accumulator

// Aggregate is an aggregate function. Result fails with 8117 for a type that it does not accept.
type Aggregate = function.Aggregate[datatype.Type, func(arg datatype.Type) Accumulator]

// LookupAggregate returns the aggregate of that name; case does not matter.
func LookupAggregate(name string) (*Aggregate, bool) {
	a, ok := aggregates[strings.ToLower(name)]
	return a, ok
}

var aggregates = func() map[string]*Aggregate {
	count := func(t datatype.Type) func(datatype.Type) (datatype.Type, error) {
		return func(arg datatype.Type) (datatype.Type, error) {
			if arg.ID == datatype.Untyped {
				return datatype.Type{}, datatype.ErrOperand(arg, "count")
			}
			return t, nil
		}
	}
	m := make(map[string]*Aggregate)
	for _, a := range []Aggregate{
		{Name: "count", Result: count(tInt), New: func(datatype.Type) Accumulator { return &counter{limit: math.MaxInt32} }},
		{Name: "count_big", Result: count(tBigInt), New: func(datatype.Type) Accumulator { return &counter{limit: math.MaxInt64} }},
		{Name: "sum", Result: sumType("sum"), New: func(t datatype.Type) Accumulator { return newSum(t, false) }},
		{Name: "avg", Result: sumType("avg"), New: func(t datatype.Type) Accumulator { return newSum(t, true) }},
		{Name: "min", Result: extremeType("min"), New: func(t datatype.Type) Accumulator { return &extreme{t: t, want: -1} }},
		{Name: "max", Result: extremeType("max"), New: func(t datatype.Type) Accumulator { return &extreme{t: t, want: 1} }},
	} {
		m[a.Name] = &a
	}
	return m
}()

type counter struct{ n, limit int64 }

func (c *counter) Add(v value.Value) error {
	if !v.IsNull() {
		c.n++
	}
	return nil
}

func (c *counter) Result() (value.Value, error) {
	if c.n > c.limit {
		return null, datatype.ErrOverflow(tInt)
	}
	return value.NewInt(c.n), nil
}

// sumType is the result type of SUM and AVG.
func sumType(name string) func(datatype.Type) (datatype.Type, error) {
	return func(t datatype.Type) (datatype.Type, error) {
		switch {
		case t.ID == datatype.BigInt:
			return t, nil
		case t.IsInteger():
			return tInt, nil
		case t.ID == datatype.Money:
			return datatype.Of(datatype.Money), nil
		case t.IsApproximate():
			return tFloat, nil
		case t.ID == datatype.Decimal && name == "avg":
			return datatype.DecimalOf(38, max(t.Scale, 6)), nil
		case t.ID == datatype.Decimal:
			return datatype.DecimalOf(38, t.Scale), nil
		}
		return datatype.Type{}, datatype.ErrOperand(t, name)
	}
}

// sum is SUM and AVG: it adds in the result's type, or for AVG wider, and divides at the end.
type sum struct {
	arg, result datatype.Type
	mean        bool
	n           int64
	whole       big.Int // integers, and mantissas of decimals
	float       float64
}

func newSum(t datatype.Type, mean bool) *sum {
	name := "sum"
	if mean {
		name = "avg"
	}
	result, _ := sumType(name)(t)
	return &sum{arg: t, result: result, mean: mean}
}

func (s *sum) Add(v value.Value) error {
	if v.IsNull() {
		return nil
	}
	s.n++
	switch {
	case s.result.IsApproximate():
		s.float += v.Float64()
	case v.Kind == value.Int:
		s.whole.Add(&s.whole, big.NewInt(v.N))
	default:
		s.whole.Add(&s.whole, v.Mantissa())
	}
	return nil
}

func (s *sum) Result() (value.Value, error) {
	if s.n == 0 {
		return null, nil
	}
	total := new(big.Int).Set(&s.whole)
	switch {
	case s.result.IsApproximate():
		f := s.float
		if s.mean {
			f /= float64(s.n)
		}
		if math.IsInf(f, 0) {
			return null, datatype.ErrOverflow(s.result)
		}
		return value.NewFloat(f), nil
	case s.result.IsInteger():
		// AVG also fails if the sum overflows the type.
		if !total.IsInt64() || s.result.ID == datatype.Int && total.Int64() != int64(int32(total.Int64())) {
			return null, datatype.ErrOverflow(s.result)
		}
		if s.mean {
			total.Quo(total, big.NewInt(s.n))
		}
		return value.NewInt(total.Int64()), nil
	}
	scale := s.arg.CatalogScale()
	if s.mean {
		for ; scale < s.result.CatalogScale(); scale++ {
			total.Mul(total, big.NewInt(10))
		}
		total.Quo(total, big.NewInt(s.n))
	}
	return to(value.NewBigDecimal(total, scale), datatype.DecimalOf(38, scale), s.result)
}

// extremeType is the result type of MIN and MAX: the argument's.
func extremeType(name string) func(datatype.Type) (datatype.Type, error) {
	return func(t datatype.Type) (datatype.Type, error) {
		if !t.IsComparable() || t.ID == datatype.Bit || t.ID == datatype.Untyped {
			return datatype.Type{}, datatype.ErrOperand(t, name)
		}
		return t, nil
	}
}

type extreme struct {
	t    datatype.Type
	want int // the sign of the comparison with the best so far
	best value.Value
}

func (e *extreme) Add(v value.Value) error {
	if !v.IsNull() && (e.best.IsNull() || datatype.Compare(v, e.best, e.t)*e.want > 0) {
		e.best = v
	}
	return nil
}

func (e *extreme) Result() (value.Value, error) { return e.best, nil }
