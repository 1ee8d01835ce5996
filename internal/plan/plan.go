// Package plan reads the file that "dbsched run" takes: a process with its waves and tasks,
// in YAML. A file is checked whole before anything is done with it: every mistake is told
// at once, with line and column.
package plan

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/textfile"
)

//go:embed mssql.yaml oracle.yaml
var examples embed.FS

// Example is a plan that shows every key there is, with comments, its SQL in the words of a dialect; empty for one that is unknown.
func Example(dialect string) string {
	text, _ := examples.ReadFile(dialect + ".yaml")
	return string(text)
}

// Plan is a process that can be submitted.
type Plan struct {
	Process dialects.NewProcess
	Tasks   []dialects.NewTask // wave by wave, in the order of the file
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

// Load reads the plan at path; SQL files are looked for beside it. A plan with mistakes is an
// *Error. The dialect is as in [Parse].
func Load(path, dialect string) (*Plan, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, dialect, text, func(name string) ([]byte, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		return read(name)
	})
}

// read reads a file of text.
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
