package jobimport

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/dialects"
)

// OracleChain is a chain of DBMS_SCHEDULER.
type OracleChain struct {
	Steps []ChainStep
	Rules []ChainRule
}

// ChainStep is a row of ALL_SCHEDULER_CHAIN_STEPS with its program.
type ChainStep struct {
	Name        string
	Kind        string // PROGRAM, SUBCHAIN, EVENT …
	Unit        OracleUnit
	Skip, Pause bool
}

// ChainRule is a row of ALL_SCHEDULER_CHAIN_RULES.
type ChainRule struct{ Name, Condition, Action string }

// flow is the order of a chain's steps according to its rules.
type flow struct {
	after map[string][]string // the steps that a step follows; a step that is not in it never starts
	words map[string]bool     // SUCCEEDED, COMPLETED: of the conditions of steps
	ends  [][]string          // the steps after which the chain ends, rule by rule
}

var (
	condition = regexp.MustCompile(`^:?"?([A-Z][A-Z0-9_$#]*)"?(SUCCEEDED|COMPLETED|FAILED|STOPPED)$`)
	starts    = regexp.MustCompile(`(?is)^\s*START\s+(.+)$`)
	ending    = regexp.MustCompile(`(?is)^\s*END(\s+\S+)?\s*$`)
	and       = regexp.MustCompile(`(?i)\s+AND\s+`)
	or        = regexp.MustCompile(`(?i)\s+OR\s+`)
)

// chain makes waves of a chain's steps: each holds those that follow equally many others.
func (r *result) chain(c OracleChain, q Quotes) {
	f := flow{after: map[string][]string{}, words: map[string]bool{}}
	for _, rule := range c.Rules {
		if problem := f.rule(rule); problem != "" {
			r.obstacle("rule %s of its chain %s: if %s, then %s", rule.Name, problem, rule.Condition, rule.Action)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.after)) {
		if !slices.ContainsFunc(c.Steps, func(st ChainStep) bool { return st.Name == name }) {
			r.obstacle("a rule of its chain starts step %s, which there is not", name)
		}
	}
	if len(r.Obstacles) > 0 {
		return
	}
	level, circle := f.levels(c.Steps)
	if circle {
		r.obstacle("the steps of its chain start each other in a circle")
		return
	}
	r.Schedule.Process.OnError = "Halt"
	switch {
	case f.words["SUCCEEDED"] && f.words["COMPLETED"]:
		r.obstacle("some steps of its chain start after success, others after any end: a process has one on-error for all")
	case f.words["COMPLETED"]:
		r.Schedule.Process.OnError = "Continue"
		r.note("a step that fails leaves the process Failed; the chain goes on and succeeds")
	}
	r.chainEnds(f, c.Steps)
	f.apart(r, c.Steps, level)
	for wave := 1; ; wave++ {
		found := false
		for _, st := range c.Steps {
			if level[st.Name] != wave {
				continue
			}
			found = true
			r.chainStep(st, wave*dialects.OrderStep, q)
		}
		if !found {
			break
		}
	}
	for _, st := range c.Steps {
		if level[st.Name] == 0 {
			r.note("no rule starts step %s, and it is left out", st.Name)
		}
	}
}

// chainStep converts a step to a task.
func (r *result) chainStep(st ChainStep, order int, q Quotes) {
	name := "step " + st.Name
	switch {
	case st.Skip:
		r.note("%s is skipped, and left out", name)
	case st.Pause:
		r.obstacle("%s is paused", name)
	case st.Kind != "PROGRAM" && st.Kind != "":
		r.obstacle("%s is of type %s: only a program can be a task", name, st.Kind)
	default:
		if sql, parameters := r.unit(name, st.Unit, q); sql != "" {
			r.Schedule.Tasks = append(r.Schedule.Tasks, dialects.NewTask{SQL: sql, Parameters: parameters, Order: order})
		}
	}
}

// rule reads a rule; it returns why it is not simple.
func (f *flow) rule(rule ChainRule) string {
	if m := starts.FindStringSubmatch(rule.Action); m != nil {
		steps, word, ok := conjunction(rule.Condition)
		if !ok || word == "FAILED" || word == "STOPPED" {
			return "is not simple"
		}
		if word != "" {
			f.words[word] = true
		}
		for name := range strings.SplitSeq(m[1], ",") {
			name = strings.ToUpper(strings.Trim(strings.TrimSpace(name), `"`))
			if strings.ContainsAny(name, " \t\n") {
				return "is not simple" // AFTER a while
			}
			if _, twice := f.after[name]; twice {
				return "is the second that starts step " + name
			}
			f.after[name] = steps
		}
		return ""
	}
	if !ending.MatchString(rule.Action) {
		return "is not simple"
	}
	if steps, word, ok := conjunction(rule.Condition); ok && (word == "SUCCEEDED" || word == "COMPLETED") {
		f.ends = append(f.ends, steps)
		return ""
	}
	for part := range slices.Values(or.Split(rule.Condition, -1)) { // if any of them fails
		if _, word, ok := conjunction(part); !ok || word != "FAILED" || strings.Contains(strings.ToUpper(part), " AND ") {
			return "is not simple"
		}
	}
	f.words["FAILED"] = true
	return ""
}

// conjunction reads "stepA COMPLETED AND stepB COMPLETED", or TRUE.
func conjunction(text string) (steps []string, word string, ok bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if text == "TRUE" || strings.ReplaceAll(text, " ", "") == "1=1" {
		return nil, "", true
	}
	for _, part := range and.Split(text, -1) {
		part = strings.Join(strings.Fields(strings.Trim(strings.TrimSpace(part), "()")), " ")
		m := condition.FindStringSubmatch(strings.Replace(part, " ", "", 1))
		if m == nil || !strings.Contains(part, " ") || word != "" && word != m[2] {
			return nil, "", false
		}
		steps, word = append(steps, m[1]), m[2]
	}
	return steps, word, true
}

// levels numbers the waves of steps from 1.
func (f *flow) levels(steps []ChainStep) (level map[string]int, circle bool) {
	level = map[string]int{}
	for range steps {
		for _, st := range steps {
			before, started := f.after[st.Name]
			if !started {
				continue
			}
			highest, ready := 0, true
			for _, b := range before {
				ready = ready && level[b] > 0
				highest = max(highest, level[b])
			}
			if ready {
				level[st.Name] = highest + 1
			}
		}
	}
	for _, st := range steps {
		if _, started := f.after[st.Name]; started && level[st.Name] == 0 {
			return level, true
		}
	}
	return level, false
}

// chainEnds checks whether the chain ends when all steps have.
func (r *result) chainEnds(f flow, steps []ChainStep) {
	if f.words["FAILED"] && r.Schedule.Process.OnError == "Continue" {
		r.obstacle("its chain ends when a step fails, and starts others after any end")
	}
	before := map[string]bool{} // steps that others follow
	for _, all := range f.after {
		for _, name := range all {
			before[name] = true
		}
	}
	for _, end := range f.ends {
		for _, st := range steps {
			if _, started := f.after[st.Name]; started && !before[st.Name] && !slices.Contains(end, st.Name) {
				r.obstacle("its chain ends before step %s has", st.Name)
			}
		}
	}
	if len(f.ends) == 0 {
		r.note("no rule ends its chain: it ends as stalled, where the process succeeds")
	}
}

// apart notes the steps that wait for others only because they are in the next wave.
func (f *flow) apart(r *result, steps []ChainStep, level map[string]int) {
	for _, st := range steps {
		var also []string
		for _, other := range steps {
			if level[other.Name] > 0 && level[other.Name] == level[st.Name]-1 && !slices.Contains(f.after[st.Name], other.Name) {
				also = append(also, other.Name)
			}
		}
		if len(also) > 0 {
			r.note("%s", fmt.Sprintf("step %s waits for %s as well: waves run one after another", st.Name, strings.Join(also, ", ")))
		}
	}
}
