package builtin

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/function"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Accumulator computes one aggregate over one group.
type Accumulator = function.Accumulator

// Aggregate is an aggregate function. Result fails with ORA-00932 for a type that it does not accept.
type Aggregate = function.Aggregate[datatype.Type, func(arg datatype.Type, separator string, env *datatype.Env) Accumulator]

// LookupAggregate returns the aggregate of that name; case does not matter.
func LookupAggregate(name string) (*Aggregate, bool) {
	name = strings.ToUpper(name)
	for i := range aggregates {
		if aggregates[i].Name == name {
			return &aggregates[i], true
		}
	}
	return nil, false
}

// aggregates never changes.
var aggregates = []Aggregate{
	{Name: "COUNT",
		Result: func(t datatype.Type) (datatype.Type, error) {
			if t.IsLOB() {
				return tNumber, datatype.ErrInconsistent("-", t)
			}
			return tNumber, nil
		},
		New: func(datatype.Type, string, *datatype.Env) Accumulator { return &counter{} }},
	{Name: "SUM", Result: sumType, New: func(t datatype.Type, _ string, env *datatype.Env) Accumulator { return newSum(t, env, false) }},
	{Name: "AVG", Result: sumType, New: func(t datatype.Type, _ string, env *datatype.Env) Accumulator { return newSum(t, env, true) }},
	{Name: "MIN", Result: extremeType, New: func(t datatype.Type, _ string, _ *datatype.Env) Accumulator { return &best{t: t, want: -1} }},
	{Name: "MAX", Result: extremeType, New: func(t datatype.Type, _ string, _ *datatype.Env) Accumulator { return &best{t: t, want: 1} }},
	{Name: "LISTAGG", Separator: true,
		Result: func(t datatype.Type) (datatype.Type, error) {
			if t.IsLOB() || datatype.CheckImplicit(t, tText) != nil {
				return tText, datatype.ErrInconsistent("CHAR", t)
			}
			if t.ID == datatype.Raw {
				return tText, sqlerr.NotSupported("LISTAGG of RAW")
			}
			return textType(t), nil
		},
		New: func(t datatype.Type, sep string, env *datatype.Env) Accumulator {
			return &joined{t: t, sep: sep, env: env}
		}},
}

type counter struct{ n int64 }

func (c *counter) Add(v value.Value) error {
	if !v.IsNull() {
		c.n++
	}
	return nil
}

func (c *counter) Result() (value.Value, error) { return value.NewInt(c.n), nil }

func sumType(t datatype.Type) (datatype.Type, error) {
	switch {
	case t.IsBinaryFloat():
		return t, sqlerr.NotSupported("SUM and AVG of %s", t)
	case t.IsNumeric() || t.IsText() || t.ID == datatype.Untyped:
		return tNumber, nil
	}
	return tNumber, datatype.ErrInconsistent("NUMBER", t)
}

type sum struct {
	from, t datatype.Type
	add     datatype.Fn
	env     *datatype.Env
	total   value.Value
	n       int64
	average bool
}

func newSum(t datatype.Type, env *datatype.Env, average bool) *sum {
	s := &sum{from: t, env: env, average: average}
	s.t, _ = sumType(t) // the binder has already checked
	s.t, s.add, _ = datatype.Arith(datatype.Add, s.t, s.t, false)
	return s
}

func (s *sum) Add(v value.Value) error {
	if v.IsNull() {
		return nil
	}
	v, err := datatype.Convert(v, s.from, s.t, s.env)
	if err != nil {
		return err
	}
	if s.n++; s.n == 1 {
		s.total = v
		return nil
	}
	s.total, err = s.add(s.total, v, s.env)
	return err
}

func (s *sum) Result() (value.Value, error) {
	if s.n == 0 || !s.average {
		return s.total, nil
	}
	return datatype.DivNumbers(s.total, value.NewInt(s.n))
}

func extremeType(t datatype.Type) (datatype.Type, error) {
	if t.IsLOB() || t.ID == datatype.Boolean {
		return t, datatype.ErrInconsistent("-", t)
	}
	return t, nil
}

type best struct {
	t    datatype.Type
	v    value.Value
	want int
}

func (b *best) Add(v value.Value) error {
	if !v.IsNull() && (b.v.IsNull() || datatype.Compare(v, b.v, b.t)*b.want > 0) {
		b.v = v
	}
	return nil
}

func (b *best) Result() (value.Value, error) { return b.v, nil }

type joined struct {
	t    datatype.Type
	sep  string
	env  *datatype.Env
	text strings.Builder
	n    int
}

func (j *joined) Add(v value.Value) error {
	if v.IsNull() {
		return nil
	}
	s, err := datatype.Text(v, j.t, j.env)
	if err != nil {
		return err
	}
	if j.n > 0 {
		j.text.WriteString(j.sep)
	}
	j.n++
	j.text.WriteString(s)
	if j.text.Len() > 4000 {
		return message.ORA(1489)
	}
	return nil
}

func (j *joined) Result() (value.Value, error) { return datatype.NewText(j.text.String()), nil }
