package certify

import (
	"context"
	"fmt"
	"slices"
	"time"
	_ "time/tzdata" // the rules of time zones, wherever the program runs

	"github.com/dbsched/dbsched/dialects"
)

// planRules are about schedules and rounds.
func planRules() []Probe {
	fires := rule(Probe{
		Name: "schedule-fires", Capability: "schedules",
		Assumed:   "A schedule fires at its instant, and its tasks run",
		Otherwise: "Work does not begin, or not in time",
		ask:       askFiring,
	}, wrongInstant, fireLate)
	fires.Answers = append(fires.Answers, Answer{Seen: firedLate, Verdict: Handled, Means: "Slow server: schedules fire late."})
	return []Probe{
		fires,
		rule(Probe{
			Name: "changes-of-the-clocks", Capability: "schedules",
			Assumed:   "Across the next changes of the clocks schedules fire as docs/concepts.md says, in Warsaw, New York and on Lord Howe Island",
			Otherwise: "Either the server's rules of time zones are out of date, or schedules fire at wrong instants",
			ask:       askClocks,
		}, noZone, otherInstants),
		rule(Probe{
			Name: "round", Capability: "rounds and agent jobs",
			Assumed:   "The last member's success starts the successor of a round, once; a failure does not",
			Otherwise: "The successor runs too early, twice or never",
			ask:       askRound,
		}, otherOutcome),
	}
}

// askFiring creates a schedule that fires each minute, for the first time in a few seconds.
func askFiring(ctx context.Context, b *bed) (string, error) {
	db, err := b.dbsched(ctx)
	if err != nil {
		return "", err
	}
	s, err := db.Status(ctx)
	if err != nil {
		return "", err
	}
	begin := s.Now.UTC().Truncate(time.Second).Add(5*time.Second - time.Minute)
	name := "certify " + begin.Format(time.TimeOnly) // what one fired stays listed after it was dropped
	if err := db.CreateSchedule(ctx, dialects.NewSchedule{Name: name, Calendar: "every 1 minutes", Begin: begin, Tasks: []dialects.NewTask{{SQL: b.say.nothing}}}); err != nil {
		return "", err
	}
	var first dialects.Firing
	if err := until(ctx, patience, func() (bool, error) {
		all, err := db.Firings(ctx, name, 0)
		if err != nil || len(all) == 0 {
			return false, err
		}
		first = all[0]
		return first.FinishedAt != nil, nil
	}); err != nil {
		return "", err
	}
	return judgeFiring(first, begin, b.slack), db.DropSchedule(ctx, name)
}

const (
	noZone        = "broken: a time zone is missing"
	otherInstants = "broken: other instants"
)

// askClocks asks for the instants around the next two changes of the clocks, of calendars with and without a fixed hour.
func askClocks(ctx context.Context, b *bed) (string, error) {
	db, err := b.dbsched(ctx)
	if err != nil {
		return "", err
	}
	s, err := db.Status(ctx)
	if err != nil {
		return "", err
	}
	for _, name := range []string{"Europe/Warsaw", "America/New_York", "Australia/Lord_Howe"} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			return "", err
		}
		zone, _, err := db.Zone(ctx, name)
		if err != nil {
			return noZone, nil //nolint:nilerr // that is the answer
		}
		for _, change := range changes(loc, s.Now, 2) {
			after := change.Add(-30 * time.Hour).Truncate(time.Hour)
			hour, minute := affected(loc, change)
			for _, c := range []struct {
				calendar string
				want     []time.Time
			}{
				{fmt.Sprintf("%d %d * * *", minute, hour), daily(loc, hour, minute, after, 4)},
				{fmt.Sprintf("%d * * * *", minute), hourly(loc, minute, after, 48)},
			} {
				got, err := db.NextInstants(ctx, dialects.When{Calendar: c.calendar, Zone: zone, Begin: after}, after, len(c.want))
				if err != nil {
					return "", err
				}
				if !slices.EqualFunc(got, c.want, time.Time.Equal) {
					return otherInstants, nil
				}
			}
		}
	}
	return held, nil
}

// changes returns the next n changes of the clocks.
func changes(loc *time.Location, after time.Time, n int) (all []time.Time) {
	at := after.In(loc)
	for range n {
		if _, at = at.ZoneBounds(); at.IsZero() {
			break
		}
		all = append(all, at)
	}
	return all
}

// affected returns a local time that does not exist, or comes twice, on the day of a change.
func affected(loc *time.Location, change time.Time) (hour, minute int) {
	_, before := change.Add(-time.Second).In(loc).Zone()
	_, after := change.In(loc).Zone()
	middle := change.UTC().Add(time.Duration(before+after) * time.Second / 2) // by the clock
	return middle.Hour(), middle.Minute()
}

// daily returns the first n instants after a time at which it is that hour and minute: the first if there are two, and the end of the gap if there
// is none.
func daily(loc *time.Location, hour, minute int, after time.Time, n int) (all []time.Time) {
	local := after.In(loc)
	for day := local.Day() - 1; len(all) < n; day++ {
		clock := time.Date(local.Year(), local.Month(), day, hour, minute, 0, 0, time.UTC)
		_, before := clock.Add(-24 * time.Hour).In(loc).Zone()
		_, behind := clock.Add(24 * time.Hour).In(loc).Zone()
		at, later := clock.Add(-time.Duration(before)*time.Second), clock.Add(-time.Duration(behind)*time.Second)
		if at.In(loc).Hour() != hour || at.In(loc).Minute() != minute {
			if at = later; at.In(loc).Hour() != hour || at.In(loc).Minute() != minute {
				_, at = at.In(loc).ZoneBounds()
			}
		}
		if at.After(after) {
			all = append(all, at)
		}
	}
	return all
}

// hourly returns the first n instants after a time at which it is that minute.
func hourly(loc *time.Location, minute int, after time.Time, n int) (all []time.Time) {
	for at := after.Truncate(time.Minute).Add(time.Minute); len(all) < n; at = at.Add(time.Minute) {
		if at.In(loc).Minute() == minute {
			all = append(all, at)
		}
	}
	return all
}

const otherOutcome = "broken: another outcome of a report"

// askRound lets two members report success, and in the next generation a failure.
func askRound(ctx context.Context, b *bed) (string, error) {
	db, err := b.dbsched(ctx)
	if err != nil {
		return "", err
	}
	const name = "certify"
	if err := db.DefineRound(ctx, dialects.NewRound{Name: name, Members: []string{"a", "b"}, SuccessorSQL: b.say.nothing}); err != nil {
		return "", err
	}
	for _, report := range []struct {
		member    string
		succeeded bool
		want      dialects.RoundOutcome
	}{{"a", true, dialects.RoundWaiting}, {"b", true, dialects.RoundStarted}, {"b", true, dialects.RoundWaiting}, {"a", false, dialects.RoundReported}} {
		got, err := db.ReportRound(ctx, name, report.member, report.succeeded)
		if err != nil {
			return "", err
		}
		if got != report.want {
			return otherOutcome, nil
		}
	}
	all, err := db.Rounds(ctx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(all, func(r dialects.Round) bool { return r.Name == name })
	if i < 0 || all[i].LastGeneration != 1 {
		return otherOutcome, nil
	}
	switch now, err := b.untilStatus(ctx, all[i].LastTaskID, ended...); {
	case err != nil:
		return "", err
	case now != "Succeeded":
		return wrong, nil
	}
	return held, db.DefineRound(ctx, dialects.NewRound{Name: name})
}
