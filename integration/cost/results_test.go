package cost

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/results.txt anew")

const (
	resultsFile = "testdata/results.txt"
	resultsHead = `# What dbsched costs in the sandbox, see docs/benchmarks.md. Written by go test ./integration/cost -update; do not edit.
`
)

// results are the figures of this run and those of the file.
type results struct {
	mu        sync.Mutex
	measured  map[string]float64
	committed map[string]float64
}

var figures = results{measured: map[string]float64{}, committed: map[string]float64{}}

func TestMain(m *testing.M) {
	flag.Parse()
	err := figures.load()
	code := m.Run()
	if err == nil && *update {
		err = figures.save()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func (r *results) load() error {
	f, err := os.Open(resultsFile)
	if os.IsNotExist(err) && *update {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var name string
		var value float64
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		if _, err := fmt.Sscan(lines.Text(), &name, &value); err != nil {
			return fmt.Errorf("%s: %q: %w", resultsFile, lines.Text(), err)
		}
		r.committed[name] = value
	}
	return lines.Err()
}

// task is what a task costs according to the committed figures.
func (r *results) task(name string) taskCost {
	of := func(what string) float64 { return r.committed[name+"/"+what] }
	return taskCost{
		statements: of("statements"), queries: of("queries"), rows: of("rows-read"), written: of("rows-written"), locks: of("locks"),
		flushes: of("commits-that-wait"), records: of("log-records"), log: of("log-bytes"), locked: of("process-row-locked-microseconds"),
	}
}

// save keeps the figures that this run has not measured.
func (r *results) save() error {
	for name, value := range r.measured {
		r.committed[name] = value
	}
	width := 0
	names := make([]string, 0, len(r.committed))
	for name := range r.committed {
		names, width = append(names, name), max(width, len(name))
	}
	slices.Sort(names)
	text := resultsHead
	for _, name := range names {
		text += fmt.Sprintf("%-*s %10s\n", width, name, shown(r.committed[name]))
	}
	return os.WriteFile(resultsFile, []byte(text), 0o644)
}

// shown formats a figure for writing and comparing: the same seed gives the same figures on every machine.
func shown(value float64) string { return strconv.FormatFloat(value, 'f', 2, 64) }

// record compares a figure of an engine with the committed one.
func (b *bench) record(name string, value float64) {
	b.Helper()
	name = b.dialect.Name() + "/" + name
	b.Logf("%s: %.2f", name, value)
	figures.mu.Lock()
	defer figures.mu.Unlock()
	_, twice := figures.measured[name]
	require.False(b, twice, "%s is measured twice", name)
	figures.measured[name] = value
	if *update {
		return
	}
	want, ok := figures.committed[name]
	if assert.True(b, ok, "%s is not in %s: run with -update", name, resultsFile) {
		assert.Equal(b, shown(want), shown(value), "%s has changed: mend it, or run with -update and say why", name)
	}
}
