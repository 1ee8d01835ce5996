package parser

import (
	"strings"
	"unicode/utf16"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// certificateSource rewrites CREATE CERTIFICATE ... FROM BINARY = 0x..., which the parser does not know, as FROM FILE = '0x...',
// in the same length, so that all positions stay the same. A real FROM FILE is refused here.
func certificateSource(text string, tokens []token) (string, error) {
	is := func(i int, word string) bool {
		return i >= 0 && i < len(tokens) && tokens[i].kind != tokenString && tokens[i].kind != tokenQuoted && strings.EqualFold(tokens[i].text, word)
	}
	var units []uint16
	for i := range tokens {
		if !is(i, "FROM") || !is(i-3, "CREATE") && !is(i-5, "CREATE") || !is(i-2, "CERTIFICATE") && !is(i-4, "CERTIFICATE") {
			continue
		}
		if !is(i+1, "BINARY") {
			return "", sqlerr.NotSupported("CREATE CERTIFICATE FROM other than BINARY")
		}
		if !is(i+2, "=") || i+3 >= len(tokens) || tokens[i+3].kind != tokenNumber || !strings.HasPrefix(strings.ToLower(tokens[i+3].text), "0x") {
			return "", near(tokens[min(i+2, len(tokens)-1)])
		}
		if units == nil {
			units = utf16.Encode([]rune(text))
		}
		replacement := utf16.Encode([]rune("FILE = '" + tokens[i+3].text + "'"))
		gap := tokens[i+3].end - tokens[i+1].start - len(replacement)
		for ; gap > 0; gap-- {
			replacement = append(replacement, ' ')
		}
		if gap < 0 {
			return "", sqlerr.NotSupported("FROM BINARY=0x... without white space")
		}
		copy(units[tokens[i+1].start:], replacement)
	}
	if units == nil {
		return text, nil
	}
	return string(utf16.Decode(units)), nil
}
