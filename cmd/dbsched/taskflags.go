package main

import (
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

// taskFlags are the flags that say how a task runs.
type taskFlags struct {
	Task  dialects.NewTask
	given func(flag string) bool // whether the command line has it
}

func (o *taskFlags) bind(app *cli.App, cmd *cobra.Command, order string) {
	f := cmd.Flags()
	f.IntVar(&o.Task.Order, "order", 0, order)
	f.IntVar(&o.Task.Priority, "priority", 0, "within an order, higher starts first")
	f.IntVar(&o.Task.MaxAttempts, "max-attempts", 0, "maximum number of attempts (default 1)")
	f.DurationVar(&o.Task.RetryDelay, "retry-delay", 0, "pause before the first retry; doubles with each retry (default 10s)")
	f.IntVar(&o.Task.ExpectedSeconds, "expected-seconds", 0, "expected duration; within an order and priority, longer tasks start first")
	f.DurationVar(&o.Task.Timeout, "timeout", 0, "end an attempt after this time, as TimedOut (default: no limit)")
	f.StringVar(&o.Task.OnOrphan, "on-orphan", "", "if its worker dies: "+choice(dialects.OnOrphans()))
	f.StringVar(&o.Task.Resource, "resource", "", "resource (semaphore) that the task needs while it runs")
	f.StringVar(&o.Task.Access, "access", "", "Shared takes one unit of the resource, Exclusive takes all (default Shared)")
	f.BoolVar(&o.Task.Transactional, "transactional", false, "run the task and its completion in one transaction")
	f.StringVar(&o.Task.Parameters, "parameters", "", `values to bind to the SQL, as a JSON object: {"Day": "2026-11-20"}`)
	app.CompletesFlag(cmd, "resource", resourceNames)
	app.Completes(cmd, "on-orphan", dialects.OnOrphans()...)
	app.Completes(cmd, "access", dialects.Accesses()...)
	o.given = f.Changed
}

// flags returns those that bind adds.
func (*taskFlags) flags() []string {
	return []string{
		"order", "priority", "max-attempts", "retry-delay", "expected-seconds", "timeout", "on-orphan", "resource", "access", "transactional", "parameters",
	}
}

// validate checks what needs no server.
func (o *taskFlags) validate() error {
	t := &o.Task
	switch {
	case strings.TrimSpace(t.SQL) == "":
		return dialects.Usagef("the SQL is empty")
	case t.Order < math.MinInt32 || t.Order > math.MaxInt32:
		return dialects.Usagef("--order is %d; it must fit 32 bits", t.Order)
	case t.Priority < math.MinInt32 || t.Priority > math.MaxInt32:
		return dialects.Usagef("--priority is %d; it must fit 32 bits", t.Priority)
	case t.MaxAttempts < 0 || t.MaxAttempts > math.MaxInt32 || t.MaxAttempts == 0 && o.given("max-attempts"):
		return dialects.Usagef("--max-attempts is %d; it must be at least 1", t.MaxAttempts)
	case t.ExpectedSeconds < 0 || t.ExpectedSeconds > math.MaxInt32:
		return dialects.Usagef("--expected-seconds is %d; it must be 0 or more", t.ExpectedSeconds)
	}
	if err := wholeSeconds("--retry-delay", t.RetryDelay); err != nil {
		return err
	}
	if err := wholeSeconds("--timeout", t.Timeout); err != nil {
		return err
	}
	for _, d := range []struct {
		flag  string
		value time.Duration
	}{{"retry-delay", t.RetryDelay}, {"timeout", t.Timeout}} {
		if d.value == 0 && o.given(d.flag) {
			return dialects.Usagef("--%s is 0s; it must be 1s or more", d.flag)
		}
	}
	if err := oneOf("--on-orphan", &t.OnOrphan, dialects.OnOrphans()...); err != nil {
		return err
	}
	if err := oneOf("--access", &t.Access, dialects.Accesses()...); err != nil {
		return err
	}
	if t.Access != "" && t.Resource == "" {
		return dialects.Usagef("--access needs --resource")
	}
	if t.Parameters != "" && json.Unmarshal([]byte(t.Parameters), &map[string]any{}) != nil {
		return dialects.Usagef("--parameters is not a JSON object: %s", t.Parameters)
	}
	return nil
}

// readSQL reads the SQL from standard input if it is -.
func (o *taskFlags) readSQL(s *cli.Session) error {
	if o.Task.SQL != "-" {
		return nil
	}
	text, err := s.ReadAll()
	if err != nil {
		return dialects.Usagef("standard input cannot be read: %v", err)
	}
	if strings.TrimSpace(text) == "" {
		return dialects.Usagef("the SQL on standard input is empty")
	}
	o.Task.SQL = text
	return nil
}

// choice lists words for people, the default first.
func choice(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last] + " (default " + words[0] + ")"
}

// oneOf accepts one of some words in any case, or none.
func oneOf(flag string, word *string, words ...string) error {
	if *word == "" {
		return nil
	}
	for _, w := range words {
		if strings.EqualFold(*word, w) {
			*word = w
			return nil
		}
	}
	return dialects.Usagef("%s is %q; it must be %s", flag, *word, strings.Join(words, " or "))
}

// wholeSeconds refuses what the server cannot accept as a number of seconds.
func wholeSeconds(flag string, d time.Duration) error {
	if d < 0 || d%time.Second != 0 || d/time.Second > math.MaxInt32 {
		return dialects.Usagef("%s is %v; it must be whole seconds, 0 or more", flag, d)
	}
	return nil
}
