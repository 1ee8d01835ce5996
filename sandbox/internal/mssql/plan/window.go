package plan

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/builtin"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
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
	if x.OverClause.WindowFrameClause != nil {
		panic(sqlerr.NotSupported("ROWS or RANGE in OVER"))
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
	fn, t, null := n.windowFunc(name, w, params)
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

func (n *names) windowFunc(name string, w *window, params []*expr) (query.WindowFunc, datatype.Type, bool) {
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
	}
	switch name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK":
		need(0, 0)
		ordered()
		return ranking[name], big, false
	}
	if _, ok := builtin.LookupAggregate(name); !ok {
		panic(sqlerr.NotSupported("%s OVER", name))
	}
	need(1, 1)
	agg, t, null := n.aggregateOf(name, params[0], false)
	frame := query.Between(query.FirstRow, query.LastRow)
	if len(w.Order) > 0 {
		frame = query.Between(query.FirstRow, query.LastPeer)
	}
	return query.Over(agg, frame), t, null
}

var ranking = map[string]query.WindowFunc{"ROW_NUMBER": query.RowNumber, "RANK": query.Rank, "DENSE_RANK": query.DenseRank}
