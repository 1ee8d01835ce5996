package templates

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
)

var (
	// signature is what is between the procedure's name and its body.
	signature         = regexp.MustCompile(`(?s)CREATE OR ALTER PROCEDURE \S+?\n(.*?)(?:WITH EXECUTE AS OWNER\n)?AS\nBEGIN\n`)
	functionSignature = regexp.MustCompile(`(?s)CREATE OR ALTER FUNCTION \S+?\n\((.*?)\)\nRETURNS`)
	// parameter is one line of it; parameterDoc one line of the header.
	parameter    = regexp.MustCompile(`^    (@\w+) (\S+?(?:\([^)]+\))?(?: READONLY)?)( = .*?)?( OUTPUT)?,?$`)
	parameterDoc = regexp.MustCompile(`(?m)^--   (@\w+) (\S+?(?:\([^)]+\))?(?: READONLY)?)( \(required\)| = .*?)?( OUTPUT)?: \S`)
)

// The headers become the documentation.
func TestHeadersAreComplete(t *testing.T) {
	for _, b := range installation(t, testParams) {
		if b.Kind != KindModule {
			continue
		}
		t.Run(b.Object.Name, func(t *testing.T) {
			header, _, found := strings.Cut(b.SQL, "CREATE OR ALTER ")
			require.True(t, found)
			title := strings.ToUpper(b.Object.Type[:1]) + b.Object.Type[1:]
			require.True(t, strings.HasPrefix(header, "-- "+title+": "+b.Object.Name+"\n"), header)
			require.Regexp(t, `(?m)^-- Purpose: \S`, header)
			require.Regexp(t, `(?m)^-- Access: (public: \w+_(user|reader|admin)|private)`, header)
			private := strings.Contains(header, "\n-- Access: private")
			if !private { // what no user calls has no example, and no line about no parameters or errors
				require.Regexp(t, `(?m)^-- Example: \S`, header)
			}
			if b.Object.Type != "procedure" {
				require.Regexp(t, `(?m)^-- Columns: \S`, header)
				return
			}
			if !private {
				require.Regexp(t, `(?m)^-- Parameters:`, header)
				require.Regexp(t, `(?m)^-- Errors`, header)
			}
			checkParameters(t, header, b.SQL)
			checkErrors(t, header, b.SQL)
		})
	}
}

// checkParameters compares the header's parameters with the procedure's.
func checkParameters(t *testing.T, header, sql string) {
	t.Helper()
	m := signature.FindStringSubmatch(sql)
	require.NotNil(t, m)
	var want []string
	for line := range strings.Lines(m[1]) {
		p := parameter.FindStringSubmatch(strings.Replace(strings.TrimRight(line, "\n"), "[dbsched].", "", 1))
		require.NotNil(t, p, "parameter %q", line)
		value := p[3]
		if value == "" && p[4] == "" {
			value = " (required)"
		}
		want = append(want, p[1]+" "+p[2]+value+p[4])
	}
	var got []string
	for _, d := range parameterDoc.FindAllStringSubmatch(header, -1) {
		got = append(got, d[1]+" "+d[2]+d[3]+d[4])
	}
	require.Equal(t, want, got)
}

// checkErrors requires that the header lists every error that the procedure itself raises.
func checkErrors(t *testing.T, header, sql string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?:THROW |RAISERROR \(N'dbsched |ErrorNumber = |THEN N')(51\d\d\d)`).FindAllStringSubmatch(sql, -1) {
		if m[1] == "51023" { // RecoverLane passes it to CompleteAttempt, and raises nothing.
			continue
		}
		require.Contains(t, header, "--   "+m[1]+": ")
	}
}

// Grants collected in one place must not drift from the headers.
func TestGrantsFollowTheHeaders(t *testing.T) {
	batches := installation(t, testParams)
	granted := map[string][]string{}
	for _, b := range batches {
		for _, m := range regexp.MustCompile(`GRANT \w+ ON \[dbsched\]\.(\w+) TO ([^;]*);`).FindAllStringSubmatch(b.SQL, -1) {
			granted[m[1]] = append(granted[m[1]], strings.Split(strings.NewReplacer("[", "", "]", "").Replace(m[2]), ", ")...)
		}
	}
	role := regexp.MustCompile(`dbsched_\w+`)
	for _, b := range batches {
		if b.Kind != KindModule {
			continue
		}
		access := regexp.MustCompile(`(?m)^-- Access: (.*)$`).FindStringSubmatch(b.SQL)
		require.NotNil(t, access, b.Name)
		if strings.HasPrefix(access[1], "public") {
			require.ElementsMatch(t, role.FindAllString(access[1], -1), granted[b.Object.Name], b.Name)
		} else {
			require.Empty(t, granted[b.Object.Name], b.Name)
		}
	}
}

// Rights on the whole database must not cover private objects.
func TestEverythingPrivateIsDenied(t *testing.T) {
	batches := installation(t, testParams)
	denied := map[string]string{}
	for _, b := range batches {
		for _, m := range regexp.MustCompile(`DENY ([A-Z, ]+) ON \[dbsched\]\.(\w+) TO public;`).FindAllStringSubmatch(b.SQL, -1) {
			denied[m[2]] = m[1]
		}
	}
	for _, table := range migrations.Tables() {
		require.Contains(t, denied[table], "INSERT, UPDATE, DELETE", table)
		delete(denied, table)
	}
	for _, b := range batches {
		// What Service Broker activates runs as its caller, and can do nothing without being the owner.
		if b.Object.Type == "function" || b.Object.Type == "view" {
			right := "EXECUTE"
			if b.Object.Type == "view" || strings.Contains(b.SQL, "\nRETURNS TABLE\n") {
				right = "SELECT"
			}
			if !strings.Contains(b.SQL, "\n-- Access: public") {
				require.Equal(t, right, denied[b.Object.Name], b.Object.Name)
			}
			delete(denied, b.Object.Name)
		}
		if b.Object.Type != "procedure" || strings.HasSuffix(b.Object.Name, "_Activated") || strings.Contains(b.SQL, "\n-- Access: public") {
			continue
		}
		require.Equal(t, "EXECUTE", denied[b.Object.Name], b.Object.Name)
		delete(denied, b.Object.Name)
	}
	require.Empty(t, denied)
}
