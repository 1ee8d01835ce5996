package sandbox_test

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-sql/sqlexp"
	mssqldb "github.com/microsoft/go-mssqldb"
	"github.com/sijms/go-ora/v2/network"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// TestCases runs the files of testdata: statements with the outcome that the vendor documents. Nothing in them is copied from what the
// sandbox returns, so nothing regenerates them. A file is one session, whose statements run in order through the usual driver:
//
//	-- What the documentation says.
//	-- https://the.page/where/it/says/so
//	SELECT CAST(123456 AS varchar(10)) AS v, NULL;
//	--> 123456 | NULL
//
// A page is the source of everything up to the next page. Outcomes, one per line: a row; "rows: 0" for no row; "affected: 2"; "print: text";
// "ok" (no error; nothing else is checked); "error: 8134" with words that the text must also contain; "refused" with such words, where the
// sandbox says that it does not model the statement; "----" between two results.
// A comment is not sent unless it is between the lines of a statement. Oracle's blocks keep their last semicolon.
func TestCases(t *testing.T) {
	least := map[string]int{"mssql": 500, "oracle": 400}
	for dialect, least := range least {
		t.Run(dialect, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join("testdata", dialect, "*.sql"))
			require.NoError(t, err)
			count := 0
			for _, file := range files {
				cases := readCases(t, file)
				count += len(cases)
				name := strings.TrimSuffix(filepath.Base(file), ".sql")
				t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { playCases(t, dialect, cases) }) })
			}
			require.GreaterOrEqual(t, count, least, "cases")
		})
	}
}

// outcome is a statement and its expected outcome.
type outcome struct {
	file string
	line int
	sql  string
	want []string
}

// readCases reads a file and requires a source for each case.
func readCases(t *testing.T, file string) []outcome {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var cases []outcome
	var next outcome
	source := false
	end := func() {
		if next.sql != "" {
			require.NotEmpty(t, next.want, "%s:%d: the statement has no outcome", file, next.line)
			require.True(t, source, "%s:%d: the case has no source", file, next.line)
			cases = append(cases, next)
		}
		next = outcome{file: filepath.Base(file)}
	}
	end()
	for i, line := range strings.Split(string(text), "\n") {
		want, is := strings.CutPrefix(line, "-->")
		switch {
		case is:
			next.want = append(next.want, strings.TrimSpace(want))
		case len(next.want) > 0 && strings.TrimSpace(line) == "":
			end()
		case len(next.want) > 0:
			end()
			fallthrough
		default:
			if strings.HasPrefix(line, "--") && next.sql == "" {
				source = source || strings.Contains(line, "https://")
				continue
			}
			if next.sql == "" {
				next.line = i + 1
			}
			next.sql = strings.TrimLeft(next.sql+line+"\n", " \n")
		}
	}
	end()
	return cases
}

// playCases runs cases in one session of a new sandbox.
func playCases(t *testing.T, dialect string, cases []outcome) {
	t.Helper()
	box := sandboxtest.Start(t, sandbox.Options{Dialect: dialect, Seed: 1})
	db, err := sandboxtest.Open(dialect, box.DSN(), box.Dial)
	require.NoError(t, err)
	defer db.Close()
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	ask, in := askMSSQL, session(conn)
	if dialect == "oracle" {
		ask = askOracle
		admin, err := sandboxtest.Open(dialect, strings.Replace(box.DSN(), "//app:", "//system:", 1), box.Dial)
		require.NoError(t, err)
		_, err = admin.ExecContext(t.Context(), "GRANT CREATE EVALUATION CONTEXT, CREATE RULE SET, CREATE RULE TO app") // for chains
		require.NoError(t, err)
		require.NoError(t, admin.Close())
		_, err = conn.ExecContext(t.Context(), "BEGIN DBMS_OUTPUT.ENABLE(NULL); END;")
		require.NoError(t, err)
		tx, err := conn.BeginTx(t.Context(), nil) // go-ora commits after each statement, unless a transaction was begun
		require.NoError(t, err)
		defer tx.Rollback() //nolint:errcheck // a case may have ended the session
		in = tx             // not conn: it would wait for the transaction if the connection broke
	}
	for _, c := range cases {
		if isError(c.want[0]) && os.Getenv("DBSCHED_CENSUS") != "" {
			continue // keep refused statements out of the census of what tests execute
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour) // virtual time: hanging is a failure
		got := ask(ctx, in, c)
		cancel()
		if len(c.want) == 1 && c.want[0] == "ok" && !slices.ContainsFunc(got, isError) {
			continue
		}
		if len(got) == len(c.want) && slices.EqualFunc(got, c.want, agrees) {
			continue
		}
		assert.Equal(t, c.want, got, "%s:%d: %s", c.file, c.line, c.sql)
	}
}

// session is a *sql.Conn or a *sql.Tx.
type session interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func isError(line string) bool {
	return strings.HasPrefix(line, "error:") || strings.HasPrefix(line, "refused")
}

// agrees compares lines: for an error, the number must be the same and the text must contain the expected words. Trailing spaces in
// a row are ignored.
func agrees(got, want string) bool {
	if !isError(got) || !isError(want) {
		return strings.TrimRight(got, " ") == strings.TrimRight(want, " ")
	}
	number, words, _ := strings.Cut(strings.TrimPrefix(want, "error: "), " ")
	is, text, _ := strings.Cut(strings.TrimPrefix(got, "error: "), " ")
	return is == number && strings.Contains(text, words)
}

// askMSSQL runs a batch and returns its results in order. It includes counts if the case expects one.
func askMSSQL(ctx context.Context, conn session, c outcome) []string {
	counts := slices.ContainsFunc(c.want, func(line string) bool { return strings.HasPrefix(line, "affected:") })
	messages := &sqlexp.ReturnMessage{}
	rows, err := conn.QueryContext(ctx, c.sql, messages)
	if err != nil {
		return []string{failure(err)}
	}
	defer rows.Close()
	var lines []string
	for more, queried := true, false; more; {
		switch m := messages.Message(ctx).(type) {
		case sqlexp.MsgNotice:
			lines = append(lines, "print: "+m.Message.String())
		case sqlexp.MsgError:
			lines = append(strip(lines), failure(m.Error))
		case sqlexp.MsgRowsAffected:
			if counts {
				lines = append(lines, fmt.Sprint("affected: ", m.Count))
			}
		case sqlexp.MsgNext:
			if queried {
				lines = append(lines, "----")
			}
			queried = true
			lines = append(lines, result(rows)...)
		case sqlexp.MsgNextResultSet:
			more = rows.NextResultSet()
		default:
			more = false
		}
	}
	return lines
}

// strip removes the empty result of a query that failed before its first row.
func strip(lines []string) []string {
	if n := len(lines); n > 0 && lines[n-1] == "rows: 0" {
		return lines[:n-1]
	}
	return lines
}

// askOracle runs a statement or a block and fetches its output.
func askOracle(ctx context.Context, conn session, c outcome) []string {
	text := strings.TrimSpace(c.sql)
	unit := isUnit.MatchString(text)
	if !unit {
		text = strings.TrimSuffix(text, ";")
	}
	if isQuery.MatchString(text) {
		rows, err := conn.QueryContext(ctx, text)
		if err != nil {
			return []string{failure(err)}
		}
		defer rows.Close()
		lines := result(rows)
		if err := rows.Err(); err != nil {
			return append(strip(lines), failure(err))
		}
		return lines
	}
	done, err := conn.ExecContext(ctx, text)
	var lines []string
	for unit && ctx.Err() == nil {
		line, status := strings.Repeat(" ", 32767), 0
		if _, err := conn.ExecContext(ctx, "BEGIN DBMS_OUTPUT.GET_LINE(:line, :status); END;", sql.Out{Dest: &line}, sql.Out{Dest: &status}); err != nil {
			return append(lines, failure(err))
		}
		if status != 0 {
			break
		}
		lines = append(lines, "print: "+line)
	}
	if err != nil {
		return append(lines, failure(err))
	}
	if count, _ := done.RowsAffected(); len(c.want) == 1 && strings.HasPrefix(c.want[0], "affected:") {
		lines = append(lines, fmt.Sprint("affected: ", count))
	}
	return lines
}

var (
	isUnit  = regexp.MustCompile(`(?i)^(begin|declare|<<|create\s+(or\s+replace\s+)?(editionable\s+|noneditionable\s+)?(procedure|function|package|trigger|type))\b`)
	isQuery = regexp.MustCompile(`(?i)^(select|with|\()`)
)

// result shows the rows of a result.
func result(rows *sql.Rows) []string {
	types, err := rows.ColumnTypes()
	if err != nil {
		return []string{failure(err)}
	}
	var lines []string
	values, into := make([]any, len(types)), make([]any, len(types))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return append(lines, failure(err))
		}
		shown := make([]string, len(values))
		for i, v := range values {
			shown[i] = show(v, types[i].DatabaseTypeName())
		}
		lines = append(lines, strings.Join(shown, " | "))
	}
	if len(lines) == 0 {
		lines = append(lines, "rows: 0")
	}
	return lines
}

// show writes a value as the cases write it.
func show(v any, kind string) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case bool:
		return map[bool]string{false: "0", true: "1"}[v]
	case []byte:
		switch kind {
		case "DECIMAL", "NUMERIC", "MONEY", "SMALLMONEY":
			return string(v)
		case "UNIQUEIDENTIFIER":
			var id mssqldb.UniqueIdentifier
			if id.Scan(v) == nil {
				return id.String()
			}
		}
		return fmt.Sprintf("0x%X", v)
	case time.Time:
		layout := map[string]string{"DATE": "2006-01-02 15:04:05", "TIME": "15:04:05.9999999", "DATETIMEOFFSET": "2006-01-02 15:04:05.9999999 -07:00"}[kind]
		return strings.TrimSuffix(v.Format(cmp.Or(layout, "2006-01-02 15:04:05.999999999")), " 00:00:00")
	default:
		return fmt.Sprint(v)
	}
}

// failure shows an error by its number, or, if the sandbox does not model the statement, as "refused".
func failure(err error) string {
	number, text := 0, err.Error()
	if e, ok := errors.AsType[mssqldb.Error](err); ok {
		number, text = int(e.Number), e.Message
	} else if e, ok := errors.AsType[*network.OracleError](err); ok {
		number, text = e.ErrCode, e.ErrMsg
	}
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n", " ")
	if number == 49999 {
		return "refused " + text
	}
	return fmt.Sprintf("error: %d %s", number, text)
}
