package plan

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/query"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
	"github.com/dbsched/dbsched/sandbox/value"
)

// aggregateFunc gives the result type of an aggregate and how to start one
// (learn.microsoft.com "Aggregate Functions (Transact-SQL)").
func aggregateFunc(name string, in datatype.Type) (datatype.Type, func() query.Acc) {
	lower := strings.ToLower(name)
	switch name {
	case "COUNT":
		return datatype.Of(datatype.Int), func() query.Acc { return &counter{limit: 1<<31 - 1} }
	case "COUNT_BIG":
		return datatype.Of(datatype.BigInt), func() query.Acc { return &counter{limit: 1<<63 - 1} }
	case "MIN", "MAX":
		if in.ID == datatype.Bit || !in.IsComparable() {
			panic(datatype.ErrOperand(in, lower))
		}
		sign := 1
		if name == "MIN" {
			sign = -1
		}
		return in, func() query.Acc { return &extreme{t: in, sign: sign} }
	case "SUM", "AVG":
		t := sumType(in, lower)
		_, add, err := datatype.BinaryOp(datatype.Add, t, t)
		check(err)
		start := func() *sum { return &sum{in: in, t: t, add: add} }
		if name == "SUM" {
			return t, func() query.Acc { return start() }
		}
		out := t
		if t.ID == datatype.Decimal {
			out.Scale = max(t.Scale, 6)
		}
		big := datatype.Of(datatype.BigInt)
		quotient, div, err := datatype.BinaryOp(datatype.Divide, t, big)
		check(err)
		return out, func() query.Acc { return &average{sum: start(), div: div, quotient: quotient, t: out} }
	}
	panic(sqlerr.NotSupported("aggregate %s", name))
}

func sumType(in datatype.Type, name string) datatype.Type {
	switch {
	case in.ID == datatype.TinyInt, in.ID == datatype.SmallInt, in.ID == datatype.Int:
		return datatype.Of(datatype.Int)
	case in.ID == datatype.BigInt:
		return in
	case in.ID == datatype.Decimal:
		return datatype.DecimalOf(38, in.Scale)
	case in.IsMoney():
		return datatype.Of(datatype.Money)
	case in.IsApproximate():
		return datatype.Of(datatype.Float)
	}
	panic(datatype.ErrOperand(in, name))
}

type counter struct{ n, limit int64 }

func (c *counter) Add(v value.Value) {
	if !v.IsNull() {
		c.n++
	}
}

func (c *counter) Result() value.Value {
	if c.n > c.limit {
		panic(datatype.ErrOverflow(datatype.Of(datatype.Int)))
	}
	return value.NewInt(c.n)
}

type extreme struct {
	t    datatype.Type
	sign int
	best value.Value
}

func (x *extreme) Add(v value.Value) {
	if !v.IsNull() && (x.best.IsNull() || datatype.Compare(v, x.best, x.t)*x.sign > 0) {
		x.best = v
	}
}

func (x *extreme) Result() value.Value { return x.best }

type sum struct {
	in, t datatype.Type
	add   datatype.BinaryFunc
	total value.Value
	n     int64
}

func (s *sum) Add(v value.Value) {
	if v.IsNull() {
		return
	}
	v = must(datatype.Convert(v, s.in, s.t, datatype.NoStyle, datatype.Implicit))
	if s.n++; s.n == 1 {
		s.total = v
		return
	}
	s.total = must(s.add(s.total, v))
}

func (s *sum) Result() value.Value { return s.total }

type average struct {
	*sum
	div      datatype.BinaryFunc
	quotient datatype.Type
	t        datatype.Type
}

func (a *average) Result() value.Value {
	if a.n == 0 {
		return value.Value{}
	}
	q := must(a.div(a.total, value.NewInt(a.n)))
	return must(datatype.Convert(q, a.quotient, a.t, datatype.NoStyle, datatype.Explicit))
}
