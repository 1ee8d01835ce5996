package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"github.com/dbsched/dbsched/dialects"
)

// Parse reads a plan from text; file names it in messages, and open reads the SQL files that it
// refers to. A plan with mistakes is an *Error. The limits are those of the server; for
// parameters, those of an engine, unless that is nil.
func Parse(file string, rules Rules, text []byte, open func(name string) ([]byte, error)) (*Plan, error) {
	r := &reader{open: open, rules: rules, used: map[string]map[string]int{"name": {}, "dedup-key": {}}}
	var p Plan
	if root := r.document(text); root != nil {
		r.plan(root, &p)
	}
	if len(r.problems) > 0 {
		sortProblems(r.problems)
		return nil, &Error{File: file, Problems: r.problems}
	}
	return &p, nil
}

func (r *reader) plan(n ast.Node, p *Plan) {
	var defaults dialects.NewTask
	have := r.mapping(n, "the plan", []key{
		{"process", func(n ast.Node) { set(&p.Process.Name)(r.short(n, "process", dialects.MaxProcessName)) }},
		{"priority", func(n ast.Node) {
			set(&p.Process.Priority)(r.integer(n, "priority", -dialects.MaxPriority, dialects.MaxPriority))
		}},
		{"weight", func(n ast.Node) { set(&p.Process.Weight)(r.integer(n, "weight", 1, dialects.MaxWeight)) }},
		{"max-parallel", func(n ast.Node) { set(&p.Process.MaxParallel)(r.integer(n, "max-parallel", 1, math.MaxInt32)) }},
		{"on-error", func(n ast.Node) { set(&p.Process.OnError)(r.word(n, "on-error", dialects.OnErrors()...)) }},
		{"schedule", func(n ast.Node) { r.schedule(n, &p.Schedule) }},
		{"defaults", func(n ast.Node) { r.mapping(n, "defaults", r.common(&defaults)) }},
		{"waves", func(n ast.Node) { p.Tasks = r.waves(n, defaults) }},
	})
	if have == nil {
		return
	}
	for _, name := range []string{"process", "waves"} {
		if have[name] == nil {
			r.problem(n, "%s is missing", name)
		}
	}
}

// schedule reads when the process is started.
func (r *reader) schedule(n ast.Node, s *dialects.NewSchedule) {
	have := r.mapping(n, "the schedule", []key{
		{"cron", func(n ast.Node) { set(&s.Calendar)(r.text(n, "cron")) }},
		{"zone", func(n ast.Node) { set(&s.Zone)(r.text(n, "zone")) }},
		{"begin", func(n ast.Node) { set(&s.Begin)(r.instant(n, "begin")) }},
		{"end", func(n ast.Node) { set(&s.End)(r.instant(n, "end")) }},
		{"overlap", func(n ast.Node) { set(&s.Overlap)(r.word(n, "overlap", dialects.Overlaps()...)) }},
		{"missed", func(n ast.Node) { set(&s.Missed)(r.word(n, "missed", dialects.MissedPolicies()...)) }},
	})
	if have != nil && have["cron"] == nil {
		r.problem(n, "cron is missing in the schedule")
	}
}

// waves reads the tasks of all waves.
func (r *reader) waves(n ast.Node, defaults dialects.NewTask) (tasks []dialects.NewTask) {
	last := int64(0) // waves are numbered from here
	begun := false
	for _, n := range r.items(n, "waves") {
		order := last + dialects.OrderStep
		have := r.mapping(n, "a wave", []key{
			{"order", func(n ast.Node) {
				number, ok := r.integer(n, "order", math.MinInt32, math.MaxInt32)
				if !ok {
					return
				}
				if begun && int64(number) <= last {
					r.problem(n, "order is %d, after %d; list waves in the order in which they run", number, last)
				}
				order = int64(number)
			}},
			{"tasks", func(n ast.Node) {
				for i, n := range r.items(n, "tasks") {
					r.where = fmt.Sprintf("task %d of order %d", i+1, order)
					t := defaults
					t.Order = int(order)
					r.task(n, &t)
					tasks = append(tasks, t)
				}
			}},
		})
		if have != nil && have["tasks"] == nil {
			r.problem(n, "tasks is missing in a wave")
		}
		if order > math.MaxInt32 {
			r.problem(n, "the order would be %d; give the previous wave a lower order", order)
		}
		last, begun = order, true
	}
	return tasks
}

// task reads one task: a mapping, or just its SQL.
func (r *reader) task(n ast.Node, t *dialects.NewTask) {
	switch n.(type) {
	case *ast.StringNode, *ast.LiteralNode:
		set(&t.SQL)(r.text(n, "the SQL of a task"))
		return
	}
	have := r.mapping(n, "a task", append([]key{
		{"name", func(n ast.Node) { set(&t.Name)(r.unique(n, "name", dialects.MaxTaskName)) }},
		{"sql", func(n ast.Node) { set(&t.SQL)(r.text(n, "sql")) }},
		{"file", func(n ast.Node) { set(&t.SQL)(r.file(n)) }},
		{"dedup-key", func(n ast.Node) { set(&t.DedupKey)(r.unique(n, "dedup-key", dialects.MaxDedupKey)) }},
		{"parameters", func(n ast.Node) { set(&t.Parameters)(r.parameters(n)) }},
	}, r.common(t)...))
	switch {
	case have == nil:
	case have["sql"] != nil && have["file"] != nil:
		r.problem(have["file"], "a task has sql or file, not both")
	case have["sql"] == nil && have["file"] == nil:
		r.problem(n, "a task needs sql or file")
	case have["access"] != nil && t.Resource == "" && have["resource"] == nil:
		r.problem(have["access"], "access needs a resource")
	}
}

// unique reads a text that only one task of a plan can have. Of two with the same dedup-key, the server would skip the second.
func (r *reader) unique(n ast.Node, key string, length int) (string, bool) {
	text, ok := r.short(n, key, length)
	if !ok {
		return "", false
	}
	if line := r.used[key][text]; line != 0 {
		r.problem(n, "%s %q is already used at line %d", key, text, line)
		return "", false
	}
	r.used[key][text] = n.GetToken().Position.Line
	return text, true
}

// common returns the keys of a task that may have defaults.
func (r *reader) common(t *dialects.NewTask) []key {
	return []key{
		{"priority", func(n ast.Node) {
			set(&t.Priority)(r.integer(n, "priority", -dialects.MaxPriority, dialects.MaxPriority))
		}},
		{"expected-seconds", func(n ast.Node) { set(&t.ExpectedSeconds)(r.integer(n, "expected-seconds", 0, math.MaxInt32)) }},
		{"max-attempts", func(n ast.Node) { set(&t.MaxAttempts)(r.integer(n, "max-attempts", 1, dialects.MaxAttempts)) }},
		// A zero pause would mean the server's default.
		{"retry-delay", func(n ast.Node) {
			set(&t.RetryDelay)(r.duration(n, "retry-delay", time.Second, dialects.MaxRetryDelay))
		}},
		{"timeout", func(n ast.Node) { set(&t.Timeout)(r.duration(n, "timeout", time.Second, dialects.MaxTimeout)) }},
		{"not-before", func(n ast.Node) { set(&t.NotBefore)(r.instant(n, "not-before")) }},
		{"on-orphan", func(n ast.Node) { set(&t.OnOrphan)(r.word(n, "on-orphan", dialects.OnOrphans()...)) }},
		{"transactional", func(n ast.Node) { set(&t.Transactional)(r.boolean(n, "transactional")) }},
		{"resource", func(n ast.Node) { set(&t.Resource)(r.short(n, "resource", dialects.MaxProcessName)) }},
		{"access", func(n ast.Node) { set(&t.Access)(r.word(n, "access", dialects.Accesses()...)) }},
	}
}

// set returns a function that stores a value if it was read successfully.
func set[T any](to *T) func(T, bool) {
	return func(value T, ok bool) {
		if ok {
			*to = value
		}
	}
}

// file reads a task's SQL from a file.
func (r *reader) file(n ast.Node) (string, bool) {
	name, ok := r.text(n, "file")
	if !ok {
		return "", false
	}
	text, err := r.open(name)
	if err != nil {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err // the message already has the name
		}
		r.problem(n, "file %s cannot be read: %v", name, err)
		return "", false
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch {
	case !utf8.Valid(text):
		r.problem(n, "file %s is not UTF-8: save it as UTF-8", name)
	case len(bytes.TrimSpace(text)) == 0:
		r.problem(n, "file %s is empty", name)
	default:
		return string(text), true
	}
	return "", false
}

// parameters converts a mapping of names to scalars to a JSON object.
func (r *reader) parameters(n ast.Node) (string, bool) {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		r.problem(n, "parameters must be a mapping of names to values, not %s", kind(n))
		return "", false
	}
	ok := true
	seen, names := map[string]bool{}, map[string]bool{}
	var parts []string
	for _, p := range pairs {
		name := p.Key.GetToken().Value
		if seen[name] {
			r.problem(p.Key, "parameter %s appears twice", name)
			ok = false
		}
		value, good := r.scalar(p.Value, name)
		if good && !seen[name] {
			r.parameter(p.Key, name, value, names)
		}
		seen[name] = true
		ok = ok && good
		parts = append(parts, quoted(name)+": "+value)
	}
	return "{" + strings.Join(parts, ", ") + "}", ok
}

// scalar returns a value as JSON. Numbers keep their digits.
func (r *reader) scalar(n ast.Node, name string) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return quoted(v.Value), true
	case *ast.LiteralNode:
		return quoted(v.Value.Value), true
	case *ast.BoolNode:
		return strconv.FormatBool(v.Value), true
	case *ast.NullNode:
		return "null", true
	case *ast.IntegerNode, *ast.FloatNode:
		if digits := v.GetToken().Value; json.Valid([]byte(digits)) {
			return digits, true
		}
		r.problem(n, "parameter %s is %s; write numbers in decimal digits, and anything else in quotes", name, v.GetToken().Value)
		return "", false
	}
	r.problem(n, "parameter %s must be a text, a number, true, false or null, not %s", name, kind(n))
	return "", false
}

func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // < stays readable
	_ = e.Encode(text)     // a text can always be encoded
	return strings.TrimSpace(b.String())
}

// units returns the length of a text as SQL Server's nvarchar counts it.
func units(text string) int { return len(utf16.Encode([]rune(text))) }
