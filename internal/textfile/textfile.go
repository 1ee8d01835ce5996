// Package textfile reads files that people save: UTF-8 with or without a byte order mark, and UTF-16 with one, as PowerShell writes it.
package textfile

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Decode returns text as UTF-8. It fails if the encoding is uncertain, and gives the line.
func Decode(raw []byte) ([]byte, error) {
	text, _, err := transform.Bytes(unicode.BOMOverride(encoding.UTF8Validator), raw)
	if err != nil {
		at := 0
		for at < len(raw) {
			r, n := utf8.DecodeRune(raw[at:])
			if r == utf8.RuneError && n <= 1 {
				break
			}
			at += n
		}
		return nil, fmt.Errorf("line %d is not UTF-8: save the text as UTF-8", bytes.Count(raw[:at], []byte("\n"))+1)
	}
	return text, nil
}
