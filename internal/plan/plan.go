// Package plan reads the file for "dbsched run" and "dbsched schedule add": a process with
// its waves and tasks, in YAML. A file is checked completely before anything is done with it: every mistake is reported
// at once, with line and column.
package plan

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/textfile"
)

//go:embed mssql.yaml oracle.yaml
var examples embed.FS

// Example returns a plan that shows every key, with comments and with SQL for a dialect; empty for an unknown dialect.
func Example(dialect string) string {
	text, _ := examples.ReadFile(dialect + ".yaml")
	return string(text)
}

// Plan is a process that can be submitted.
type Plan struct {
	Process  dialects.NewProcess
	Tasks    []dialects.NewTask   // wave by wave, in the order of the file
	Schedule dialects.NewSchedule // when it is started; has only what is under schedule
}

// Scheduled returns the schedule that starts the process. It fails for what a process of a schedule does not have.
func (p *Plan) Scheduled() (dialects.NewSchedule, error) {
	s := p.Schedule
	s.Name, s.Tasks, s.Process = p.Process.Name, p.Tasks, p.Process
	switch {
	case p.Process.Priority != 0:
		return s, errors.New("a schedule starts its processes with priority 0: remove priority from the plan, or give the tasks one each")
	case slices.ContainsFunc(p.Tasks, func(t dialects.NewTask) bool { return !t.NotBefore.IsZero() }):
		return s, errors.New("not-before is one point in time, and a schedule starts its tasks again and again: remove it from the plan")
	}
	return s, nil
}

// Waves returns the execution orders, ascending.
func (p *Plan) Waves() []int {
	var orders []int
	for _, t := range p.Tasks {
		if len(orders) == 0 || orders[len(orders)-1] != t.Order {
			orders = append(orders, t.Order)
		}
	}
	return orders
}

// Load reads the plan at path; SQL files are searched relative to it. A plan with mistakes is an
// *Error. The dialect is as in [Parse].
func Load(path string, rules Rules) (*Plan, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, rules, text, func(name string) ([]byte, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		return read(name)
	})
}

// read reads a text file.
func read(path string) ([]byte, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text, err := textfile.Decode(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
