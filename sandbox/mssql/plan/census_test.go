package plan_test

import (
	"bytes"
	"context"
	"flag"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/sqlc-dev/teesql/ast"
	"github.com/sqlc-dev/teesql/parser"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/mssql"
	"github.com/dbsched/dbsched/sandbox/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/value"
)

// product is the SQL that dbsched installs, batch by batch.
func product(t *testing.T) []string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, mssql.Dialect{}.Render(&b, dialects.Layout{Schema: "dbsched", Lanes: 2}))
	return regexp.MustCompile(`(?m)^GO\s*$`).Split(b.String(), -1)
}

// nodes visits every node of a syntax tree.
func nodes(v reflect.Value, visit func(any) bool) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			nodes(v.Elem(), visit)
		}
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Kind() == reflect.Struct && visit(v.Interface()) {
			nodes(v.Elem(), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				nodes(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			nodes(v.Index(i), visit)
		}
	}
}

// compileAll compiles every query, assignment and condition of a batch and returns the access paths.
func (s *session) compileAll(batch *ast.Batch, text string, report func(line int, sql string, err error), paths func(sql, access string)) {
	s.names, s.types, s.vars, s.tables = nil, nil, nil, map[int]*catalog.Table{}
	var list []any
	nodes(reflect.ValueOf(batch), func(n any) bool {
		switch x := n.(type) {
		case *ast.ProcedureParameter:
			t, err := s.DataType(x.DataType)
			if err != nil {
				report(x.StartLine, "parameter", err)
			}
			s.declare(x.VariableName.Value, t, value.Value{})
		case *ast.DeclareVariableElement:
			t, err := s.DataType(x.DataType)
			if err != nil {
				report(x.StartLine, "variable", err)
			}
			s.declare(x.VariableName.Value, t, value.Value{})
			if x.Value != nil {
				list = append(list, x.Value)
			}
		case *ast.DeclareTableVariableStatement:
			report(x.StartLine, "table variable", s.declareTable(x))
		case *ast.CreateViewStatement:
			list = append(list, x.SelectStatement)
			return false
		case *ast.SelectStatement, *ast.InsertStatement, *ast.UpdateStatement, *ast.DeleteStatement, *ast.MergeStatement, *ast.SetVariableStatement:
			list = append(list, n)
			return false
		case *ast.IfStatement:
			list = append(list, x.Predicate)
		case *ast.WhileStatement:
			list = append(list, x.Predicate)
		case *ast.ReturnStatement:
			if x.Expression != nil {
				list = append(list, x.Expression)
			}
		}
		return true
	})
	for _, n := range list {
		f := n.(interface{ Frag() *ast.Fragment }).Frag()
		sql := ""
		if end := f.EndOffset(); end <= len(text) {
			sql = text[f.StartOffset:end]
		}
		var err error
		switch x := n.(type) {
		case *ast.SetVariableStatement:
			_, err = plan.CompileSetAssign(s, x)
		case ast.BooleanExpression:
			_, err = plan.CompilePredicate(s, x)
		case ast.ScalarExpression:
			_, err = plan.CompileExpr(s, x)
		case ast.Statement:
			var p *plan.Statement
			if p, err = plan.CompileStatement(s, x); err == nil && len(p.Access) > 0 {
				paths(sql, strings.Join(p.Access, "; "))
			}
		}
		if err != nil {
			report(f.StartLine, sql, err)
		}
	}
}

// paths shows the access paths: go test -run Census -v -args -paths.
var paths = flag.Bool("paths", false, "log the access path of every statement of the product")

var blanks = regexp.MustCompile(`\s+`)

// elsewhere are the modules that need a function, a procedure's table or a table type, which this test's engine has
// not got: the engine itself compiles and runs them in the integration tests.
var elsewhere = regexp.MustCompile(`ReadParameters|TaskTable|@Rows\b|msdb`)

// TestCensus compiles all the SQL of the product: what does not compile cannot run.
func TestCensus(t *testing.T) {
	s := newEngine().session(t)
	s.run("CREATE SCHEMA dbsched")
	var failures, access []string
	name := regexp.MustCompile(`(?i)CREATE OR ALTER (?:PROCEDURE|VIEW) (\S+)`)
	for _, text := range product(t) {
		if name.MatchString(text) && elsewhere.MatchString(text) || strings.Contains(text, "FUNCTION") && elsewhere.MatchString(text) {
			continue
		}
		script, err := parser.Parse(context.Background(), strings.NewReader(text))
		if err != nil {
			t.Logf("parser: %v in %.80s", err, text)
			failures = append(failures, err.Error())
			continue
		}
		unit := "batch"
		if m := name.FindStringSubmatch(text); m != nil {
			unit = m[1]
		}
		for _, b := range script.Batches {
			create := false
			nodes(reflect.ValueOf(b), func(n any) bool {
				switch x := n.(type) {
				case *ast.CreateTableStatement, *ast.AlterTableAddTableElementStatement, *ast.CreateIndexStatement:
					create = true
					var rows []string
					s.text = text
					if err := s.statement(x.(ast.Statement), &rows); err != nil {
						t.Logf("%s: %v", unit, err)
					}
					return false
				}
				return true
			})
			if create {
				continue
			}
			s.compileAll(b, text, func(line int, sql string, err error) {
				if err != nil {
					failures = append(failures, err.Error())
					t.Logf("%s line %d: %v\n\t%.200s", unit, line, err, blanks.ReplaceAllString(sql, " "))
				}
			}, func(sql, a string) {
				access = append(access, unit+": "+a)
				if *paths {
					t.Logf("%s: %s\n\t%.300s", unit, a, blanks.ReplaceAllString(sql, " "))
				}
			})
		}
	}

	require.Empty(t, failures)
	for _, a := range access {
		if !regexp.MustCompile(`Info: `).MatchString(a) { // views may read everything, procedures may not; heaps are table variables
			require.NotRegexp(t, `scan (PK_Tasks|PK_Processes)`, a)
		}
	}
}
