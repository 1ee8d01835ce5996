package plan

import (
	"cmp"
	"iter"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/builtin"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// openJSON is OPENJSON with or without a WITH clause.
func (n *names) openJSON(x *ast.OpenJsonTableReference, lateral *names) optimizer.Relation {
	scope := lateral.inner()
	maxText := datatype.Sized(datatype.NVarChar, datatype.Max).WithCollation(n.sc.Collation())
	text := assignTo(scope.scalar(x.Variable), maxText)
	if x.RowPattern != nil {
		panic(sqlerr.NotSupported("OPENJSON with a path"))
	}
	src := &source{alias: aliasOf(x.Alias)}
	src.alias = cmp.Or(src.alias, "OPENJSON")
	shown := src.alias + ": OPENJSON"
	none := func(func(value.Row) bool) {}
	if len(x.SchemaDeclarationItems) == 0 {
		t := builtin.OpenJSONColumns()
		cols := []catalog.Column{
			{Name: "key", Type: t[0]}, {Name: "value", Type: t[1].WithCollation(n.sc.Collation()), Nullable: true}, {Name: "type", Type: t[2]},
		}
		return n.rows(src, cols, 50, scope.free.Slots, func(fr *query.Frame) iter.Seq[value.Row] {
			doc := text.Eval(fr)
			if doc.IsNull() {
				return none
			}
			return query.Must(builtin.OpenJSON(doc.Str()))
		}, shown)
	}
	var cols []catalog.Column
	var want []builtin.JSONColumn
	for _, item := range x.SchemaDeclarationItems {
		def := item.ColumnDefinition
		t := query.Must(n.sc.DataType(def.DataType))
		if t.IsCharacter() {
			t = t.WithCollation(n.sc.Collation())
		}
		if def.Collation != nil {
			panic(sqlerr.NotSupported("COLLATE in OPENJSON"))
		}
		j := builtin.JSONColumn{Name: def.ColumnIdentifier.Value, Type: t, AsJSON: item.AsJson}
		if item.Mapping != nil {
			lit, ok := item.Mapping.(*ast.StringLiteral)
			if !ok {
				panic(sqlerr.NotSupported("OPENJSON column path that is no literal"))
			}
			j.Path = lit.Value
		}
		want = append(want, j)
		cols = append(cols, catalog.Column{Name: j.Name, Type: t, Nullable: true})
	}
	return n.rows(src, cols, 50, scope.free.Slots, func(fr *query.Frame) iter.Seq[value.Row] {
		doc := text.Eval(fr)
		if doc.IsNull() {
			return none
		}
		rows := query.Must(builtin.OpenJSONWith(doc.Str(), want))
		return func(yield func(value.Row) bool) {
			for row, err := range rows {
				query.Check(err)
				if !yield(row) {
					return
				}
			}
		}
	}, shown)
}
