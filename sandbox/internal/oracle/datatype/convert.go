package datatype

import (
	"math"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// CheckImplicit returns ORA-00932 if no value of type from converts to type to without
// CAST ("Implicit Type Conversion Matrix").
func CheckImplicit(from, to Type) error {
	ok := false
	switch {
	case from.ID == Untyped || from.ID == to.ID:
		ok = true
	case from.IsText():
		ok = to.ID != Boolean
	case from.IsNumeric():
		ok = to.IsNumeric() || to.IsText()
	case from.IsDatetime():
		ok = to.IsDatetime() || to.IsText()
	case from.IsInterval(), from.ID == Rowid:
		ok = to.IsText()
	case from.ID == CLOB, from.ID == NCLOB:
		ok = to.isChars()
	case from.ID == Raw:
		ok = to.IsText() || to.ID == BLOB
	case from.ID == BLOB:
		ok = to.ID == Raw
	}
	if !ok {
		return ErrInconsistent(to.messageName(), from)
	}
	return nil
}

// Convert converts a value of type from to the type to as an implicit conversion does,
// ignoring to's length, precision and scale: [Store], [Assign] and [Cast] check those.
func Convert(v value.Value, from, to Type, env *Env) (value.Value, error) {
	if v.IsNull() || from.ID == to.ID {
		return v, nil
	}
	if err := CheckImplicit(from, to); err != nil {
		return v, err
	}
	switch {
	case to.isChars():
		return toText(v, from, to, env)
	case to.IsNumeric():
		return toNumeric(v, from, to, env)
	case to.IsDatetime():
		if from.IsDatetime() {
			return betweenDatetimes(v, from, to, env)
		}
		return ParseDate(v.Str(), env.Format(to.ID), to, env)
	case to.IsInterval():
		return ParseInterval(v.Str())
	case to.ID == Raw || to.ID == BLOB:
		return toBytes(v, from, to, env)
	case to.ID == Rowid:
		return parseRowid(v.Str())
	}
	return v, ErrInconsistent(to.messageName(), from)
}

func toText(v value.Value, from, to Type, env *Env) (value.Value, error) {
	switch {
	case from.ID == CLOB || from.ID == NCLOB:
		if to.IsText() {
			limit := 4000
			if env.PLSQL {
				limit = 32767
			}
			if n := len(v.Str()); n > limit {
				if env.PLSQL {
					return v, ErrNumeric("character string buffer too small")
				}
				return v, message.ORA(22835, n, limit)
			}
			return NewText(v.Str()), nil
		}
		return v, nil
	case from.IsText():
		return v, nil
	}
	s, err := Text(v, from, env)
	return NewText(s), err
}

// Text returns the text of a value that is not NULL, as TO_CHAR without a format does.
func Text(v value.Value, t Type, env *Env) (string, error) {
	switch {
	case t.IsBinaryFloat():
		return "", sqlerr.NotSupported("text of BINARY_FLOAT and BINARY_DOUBLE; use CAST to NUMBER")
	case t.IsNumeric():
		return env.localNumber(FormatNumber(v)), nil
	case t.IsDatetime():
		return FormatDate(v, t, env.Format(t.ID), env)
	case t.IsInterval():
		return FormatInterval(v, t), nil
	case t.ID == Raw || t.ID == BLOB:
		return Hex(v.Str()), nil
	case t.ID == Rowid:
		return formatRowid(v), nil
	case t.ID == Boolean:
		return "", ErrInconsistent("CHAR", t)
	}
	return v.Str(), nil
}

func toNumeric(v value.Value, from, to Type, env *Env) (value.Value, error) {
	var err error
	switch {
	case from.IsText() && to.IsBinaryFloat():
		f, ok := parseFloat(env.plainNumber(v.Str()))
		if !ok {
			return v, errNumber(env)
		}
		return floatOf(f, to), nil
	case from.IsText():
		n, ok := ParseNumber(env.plainNumber(v.Str()))
		if !ok {
			return v, errNumber(env)
		}
		v = n
	case from.IsBinaryFloat() && to.IsBinaryFloat():
		return floatOf(v.Float64(), to), nil
	case from.IsBinaryFloat():
		if v, err = floatNumber(v.Float64(), from); err != nil {
			return v, err
		}
	}
	switch {
	case to.IsBinaryFloat():
		return floatOf(NumberFloat(v), to), nil
	case to.ID == PLSInteger:
		return toPLSInteger(v)
	}
	return v, nil
}

func parseFloat(s string) (float64, bool) {
	switch fold(strings.Trim(s, " ")) {
	case "NAN":
		return math.NaN(), true
	case "INF":
		return math.Inf(1), true
	case "-INF":
		return math.Inf(-1), true
	}
	v, ok := ParseNumber(s)
	return NumberFloat(v), ok
}

func floatOf(f float64, t Type) value.Value {
	if t.ID == BinaryFloat {
		f = float64(float32(f))
	}
	return value.NewFloat(f + 0)
}

func toPLSInteger(v value.Value) (value.Value, error) {
	r, err := RoundNumber(v, 0)
	if err != nil || r.Kind != value.Int || r.N < math.MinInt32 || r.N > math.MaxInt32 {
		return v, ErrOverflow()
	}
	return r, nil
}

func betweenDatetimes(v value.Value, from, to Type, env *Env) (value.Value, error) {
	local := Local(v, from)
	switch to.ID {
	case Date: // the fraction is truncated
		return value.NewTime(local-local%TicksPerSecond, 0), nil
	case Timestamp:
		return value.NewTime(local, 0), nil
	}
	return env.Zone.zoned(local)
}

func toBytes(v value.Value, from, to Type, env *Env) (value.Value, error) {
	if from.ID == Raw || from.ID == BLOB {
		if limit := 2000; to.ID == Raw && !env.PLSQL && len(v.Str()) > limit {
			return v, message.ORA(22835, len(v.Str()), limit)
		}
		if to.ID == Raw {
			return NewRaw([]byte(v.Str())), nil
		}
		return v, nil
	}
	raw, ok := ParseHex(v.Str())
	if !ok {
		return v, errHex(env)
	}
	return NewRaw(raw), nil
}

// Column names a column in messages.
type Column struct{ Schema, Table, Name string }

// Store converts a value for a column: ORA-12899 for text and RAW that are too long,
// ORA-01438 for a number, ORA-01873 for an interval. Fractions are rounded.
func Store(v value.Value, from, to Type, c Column, env *Env) (value.Value, error) {
	v, err := Convert(v, from, to, env)
	if err != nil || v.IsNull() {
		return v, err
	}
	if n, long := tooLong(v, to); long {
		return v, message.ORA(12899, c.Schema, c.Table, c.Name, n, to.Len)
	}
	r, fits, err := fit(v, to)
	if err == nil && !fits {
		err = message.ORA(1438)
	}
	return r, err
}

// Assign converts a value for a variable or parameter of PL/SQL: ORA-06502 for values that do
// not fit. env must be PL/SQL's.
func Assign(v value.Value, from, to Type, env *Env) (value.Value, error) {
	v, err := Convert(v, from, to, env)
	if err != nil || v.IsNull() {
		return v, err
	}
	if _, long := tooLong(v, to); long {
		if to.ID == Raw {
			return v, ErrNumeric("raw variable length too long")
		}
		return v, ErrNumeric("character string buffer too small")
	}
	r, fits, err := fit(v, to)
	if err == nil && !fits {
		err = ErrNumeric("number precision too large")
	}
	return r, err
}

// tooLong returns the length of text or RAW and whether it exceeds t's limit.
func tooLong(v value.Value, t Type) (int, bool) {
	n := 0
	switch {
	case t.IsText():
		n = LengthIn(v.Str(), t)
	case t.ID == Raw:
		n = len(v.Str())
	}
	return n, t.Len > 0 && n > int(t.Len)
}

// fit pads text and rounds numbers, fractions of a second and intervals to t's facets;
// fits is false for a number with too many digits.
func fit(v value.Value, t Type) (r value.Value, fits bool, err error) {
	switch {
	case t.IsFixed():
		return value.NewString(pad(v.Str(), t)), true, nil
	case t.ID == Number && t.Prec > 0:
		r, err = RoundNumber(v, int(t.Scale))
		if err != nil || SignOf(r) == 0 {
			return r, true, err
		}
		_, _, whole := significant(r)
		return r, whole <= int(t.Prec)-int(t.Scale), nil
	case t.ID == Float && t.Prec < 126 && SignOf(v) != 0:
		_, _, whole := significant(v)
		r, err = RoundNumber(v, int(math.Ceil(float64(t.Prec)*0.30103))-whole)
		return r, true, err
	case t.ID == Timestamp || t.ID == TimestampTZ:
		n := roundFraction(v.N, t.Scale)
		if n >= maxDays*TicksPerDay {
			return v, true, message.ORA(1841)
		}
		return ZoneOf(v).In(n), true, nil
	case t.IsInterval():
		r, err = fitInterval(v, t)
		return r, true, err
	}
	return v, true, nil
}

// CheckCast returns ORA-00932 if CAST does not convert one type to the other; CASTs to LOBs are not possible ("CAST", table).
func CheckCast(from, to Type) error {
	if to.IsLOB() || from.IsLOB() && from.ID != to.ID && !to.IsText() && to.ID != Raw {
		return ErrInconsistent("-", from)
	}
	return CheckImplicit(from, to)
}

// Cast is CAST(v AS to): text is cut to the length, any other value that is too long as text is
// ORA-25137, a number too large ORA-01438.
func Cast(v value.Value, from, to Type, env *Env) (value.Value, error) {
	if err := CheckCast(from, to); err != nil || v.IsNull() {
		return v, err
	}
	v, err := Convert(v, from, to, env)
	if err != nil || v.IsNull() {
		return v, err
	}
	if _, long := tooLong(v, to); long {
		switch {
		case env.PLSQL:
			return v, sqlerr.NotSupported("CAST to a type that is too short, in PL/SQL")
		case from.isChars() && to.IsText():
			if v = NewText(cutTo(v.Str(), to)); v.IsNull() { // not even the first character fits
				return v, nil
			}
		default:
			return v, message.ORA(25137)
		}
	}
	r, fits, err := fit(v, to)
	if err == nil && !fits {
		if env.PLSQL {
			return v, ErrNumeric("number precision too large")
		}
		err = message.ORA(1438)
	}
	return r, err
}
