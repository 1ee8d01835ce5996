package plan

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// topSpec is TOP or OFFSET … FETCH.
type topSpec struct {
	skip, count *expr
	ties        bool
	fetch       bool
}

func (n *names) topFilter(top *ast.TopRowFilter, off *ast.OffsetClause) *topSpec {
	big := datatype.Of(datatype.BigInt)
	number := func(e ast.ScalarExpression) *expr {
		b := n.scalar(e)
		if !b.typ.IsInteger() && b.typ.ID != datatype.Bit {
			if b.typ.IsUntyped() || b.typ.IsNumeric() || b.typ.IsCharacter() {
				panic(message.MS(1060))
			}
			query.Check(datatype.CheckImplicit(b.typ, big))
		}
		return implicitTo(b, big)
	}
	switch {
	case top != nil:
		return &topSpec{count: number(top.Expression), ties: top.WithTies}
	case off != nil:
		t := &topSpec{skip: number(off.OffsetExpression), fetch: true}
		if off.FetchExpression != nil {
			t.count = number(off.FetchExpression)
		}
		return t
	}
	return nil
}

// goal is how many rows the planner expects to be asked for.
func (t *topSpec) goal() float64 {
	if t == nil || t.count == nil || t.skip != nil && t.skip.shape != constant {
		return 0
	}
	rows := 100.0
	if t.count.shape == constant {
		rows = float64(t.count.val.N)
	}
	if t.skip != nil {
		rows += float64(t.skip.val.N)
	}
	return max(1, rows)
}

func (t *topSpec) op(child query.Op, order []orderKey) query.Op {
	out := &query.Top{Child: child}
	if t.count != nil {
		f, fetch := t.count.eval, t.fetch
		out.Count = func(fr *query.Frame) int64 {
			v := f(fr)
			switch {
			case v.IsNull():
				panic(message.MS(1060))
			case v.N < 0:
				panic(message.MS(127))
			case v.N == 0 && fetch:
				panic(message.MS(10744))
			}
			return v.N
		}
	}
	if t.skip != nil {
		f := t.skip.eval
		out.Skip = func(fr *query.Frame) int64 {
			v := f(fr)
			if v.IsNull() || v.N < 0 {
				panic(message.MS(10742))
			}
			return v.N
		}
	}
	if t.ties {
		out.Ties = sortKey(order)
	}
	return out
}
