package templates

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a person can follow: lines of code of a procedure, parameters of one that users do not call, and characters of a line.
const maxLines, maxParameters, maxWidth = 120, 12, 150

// beyond is what exceeds these numbers. Entries may only go: what is mended must leave the list.
var beyond = []string{
	// Mostly checks, one after the other, whose order is part of the interface.
	"mssql/enqueue/exec_async ExecAsync: lines",
	"mssql/enqueue/exec_async_table ExecAsyncTable: lines",
	"mssql/resources/acquire_resource AcquireResource: lines",
	// One loop, in one transaction for each schedule.
	"mssql/schedules/fire_schedules FireSchedules: lines",
}

// module is a procedure or function, and what a person reads of it: its code, without headers.
type module struct {
	name       string // with its file
	code       []string
	parameters int
	private    bool
}

// TestProceduresAreShort holds the bars for all procedures and functions of both engines.
func TestProceduresAreShort(t *testing.T) {
	found := map[string]bool{}
	exceeds := func(what string, n, most int, name string) {
		if n > most {
			key := fmt.Sprintf("%s: %s", name, what)
			found[key] = true
			require.Contains(t, beyond, key, "%s: %d, at most %d", key, n, most)
		}
	}
	seen := 0
	for _, dialect := range []string{"mssql", "oracle"} {
		for _, s := range modules(t, dialect) {
			seen++
			exceeds("lines", len(s.code), maxLines, s.name)
			if s.private {
				exceeds("parameters", s.parameters, maxParameters, s.name)
			}
			if !slices.Contains([]string{"claim", "complete", "run", "worker"}, strings.Split(s.name, "/")[1]) {
				continue // not what every task goes through
			}
			for _, line := range s.code {
				exceeds("width", len(line), maxWidth, s.name)
			}
		}
	}
	require.Greater(t, seen, 300)
	require.ElementsMatch(t, beyond, slices.Collect(maps.Keys(found)), "what is mended leaves the list")
}

var (
	// head begins a procedure or function: in a package it is a member's, not one within a member.
	head       = regexp.MustCompile(`^(?:CREATE OR ALTER (?:PROCEDURE|FUNCTION) \S+\.|    (?:procedure|function) )(\w+)`)
	usersCall  = regexp.MustCompile(`(?m)^-- Access: public`)
	aParameter = regexp.MustCompile(`@\w+ [a-z]|\b(?:in|out|io)_\w+ (?:in|out)\b`)
)

// modules are those in the installation of an engine.
func modules(t *testing.T, dialect string) (out []module) {
	t.Helper()
	entries, err := order(files, dialect, "install")
	require.NoError(t, err)
	for _, e := range entries {
		if e.kind == "package" {
			continue // a specification repeats what its body has
		}
		for _, file := range e.files {
			text, err := fs.ReadFile(files, file)
			require.NoError(t, err)
			public := usersCall.Match(text) || e.name == "dbsched"
			source := strings.NewReplacer("{{.Schema}}", "dbsched", "{{.P}}", "ds_").Replace(string(text))
			out = append(out, split(strings.TrimSuffix(file, path.Ext(file)), source, !public)...)
		}
	}
	return out
}

// split divides a file into its modules.
func split(file, source string, private bool) (out []module) {
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, "\n")
		if m := head.FindStringSubmatch(line); m != nil {
			out = append(out, module{name: file + " " + m[1], private: private})
		}
		if text := strings.TrimSpace(line); len(out) > 0 && text != "" && !strings.HasPrefix(text, "--") {
			last := &out[len(out)-1]
			last.code = append(last.code, line)
		}
	}
	for i := range out {
		// A signature ends where the body begins.
		signature := regexp.MustCompile(`(?m)^AS$|^RETURNS\b|\bis$`).Split(strings.Join(out[i].code, "\n"), 2)[0]
		out[i].parameters = len(aParameter.FindAllString(signature, -1))
	}
	return out
}
