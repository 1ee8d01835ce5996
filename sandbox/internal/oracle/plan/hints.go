package plan

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
)

// hints applies the hints INDEX(table name) and INDEX(table (columns)) of a query block (SQL Language Reference,
// "Comments", Hints). Others do not change results, and here, as in Oracle, it is up to the optimizer whether to follow them;
// hints with mistakes are comments.
func (c *compiler) hints(text string, rel optimizer.Relation) {
	words := strings.FieldsFunc(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(strings.ToUpper(text)), func(r rune) bool {
		return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == ','
	})
	for i := 0; i+2 < len(words); i++ {
		if words[i] != "INDEX" || words[i+1] != "(" {
			continue
		}
		alias, depth := words[i+2], 1
		var spec []string
		for i += 3; i < len(words) && depth > 0; i++ {
			switch words[i] {
			case "(":
				depth++
			case ")":
				depth--
			}
			if depth > 0 {
				spec = append(spec, words[i])
			}
		}
		i--
		if depth == 0 {
			c.indexHint(rel, alias, spec)
		}
	}
}

// indexHint restricts a table to the indexes that are named or begin with the columns; without either, all are allowed.
func (c *compiler) indexHint(rel optimizer.Relation, alias string, spec []string) {
	switch x := rel.(type) {
	case *optimizer.Join:
		c.indexHint(x.Left, alias, spec)
		c.indexHint(x.Right, alias, spec)
	case *optimizer.Table:
		if x.Name != alias {
			return
		}
		var ids []int
		for _, ix := range x.Indexes {
			columns := len(spec) > 2 && spec[0] == "(" && len(spec)-2 <= len(ix.Keys)
			for i := 1; columns && i < len(spec)-1; i++ {
				columns = ix.Keys[i-1].Name == spec[i]
			}
			if len(spec) == 0 || columns || len(spec) == 1 && ix.Name == spec[0] {
				ids = append(ids, ix.ID)
			}
		}
		if ids != nil {
			x.Hints = func() ([]int, bool) { return ids, false }
		}
	}
}
