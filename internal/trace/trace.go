// Package trace is the file of what the sandboxes of tests did: a line for each, written by internal/sandboxtest where DBSCHED_TRACES says.
package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// Trace is what a sandbox did.
type Trace struct {
	Package string        `json:"package"`
	Test    string        `json:"test"`
	Hash    string        `json:"hash"` // of everything that happened: a seed gives the same one on every machine
	Took    time.Duration `json:"took"` // virtual
	// Costs are the counters of all sessions, those of what prepared the sandbox subtracted. nil: the line is of a version that told the hash alone.
	Costs    map[string]int64 `json:"costs"`
	Outcomes Outcomes         `json:"outcomes"`
}

// Columns are the costs that tables show, in their order, with their titles. Others are locks by mode.
var Columns = [][2]string{
	{"Statements", "statements"}, {"RowsSeek", "seek"}, {"RowsScanned", "scan"}, {"RowsWritten", "written"}, {"Locks", "locks"}, {"LockWaits", "waits"},
	{"Messages", "messages"}, {"Activations", "activations"}, {"Transactions", "transactions"}, {"Flushes", "flushes"}, {"LogRecords", "log"},
}

// Outcomes are what the sandbox's tables say at the test's end: by the name of a row, the values that are not NULL by column.
type Outcomes map[string]map[string]string

// Read reads a file, or nothing if there is none: what each test's sandboxes did, in the order of their ends; by package, if several have that test.
func Read(path string) (map[string][]Trace, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	all := map[string][]Trace{}
	for in := bufio.NewReader(f); ; {
		line, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) {
			for _, of := range all {
				slices.SortStableFunc(of, func(a, b Trace) int { return strings.Compare(a.Package, b.Package) })
			}
			return all, nil
		} else if err != nil {
			return nil, err
		}
		var t Trace
		if strings.HasPrefix(line, "{") {
			err = json.Unmarshal([]byte(line), &t)
		} else { // before there were outcomes, a line was the test, the hash, the time, and counters
			_, err = fmt.Sscan(line, &t.Test, &t.Hash)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", path, line[:min(len(line), 80)], err)
		}
		all[t.Test] = append(all[t.Test], t)
	}
}
