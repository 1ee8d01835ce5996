package catalog

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/parser"
)

// schemaViews declares the system views: "-- VIEW name: columns". Those that the engine defines in SQL over its base catalog have their
// query below, where @database is the database whose view it is; the rows of the others come from Go. The former are those of learn.microsoft.com, "System Information Schema Views", and show what sys shows to
// the reader.
//
//go:embed views.sql
var schemaViews string

// declaration is a view of views.sql: its columns, and its query, if it has one.
type declaration struct{ name, columns, query string }

var declarations = sync.OnceValue(func() (list []declaration) {
	for _, view := range strings.Split(schemaViews, "-- VIEW ")[1:] {
		head, text, _ := strings.Cut(view, ";\n")
		name, columns, _ := strings.Cut(head, ": ")
		list = append(list, declaration{name, strings.ReplaceAll(columns, "\n-- ", " "), text})
	}
	return list
})

// ColumnsOf returns the columns that views.sql declares for a view.
func ColumnsOf(name string) []Column {
	i := slices.IndexFunc(declarations(), func(d declaration) bool { return d.name == name })
	columns := declarations()[i].columns
	first, rest, _ := strings.Cut(columns, ", ")
	switch {
	case strings.Contains(first, " "):
		return ParseColumns(columns)
	case rest == "":
		return ColumnsOf(first)
	}
	return append(ColumnsOf(first), ParseColumns(rest)...)
}

// informationSchema registers the views of views.sql that have a query, which is parsed when it is first needed.
func (s *Server) informationSchema() {
	for _, d := range declarations() {
		if !strings.HasPrefix(d.query, "SELECT") {
			continue
		}
		schema, name, _ := strings.Cut(d.name, ".")
		o := s.RegisterView(schema, name, ColumnsOf(d.name), nil)
		o.Def.(*SystemView).Query = sync.OnceValue(func() *ast.SelectStatement {
			batch, err := parser.Parse(d.query, nil)
			if err != nil {
				panic(err)
			}
			return batch.Statements[0].(*ast.SelectStatement)
		})
	}
}
