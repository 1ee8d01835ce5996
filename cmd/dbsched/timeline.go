package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/timeline"
)

type timelineOptions struct {
	Process, HTML string
}

func timelineCommand(app *cli.App) *cobra.Command {
	var o timelineOptions
	cmd := app.Connects(&cobra.Command{
		Use:   "timeline PROCESS",
		Short: "Draw what a process did, and where the time went",
		Long: `Draws the lanes of a process against time, with its waves, its failures and its critical
path: the tasks that decided how long it took. Below is where the time of the lanes went.

With --html, writes the same as a page: one file that needs nothing else, with zoom and
tooltips. It contains SQL and errors; a new file is for you alone to read.`,
		Example: `  dbsched timeline "nightly load"
  dbsched timeline 17 --html nightly.html`,
		Args: cobra.ExactArgs(1),
	})
	cmd.Flags().StringVar(&o.HTML, "html", "", "write a page to this file; - writes it to standard output")
	return app.Bind(app.CompletesArguments(cmd, first(processNames())), func(args []string) cli.Options {
		o.Process = args[0]
		return &o
	})
}

// Validate has nothing to check.
func (o *timelineOptions) Validate() error { return nil }

// Run draws.
func (o *timelineOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		id, err := findProcess(ctx, db, o.Process)
		if err != nil {
			return err
		}
		t, err := readTimeline(ctx, db, id)
		if err != nil {
			return err
		}
		switch {
		case o.HTML != "":
			return o.page(s, db, t)
		case s.JSON():
			return s.One("timeline", timelineResult{t.Process.ID, t.Process.Name, t.Begin, t.End, t.CriticalTasks(), t.OverranTasks(), seconds(t.Spent.Running), seconds(t.Spent.Idle), seconds(t.Spent.Resource), seconds(t.Spent.Others), seconds(t.Spent.Start)}, nil)
		}
		s.Print(t.Text(s.Width(), s.Clock))
		return nil
	})
}

// timelineResult is what the command prints as JSON.
type timelineResult struct {
	Process  int64     `json:"process_id"`
	Name     string    `json:"name"`
	Begin    time.Time `json:"begin_at"`
	End      time.Time `json:"end_at"`
	Critical []int64   `json:"critical_task_ids"`
	Overran  []int64   `json:"overran_task_ids"`
	Running  float64   `json:"running_seconds"`
	Idle     float64   `json:"idle_seconds"`
	Resource float64   `json:"resource_seconds"`
	Others   float64   `json:"other_processes_seconds"`
	Start    float64   `json:"start_seconds"`
}

func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }

// readTimeline reads the data for a timeline.
func readTimeline(ctx context.Context, db dialects.Scheduler, id int64) (*timeline.Timeline, error) {
	p, err := process(ctx, db, id)
	if err != nil {
		return nil, err
	}
	st, err := db.Status(ctx)
	if err != nil {
		return nil, err
	}
	return timeline.Read(ctx, db, p, st.Now)
}

// page writes the page.
func (o *timelineOptions) page(s *cli.Session, db dialects.Scheduler, t *timeline.Timeline) error {
	var b bytes.Buffer
	if err := t.HTML(&b, db.Target(), s.Zone(), s.Clock); err != nil {
		return err
	}
	if o.HTML == "-" {
		_, err := b.WriteTo(s.Out())
		return err
	}
	if err := replaceFile(o.HTML, b.Bytes()); err != nil {
		return err
	}
	s.Done("wrote %s", o.HTML)
	return nil
}

// replaceFile writes a file beside the old one and then takes its place: on a full disk, the old one stays whole. A new file is for its
// owner alone; an old one keeps its rights. It fails with a UsageError if there can be no such file.
func replaceFile(path string, text []byte) error {
	mode := os.FileMode(0o600)
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		path = linked
	}
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() { // a pipe, a device
			return os.WriteFile(path, text, mode)
		}
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".dbsched-*")
	if err != nil {
		return dialects.Usagef("the page cannot be written: %v", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("the page cannot be written: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}
