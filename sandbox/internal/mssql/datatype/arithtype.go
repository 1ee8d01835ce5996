package datatype

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

// OpType returns the type of a op b, or 206, 257, 402, 8117.
func OpType(op Op, a, b Type) (Type, error) {
	if err := checkOp(op, a, b); err != nil {
		return Type{}, err
	}
	return opType(op, a, b), nil
}

// checkOp says whether the operator takes two operands of these types.
func checkOp(op Op, a, b Type) error {
	ca, cb := a.class(), b.class()
	if ca == clsOther || cb == clsOther {
		return errIncompatible(a, b, op.String())
	}
	if ca == clsNull || cb == clsNull {
		return checkNullOp(op, a, b)
	}
	switch op {
	case BitAnd, BitOr, BitXor:
		return checkBitwise(op, a, b)
	case Modulo:
		return checkModulo(a, b)
	}
	// A number combines with whatever converts to it implicitly.
	if ca.arith() || cb.arith() {
		num, other := a, b
		if !ca.arith() {
			num, other = b, a
		}
		if other.class() == clsDateTime {
			if op == Add || op == Subtract {
				return nil
			}
			return errImplicit(other, num)
		}
		switch conversion(other, num) {
		case never:
			return errClash(other, num)
		case explicit:
			return errImplicit(other, num)
		}
		return nil
	}
	if op == Multiply || op == Divide {
		return ErrOperand(a, op.String())
	}
	ok := false
	switch {
	case ca == clsDateTime && cb == clsDateTime:
		ok = true
	case ca == clsDateTime || cb == clsDateTime:
		other := ca
		if ca == clsDateTime {
			other = cb
		}
		ok = other == clsBit || other.text() || other == clsBinary
	case op == Add && ca.text() && cb.text(), op == Add && binaryish(ca) && binaryish(cb) && (ca == clsBinary || cb == clsBinary):
		ok = true
	}
	if ok {
		return nil
	}
	none := func(c class) bool { return c == clsGUID || c.newDate() }
	if none(ca) && (none(cb) || op == Subtract && cb == clsRowVersion) ||
		op == Subtract && ca == clsRowVersion && (none(cb) || cb == clsRowVersion) {
		return ErrOperand(a, op.String())
	}
	if (ca == clsVariant && cb == clsDateTime) || (ca == clsDateTime && cb == clsVariant) {
		if ca == clsVariant {
			return errImplicit(a, b)
		}
		return errImplicit(b, a)
	}
	return errIncompatible(a, b, op.String())
}

func binaryish(c class) bool { return c == clsBinary || c == clsRowVersion }

func checkModulo(a, b Type) error {
	ca, cb := a.class(), b.class()
	exact := func(c class) bool { return c == clsInt || c == clsExact }
	whole := func(c class) bool { return c.text() || binaryish(c) }
	switch {
	case exact(ca) && exact(cb), exact(ca) && cb == clsBit, ca == clsBit && exact(cb),
		ca == clsInt && whole(cb), whole(ca) && cb == clsInt:
		return nil
	}
	none := func(c class) bool {
		return c == clsApprox || c == clsGUID || c == clsDateTime || c.newDate() || c == clsVariant
	}
	if none(ca) && none(cb) {
		return ErrOperand(a, Modulo.String())
	}
	return errIncompatible(a, b, Modulo.String())
}

func checkBitwise(op Op, a, b Type) error {
	ca, cb := a.class(), b.class()
	whole := func(c class) bool { return c == clsBit || c == clsInt }
	partner := func(c class) bool { return whole(c) || c.text() || binaryish(c) }
	if whole(ca) && partner(cb) || whole(cb) && partner(ca) {
		return nil
	}
	if !partner(ca) && !partner(cb) {
		return ErrOperand(a, op.String())
	}
	return errIncompatible(a, b, op.String())
}

// checkNullOp is checkOp with a bare NULL on one side or both.
func checkNullOp(op Op, a, b Type) error {
	ca, cb := a.class(), b.class()
	other := max(ca, cb)
	ok := false
	switch op {
	case BitAnd, BitOr, BitXor:
		ok = other == clsBit || other == clsInt
	case Modulo:
		ok = other == clsNull || other == clsInt || other == clsExact
	case Multiply, Divide:
		ok = other == clsNull || other.arith()
	case Subtract:
		ok = other == clsNull || other.arith() || other == clsDateTime
	case Add:
		ok = other == clsNull || other.arith() || other == clsDateTime || other.text() || other == clsBinary ||
			other == clsRowVersion && ca == clsNull
	}
	if !ok {
		return errIncompatible(a, b, op.String())
	}
	return nil
}

// opType is the type of a op b for operands that checkOp accepts.
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
		case binaryish(ca) && binaryish(cb):
			return concatType(sizedBinary(a), sizedBinary(b))
		}
	}
	if ca == clsDateTime || cb == clsDateTime {
		if rank(a) <= rank(b) {
			return a
		}
		return b
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

func sizedBinary(t Type) Type {
	if t.ID == RowVersion {
		return Sized(VarBinary, 8)
	}
	return t
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
