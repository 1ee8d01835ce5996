package watch

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/snapshot"
	"github.com/dbsched/dbsched/internal/timeline"
)

var now = time.Date(2026, 11, 22, 9, 4, 51, 0, time.UTC)

// busy is a scheduler with much to show: more processes than fit, wide characters, control characters.
func busy() *model {
	s := &snapshot.Snapshot{Status: dialects.Status{Target: "SQL01 database Warehouse as ops", MaxWorkers: 4, MaxLanes: 4, Running: 2, Now: now}}
	order := 300
	for i := range 30 {
		s.Processes = append(s.Processes, dialects.Process{
			ID: int64(i + 1), Name: "intraday 載入 \x1b[31m" + strings.Repeat("long ", i), Status: "Open", Unfinished: 11, Running: 2, Succeeded: 20, Order: &order, CreatedAt: now.Add(-time.Duration(i) * time.Minute),
		})
	}
	s.Usual = map[int64]snapshot.Usual{30: {Runs: 7, Median: time.Hour}}
	ended := now.Add(-time.Minute)
	s.Attempts = []dialects.LogEntry{{ID: 1, TaskID: 3977, Order: 1, Attempt: 1, SQL: "agg.Churn", StartedAt: ended, FinishedAt: &ended, Outcome: "Failed", ErrorMessage: "Divide\nby zero"}}
	s.Bad = s.Attempts
	for i := range 4 {
		lane := snapshot.Lane{Lane: dialects.Lane{Lane: i + 1, State: "Idle"}}
		if i < 2 {
			lane.Attempt = &dialects.LogEntry{TaskID: int64(4211 + i), Order: 300, Attempt: 1, SQL: "EXEC fact.LoadSales @Day = '2026-11-22'", StartedAt: now.Add(-190 * time.Second), Outcome: "Running"}
		}
		s.Lanes = append(s.Lanes, lane)
	}
	s.Alarms = []dialects.Alarm{{ID: 1, RaisedAt: now, Kind: "TaskFailed", Text: "agg.Churn failed"}}
	return &model{ctx: nil, zone: time.UTC, now: s, width: 100, height: 30}
}

// TestViewShowsSchedules: problems come first, then what fires next.
func TestViewShowsSchedules(t *testing.T) {
	m := busy()
	m.width = 200
	require.NotContains(t, m.figures(), "schedule")
	next := now.Add(time.Hour)
	m.now.Schedules = dialects.ScheduleCounts{Enabled: 12, Suspended: 1, NextAt: &next, Next: "nightly\nload"}
	require.True(t, strings.HasPrefix(ansi.Strip(m.figures()), " ! 1 alarm   ! 1 schedule suspended   due 0"), m.figures())
	require.True(t, strings.HasSuffix(m.figures(), "   next schedule nightly load 10:04:51"), m.figures())
	next = now.Add(24 * time.Hour)
	require.True(t, strings.HasSuffix(m.figures(), "   next schedule nightly load 2026-11-23 09:04"), m.figures())
	next = now.Add(-time.Hour)
	m.now.Schedules.Late, m.now.Schedules.Suspended = 2, 0
	require.True(t, strings.HasPrefix(ansi.Strip(m.figures()), " ! 1 alarm   ! 2 schedules late   due 0"), m.figures())
	require.NotContains(t, m.figures(), "nightly")
}

// TestViewNarrow: where a terminal is narrow, the target and the alarm count stay, and what is less important goes first.
func TestViewNarrow(t *testing.T) {
	m := busy()
	m.now.Schedules = dialects.ScheduleCounts{Enabled: 1, Suspended: 1}
	for _, c := range []struct {
		width      int
		head, bad  string
		stopped    bool
		connection error
	}{
		{width: 60, head: " SQL01 database Warehouse as ops   Running · 2 of 4 workers ", bad: " ! 1 alarm   ! 1 schedule suspended   due"},
		{width: 52, head: " SQL01 database Warehouse  Running · 2 of 4 workers ", bad: " ! 1 alarm   ! 1 schedule suspended   due"},
		{width: 34, head: " SQL01 database Warehouse Running ", bad: " ! 1 alarm   ! 1 schedule suspend…"},
		{width: 32, head: " SQL01 database Warehouse  Runn…", bad: " ! 1 alarm   ! 1 schedule suspe…"},
		{width: 70, head: " SQL01 database Warehouse    ! No task runs: the scheduler is stopped ", bad: " ! 1 alarm", stopped: true},
		{width: 60, head: " SQL01 database Warehouse  ! No task runs: the scheduler is…", bad: " ! 1 alarm", stopped: true},
		{width: 60, head: " SQL01 database Warehouse  ! Connection lost, trying again:…", bad: " ! 1 alarm", connection: errors.New("reset")},
	} {
		m.width, m.lost, m.now.Status.Blocked = c.width, c.connection, ""
		if c.stopped {
			m.now.Status.Blocked = dialects.Stopped
		}
		lines := strings.Split(ansi.Strip(m.View().Content), "\n")
		require.Equal(t, c.head, lines[0], "%d", c.width)
		require.True(t, strings.HasPrefix(lines[1], c.bad), lines[1])
	}
}

// TestViewFits: whatever the size of the terminal, no page is wider or higher.
func TestViewFits(t *testing.T) {
	m := busy()
	m.detail = detail{process: m.now.Processes[3], tasks: make([]dialects.Task, 200), chart: &timeline.Timeline{}}
	m.process, m.task = 4, 150
	for p := overview; p <= help; p++ {
		m.page = p
		for width := 1; width < 220; width += 7 {
			for height := 1; height < 60; height += 3 {
				m.Update(tea.WindowSizeMsg{Width: width, Height: height})
				lines := strings.Split(m.View().Content, "\n")
				require.LessOrEqual(t, len(lines), height, "page %d, %d x %d", p, width, height)
				for _, l := range lines {
					require.LessOrEqual(t, ansi.StringWidth(l), width, "page %d, %d x %d: %q", p, width, height, l)
				}
			}
		}
	}
}

// TestViewShows: the overview at 100 columns, without its colors.
func TestViewShows(t *testing.T) {
	m := busy()
	m.process = 29
	screen := ansi.Strip(m.View().Content)
	require.NotContains(t, m.View().Content, "\x1b[31mlong", "a name does not color the screen")
	for _, line := range []string{
		" dbsched  SQL01 database Warehouse as ops                       Running · 2 of 4 workers · 09:04:51 ",
		"   PROCESS                                   WAVE PROGRESS               LEFT SINCE START  EXPECTED",
		"    1     4211 Running  EXEC fact.LoadSales @Day = '2026-11-22'             300       1    3 m 10 s",
		"      lanes: 2 idle",
		" ! 09:03:51  task 3977  agg.Churn failed: Divide by zero",
	} {
		require.Contains(t, screen, strings.TrimRight(line, " "))
	}
	require.Regexp(t, ` > intraday 載入 .*300 █+▒+░+ +11 +28 m `, screen)
	require.Regexp(t, `… \d+ more`, screen)
	require.Contains(t, screen, "09:35:51", "start plus what is usual")
}

// TestViewMarksWhatOverran: a running task beyond its timeout, and one that is told to end, in the overview and on the page of a process;
// also what ended so, as whatever.
func TestViewMarksWhatOverran(t *testing.T) {
	m := busy()
	m.now.Lanes[0].Attempt.TaskStatus, m.now.Lanes[0].Attempt.Overran = "Stopping", new(130.0)
	screen := ansi.Strip(m.View().Content)
	require.Contains(t, screen, "4211 Stopping, overran 2 m 10 s EXEC fact")
	require.Contains(t, screen, "4212 Running                    EXEC fact")

	m.page, m.process = tasks, 4
	m.detail = detail{process: m.now.Processes[3], tasks: []dialects.Task{
		{ID: 1, Status: "Succeeded", Overran: new(57.0)}, {ID: 2, Status: "TimedOut", Overran: new(7.0)}, {ID: 3, Status: "Stopping", StartedAt: &now}, {ID: 4, Status: "Succeeded"},
	}}
	screen = ansi.Strip(m.View().Content)
	for _, line := range []string{" 1      0 Succeeded, overran 57 s   0", " 2      0 × TimedOut, overran 7 s   0", " 3      0 Stopping                  0", " 4      0 Succeeded                 0"} {
		require.Contains(t, screen, line)
	}
}

// scheduler counts what is called.
type scheduler struct {
	dialects.Scheduler
	end   string
	calls []string
}

func (s *scheduler) EndCommand(context.Context) (string, error) { return s.end, nil }
func (s *scheduler) CancelTask(context.Context, int64) error {
	s.calls = append(s.calls, "cancel task")
	return nil
}

// TestKeysThatCanWork: keys are offered for what is chosen, and those that can do nothing say why instead of asking.
func TestKeysThatCanWork(t *testing.T) {
	db := &scheduler{end: "sign it"}
	m := busy()
	m.db, m.page, m.process = db, tasks, 4
	m.detail = detail{process: m.now.Processes[3], tasks: []dialects.Task{
		{ID: 1, ProcessID: 4, Status: "Succeeded", FinishedAt: &now}, {ID: 2, ProcessID: 4, Status: "TimedOut", FinishedAt: &now}, {ID: 3, ProcessID: 4, Status: "Running"},
		{ID: 4, ProcessID: 4, Status: "Stopping", TaskOptions: dialects.TaskOptions{StopOutcome: "Cancelled"}}, {ID: 5, ProcessID: 4, Status: "Pending"},
	}}
	press := func(key rune) string {
		m.ask, m.said = nil, ""
		_, do := m.Update(tea.KeyPressMsg{Code: key, Text: string(key)})
		if do != nil {
			m.Update(do())
		}
		if m.ask != nil {
			return m.ask.text
		}
		return m.said
	}
	for i, want := range []struct{ keys, c, r string }{
		{"", "task 1 is Succeeded and cannot be cancelled", "task 1 is Succeeded and cannot run again"},
		{"  r retry task", "task 2 is TimedOut and cannot be cancelled", "Retry task 2?"},
		{"  c cancel task", "Cancel task 3? What runs goes on until it ends by itself.", "task 3 is Running and cannot run again"},
		{"", "task 4 is Stopping and cannot be cancelled", "task 4 is Stopping and cannot run again"},
		{"  c cancel task", "Cancel task 5?", "task 5 is Pending and cannot run again"},
	} {
		m.task = int64(i + 1)
		m.ask, m.said = nil, ""
		require.Equal(t, " ↑↓ choose"+want.keys+"  t timeline  esc back  q quit", ansi.Strip(m.footer()))
		require.Equal(t, want.r, press('r'))
		require.Equal(t, want.c, press('c'))
	}
	db.end, m.task = "", 3
	require.Equal(t, "Cancel task 3?", press('c'))
	_, do := m.Update(tea.KeyPressMsg{Code: 'y', Text: "y"})
	m.Update(do())
	require.Equal(t, []string{"cancel task"}, db.calls)

	m.page, m.process = overview, 2
	m.ask, m.said = nil, ""
	require.Contains(t, ansi.Strip(m.footer()), "w workers  c cancel  t timeline")
	require.Equal(t, "process 2 is Open and cannot run again", press('r'))
	m.now.Processes[1].Failed = 1
	require.Equal(t, "Retry all that failed of process 2?", press('r'))
	m.process = 99
	require.Equal(t, "choose one first", press('c'))
}
