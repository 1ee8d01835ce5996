package plan

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
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
		if !b.Type.IsInteger() && b.Type.ID != datatype.Bit {
			if b.Type.IsUntyped() || b.Type.IsNumeric() || b.Type.IsCharacter() {
				panic(message.MS(1060))
			}
			query.Check(datatype.CheckImplicit(b.Type, big))
		}
		return implicitTo(b, big)
	}
	switch {
	case top != nil && off != nil:
		panic(message.MS(10741))
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
	if t == nil || t.count == nil || t.skip != nil && t.skip.Shape != expression.Constant {
		return 0
	}
	rows := 100.0
	if t.count.Shape == expression.Constant {
		rows = float64(t.count.Const.N)
	}
	if t.skip != nil {
		rows += float64(t.skip.Const.N)
	}
	return max(1, rows)
}

func (t *topSpec) op(child query.Op, order []orderBy) query.Op {
	out := &query.Top{Child: child}
	if t.count != nil {
		f, fetch := t.count.Eval, t.fetch
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
		f := t.skip.Eval
		out.Skip = func(fr *query.Frame) int64 {
			v := f(fr)
			if v.IsNull() || v.N < 0 {
				panic(message.MS(10742))
			}
			return v.N
		}
	}
	if t.ties {
		out.Ties = rules.SortKey(order)
	}
	return out
}
