package catalog

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/parser"
)

// schemaViews are the views that the engine defines in SQL over its base catalog: "-- VIEW name: columns", then the query, where @database
// is the database whose view it is. They are those of learn.microsoft.com, "System Information Schema Views", and show what sys shows to
// the reader.
//
//go:embed views.sql
var schemaViews string

// informationSchema registers the views of views.sql. A query is parsed when it is first needed.
func (s *Server) informationSchema() {
	for _, view := range strings.Split(schemaViews, "-- VIEW ")[1:] {
		head, text, _ := strings.Cut(view, ";\n")
		name, columns, _ := strings.Cut(head, ": ")
		schema, name, _ := strings.Cut(name, ".")
		o := s.RegisterView(schema, name, ParseColumns(strings.ReplaceAll(columns, "\n-- ", "")), nil)
		o.Def.(*SystemView).Query = sync.OnceValue(func() *ast.SelectStatement {
			batch, err := parser.Parse(text, nil)
			if err != nil {
				panic(err)
			}
			return batch.Statements[0].(*ast.SelectStatement)
		})
	}
}
