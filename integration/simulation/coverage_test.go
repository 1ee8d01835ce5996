package simulation

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

var (
	executed = flag.Bool("executed", false, "compare what the histories of all tests of this run have executed with testdata/unexecuted: those of a campaign must have executed all else")
	update   = flag.Bool("update", false, "with -executed: write testdata/unexecuted anew; what comes in there needs a reason")
)

// covered is what the histories of this process have executed, by dialect.
var covered = map[string]*coverage{"mssql": {}, "oracle": {}}

// TestMain compares, when all tests have run, what their histories have executed with the lists.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	for _, w := range []words{mssqlWords(), oracleWords()} {
		if c := covered[w.dialect]; *executed && len(c.statements) > 0 {
			if err := c.compare(w, *seeds); err != nil {
				fmt.Fprintln(os.Stderr, err)
				code = 1
			}
		}
	}
	os.Exit(code)
}

// coverage collects the statements of the installed units.
type coverage struct {
	mu         sync.Mutex
	statements map[sandbox.Statement]bool // without Ran: whether any history has executed it
	reach      sandboxtest.Reach          // with the installation
	cost       int64                      // statements
}

// cover counts the histories of an image.
func cover(w words, im *sandbox.Image) {
	if !*executed && !sandboxtest.Reaching() {
		return
	}
	c := covered[w.dialect]
	im.Cover = func(s *sandbox.Simulation) {
		list := s.Statements(strings.ToUpper(w.schema)) // SQL Server's names are case-insensitive here
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.statements == nil {
			c.statements = map[sandbox.Statement]bool{}
		}
		for _, st := range list {
			ran := st.Ran
			st.Ran = false
			c.statements[st] = c.statements[st] || ran
		}
		c.reach.Add(s.Executed(), nil)
		c.cost += s.Counters().Statements
	}
}

// install counts what an installation executes, and what prepares the tests.
func (c *coverage) install(box *sandbox.Server) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reach.Add(box.Executed(), nil)
}

// record adds a line to the file named by DBSCHED_REACH: all histories so far, and the installation.
func (c *coverage) record(t *testing.T, dialect string) {
	t.Helper()
	var all []sandbox.Statement
	for st, ran := range c.statements {
		st.Ran = ran
		all = append(all, st)
	}
	c.reach.Add(nil, all)
	c.reach.Record(t, "histories", dialect, c.cost)
}

// otherLane matches the copies of a lane's procedure: the first represents all.
var otherLane = regexp.MustCompile(`^Lane\d+_Activated$`)

// items returns all statements by their names in the lists: the unit, the statement's beginning and, if several are alike, its number; and the
// templates that define no unit. Blocks without exception handlers count only as what they contain.
func (c *coverage) items(w words) (map[string]bool, error) {
	batches, err := batchesOf(w)
	if err != nil {
		return nil, err
	}
	items, units, alike := map[string]bool{}, map[string]bool{}, map[string]int{}
	list := make([]sandbox.Statement, 0, len(c.statements))
	for st := range c.statements {
		list = append(list, st)
	}
	slices.SortFunc(list, func(a, b sandbox.Statement) int {
		return cmp.Or(cmp.Compare(a.Unit, b.Unit), a.Line-b.Line, len(b.Text)-len(a.Text))
	})
	for _, st := range list {
		object, _, _ := strings.Cut(st.Unit, ".")
		units[object] = true
		if strings.EqualFold(st.Text, "begin") || otherLane.MatchString(st.Unit) && st.Unit != "Lane01_Activated" {
			continue
		}
		const most = 140
		key := strings.TrimSpace(st.Unit + ": " + st.Text[:min(len(st.Text), most)])
		if alike[key]++; alike[key] > 1 {
			key = fmt.Sprintf("%s #%d", key, alike[key])
		}
		items[key] = c.statements[st]
	}
	for _, b := range batches {
		if typ := b.Object.Type; !units[b.Object.Name] || typ != "procedure" && typ != "function" && typ != "package body" {
			items["templates/"+b.Files[0]] = false
		}
	}
	return items, nil
}

// batchesOf renders all templates of a dialect.
func batchesOf(w words) (all []templates.Batch, err error) {
	p := templates.Params{Schema: w.schema, Lanes: 1, Version: "0"}
	kinds := []func(templates.Params) ([]templates.Batch, error){
		templates.MSSQL, templates.MSSQLKillScript, templates.MSSQLUninstall, func(p templates.Params) ([]templates.Batch, error) {
			return templates.MSSQLTrust(p, templates.Trust{Users: []string{"u"}, Targets: []string{"d"}})
		},
	}
	if w.dialect == "oracle" {
		p.Schema = strings.ToUpper(p.Schema)
		kinds = []func(templates.Params) ([]templates.Batch, error){
			templates.Oracle, templates.OracleUninstall, func(p templates.Params) ([]templates.Batch, error) {
				p.Runner = "RUNNER"
				return templates.OracleRunner(p)
			},
		}
	}
	for _, render := range kinds {
		batches, err := render(p)
		if err != nil {
			return nil, err
		}
		all = append(all, batches...)
	}
	return all, nil
}

const (
	// campaigns have at least this many seeds on a dialect: fewer do not execute everything, whatever else the run plays.
	campaigns = 2000
	// missing is the reason for what is not reached yet.
	missing = "The workload does not reach this yet."
	// seldom begins the reasons for what only some seeds reach: it may be executed or not.
	seldom = "Seldom"
)

// compare prints how much was executed, and compares what was not with the list. With fewer seeds than a campaign's it fails for nothing.
func (c *coverage) compare(w words, seeds int) error {
	items, err := c.items(w)
	if err != nil {
		return err
	}
	file := "testdata/unexecuted/" + w.dialect + ".txt"
	text, err := os.ReadFile(file)
	if err != nil && !*update {
		return err
	}
	reasons := map[string]string{}
	var order []string // of the reasons
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if reason, ok := strings.CutPrefix(line, "# "); ok {
			order = append(order, reason)
		} else if line != "" {
			reasons[line] = order[len(order)-1]
		}
	}
	var wrong []string
	ran, files := 0, 0
	for key, done := range items {
		if strings.HasPrefix(key, "templates/") {
			files++
		}
		if done {
			ran++
		}
		reason, listed := reasons[key]
		switch {
		case done && listed && !strings.HasPrefix(reason, seldom):
			wrong = append(wrong, "listed, but executed: "+key)
			delete(reasons, key)
		case !done && !listed:
			wrong = append(wrong, "neither executed nor listed: "+key)
			reasons[key] = missing
		}
	}
	for key := range reasons {
		if _, ok := items[key]; !ok {
			wrong = append(wrong, "listed, but there is none: "+key)
			delete(reasons, key)
		}
	}
	fmt.Printf("%s: %d of %d statements of stored units were executed (%.1f%%); %d templates make no unit\n",
		w.dialect, ran, len(items)-files, 100*float64(ran)/float64(len(items)-files), files)
	if *update {
		return os.WriteFile(file, []byte(listing(order, reasons)), 0o644)
	}
	if seeds < campaigns {
		fmt.Printf("%s: with fewer than %d seeds not compared with %s\n", w.dialect, campaigns, file)
		return nil
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return fmt.Errorf("%s:\n%s", file, strings.Join(wrong, "\n"))
	}
	return nil
}

// TestFewSeeds: a run with few seeds fails for violations alone; a campaign also fails for what it has not executed and nobody has listed.
func TestFewSeeds(t *testing.T) {
	for _, w := range []words{mssqlWords(), oracleWords()} {
		c := coverage{statements: map[sandbox.Statement]bool{{Unit: "NewProcedure", Text: "SELECT 1"}: false}}
		require.NoError(t, c.compare(w, campaigns-1))
		require.ErrorContains(t, c.compare(w, campaigns), "neither executed nor listed: NewProcedure: SELECT 1")
	}
}

// listing formats a list.
func listing(order []string, reasons map[string]string) string {
	if !slices.Contains(order, missing) {
		order = append(order, missing)
	}
	by := map[string][]string{}
	for key, reason := range reasons {
		by[reason] = append(by[reason], key)
	}
	var b strings.Builder
	for _, reason := range order {
		if keys := by[reason]; len(keys) > 0 {
			slices.Sort(keys)
			fmt.Fprintf(&b, "# %s\n%s\n\n", reason, strings.Join(keys, "\n"))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
