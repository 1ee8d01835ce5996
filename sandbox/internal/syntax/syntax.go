// Package syntax matches the tokens of a statement with a compact grammar of its language, which only says yes or no, and where no
// further token fits: hand-written parsers lose words, and refuse before they have seen the whole text.
//
// In the text of a grammar WORDS are keywords, 'symbols' symbols, lower-case words rules or classes of tokens; [x] stands once or not at
// all, {x} groups, x* any number, x+ at least one, x% a list with commas, !x what may not follow, !!x what must. The first alternative
// that matches is taken. Built in: any, eof. A line that begins with # is a comment.
package syntax

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Kinds of tokens that every language has; others are its own.
const (
	Word uint8 = iota
	Symbol
	Own // and what follows
)

// Token is a token; words without quotes are in upper case.
type Token struct {
	Kind uint8
	Text string
}

// Grammar is a compiled grammar.
type Grammar struct{ rules map[string]matcher }

// Language is what a grammar needs besides its text.
type Language struct {
	Classes map[string]func(Token) bool // sets of tokens
	Facts   map[string]bool             // match nothing if true, and not at all otherwise
	Name    string                      // the class whose tokens Match reports
}

// Result is what Match found.
type Result struct {
	Matched bool
	At      int      // of the token that fits nowhere
	Wanted  []string // what could stand there: words, symbols and classes, some of them more than once
	Names   []int    // the tokens that were taken for the class Name
	Deep    bool     // nested too deeply to tell
}

// maxDepth keeps hostile texts off the stack; a level of parentheses takes about 20.
const maxDepth = 20000

// matcher says where what it matches from a token on ends, or -1.
type matcher func(m *match, at int) int

type match struct {
	tokens       []Token
	furthest     int
	wanted       []string
	names        []int
	memory       map[[2]int]remembered // what a rule found at a token: choices begin alike
	depth, steps int
	quiet        int // inside of what may not follow, which tells nothing
	deep         bool
}

type remembered struct {
	end   int
	names []int
}

// memorable is from how many steps on a result is worth its memory.
const memorable = 16

// Match matches all tokens with a rule.
func (g *Grammar) Match(rule string, tokens []Token) Result {
	m := &match{tokens: tokens, memory: map[[2]int]remembered{}}
	matched := g.rules[rule](m, 0) >= 0
	return Result{Matched: matched, At: m.furthest, Wanted: m.wanted, Names: m.names, Deep: m.deep}
}

// Compile compiles the text of a grammar. It panics if a rule is missing.
func Compile(text string, l Language) *Grammar {
	c := &compiler{rules: map[string]matcher{
		"any": one("", func(Token) bool { return true }),
		"eof": func(m *match, at int) int {
			if at < len(m.tokens) {
				return m.fail(at, "eof")
			}
			return at
		},
	}}
	for name, is := range l.Classes {
		c.rules[name] = one(name, is)
	}
	for name, fact := range l.Facts {
		c.rules[name] = func(_ *match, at int) int {
			if fact {
				return at
			}
			return -1
		}
	}
	if id := c.rules[l.Name]; id != nil {
		c.rules[l.Name] = func(m *match, at int) int {
			end := id(m, at)
			if end > at {
				m.names = append(m.names, at)
			}
			return end
		}
	}
	text = regexp.MustCompile(`(?m)^#.*`).ReplaceAllString(text, "")
	text = regexp.MustCompile(`(?m)^(\w+) =`).ReplaceAllString(text, "; $1 =")
	c.words = append(regexp.MustCompile(`'[^']+'|\w+|[][{}*+%|!=;]`).FindAllString(text, -1)[1:], ";")
	for c.at < len(c.words) {
		name, rule := c.next(), len(c.rules)
		if c.next(); c.rules[name] != nil { // =
			panic("the grammar has two rules " + name)
		}
		c.rules[name] = remember(rule, c.choice())
		c.next() // ;
	}
	for _, word := range c.words {
		if word == strings.ToLower(word) && unicode.IsLetter(rune(word[0])) && c.rules[word] == nil {
			panic("the grammar has no rule " + word)
		}
	}
	return &Grammar{c.rules}
}

// remember makes a rule keep what it found.
func remember(rule int, choice matcher) matcher {
	return func(m *match, at int) int {
		key, names, steps := [2]int{rule, at}, len(m.names), m.steps
		if r, known := m.memory[key]; known {
			m.names = append(m.names, r.names...)
			return r.end
		}
		if m.depth > maxDepth || m.deep {
			m.deep = true
			return -1
		}
		m.depth++
		end := choice(m, at)
		m.depth--
		if m.steps-steps > memorable && m.quiet == 0 {
			m.memory[key] = remembered{end, slices.Clone(m.names[names:])}
		}
		return end
	}
}

func (m *match) fail(at int, want string) int {
	if at > m.furthest && m.quiet == 0 {
		m.furthest, m.wanted = at, m.wanted[:0]
	}
	if at == m.furthest && m.quiet == 0 {
		m.wanted = append(m.wanted, want)
	}
	return -1
}

func one(want string, is func(Token) bool) matcher {
	return func(m *match, at int) int {
		m.steps++
		if at < len(m.tokens) && is(m.tokens[at]) {
			return at + 1
		}
		return m.fail(at, want)
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
		return part.many
	case "+":
		c.at++
		return func(m *match, at int) int {
			if at = part(m, at); at < 0 {
				return -1
			}
			return part.many(m, at)
		}
	case "%":
		c.at++
		comma := symbol(",")
		further := matcher(func(m *match, at int) int {
			if at = comma(m, at); at < 0 {
				return -1
			}
			return part(m, at)
		})
		return func(m *match, at int) int {
			if at = part(m, at); at < 0 {
				return -1
			}
			return further.many(m, at)
		}
	}
	return part
}

// many matches as often as it can.
func (part matcher) many(m *match, at int) int {
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
			names := len(m.names)
			m.quiet++
			end := not(m, at)
			m.quiet--
			m.names = m.names[:names]
			if end >= 0 {
				return m.fail(at, "")
			}
			return at
		}
	case word[0] == '\'':
		return symbol(strings.Trim(word, "'"))
	case word == strings.ToUpper(word):
		return one(word, func(t Token) bool { return t.Kind == Word && t.Text == word })
	}
	return func(m *match, at int) int { return c.rules[word](m, at) }
}

func symbol(text string) matcher {
	return one(text, func(t Token) bool { return t.Kind == Symbol && t.Text == text })
}
