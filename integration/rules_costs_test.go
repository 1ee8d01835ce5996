package integration

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/internal/trace"
	"github.com/dbsched/dbsched/templates"
)

const (
	costsFile = "testdata/costs.txt"
	costsHead = `# What some scenarios cost, without the installation: virtual time, statements, rows read by seek and by scan, rows written, locks, waits for
# locks, messages, activations (Oracle: starts of jobs), transactions, commits that wait for their log, log records. Each procedure of dbsched
# is executed by one of them. make pins writes the numbers anew: say in the commit why. To add a scenario, add a line with its name.
`
)

// costTable is the file, and what its scenarios did in this run.
type costTable struct {
	mu       sync.Mutex
	want     map[string]string // line by test
	got      map[string]string
	executed map[string]bool // procedures, by dialect and name: whether one of the scenarios has executed it
}

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.list").Value.String() != "" {
		os.Exit(m.Run())
	}
	all := !slices.ContainsFunc([]string{"run", "skip"}, func(f string) bool { return flag.Lookup("test."+f).Value.String() != "" })
	err := costs.load()
	if all && *update {
		err = errors.Join(err, flag.Set("test.run", costs.pattern()))
	}
	code := m.Run()
	if err == nil && code == 0 {
		err = costs.end(all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// load reads the table, if the sandboxes are those that it was made on.
func (c *costTable) load() error {
	other := regexp.MustCompile("^DBSCHED_(TEST_.*|OPTIMIZED_LOCKING|EVERY_CRASH|TEMPLATES)=.")
	if slices.ContainsFunc(os.Environ(), other.MatchString) {
		return nil
	}
	text, err := os.ReadFile(costsFile)
	for line := range strings.Lines(string(text)) {
		if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); strings.HasPrefix(name, "Test") {
			c.want[name] = strings.TrimSpace(line)
		}
	}
	return err
}

// pattern matches the scenarios of the table.
func (c *costTable) pattern() string {
	var names []string
	for test := range c.want {
		name, _, _ := strings.Cut(test, "/")
		names = append(names, name)
	}
	slices.Sort(names)
	return "^(" + strings.Join(slices.Compact(names), "|") + ")$"
}

// widths of the columns.
const (
	nameWidth = 41
	costWidth = 7
)

func costTitles() string {
	line := fmt.Sprintf("%-*s %*s", nameWidth, "#", costWidth+2, "time")
	for _, c := range trace.Columns {
		line += fmt.Sprintf(" %*s", max(costWidth, len(c[1])), c[1])
	}
	return line
}

func costLine(test string, m sandboxtest.Meter) string {
	took, counters := m.Cost()
	line := fmt.Sprintf("%-*s %*s", nameWidth, test, costWidth+2, took.Round(10*time.Millisecond))
	for _, c := range trace.Columns {
		line += fmt.Sprintf(" %*d", max(costWidth, len(c[1])), counters[c[0]])
	}
	return line
}

// end writes the table with -update. If all tests ran, the table's are among them, and execute each procedure.
func (c *costTable) end(all bool) error {
	if *update && len(c.got) > 0 {
		lines := maps.Clone(c.want)
		maps.Copy(lines, c.got)
		text := costsHead + costTitles() + "\n"
		for _, test := range slices.Sorted(maps.Keys(lines)) {
			text += lines[test] + "\n"
		}
		if err := os.WriteFile(costsFile, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if !all || len(c.want) == 0 {
		return nil
	}
	for test := range c.want {
		if c.got[test] == "" {
			return fmt.Errorf("%s has %s, which does not run", costsFile, test)
		}
	}
	missing, err := c.missing()
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("no scenario of %s executes %s: add a line with the name of one that does (DBSCHED_REACH tells), and run make pins", costsFile, strings.Join(missing, ", "))
	}
	return err
}

// missing are the procedures and subprograms of dbsched that none of the scenarios has executed.
func (c *costTable) missing() (names []string, err error) {
	units := map[string]bool{}
	p := templates.Params{Schema: "APP", Lanes: 1, Version: "v"} // all lanes have the same procedure
	for dialect, render := range map[string]func(templates.Params) ([]templates.Batch, error){"mssql": templates.MSSQL, "oracle": templates.Oracle} {
		batches, err := render(p)
		if err != nil {
			return nil, err
		}
		for _, b := range batches {
			units[dialect+" "+b.Object.Name] = true
		}
	}
	for name, executed := range c.executed {
		unit, _, _ := strings.Cut(name, ".")
		if units[unit] && !executed {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}
