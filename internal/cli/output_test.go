package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTableKeepsControlCharactersFromTheTerminal(t *testing.T) {
	type row struct{ name, number string }
	got := Table([]row{{"a\x1b[31m\tb\n", "7"}, {"Ünïcode", "123"}}, []Column[row]{
		{Title: "Name", Cell: func(r row) string { return r.name }},
		{Title: "Number", Right: true, Cell: func(r row) string { return r.number }},
	})
	require.Equal(t, "Name       Number\n-------------------\na [31m b        7\nÜnïcode       123", got)
	require.Equal(t, "Name", Table(nil, []Column[row]{{Title: "Name"}})[:4])
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
