package migrations

import (
	"context"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/sqlc-dev/teesql/parser"
	"github.com/stretchr/testify/require"
)

func TestFilesRenderAndParse(t *testing.T) {
	fsys, err := MSSQL("we'ird", nil)
	require.NoError(t, err)
	names, err := fs.Glob(fsys, "*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			require.Regexp(t, `^\d{4}_[a-z_]+\.(up|down)\.sql$`, name)
			text, err := fs.ReadFile(fsys, name)
			require.NoError(t, err)
			sql := string(text)
			require.NotContains(t, sql, "{{")
			require.NotContains(t, sql, "$(")
			require.NotRegexp(t, regexp.MustCompile(`(?im)^\s*GO\b`), sql)
			require.Contains(t, sql, "SET XACT_ABORT ON;")
			require.Contains(t, sql, "SET LOCK_TIMEOUT ")
			require.Contains(t, sql, "BEGIN TRANSACTION;")
			require.Contains(t, sql, "COMMIT TRANSACTION;")
			script, err := parser.Parse(context.Background(), strings.NewReader(sql))
			require.NoError(t, err)
			require.Len(t, script.Batches, 1)
		})
	}
}

func TestSourceOfGolangMigrateReadsThem(t *testing.T) {
	fsys, err := MSSQL("dbsched", nil)
	require.NoError(t, err)
	src, err := iofs.New(fsys, ".")
	require.NoError(t, err)
	defer src.Close()
	first, err := src.First()
	require.NoError(t, err)
	require.EqualValues(t, 1, first)
	body, name, err := src.ReadUp(first)
	require.NoError(t, err)
	require.Equal(t, "tables", name)
	defer body.Close()
	var buf strings.Builder
	var chunk [512]byte
	for {
		n, err := body.Read(chunk[:])
		buf.Write(chunk[:n])
		if err != nil {
			break
		}
	}
	require.Contains(t, buf.String(), "CREATE TABLE [dbsched].Tasks")
}

func TestDownDropsWhatUpMakes(t *testing.T) {
	up, err := fs.ReadFile(files, "mssql/0001_tables.up.sql")
	require.NoError(t, err)
	down, err := fs.ReadFile(files, "mssql/0001_tables.down.sql")
	require.NoError(t, err)
	for _, m := range createTable.FindAllStringSubmatch(string(up), -1) {
		require.Contains(t, string(down), "DROP TABLE IF EXISTS {{.Schema}}."+m[1]+";")
	}
}

// Every column says what it means: the comments become documentation.
func TestEveryColumnHasAComment(t *testing.T) {
	up, err := fs.ReadFile(files, "mssql/0001_tables.up.sql")
	require.NoError(t, err)
	column := regexp.MustCompile(`^    [A-Z]\w+ (tinyint|int|bigint|bit|varchar|nvarchar|varbinary|datetime2|uniqueidentifier)`)
	seen := 0
	for line := range strings.Lines(string(up)) {
		if column.MatchString(line) {
			seen++
			require.Regexp(t, `-- \S.{5,}`, line)
		}
	}
	require.Greater(t, seen, 60)
}

func TestSchemaNamesThatBreakOut(t *testing.T) {
	for _, name := range []string{"", "a]b", "a\nb"} {
		_, err := MSSQL(name, nil)
		require.Error(t, err, "%q", name)
	}
}
