package main

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
)

// try finds out what notices a mistake.
func (c *campaign) try(ctx context.Context, m mutant, dir string) (result, error) {
	began := time.Now()
	r := result{ID: m.id, Dialect: m.dialect, File: m.file, Line: m.line, Kind: m.kind, Diff: m.diff()}
	if err := write(dir, func(file, source string) string {
		if file == m.file {
			return m.in(source)
		}
		return source
	}); err != nil {
		return r, err
	}
	r.Verdict = survived
	for chunk := range c.chunks(m) {
		r.Tried += max(1, len(chunk.names))
		by, err := c.ask(ctx, m, dir, chunk)
		if err != nil {
			return r, err
		}
		if by != "" {
			r.Verdict, r.By = killed, by
			break
		}
	}
	r.Seconds = time.Since(began).Seconds()
	return r, ctx.Err()
}

// chunk is a piece of work that one process does: scenarios, or histories.
type chunk struct {
	names           []string
	from, histories int
	env             []string
}

// chunks yields what may notice a mistake: what noticed others in the same template, then the cheapest first.
func (c *campaign) chunks(m mutant) func(yield func(chunk) bool) {
	return func(yield func(chunk) bool) {
		var names []string
		playsHistories := false
		for _, s := range c.reach[m.dialect].of(m.where()) {
			if s.name == histories {
				playsHistories = true
			} else {
				names = append(names, s.name)
			}
		}
		before := c.killers(m.file)
		slices.SortStableFunc(names, func(a, b string) int { return before[b] - before[a] })
		if !c.passes(names, playsHistories, nil, yield) || m.kind != lockDropped || m.dialect == "oracle" {
			return
		}
		// Without some hints only versioning shows a difference, or locking after qualification.
		c.passes(names, false, []string{"DBSCHED_OPTIMIZED_LOCKING=versioning"}, yield)
	}
}

// passes yields scenarios in growing chunks, and histories between them. It returns false if nobody wants more.
func (c *campaign) passes(names []string, playsHistories bool, env []string, yield func(chunk) bool) bool {
	for n, size := 0, 8; n <= 2 || len(names) > 0; n, size = n+1, size*2 {
		if len(names) > 0 {
			part := names[:min(size, len(names))]
			names = names[len(part):]
			if !yield(chunk{names: part, env: env}) {
				return false
			}
		}
		if playsHistories && (n == 0 && !yield(chunk{from: 0, histories: few}) || n == 2 && !yield(chunk{from: few, histories: many - few})) {
			return false
		}
	}
	return true
}

// killers returns how many mistakes in a template each scenario has noticed.
func (c *campaign) killers(file string) map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := map[string]int{}
	for _, r := range c.done {
		if name, _, _ := strings.Cut(r.By, "/"); r.File == file && r.Verdict == killed {
			n[name]++
		}
	}
	return n
}

// violation matches what the simulation prints.
var violation = regexp.MustCompile(`(?m)seed \d+: (.*)`)

// ask runs a chunk with the mistaken templates and returns what failed; nothing if it passed.
func (c *campaign) ask(ctx context.Context, m mutant, dir string, ch chunk) (string, error) {
	env := append([]string{"DBSCHED_TEST_DIALECT=" + m.dialect, "GOMAXPROCS=1"}, ch.env...)
	var out string
	var err error
	if ch.histories > 0 {
		out, err = c.play(ctx, m.dialect, dir, env, ch.from, ch.histories)
	} else {
		out, err = run(ctx, "integration", c.scenarios, dir, env, "-test.run=^("+strings.Join(ch.names, "|")+")$", "-test.failfast",
			"-test.timeout="+(time.Minute+time.Duration(len(ch.names))*5*time.Second).String())
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil:
		return "", nil
	case ch.histories > 0:
		if v := violation.FindStringSubmatch(out); v != nil {
			return "the checker: " + strings.TrimSpace(v[1]), nil
		}
		return "the checker: " + firstLine(out), nil
	case strings.Contains(out, "panic: test timed out"):
		return "time-out", nil
	}
	names := failure.FindAllStringSubmatch(out, -1)
	if len(names) == 0 {
		return "crash: " + firstLine(out), nil
	}
	by := names[0][1]
	for _, n := range names {
		if strings.HasPrefix(n[1], by+"/") {
			by = n[1]
		}
	}
	return by, nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s[:min(len(s), 200)]
}
