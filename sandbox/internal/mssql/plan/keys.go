package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// orderKey is an element of ORDER BY.
type orderKey struct {
	e    *expr
	desc bool
}

// orders is what the optimizer needs to know of ORDER BY.
func orders(list []orderKey) []optimizer.Order {
	out := make([]optimizer.Order, len(list))
	for i, o := range list {
		out[i] = optimizer.Order{Slot: -1, Desc: o.desc, Fixed: o.e.shape == constant || o.e.shape == variable}
		if o.e.shape == column {
			out[i].Slot, out[i].Ord = o.e.slot, o.e.ord
		}
	}
	return out
}

// sortKey is an order-preserving image of ORDER BY.
func sortKey(order []orderKey) query.Key {
	return func(fr *query.Frame, dst []byte) []byte {
		for _, o := range order {
			dst = datatype.AppendKey(dst, o.e.eval(fr), o.e.typ, o.desc)
		}
		return dst
	}
}

// sortOp sorts; the seed decides the order of rows that are equal.
func sortOp(child query.Op, slots []int, order []orderKey) query.Op {
	return &query.Sort{Child: child, Slots: slots, Key: sortKey(order), Choose: func(fr *query.Frame, n int) int {
		return env(fr).Kernel().Choose("rows equal in ORDER BY", n)
	}}
}

// groupKey is an image of expressions under which equal rows (NULL equals NULL) are the same.
func groupKey(list []*expr) query.Key {
	return func(fr *query.Frame, dst []byte) []byte {
		for _, e := range list {
			dst = datatype.AppendKey(dst, e.eval(fr), e.typ, false)
		}
		return dst
	}
}

func evals(list []*expr) []query.Expr {
	out := make([]query.Expr, len(list))
	for i, e := range list {
		out[i] = e.eval
	}
	return out
}
