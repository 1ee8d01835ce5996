package datatype

import (
	"math"
	"math/big"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Op is an operator of two operands.
type Op byte

// The arithmetic operators.
const (
	Add Op = '+'
	Sub Op = '-'
	Mul Op = '*'
	Div Op = '/'
)

// Fn computes an operator; a NULL operand gives NULL.
type Fn func(a, b value.Value, env *Env) (value.Value, error)

// Arith returns the type of a op b and how to compute it, or ORA-00932, ORA-00975 and
// ORA-30081 for incompatible operands ("Datetime/Interval Arithmetic",
// "Matrix of Datetime Arithmetic"). Text is treated as a number.
func Arith(op Op, a, b Type, plsql bool) (Type, Fn, error) {
	a, b = operand(a), operand(b)
	var t Type
	var fn Fn
	var err error
	switch {
	case a.IsBinaryFloat() || b.IsBinaryFloat():
		err = sqlerr.NotSupported("arithmetic with BINARY_FLOAT and BINARY_DOUBLE; use CAST to NUMBER")
	case a.IsNumeric() && b.IsNumeric():
		t, fn = numeric(op, a, b, plsql)
	case a.IsInterval() || b.IsInterval():
		t, fn, err = withInterval(op, a, b)
	case a.IsDatetime() || b.IsDatetime():
		t, fn, err = withDatetime(op, a, b)
	case a.IsNumeric():
		err = ErrInconsistent("NUMBER", b)
	default:
		err = ErrInconsistent("NUMBER", a)
	}
	if err != nil {
		return t, nil, err
	}
	return t, func(x, y value.Value, env *Env) (value.Value, error) {
		if x.IsNull() || y.IsNull() {
			return value.Value{}, nil
		}
		var err error
		if x.Kind == value.String {
			if x, err = toNumeric(x, Of(Varchar2), Of(Number), env); err != nil {
				return x, err
			}
		}
		if y.Kind == value.String {
			if y, err = toNumeric(y, Of(Varchar2), Of(Number), env); err != nil {
				return y, err
			}
		}
		return fn(x, y, env)
	}, nil
}

// operand returns the type that an operand is treated as: text and NULL are numbers.
func operand(t Type) Type {
	if t.IsText() || t.ID == Untyped {
		return Of(Number)
	}
	return t
}

// numeric: two PLS_INTEGERs give a PLS_INTEGER, except for division.
func numeric(op Op, a, b Type, plsql bool) (Type, Fn) {
	t := Of(Number)
	fn := map[Op]func(a, b value.Value) (value.Value, error){Add: AddNumbers, Sub: SubNumbers, Mul: MulNumbers, Div: DivNumbers}[op]
	if plsql && a.ID == PLSInteger && b.ID == PLSInteger && op != Div {
		t = Of(PLSInteger)
		return t, func(x, y value.Value, _ *Env) (value.Value, error) {
			r, err := fn(x, y)
			if err != nil {
				return r, err
			}
			return toPLSInteger(r)
		}
	}
	return t, func(x, y value.Value, _ *Env) (value.Value, error) { return fn(x, y) }
}

func withInterval(op Op, a, b Type) (Type, Fn, error) {
	switch {
	case a.IsInterval() && b.ID == a.ID && (op == Add || op == Sub):
		t := Type{ID: a.ID, Prec: 9, Scale: max(a.Scale, b.Scale)}
		return t, func(x, y value.Value, _ *Env) (value.Value, error) {
			n := big.NewInt(y.N)
			if op == Sub {
				n.Neg(n)
			}
			return newInterval(n.Add(n, big.NewInt(x.N)))
		}, nil
	case a.IsInterval() && b.IsNumeric() && (op == Mul || op == Div):
		return scaled(a, op)
	case a.IsNumeric() && b.IsInterval() && op == Mul:
		t, fn, err := scaled(b, Mul)
		return t, func(x, y value.Value, env *Env) (value.Value, error) { return fn(y, x, env) }, err
	case a.IsDatetime() && b.IsInterval() && (op == Add || op == Sub):
		t, fn := moved(a, b, op)
		return t, fn, nil
	case a.IsInterval() && b.IsDatetime() && op == Add:
		t, fn := moved(b, a, Add)
		return t, func(x, y value.Value, env *Env) (value.Value, error) { return fn(y, x, env) }, nil
	case a.IsDatetime() || b.IsDatetime():
		return Type{}, nil, message.ORA(30081)
	case a.IsInterval():
		return Type{}, nil, ErrInconsistent(a.messageName(), b)
	}
	return Type{}, nil, ErrInconsistent(b.messageName(), a)
}

// scaled multiplies or divides an interval.
func scaled(t Type, op Op) (Type, Fn, error) {
	t.Prec = 9
	if t.ID == IntervalDS {
		t.Scale = 9
	}
	return t, func(x, y value.Value, _ *Env) (value.Value, error) {
		n, err := MulNumbers(value.NewInt(x.N), y)
		if op == Div {
			n, err = DivNumbers(value.NewInt(x.N), y)
		}
		if err != nil {
			return n, err
		}
		return spanOf(parts(n))
	}, nil
}

// moved adds an interval to a datetime or subtracts it.
func moved(t, interval Type, op Op) (Type, Fn) {
	if t.ID == Timestamp || t.ID == TimestampTZ {
		t.Scale = max(t.Scale, interval.Scale)
	}
	return t, func(x, y value.Value, _ *Env) (value.Value, error) {
		n := y.N
		if op == Sub {
			n = -n
		}
		if t.ID == Date { // a DATE has no fraction: the interval's is truncated
			n -= n % TicksPerSecond
		}
		return shift(x, n)
	}
}

// shift moves a datetime by ticks.
func shift(v value.Value, ticks int64) (value.Value, error) {
	if err := InCalendar(v.N); err != nil {
		return v, err
	}
	n := v.N + ticks
	return ZoneOf(v).In(n), InCalendar(n)
}

func withDatetime(op Op, a, b Type) (Type, Fn, error) {
	switch {
	case a.IsDatetime() && b.IsDatetime() && op == Sub:
		return difference(a, b)
	case a.IsDatetime() && b.IsDatetime() && op == Add:
		return Type{}, nil, message.ORA(975)
	case a.IsDatetime() && b.IsNumeric() && (op == Add || op == Sub):
		return Of(Date), func(x, y value.Value, _ *Env) (value.Value, error) { return addDays(x, a, y, op) }, nil
	case a.IsNumeric() && b.IsDatetime() && op == Add:
		return Of(Date), func(x, y value.Value, _ *Env) (value.Value, error) { return addDays(y, b, x, op) }, nil
	case a.IsNumeric():
		return Type{}, nil, ErrInconsistent("NUMBER", b)
	case b.IsNumeric():
		return Type{}, nil, ErrInconsistent("NUMBER", a)
	}
	return Type{}, nil, ErrInconsistent(a.messageName(), b)
}

// addDays adds a number of days to a datetime, which becomes a DATE; the result is
// rounded to the second.
func addDays(v value.Value, t Type, days value.Value, op Op) (value.Value, error) {
	m, scale := parts(days)
	seconds := value.DivRound(new(big.Int).Mul(m, big.NewInt(86400)), pow10(scale))
	if seconds.CmpAbs(big.NewInt(maxDays*86400)) > 0 {
		return v, message.ORA(1841)
	}
	n := seconds.Int64() * TicksPerSecond
	if op == Sub {
		n = -n
	}
	local := Local(v, t)
	return shift(value.NewTime(local-local%TicksPerSecond, 0), n)
}

// difference: two DATEs give days, anything with a timestamp gives an interval.
func difference(a, b Type) (Type, Fn, error) {
	if a.ID == Date && b.ID == Date {
		return Of(Number), func(x, y value.Value, _ *Env) (value.Value, error) {
			if err := bothInCalendar(x, y); err != nil {
				return x, err
			}
			return DivNumbers(value.NewInt((x.N-y.N)/TicksPerSecond), value.NewInt(86400))
		}, nil
	}
	t := Type{ID: IntervalDS, Prec: 9, Scale: max(a.Scale, b.Scale)}
	zoned := a.ID == TimestampTZ || b.ID == TimestampTZ
	return t, func(x, y value.Value, env *Env) (value.Value, error) {
		if err := bothInCalendar(x, y); err != nil {
			return x, err
		}
		if zoned {
			var err error
			if x, err = zonedOf(x, a, env); err != nil {
				return x, err
			}
			if y, err = zonedOf(y, b, env); err != nil {
				return y, err
			}
		}
		return value.NewSpan(x.N - y.N), nil
	}, nil
}

func bothInCalendar(x, y value.Value) error {
	if err := InCalendar(x.N); err != nil {
		return err
	}
	return InCalendar(y.N)
}

func zonedOf(v value.Value, t Type, env *Env) (value.Value, error) {
	if t.ID == TimestampTZ {
		return v, nil
	}
	return env.Zone.zoned(v.N)
}

// Negate returns the type of -x and how to compute it.
func Negate(t Type) (Type, func(v value.Value, env *Env) (value.Value, error), error) {
	switch {
	case t.IsInterval():
	case t.IsText() || t.ID == Untyped:
		return Of(Number), func(v value.Value, env *Env) (value.Value, error) {
			v, err := toNumeric(v, Of(Varchar2), Of(Number), env)
			if err != nil || v.IsNull() {
				return v, err
			}
			return NegateNumber(v), nil
		}, nil
	case !t.IsNumeric():
		return t, nil, ErrInconsistent("NUMBER", t)
	}
	return t, func(v value.Value, _ *Env) (value.Value, error) {
		switch {
		case v.IsNull():
			return v, nil
		case v.Kind == value.Float:
			return value.NewFloat(-v.Float64()), nil
		case v.Kind == value.Span:
			return value.NewSpan(-v.N), nil
		case t.ID == PLSInteger && v.N == math.MinInt32:
			return v, ErrOverflow()
		}
		return NegateNumber(v), nil
	}, nil
}

// AtZone returns a timestamp in another time zone (AT TIME ZONE); one without a zone is
// in the session's.
func AtZone(v value.Value, t Type, zone Zone, env *Env) (value.Value, error) {
	v, err := zonedOf(v, t, env)
	if err != nil {
		return v, err
	}
	if local := zone.Local(v.N); local < 0 || local >= maxDays*TicksPerDay {
		return v, message.ORA(1841)
	}
	return zone.In(v.N), nil
}

// Concat is a || b: NULL is the empty text. More than 4000 bytes give ORA-01489, in
// PL/SQL more than 32767 give ORA-06502, unless one is a LOB.
func Concat(a, b Type) (Type, Fn, error) {
	t := Of(Varchar2)
	for _, x := range []Type{a, b} {
		switch {
		case x.ID == BLOB || x.ID == Boolean:
			return t, nil, ErrInconsistent("CHAR", x)
		case x.ID == CLOB || x.ID == NCLOB:
			t = x
		case x.IsNational() && t.ID == Varchar2:
			t = Of(NVarchar2)
		}
	}
	if a.IsFixed() && b.IsFixed() && a.Chars == b.Chars && !t.IsNational() && a.Len+b.Len <= 2000 {
		t = Type{ID: Char, Len: a.Len + b.Len, Chars: a.Chars}
	}
	return t, func(x, y value.Value, env *Env) (value.Value, error) {
		var s [2]string
		for i, v := range []value.Value{x, y} {
			if v.IsNull() {
				continue
			}
			from := a
			if i == 1 {
				from = b
			}
			text, err := Text(v, from, env)
			if err != nil {
				return v, err
			}
			s[i] = text
		}
		joined := s[0] + s[1]
		switch {
		case t.IsLOB() && (!x.IsNull() || !y.IsNull()):
			return value.NewString(joined), sqlerr.Fits(len(joined))
		case env.PLSQL && len(joined) > 32767:
			return value.Value{}, ErrNumeric("character string buffer too small")
		case !env.PLSQL && len(joined) > 4000:
			return value.Value{}, message.ORA(1489)
		}
		return NewText(joined), nil
	}, nil
}
