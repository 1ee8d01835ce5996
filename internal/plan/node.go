package plan

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// reader walks a document and collects what is wrong with it.
type reader struct {
	open     func(name string) ([]byte, error) // reads SQL files
	used     map[string]map[string]int         // line of each name and dedup-key
	rules    Rules                             // that apply to parameters
	where    string                            // the task that is being read
	problems []Problem
}

func (r *reader) problem(at ast.Node, format string, args ...any) {
	p := Problem{Line: 1, Column: 1, Text: fmt.Sprintf(format, args...)}
	if at != nil {
		if token := first(at).GetToken(); token != nil && token.Position != nil {
			p.Line, p.Column = token.Position.Line, token.Position.Column
		}
	}
	r.problems = append(r.problems, p)
}

// first returns the node where a person sees n begin: the token of a mapping is the colon of its first key,
// and that of a list the first dash.
func first(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return n.Values[0].Key
		}
	case *ast.MappingValueNode:
		return n.Key
	}
	return n
}

// document parses the one document of a text; nil after a problem.
func (r *reader) document(text []byte) ast.Node {
	// Duplicate keys are found here, with all other mistakes, and not by the parser,
	// which stops at the first.
	file, err := parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		if syntax, ok := errors.AsType[*yaml.SyntaxError](err); ok && syntax.Token != nil {
			at := syntax.Token.Position
			line, column := at.Line, at.Column
			if strings.Contains(syntax.Message, "'\t'") {
				line, column = tab(text, line, column)
			}
			r.problems = append(r.problems, Problem{line, column, "this is not YAML: " + syntax.Message})
		} else {
			r.problem(nil, "this is not YAML: %v", err)
		}
		return nil
	}
	var docs []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil && d.Body.Type() != ast.CommentType {
			docs = append(docs, d.Body)
		}
	}
	switch len(docs) {
	case 0:
		r.problem(nil, "the plan is empty; `dbsched run --example` prints one")
		return nil
	case 1:
		return docs[0]
	}
	r.problem(docs[1], "a plan is one YAML document, and this file has more")
	return nil
}

// tab finds where a tab indents a line. The parser reports the beginning of the block of text that the tab is in.
func tab(text []byte, line, column int) (int, int) {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(text)), "\n") // as YAML splits them
	for i, l := range lines[min(line-1, len(lines)):] {
		if spaces := len(l) - len(strings.TrimLeft(l, " ")); spaces < column-1 && strings.HasPrefix(l[spaces:], "\t") {
			return line + i, spaces + 1
		}
	}
	return line, column
}

// key is a key that a mapping may contain, with a function that reads its value.
type key struct {
	name string
	read func(ast.Node)
}

// mapping reads the values of n in the order of keys. It returns the values that exist.
func (r *reader) mapping(n ast.Node, what string, keys []key) map[string]ast.Node {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		r.problem(n, "%s must be a mapping of keys to values, not %s", what, kind(n))
		return nil
	}
	values := map[string]ast.Node{}
	for _, p := range pairs {
		name := p.Key.String()
		if token := p.Key.GetToken(); token != nil {
			name = token.Value
		}
		known := slices.ContainsFunc(keys, func(k key) bool { return k.name == name })
		switch _, twice := values[name]; {
		case !known:
			var names []string
			for _, k := range keys {
				names = append(names, k.name)
			}
			r.problem(p.Key, "unknown key %q in %s. Valid keys: %s", name, what, strings.Join(names, ", "))
		case twice:
			r.problem(p.Key, "%s appears twice", name)
		default:
			values[name] = p.Value
		}
	}
	for _, k := range keys {
		if v, ok := values[k.name]; ok {
			k.read(v)
		}
	}
	return values
}

// items returns the elements of a list.
func (r *reader) items(n ast.Node, what string) []ast.Node {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		r.problem(n, "%s must be a list, not %s", what, kind(n))
		return nil
	}
	if len(list.Values) == 0 {
		r.problem(n, "%s is empty", what)
	}
	return list.Values
}

// kind names the kind of a node.
func kind(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	case *ast.StringNode, *ast.LiteralNode:
		return "a text"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.BoolNode:
		return "true or false"
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		return "an anchor, alias or tag, which plans do not take"
	}
	return "something else"
}

// text reads a text; an empty one is a problem.
func (r *reader) text(n ast.Node, what string) (string, bool) {
	var text string
	switch v := n.(type) {
	case *ast.StringNode:
		text = v.Value
	case *ast.LiteralNode:
		text = v.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		r.problem(n, "%s must be a text, not %s: write it in quotes", what, kind(n))
		return "", false
	default:
		r.problem(n, "%s must be a text, not %s", what, kind(n))
		return "", false
	}
	if strings.TrimSpace(text) == "" {
		r.problem(n, "%s is empty", what)
		return "", false
	}
	return text, true
}

// integer reads an integer from low to high.
func (r *reader) integer(n ast.Node, what string, low, high int) (int, bool) {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.StringNode: // the parser treats a number that is too long as a text
	default:
		r.problem(n, "%s must be a whole number, not %s", what, kind(n))
		return 0, false
	}
	written := n.GetToken().Value
	number, err := strconv.ParseInt(strings.ReplaceAll(written, "_", ""), 0, 64)
	if _, ok := n.(*ast.IntegerNode); !ok || err != nil || number < int64(low) || number > int64(high) {
		r.problem(n, "%s is %s; it must be a whole number from %d to %d", what, written, low, high)
		return 0, false
	}
	return int(number), true
}

// duration reads whole seconds, written like 90s or 1h30m.
func (r *reader) duration(n ast.Node, what string, low, high time.Duration) (time.Duration, bool) {
	if v, ok := n.(*ast.IntegerNode); ok {
		r.problem(n, "%s is %s without a unit; write it like 30s or 1h30m", what, v.GetToken().Value)
		return 0, false
	}
	text, ok := r.text(n, what)
	if !ok {
		return 0, false
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		r.problem(n, "%s is %q; write it like 30s or 1h30m", what, text)
	case d < low || d > high:
		r.problem(n, "%s is %s; it must be from %v to %v", what, text, low, high)
	case d%time.Second != 0:
		r.problem(n, "%s is %s; it must be whole seconds", what, text)
	default:
		return d, true
	}
	return 0, false
}

// word reads one of some words, in any case.
func (r *reader) word(n ast.Node, what string, words ...string) (string, bool) {
	text, ok := r.text(n, what)
	if !ok {
		return "", false
	}
	for _, w := range words {
		if strings.EqualFold(w, text) {
			return w, true
		}
	}
	r.problem(n, "%s is %q; it must be %s", what, text, strings.Join(words, " or "))
	return "", false
}

// boolean reads true or false.
func (r *reader) boolean(n ast.Node, what string) (value, ok bool) {
	v, ok := n.(*ast.BoolNode)
	if !ok {
		r.problem(n, "%s must be true or false, not %s", what, kind(n))
		return false, false
	}
	return v.Value, true
}

// short reads a text of at most limit UTF-16 units, as databases count length.
func (r *reader) short(n ast.Node, what string, limit int) (string, bool) {
	text, ok := r.text(n, what)
	if ok && units(text) > limit {
		r.problem(n, "%s has %d characters; it must have at most %d", what, units(text), limit)
		return "", false
	}
	return text, ok
}

// instant reads a point in time with its offset from UTC.
func (r *reader) instant(n ast.Node, what string) (time.Time, bool) {
	text, ok := r.text(n, what)
	if !ok {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		r.problem(n, "%s is %q; it must look like 2026-11-20T22:00:00Z", what, text)
		return time.Time{}, false
	}
	return at.UTC(), true
}
