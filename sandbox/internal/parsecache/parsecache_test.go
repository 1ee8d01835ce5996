package parsecache

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOf: a text is read once, whoever asks for it, until there are too many texts.
func TestOf(t *testing.T) {
	reads := 0
	var m Texts[string]
	read := func(text string) string {
		return m.Of(text, func() string { reads++; return "<" + text + ">" })
	}
	require.Equal(t, "<a>", read("a"))
	require.Equal(t, "<a>", read("a"))
	require.Equal(t, 1, reads)
	for n := range most {
		read(fmt.Sprint(n))
	}
	require.LessOrEqual(t, len(m.known), most)
	require.Equal(t, "<a>", read("a"), "forgotten, and read again")

	var none *Texts[int]
	require.Equal(t, 4, none.Of("a", func() int { return 4 }), "nil keeps nothing")
}
