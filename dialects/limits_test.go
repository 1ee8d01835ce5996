package dialects

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// TestLimitsAreThoseOfTheTables: the CHECKs of both migrations say the same, and what this package says.
func TestLimitsAreThoseOfTheTables(t *testing.T) {
	words := func(words ...string) string { return "in ('" + strings.Join(words, "', '") + "')" }
	var policies []string
	for _, p := range Policies() {
		policies = append(policies, string(p))
	}
	mssql, oracle := checks(t, "mssql"), checks(t, "oracle")
	for column, want := range map[string]string{
		"settings.policy":          words(policies...),
		"processes.status":         words(ProcessStatuses()...),
		"processes.weight":         fmt.Sprintf("between 1 and %d", MaxWeight),
		"processes.on_error":       words(OnErrors()...),
		"tasks.status":             words(TaskStatuses()...),
		"tasks.on_orphan":          words(OnOrphans()...),
		"tasks.access":             words(Accesses()...),
		"logs.outcome":             words(Outcomes()...),
		"schedules.overlap":        words(Overlaps()...),
		"schedules.missed":         words(MissedPolicies()...),
		"resource_requests.access": words(Accesses()...),
	} {
		require.Equal(t, want, mssql[column], column)
	}
	engines := map[string]string{
		"settings.linger_seconds": "a session of a job costs more than an activation",
		"lanes.state":             "lanes are started on Oracle, and activated on SQL Server",
		"process_requests.action": "a look is a message on Oracle",
	}
	for column := range engines {
		require.NotEqual(t, mssql[column], oracle[column], "%s is the same", column)
		delete(mssql, column)
		delete(oracle, column)
	}
	require.Equal(t, mssql, oracle)
	require.Greater(t, len(mssql), 25)
}

var (
	ofTable = regexp.MustCompile(`(?i)create table (?:\{\{\.\w+\}\}\.?)?(\w+)`)
	check   = regexp.MustCompile(`(?i)check \((\w+) (in \([^)]*\)|between \d+ and \d+|>= \d+)\)`)
)

// checks returns the CHECK of each column: words, a range, or a least number. Flags are a type on SQL Server, and rows that must be the
// only one are told otherwise.
func checks(t *testing.T, engine string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../migrations/" + engine + "/0001_tables.up.sql")
	require.NoError(t, err)
	all := map[string]string{}
	table := ""
	for line := range strings.Lines(strings.ReplaceAll(string(text), "''", "'")) {
		if m := ofTable.FindStringSubmatch(line); m != nil {
			table = lower(m[1])
		}
		for _, m := range check.FindAllStringSubmatch(line, -1) {
			operator, rest, _ := strings.Cut(m[2], " ")
			rule := strings.ToLower(operator) + " " + strings.ReplaceAll(rest, " AND ", " and ")
			if rule != "in ('Y', 'N')" {
				all[table+"."+strings.TrimSuffix(lower(m[1]), "_mode")] = rule
			}
		}
	}
	require.NotEmpty(t, all)
	return all
}

// lower writes MaxWorkers as max_workers.
func lower(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
