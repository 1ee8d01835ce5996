package plan

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// window is the window functions of a query that share PARTITION BY and ORDER BY.
type window = expression.Window[expr, *expr]

func windowOnly(name string) bool {
	switch name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE":
		return true
	}
	return false
}

// windowFunction binds f(…) OVER (…).
func (n *names) windowFunction(name string, x *ast.FunctionCall) *expr {
	if n.gather == nil {
		panic(message.MS(4108))
	}
	if x.UniqueRowFilter == "Distinct" {
		panic(message.MS(10759))
	}
	args := *n
	args.gather = &gathering{sel: n.gather.sel} // aggregates inside belong to the group, windows do not nest
	bind := func(e ast.ScalarExpression) *expr {
		b := args.scalar(e)
		if len(args.gather.windows) > 0 {
			panic(message.MS(4109))
		}
		return b
	}
	args.gather.aggs = n.gather.aggs
	w := &window{}
	for _, p := range x.OverClause.Partitions {
		w.Part = append(w.Part, bind(p))
	}
	if o := x.OverClause.OrderByClause; o != nil {
		for _, el := range o.OrderByElements {
			e := bind(el.Expression)
			if e.Shape == expression.Constant && e.literal && e.Type.IsInteger() {
				panic(message.MS(5308))
			} else if e.Shape == expression.Constant && e.literal {
				panic(message.MS(5309))
			}
			w.Order = append(w.Order, orderBy{E: e, Desc: el.SortOrder == "Descending"})
		}
	}
	var params []*expr
	for _, p := range x.Parameters {
		if ref, ok := p.(*ast.ColumnReferenceExpression); ok && ref.ColumnType == "Wildcard" {
			params = append(params, nil)
			continue
		}
		params = append(params, bind(p))
	}
	n.gather.aggs = args.gather.aggs
	fn, t, null := n.windowFunc(name, w, params, x.OverClause.WindowFrameClause)
	w.Funcs = []query.WindowFunc{fn}
	for _, e := range params {
		if e != nil {
			w.Args = append(w.Args, e)
		}
	}
	var at expression.Slot
	var ord int
	n.gather.windows, at, ord = expression.Over(&n.c.Layout, n.gather.windows, w)
	e := columnExpr(at, ord, t, null, "")
	e.Shape = expression.Opaque
	return e
}

func (n *names) windowFunc(name string, w *window, params []*expr, frame *ast.WindowFrameClause) (query.WindowFunc, datatype.Type, bool) {
	big := datatype.Of(datatype.BigInt)
	need := func(lo, hi int) {
		if len(params) < lo || len(params) > hi {
			panic(message.MS(174, strings.ToLower(name), lo))
		}
	}
	ordered := func() {
		if len(w.Order) == 0 {
			panic(message.MS(4112, name))
		}
		if frame != nil && name != "FIRST_VALUE" && name != "LAST_VALUE" {
			panic(message.MS(10752, name))
		}
	}
	switch name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK":
		need(0, 0)
		ordered()
		return ranking[name], big, false
	case "LAG", "LEAD":
		need(1, 3)
		ordered()
		return lag(name == "LAG", params), params[0].Type, true
	case "FIRST_VALUE":
		need(1, 1)
		ordered()
		return query.FirstValue(params[0].Eval, n.windowFrame(w, frame)), params[0].Type, true
	case "LAST_VALUE":
		need(1, 1)
		ordered()
		return query.LastValue(params[0].Eval, n.windowFrame(w, frame)), params[0].Type, true
	}
	if !isAggregate(name) || name == "STRING_AGG" {
		panic(sqlerr.NotSupported("%s OVER", name))
	}
	need(1, 1)
	agg, t, null := n.aggregateOf(name, params[0], false, "")
	return query.Over(agg, n.windowFrame(w, frame)), t, null
}

var ranking = map[string]query.WindowFunc{"ROW_NUMBER": query.RowNumber, "RANK": query.Rank, "DENSE_RANK": query.DenseRank}

// lag is LAG (back) or LEAD.
func lag(back bool, params []*expr) query.WindowFunc {
	offset := constExpr(value.NewInt(1), datatype.Of(datatype.BigInt))
	if len(params) > 1 {
		offset = assignTo(params[1], offset.Type)
	}
	other := constExpr(value.Value{}, params[0].Type)
	if len(params) > 2 {
		other = assignTo(params[2], params[0].Type)
	}
	return query.Shifted(params[0].Eval, other.Eval, func(p *query.Partition, i int) int64 {
		d := p.Eval(i, offset.Eval)
		if d.IsNull() || d.N < 0 {
			panic(message.MS(8730))
		}
		if back {
			return -d.N
		}
		return d.N
	})
}

func (n *names) windowFrame(w *window, frame *ast.WindowFrameClause) query.WindowFrame {
	if frame == nil {
		if len(w.Order) == 0 {
			return query.Between(query.FirstRow, query.LastRow)
		}
		return query.Between(query.FirstRow, query.LastPeer)
	}
	if len(w.Order) == 0 {
		panic(message.MS(10756))
	}
	rows := strings.EqualFold(frame.WindowFrameType, "Rows")
	edge := func(d *ast.WindowDelimiter, peer query.Edge) query.Edge {
		kind := "CurrentRow"
		if d != nil {
			kind = d.WindowDelimiterType
		}
		switch {
		case kind == "UnboundedPreceding":
			return query.FirstRow
		case kind == "UnboundedFollowing":
			return query.LastRow
		case kind == "CurrentRow" && rows:
			return query.RowAt(0)
		case kind == "CurrentRow":
			return peer
		case !rows:
			panic(message.MS(4194))
		}
		by := n.scalar(d.OffsetValue)
		if by.Shape != expression.Constant || by.Const.Kind != value.Int || by.Const.N < 0 {
			panic(sqlerr.NotSupported("window frame offset that is no constant"))
		}
		if kind == "ValuePreceding" {
			return query.RowAt(-int(by.Const.N))
		}
		return query.RowAt(int(by.Const.N))
	}
	return query.Between(edge(frame.Top, query.FirstPeer), edge(frame.Bottom, query.LastPeer))
}
