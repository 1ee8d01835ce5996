package dialects

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Schedules are the calendars of a schema, each of which starts a process at each of its instants.
type Schedules interface {
	CreateSchedule(ctx context.Context, s NewSchedule) error
	// AlterSchedule changes a schedule; zero values leave it as it is. New tasks make the user its owner.
	AlterSchedule(ctx context.Context, s NewSchedule) error
	SetScheduleEnabled(ctx context.Context, name string, enabled bool) error
	// RunSchedule fires a schedule now, whatever its calendar says.
	RunSchedule(ctx context.Context, name string) error
	DropSchedule(ctx context.Context, name string) error
	// Schedules lists the schedules by name; with a name, that one.
	Schedules(ctx context.Context, name string) ([]Schedule, error)
	// ScheduleCounts counts the schedules.
	ScheduleCounts(ctx context.Context) (ScheduleCounts, error)
	// Firings lists the newest firings of a schedule, limit of them; an empty name is all schedules, limit 0 all firings.
	Firings(ctx context.Context, name string, limit int) ([]Firing, error)
	// StoredTasks returns tasks as CreateSchedule stores them, see [Schedule.Tasks].
	StoredTasks(tasks []NewTask) (string, error)
	// NextInstants lists the next instants of a calendar, at most 100; a zero after is the server's time. A calendar that cannot be read or
	// never fires is refused as by CreateSchedule.
	NextInstants(ctx context.Context, w When, after time.Time, count int) ([]time.Time, error)
	// ForeignJobs reads jobs of the server's own schedulers, and what they would be as schedules; an empty name is all jobs. It changes nothing.
	ForeignJobs(ctx context.Context, from Foreign) ([]ForeignJob, error)
	// Zone returns the engine's name of a time zone, and its rules where the program knows them; nil if not. It fails with a
	// UsageError for an unknown one. "" is UTC.
	Zone(ctx context.Context, name string) (string, *time.Location, error)
}

// When says when a schedule fires.
type When struct {
	Calendar string    // five fields of cron, @daily and the like, or every N minutes, hours or days; on Oracle also a calendar string of DBMS_SCHEDULER
	Zone     string    // time zone of the calendar, in the engine's words; empty: UTC
	Begin    time.Time // none is before it, and intervals are counted from it; zero: now
	End      time.Time // none is after it; zero: without end
}

// NoEnd is the end that takes an end from a schedule.
func NoEnd() time.Time { return time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC) }

// NewSchedule is a schedule to create; the zero value of an optional field means the default.
type NewSchedule struct {
	Name     string
	Calendar string    // see When
	Zone     string    // see When
	Begin    time.Time // see When
	End      time.Time // see When; NoEnd takes an end away
	Overlap  string    // Skip, Queue or Allow
	Missed   string    // Once, None or All
	Disabled bool      // it fires only after SetScheduleEnabled
	Tasks    []NewTask
	// Process has the settings of its processes; its name and priority are not used.
	Process NewProcess
}

// Schedule is a row of the list of schedules. Times are UTC; nil is "not yet".
type Schedule struct {
	ID             int64      `json:"id"`
	Name           string     `json:"name"`
	Calendar       string     `json:"calendar"`
	Zone           string     `json:"zone"`
	Status         string     `json:"status"` // Enabled, Disabled or Suspended
	Reason         string     `json:"reason,omitempty"`
	NextAt         *time.Time `json:"next_at"`
	NextLocal      string     `json:"next_local,omitempty"` // NextAt in the schedule's zone; empty: the server does not know the zone
	BeginAt        time.Time  `json:"begin_at"`
	EndAt          *time.Time `json:"end_at"`      // nil: without end
	LastDueAt      *time.Time `json:"last_due_at"` // of the last firing that started
	LastProcessID  int64      `json:"last_process_id,omitempty"`
	LastStatus     string     `json:"last_status,omitempty"` // of its process; Starting while it is being created
	LastFinishedAt *time.Time `json:"last_finished_at"`
	Running        int64      `json:"running"` // processes
	Waiting        int64      `json:"waiting"` // firings
	Fired          int64      `json:"fired"`
	Skipped        int64      `json:"skipped"`
	Missed         int64      `json:"missed"`
	Overlap        string     `json:"overlap"`
	MissedPolicy   string     `json:"missed_policy"`
	Tasks          string     `json:"tasks"` // the JSON array of the engine's ExecAsyncBatch
	OnError        string     `json:"on_error"`
	Weight         int64      `json:"weight"`
	MaxParallel    int64      `json:"max_parallel,omitempty"` // 0: no limit
	OwnedBy        string     `json:"owned_by"`
}

// Planned is a task of a schedule: its wave, its name, its SQL, and its other options as they are stored.
type Planned struct {
	Order   int64
	Name    string
	SQL     string
	Options string
}

// Planned returns the tasks of a schedule by wave; nil if Tasks is no list of tasks.
func (s Schedule) Planned() (all []Planned) {
	var tasks []map[string]any
	if json.Unmarshal([]byte(s.Tasks), &tasks) != nil {
		return nil
	}
	for _, t := range tasks {
		var p Planned
		var options []string
		for _, name := range slices.Sorted(maps.Keys(t)) {
			switch strings.ReplaceAll(strings.ToLower(name), "_", "") {
			case "name":
				p.Name, _ = t[name].(string)
			case "sql":
				p.SQL, _ = t[name].(string)
			case "executionorder":
				order, _ := t[name].(float64)
				p.Order = int64(order)
			default:
				value, _ := json.Marshal(t[name]) // it was read from JSON
				options = append(options, name+" "+strings.Trim(string(value), `"`))
			}
		}
		p.Options = strings.Join(options, ", ")
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b Planned) int { return cmp.Compare(a.Order, b.Order) })
	return all
}

// SetNext sets when it fires next, in UTC and by the clock of its zone; nil is "not yet", and "not known".
func (s *Schedule) SetNext(at, local *time.Time) {
	s.NextAt = at
	if at != nil && local != nil {
		s.NextLocal = at.In(time.FixedZone("", int(local.Sub(*at)/time.Second))).Format("2006-01-02 15:04:05 -07:00")
	}
}

// When returns when it fires; the zone is what Zone returns for its own.
func (s Schedule) When(zone string) When {
	w := When{Calendar: s.Calendar, Zone: zone, Begin: s.BeginAt}
	if s.EndAt != nil {
		w.End = *s.EndAt
	}
	return w
}

// LateAfter is when a firing that has not started counts as late. A healthy scheduler fires within seconds.
const LateAfter = time.Minute

// Late returns how long the schedule has been due, at the time now.
func (s Schedule) Late(now time.Time) time.Duration {
	if s.Status != "Enabled" {
		return 0
	}
	return dueSince(s.NextAt, now)
}

func dueSince(at *time.Time, now time.Time) time.Duration {
	if at == nil {
		return 0
	}
	return max(0, now.Sub(*at))
}

// ScheduleCounts are the schedules that the user sees, by status.
type ScheduleCounts struct {
	Enabled   int64      `json:"enabled"`
	Disabled  int64      `json:"disabled"`
	Suspended int64      `json:"suspended"`
	Late      int64      `json:"late"` // of the enabled ones: due for more than [LateAfter]
	NextAt    *time.Time `json:"next_at"`
	Next      string     `json:"next,omitempty"` // the schedule that fires then
}

// Add counts the schedules of one status.
func (c *ScheduleCounts) Add(status string, n, late int64, nextAt *time.Time, next string) {
	switch status {
	case "Enabled":
		c.Enabled, c.Late, c.NextAt, c.Next = n, late, nextAt, next
	case "Disabled":
		c.Disabled = n
	case "Suspended":
		c.Suspended = n
	}
}

// All counts all of them.
func (c ScheduleCounts) All() int64 { return c.Enabled + c.Disabled + c.Suspended }

// LateBy returns how long the first of them has been due, at the time now.
func (c ScheduleCounts) LateBy(now time.Time) time.Duration { return dueSince(c.NextAt, now) }

// String says how many exist: 12 enabled, 1 paused, 1 suspended. Statuses without a schedule are omitted.
func (c ScheduleCounts) String() string {
	var parts []string
	for _, p := range []struct {
		n    int64
		text string
	}{{c.Enabled, "enabled"}, {c.Disabled, "paused"}, {c.Suspended, "suspended"}, {c.Late, "late"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.text))
		}
	}
	return strings.Join(parts, ", ")
}

// Firing is a row of the history of schedules.
type Firing struct {
	ID         int64      `json:"id"`
	Schedule   string     `json:"schedule"`
	DueAt      time.Time  `json:"due_at"`
	Manual     bool       `json:"manual"` // by RunSchedule
	Status     string     `json:"status"` // Waiting, Skipped, Missed, Starting, or that of its process
	Detail     string     `json:"detail,omitempty"`
	LoggedAt   time.Time  `json:"logged_at"`
	ProcessID  int64      `json:"process_id,omitempty"`
	FinishedAt *time.Time `json:"finished_at"`
}

// ForeignScheduler is one of the server's own schedulers.
type ForeignScheduler string

// The schedulers, each belonging to one engine.
const (
	Agent ForeignScheduler = "SQL Server Agent"
	Jobs  ForeignScheduler = "DBMS_SCHEDULER"
)

// Foreign says which jobs to read, and from which scheduler.
type Foreign struct {
	Scheduler ForeignScheduler // a UsageError for one that the engine does not have
	Name      string           // of a job; empty: all
	Zone      string           // of the server's clock, in the engine's words; empty: as the server reports it
}

// ForeignJob is a job of another scheduler, and the schedule it would become.
type ForeignJob struct {
	Name      string      // in its scheduler
	Schedule  NewSchedule // disabled
	Notes     []string    // what has no counterpart
	Obstacles []string    // why the schedule would not do what the job does; empty: it can be created
	Disable   string      // statement that disables the job at its source
}
