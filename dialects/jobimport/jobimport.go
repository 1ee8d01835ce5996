// Package jobimport converts jobs of the servers' own schedulers to schedules: SQL Server Agent, DBMS_SCHEDULER and DBMS_JOB. It needs no
// connection: the dialects read the jobs. What has no counterpart is a note, or an obstacle if the schedule would not do what the job does.
package jobimport

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// result collects the result of converting a job.
type result struct {
	dialects.ForeignJob
	hidden string // a schema whose own objects hide its name: see OracleServer
}

func start(name string) *result {
	r := &result{ForeignJob: dialects.ForeignJob{Name: name}}
	r.Schedule.Name = name
	r.Schedule.Disabled = true
	if len([]rune(name)) > dialects.MaxScheduleName {
		r.Schedule.Name = string([]rune(name)[:dialects.MaxScheduleName])
		r.note("the name of a schedule has at most %d characters", dialects.MaxScheduleName)
	}
	return r
}

func (r *result) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

func (r *result) obstacle(format string, args ...any) {
	r.Obstacles = append(r.Obstacles, fmt.Sprintf(format, args...))
}

// done returns the schedule; one without tasks or without a calendar cannot be created.
func (r *result) done() dialects.ForeignJob {
	if len(r.Schedule.Tasks) == 0 {
		r.obstacle("nothing of it can be a task")
	}
	if len(r.Schedule.Calendar) > dialects.MaxCalendar {
		r.obstacle("its calendar has more than %d characters: %s", dialects.MaxCalendar, r.Schedule.Calendar)
		r.Schedule.Calendar = ""
	}
	return r.ForeignJob
}

// add appends a task of the next wave.
func (r *result) add(t dialects.NewTask) {
	t.Order = dialects.OrderStep
	if n := len(r.Schedule.Tasks); n > 0 {
		t.Order += r.Schedule.Tasks[n-1].Order
	}
	r.Schedule.Tasks = append(r.Schedule.Tasks, t)
}

// named names a step in messages.
func named(number int, name string) string { return fmt.Sprintf("step %d (%s)", number, name) }

// fields returns the minutes and hours of a day at which something happens, as cron fields; false if two fields cannot express them.
// Times are minutes since midnight.
func fields(times []int) (minutes, hours string, ok bool) {
	var mm, hh []int
	for _, t := range times {
		mm, hh = append(mm, t%60), append(hh, t/60)
	}
	sort := func(all []int) []int { slices.Sort(all); return slices.Compact(all) }
	count := len(sort(slices.Clone(times)))
	mm, hh = sort(mm), sort(hh)
	return field(mm, 0, 60), field(hh, 0, 24), count > 0 && count == len(mm)*len(hh)
}

// field writes sorted numbers as a cron field that has the given number of values from first.
func field(numbers []int, first, values int) string {
	if len(numbers) == values {
		return "*"
	}
	if n := len(numbers); n > 1 {
		step := numbers[1] - numbers[0]
		even := true
		for i := range n - 1 {
			even = even && numbers[i+1]-numbers[i] == step
		}
		switch {
		case even && step > 1 && n > 2 && numbers[0] == first && numbers[n-1]+step >= first+values:
			return "*/" + strconv.Itoa(step)
		case even && step == 1 && n > 2:
			return fmt.Sprintf("%d-%d", numbers[0], numbers[n-1])
		}
	}
	var texts []string
	for _, n := range numbers {
		texts = append(texts, strconv.Itoa(n))
	}
	return strings.Join(texts, ",")
}

// retries sets the attempts of a task.
func (r *result) retries(t *dialects.NewTask, where string, again int, pause time.Duration) {
	if again <= 0 {
		return
	}
	t.MaxAttempts, t.RetryDelay = min(again+1, dialects.MaxAttempts), cmp.Or(min(pause, dialects.MaxRetryDelay), time.Second)
	if again+1 > dialects.MaxAttempts || pause > dialects.MaxRetryDelay {
		r.note("%s is tried %d times, %v apart: a task has at most %d attempts and %v", where, again+1, pause, dialects.MaxAttempts, dialects.MaxRetryDelay)
	}
	if again > 1 {
		r.note("%s: the pause of %v doubles with each retry, up to the limit in the settings", where, t.RetryDelay)
	}
}
