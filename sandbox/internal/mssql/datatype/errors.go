package datatype

import (
	"strconv"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Message texts are those of sys.messages (learn.microsoft.com "Database engine
// events and errors"). A failed conversion of a string ends the batch and dooms the
// transaction, an overflow only ends its statement.

func dooming(e *sqlerr.Error) *sqlerr.Error {
	e = e.Ending(sqlerr.Batch)
	e.Dooms = true
	return e
}

func errClash(a, b Type) *sqlerr.Error {
	return sqlerr.New(206, "Operand type clash: %s is incompatible with %s", a.messageName(), b.messageName()).At(16, 2)
}

func errImplicit(from, to Type) *sqlerr.Error {
	return sqlerr.New(257, "Implicit conversion from data type %s to %s is not allowed. Use the CONVERT function to run this query.",
		from.messageName(), to.messageName()).At(16, 3)
}

func errExplicit(from, to Type) *sqlerr.Error {
	return sqlerr.New(529, "Explicit conversion from data type %s to %s is not allowed.", from.messageName(), to.messageName())
}

func errIncompatible(a, b Type, op string) *sqlerr.Error {
	return sqlerr.New(402, "The data types %s and %s are incompatible in the %s operator.", a.messageName(), b.messageName(), op)
}

// ErrOperand is 8117: a type that an operator or aggregate does not take.
func ErrOperand(t Type, op string) *sqlerr.Error {
	return sqlerr.New(8117, "Operand data type %s is invalid for %s operator.", t.messageName(), op)
}

// ErrArgument is 8116: a type that a function does not take; n counts from 1, fn is in lower case.
func ErrArgument(t Type, n int, fn string) *sqlerr.Error {
	return sqlerr.New(8116, "Argument data type %s is invalid for argument %d of %s function.", t.messageName(), n, fn)
}

func errOverflow(from string, to Type, state uint8) *sqlerr.Error {
	return sqlerr.New(8115, "Arithmetic overflow error converting %s to data type %s.", from, to.messageNameBare()).At(16, state)
}

// messageNameBare is the name without "(max)", as conversion messages have it.
func (t Type) messageNameBare() string {
	if t.ID == Decimal {
		return "numeric"
	}
	return t.ID.String()
}

// ErrOverflow is 8115 for the result of an expression.
func ErrOverflow(to Type) *sqlerr.Error { return errOverflow("expression", to, 2) }

// ErrDivideByZero is 8134.
func ErrDivideByZero() *sqlerr.Error { return sqlerr.New(8134, "Divide by zero error encountered.") }

func errIntRange(to Type, n int64) *sqlerr.Error {
	state := uint8(1)
	if to.ID == TinyInt {
		state = 2
	}
	return sqlerr.New(220, "Arithmetic overflow error for data type %s, value = %d.", to.Name(), n).At(16, state)
}

func errFloatRange(to Type, f float64) *sqlerr.Error {
	state := uint8(3)
	switch to.ID {
	case TinyInt:
		state = 1
	case SmallInt:
		state = 2
	}
	return sqlerr.New(232, "Arithmetic overflow error for type %s, value = %s.", to.Name(), strconv.FormatFloat(f, 'f', 6, 64)).At(16, state)
}

func errConvertString(from Type, text string, to Type) *sqlerr.Error {
	return dooming(sqlerr.New(245, "Conversion failed when converting the %s value '%s' to data type %s.", from.Name(), text, to.Name()))
}

func errConvertType(from, to Type) *sqlerr.Error {
	return dooming(sqlerr.New(8114, "Error converting data type %s to %s.", from.messageNameBare(), to.messageNameBare()).At(16, 5))
}

func errStringIntRange(from Type, text string, to Type) *sqlerr.Error {
	switch to.ID {
	case TinyInt, SmallInt:
		size := uint8(1)
		if to.ID == SmallInt {
			size = 2
		}
		return sqlerr.New(244, "The conversion of the %s value '%s' overflowed an INT%d column. Use a larger integer column.",
			from.Name(), text, size).At(16, size)
	case Int:
		return sqlerr.New(248, "The conversion of the %s value '%s' overflowed an int column.", from.Name(), text)
	default:
		return ErrOverflow(to)
	}
}

func errDateString() *sqlerr.Error {
	return dooming(sqlerr.New(241, "Conversion failed when converting date and/or time from character string."))
}

func errSmallDateString() *sqlerr.Error {
	return dooming(sqlerr.New(295, "Conversion failed when converting character string to smalldatetime data type.").At(16, 3))
}

func errDateStyle(style int) *sqlerr.Error {
	return dooming(sqlerr.New(9807, "The input character string does not follow style %d, either change the input character string or use a different style.", style))
}

func errDateRange(from, to Type) *sqlerr.Error {
	return sqlerr.New(242, "The conversion of a %s data type to a %s data type resulted in an out-of-range value.",
		from.messageNameBare(), to.messageNameBare()).At(16, 3)
}

func errStyle(style int, from Type) *sqlerr.Error {
	return sqlerr.New(281, "%d is not a valid style number when converting from %s to a character string.", style, from.Name())
}

func errGUIDString() *sqlerr.Error {
	return dooming(sqlerr.New(8169, "Conversion failed when converting from a character string to uniqueidentifier.").At(16, 2))
}

func errMoneyString() *sqlerr.Error {
	return dooming(sqlerr.New(235, "Cannot convert a char value to money. The char value has incorrect syntax."))
}
