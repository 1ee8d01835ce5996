package plan

import (
	"fmt"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/builtin"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/syntax"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func isAggregate(name string) bool {
	switch strings.ToUpper(name) {
	case "COUNT", "COUNT_BIG", "SUM", "AVG", "MIN", "MAX", "STRING_AGG", "CHECKSUM_AGG", "STDEV", "STDEVP", "VAR", "VARP",
		"GROUPING", "GROUPING_ID", "APPROX_COUNT_DISTINCT":
		return true
	}
	return false
}

var extremes = map[string]int{"MIN": -1, "MAX": 1}

// aggregate binds a call of an aggregate function of the query.
func (n *names) aggregate(name string, x *ast.FunctionCall) *expr {
	if n.gather == nil || n.gather.sel == nil {
		panic(message.MS(147))
	}
	if _, ok := builtin.LookupAggregate(name); !ok {
		panic(sqlerr.NotSupported("aggregate %s", name))
	}
	if len(x.Parameters) != 1 {
		panic(message.MS(174, strings.ToLower(name), 1))
	}
	var arg *expr
	if ref, ok := x.Parameters[0].(*ast.ColumnReferenceExpression); !ok || ref.ColumnType != "Wildcard" {
		if hasAggregate(x.Parameters[0]) {
			panic(message.MS(130))
		}
		syntax.Walk(x.Parameters[0], func(node any) bool {
			if f, ok := node.(*ast.FunctionCall); ok && f.OverClause != nil {
				panic(message.MS(4109))
			}
			return true
		})
		arg = n.plain().scalar(x.Parameters[0])
		if arg.Key == "" && containsQuery(x.Parameters[0]) {
			panic(message.MS(130))
		}
	}
	distinct := x.UniqueRowFilter == "Distinct"
	s := n.gather.sel
	key := ""
	if arg == nil {
		key = name + "(*)"
	} else if arg.Key != "" {
		key = fmt.Sprintf("%s(%t %s)", name, distinct, arg.Key)
	}
	agg, t, null := n.aggregateOf(name, arg, distinct)
	var at int
	n.gather.aggs, at = expression.AddAggregate(n.gather.aggs, expression.Aggregate[*expr]{Key: key, Agg: agg, Arg: arg, Extreme: extremes[name]})
	e := columnExpr(s.group, len(s.by)+at, t, null, "")
	e.Shape = expression.Opaque
	if arg != nil {
		e.coll = arg.coll
	}
	return e
}

func containsQuery(e any) bool {
	found := false
	syntax.Walk(e, func(node any) bool {
		switch node.(type) {
		case *ast.QuerySpecification, *ast.BinaryQueryExpression:
			found = true
		}
		return !found
	})
	return found
}

// aggregateOf prepares an aggregate of an argument; nil: COUNT(*).
func (n *names) aggregateOf(name string, arg *expr, distinct bool) (query.Agg, datatype.Type, bool) {
	if arg == nil && name != "COUNT" && name != "COUNT_BIG" {
		panic(message.MS(102, "*"))
	}
	var agg query.Agg
	var in datatype.Type
	if arg != nil {
		in = arg.Type
		agg.Arg = arg.Eval
	}
	f, _ := builtin.LookupAggregate(name)
	if arg == nil {
		in = datatype.Of(datatype.Int)
	}
	t := query.Must(f.Result(in))
	if t.IsCharacter() {
		t = t.WithCollation(in.Coll)
	}
	if distinct {
		agg.Distinct = func(v value.Value, dst []byte) []byte { return datatype.AppendKey(dst, v, in, false) }
		if !in.IsComparable() {
			panic(datatype.ErrOperand(in, strings.ToLower(name)))
		}
	}
	warn := n.sc.Settings().AnsiWarnings && arg != nil
	agg.New = func(fr *query.Frame) query.Acc {
		acc := query.Raising(f.New(in))
		if !warn {
			return acc
		}
		return &warned{Acc: acc, fr: fr}
	}
	if arg != nil && arg.Null || name != "COUNT" && name != "COUNT_BIG" {
		return agg, t, name != "COUNT" && name != "COUNT_BIG"
	}
	return agg, t, false
}

// warned tells the client that NULLs were left out.
type warned struct {
	query.Acc
	fr *query.Frame
}

func (w *warned) Add(v value.Value) {
	if v.IsNull() {
		env(w.fr).Warn(message.MS(8153))
	}
	w.Acc.Add(v)
}

// gathering collects the aggregates and window functions that a query's expressions use.
type gathering struct {
	sel     *selection
	aggs    []expression.Aggregate[*expr]
	windows []*window
}

// grouping is what may be named after GROUP BY.
type grouping struct {
	keys map[string]*expr // canonical text of a grouping expression: its column in the group row
	bare bool             // all of them are plain columns
	part string           // the part of the query that is being bound, for messages
}

// column replaces a column of the source by that of the group.
func (g *grouping) column(e *expr, alias string) *expr {
	if k := g.keys[e.Key]; k != nil {
		return k
	}
	number := map[string]int32{"select list": 8120, "HAVING clause": 8121, "ORDER BY clause": 8127}[g.part]
	panic(sqlerr.New(number, "Column '%s.%s' is invalid in the %s because it is not contained in either an aggregate function or the GROUP BY clause.", alias, e.Name, g.part))
}

// match finds a whole expression among the grouping expressions.
func (g *grouping) match(n *names, e ast.ScalarExpression) *expr {
	switch e.(type) {
	case *ast.ColumnReferenceExpression, *ast.VariableReference, *ast.IntegerLiteral, *ast.StringLiteral, *ast.ParenthesisExpression, *ast.ScalarSubquery:
		return nil
	}
	if g.bare || hasAggregate(e) {
		return nil
	}
	bound := n.plain().scalar(e)
	if bound.Key == "" {
		return nil
	}
	return g.keys[bound.Key]
}

func (s *selection) bindGroup() {
	n := s.n
	s.group = n.c.Slot(64) // its columns are known only when all aggregates are; the width is set then
	g := &grouping{keys: map[string]*expr{}, bare: true}
	if c := s.q.GroupByClause; c != nil {
		if c.All || c.GroupByOption != "" && c.GroupByOption != "None" {
			panic(sqlerr.NotSupported("GROUP BY ALL, CUBE or ROLLUP"))
		}
		for _, spec := range c.GroupingSpecifications {
			x, ok := spec.(*ast.ExpressionGroupingSpecification)
			if !ok || x.DistributedAggregation {
				panic(sqlerr.NotSupported("%T", spec))
			}
			if hasAggregate(x.Expression) {
				panic(message.MS(144))
			}
			e := n.scalar(x.Expression)
			if e.Key == "" {
				panic(message.MS(144))
			}
			if e.Refs.Empty() {
				panic(message.MS(164))
			}
			if !e.Type.IsComparable() {
				panic(message.MS(306))
			}
			k := columnExpr(s.group, len(s.by), e.Type, e.Null, e.Name)
			k.identity = false
			g.keys[e.Key] = k
			g.bare = g.bare && e.Shape == expression.Column
			s.by = append(s.by, e)
		}
	}
	n.group = g
}
