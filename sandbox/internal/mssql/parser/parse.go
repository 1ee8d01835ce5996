package parser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sqlc-dev/teesql/ast"
	"github.com/sqlc-dev/teesql/parser"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Parse reads one batch and refuses what the engine would not take (102, 105, 113, 156) and what the sandbox does not
// model (49999). With a census, nothing is refused for want of a row in the table: the census is told all facts.
func Parse(text string, census func(fact string)) (*ast.Batch, error) {
	b, tokens, err := read(text)
	if err != nil || b == nil {
		return b, err
	}
	if err := rules(b, tokens); err != nil {
		return nil, err
	}
	if census != nil {
		for fact := range facts(b, tokens) {
			census(fact)
		}
		return b, nil
	}
	return b, supported().Check(facts(b, tokens), text)
}

func read(text string) (*ast.Batch, []token, error) {
	tokens, err := scan(text)
	if err != nil || len(tokens) == 0 {
		return nil, nil, err
	}
	if strings.HasPrefix(strings.ToLower(tokens[0].text), "sp_") && len(tokens) > 1 && tokens[1].text == "-" {
		return read("EXEC " + text) // the word may be missing there, but then the parser takes no signed number, which FreeTDS sends
	}
	if err := beforeParsing(tokens); err != nil {
		return nil, nil, err
	}
	text, err = certificateSource(text, tokens)
	if err != nil {
		return nil, nil, err
	}
	text = plainExecuteAs(text, tokens)
	orAlter := isCreateOrAlterFunction(tokens)
	if orAlter {
		text = withoutOrAlter(text, tokens)
	}
	script, err := parseInTime(text)
	if err != nil {
		return nil, nil, syntaxError(err, tokens)
	}
	if orAlter {
		if err := restoreOrAlter(script); err != nil {
			return nil, nil, err
		}
	}
	switch len(script.Batches) {
	case 0:
		return nil, tokens, nil
	case 1:
		return script.Batches[0], tokens, nil
	}
	return nil, nil, sqlerr.NotSupported("GO, a command of client tools, in a batch")
}

// parseLimit is how long the parser may take for one batch; it needs milliseconds.
const parseLimit = 10 * time.Second

// parseInTime runs the parser aside: on some malformed texts it never comes to an end, or panics, which must not stop the
// engine. What it was doing then goes on in vain until the program ends.
func parseInTime(text string) (*ast.Script, error) {
	type result struct {
		script *ast.Script
		err    error
	}
	done := make(chan result, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- result{err: fmt.Errorf("the parser failed: %v", p)}
			}
		}()
		script, err := parser.Parse(context.Background(), strings.NewReader(text))
		done <- result{script, err}
	}()
	select {
	case r := <-done:
		return r.script, r.err
	case <-time.After(parseLimit): //nolint:forbidigo // not virtual time: the engine stands still meanwhile
		return nil, errors.New("the parser does not come to an end")
	}
}

// syntaxError makes error 102 or 156 of the parser's complaint: most end with the token that it did not expect.
func syntaxError(err error, tokens []token) error {
	words := strings.Fields(err.Error())
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	var found []token
	for _, t := range tokens {
		if strings.EqualFold(t.text, last) {
			found = append(found, t)
		}
	}
	if last == "" || strings.HasSuffix(err.Error(), ": ") || strings.HasSuffix(err.Error(), "got ") {
		found = tokens[len(tokens)-1:] // it ended too early
	}
	e := sqlerr.New(102, "Incorrect syntax: %v.", err).At(15, 1).Ending(sqlerr.Batch)
	e.Line = 1
	if len(found) > 0 {
		e = near(found[0]).(*sqlerr.Error) //nolint:errorlint // near makes nothing else
		if len(found) > 1 {
			e.Line = 1 // which of them is not known
		}
	}
	e.Cause = err
	return e
}
