package oracle

import (
	"strings"

	"github.com/dbsched/dbsched/dialects"
)

// whole answers like a dictionary that has all tables with their columns, constraints and indexes.
func whole(c sent) (answer, bool) {
	src, err := render(dialects.Layout{Schema: "APP", Lanes: 1})
	if err != nil {
		panic(err)
	}
	tables, err := src.tablesAt(1)
	if err != nil {
		panic(err)
	}
	var rows [][]any
	switch c.SQL {
	case objectQuery:
		for _, t := range tables.Tables {
			rows = append(rows, []any{"table", t.Name})
		}
		for _, q := range tables.Sequences {
			rows = append(rows, []any{"sequence", q.Name})
		}
	case columnQuery:
		for _, t := range tables.Tables {
			for _, col := range t.Columns {
				nullable, virtual, expression := "Y", "NO", any(nil)
				if col.NotNull {
					nullable = "N"
				}
				if col.Default != "" {
					expression = col.Default
				}
				if col.Virtual != "" {
					virtual, expression = "YES", col.Virtual
				}
				kind, _, _ := strings.Cut(columnType(col), " virtual")
				rows = append(rows, []any{t.Name, col.Name, kind, nullable, virtual, expression})
			}
		}
	case constraintQuery:
		for _, t := range tables.Tables {
			for _, k := range t.Keys {
				for _, column := range k.Columns {
					rows = append(rows, []any{"key", k.Name, t.Name, k.Name, nil, nil, column})
				}
			}
			for _, k := range t.Checks {
				rows = append(rows, []any{"check", k.Name, t.Name, nil, k.Text, nil, nil})
			}
		}
	case indexQuery:
		for _, t := range tables.Tables {
			for _, k := range t.Keys {
				for _, column := range k.Columns {
					rows = append(rows, []any{k.Name, t.Name, nil, column})
				}
			}
		}
		for _, x := range tables.Indexes {
			for _, column := range x.Keys {
				rows = append(rows, []any{x.Name, x.Table, nil, column})
			}
		}
	case lostQuery():
		rows = [][]any{{1, 3, nil, 1}}
	default:
		return answer{}, false
	}
	return answer{Rows: rows}, true
}
