package query

import "github.com/dbsched/dbsched/sandbox/internal/value"

// And is the conjunction of conditions, evaluated in order up to one that is false; nil for none.
func And(conds []Expr) Expr { return junction(conds, false) }

// Or is the disjunction of conditions, evaluated in order up to one that is true; nil for none.
func Or(conds []Expr) Expr { return junction(conds, true) }

// junction is decided by the first condition with the value decides; else it is unknown if one of them is.
func junction(conds []Expr, decides bool) Expr {
	switch len(conds) {
	case 0:
		return nil
	case 1:
		return conds[0]
	}
	return func(fr *Frame) value.Value {
		out := value.NewBool(!decides)
		for _, f := range conds {
			v := f(fr)
			switch {
			case v.IsNull():
				out = v
			case v.IsTrue() == decides:
				return v
			}
		}
		return out
	}
}

// Not is the negation of a condition; unknown stays unknown.
func Not(cond Expr) Expr {
	return func(fr *Frame) value.Value {
		v := cond(fr)
		if v.IsNull() {
			return v
		}
		return value.NewBool(!v.IsTrue())
	}
}

// Once is an expression that is evaluated when it is first asked for and then remembered for the run.
func Once(memo int, e Expr) Expr {
	return func(fr *Frame) value.Value {
		v, ok := fr.Memos[memo].(value.Value)
		if !ok {
			v = e(fr)
			fr.Memos[memo] = v
		}
		return v
	}
}

// Exists is the condition that op has a row.
func Exists(op Op) Expr {
	return func(fr *Frame) value.Value { return value.NewBool(Probe(fr, op)) }
}

// Single is e of the only row of op: NULL if it has none; tooMany, which raises an error, is called if it has
// more than one.
func Single(op Op, e Expr, tooMany func()) Expr {
	return func(fr *Frame) (v value.Value) {
		n := 0
		Each(fr, op, func() bool {
			if n++; n > 1 {
				tooMany()
			}
			v = e(fr)
			return true
		})
		return v
	}
}

// Some is the condition that cond is true for one of op's rows; it is unknown if cond is true for none but unknown
// for one.
func Some(op Op, cond Expr) Expr {
	return func(fr *Frame) value.Value {
		out := value.NewBool(false)
		Each(fr, op, func() bool {
			if v := cond(fr); v.IsTrue() || v.IsNull() {
				out = v
			}
			return !out.IsTrue()
		})
		return out
	}
}

// EachRow is Each for rows to be changed: fn gets the identity of each stored row of a slot once, however often
// op finds it and with whatever other rows; rows that an outer join filled with NULLs are left out.
func EachRow(fr *Frame, op Op, slot int, fn func(id int64)) {
	seen := map[int64]bool{}
	Each(fr, op, func() bool {
		if id := fr.Slots[slot].ID; id != Missing && !seen[id] {
			seen[id] = true
			fn(id)
		}
		return true
	})
}
