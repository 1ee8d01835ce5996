package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTableKeepsControlCharactersFromTheTerminal(t *testing.T) {
	type row struct{ name, number string }
	got := Table([]row{{"a\x1b[31m\tb\n", "7"}, {"Ünïcode", "123"}}, []Column[row]{
		{Title: "Name", Cell: func(r row) string { return r.name }},
		{Title: "Number", Right: true, Cell: func(r row) string { return r.number }},
	}, 0)
	require.Equal(t, "Name       Number\n-------------------\na [31m b        7\nÜnïcode       123", got)
	require.Equal(t, "Name", Table(nil, []Column[row]{{Title: "Name"}}, 0)[:4])
}

func TestTableFitsTheTerminal(t *testing.T) {
	type row struct{ id, at, sql, text string }
	columns := []Column[row]{
		{Title: "Id", Right: true, Cell: func(r row) string { return r.id }},
		{Title: "Name", Sparse: true, Cell: func(row) string { return "" }},
		{Title: "At", Spare: 1, Cell: func(r row) string { return r.at }},
		{Title: "SQL", Cut: true, Cell: func(r row) string { return r.sql }},
		{Title: "Text", Cut: true, Cell: func(r row) string { return r.text }},
	}
	rows := []row{{"1", "2026-11-20", "EXEC dbo.Load @a = 1", strings.Repeat("long ", 10)}, {"22", "2026-11-21", "EXEC dbo.Load @b = 'ü ü ü ü'", "short"}}
	widest := func(cells int) (n int) {
		for line := range strings.Lines(Table(rows, columns, cells)) {
			n = max(n, len([]rune(strings.TrimSuffix(line, "\n"))))
		}
		return n
	}
	require.Equal(t, 2+2+10+2+28+2+50+2, widest(200), "the rule under the header counts the last gap")
	require.Equal(t, 80, widest(80))
	require.Contains(t, Table(rows, columns, 80), "2026-11-20  EXEC dbo.Load @a = 1  long")
	require.Equal(t, 50, widest(50))
	require.Equal(t, "Id  SQL                   Text\n"+strings.Repeat("-", 50)+"\n 1  EXEC dbo.Load @a = 1  long long long long lon…\n22  EXEC dbo.Load @b = …  short", Table(rows, columns, 50))
	require.Equal(t, 46, widest(20), "what cannot be spared stays")
}

func TestSQLFitsALine(t *testing.T) {
	require.Equal(t, "SELECT 1 FROM x", SQL("  SELECT 1\n\tFROM   x\r\n"))
	require.Equal(t, 60, len([]rune(SQL("SELECT 'äöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöü'"))))
}

func TestTimeHasItsZone(t *testing.T) {
	utc := &Session{app: &App{globals: globals{utc: true}}}
	at := time.Date(2026, 11, 20, 1, 2, 3, 4567890, time.FixedZone("", 2*3600))
	require.Equal(t, "2026-11-19 23:02:03.004Z", utc.Time(at))
	require.Equal(t, at.Local().Format("2006-01-02 15:04:05.000Z07:00"), (&Session{app: &App{}}).TimeOrNone(&at))
	require.Empty(t, utc.TimeOrNone(nil))
}

func TestBar(t *testing.T) {
	for want, c := range map[string][3]int{
		"[....]": {0, 9, 4}, "[##..]": {5, 9, 4}, "[####]": {9, 9, 4}, "": {1, 0, 4},
	} {
		require.Equal(t, want, Bar(c[0], c[1], c[2]))
	}
	require.Equal(t, "[####]", Bar(99, 9, 4))
	require.Equal(t, "[....]", Bar(-1, 9, 4))
}
