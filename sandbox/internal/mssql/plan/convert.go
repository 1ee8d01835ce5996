package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// sameForm reports whether values of type from are values of type to without conversion.
func sameForm(from, to datatype.Type) bool {
	if from.IsUntyped() || from == to.WithCollation(from.Coll) || from == to {
		return true
	}
	switch {
	case (from.IsInteger() || from.ID == datatype.Bit) && to.IsInteger():
		return from.ID <= to.ID
	case from.IsCharacter() && to.IsCharacter():
		return (to.IsUnicode() || !from.IsUnicode()) && !to.IsFixedLength() && fits(from, to)
	case from.IsBinary() && to.IsBinary():
		return !to.IsFixedLength() && fits(from, to)
	}
	return false
}

func fits(from, to datatype.Type) bool { return to.IsMax() || !from.IsMax() && from.Len <= to.Len }

// implicitTo converts e to a type that it is known to convert to implicitly.
//
// Constants are converted at once, unless that fails: then the statement fails when it gets there.
func implicitTo(e *expr, to datatype.Type) *expr {
	if sameForm(e.Type, to) {
		if e.Type == to {
			return e
		}
		c := *e
		c.Type = to
		return &c
	}
	from, f := e.Type, e.Eval
	if e.Shape == expression.Constant {
		if v, err := datatype.Convert(e.Const, from, to, datatype.NoStyle, datatype.Implicit); err == nil {
			c := constExpr(v, to)
			c.coll, c.literal = e.coll, e.literal
			return c
		}
	}
	out := derive(to, "convert:"+to.String(), []*expr{e}, func(fr *query.Frame) value.Value {
		return query.Must(datatype.Convert(f(fr), from, to, datatype.NoStyle, datatype.Implicit))
	})
	out.coll, out.Name, out.literal = e.coll, e.Name, e.literal
	return out
}

// assignTo converts e as an assignment to a column or variable does: 206, 257 at once; truncation of
// a column's value (2628) is up to the caller.
func assignTo(e *expr, to datatype.Type) *expr {
	query.Check(datatype.CheckImplicit(e.Type, to))
	return implicitTo(e, to)
}

// literalType is the type of an integer literal that is combined with a decimal.
func literalType(e, other *expr) datatype.Type {
	if e.literal && e.Shape == expression.Constant && e.Type.ID == datatype.Int && other.Type.ID == datatype.Decimal && !e.Null {
		return datatype.IntLiteral(e.Const.N)
	}
	return e.Type
}

// settle gives two character expressions that are combined one collation, or raises 468.
func settle(a, b *expr, what string) (*expr, *expr) {
	if !a.Type.IsCharacter() || !b.Type.IsCharacter() || a.Type.Coll == b.Type.Coll {
		return a, b
	}
	switch {
	case a.coll > b.coll:
		return a, recollate(b, a)
	case b.coll > a.coll:
		return recollate(a, b), b
	case a.coll == coercible:
		return a, recollate(b, a)
	}
	panic(message.MS(468, a.Type.Coll, b.Type.Coll, what).At(16, 9))
}

func recollate(e, like *expr) *expr {
	c := *e
	c.Type = e.Type.WithCollation(like.Type.Coll)
	c.coll = like.coll
	if c.Key != "" {
		c.Key += " collate " + like.Type.Coll.String()
	}
	if c.Shape == expression.Column { // an index on the column is in another order
		c.Shape = expression.Opaque
	}
	return &c
}

// unifyAll finds the common type of the values in list, and converts all of them to it.
func unifyAll(list []*expr, what string) (datatype.Type, []*expr) {
	var acc *expr // all values so far, as one
	for _, e := range list {
		if e.Type.IsUntyped() {
			continue
		}
		if acc == nil {
			c := *e
			acc = &c
			continue
		}
		_, r := settle(acc, e, what)
		t := query.Must(datatype.Unify(literalType(acc, r), literalType(r, acc)))
		if acc.coll < e.coll {
			t, acc.coll = t.WithCollation(e.Type.Coll), e.coll
		}
		if acc.Type != t || acc.literal != e.literal {
			acc.literal = false
		}
		acc.Type = t
	}
	if acc == nil {
		return datatype.Of(datatype.Int), list
	}
	t := acc.Type
	out := make([]*expr, len(list))
	for i, e := range list {
		out[i] = implicitTo(e, t)
	}
	return t, out
}
