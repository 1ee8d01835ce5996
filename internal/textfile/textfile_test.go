package textfile

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDecode(t *testing.T) {
	for name, raw := range map[string]string{
		"UTF-8":          "é\n",
		"with a mark":    "\xef\xbb\xbfé\n",
		"UTF-16, little": "\xff\xfe\xe9\x00\n\x00",
		"UTF-16, big":    "\xfe\xff\x00\xe9\x00\n",
	} {
		text, err := Decode([]byte(raw))
		require.NoError(t, err, name)
		require.Equal(t, "é\n", string(text), name)
	}
	_, err := Decode([]byte("a\nb\xe9\n"))
	require.EqualError(t, err, "line 2 is not UTF-8: save the text as UTF-8")
}
