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

// Parse reads one batch. It refuses what the engine would not accept (102, 105, 113, 156) and what the sandbox does not model (49999), such as
// what the grammar accepts and the parser does not. With a census, nothing is refused for lack of a row in the table: census gets all facts.
func Parse(text string, census func(fact string)) (*ast.Batch, error) {
	tokens, err := scan(text)
	if err != nil || len(tokens) == 0 {
		return nil, err
	}
	if strings.HasPrefix(strings.ToLower(tokens[0].text), "sp_") && len(tokens) > 1 && tokens[1].text == "-" {
		return Parse("EXEC "+text, census) // EXEC may be omitted there, but then the parser accepts no signed number, which FreeTDS sends
	}
	names, wrong := matchGrammar(tokens)
	e := (*sqlerr.Error)(nil)
	if wrong != nil && (balanced(tokens) != nil || errors.As(wrong, &e) && (e.Number == 155 || e.Number == 195)) {
		return nil, wrong // the parser might never finish, or would lose the option
	}
	b, err := judge(text, tokens, names, wrong, census)
	if err != nil {
		return nil, err
	}
	return b, wrong
}

// judge reads a batch; wrong is the grammar's error, if any.
func judge(text string, tokens []token, names []int, wrong error, census func(fact string)) (b *ast.Batch, err error) {
	if wrong != nil {
		defer func() {
			if recover() != nil { // trees of invalid batches lack parts
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

// read lets the parser read a batch. Names that the parser would take for other words are hidden from it.
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

// parseLimit is how long the parser may take for one batch; normally it needs milliseconds.
const parseLimit = 10 * time.Second

// parseInTime runs the parser in its own goroutine: on some malformed texts it never finishes, or panics, which must not stop the
// engine. After the limit the goroutine keeps running until it finishes or the program ends.
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
