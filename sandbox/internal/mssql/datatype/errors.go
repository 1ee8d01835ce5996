package datatype

import (
	"strconv"

	"github.com/dbsched/dbsched/sandbox/internal/message"
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
	return message.MS(206, a.messageName(), b.messageName()).At(16, 2)
}

func errImplicit(from, to Type) *sqlerr.Error {
	return message.MS(257, from.messageName(), to.messageName()).At(16, 3)
}

func errExplicit(from, to Type) *sqlerr.Error {
	return message.MS(529, from.messageName(), to.messageName())
}

func errIncompatible(a, b Type, op string) *sqlerr.Error {
	return message.MS(402, a.messageName(), b.messageName(), op)
}

// ErrOperand is 8117: a type that an operator or aggregate does not accept.
func ErrOperand(t Type, op string) *sqlerr.Error {
	return message.MS(8117, t.messageName(), op)
}

// ErrArgument is 8116: a type that a function does not accept; n counts from 1, fn is in lower case.
func ErrArgument(t Type, n int, fn string) *sqlerr.Error {
	return message.MS(8116, t.messageName(), n, fn)
}

func errOverflow(from string, to Type, state uint8) *sqlerr.Error {
	return message.MS(8115, from, to.messageNameBare()).At(16, state)
}

// messageNameBare is the name without "(max)", as in conversion messages.
func (t Type) messageNameBare() string {
	if t.ID == Decimal {
		return "numeric"
	}
	return t.ID.String()
}

// ErrOverflow is 8115 for the result of an expression.
func ErrOverflow(to Type) *sqlerr.Error { return errOverflow("expression", to, 2) }

// ErrDivideByZero is 8134.
func ErrDivideByZero() *sqlerr.Error { return message.MS(8134) }

func errIntRange(to Type, n int64) *sqlerr.Error {
	state := uint8(1)
	if to.ID == TinyInt {
		state = 2
	}
	return message.MS(220, to.Name(), n).At(16, state)
}

func errFloatRange(to Type, f float64) *sqlerr.Error {
	state := uint8(3)
	switch to.ID {
	case TinyInt:
		state = 1
	case SmallInt:
		state = 2
	}
	return message.MS(232, to.Name(), strconv.FormatFloat(f, 'f', 6, 64)).At(16, state)
}

func errConvertString(from Type, text string, to Type) *sqlerr.Error {
	return dooming(message.MS(245, from.Name(), text, to.Name()))
}

func errConvertType(from, to Type) *sqlerr.Error {
	return dooming(message.MS(8114, from.messageNameBare(), to.messageNameBare()).At(16, 5))
}

func errStringIntRange(from Type, text string, to Type) *sqlerr.Error {
	switch to.ID {
	case TinyInt, SmallInt:
		size := uint8(1)
		if to.ID == SmallInt {
			size = 2
		}
		return message.MS(244, from.Name(), text, size).At(16, size)
	case Int:
		return message.MS(248, from.Name(), text)
	default:
		return ErrOverflow(to)
	}
}

func errDateString() *sqlerr.Error {
	return dooming(message.MS(241))
}

func errDateRange(from, to Type) *sqlerr.Error {
	return message.MS(242, from.messageNameBare(), to.messageNameBare()).At(16, 3)
}

func errGUIDString() *sqlerr.Error {
	return dooming(message.MS(8169).At(16, 2))
}

func errMoneyString() *sqlerr.Error {
	return dooming(message.MS(235))
}
