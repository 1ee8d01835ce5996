package schema

import (
	"maps"
	"slices"
	"strings"
)

// Part is one thing that an installation has: a table, a column, a right.
type Part struct {
	Kind, Name string
	Is         string   // how it is, in words that the engine's catalog gives, too; empty: it is enough that it exists
	Needs      []string // keys of what it cannot be without: if one of those is gone, nobody needs to hear of this one
	Data       bool     // it holds data, so nothing makes it anew
	Make       []string // statements that make it; none: the other batches of an installation do
	Mend       []string // statements that repair it if it is different; none: nothing does without a decision
}

// Key names a part among all.
func (p Part) Key() string { return p.Kind + " " + p.Name }

// ColumnKeys returns the keys of columns, which may have DESC after them.
func ColumnKeys(table string, columns []string) (keys []string) {
	for _, c := range columns {
		keys = append(keys, "column "+table+"."+strings.TrimSuffix(c, " DESC"))
	}
	return keys
}

// Difference is a part that is not as it should be.
type Difference struct {
	Part

	Gone bool
	Got  string // how it is instead
}

// Repair returns the statements that bring it back; none: there are none here.
func (d Difference) Repair() []string {
	switch {
	case d.Gone && d.Data:
		return nil
	case d.Gone:
		return d.Make
	}
	return d.Mend
}

// Compare returns what is gone or different, in the order of want. What is there, by key, is described as Part.Is describes it. What went
// with another part comes back with it.
func Compare(want []Part, there map[string]string) (found []Difference) {
	gone := map[string]bool{}
	for _, p := range want {
		got, ok := there[p.Key()]
		if !ok || p.Kind == "table" && got != p.Is && p.Mend != nil { // its repair drops it
			gone[p.Key()] = true
		}
		if i := slices.IndexFunc(p.Needs, func(key string) bool { return gone[key] }); i >= 0 {
			gone[p.Key()] = true
			for k := range found {
				if first := &found[k]; first.Key() == p.Needs[i] && first.Make != nil && first.Kind != "table" {
					first.Make = slices.Concat(first.Make, p.Make)
				}
			}
			continue
		}
		if !ok || p.Is != "" && got != p.Is {
			found = append(found, Difference{p, !ok, got})
		}
	}
	return found
}

// Values returns the strings and numbers in an expression, sorted: an engine that rewrites a condition keeps them.
func Values(expression string) string {
	all := map[string]bool{}
	for _, t := range tokens(expression) {
		switch {
		case t.kind == 's':
			all["'"+t.text+"'"] = true
		case t.kind == 'w' && t.text[0] >= '0' && t.text[0] <= '9':
			all[t.text] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(all)), " ")
}

// Plain returns an expression without what engines add to it when they store it: parentheses, white space, capitals of words.
func Plain(expression string) string {
	var out []string
	for _, t := range tokens(expression) {
		switch {
		case t.is("(", ")"):
		case t.kind == 's':
			out = append(out, "'"+t.text+"'")
		default:
			out = append(out, strings.ToLower(t.text))
		}
	}
	return strings.Join(out, " ")
}
