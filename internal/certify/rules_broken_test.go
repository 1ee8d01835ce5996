package certify

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// broken is a scheduler that does something else than it is told, or says something else than what is.
type broken struct {
	dialects.Scheduler
	task     func(i int, t *dialects.NewTask)
	logs     func(all []dialects.LogEntry)
	firing   func(f *dialects.Firing)
	onError  string
	exec     func(ids []int64) []int64
	deaf     bool // it cancels and stops nothing
	capacity int
	shift    time.Duration // of instants
	zoneless bool
	round    func(r *dialects.NewRound)
	lanes    int
}

func (b *broken) change(tasks []dialects.NewTask) []dialects.NewTask {
	tasks = slices.Clone(tasks)
	for i := range tasks {
		if b.task != nil {
			b.task(i, &tasks[i])
		}
	}
	return tasks
}

func (b *broken) Exec(ctx context.Context, tasks []dialects.NewTask) ([]int64, error) {
	ids, err := b.Scheduler.Exec(ctx, b.change(tasks))
	if b.exec != nil {
		ids = b.exec(ids)
	}
	return ids, err
}

func (b *broken) Submit(ctx context.Context, p dialects.NewProcess, tasks []dialects.NewTask) (dialects.Submitted, error) {
	if b.onError != "" {
		p.OnError = b.onError
	}
	return b.Scheduler.Submit(ctx, p, b.change(tasks))
}

func (b *broken) Logs(ctx context.Context, f dialects.Filter) ([]dialects.LogEntry, error) {
	all, err := b.Scheduler.Logs(ctx, f)
	if b.logs != nil {
		b.logs(all)
	}
	return all, err
}

func (b *broken) CancelTask(ctx context.Context, id int64) error {
	if b.deaf {
		return nil
	}
	return b.Scheduler.CancelTask(ctx, id)
}

func (b *broken) Stop(ctx context.Context, mode dialects.StopMode) error {
	if b.deaf {
		return nil
	}
	return b.Scheduler.Stop(ctx, mode)
}

func (b *broken) DefineResource(ctx context.Context, name string, capacity int) error {
	return b.Scheduler.DefineResource(ctx, name, max(capacity, b.capacity))
}

func (b *broken) CreateSchedule(ctx context.Context, s dialects.NewSchedule) error {
	s.Tasks = b.change(s.Tasks)
	return b.Scheduler.CreateSchedule(ctx, s)
}

func (b *broken) Firings(ctx context.Context, name string, limit int) ([]dialects.Firing, error) {
	all, err := b.Scheduler.Firings(ctx, name, limit)
	if b.firing != nil && len(all) > 0 {
		b.firing(&all[0])
	}
	return all, err
}

func (b *broken) NextInstants(ctx context.Context, w dialects.When, after time.Time, count int) ([]time.Time, error) {
	all, err := b.Scheduler.NextInstants(ctx, w, after, count)
	if len(all) > 0 {
		all[len(all)-1] = all[len(all)-1].Add(b.shift)
	}
	return all, err
}

func (b *broken) Zone(ctx context.Context, name string) (string, *time.Location, error) {
	if b.zoneless {
		return "", nil, dialects.Usagef("there is no time zone %q", name)
	}
	return b.Scheduler.Zone(ctx, name)
}

func (b *broken) DefineRound(ctx context.Context, r dialects.NewRound) error {
	if b.round != nil {
		b.round(&r)
	}
	return b.Scheduler.DefineRound(ctx, r)
}

func (b *broken) Install(ctx context.Context, o dialects.InstallOptions) (dialects.InstallReport, error) {
	o.Lanes = b.lanes
	return b.Scheduler.Install(ctx, o)
}

// breaks are ways to break each rule, and what is seen then.
func breaks(say words) []struct {
	probe, seen string
	by          broken
} {
	fails := func(_ int, t *dialects.NewTask) { t.SQL = say.fails }
	before := func(d time.Duration, i int) func(all []dialects.LogEntry) {
		return func(all []dialects.LogEntry) { all[i].StartedAt = all[i].StartedAt.Add(-d) }
	}
	return []struct {
		probe, seen string
		by          broken
	}{
		{"waves", wrong, broken{task: func(i int, t *dialects.NewTask) {
			if i == 4 {
				t.SQL = say.fails
			}
		}}},
		{"waves", early, broken{logs: before(time.Second, 3)}},
		{"waves", oneByOne, broken{logs: func(all []dialects.LogEntry) {
			for i := range all {
				all[i].FinishedAt = &all[i].StartedAt
			}
		}}},
		{"halt", went, broken{onError: "Continue"}},
		{"halt", wrong, broken{task: func(_ int, t *dialects.NewTask) { t.SQL = say.nothing; t.Order = 1; t.DedupKey = "one" }}},
		{"retry", attempts, broken{task: func(_ int, t *dialects.NewTask) { t.MaxAttempts-- }}},
		{"retry", hasty, broken{logs: before(time.Second, 2)}},
		{"retry", wrong, broken{logs: func(all []dialects.LogEntry) { all[1].Outcome = "Orphaned" }}},
		{"dedup", twice, broken{task: func(_ int, t *dialects.NewTask) { t.DedupKey = "" }}},
		{"dedup", never, broken{exec: func([]int64) []int64 { return []int64{1} }}},
		{"resource", shared, broken{task: func(_ int, t *dialects.NewTask) { t.Access = "" }}},
		{"resource", crowded, broken{capacity: 5}},
		{"resource", apart, broken{task: func(_ int, t *dialects.NewTask) { t.Access = "Exclusive" }}},
		{"transactional", wrong, broken{task: func(_ int, t *dialects.NewTask) { t.SQL = say.nothing }}},
		{"transactional", lost, broken{task: func(i int, t *dialects.NewTask) {
			if i == 1 {
				t.SQL = say.nothing
			}
		}}},
		{"transactional", kept, broken{
			task: func(_ int, t *dialects.NewTask) { t.SQL = say.insert("RULE_COMMITS", 1) },
			logs: func(all []dialects.LogEntry) { all[slices.IndexFunc(all, earliest(all))].Outcome = "Failed" },
		}},
		{"ramp-up", slowly, broken{task: func(i int, t *dialects.NewTask) { t.Order = min(i, 1) }}},
		{"ramp-up", wrong, broken{task: fails}},
		{"cancel-waiting", ran, broken{deaf: true}},
		{"cancel-running", goesOn, broken{deaf: true}},
		{"cancel-running", wronged, broken{logs: func(all []dialects.LogEntry) { all[0].Outcome = "Failed" }}},
		{"timeout", goesOn, broken{task: func(_ int, t *dialects.NewTask) { t.Timeout = 0 }}},
		{"schedule-fires", wrongInstant, broken{firing: func(f *dialects.Firing) { f.DueAt = f.DueAt.Add(-7 * time.Second) }}},
		{"schedule-fires", firedLate, broken{firing: func(f *dialects.Firing) { f.LoggedAt = f.LoggedAt.Add(12 * time.Second) }}},
		{"schedule-fires", fireLate, broken{firing: func(f *dialects.Firing) { f.LoggedAt = f.LoggedAt.Add(61 * time.Second) }}},
		{"schedule-fires", wrong, broken{task: fails}},
		{"changes-of-the-clocks", otherInstants, broken{shift: time.Hour}},
		{"changes-of-the-clocks", noZone, broken{zoneless: true}},
		{"round", otherOutcome, broken{round: func(r *dialects.NewRound) { r.Members = append(r.Members, "c") }}},
		{"round", wrong, broken{round: func(r *dialects.NewRound) { r.SuccessorSQL = say.fails }}},
		{"stop-and-start", anyway, broken{deaf: true}},
		{"stop-and-start", wrong, broken{logs: func(all []dialects.LogEntry) { all[0].Outcome = "Failed" }}},
		{"install-again", changed, broken{lanes: lanes + 1}},
		{"killed-worker", wrong, broken{logs: func(all []dialects.LogEntry) { all[0].Outcome = "Failed" }}},
	}
}

// first finds the attempt of the task with the least id.
func earliest(all []dialects.LogEntry) func(dialects.LogEntry) bool {
	return func(l dialects.LogEntry) bool {
		return !slices.ContainsFunc(all, func(other dialects.LogEntry) bool { return other.TaskID < l.TaskID })
	}
}

// TestBrokenRules: whatever breaks a rule is seen.
func TestBrokenRules(t *testing.T) {
	installed(t, lying("mssql"), func(t *testing.T, p *place) {
		t.Helper()
		p.probes = rules(p.say)
		ask := func(name string, by *broken) Result {
			t.Helper()
			own, err := p.on.Dialect.Open(t.Context(), p.on.Target)
			require.NoError(t, err)
			by.Scheduler = own
			i := slices.IndexFunc(p.probes, func(x Probe) bool { return x.Name == name })
			b := &bed{place: p, probe: p.probes[i], own: by}
			defer b.close()
			seen, err := p.probes[i].ask(t.Context(), b)
			require.NoError(t, err, name)
			_, err = p.db.ExecContext(t.Context(), "DROP TABLE IF EXISTS "+b.name("RULE_COMMITS")+", "+b.name("RULE_RAMP"))
			require.NoError(t, err)
			require.NoError(t, own.DefineRound(t.Context(), dialects.NewRound{Name: "certify"}))
			return p.probes[i].result(seen, "")
		}
		tried := map[string]bool{uninstall.Name: true} // below
		for _, c := range breaks(p.say) {
			r := ask(c.probe, &c.by)
			require.Equal(t, c.seen, r.Seen, c.probe)
			require.Equal(t, map[bool]Verdict{true: Handled, false: Fails}[slices.Contains([]string{slowly, firedLate, oneByOne, apart}, c.seen)], r.Verdict, c.probe)
			tried[c.probe] = true
		}
		for _, x := range p.probes {
			require.True(t, tried[x.Name], x.Name)
		}

		say := p.say
		p.say.kill = func(int) string { return "SELECT 1;" }
		require.Equal(t, survived, ask("killed-worker", &broken{}).Seen)
		p.say = say
		require.NoError(t, p.sched.Stop(t.Context(), dialects.StopDrain))
		require.Equal(t, endless, ask("halt", &broken{}).Seen)

		r := &Report{Results: []Result{uninstall.result("", "not yet")}}
		p.judge(t.Context(), r)
		require.Equal(t, objectsLeft, r.Results[0].Seen)
		p.stays = errors.New("no")
		p.judge(t.Context(), r)
		require.Equal(t, stayed, r.Results[0].Seen)
		require.Equal(t, Fails, r.Results[0].Verdict)
	})
}

// TestFinishedBeforeItWasSeen: nothing is said of a task that has ended before it could be looked at.
func TestFinishedBeforeItWasSeen(t *testing.T) {
	require.ErrorIs(t, errGone, errLate)
	p := rule(Probe{ask: func(context.Context, *bed) (string, error) { return "", errGone }})
	_, err := p.ask(t.Context(), nil)
	require.ErrorIs(t, err, errGone)
	p = rule(Probe{ask: func(context.Context, *bed) (string, error) { return "", errLate }})
	seen, err := p.ask(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, endless, seen)
}

// TestJudgeEnd covers what no scheduler here does.
func TestJudgeEnd(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	l := func(outcome string, d time.Duration) []dialects.LogEntry {
		end := at.Add(d)
		return []dialects.LogEntry{{StartedAt: at, FinishedAt: &end, Outcome: outcome}}
	}
	require.Equal(t, stops, judgeEnd(l("TimedOut", time.Second), "TimedOut", 5*time.Second, oneClock, false))
	require.Equal(t, marked, judgeEnd(l("TimedOut", 5*time.Second), "TimedOut", 5*time.Second, oneClock, true))
	require.Equal(t, marked, judgeEnd(l("Succeeded", 5*time.Second), "TimedOut", 5*time.Second, oneClock, true))
	require.Equal(t, goesOn, judgeEnd(l("Succeeded", 5*time.Second), "TimedOut", 5*time.Second, oneClock, false))
	require.Equal(t, wronged, judgeEnd(l("Failed", time.Second), "TimedOut", 5*time.Second, oneClock, true))
	require.Equal(t, attempts, judgeEnd(append(l("TimedOut", time.Second), l("TimedOut", time.Second)...), "TimedOut", 5*time.Second, oneClock, true))
}

// TestDaily: what is expected across changes of the clocks, by the rules of docs/concepts.md.
func TestDaily(t *testing.T) {
	loc, err := time.LoadLocation("Europe/Warsaw")
	require.NoError(t, err)
	utc := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2026, month, day, hour, minute, 0, 0, time.UTC)
	}
	next := changes(loc, utc(1, 1, 0, 0), 2)
	require.True(t, slices.EqualFunc(next, []time.Time{utc(3, 29, 1, 0), utc(10, 25, 1, 0)}, time.Time.Equal), "%v", next)
	for _, c := range []struct {
		change, after time.Time
		want          []time.Time
	}{
		{utc(3, 29, 1, 0), utc(3, 28, 12, 0), []time.Time{utc(3, 29, 1, 0), utc(3, 30, 0, 30)}}, // of testdata/calendars.txt
		{utc(10, 25, 1, 0), utc(10, 24, 12, 0), []time.Time{utc(10, 25, 0, 30), utc(10, 26, 1, 30)}},
	} {
		hour, minute := affected(loc, c.change)
		require.Equal(t, []int{2, 30}, []int{hour, minute})
		got := daily(loc, hour, minute, c.after, 2)
		require.True(t, slices.EqualFunc(got, c.want, time.Time.Equal), "%v", got)
	}
}
