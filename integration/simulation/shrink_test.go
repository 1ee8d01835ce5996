package simulation

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
)

// patience is how many histories shrinking one may take.
const patience = 300

// shrinker makes an attempt smaller as long as it breaks a rule of the same kind.
type shrinker struct {
	im     *sandbox.Image
	kind   string
	small  attempt
	best   *history // of small; nil: none was smaller
	budget int
}

// shrink returns the smallest attempt that it finds, and its history. Violations are compared by kind: names and numbers change.
func shrink(im *sandbox.Image, a attempt, broken []string) (attempt, *history) {
	s := &shrinker{im: im, kind: kind(broken[0]), small: a, budget: patience}
	s.best, _ = a.play(im)
	s.workload()
	if s.best != nil {
		s.choices()
	}
	return s.small, s.best
}

var numbers = regexp.MustCompile(`\d+`)

// kind returns a violation without its numbers.
func kind(broken string) string { return numbers.ReplaceAllString(broken, "N") }

// try plays an attempt, and keeps it if it still fails and is not refused as invalid. It returns how many points there were.
func (s *shrinker) try(a attempt) (kept bool, points int) {
	s.budget--
	h, broken := a.play(s.im)
	refused := false
	for _, b := range broken {
		k := kind(b)
		kept = kept || k == s.kind
		refused = refused || k != s.kind && (strings.HasPrefix(k, "trouble") || strings.HasPrefix(k, "panic"))
	}
	if kept = kept && !refused; kept {
		s.small, s.best = a, h
	}
	if h != nil {
		points = h.points
	}
	return kept, points
}

// workload removes what is not needed, and simplifies what is left.
func (s *shrinker) workload() {
	for again := true; again; {
		again = false
		for n := 0; s.budget > 0; {
			a := s.small
			a.workload = copied(a.workload)
			e := &edit{n: n}
			if e.walk(reflect.ValueOf(&a.workload).Elem(), ""); !e.done {
				break
			}
			if e.same {
				n++
				continue
			}
			kept, points := s.try(a)
			if !kept && points > 0 && s.best != nil && s.budget > 0 { // a fault's point is at another moment now: as far along as before
				a.workload = copied(a.workload)
				moved(reflect.ValueOf(&a.workload).Elem(), "", float64(points)/float64(s.best.points))
				if !reflect.DeepEqual(a.workload, s.small.workload) {
					kept, _ = s.try(a)
				}
			}
			if kept {
				again = true
			} else {
				n++
			}
		}
	}
}

// choices sets as many as it can to the first possible one: all of the last ones together, then here and there.
func (s *shrinker) choices() {
	s.budget = patience
	all := s.best.decided.choices
	with := func(c []choice) bool {
		a := s.small
		a.chooser = func() chooser { return &repeated{choices: c} }
		kept, _ := s.try(a)
		if kept {
			all = c
		}
		return kept
	}
	if !with(slices.Clone(all)) {
		return // it depends on more than choices
	}
	for low, high := 0, len(all); low < high && s.budget > 0; {
		if middle := (low + high) / 2; with(slices.Clone(all[:middle])) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	for size := len(all) / 2; size > 0; size /= 2 {
		for from := 0; from < len(all) && s.budget > 0; from += size {
			c := slices.Clone(all)
			for i := from; i < min(len(c), from+size); i++ {
				c[i].is = 0
			}
			if !slices.Equal(c, all) {
				with(c)
			}
		}
	}
}

// compact formats choices: which of the possible ones, and how many times in a row.
func compact(choices []choice) string {
	var b strings.Builder
	for i := 0; i < len(choices); {
		n := 1
		for i+n < len(choices) && choices[i+n].is == choices[i].is {
			n++
		}
		if fmt.Fprintf(&b, " %d", choices[i].is); n > 1 {
			fmt.Fprintf(&b, "*%d", n)
		}
		i += n
	}
	return fmt.Sprintf("%d,%s", len(choices), b.String())
}

// edit makes the nth of all changes that make data smaller. It knows nothing about the data except the names of fields.
type edit struct {
	n    int
	done bool
	same bool // the change would change nothing
}

// now counts a possible change, and reports whether it is the nth.
func (e *edit) now() bool {
	e.n--
	if e.n == -1 {
		e.done = true
	}
	return e.n == -1
}

func (e *edit) walk(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			e.walk(v.Elem(), name)
		}
	case reflect.Struct:
		for _, slicesFirst := range []bool{true, false} {
			for i := range v.NumField() {
				if f := opened(v, i); (f.Kind() == reflect.Slice) == slicesFirst && !e.done {
					e.walk(f, v.Type().Field(i).Name)
				}
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if e.now() {
				v.Set(reflect.AppendSlice(v.Slice(0, i), v.Slice(i+1, v.Len())))
				return
			}
		}
		for i := range v.Len() {
			e.walk(v.Index(i), name)
		}
	case reflect.Bool:
		if e.now() {
			e.same = !v.Bool()
			v.SetBool(false)
		}
	case reflect.Int, reflect.Int64:
		if name == "number" { // it identifies something
			return
		}
		smaller := []int64{0, v.Int() / 2}
		if v.Kind() == reflect.Int && name != "point" { // one less, where that does not take forever
			smaller = append(smaller, v.Int()-1)
		}
		for _, n := range smaller {
			if e.now() {
				e.same = v.Int() <= 0 || n == v.Int()
				v.SetInt(n)
				return
			}
		}
	case reflect.String:
		if name == "what" && e.now() {
			e.same = v.Len() == 0
			v.SetString("")
		}
	}
}

// moved scales all fields named point.
func moved(v reflect.Value, name string, by float64) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			moved(v.Elem(), name, by)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			moved(opened(v, i), v.Type().Field(i).Name, by)
		}
	case reflect.Slice:
		for i := range v.Len() {
			moved(v.Index(i), name, by)
		}
	case reflect.Int:
		if name == "point" {
			v.SetInt(int64(float64(v.Int()) * by))
		}
	}
}

// copied returns a deep copy.
func copied[T any](of T) T {
	return deep(reflect.ValueOf(&of).Elem()).Interface().(T)
}

func deep(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(deep(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			c.Index(i).Set(deep(v.Index(i)))
		}
	case reflect.Struct:
		for i := range c.NumField() {
			f := opened(c, i)
			f.Set(deep(f))
		}
	}
	return c
}

// opened returns a field that can be set although its name is not exported.
func opened(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// TestShrink: only what it takes to break a rule is left of a workload. Here the rule is that no process has two tasks while a kill is to come.
func TestShrink(t *testing.T) {
	w := generate(7)
	w.fault = fault{what: "kill", point: 100}
	for n := 0; ; {
		c := copied(w)
		e := &edit{n: n}
		if e.walk(reflect.ValueOf(&c).Elem(), ""); !e.done {
			break
		}
		if !e.same && c.fault.what == "kill" && slices.ContainsFunc(c.steps, func(s step) bool { return s.process != nil && len(s.process.tasks) > 1 }) {
			w = c
		} else {
			n++
		}
	}
	number, first, second := w.steps[0].process.number, w.steps[0].process.tasks[0].number, w.steps[0].process.tasks[1].number
	require.Equal(t, workload{fault: fault{what: "kill"}, steps: []step{{process: &process{number: number, tasks: []task{{number: first}, {number: second}}}}}}, w)
	require.Equal(t, "3, 0*2 1", compact([]choice{{n: 2}, {n: 2}, {n: 3, is: 1}}))
}
