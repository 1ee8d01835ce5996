package plan

import (
	"reflect"
	"strings"

	"github.com/sqlc-dev/teesql/ast"
)

// walk visits the nodes below x, x included, as long as visit returns true for them.
func walk(x any, visit func(node any) bool) {
	if x == nil {
		return
	}
	walkValue(reflect.ValueOf(x), visit)
}

func walkValue(v reflect.Value, visit func(node any) bool) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			walkValue(v.Elem(), visit)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct || !visit(v.Interface()) {
			return
		}
		walkValue(v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walkValue(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			walkValue(v.Index(i), visit)
		}
	}
}

// hasAggregate reports whether an expression calls an aggregate of the query that it stands in.
func hasAggregate(e any) bool {
	found := false
	walk(e, func(node any) bool {
		switch x := node.(type) {
		case *ast.ScalarSubquery, *ast.ExistsPredicate:
			return false
		case *ast.BooleanInExpression:
			return x.Subquery == nil || !found
		case *ast.QuerySpecification, *ast.BinaryQueryExpression:
			return false
		case *ast.FunctionCall:
			if x.OverClause == nil && x.CallTarget == nil && isAggregate(x.FunctionName.Value) {
				found = true
			}
			if x.OverClause != nil { // its arguments may be aggregates of the group
				for _, p := range x.Parameters {
					found = found || hasAggregate(p)
				}
				found = found || hasAggregate(x.OverClause)
				return false
			}
		}
		return !found
	})
	return found
}

// hasAggregateIn reports whether a query without GROUP BY is one group because of its aggregates.
func hasAggregateIn(q *ast.QuerySpecification) bool {
	for _, e := range q.SelectElements {
		if hasAggregate(e) {
			return true
		}
	}
	return q.OrderByClause != nil && hasAggregate(q.OrderByClause)
}

// mentions reports whether a query names a table without a schema.
func mentions(q any, name string) bool {
	found := false
	walk(q, func(node any) bool {
		if t, ok := node.(*ast.NamedTableReference); ok && t.SchemaObject.SchemaIdentifier == nil && strings.EqualFold(t.SchemaObject.BaseIdentifier.Value, name) {
			found = true
		}
		return !found
	})
	return found
}
