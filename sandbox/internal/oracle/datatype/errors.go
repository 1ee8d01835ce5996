package datatype

import (
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Texts are those of Database Error Messages (19c), without the number before them.

// ErrInconsistent is ORA-00932; want is "-" if no type would do.
func ErrInconsistent(want string, got Type) error {
	return message.ORA(932, want, got.messageName())
}

// messageName returns the type's name in messages: CHAR for all text, BINARY for RAW.
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
func ErrDivideByZero() error { return message.ORA(1476) }

// ErrOverflow is ORA-01426.
func ErrOverflow() error { return message.ORA(1426) }

// ErrRange is ORA-01428 for an argument that a function does not accept.
func ErrRange(arg string) error { return message.ORA(1428, arg) }

// ErrNumeric is ORA-06502, PL/SQL's error for what does not fit or convert; detail may be empty.
func ErrNumeric(detail string) error {
	if detail != "" {
		detail = ": " + detail
	}
	return message.ORA(6502, detail)
}

// errNumber is the error for a text that is not a number.
func errNumber(env *Env) error {
	if env.PLSQL {
		return ErrNumeric("character to number conversion error")
	}
	return message.ORA(1722)
}

func errHex(env *Env) error {
	if env.PLSQL {
		return ErrNumeric("hex to raw conversion error")
	}
	return message.ORA(1465)
}

// ErrFine refuses what a tick of 100 ns cannot hold.
func ErrFine() error { return sqlerr.NotSupported("fractions of a second below 100 ns") }
