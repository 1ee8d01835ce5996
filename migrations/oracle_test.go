package migrations

import (
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
)

// longestPrefix leaves the least room in names.
const longestPrefix = "ABCDE_"

func oracleFiles(t *testing.T, prefix string) map[string]string {
	t.Helper()
	fsys, err := Oracle(prefix, nil)
	require.NoError(t, err)
	names, err := fs.Glob(fsys, "*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	texts := map[string]string{}
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		require.NoError(t, err)
		texts[name] = string(text)
	}
	return texts
}

// oracleText returns all files whose names end with suffix, one after another.
func oracleText(t *testing.T, suffix string) string {
	t.Helper()
	files := oracleFiles(t, "DS_")
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, suffix) {
			text.WriteString(files[name])
		}
	}
	return text.String()
}

var (
	oracleStep   = regexp.MustCompile(`(?s)\bstep\('((?:[^']|'')*)'\);`)
	oracleRemark = regexp.MustCompile(`remark\('(\w+)(?:\.(\w+))?', '((?:[^']|'')*)'\);`)
)

// oracleSteps returns what the steps of a file execute.
func oracleSteps(text string) []string {
	var steps []string
	for _, m := range oracleStep.FindAllStringSubmatch(text, -1) {
		steps = append(steps, strings.ReplaceAll(m[1], "''", "'"))
	}
	return steps
}

func TestOracleFilesRenderAndParse(t *testing.T) {
	for name, text := range oracleFiles(t, longestPrefix) {
		require.Regexp(t, `^\d{4}_[a-z_]+\.(up|down)\.sql$`, name)
		require.NotContains(t, text, "{{")
		require.Regexp(t, `^(declare|begin)\b`, text, "a driver takes the kind of a text from its first word")
		require.NotContains(t, text, "&")
		_, err := sandbox.Facts("oracle", text)
		require.NoError(t, err, name)
		steps := oracleSteps(text)
		require.NotEmpty(t, steps)
		for _, s := range steps {
			_, err := sandbox.Facts("oracle", s)
			require.NoError(t, err, s)
		}
	}
}

func TestOracleNamesAreShort(t *testing.T) {
	names := 0
	for _, text := range oracleFiles(t, longestPrefix) {
		for _, name := range regexp.MustCompile(`\b`+strings.ToLower(longestPrefix)+`\w+`).FindAllString(text, -1) {
			names++
			require.LessOrEqual(t, len(name), 30, name)
		}
	}
	require.Greater(t, names, 60)
}

// Every table and column says what it means: the comments become documentation.
func TestOracleEveryColumnHasAComment(t *testing.T) {
	text := oracleText(t, ".up.sql")
	remarks := map[string]bool{}
	for file, text := range oracleFiles(t, "DS_") {
		here := map[string]bool{} // a later file may say more about a column than the one that created it
		for _, m := range oracleRemark.FindAllStringSubmatch(text, -1) {
			name := m[1]
			if m[2] != "" {
				name += "." + m[2]
			}
			require.False(t, here[name], "%s: %s twice", file, name)
			require.Greater(t, len(m[3]), 5, name)
			here[name], remarks[name] = true, true
		}
	}
	var want []string
	column := regexp.MustCompile(`(?m)^\s+([a-z]\w*) (?:number|varchar2|timestamp|clob|raw|generated)`)
	for _, m := range regexp.MustCompile(`(?s)(create|alter) table ds_(\w+)(?: add)? \((.*?)'\)?;`).FindAllStringSubmatch(text, -1) {
		table, body := m[2], m[3]
		if m[1] == "create" {
			want = append(want, table)
		}
		for _, c := range column.FindAllStringSubmatch(body, -1) {
			want = append(want, table+"."+c[1])
		}
	}
	require.Greater(t, len(want), 120)
	for _, name := range want {
		require.True(t, remarks[name], "%s has no comment", name)
	}
	require.Len(t, remarks, len(want))
}

func TestOracleDownDropsWhatUpMakes(t *testing.T) {
	up, down := oracleText(t, ".up.sql"), oracleText(t, ".down.sql")
	tables, sequences := OracleTables("DS_"), OracleSequences("DS_")
	require.Contains(t, tables, OracleJournal("DS_"))
	require.Contains(t, tables, "DS_WAKE_SENT")
	require.Len(t, tables, strings.Count(up, "create table ds_")+strings.Count(up, "create global temporary table ds_"))
	for _, name := range tables {
		require.Contains(t, down, "step('drop table "+strings.ToLower(name)+" purge');")
	}
	for _, name := range sequences {
		require.Contains(t, down, "step('drop sequence "+strings.ToLower(name)+"');")
	}
	drops := slices.DeleteFunc(oracleSteps(down), func(s string) bool {
		return !strings.HasPrefix(s, "drop table ") && !strings.HasPrefix(s, "drop sequence ")
	})
	require.Len(t, drops, len(tables)+len(sequences))
}

// INSERT steps may run twice if a run was killed between the step and its journal entry.
func TestOracleStepsCanBeRepeated(t *testing.T) {
	for _, s := range oracleSteps(oracleFiles(t, "DS_")["0001_tables.up.sql"]) {
		require.Regexp(t, `^(create (sequence|table|index) |insert into )`, s)
		if strings.HasPrefix(s, "insert ") {
			require.Contains(t, s, "where not exists (")
		}
	}
}

func TestSourceOfGolangMigrateReadsOracle(t *testing.T) {
	fsys, err := Oracle("DS_", nil)
	require.NoError(t, err)
	src, err := iofs.New(fsys, ".")
	require.NoError(t, err)
	defer src.Close()
	first, err := src.First()
	require.NoError(t, err)
	require.EqualValues(t, 1, first)
}

func TestOraclePrefixesThatBreakOut(t *testing.T) {
	for _, prefix := range []string{"", "ds_", "DS", "1A_", "TOOLONG_", "A-_", "A'_"} {
		_, err := Oracle(prefix, nil)
		require.Error(t, err, "%q", prefix)
	}
}

// A full leaf has as many open transactions as INITRANS says: what enqueuers and workers write has room for many.
func TestOracleIndexesHaveRoomForTransactions(t *testing.T) {
	seen := 0
	for _, step := range oracleSteps(oracleText(t, ".up.sql")) {
		for _, m := range regexp.MustCompile(`(?s)create (?:unique )?index \w+ on ds_(processes|process_requests|tasks|logs|wake_sent) \([^)]*\)([^,;\n]*)`).FindAllStringSubmatch(step, -1) {
			seen++
			require.Contains(t, m[2], " initrans 64", m[0])
		}
	}
	require.Equal(t, 21, seen)
	require.Regexp(t, `(?s)create table ds_wake_sent \([^;]*\) pctfree 50 initrans 64'`, oracleText(t, ".up.sql"), "each row may be of another transaction")
}
