package fuzztext

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTokens(t *testing.T) {
	for _, text := range []string{
		"SELECT N'it''s', [a b], \"c\"\"d\", @x, 1.5e-3 -- end\nFROM #t /* c */ WHERE a<>b;", "", "'open", "begin :x := q'[a]'; end;", "\xff漢'",
	} {
		require.Equal(t, text, strings.Join(Tokens(text), ""))
	}
	require.Equal(t, []string{"SELECT", " ", "N'it''s'", ",", "a", ".", "[b c]"}, Tokens("SELECT N'it''s',a.[b c]"))
}

// TestApply: each kind of step changes the text, always in the same way, and no input is too odd.
func TestApply(t *testing.T) {
	texts := New([]string{"SELECT a, (b + 1) FROM t WHERE c = 'x'", "UPDATE t SET a = 2 WHERE (c IS NULL)"})
	const text = "SELECT n FROM u WHERE n > 5"
	require.Equal(t, text, texts.Apply(text, nil))
	require.Equal(t, text, texts.Apply(text, []byte("short")))
	for kind := range byte(8) {
		changed := 0
		for at := range byte(13) {
			steps := []byte{kind, 0, at, 0, 1, 0x13, 0, 1}
			got := texts.Apply(text, steps)
			require.Equal(t, got, texts.Apply(text, steps))
			if got != text {
				changed++
			}
		}
		require.Positive(t, changed, "kind %d", kind)
	}
	for _, odd := range []string{"", ")", "((", "'"} {
		for b := range byte(255) {
			texts.Apply(odd, []byte{b, b, b, b, b, b, b + 1, b, b, b, b, b})
		}
	}
}
