package plan

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/builtin"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// isAggregate has the names of aggregates, including those that are refused.
func isAggregate(name string) bool {
	switch name {
	case "COUNT", "SUM", "AVG", "MIN", "MAX", "LISTAGG", "MEDIAN", "STDDEV", "STDDEV_POP", "STDDEV_SAMP", "VARIANCE", "VAR_POP", "VAR_SAMP",
		"CORR", "COVAR_POP", "COVAR_SAMP", "COLLECT", "GROUPING", "GROUPING_ID", "GROUP_ID", "PERCENTILE_CONT", "PERCENTILE_DISC", "STATS_MODE",
		"APPROX_COUNT_DISTINCT", "XMLAGG", "JSON_ARRAYAGG", "JSON_OBJECTAGG", "ANY_VALUE", "BIT_AND_AGG", "BIT_OR_AGG":
		return true
	}
	return false
}

var extremes = map[string]int{"MIN": -1, "MAX": 1}

// windowOnly has the functions that need OVER.
func windowOnly(name string) bool {
	switch name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "RATIO_TO_REPORT",
		"CUME_DIST", "PERCENT_RANK":
		return true
	}
	return false
}

// hasAggregate reports whether an expression calls an aggregate of its own query: not one with OVER, but perhaps one
// in the arguments of one with OVER.
func hasAggregate(e ast.Expr) bool {
	found := false
	walk(e, func(n ast.Expr) bool {
		if c, ok := n.(*ast.Call); ok && c.Over == nil {
			ref, ok := c.Func.(*ast.Ref)
			found = found || ok && isAggregate(ref.Word())
		}
		return !found
	})
	return found
}

// hasSubquery reports whether an expression has a scalar subquery that is not in the arguments of an aggregate.
func hasSubquery(e ast.Expr) bool {
	found := false
	walk(e, func(n ast.Expr) bool {
		switch x := n.(type) {
		case *ast.Subquery:
			found = true
		case *ast.Call:
			ref, ok := x.Func.(*ast.Ref)
			return !found && (x.Over != nil || !ok || !isAggregate(ref.Word()))
		}
		return !found
	})
	return found
}

// column replaces a column of a source by the group's.
func (g *grouping) column(e *Expr) *Expr {
	if k := g.keys[e.Key]; k != nil && e.Key != "" {
		return k
	}
	if e.Refs.Empty() { // reads nothing from a row
		return e
	}
	if len(g.by) == 0 {
		fail(937)
	}
	fail(979)
	return nil
}

// match finds a whole expression, without aggregates and subqueries, among the grouping expressions.
func (g *grouping) match(b *binder, e ast.Expr) *Expr {
	switch e.(type) {
	case *ast.Ref, *ast.Bind, *ast.Number, *ast.String, *ast.Null, *ast.DateTime, *ast.Interval:
		return nil
	}
	if !slices.ContainsFunc(g.by, func(by *Expr) bool { return by.Shape != expression.Column }) {
		return nil
	}
	plain := true
	walk(e, func(n ast.Expr) bool {
		switch x := n.(type) {
		case *ast.Call:
			ref, ok := x.Func.(*ast.Ref)
			plain = plain && x.Over == nil && (!ok || !isAggregate(ref.Word()))
		case *ast.Subquery, *ast.Exists:
			plain = false
		case *ast.In:
			plain = plain && x.Query == nil
		}
		return plain
	})
	if !plain {
		return nil
	}
	bound := b.plain().bind(e)
	if bound.Key == "" {
		return nil
	}
	return g.keys[bound.Key]
}

// aggregate binds a call of an aggregate of the query.
func (b *binder) aggregate(name string, x *ast.Call) *Expr {
	if b.gather == nil || b.gather.group == nil {
		fail(934)
	}
	for _, a := range x.Args {
		if hasAggregate(a.Value) {
			if len(b.gather.group.by) == 0 {
				fail(978)
			}
			refuse("nested aggregates")
		}
	}
	args, key := b.aggregateArgs(name, x, b.plain())
	agg, t := b.aggregateOf(name, x, args)
	g := b.gather
	one := expression.Aggregate[*Expr]{Key: key, Agg: agg}
	if len(args) > 0 {
		one.Arg = args[0]
	}
	if x.Keep == nil {
		one.Extreme = extremes[name]
	}
	var at int
	g.aggs, at = expression.AddAggregate(g.aggs, one)
	e := columnExpr(g.group.at, len(g.group.by)+at, t, name != "COUNT", "")
	e.Shape = expression.Opaque
	return e
}

// aggregateArgs binds the arguments of an aggregate (none for COUNT(*)) and gives the canonical text of the call, "" if
// it has none.
func (b *binder) aggregateArgs(name string, x *ast.Call, in *binder) (args []*Expr, key string) {
	known := true
	var text strings.Builder
	fmt.Fprintf(&text, "%s(%t", name, x.Distinct)
	for _, a := range x.Args {
		if _, star := a.Value.(*ast.Star); star {
			if name != "COUNT" || len(x.Args) > 1 || x.Distinct {
				fail(936)
			}
			text.WriteString(" *")
			continue
		}
		if a.Name != nil {
			refuse("named arguments of function %s", name)
		}
		e := in.expr(a.Value)
		b.scalars(name, e)
		args = append(args, e)
		known = known && e.Key != ""
		text.WriteString(" " + e.Key)
	}
	if !known || len(x.Within) > 0 || x.Keep != nil {
		return args, ""
	}
	return args, text.String()
}

// aggregateOf prepares an aggregate; no argument means COUNT(*).
func (b *binder) aggregateOf(name string, x *ast.Call, args []*Expr) (query.Agg, datatype.Type) {
	f, ok := builtin.LookupAggregate(name)
	if !ok {
		refuse("aggregate %s", name)
	}
	switch {
	case len(args) == 0 && x.Keep != nil, name == "LISTAGG" && x.Keep != nil:
		refuse("KEEP of %s(*)", name)
	case len(args) == 0 && len(x.Args) == 1:
		t := query.Must(f.Result(datatype.Of(datatype.Number)))
		return query.Agg{New: func(fr *query.Frame) query.Acc {
			return query.Raising(f.New(datatype.Of(datatype.Number), "", nil))
		}}, t
	case len(args) == 0, len(args) > 1 && !f.Separator, len(args) > 2:
		fail(909)
	}
	in, separator := args[0].Type, ""
	if len(args) == 2 {
		sep, ok := args[1].ConstantValue()
		if !ok || !args[1].Type.IsText() && !sep.IsNull() {
			refuse("a separator that is no text literal")
		}
		separator = sep.Str()
	}
	t := query.Must(f.Result(in))
	agg := query.Agg{Arg: args[0].Eval, New: func(fr *query.Frame) query.Acc {
		return query.Raising(f.New(collated(fr, in), separator, env(fr).Format(false)))
	}}
	if x.Distinct && x.Keep != nil {
		refuse("KEEP with DISTINCT")
	}
	if x.Distinct {
		if b.c.linguistic(in) {
			refuse("DISTINCT in an aggregate of text with NLS_COMP = LINGUISTIC")
		}
		agg.Distinct = func(v value.Value, dst []byte) []byte { return datatype.AppendKey(dst, v, in, false, false) }
	}
	switch {
	case name != "LISTAGG" && len(x.Within) > 0:
		refuse("WITHIN GROUP of %s", name)
	case name == "LISTAGG" && len(x.Within) == 0:
		refuse("LISTAGG without WITHIN GROUP (ORDER BY …)")
	case name == "LISTAGG":
		inOrder(&agg, b.plain().orderKeys(x.Within), nil)
	case x.Keep != nil:
		inOrder(&agg, b.plain().orderKeys(x.Keep.OrderBy), x.Keep)
	}
	return agg, t
}

// inOrder makes an aggregate take its values in an order, and with KEEP only those that are first or last in it.
func inOrder(agg *query.Agg, order []orderBy, keep *ast.Keep) {
	key, arg, start, distinct := rules.SortKey(order), agg.Arg, agg.New, agg.Distinct
	agg.Arg = func(fr *query.Frame) value.Value { return value.NewRef(item{arg(fr), key(fr, nil)}) }
	agg.New = func(fr *query.Frame) query.Acc { return &orderedAcc{to: start(fr), keep: keep} }
	if distinct != nil {
		agg.Distinct = func(v value.Value, dst []byte) []byte { return distinct(v.Any().(item).v, dst) }
	}
}

type item struct {
	v   value.Value
	key []byte
}

type orderedAcc struct {
	to    query.Acc
	keep  *ast.Keep
	items []item
}

// Add takes an item.
func (o *orderedAcc) Add(v value.Value) { o.items = append(o.items, v.Any().(item)) }

// Result passes the values on in order.
func (o *orderedAcc) Result() value.Value {
	slices.SortStableFunc(o.items, func(a, b item) int { return bytes.Compare(a.key, b.key) })
	for _, it := range o.items {
		best := o.items[0]
		if o.keep != nil && o.keep.Last {
			best = o.items[len(o.items)-1]
		}
		if o.keep == nil || bytes.Equal(it.key, best.key) {
			o.to.Add(it.v)
		}
	}
	return o.to.Result()
}
