// Package fuzztext builds statements from statements, for fuzz tests: the bytes that a fuzzer changes at random say which tokens of a
// text are deleted, moved, or replaced by tokens of other texts. Most results are nearly right, and get further than random
// bytes do.
package fuzztext

import (
	"regexp"
	"strings"
)

// Texts are the source of tokens.
type Texts struct {
	all   [][]string        // the tokens of each text
	kinds map[byte][]string // different tokens by kind
}

// Size is how many bytes a step has.
const Size = 6

// maxSteps limits the size of texts, as maxTokens does.
const (
	maxSteps  = 12
	maxTokens = 600
)

var token = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?\*/|[NnQq]?'(?:[^']|'')*'|"[^"]*"|\[[^\]]*\]|@@?[\p{L}\p{N}_$#]+|#{0,2}[\p{L}_][\p{L}\p{N}_$#]*|0[xX][0-9a-fA-F]*|\d*\.?\d+(?:[eE][+-]?\d+)?|\s+|[<>=!|:*.+-]{2}|.`)

// edge are boundary values that can replace anything.
var edge = []string{
	"NULL", "''", "0", "-1", "1", "2147483647", "-2147483648", "9223372036854775807", "-9223372036854775808", "99999999999999999999999999999999999999",
	"1e308", "1e-308", "0.000000000000000000000000000000000000001", "'x'", "N'漢'", "' '", "'%'", "'0001-01-01'", "'9999-12-31 23:59:59.9999999'", "0x", "0xFF", "255", "256",
	"DATE '0001-01-01'", "DATE '9999-12-31'", "TIMESTAMP '2026-01-01 00:00:00.5 +14:00'", "INTERVAL '999999999' DAY(9)", "SYSDATE", "GETDATE()",
	"(SELECT 1)", "(1)", "()", "(", ")", ",", ";", "BEGIN", "END", "*",
}

// Tokens splits a text.
func Tokens(text string) []string { return token.FindAllString(text, -1) }

// New splits texts.
func New(texts []string) *Texts {
	c := &Texts{kinds: map[byte][]string{}}
	seen := map[string]bool{}
	for _, t := range texts {
		tokens := Tokens(t)
		c.all = append(c.all, tokens)
		for _, w := range tokens {
			if k := kind(w); !seen[w] {
				seen[w] = true
				c.kinds[k] = append(c.kinds[k], w)
			}
		}
	}
	return c
}

// kind returns the kind of a token: w a word, n a number, s a string, v a variable, blank, or the symbol itself.
func kind(t string) byte {
	switch c := t[0]; {
	case c == '\'' || strings.HasSuffix(t, "'"):
		return 's'
	case c == '@' && len(t) > 1:
		return 'v'
	case c >= '0' && c <= '9' || c == '.' && len(t) > 1:
		return 'n'
	case strings.TrimSpace(t) == "" || strings.HasPrefix(t, "--") || strings.HasPrefix(t, "/*"):
		return ' '
	case c == '"' || c == '[' && len(t) > 1 || c == '#' || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80:
		return 'w'
	default:
		return c
	}
}

// phrase returns the end of a phrase that begins at a token: a group in parentheses, or n tokens.
func phrase(tokens []string, at, n int) int {
	depth := 0
	for i := at; i < len(tokens); i++ {
		switch tokens[i] {
		case "(":
			depth++
		case ")":
			depth--
		}
		if depth < 0 {
			return i
		}
		if depth == 0 && i-at >= n {
			return i + 1
		}
	}
	return len(tokens)
}

// Apply changes a text as steps say; without steps it stays the same.
func (c *Texts) Apply(text string, steps []byte) string {
	if len(steps) < Size || len(c.all) == 0 {
		return text
	}
	tokens := Tokens(text)
	for n := 0; len(steps) >= Size && n < maxSteps && len(tokens) < maxTokens; n++ {
		tokens = c.step(tokens, [Size]byte(steps[:Size]))
		steps = steps[Size:]
	}
	return strings.Join(tokens, "")
}

func (c *Texts) step(tokens []string, s [Size]byte) []string {
	if len(tokens) == 0 {
		tokens = []string{" "}
	}
	at := (int(s[1])<<8 | int(s[2])) % len(tokens)
	for i := 0; kind(tokens[at]) == ' ' && i < 3 && at+1 < len(tokens); i++ {
		at++
	}
	end := phrase(tokens, at, int(s[5]>>4))
	number := int(s[3])<<8 | int(s[4])
	other := c.all[number%len(c.all)]
	var with []string
	switch s[0] % 8 {
	case 0: // another token of the same kind
		if k := c.kinds[kind(tokens[at])]; len(k) > 0 {
			with = []string{k[number%len(k)]}
		}
		end = at + 1
	case 1: // a phrase from another text
		if len(other) > 0 {
			from := int(s[5]) * len(other) >> 8
			with = append([]string{" "}, other[from:phrase(other, from, int(s[5]&15))]...)
		}
	case 2: // an edge value
		with = []string{" ", edge[number%len(edge)], " "}
	case 3: // deletes it
	case 4: // doubles it
		with = append(append([]string{}, tokens[at:end]...), tokens[at:end]...)
	case 5: // another phrase from the same text
		from := number % len(tokens)
		with = append([]string{" "}, tokens[from:phrase(tokens, from, int(s[5]&15))]...)
	case 6: // inserts something before it
		with = append([]string{" ", edge[number%len(edge)], " "}, tokens[at:end]...)
	case 7: // what follows the same word in another text
		with = c.after(tokens[at], number, int(s[5]&15))
		if with == nil {
			return tokens
		}
	}
	return append(append(append([]string{}, tokens[:at]...), with...), tokens[end:]...)
}

// after returns what follows a word in one of the texts.
func (c *Texts) after(word string, number, n int) []string {
	for i := range c.all {
		other := c.all[(number+i)%len(c.all)]
		for j, t := range other {
			if strings.EqualFold(t, word) {
				return other[j:phrase(other, j, n+2)]
			}
		}
		if i > 200 {
			return nil
		}
	}
	return nil
}
