package format

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDuration(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0 ms": 0, "12 ms": 12 * time.Millisecond, "2.4 s": 2440 * time.Millisecond, "9.9 s": 9999 * time.Millisecond, "3 s": 3 * time.Second, "14 s": 14900 * time.Millisecond,
		"1 m": time.Minute, "4 m 51 s": 4*time.Minute + 51*time.Second, "1 h 31 m": 91*time.Minute + 59*time.Second, "2 h": 2 * time.Hour,
		"3 d 4 h": 76*time.Hour + time.Minute, "-5 m 1 s": -301 * time.Second,
	} {
		require.Equal(t, want, Duration(d))
	}
}

func TestCount(t *testing.T) {
	for want, n := range map[string]int64{"0": 0, "999": 999, "1,904": 1904, "1,000,000": 1_000_000, "-1,904": -1904, "-100": -100} {
		require.Equal(t, want, Count(n))
	}
}

func TestPercent(t *testing.T) {
	require.Equal(t, "34 %", Percent(34, 100))
	require.Equal(t, "67 %", Percent(2, 3))
	require.Equal(t, "0 %", Percent(1, 0))
}

func TestLabel(t *testing.T) {
	for want, sql := range map[string]string{
		"stage.LoadItems":      "EXEC stage.LoadItems @Day = '2026-11-21'",
		"[my db].dbo":          "[my db].dbo",
		"load_customers":       "begin load_customers; end;",
		"app.etl.run":          " begin\n  app.etl.run(1); end;",
		"ALTER INDEX ALL ON x": "ALTER INDEX ALL\n ON x",
	} {
		require.Equal(t, want, Label("", sql))
	}
	require.Equal(t, "Build facts", Label("Build facts", "EXEC x"))
	require.Equal(t, "Build facts: EXEC x", Named("Build facts", "EXEC\n x"))
	require.Equal(t, "EXEC x", Named("", "EXEC\n x"))
}

// TestClean: what moves the cursor, reorders or is not seen becomes a space; letters, joiners and emojis stay.
func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1b[31m\tb\r\n":                         "a [31m b  ",
		"a\u0085b\u009bc\x7f":                      "a b c ",
		"\u202egnp.exe\u202c\u2066x\u2069\u200e":   " gnp.exe  x  ",
		"a\u200bb\u00adc\ufeffd\u2060":             "a b c d ",
		"a\u2028b\u2029\U000e0001":                 "a b  ",
		"می\u200cخواهم क्\u200dष 👩\u200d💻 Ünïcode": "می\u200cخواهم क्\u200dष 👩\u200d💻 Ünïcode",
	} {
		require.Equal(t, want, Clean(text), "%q", text)
	}
	require.Equal(t, "a\n\tb \n [2J ", CleanLines("a\n\tb\r\n\x1b[2J\u202e"))
}
