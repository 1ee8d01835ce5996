package optimizer

import "strings"

// marks show in descriptions how a key column is bounded.
var marks = [...]string{Equal: "=", Less: "<", LessEqual: "<=", Greater: ">", GreaterEqual: ">=", In: " in", IsNull: "=", NotNull: ">"}

// describe returns a line of Plan.Access.
func describe(t *Table, x *path) string {
	var b strings.Builder
	b.WriteString(t.Name)
	if x.index == nil {
		b.WriteString(": scan heap")
		return b.String()
	}
	if x.seeks() {
		b.WriteString(": seek ")
	} else {
		b.WriteString(": scan ")
	}
	b.WriteString(x.index.Name)
	if x.seeks() {
		var cols []string
		for i, a := range x.eq {
			cols = append(cols, x.index.Keys[i].Name+marks[a.Op])
		}
		for _, a := range []*arg{x.lo, x.hi} {
			if a != nil {
				cols = append(cols, x.index.Keys[x.rangeCol].Name+marks[a.Op])
			}
		}
		b.WriteString(" (" + strings.Join(cols, ", ") + ")")
	}
	if x.ordered {
		b.WriteString(" ordered")
		if x.desc {
			b.WriteString(" backward")
		}
	}
	if !x.covered {
		b.WriteString(" lookup")
	}
	return b.String()
}
