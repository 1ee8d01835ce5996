package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/internal/trace"
)

// difference is a sandbox that did something else.
type difference struct {
	test     string
	outcomes []string         // what differs, a line for each row
	costs    map[string]int64 // by how much, where it differs
	took     time.Duration
	older    bool   // the base's line tells the hash alone
	why      string // of the commit that explains it
}

// report is what a comparison finds.
type report struct {
	same      int
	news      []string // tests
	gone      []string
	different []*difference
}

// compare compares what the sandboxes of two trees did.
func compare(before, after map[string][]trace.Trace) *report {
	r := &report{}
	for _, test := range slices.Sorted(maps.Keys(after)) {
		was, is := before[test], after[test]
		if was == nil {
			r.news = append(r.news, test)
			continue
		}
		was, is = r.skip(was, is)
		if len(was) != len(is) {
			r.different = append(r.different, &difference{test: test, outcomes: []string{"another number of sandboxes"}})
			continue
		}
		for i := range is {
			if d := differ(was[i], is[i]); d != nil {
				r.different = append(r.different, d)
			} else {
				r.same++
			}
		}
	}
	for _, test := range slices.Sorted(maps.Keys(before)) {
		if after[test] == nil {
			r.gone = append(r.gone, test)
		}
	}
	return r
}

// skip counts the sandboxes that did the same, and returns the others.
func (r *report) skip(was, is []trace.Trace) (rest, others []trace.Trace) {
	rest = slices.Clone(was)
	for _, t := range is {
		if i := slices.IndexFunc(rest, func(o trace.Trace) bool { return o.Hash == t.Hash }); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
			r.same++
		} else {
			others = append(others, t)
		}
	}
	return rest, others
}

// differ compares two sandboxes: nil if only the order of what happened was another one.
func differ(was, is trace.Trace) *difference {
	if was.Costs == nil {
		return &difference{test: is.Test, older: true}
	}
	d := &difference{test: is.Test, outcomes: rows(was.Outcomes, is.Outcomes), costs: map[string]int64{}, took: is.Took - was.Took}
	for name, n := range is.Costs {
		if n != was.Costs[name] {
			d.costs[name] = n - was.Costs[name]
		}
	}
	for name, n := range was.Costs {
		if _, ok := is.Costs[name]; !ok && n != 0 {
			d.costs[name] = -n
		}
	}
	if len(d.outcomes) == 0 && len(d.costs) == 0 {
		return nil
	}
	return d
}

// rows lists the rows that differ.
func rows(was, is trace.Outcomes) (lines []string) {
	names := slices.Collect(maps.Keys(is))
	for name := range was {
		if is[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		switch {
		case was[name] == nil:
			lines = append(lines, "+ "+name+" "+values(is[name]))
		case is[name] == nil:
			lines = append(lines, "- "+name+" "+values(was[name]))
		default:
			if changed := columns(was[name], is[name]); changed != "" {
				lines = append(lines, "  "+name+" "+changed)
			}
		}
	}
	return lines
}

// values writes a row.
func values(row map[string]string) string {
	var out []string
	for _, c := range slices.Sorted(maps.Keys(row)) {
		out = append(out, c+"="+short(row[c]))
	}
	return strings.Join(out, " ")
}

// columns writes what differs in a row.
func columns(was, is map[string]string) string {
	var out []string
	for _, c := range slices.Sorted(maps.Keys(union(was, is))) {
		if !same(was[c], is[c]) {
			out = append(out, c+": "+short(was[c])+" -> "+short(is[c]))
		}
	}
	return strings.Join(out, ", ")
}

func union(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// short shortens a value.
func short(v string) string {
	const most = 100
	if v = strings.Join(strings.Fields(v), " "); len(v) > most {
		v = v[:most] + "..."
	}
	return cmp.Or(v, "NULL")
}

// near is how far two times may lie apart and count as the same: another number of statements moves everything by milliseconds.
const near = time.Second

// same compares two values.
func same(a, b string) bool {
	if a == b {
		return true
	}
	was, err := time.Parse(time.RFC3339, a)
	is, err2 := time.Parse(time.RFC3339, b)
	return err == nil && err2 == nil && is.Sub(was).Abs() <= near
}
