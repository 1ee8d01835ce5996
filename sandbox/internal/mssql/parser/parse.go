package parser

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/sqlc-dev/teesql/ast"
	"github.com/sqlc-dev/teesql/parser"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Parse reads one batch and refuses what the engine would not take (102, 105, 113, 156) and what the sandbox does not model (49999): what the
// grammar takes and the parser does not, for one. With a census, nothing is refused for want of a row in the table: it is told all facts.
func Parse(text string, census func(fact string)) (*ast.Batch, error) {
	tokens, err := scan(text)
	if err != nil || len(tokens) == 0 {
		return nil, err
	}
	if strings.HasPrefix(strings.ToLower(tokens[0].text), "sp_") && len(tokens) > 1 && tokens[1].text == "-" {
		return Parse("EXEC "+text, census) // the word may be missing there, but then the parser takes no signed number, which FreeTDS sends
	}
	names, wrong := matchGrammar(tokens)
	if wrong != nil && balanced(tokens) != nil {
		return nil, wrong // the parser might not come to an end
	}
	if other := mergeText(text, tokens); other != text && wrong == nil {
		return Parse(other, census)
	}
	b, err := judge(text, tokens, names, wrong, census)
	if err != nil {
		return nil, err
	}
	return b, wrong
}

// judge reads a batch, of which the grammar said whether it is wrong.
func judge(text string, tokens []token, names []int, wrong error, census func(fact string)) (b *ast.Batch, err error) {
	if wrong != nil {
		defer func() {
			if recover() != nil { // trees of what is wrong lack parts
				b, err = nil, wrong
			}
		}()
	}
	b, err = read(text, tokens, names, wrong)
	if err != nil || b == nil {
		return nil, err
	}
	err = rules(b, tokens)
	if e := (*sqlerr.Error)(nil); wrong != nil && errors.As(err, &e) && (e.Refuses() || e.Number == 102) {
		err = wrong
	}
	switch {
	case err != nil:
		return nil, err
	case census == nil:
		return b, supported().Check(facts(b, tokens), text)
	case wrong == nil:
		for fact := range facts(b, tokens) {
			census(fact)
		}
	}
	return b, nil
}

// read has the parser read a batch, whose names are hidden from it where it would take them for other words.
func read(text string, tokens []token, names []int, wrong error) (*ast.Batch, error) {
	if err := beforeParsing(tokens, wrong); err != nil {
		return nil, err
	}
	text, err := certificateSource(text, tokens)
	if err != nil {
		return nil, err
	}
	own := operands(tokens)
	text = hidden(plainExecuteAs(text, tokens), tokens, slices.Concat(names, own))
	orAlter := isCreateOrAlterFunction(tokens)
	if orAlter {
		text = withoutOrAlter(text, tokens)
	}
	script, err := parseInTime(text)
	if err != nil && wrong != nil {
		return nil, wrong
	}
	if err != nil {
		e := sqlerr.NotSupported("this form of a statement: %v", err)
		e.Line = tokens[0].line
		return nil, e
	}
	if len(names) > 0 || strings.Contains(text, "\\\n") || strings.Contains(text, "\\\r\n") {
		unhide(reflect.ValueOf(script), tokens, names)
	}
	if len(own) > 0 && unhide(reflect.ValueOf(script), tokens, own) < len(own) && wrong == nil {
		return nil, sqlerr.NotSupported("%s in this place", tokens[own[0]].text)
	}
	if err := collate(script, tokens, names); err != nil {
		return nil, err
	}
	if orAlter {
		if err := restoreOrAlter(script); err != nil {
			return nil, err
		}
	}
	switch len(script.Batches) {
	case 0:
		return nil, nil //nolint:nilnil // nothing to do is no error
	case 1:
		return script.Batches[0], nil
	}
	return nil, sqlerr.NotSupported("GO, a command of client tools, in a batch")
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
