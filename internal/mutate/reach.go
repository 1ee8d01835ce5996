package main

import (
	"bufio"
	"cmp"
	"maps"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// scenario is a test, and what it executes.
type scenario struct {
	name       string
	statements int             // what it costs
	reaches    map[string]bool // unit:line
}

// reach says who executes what, of one dialect.
type reach struct {
	scenarios []*scenario      // the cheapest first
	lines     map[string][]int // where statements begin, by unit
	seen      map[string]map[int]int
}

// histories is the scenario that stands for the simulation.
const histories = "histories"

// readReach reads what some tests recorded: a line for each sandbox, with the test, the dialect, the number of statements, and the places that
// were executed and those that were not.
func readReach(path string, tests []string) (map[string]*reach, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	by := map[string]*reach{}
	named, known := map[string]*scenario{}, map[string]bool{}
	for _, name := range tests {
		known[name] = true
	}
	in := bufio.NewReaderSize(f, 1<<20)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			break
		}
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) < 4 {
			continue
		}
		r := by[fields[1]]
		if r == nil {
			r = &reach{lines: map[string][]int{}, seen: map[string]map[int]int{}}
			by[fields[1]] = r
		}
		name, _, _ := strings.Cut(fields[0], "/")
		if !known[name] {
			continue
		}
		s := named[fields[1]+name]
		if s == nil {
			s = &scenario{name: name, reaches: map[string]bool{}}
			named[fields[1]+name] = s
			r.scenarios = append(r.scenarios, s)
		}
		n, _ := strconv.Atoi(fields[2])
		s.statements += n
		for i, group := range fields[3:] {
			for _, at := range strings.Fields(group) {
				r.note(at)
				if i == 0 {
					s.reaches[at] = true
				}
			}
		}
	}
	for _, r := range by {
		r.settle()
		slices.SortFunc(r.scenarios, func(a, b *scenario) int {
			return cmp.Or(a.statements-b.statements, strings.Compare(a.name, b.name))
		})
	}
	return by, nil
}

// note counts a place at which a sandbox has a statement.
func (r *reach) note(at string) {
	colon := strings.LastIndexByte(at, ':')
	unit := at[:colon]
	line, _ := strconv.Atoi(at[colon+1:])
	if r.seen[unit] == nil {
		r.seen[unit] = map[int]int{}
	}
	r.seen[unit][line]++
}

// settle lists where statements begin. What few sandboxes have is of another version of the unit, which a test installs.
func (r *reach) settle() {
	const few = 10
	for unit, seen := range r.seen {
		most := slices.Max(slices.Collect(maps.Values(seen)))
		for _, line := range slices.Sorted(maps.Keys(seen)) {
			if seen[line] >= most/few {
				r.lines[unit] = append(r.lines[unit], line)
			}
		}
	}
}

// of returns the scenarios that execute the statement around one of the places or the one after it, which a declaration belongs to. Where no
// statements are known, any scenario could.
func (r *reach) of(places []place) (out []*scenario) {
	keys := []string{}
	for _, p := range places {
		lines := r.lines[p.unit]
		if len(lines) == 0 && p == places[0] {
			return r.scenarios
		}
		after := sort.SearchInts(lines, p.line+1)
		for _, i := range []int{after - 1, after} {
			if i >= 0 && i < len(lines) {
				keys = append(keys, p.unit+":"+strconv.Itoa(lines[i]))
			}
		}
	}
	for _, s := range r.scenarios {
		if slices.ContainsFunc(keys, func(key string) bool { return s.reaches[key] }) {
			out = append(out, s)
		}
	}
	return out
}

// executes reports whether anything executes the statement around a place.
func (r *reach) executes(p place) bool {
	lines := r.lines[p.unit]
	at := sort.SearchInts(lines, p.line+1) - 1
	if at < 0 {
		return p.unit == "" // of a specification, which only declares
	}
	key := p.unit + ":" + strconv.Itoa(lines[at])
	return slices.ContainsFunc(r.scenarios, func(s *scenario) bool { return s.reaches[key] })
}
