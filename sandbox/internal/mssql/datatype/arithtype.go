package datatype

import "github.com/dbsched/dbsched/sandbox/internal/sqlerr"

// Op is an arithmetic or bitwise operator.
type Op uint8

// The operators.
const (
	Add Op = iota
	Subtract
	Multiply
	Divide
	Modulo
	BitAnd
	BitOr
	BitXor
)

// String returns the operator as messages name it.
func (o Op) String() string {
	return [...]string{"add", "subtract", "multiply", "divide", "modulo", "'&'", "'|'", "'^'"}[o]
}

// OpType returns the type of a op b. It refuses operands that the operator does not take, most of which are errors of a server, too.
func OpType(op Op, a, b Type) (Type, error) {
	ca, cb := a.class(), b.class()
	if ca == clsNull {
		ca = cb
	}
	if cb == clsNull {
		cb = ca
	}
	number := func(c class) bool { // that the operator works on
		return c == clsInt || c == clsBit && op >= BitAnd || op < BitAnd && (c == clsExact || c == clsApprox && op != Modulo || c == clsNull)
	}
	mate := func(c class) bool { return number(c) || c == clsBit || c.text() && op != Modulo }
	switch {
	case op <= Subtract && ca != cb && (ca == clsDateTime && cb == clsInt || ca == clsInt && cb == clsDateTime):
		return Of(DateTime), nil // GETDATE() - 7
	case number(ca) && mate(cb), mate(ca) && number(cb), op == Add && (ca.text() && cb.text() || ca == clsBinary && cb == clsBinary):
		return opType(op, a, b), nil
	}
	return Type{}, sqlerr.NotSupported("operator %s with %s and %s", op, a, b)
}

// opType is the type of a op b for operands that OpType accepts.
func opType(op Op, a, b Type) Type {
	switch {
	case a.ID == Untyped && b.ID == Untyped:
		return Of(Int)
	case a.ID == Untyped:
		a = b
	case b.ID == Untyped:
		b = a
	}
	ca, cb := a.class(), b.class()
	if op == Add {
		switch {
		case ca.text() && cb.text():
			return concatType(a, b)
		case ca == clsBinary && cb == clsBinary:
			return concatType(a, b)
		}
	}
	// A string or binary operand takes the type of the number that it is combined with.
	if !ca.number() {
		a = b
	}
	if !cb.number() {
		b = a
	}
	hi := a
	if rank(b) < rank(a) {
		hi = b
	}
	if hi.ID == Decimal {
		return decimalOpType(op, asDecimal(a), asDecimal(b))
	}
	return hi
}

// concatType is the type of a + b for two strings or two binaries.
func concatType(a, b Type) Type {
	t := a
	if rank(b) < rank(a) {
		t = b
	}
	if a.IsCharacter() {
		t.Coll = a.Coll
	}
	limit := int32(8000)
	if t.IsUnicode() {
		limit = 4000
	}
	if !a.IsFixedLength() || !b.IsFixedLength() {
		switch t.ID {
		case Char:
			t.ID = VarChar
		case NChar:
			t.ID = NVarChar
		case Binary:
			t.ID = VarBinary
		}
	}
	if a.Len == Max || b.Len == Max {
		t.Len = Max
	} else {
		t.Len = min(limit, a.Len+b.Len)
	}
	return t
}

// decimalOpType implements the table of learn.microsoft.com "Precision, scale, and length".
func decimalOpType(op Op, a, b Type) Type {
	p1, s1, p2, s2 := int(a.Prec), int(a.Scale), int(b.Prec), int(b.Scale)
	switch op {
	case Multiply:
		return reduced(p1+p2+1, s1+s2)
	case Divide:
		scale := max(6, s1+p2+1)
		return reduced(p1-s1+s2+scale, scale)
	case Modulo:
		return capped(min(p1-s1, p2-s2), max(s1, s2))
	default:
		scale, whole := max(s1, s2), max(p1-s1, p2-s2)
		prec := whole + 1 + scale
		if prec > 38 {
			return capped(whole, min(scale, 38-min(whole, 38)))
		}
		return DecimalOf(uint8(prec), uint8(scale))
	}
}

// reduced reduces a product's or quotient's precision to 38 digits while keeping
// at least 6 fractional digits if there were that many.
func reduced(prec, scale int) Type {
	if prec > 38 {
		whole := prec - scale
		switch {
		case whole < 32:
			scale = min(scale, 38-whole)
		case scale > 6:
			scale = 6
		}
		prec = 38
	}
	return DecimalOf(uint8(prec), uint8(scale))
}
