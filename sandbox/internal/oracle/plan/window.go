package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/builtin"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// windowFunc is a function with OVER; args are without the * of COUNT(*).
func (b *binder) windowFunc(w *window, name string, call *ast.Call, args []*Expr) query.WindowFunc {
	if call.Distinct && len(w.Order) > 0 {
		fail(30487)
	}
	switch name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK":
		if len(w.Order) == 0 {
			fail(30485)
		}
		if len(args) > 0 {
			fail(909)
		}
		return ranking[name]
	}
	if !isAggregate(name) || name == "LISTAGG" {
		refuse("analytic function %s", name)
	}
	agg, _ := b.aggregateOf(name, call, args)
	if agg.Distinct != nil {
		refuse("DISTINCT in an analytic function")
	}
	return query.Over(agg, windowFrame(w))
}

var ranking = map[string]query.WindowFunc{"ROW_NUMBER": query.RowNumber, "RANK": query.Rank, "DENSE_RANK": query.DenseRank}

// windowFrame is all rows, or with ORDER BY all rows up to the row's peers.
func windowFrame(w *window) query.WindowFrame {
	if len(w.Order) == 0 {
		return query.Between(query.FirstRow, query.LastRow)
	}
	return query.Between(query.FirstRow, query.LastPeer)
}

// window has the analytic functions of a query that share PARTITION BY and ORDER BY.
type window = expression.Window[Expr, *Expr]

// analytic binds f(…) OVER (…): its value is a column of its window's row, which the query fills.
func (b *binder) analytic(name string, x *ast.Call) *Expr {
	if b.gather == nil {
		fail(30483)
	}
	if x.Keep != nil || x.Within != nil {
		refuse("KEEP and WITHIN GROUP with OVER")
	}
	in := *b // aggregates inside belong to the group; windows do not nest
	in.gather = &gathering{group: b.gather.group, aggs: b.gather.aggs}
	w := &window{Part: in.exprs(x.Over.PartitionBy), Order: in.orderKeys(x.Over.OrderBy)}
	args, _ := b.aggregateArgs(name, x, &in)
	if len(in.gather.windows) > 0 {
		fail(30483)
	}
	b.gather.aggs = in.gather.aggs
	for _, e := range w.Part {
		b.sortable(e)
	}
	t := datatype.Of(datatype.Number)
	switch name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "RATIO_TO_REPORT", "CUME_DIST", "PERCENT_RANK":
	case "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE":
		if len(args) == 0 {
			fail(909)
		}
		t = args[0].Type
	default:
		f, ok := builtin.LookupAggregate(name)
		if !ok {
			refuse("analytic function %s", name)
		}
		of := t
		if len(args) > 0 {
			of = args[0].Type
		}
		t = query.Must(f.Result(of))
	}
	w.Args, w.Funcs = args, []query.WindowFunc{b.windowFunc(w, name, x, args)}
	var at expression.Slot
	var ord int
	b.gather.windows, at, ord = expression.Over(&b.c.Layout, b.gather.windows, w)
	e := columnExpr(at, ord, t, true, "")
	e.Shape = expression.Opaque
	return e
}

// grouping holds what may be named after GROUP BY.
type grouping struct {
	at   expression.Slot  // the row of a group: by, then the results of aggregates
	by   []*Expr          // the expressions of GROUP BY, as they were before grouping
	keys map[string]*Expr // canonical text of a grouping expression: its column in the group's row
}

// gathering collects the aggregates and analytic functions that a query's expressions use.
type gathering struct {
	group   *grouping                     // nil: the query is not grouped
	aggs    []expression.Aggregate[*Expr] // the result of aggs[i] is column len(by)+i of the group's row
	windows []*window
}

func (s *selection) bindGroup() {
	b := s.b
	// The columns of the group's row are known when all aggregates are; 256 reserves room for them in sets of columns.
	g := &grouping{at: b.c.Slot(256), keys: map[string]*Expr{}}
	for _, x := range s.q.GroupBy {
		if hasAggregate(x) {
			fail(934)
		}
		e := b.expr(x)
		b.sortable(e)
		if e.Key != "" {
			g.keys[e.Key] = columnExpr(g.at, len(g.by), e.Type, e.Null, e.Name)
		}
		g.by = append(g.by, e)
	}
	b.group, s.gather.group = g, g
}
