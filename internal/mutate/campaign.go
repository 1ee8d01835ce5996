package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// campaign tries mistakes.
type campaign struct {
	options

	scenarios, histories string // the programs
	reach                map[string]*reach
	results              string // the file
	begun                time.Time

	mu   sync.Mutex
	done map[string]result // by id
}

// result is what became of a mistake.
type result struct {
	ID      string  `json:"id"`
	Dialect string  `json:"dialect"`
	File    string  `json:"file"`
	Line    int     `json:"line"`
	Kind    string  `json:"kind"`
	Diff    string  `json:"diff"`
	Verdict verdict `json:"verdict"`
	By      string  `json:"by,omitempty"` // what noticed it
	Tried   int     `json:"tried"`        // how many scenarios ran, all histories as one
	Seconds float64 `json:"seconds"`
}

type verdict string

const (
	killed   verdict = "killed"
	survived verdict = "survived"
	invalid  verdict = "invalid" // the server refuses it, or it changes nothing: it does not count
)

// program builds the tests of a package.
func (o options) program(ctx context.Context, pkg string) (string, error) {
	path, err := filepath.Abs(filepath.Join(o.dir, filepath.Base(pkg)+".test"))
	if err != nil {
		return "", err
	}
	if out, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", path, pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the tests of %s: %w\n%s", pkg, err, out)
	}
	return path, nil
}

// prepare builds the programs and finds out who reaches what.
func (o options) prepare(ctx context.Context) (*campaign, error) {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return nil, err
	}
	c := &campaign{options: o, begun: time.Now(), done: map[string]result{}}
	var err error
	if c.scenarios, err = o.program(ctx, "./integration"); err != nil {
		return nil, err
	}
	if c.histories, err = o.program(ctx, "./integration/simulation"); err != nil {
		return nil, err
	}
	of, err := hash(c.scenarios, c.histories)
	if err != nil {
		return nil, err
	}
	if c.reach, err = c.recorded(ctx, of); err != nil {
		return nil, err
	}
	name := fmt.Sprint("seed-", o.seed)
	switch {
	case o.named:
		name = "named"
	case o.ids != "":
		name = "ids"
	case o.all:
		name = "all"
	}
	c.results = filepath.Join(o.dir, name+"-"+of+".jsonl")
	return c, c.resume()
}

// hash identifies programs: what was recorded and tried with other tests or other SQL says nothing of these.
func hash(paths ...string) (string, error) {
	h := sha256.New()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		h.Write(text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:4]), nil
}

// resume reads the results of a run that was stopped.
func (c *campaign) resume() error {
	text, err := os.ReadFile(c.results)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for line := range bytes.Lines(text) {
		var r result
		if json.Unmarshal(line, &r) == nil { // the last line may be cut
			c.done[r.ID] = r
		}
	}
	return nil
}

// few is how many histories are tried early, and many how many in all.
const few, many = 40, 300

// recorded returns who reaches what. It runs everything once, unless that has been done.
func (c *campaign) recorded(ctx context.Context, of string) (map[string]*reach, error) {
	file := c.options.reach
	if file == "" {
		file = filepath.Join(c.dir, "reach-"+of+".txt")
		if _, err := os.Stat(file); err != nil {
			if err := c.record(ctx, file); err != nil {
				return nil, err
			}
		}
	}
	out, err := exec.CommandContext(ctx, c.scenarios, "-test.list=.").Output()
	if err != nil {
		return nil, err
	}
	all, err := readReach(file, append(strings.Fields(string(out)), histories))
	if err != nil {
		return nil, err
	}
	for _, dialect := range c.dialects() {
		if all[dialect] == nil {
			return nil, fmt.Errorf("%s tells nothing of %s", file, dialect)
		}
		fmt.Printf("%s: %d scenarios and histories\n", dialect, len(all[dialect].scenarios))
	}
	return all, nil
}

// record runs everything once, with templates that differ in a comment: what fails then looks at texts, and would notice any mistake.
func (c *campaign) record(ctx context.Context, file string) error {
	fmt.Println("recording what scenarios and histories execute: some minutes")
	to, err := filepath.Abs(file + ".part")
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(filepath.Join(c.dir, "harmless"))
	if err != nil {
		return err
	}
	err = errors.Join(os.RemoveAll(to), write(dir, func(_, source string) string { return harmless(source) }))
	if err != nil {
		return err
	}
	env := []string{"DBSCHED_REACH=" + to}
	if out, err := run(ctx, "integration", c.scenarios, dir, env, "-test.timeout=60m"); err != nil {
		return fmt.Errorf("these tests fail with a comment in each template: %v\n%s", failure.FindAllString(out, -1), last(out))
	}
	for _, dialect := range []string{"mssql", "oracle"} {
		if out, err := c.play(ctx, dialect, dir, env, 0, many); err != nil {
			return fmt.Errorf("the histories fail without a mistake: %w\n%s", err, last(out))
		}
	}
	return os.Rename(to, file)
}

// last returns the end of what a program printed.
func last(out string) string {
	const most = 4000
	return out[max(0, len(out)-most):]
}

// play plays histories.
func (c *campaign) play(ctx context.Context, dialect, templates string, env []string, from, n int) (string, error) {
	return run(ctx, "integration/simulation", c.histories, templates, env, "-test.run=^TestSeeds$", "-dialect="+dialect,
		fmt.Sprint("-from=", from), fmt.Sprint("-seeds=", n), "-test.timeout=30m")
}

// failure matches a test's report that it failed.
var failure = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)

// run runs a test program.
func run(ctx context.Context, dir, program, templates string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "DBSCHED_TEMPLATES="+templates), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// campaign tries mistakes: all that count, or the first of each dialect.
func (c *campaign) campaign(ctx context.Context, all []mutant) ([]result, error) {
	chosen, err := c.choose(ctx, all)
	if err != nil {
		return nil, err
	}
	g, ctx := errgroup.WithContext(ctx)
	work := make(chan int)
	for range c.processes {
		g.Go(func() error {
			dir, err := os.MkdirTemp("", "dbsched-mutate")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			for n := range work {
				r, err := c.try(ctx, chosen[n], dir)
				if err == nil {
					err = c.note(r)
				}
				if err != nil {
					return err
				}
				c.tell(n, len(chosen), r)
			}
			return nil
		})
	}
	g.Go(func() error {
		defer close(work)
		for n, m := range chosen {
			if r, known := c.known(m); known {
				c.tell(n, len(chosen), r)
				continue
			}
			select {
			case work <- n:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	err = g.Wait()
	var tried []result
	for _, m := range chosen {
		if r, known := c.known(m); known {
			tried = append(tried, r)
		}
	}
	return tried, err
}

// choose returns the mistakes that count: those that the server accepts and that change something.
func (c *campaign) choose(ctx context.Context, all []mutant) (chosen []mutant, err error) {
	const together = 40
	counted := map[string]int{}
	for len(all) > 0 {
		part := all[:min(together, len(all))]
		all = all[len(part):]
		if !c.all && counted[part[0].dialect] >= c.wanted() && part[len(part)-1].dialect == part[0].dialect {
			continue
		}
		valid := make([]bool, len(part))
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(c.processes)
		for i, m := range part {
			if r, known := c.known(m); known {
				valid[i] = r.Verdict != invalid
				continue
			}
			g.Go(func() error {
				if counts, err := m.counts(ctx); err != nil {
					return err
				} else if !counts {
					return errors.Join(ctx.Err(), c.note(result{ID: m.id, Dialect: m.dialect, File: m.file, Line: m.line, Kind: m.kind, Verdict: invalid}))
				}
				valid[i] = true
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		for i, m := range part {
			if valid[i] && (c.all || counted[m.dialect] < c.wanted()) {
				counted[m.dialect]++
				chosen = append(chosen, m)
			}
		}
	}
	return chosen, nil
}

// known returns the result of a mistake that has been tried.
func (c *campaign) known(m mutant) (result, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.done[m.id]
	return r, ok
}

// tell prints a result.
func (c *campaign) tell(n, of int, r result) {
	fmt.Printf("%4d of %d %6s  %-8s %s %s:%d %s (%.0f s) %s\n", n+1, of, time.Since(c.begun).Round(time.Second), r.Verdict, r.ID, r.File, r.Line, r.Kind, r.Seconds, r.By)
}

// note keeps a result.
func (c *campaign) note(r result) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done[r.ID] = r
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(c.results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(append(line, '\n'))
	return err
}
