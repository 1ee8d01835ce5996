package main

import (
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type execOptions struct {
	Task      dialects.NewTask
	Process   string
	NotBefore string
	given     func(flag string) bool // whether it stands in the command line: 0 is the default otherwise
}

func execCommand(app *cli.App) *cobra.Command {
	var o execOptions
	cmd := app.Writes(&cobra.Command{
		Use:   `exec "SQL"`,
		Short: "Enqueue one task; - reads its SQL from standard input",
		Long: `Enqueues one task and prints its id. A task starts when no unfinished task of its process
has a lower order; tasks of the same order run in parallel.`,
		Example: `  dbsched exec "EXEC dbo.LoadCustomers" --order 100
  dbsched exec "EXEC dbo.LoadOrders" --order 100 --process nightly --priority 5`,
		Args: cobra.ExactArgs(1),
	})
	f := cmd.Flags()
	f.IntVar(&o.Task.Order, "order", 0, "execution order (required)")
	f.StringVar(&o.Process, "process", "", "name or id of an unfinished process (default: the default process)")
	f.IntVar(&o.Task.Priority, "priority", 0, "higher first within its order")
	f.IntVar(&o.Task.MaxAttempts, "max-attempts", 0, "how often to try (default 1)")
	f.DurationVar(&o.Task.RetryDelay, "retry-delay", 0, "wait before the second attempt; doubles with each one after (default 10s)")
	f.StringVar(&o.NotBefore, "not-before", "", "earliest start, RFC 3339 (2026-11-20T22:00:00Z)")
	f.IntVar(&o.Task.ExpectedSeconds, "expected-seconds", 0, "expected duration: long tasks of an order start first")
	f.DurationVar(&o.Task.Timeout, "timeout", 0, "end an attempt that runs for longer (default: it may run as long as it likes)")
	f.StringVar(&o.Task.OnOrphan, "on-orphan", "", "when its worker dies: Retry or Fail (default Retry)")
	f.StringVar(&o.Task.Resource, "resource", "", "the semaphore it needs; it waits its turn")
	f.StringVar(&o.Task.Access, "access", "", "how it uses the resource: Shared or Exclusive (default Shared)")
	f.BoolVar(&o.Task.Transactional, "transactional", false, "run it in one transaction with its own completion")
	f.StringVar(&o.Task.DedupKey, "dedup-key", "", "of the unfinished tasks with this key only one runs")
	f.StringVar(&o.Task.Parameters, "parameters", "", `values to bind, a JSON object like {"Day": "2026-11-20"}`)
	if err := cmd.MarkFlagRequired("order"); err != nil {
		panic(err) // the flag is defined above
	}
	return app.Bind(cmd, func(args []string) cli.Options {
		o.Task.SQL, o.given = args[0], cmd.Flags().Changed
		return &o
	})
}

// Validate checks what can be told without the server.
func (o *execOptions) Validate() error {
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
	if err := oneOf("--on-orphan", &t.OnOrphan, "Retry", "Fail"); err != nil {
		return err
	}
	if err := oneOf("--access", &t.Access, "Shared", "Exclusive"); err != nil {
		return err
	}
	if t.Access != "" && t.Resource == "" {
		return dialects.Usagef("--access says how a resource is used, and --resource names none")
	}
	if t.Parameters != "" && json.Unmarshal([]byte(t.Parameters), &map[string]any{}) != nil {
		return dialects.Usagef("--parameters is no JSON object: %s", t.Parameters)
	}
	if o.NotBefore != "" {
		at, err := time.Parse(time.RFC3339, o.NotBefore)
		if err != nil {
			return dialects.Usagef("--not-before is %q; it must look like 2026-11-20T22:00:00Z", o.NotBefore)
		}
		t.NotBefore = at.UTC()
	}
	return nil
}

// Run enqueues the task.
func (o *execOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	if o.Task.SQL == "-" {
		text, err := s.ReadAll()
		if err != nil {
			return false, dialects.Usagef("standard input cannot be read: %v", err)
		}
		if strings.TrimSpace(text) == "" {
			return false, dialects.Usagef("the SQL on standard input is empty")
		}
		o.Task.SQL = text
	}
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if o.Process != "" {
			id, err := db.FindProcess(ctx, o.Process)
			if err != nil {
				return err
			}
			o.Task.ProcessID = id
		}
		ids, err := db.Exec(ctx, []dialects.NewTask{o.Task})
		if err != nil || s.DryRun() {
			return err
		}
		warnIfBlocked(ctx, s, db)
		return s.One("task", map[string]int64{"id": ids[0]}, [][2]string{{"task", strconv.FormatInt(ids[0], 10)}})
	})
}

// oneOf takes one of some words in any case of letters, or none.
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

// wholeSeconds refuses what the server cannot take as a number of seconds.
func wholeSeconds(flag string, d time.Duration) error {
	if d < 0 || d%time.Second != 0 || d/time.Second > math.MaxInt32 {
		return dialects.Usagef("%s is %v; it must be whole seconds, 0 or more", flag, d)
	}
	return nil
}
