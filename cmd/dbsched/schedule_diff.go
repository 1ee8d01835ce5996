package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

// diffSchedule prints what a plan would change in a schedule. The answer is no if that is anything.
func diffSchedule(ctx context.Context, s *cli.Session, name, file string) (bool, error) {
	wanted := scheduleFlags{File: file}
	if err := wanted.readPlan(s); err != nil {
		return false, err
	}
	same := false
	ok, err := s.Do(ctx, func(db dialects.Scheduler) error {
		stored, err := schedule(ctx, db, name)
		if err != nil {
			return err
		}
		if err := wanted.read(ctx, s, db); err != nil {
			return err
		}
		changed, err := altered(db, stored, wanted.Schedule)
		if err != nil {
			return err
		}
		diff := dialects.NamedDiff("schedule "+stored.Name, scheduleText(stored), file, scheduleText(changed))
		if same = diff == ""; same {
			s.Done("schedule %s is as %s says", stored.Name, file)
			return nil
		}
		if s.JSON() {
			return s.One("diff", map[string]string{"schedule": stored.Name, "file": file, "diff": diff}, nil)
		}
		s.Print(strings.TrimSuffix(diff, "\n"))
		return nil
	})
	return ok && same, err
}

// altered returns a schedule as AlterSchedule would leave it.
func altered(db dialects.Scheduler, r dialects.Schedule, n dialects.NewSchedule) (_ dialects.Schedule, err error) {
	r.Calendar, r.Zone = cmp.Or(n.Calendar, r.Calendar), cmp.Or(n.Zone, r.Zone)
	r.Overlap, r.MissedPolicy, r.OnError = cmp.Or(n.Overlap, r.Overlap), cmp.Or(n.Missed, r.MissedPolicy), cmp.Or(n.Process.OnError, r.OnError)
	r.Weight, r.MaxParallel = cmp.Or(int64(n.Process.Weight), r.Weight), cmp.Or(int64(n.Process.MaxParallel), r.MaxParallel)
	if !n.Begin.IsZero() {
		r.BeginAt = n.Begin
	}
	if !n.End.IsZero() {
		r.EndAt = &n.End
	}
	r.Tasks, err = db.StoredTasks(n.Tasks)
	return r, err
}

// scheduleText is what a plan can say about a schedule, in lines that can be compared.
func scheduleText(r dialects.Schedule) string {
	var b strings.Builder
	line := func(name, value string) { fmt.Fprintf(&b, "%s: %s\n", name, value) }
	line("cron", r.Calendar)
	line("zone", r.Zone)
	line("begin", r.BeginAt.UTC().Format(time.RFC3339))
	if r.EndAt != nil {
		line("end", r.EndAt.UTC().Format(time.RFC3339))
	}
	line("overlap", r.Overlap)
	line("missed", r.MissedPolicy)
	line("on-error", r.OnError)
	line("weight", fmt.Sprint(r.Weight))
	if r.MaxParallel > 0 {
		line("max-parallel", fmt.Sprint(r.MaxParallel))
	}
	planned := r.Planned()
	if planned == nil {
		line("tasks", r.Tasks)
	}
	for _, p := range planned {
		name := fmt.Sprintf("wave %d", p.Order)
		if p.Name != "" {
			name += " " + strconv.Quote(p.Name)
		}
		if p.Options != "" {
			name += " (" + p.Options + ")"
		}
		line(name, strings.TrimRight(p.SQL, "\r\n"))
	}
	return b.String()
}
