// Package syntax matches the tokens of a statement with a compact grammar of its language. It says only yes or no, and which token does
// not fit: hand-written parsers miss words, and refuse before they have seen the whole text.
//
// In the text of a grammar WORDS are keywords, 'symbols' symbols, lower-case words rules or classes of tokens; [x] occurs once or not at
// all, {x} groups, x* any number, x+ at least one, x% a comma-separated list, !x what must not follow, !!x what must. The first alternative
// that matches is taken. Built in: any, eof. A line that begins with # is a comment.
package syntax

import (
	"slices"
	"strings"
)

// Kinds of tokens that every language has; others are its own.
const (
	Word uint8 = iota
	Symbol
	Own // first number for a language's own kinds
)

// Token is a token; words without quotes are in upper case.
type Token struct {
	Kind uint8
	Text string
}

// Grammar is a compiled grammar: a table that leaves the garbage collector almost nothing to scan.
type Grammar struct {
	nodes   []node
	links   []int32 // the parts of sequences and choices
	words   []string
	classes []func(Token) bool
	rules   map[string]int32
}

// node matches something.
type node struct {
	op   op
	a, b int32
}

type op uint8

const (
	word     op = iota // the word a
	symbol             // the symbol a
	class              // a token of the class b, whose name is a
	name               // the same, to be reported
	end                // the end of the tokens
	rule               // a, remembered as the result of rule b
	choice             // the first match of b links starting at a
	sequence           // b links starting at a
	many               // any number of a
	not                // nothing, unless a matches
)

// Language has what a grammar needs besides its text.
type Language struct {
	Classes map[string]func(Token) bool // sets of tokens
	Facts   map[string]bool             // match the empty text if true, and never otherwise
	Name    string                      // the class whose tokens Match reports
}

// Result is what Match found.
type Result struct {
	Matched bool
	At      int      // index of the token that does not fit
	Wanted  []string // what could be there: words, symbols and classes, possibly with repeats
	Names   []int    // the tokens that were taken for the class Name
	Deep    bool     // nested too deeply for a result
}

// maxDepth keeps hostile texts from exhausting the stack; a level of parentheses takes about 20.
const maxDepth = 20000

type match struct {
	*Grammar
	tokens       []Token
	furthest     int
	wanted       []string
	names        []int
	memory       map[[2]int]remembered // what a rule found at a token: alternatives often begin alike
	depth, steps int
	quiet        int // inside what must not follow, where nothing is reported
	deep         bool
}

type remembered struct {
	end   int
	names []int
}

// memorable is the number of steps from which a result is worth remembering.
const memorable = 16

// Match matches all tokens with a rule.
func (g *Grammar) Match(rule string, tokens []Token) Result {
	m := &match{Grammar: g, tokens: tokens, memory: map[[2]int]remembered{}}
	matched := m.node(g.rules[rule], 0) >= 0
	return Result{Matched: matched, At: m.furthest, Wanted: m.wanted, Names: m.names, Deep: m.deep}
}

// node returns the end of what a node matches at a token, or -1.
func (m *match) node(id int32, at int) int {
	n := &m.nodes[id]
	names := len(m.names)
	switch n.op {
	case word, symbol, class, name:
		return m.token(n, at)
	case end:
		if at < len(m.tokens) {
			return m.fail(at, "eof")
		}
	case rule:
		return m.rule(n, at)
	case choice:
		for _, part := range m.links[n.a : n.a+n.b] {
			if to := m.node(part, at); to >= 0 {
				return to
			}
			m.names = m.names[:names]
		}
		return -1
	case sequence:
		for _, part := range m.links[n.a : n.a+n.b] {
			if at = m.node(part, at); at < 0 {
				return -1
			}
		}
	case many:
		for {
			names, to := len(m.names), m.node(n.a, at)
			if to <= at {
				m.names = m.names[:names]
				return at
			}
			at = to
		}
	case not:
		m.quiet++
		to := m.node(n.a, at)
		m.quiet--
		m.names = m.names[:names]
		if to >= 0 {
			return m.fail(at, "")
		}
	}
	return at
}

// token matches a token.
func (m *match) token(n *node, at int) int {
	m.steps++
	text, fits := m.words[n.a], false
	if at < len(m.tokens) {
		switch t := m.tokens[at]; n.op {
		case word:
			fits = t.Kind == Word && t.Text == text
		case symbol:
			fits = t.Kind == Symbol && t.Text == text
		default:
			fits = m.classes[n.b](t)
		}
	}
	if !fits {
		return m.fail(at, text)
	}
	if n.op == name {
		m.names = append(m.names, at)
	}
	return at + 1
}

// rule matches a rule and remembers the result.
func (m *match) rule(n *node, at int) int {
	key, names, steps := [2]int{int(n.b), at}, len(m.names), m.steps
	if r, known := m.memory[key]; known {
		m.names = append(m.names, r.names...)
		return r.end
	}
	if m.depth > maxDepth || m.deep {
		m.deep = true
		return -1
	}
	m.depth++
	to := m.node(n.a, at)
	m.depth--
	if m.steps-steps > memorable && m.quiet == 0 {
		m.memory[key] = remembered{to, slices.Clone(m.names[names:])}
	}
	return to
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

// Compile compiles the text of a grammar. It panics if a rule is missing.
func Compile(text string, l Language) *Grammar {
	c := &compiler{Grammar: Grammar{rules: map[string]int32{}}, known: map[string]int32{}, references: map[int32]string{}}
	c.rules["any"] = c.class(class, "", func(Token) bool { return true })
	c.rules["eof"] = c.node(end, 0, 0)
	for of, is := range l.Classes {
		c.rules[of] = c.class(map[bool]op{true: name, false: class}[of == l.Name], of, is)
	}
	for of, fact := range l.Facts {
		c.rules[of] = c.linked(map[bool]op{true: sequence, false: choice}[fact]) // without parts
	}
	c.text = append(lex(text)[1:], ";")
	c.nodes, c.links = slices.Grow(c.nodes, len(c.text)), slices.Grow(c.links, len(c.text))
	for c.at < len(c.text) {
		of := c.next()
		if _, twice := c.rules[of]; twice {
			panic("the grammar has two rules " + of)
		}
		c.next() // =
		c.rules[of] = c.node(rule, c.choice(), int32(len(c.rules)))
		c.next() // ;
	}
	for id, of := range c.references {
		to, known := c.rules[of]
		if !known {
			panic("the grammar has no rule " + of)
		}
		c.nodes[id] = c.nodes[to]
	}
	return &c.Grammar
}

// lex splits the text of a grammar into words, quoted symbols and signs; a sign ; begins each rule.
func lex(text string) []string {
	var tokens []string
	signs := strings.NewReplacer("[", " [ ", "]", " ] ", "{", " { ", "}", " } ", "*", " * ", "+", " + ", "%", " % ", "|", " | ", "!", " ! ")
	for line := range strings.Lines(text) {
		if line[0] == '#' {
			continue
		}
		if line[0] > ' ' { // further lines of a rule are indented
			tokens = append(tokens, ";")
		}
		for i, piece := range strings.Split(line, "'") {
			if i%2 == 1 {
				tokens = append(tokens, "'"+piece+"'")
			} else {
				tokens = append(tokens, strings.Fields(signs.Replace(piece))...)
			}
		}
	}
	return tokens
}

type compiler struct {
	Grammar
	text       []string
	at         int
	known      map[string]int32 // the words' numbers
	references map[int32]string // nodes to be replaced by those of rules
}

func (c *compiler) node(what op, a, b int32) int32 {
	c.nodes = append(c.nodes, node{what, a, b})
	return int32(len(c.nodes) - 1)
}

func (c *compiler) linked(what op, parts ...int32) int32 {
	c.links = append(c.links, parts...)
	return c.node(what, int32(len(c.links)-len(parts)), int32(len(parts)))
}

// word returns the number of a word.
func (c *compiler) word(text string) int32 {
	n, known := c.known[text]
	if !known {
		n = int32(len(c.words))
		c.words, c.known[text] = append(c.words, strings.Clone(text)), n
	}
	return n
}

func (c *compiler) class(what op, of string, is func(Token) bool) int32 {
	c.classes = append(c.classes, is)
	return c.node(what, c.word(of), int32(len(c.classes)-1))
}

func (c *compiler) next() string {
	c.at++
	return c.text[c.at-1]
}

func (c *compiler) choice() int32 {
	choices := []int32{c.sequence()}
	for c.text[c.at] == "|" {
		c.at++
		choices = append(choices, c.sequence())
	}
	return c.linked(choice, choices...)
}

func (c *compiler) sequence() int32 {
	var parts []int32
	for !slices.Contains([]string{"|", "]", "}", ";"}, c.text[c.at]) {
		parts = append(parts, c.repeated())
	}
	return c.linked(sequence, parts...)
}

func (c *compiler) repeated() int32 {
	part := c.part()
	c.at++
	switch c.text[c.at-1] {
	case "*":
		return c.node(many, part, 0)
	case "+":
		return c.linked(sequence, part, c.node(many, part, 0))
	case "%":
		further := c.linked(sequence, c.node(symbol, c.word(","), 0), part)
		return c.linked(sequence, part, c.node(many, further, 0))
	}
	c.at--
	return part
}

func (c *compiler) part() int32 {
	text := c.next()
	switch {
	case text == "{", text == "[":
		inner := c.choice()
		c.next()
		if text == "{" {
			return inner
		}
		return c.linked(choice, inner, c.linked(sequence))
	case text == "!":
		return c.node(not, c.part(), 0)
	case text[0] == '\'':
		return c.node(symbol, c.word(strings.Trim(text, "'")), 0)
	case text == strings.ToUpper(text):
		return c.node(word, c.word(text), 0)
	}
	id := c.linked(sequence)
	c.references[id] = text
	return id
}
