package parser

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// beforeParsing finds input on which the parser would never finish. wrong is the grammar's error for the batch, if any.
func beforeParsing(tokens []token, wrong error) error {
	for i, t := range tokens {
		switch {
		case t.kind != tokenWord:
		case strings.EqualFold(t.text, "LOGIN") && i > 0 && strings.EqualFold(tokens[i-1].text, "ANY"):
			return sqlerr.NotSupported("ANY LOGIN")
		case wrong != nil && (strings.EqualFold(t.text, "CURSOR") || strings.EqualFold(t.text, "VIEW")):
			return wrong
		}
	}
	return nil
}
