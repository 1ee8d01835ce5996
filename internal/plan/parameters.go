package plan

import (
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/dbsched/dbsched/dialects"
)

// Rules are those of an engine for parameters.
type Rules interface{ Parameters() dialects.Parameters }

// parameter checks one parameter of a task against the rules of the plan's engine; names are those before it.
func (r *reader) parameter(key ast.Node, member, value string, names map[string]bool) {
	if r.rules == nil {
		return
	}
	rules := r.rules.Parameters()
	name, typ, _ := strings.Cut(member, " ")
	typ = strings.ReplaceAll(strings.ToLower(typ), " ", "")
	lower := strings.ToLower(name)
	want := ""
	if typ != "" && value[0] != 'n' {
		want = rules.Want(typ, value)
	}
	switch {
	case !rules.Name.MatchString(name):
		r.problem(key, "parameter %q of %s: %q is not a name for a parameter: %s", member, r.where, name, rules.Rule)
	case names[lower]:
		r.problem(key, "parameter %q of %s: the name %s appears twice", member, r.where, name)
	case typ != "" && !rules.Knows(typ):
		r.problem(key, "parameter %q of %s: the type is not supported. Use one of: %s", member, r.where, strings.Join(rules.Types, ", "))
	case want != "":
		r.problem(key, "parameter %q of %s: the value is not %s", member, r.where, want)
	}
	names[lower] = true
}
