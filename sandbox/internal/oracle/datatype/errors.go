package datatype

import "github.com/dbsched/dbsched/sandbox/internal/sqlerr"

// Texts are those of Database Error Messages (19c), without the number before them.

// ErrInconsistent is ORA-00932; want is "-" if no type would do.
func ErrInconsistent(want string, got Type) error {
	return sqlerr.New(932, "inconsistent datatypes: expected %s got %s", want, got.messageName())
}

// messageName is the name that messages have: CHAR for all text, BINARY for RAW.
func (t Type) messageName() string {
	switch t.ID {
	case Varchar2, Char, Untyped:
		return "CHAR"
	case NVarchar2, NChar:
		return "NCHAR"
	case Raw:
		return "BINARY"
	}
	return t.ID.String()
}

// ErrDivideByZero is ORA-01476.
func ErrDivideByZero() error { return sqlerr.New(1476, "divisor is equal to zero") }

// ErrOverflow is ORA-01426.
func ErrOverflow() error { return sqlerr.New(1426, "numeric overflow") }

// ErrRange is ORA-01428 for an argument that a function does not take.
func ErrRange(arg string) error { return sqlerr.New(1428, "argument '%s' is out of range", arg) }

// ErrNumeric is ORA-06502, how PL/SQL words what does not fit or convert; detail may be empty.
func ErrNumeric(detail string) error {
	if detail != "" {
		detail = ": " + detail
	}
	return sqlerr.New(6502, "PL/SQL: numeric or value error%s", detail)
}

// errNumber is a text that is no number.
func errNumber(env *Env) error {
	if env.PLSQL {
		return ErrNumeric("character to number conversion error")
	}
	return sqlerr.New(1722, "invalid number")
}

func errHex(env *Env) error {
	if env.PLSQL {
		return ErrNumeric("hex to raw conversion error")
	}
	return sqlerr.New(1465, "invalid hex number")
}

func errYear() error {
	return sqlerr.New(1841, "(full) year must be between -4713 and +9999, and not be 0")
}

func errNotRecognized() error { return sqlerr.New(1821, "date format not recognized") }

func errLeading() error {
	return sqlerr.New(1873, "the leading precision of the interval is too small")
}

func errInterval() error { return sqlerr.New(1867, "the interval is invalid") }

// ErrFine refuses what a tick of 100 ns cannot hold.
func ErrFine() error { return sqlerr.NotSupported("fractions of a second below 100 ns") }
