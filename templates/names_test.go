package templates

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
)

// stripped returns SQL without comments and string literals.
func stripped(sql string) string {
	return regexp.MustCompile(`N?'(?:[^']|'')*'`).ReplaceAllString(code(sql), "''")
}

// T-SQL finds an undeclared variable when the batch is compiled; this finds it
// without a server.
func TestVariablesAreDeclared(t *testing.T) {
	variable := regexp.MustCompile(`(^|[^@\w])(@\w+)`)
	result := regexp.MustCompile(`^EXEC (?:@\w+ = )?`)
	named := regexp.MustCompile(`(@\w+)\s*=\s*[^,;]+?(?: OUTPUT)?[,;\n]`)
	for _, b := range allBatches(t, testParams) {
		sql := stripped(b.SQL)
		declared := map[string]bool{}
		m := signature.FindStringSubmatch(sql)
		if b.Object.Type == "function" {
			m = functionSignature.FindStringSubmatch(sql)
		}
		if m != nil {
			for _, p := range variable.FindAllStringSubmatch(m[1], -1) {
				declared[p[2]] = true
			}
		}
		for _, d := range regexp.MustCompile(`(?s)\bDECLARE (@.*?);`).FindAllStringSubmatch(sql, -1) {
			for _, v := range regexp.MustCompile(`(@\w+) (?:AS )?[A-Za-z[]`).FindAllStringSubmatch(d[1], -1) {
				declared[v[1]] = true
			}
		}
		// Names of a called procedure's parameters are not variables.
		for _, call := range regexp.MustCompile(`(?s)\bEXEC\b.*?;`).FindAllString(sql, -1) {
			// Nor is the variable for the result part of the first of them.
			_, call, _ = strings.Cut(call, result.FindString(call))
			sql = strings.Replace(sql, call, named.ReplaceAllStringFunc(call, func(arg string) string {
				_, value, _ := strings.Cut(arg, "=")
				return "=" + value
			}), 1)
		}
		for _, v := range variable.FindAllStringSubmatch(sql, -1) {
			require.True(t, declared[v[2]], "%s uses %s", b.Name, v[2])
		}
	}
}

// The parameters named in a call must be the procedure's.
func TestCallsNameExistingParameters(t *testing.T) {
	parameters := map[string]string{}
	batches := allBatches(t, testParams)
	for _, b := range batches {
		if m := signature.FindStringSubmatch(b.SQL); b.Object.Type == "procedure" && m != nil {
			parameters[b.Object.Name] = m[1]
		}
	}
	call := regexp.MustCompile(`(?s)\bEXEC (?:@\w+ = )?\[dbsched\]\.(\w+)([^;]*);`)
	for _, b := range batches {
		for _, c := range call.FindAllStringSubmatch(stripped(b.SQL), -1) {
			require.Contains(t, parameters, c[1], b.Name)
			for _, p := range regexp.MustCompile(`(@\w+)\s+=`).FindAllStringSubmatch(c[2], -1) {
				require.Regexp(t, regexp.QuoteMeta(p[1])+` `, parameters[c[1]], "%s calls %s", b.Name, c[1])
			}
			given := 0
			if strings.TrimSpace(c[2]) != "" {
				given = strings.Count(c[2], ",") + 1
			}
			required := 0
			total := 0
			for line := range strings.Lines(parameters[c[1]]) {
				total++
				if !strings.Contains(line, " = ") {
					required++
				}
			}
			require.LessOrEqual(t, given, total, "%s calls %s", b.Name, c[1])
			require.GreaterOrEqual(t, given, required, "%s calls %s", b.Name, c[1])
		}
	}
}

// tableColumns reads the columns of all tables from the migrations.
func tableColumns(t *testing.T) map[string][]string {
	t.Helper()
	fsys, err := migrations.MSSQL("dbsched", nil)
	require.NoError(t, err)
	names, err := fs.Glob(fsys, "*.up.sql")
	require.NoError(t, err)
	columns := map[string][]string{}
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?ms)^CREATE TABLE \[dbsched\]\.(\w+)\n\((.*?)^\);`).FindAllStringSubmatch(string(text), -1) {
			for _, c := range regexp.MustCompile(`(?m)^    ([A-Z]\w+) [a-z]`).FindAllStringSubmatch(m[2], -1) {
				columns[m[1]] = append(columns[m[1]], c[1])
			}
		}
		for _, m := range regexp.MustCompile(`(?ms)^ALTER TABLE \[dbsched\]\.(\w+) ADD\n(.*?);$`).FindAllStringSubmatch(string(text), -1) {
			for _, c := range regexp.MustCompile(`(?m)^    ([A-Z]\w+) [a-z]`).FindAllStringSubmatch(m[2], -1) {
				columns[m[1]] = append(columns[m[1]], c[1])
			}
		}
	}
	return columns
}

func TestColumnsExist(t *testing.T) {
	columns := tableColumns(t)
	require.Len(t, columns, len(migrations.Tables()))
	columns["Me"], columns["Viewer"] = []string{"Sid"}, []string{"UserSid", "SeesAll"} // private views
	seen := 0
	for _, b := range allBatches(t, testParams) {
		sql := stripped(b.SQL)
		aliases := map[string][]string{}
		for _, m := range regexp.MustCompile(`\[dbsched\]\.(\w+) AS (\w+)`).FindAllStringSubmatch(sql, -1) {
			aliases[m[2]] = append(aliases[m[2]], columns[m[1]]...)
		}
		for _, m := range regexp.MustCompile(`(?:\bsys\.\w+|\[dbsched\]\.\w+\([^)]*\)) AS (\w+)`).FindAllStringSubmatch(sql, -1) {
			delete(aliases, m[1])
		}
		for _, m := range regexp.MustCompile(`\b(\w+)\.([A-Z]\w+)`).FindAllStringSubmatch(sql, -1) {
			if known, ok := aliases[m[1]]; ok {
				seen++
				require.Contains(t, known, m[2], "%s: %s", b.Name, m[0])
			}
		}
		for _, m := range regexp.MustCompile(`INSERT INTO \[dbsched\]\.(\w+) WITH \(ROWLOCK\)\s*\(([^)]*)\)`).FindAllStringSubmatch(sql, -1) {
			for _, column := range strings.Split(m[2], ",") {
				seen++
				require.Contains(t, columns[m[1]], strings.TrimSpace(column), b.Name)
			}
		}
	}
	require.Greater(t, seen, 300)
}

// SQL Server does not define in which order a SELECT assigns its variables (Variables, Transact-SQL: "does not guarantee the order of
// evaluation"), so none may read another.
func TestAssignmentsDoNotReadEachOther(t *testing.T) {
	anyOrder := map[string]bool{ // both orders are right
		"ExecAsync @Closed": true, // ISNULL, done once or twice
	}
	assignment := regexp.MustCompile(`^\s*(@\w+)\s*=`)
	seen := 0
	for _, b := range allBatches(t, testParams) {
		for _, m := range regexp.MustCompile(`\bSELECT\s+(?:TOP \(1\) )?(@\w+\s*=[^;]*)`).FindAllStringSubmatch(stripped(b.SQL), -1) {
			values := map[string]string{}
			for _, item := range topLevel(m[1]) {
				if a := assignment.FindStringSubmatch(item); a != nil {
					values[a[1]] = item[len(a[0]):]
				}
			}
			for v, value := range values {
				for other := range values {
					seen++
					if v != other && !anyOrder[b.Object.Name+" "+v] {
						require.NotRegexp(t, other+`\b`, value, "%s: %s reads %s", b.Name, v, other)
					}
				}
			}
		}
	}
	require.Greater(t, seen, 500)
}

// topLevel returns the items of a SELECT list up to its FROM, without those in parentheses.
func topLevel(list string) (items []string) {
	depth, from := 0, 0
	for i, r := range list {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case depth == 0 && r == ',':
			items, from = append(items, list[from:i]), i+1
		case depth == 0 && strings.HasPrefix(list[i:], "FROM "):
			return append(items, list[from:i])
		}
	}
	return append(items, list[from:])
}
