package parser

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/sqlc-dev/teesql/parser"
)

// The parser loses words and takes what stands in their place, so what it and the audit took is matched with a grammar of our own,
// which only says yes or no, and where no further token fits.

//go:embed grammar.txt
var grammarText string

// matcher says where what it matches from a token on ends, or -1.
type matcher func(m *match, at int) int

type match struct {
	tokens   []token
	words    []string // upper case
	furthest int
	names    []int             // tokens that are names though the parser knows them as words
	memory   map[[2]int]result // what a rule found at a token: choices begin alike
}

type result struct {
	end   int
	names []int
}

// matchGrammar finds the tokens that are names though the parser knows them as words, or error 102 or 156 at the token that fits nowhere.
func matchGrammar(tokens []token) ([]int, error) {
	m := &match{tokens: tokens, memory: map[[2]int]result{}}
	for _, t := range tokens {
		m.words = append(m.words, strings.ToUpper(t.text))
	}
	if grammar()(m, 0) >= 0 {
		return m.names, nil
	}
	return nil, near(tokens[min(m.furthest, len(tokens)-1)])
}

// grammar compiles the text once.
var grammar = sync.OnceValue(func() matcher {
	c := &compiler{rules: map[string]matcher{"eof": func(m *match, at int) int {
		if at < len(m.tokens) {
			return m.fail(at)
		}
		return at
	}}}
	for name, is := range map[string]func(t token) bool{
		"id":   isName,
		"var":  func(t token) bool { return t.kind == tokenWord && t.text[0] == '@' },
		"str":  func(t token) bool { return t.kind == tokenString },
		"num":  func(t token) bool { return t.kind == tokenNumber },
		"any":  func(token) bool { return true },
		"word": func(t token) bool { return t.kind == tokenWord && t.text[0] != '@' },
	} {
		c.rules[name] = one(func(m *match, at int) bool { return is(m.tokens[at]) })
	}
	id := c.rules["id"]
	c.rules["label"] = func(m *match, at int) int {
		if at+1 < len(m.tokens) && isName(m.tokens[at]) && m.words[at+1] == ":" {
			return at + 2
		}
		return m.fail(at) // without its colon it is not even the beginning of one
	}
	c.rules["name"] = func(m *match, at int) int {
		end := id(m, at)
		if end > at && m.tokens[at].kind == tokenWord && parser.NewLexer(m.words[at]).NextToken().Type != parser.TokenIdent {
			m.names = append(m.names, at)
		}
		return end
	}
	text := regexp.MustCompile(`(?m)^#.*`).ReplaceAllString(grammarText, "")
	text = regexp.MustCompile(`(?m)^(\w+) =`).ReplaceAllString(text, "; $1 =")
	c.words = append(regexp.MustCompile(`'[^']+'|\w+|[][{}*%|!=;]`).FindAllString(text, -1)[1:], ";")
	for c.at < len(c.words) {
		name, rule := c.next(), len(c.rules)
		c.next() // =
		choice := c.choice()
		c.rules[name] = func(m *match, at int) int {
			key, names := [2]int{rule, at}, len(m.names)
			r, known := m.memory[key]
			if known {
				m.names = append(m.names, r.names...)
				return r.end
			}
			end := choice(m, at)
			m.memory[key] = result{end, slices.Clone(m.names[names:])}
			return end
		}
		c.next() // ;
	}
	for _, word := range c.words {
		if word == strings.ToLower(word) && unicode.IsLetter(rune(word[0])) && c.rules[word] == nil {
			panic("grammar.txt has no rule " + word)
		}
	}
	return c.rules["batch"]
})

// isName tells a name: a reserved word or a variable is none.
func isName(t token) bool {
	return t.kind == tokenQuoted && len(t.text) > 2 || t.kind == tokenWord && t.text[0] != '@' && !isReserved(t.text)
}

func (m *match) fail(at int) int {
	m.furthest = max(m.furthest, at)
	return -1
}

func one(is func(m *match, at int) bool) matcher {
	return func(m *match, at int) int {
		if at < len(m.tokens) && is(m, at) {
			return at + 1
		}
		return m.fail(at)
	}
}

type compiler struct {
	words []string
	at    int
	rules map[string]matcher
}

func (c *compiler) next() string {
	c.at++
	return c.words[c.at-1]
}

func (c *compiler) choice() matcher {
	choices := []matcher{c.sequence()}
	for c.words[c.at] == "|" {
		c.at++
		choices = append(choices, c.sequence())
	}
	return func(m *match, at int) int {
		names := len(m.names)
		for _, choice := range choices {
			if end := choice(m, at); end >= 0 {
				return end
			}
			m.names = m.names[:names]
		}
		return -1
	}
}

func (c *compiler) sequence() matcher {
	var parts []matcher
	for !slices.Contains([]string{"|", "]", "}", ";"}, c.words[c.at]) {
		parts = append(parts, c.repeated())
	}
	return func(m *match, at int) int {
		for _, part := range parts {
			if at = part(m, at); at < 0 {
				return -1
			}
		}
		return at
	}
}

func (c *compiler) repeated() matcher {
	part := c.part()
	switch c.words[c.at] {
	case "*":
		c.at++
		return func(m *match, at int) int {
			for {
				names := len(m.names)
				end := part(m, at)
				if end <= at {
					m.names = m.names[:names]
					return at
				}
				at = end
			}
		}
	case "%":
		c.at++
		return func(m *match, at int) int {
			at = part(m, at)
			for at >= 0 {
				if at == len(m.tokens) || m.words[at] != "," {
					m.fail(at)
					return at
				}
				names := len(m.names)
				end := part(m, at+1)
				if end < 0 {
					m.names = m.names[:names]
					return at
				}
				at = end
			}
			return -1
		}
	}
	return part
}

func (c *compiler) part() matcher {
	word := c.next()
	switch {
	case word == "{", word == "[":
		inner := c.choice()
		c.next()
		if word == "{" {
			return inner
		}
		return func(m *match, at int) int {
			return max(at, inner(m, at))
		}
	case word == "!":
		not := c.part()
		return func(m *match, at int) int {
			furthest, names := m.furthest, len(m.names)
			end := not(m, at)
			m.furthest, m.names = furthest, m.names[:names]
			if end >= 0 {
				return m.fail(at)
			}
			return at
		}
	case word[0] == '\'':
		symbol := strings.Trim(word, "'")
		return one(func(m *match, at int) bool { return m.tokens[at].kind == tokenSymbol && m.words[at] == symbol })
	case word == strings.ToUpper(word):
		return one(func(m *match, at int) bool { return m.tokens[at].kind == tokenWord && m.words[at] == word })
	}
	return func(m *match, at int) int { return c.rules[word](m, at) }
}
