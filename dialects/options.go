package dialects

import (
	"fmt"
	"reflect"
	"strings"
)

// Options are the settings that SetOptions changes and SchedulerInfo shows; nil leaves a setting as it is. A field is all that Go knows of a
// setting: the name of the parameter and of the column, the flag of 'dbsched options' (that of the JSON, with hyphens) and its help.
type Options struct {
	LingerSeconds         *int64 `json:"linger_seconds" help:"seconds that an idle worker waits for a task before it ends"`
	IdleSweepSeconds      *int64 `json:"idle_sweep_seconds" help:"seconds between two sweeps"`
	RetentionDays         *int64 `json:"retention_days" help:"days to keep finished tasks, processes and attempts"`
	MaxRetryDelaySeconds  *int64 `json:"max_retry_delay_seconds" help:"longest pause before a retry, in seconds"`
	MaxOrphans            *int64 `json:"max_orphans" help:"how often a task runs again after its worker died"`
	OutageSeconds         *int64 `json:"outage_seconds" help:"seconds for which a task is tried again that the server cannot begin, because of no fault of the task"`
	MaxTasksPerUser       *int64 `json:"max_tasks_per_user" help:"unfinished tasks that a user may have who is no administrator; 0: no limit"`
	DefaultTimeoutSeconds *int64 `json:"default_timeout_seconds" help:"time limit of new tasks that name none, in seconds; 0: none"`
	AlarmHook             string `json:"alarm_hook,omitempty"` // procedure called for each alarm; SetAlarmHook changes it
}

// Setting is one of [Options].
type Setting struct {
	Name  string // of the parameter and the column, as SQL Server spells it
	Flag  string // of the command line, without hyphens in front
	Help  string // for people, a phrase
	Value **int64
}

// Settings returns all of them, in the order in which people see them.
func (o *Options) Settings() (all []Setting) {
	v := reflect.ValueOf(o).Elem()
	for i, field := range reflect.VisibleFields(v.Type()) {
		if value, ok := v.Field(i).Addr().Interface().(**int64); ok {
			all = append(all, Setting{field.Name, strings.ReplaceAll(field.Tag.Get("json"), "_", "-"), field.Tag.Get("help"), value})
		}
	}
	return all
}

// SettingsLost says what a settings row that came back contains.
func SettingsLost(st Status, o Options) string {
	text := fmt.Sprintf("the settings were lost and have come back with default values: %d workers, policy %s, no alarm hook", st.MaxWorkers, st.Policy)
	for _, s := range o.Settings() {
		if value := *s.Value; value != nil {
			text += fmt.Sprintf(", %s %d", s.Flag, *value)
		}
	}
	return text + ". The scheduler is stopped. Check them (dbsched workers, policy, options), then run dbsched start"
}
