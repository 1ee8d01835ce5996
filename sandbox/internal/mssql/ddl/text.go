package ddl

import (
	"strings"
	"unicode/utf16"

	"github.com/dbsched/dbsched/sandbox/internal/syntax"
	"github.com/sqlc-dev/teesql/ast"
)

// source returns the text of a node in the batch. Offsets count UTF-16 code units.
func source(text string, f *ast.Fragment) string {
	u := utf16.Encode([]rune(text))
	if f.StartOffset < 0 || f.EndOffset() > len(u) {
		return ""
	}
	return string(utf16.Decode(u[f.StartOffset:f.EndOffset()]))
}

// columnRefs returns the names of the columns that an expression refers to, in the order of
// their first use.
func columnRefs(n any) []string {
	var out []string
	seen := map[string]bool{}
	syntax.Walk(n, func(node any) bool {
		c, ok := node.(*ast.ColumnReferenceExpression)
		if !ok || c.MultiPartIdentifier == nil {
			return true
		}
		if name := lastIdentifier(c); !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
		return true
	})
	return out
}

// normal writes an expression as the server shows it in its catalog: literals in parentheses,
// names in brackets, keywords in capitals. It copies expressions that it does not know from the batch.
func (x *run) normal(e ast.ScalarExpression) string {
	switch n := e.(type) {
	case *ast.ParenthesisExpression:
		return x.normal(n.Expression)
	case *ast.IntegerLiteral:
		return "(" + n.Value + ")"
	case *ast.NumericLiteral:
		return "(" + n.Value + ")"
	case *ast.StringLiteral:
		prefix := ""
		if n.IsNational {
			prefix = "N"
		}
		return prefix + "'" + strings.ReplaceAll(n.Value, "'", "''") + "'"
	case *ast.NullLiteral:
		return "NULL"
	case *ast.UnaryExpression:
		if n.UnaryExpressionType == "Negative" {
			if l, ok := n.Expression.(*ast.IntegerLiteral); ok {
				return "(-" + l.Value + ")"
			}
			return "-" + x.normal(n.Expression)
		}
	case *ast.ColumnReferenceExpression:
		if n.MultiPartIdentifier != nil {
			return quote(lastIdentifier(n))
		}
	case *ast.BinaryExpression:
		if op, ok := operators[n.BinaryExpressionType]; ok {
			return x.normal(n.FirstExpression) + op + x.normal(n.SecondExpression)
		}
	case *ast.FunctionCall:
		if n.CallTarget == nil && n.OverClause == nil && n.WithinGroupClause == nil {
			args := make([]string, len(n.Parameters))
			for i, p := range n.Parameters {
				args[i] = x.normal(p)
			}
			return strings.ToLower(n.FunctionName.Value) + "(" + strings.Join(args, ",") + ")"
		}
	case *ast.GlobalVariableExpression:
		return n.Name
	}
	if f, ok := e.(interface{ Frag() *ast.Fragment }); ok {
		return source(x.Text(), f.Frag())
	}
	return ""
}

var (
	operators = map[string]string{
		"Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/", "Modulo": "%",
		"BitwiseAnd": "&", "BitwiseOr": "|", "BitwiseXor": "^",
	}
	comparisons = map[string]string{
		"Equals": "=", "NotEqualToBrackets": "<>", "NotEqualToExclamation": "<>", "LessThan": "<", "GreaterThan": ">",
		"LessThanOrEqualTo": "<=", "GreaterThanOrEqualTo": ">=", "NotLessThan": ">=", "NotGreaterThan": "<=",
	}
)

// normalBool writes a search condition as sys.indexes shows the filter of an index.
func (x *run) normalBool(e ast.BooleanExpression) string {
	switch n := e.(type) {
	case *ast.BooleanParenthesisExpression:
		return x.normalBool(n.Expression)
	case *ast.BooleanComparisonExpression:
		return x.normal(n.FirstExpression) + comparisons[n.ComparisonType] + x.normal(n.SecondExpression)
	case *ast.BooleanBinaryExpression:
		return x.operand(n, n.FirstExpression) + " " + strings.ToUpper(n.BinaryExpressionType) + " " + x.operand(n, n.SecondExpression)
	case *ast.BooleanIsNullExpression:
		if n.IsNot {
			return x.normal(n.Expression) + " IS NOT NULL"
		}
		return x.normal(n.Expression) + " IS NULL"
	case *ast.BooleanInExpression:
		if n.Subquery == nil && !n.NotDefined {
			values := make([]string, len(n.Values))
			for i, v := range n.Values {
				values[i] = x.normal(v)
			}
			return x.normal(n.Expression) + " IN (" + strings.Join(values, ", ") + ")"
		}
	case *ast.BooleanNotExpression:
		return "NOT (" + x.normalBool(n.Expression) + ")"
	case *ast.BooleanLikeExpression:
		if n.EscapeExpression == nil && !n.NotDefined {
			return x.normal(n.FirstExpression) + " like " + x.normal(n.SecondExpression)
		}
	}
	if f, ok := e.(interface{ Frag() *ast.Fragment }); ok {
		return source(x.Text(), f.Frag())
	}
	return ""
}

// operand puts an OR inside an AND in parentheses.
func (x *run) operand(parent *ast.BooleanBinaryExpression, e ast.BooleanExpression) string {
	inner := e
	for {
		p, ok := inner.(*ast.BooleanParenthesisExpression)
		if !ok {
			break
		}
		inner = p.Expression
	}
	if b, ok := inner.(*ast.BooleanBinaryExpression); ok && b.BinaryExpressionType != parent.BinaryExpressionType {
		return "(" + x.normalBool(b) + ")"
	}
	return x.normalBool(inner)
}

// normalCheck writes a search condition as sys.check_constraints shows it: like normalBool, but
// an IN list has become comparisons joined by OR, the last value first.
func (x *run) normalCheck(e ast.BooleanExpression) string {
	switch n := e.(type) {
	case *ast.BooleanParenthesisExpression:
		return x.normalCheck(n.Expression)
	case *ast.BooleanBinaryExpression:
		and := func(e ast.BooleanExpression) string {
			text := x.normalCheck(e)
			if n.BinaryExpressionType == "And" && strings.Contains(text, " OR ") {
				return "(" + text + ")"
			}
			return text
		}
		return and(n.FirstExpression) + " " + strings.ToUpper(n.BinaryExpressionType) + " " + and(n.SecondExpression)
	case *ast.BooleanInExpression:
		if n.Subquery == nil && !n.NotDefined {
			var parts []string
			for i := len(n.Values) - 1; i >= 0; i-- {
				parts = append(parts, x.normal(n.Expression)+"="+x.normal(n.Values[i]))
			}
			return strings.Join(parts, " OR ")
		}
	case *ast.BooleanTernaryExpression:
		if n.TernaryExpressionType == "Between" {
			v := x.normal(n.FirstExpression)
			return v + ">=" + x.normal(n.SecondExpression) + " AND " + v + "<=" + x.normal(n.ThirdExpression)
		}
	}
	return x.normalBool(e)
}
