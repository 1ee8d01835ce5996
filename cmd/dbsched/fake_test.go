package main

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dbsched/dbsched/dialects"
	dbclient "github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/mssql"
	"github.com/dbsched/dbsched/internal/cli"
)

// fakeDialect replaces a dialect in tests; what a test does not set is not called.
type fakeDialect struct {
	open   func(dialects.Target) (dialects.Scheduler, error)
	target dialects.Target // of the last Open
	risky  string          // hosts that are exposed contain it
}

func (d *fakeDialect) Exposed(dsn string) string {
	if d.risky == "" || !strings.Contains(dsn, d.risky) {
		return ""
	}
	return "others can read " + d.risky
}

func (*fakeDialect) Name() string          { return "fake" }
func (*fakeDialect) Schemes() []string     { return []string{"fake"} }
func (*fakeDialect) DefaultSchema() string { return "dbsched" }
func (*fakeDialect) Redact(string) string  { return "fake" }
func (*fakeDialect) Render(w io.Writer, l dialects.Layout) error {
	_, err := fmt.Fprintf(w, "render %s %d\n", l.Schema, l.Lanes)
	return err
}

func (*fakeDialect) RenderGrants(w io.Writer, l dialects.Layout) error {
	_, err := fmt.Fprintf(w, "grants %s\n", l.Schema)
	return err
}

func (*fakeDialect) RenderKillScript(w io.Writer, l dialects.Layout) error {
	_, err := fmt.Fprintf(w, "sign for %s\n", l.Schema)
	return err
}

func (*fakeDialect) RenderTrust(w io.Writer, l dialects.Layout, t dialects.Trust) error {
	_, err := fmt.Fprintf(w, "trust of %s: %q in %q, revoked: %t\n", l.Schema, t.Users, t.Targets, t.Revoke)
	return err
}

func (*fakeDialect) RenderRunner(w io.Writer, l dialects.Layout) error {
	_, err := fmt.Fprintf(w, "jobs of %s for %s\n", l.Runner, l.Schema)
	return err
}

func (*fakeDialect) WriteBatch(w io.Writer, b dialects.Batch) error {
	_, err := fmt.Fprintf(w, "-- %s\n%s\n", b.Name, b.SQL)
	return err
}

func (*fakeDialect) Sleep(d time.Duration) string { return "sleep " + d.String() }

func (d *fakeDialect) Open(_ context.Context, t dialects.Target) (dialects.Scheduler, error) {
	d.target = t
	if d.open == nil {
		return nil, errors.New("open is not stubbed")
	}
	return d.open(t)
}

func (*fakeDialect) CheckTask(string) error { return nil }

func (*fakeDialect) Parameters() dialects.Parameters { return mssql.Dialect{}.Parameters() }

func (*fakeDialect) OpenDB(context.Context, dialects.Target) (*sql.DB, error) {
	return nil, errors.New("there is no SQL here")
}

// fakeScheduler records calls and returns what it holds. What only sends something is the client's, whose words are names and values.
type fakeScheduler struct {
	*dbclient.Client
	dbclient.Engine // of that client

	calls     []string
	checks    []dialects.Check
	alarms    []dialects.Alarm
	options   dialects.Options
	err       error // of every call that sends something
	status    dialects.Status
	installed dialects.InstallReport
	removed   dialects.UninstallReport
	revoked   dialects.Revoked
	processes []dialects.Process
	tasks     []dialects.Task
	logs      []dialects.LogEntry
	lanes     []dialects.Lane
	resources []dialects.ResourceRequest
	rounds    []dialects.Round
	schedules []dialects.Schedule
	firings   []dialects.Firing
	foreign   []dialects.ForeignJob
	counts    dialects.ScheduleCounts
	outcome   dialects.RoundOutcome
	waits     int // how often WaitProcess returns unfinished
	filter    dialects.Filter
	dryRun    func(dialects.Batch)
	block     bool   // calls block until the context ends
	failAt    string // the call that is refused
	numbers   bool   // FindProcess accepts numbers
	onWait    func() // called by WaitProcess
	end       string // the command that lets sessions be ended
}

// changes are the calls that are not reads.
func (s *fakeScheduler) changes() []string {
	changes := []string{}
	for _, c := range s.calls {
		if word, _, _ := strings.Cut(c, " "); !slices.Contains([]string{"close", "status", "firings", "lanes", "processes", "tasks", "rounds", "options", "end"}, word) {
			changes = append(changes, c)
		}
	}
	return changes
}

func (s *fakeScheduler) call(ctx context.Context, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	s.calls = append(s.calls, text)
	if s.block {
		<-ctx.Done()
		return ctx.Err()
	}
	if s.dryRun != nil {
		s.dryRun(dialects.Batch{Name: "call", SQL: text})
		return nil
	}
	if text == s.failAt {
		return errors.New("refused")
	}
	return s.err
}

// read is a call that a dry run makes, too.
func (s *fakeScheduler) read(ctx context.Context, text string) error {
	dry := s.dryRun
	s.dryRun = nil
	err := s.call(ctx, "%s", text)
	s.dryRun = dry
	return err
}

// connected returns the scheduler once its client notes calls.
func (s *fakeScheduler) connected(t dialects.Target) *fakeScheduler {
	s.dryRun = t.DryRun
	s.Client = dbclient.To(dialects.Target{}, sql.OpenDB(noted{s: s}), s)
	return s
}

// noted is a connection on which every statement is a call.
type noted struct {
	driver.Conn

	s *fakeScheduler
}

func (n noted) Connect(context.Context) (driver.Conn, error) { return n, nil }
func (noted) Driver() driver.Driver                          { return nil }
func (noted) Close() error                                   { return nil }
func (n noted) ExecContext(ctx context.Context, call string, _ []driver.NamedValue) (driver.Result, error) {
	return driver.RowsAffected(0), n.s.call(ctx, "%s", call)
}

func (*fakeScheduler) Commits() bool                                       { return true }
func (*fakeScheduler) Answered(dbclient.Call) error                        { return nil }
func (*fakeScheduler) Failed(_ context.Context, _ string, err error) error { return err }
func (*fakeScheduler) Name(name string) string                             { return name }
func (s *fakeScheduler) Statement(c dbclient.Call) (string, []any)         { return s.Text(c), nil }
func (*fakeScheduler) Text(c dbclient.Call) string {
	text := c.Procedure
	for _, a := range c.Args {
		text += fmt.Sprintf(" %s=%v", a.Name, a.Value)
	}
	return text
}

func (s *fakeScheduler) Target() string { return "fakehost as u" }
func (s *fakeScheduler) Schema() string { return "dbsched" }
func (s *fakeScheduler) Close() error {
	s.calls = append(s.calls, "close")
	return s.DB.Close()
}

func (s *fakeScheduler) Install(ctx context.Context, o dialects.InstallOptions) (dialects.InstallReport, error) {
	return s.installed, s.call(ctx, "install %d %t %v %s", o.Lanes, o.ForceEnableBroker, o.LockTimeout, o.StopMode())
}

func (s *fakeScheduler) Uninstall(ctx context.Context, o dialects.UninstallOptions) (dialects.UninstallReport, error) {
	return s.removed, s.call(ctx, "uninstall %v", o.DrainTimeout)
}

func (s *fakeScheduler) Grant(ctx context.Context, user string, admin bool) error {
	return s.call(ctx, "grant %s %t", user, admin)
}

func (s *fakeScheduler) Revoke(ctx context.Context, user string) (dialects.Revoked, error) {
	return s.revoked, s.call(ctx, "revoke %s", user)
}

func (s *fakeScheduler) Verify(ctx context.Context, o dialects.VerifyOptions) ([]dialects.Check, error) {
	for _, c := range s.checks {
		if o.Report != nil {
			o.Report(c)
		}
	}
	return s.checks, s.call(ctx, "verify, probe %v", o.ProbeTimeout)
}

func (s *fakeScheduler) Mend(ctx context.Context, c dialects.Check) error {
	return s.call(ctx, "mend %s", c.Name)
}

func (s *fakeScheduler) Status(ctx context.Context) (dialects.Status, error) {
	return s.status, s.call(ctx, "status")
}

func (s *fakeScheduler) Exec(ctx context.Context, tasks []dialects.NewTask) ([]int64, error) {
	ids := make([]int64, len(tasks))
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	return ids, s.call(ctx, "exec %+v", tasks)
}

func (s *fakeScheduler) CreateProcess(ctx context.Context, p dialects.NewProcess) (int64, error) {
	return 7, s.call(ctx, "create %s", p.Name)
}

func (s *fakeScheduler) Submit(ctx context.Context, p dialects.NewProcess, tasks []dialects.NewTask) (dialects.Submitted, error) {
	done := dialects.Submitted{ProcessID: 7}
	for i := range tasks {
		done.TaskIDs = append(done.TaskIDs, int64(i+1))
	}
	return done, s.call(ctx, "submit %+v %+v", p, tasks)
}

func (s *fakeScheduler) WaitProcess(ctx context.Context, id int64, d time.Duration) (bool, error) {
	if s.onWait != nil {
		s.onWait()
		return false, ctx.Err()
	}
	if s.waits > 0 {
		s.waits--
		return false, s.call(ctx, "wait %d %v", id, d)
	}
	return true, s.call(ctx, "wait %d %v", id, d)
}

func (s *fakeScheduler) FindProcess(ctx context.Context, name string) (int64, error) {
	if name == "missing" {
		return 0, dialects.Usagef("no unfinished process is called %q", name)
	}
	if id, err := strconv.ParseInt(name, 10, 64); s.numbers && err == nil {
		return id, nil
	}
	return 42, nil
}

func (s *fakeScheduler) Processes(ctx context.Context, f dialects.Filter) ([]dialects.Process, error) {
	s.filter = f
	return s.processes, s.call(ctx, "processes")
}

func (s *fakeScheduler) Tasks(ctx context.Context, f dialects.Filter) ([]dialects.Task, error) {
	s.filter = f
	return s.tasks, s.call(ctx, "tasks")
}

func (s *fakeScheduler) Logs(ctx context.Context, f dialects.Filter) ([]dialects.LogEntry, error) {
	s.filter = f
	logs := slices.DeleteFunc(slices.Clone(s.logs), func(e dialects.LogEntry) bool { return len(f.Statuses) > 0 && !slices.Contains(f.Statuses, e.Outcome) })
	return logs, s.call(ctx, "logs")
}

func (s *fakeScheduler) Attempts(ctx context.Context, f dialects.Filter) (dialects.Attempts, error) {
	return dialects.Attempts{All: int64(len(s.logs))}, s.call(ctx, "attempts")
}

func (s *fakeScheduler) Alarms(ctx context.Context, f dialects.Filter) ([]dialects.Alarm, error) {
	s.filter = f
	return s.alarms, s.call(ctx, "alarms")
}

func (s *fakeScheduler) EndCommand(ctx context.Context) (string, error) {
	return s.end, s.read(ctx, "end command")
}

func (s *fakeScheduler) AlarmKinds(ctx context.Context) (map[string]int64, error) {
	return nil, s.call(ctx, "alarm kinds")
}

func (s *fakeScheduler) Options(ctx context.Context) (dialects.Options, error) {
	return s.options, s.read(ctx, "options")
}

func (s *fakeScheduler) Lanes(ctx context.Context) ([]dialects.Lane, error) {
	return s.lanes, s.call(ctx, "lanes")
}

func (s *fakeScheduler) Queue(ctx context.Context) ([]dialects.Queued, error) {
	return nil, s.call(ctx, "queue")
}

func (s *fakeScheduler) Resources(ctx context.Context) ([]dialects.ResourceRequest, error) {
	return s.resources, s.call(ctx, "resources")
}

func (s *fakeScheduler) ReportRound(ctx context.Context, round, member string, succeeded bool) (dialects.RoundOutcome, error) {
	return s.outcome, s.call(ctx, "report %s %s %t", round, member, succeeded)
}

func (s *fakeScheduler) Rounds(ctx context.Context) ([]dialects.Round, error) {
	return s.rounds, s.call(ctx, "rounds")
}

func (s *fakeScheduler) ForeignJobs(ctx context.Context, from dialects.Foreign) ([]dialects.ForeignJob, error) {
	return s.foreign, s.call(ctx, "foreign %+v", from)
}

func (s *fakeScheduler) Schedules(ctx context.Context, name string) ([]dialects.Schedule, error) {
	return s.schedules, s.call(ctx, "schedules %s", name)
}

func (s *fakeScheduler) ScheduleCounts(ctx context.Context) (c dialects.ScheduleCounts, err error) {
	return s.counts, s.call(ctx, "count schedules")
}

func (s *fakeScheduler) Firings(ctx context.Context, name string, limit int) ([]dialects.Firing, error) {
	return s.firings, s.call(ctx, "firings %s %d", name, limit)
}

func (s *fakeScheduler) NextInstants(ctx context.Context, w dialects.When, _ time.Time, count int) ([]time.Time, error) {
	return nil, s.call(ctx, "next %s %s %d", w.Calendar, w.Zone, count)
}

func (s *fakeScheduler) Zone(_ context.Context, name string) (string, *time.Location, error) {
	return name, time.UTC, nil
}

// run is one run of the program against a fake.
type run struct {
	scheduler fakeScheduler
	dialect   fakeDialect
	all       dialects.List // used instead of it
	demo      sandboxServer
	sandbox   sandboxConfig // of the last that was started
	env       map[string]string
	in        string
	stdin     io.Reader                             // instead of in
	terminal  int                                   // width, 0 for none
	typed     func(context.Context) (string, error) // the password
	ctx       context.Context

	code     int
	out, err string
	full     bool // standard output accepts nothing
}

// brokenPipe accepts nothing.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// do runs the program with args.
func (r *run) do(t *testing.T, args ...string) *run {
	t.Helper()
	if r.dialect.open == nil {
		r.dialect.open = func(target dialects.Target) (dialects.Scheduler, error) {
			return r.scheduler.connected(target), nil
		}
	}
	if r.ctx == nil {
		r.ctx = t.Context()
	}
	var out, errs bytes.Buffer
	app := &cli.App{
		Dialects: dialects.List{&r.dialect}, Version: "v1.2.3",
		In: strings.NewReader(r.in), Out: &out, Err: &errs,
		Getenv:   func(name string) string { return r.env[name] },
		Terminal: func(any) int { return r.terminal },
		Secret:   r.typed,
	}
	if r.all != nil {
		app.Dialects = r.all
	}
	if r.stdin != nil {
		app.In = r.stdin
	}
	if r.full {
		app.Out = brokenPipe{}
	}
	r.code = app.Main(r.ctx, args, commands(func(_ context.Context, c sandboxConfig) (sandboxServer, error) {
		r.sandbox = c
		return r.demo, nil
	})...)
	r.out, r.err = out.String(), errs.String()
	return r
}

func (*fakeDialect) Version() (string, error) { return "sql-0123456789abcdef", nil }
