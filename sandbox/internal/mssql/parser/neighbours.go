package parser

import (
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"
)

// Words that the parser does not miss and the engine does.

// never lists pairs of neighbours that stand in no statement: what may not follow a token.
var never = map[string][]string{
	",":    {")", ",", "AS", "ON", "END", "FROM", "WHERE", "WITH", "OFF", "TO", "THEN", "ORDER", "GROUP"},
	"(":    {",", "WITH"},
	"WITH": {",", ")", "END", "AS", "CREATE", "SELECT", "FROM", "WHERE", "ON"},
}

// always lists the words that have one follower in every statement.
var always = map[string][]string{
	"PRIMARY": {"KEY"}, "FOREIGN": {"KEY"}, "ORDER": {"BY"}, "GROUP": {"BY", "("},
}

// neighbours checks the pairs that hold everywhere.
func neighbours(tokens []token) error {
	for i, t := range tokens {
		if t.kind != tokenWord && t.kind != tokenSymbol {
			continue
		}
		next := token{line: t.line}
		if i+1 < len(tokens) {
			next = tokens[i+1]
		}
		word, follower := strings.ToUpper(t.text), strings.ToUpper(next.text)
		if slices.Contains(never[word], follower) {
			return near(next)
		}
		if word == "," && slices.Contains([]string{"SELECT", "INSERT", "UPDATE", "DELETE"}, follower) && !inGrant(tokens[:i]) {
			return near(next)
		}
		if want := always[word]; want != nil && !slices.Contains(want, follower) {
			return near(t)
		}
		if word == "EXECUTE" && i > 0 && (strings.EqualFold(tokens[i-1].text, "WITH") || tokens[i-1].text == ",") && follower != "AS" && follower != "ON" && follower != "," {
			return near(next)
		}
	}
	return nil
}

// inGrant reports whether a list of permissions comes before a comma.
func inGrant(tokens []token) bool {
	for _, t := range slices.Backward(tokens) {
		switch word := strings.ToUpper(t.text); {
		case word == "GRANT" || word == "DENY" || word == "REVOKE":
			return true
		case t.kind == tokenSymbol && word != "," && word != "(" && word != ")", t.kind == tokenString, t.kind == tokenNumber:
			return false
		}
	}
	return false
}

// equalSigns are the options that need their =, by the statement that they stand in.
var equalSigns = []string{"DESCRIPTION", "ENCRYPTION", "ERROR", "LIFETIME", "MAX_QUEUE_READERS", "PROCEDURE_NAME", "RETENTION", "STATUS", "TIMEOUT", "VALIDATION"}

// required checks the words of a statement of its own.
func (r *ruler) required(st any) {
	first, ok := r.at(st)
	if !ok {
		return
	}
	end := st.(interface{ Frag() *ast.Fragment }).Frag().EndOffset()
	last := first
	for last+1 < len(r.tokens) && r.tokens[last+1].end <= end {
		last++
	}
	own := r.tokens[first : last+1]
	for len(own) > 1 && own[len(own)-1].text == ";" {
		own = own[:len(own)-1]
	}
	final := own[len(own)-1]
	switch n := st.(type) {
	case *ast.BeginEndBlockStatement, *ast.SearchedCaseExpression, *ast.SimpleCaseExpression:
		r.need(final, "END")
	case *ast.TryCatchStatement:
		r.need(final, "CATCH")
		if len(own) > 1 {
			r.need(own[len(own)-2], "END")
		}
	case *ast.PredicateSetStatement:
		r.need(final, "ON", "OFF")
	case *ast.SetTransactionIsolationLevelStatement:
		r.sequence(own, "SET", "TRANSACTION", "ISOLATION", "LEVEL")
	case *ast.CreateMessageTypeStatement, *ast.CreateQueueStatement, *ast.AlterQueueStatement, *ast.BeginDialogStatement,
		*ast.BeginConversationTimerStatement:
		r.equals(own)
		r.commas(own)
	case *ast.EndConversationStatement:
		r.equals(own)
	case *ast.CreateContractStatement:
		r.contract(own)
	case *ast.GrantStatement, *ast.DenyStatement, *ast.AlterAuthorizationStatement:
		r.contains(own, "TO")
		if _, grant := st.(*ast.AlterAuthorizationStatement); grant {
			r.contains(own, "ON")
		}
	case *ast.CreateUserStatement:
		if i := indexOf(own, "WITHOUT"); i >= 0 {
			r.sequence(own[i:], "WITHOUT", "LOGIN")
		}
	case *ast.CreateProcedureStatement:
		r.body(n.StatementList)
	case *ast.AlterProcedureStatement:
		r.body(n.StatementList)
	case *ast.CreateOrAlterProcedureStatement:
		r.body(n.StatementList)
	}
}

// need demands that a token is one of the words.
func (r *ruler) need(t token, words ...string) {
	if r.err == nil && !slices.Contains(words, strings.ToUpper(t.text)) {
		r.err = near(t)
	}
}

func (r *ruler) sequence(own []token, words ...string) {
	for i, word := range words {
		if i >= len(own) {
			r.need(own[len(own)-1], "")
			return
		}
		r.need(own[i], word)
	}
}

func indexOf(own []token, word string) int {
	return slices.IndexFunc(own, func(t token) bool { return t.kind == tokenWord && strings.EqualFold(t.text, word) })
}

func (r *ruler) contains(own []token, word string) {
	if indexOf(own, word) < 0 && r.err == nil {
		r.err = near(own[len(own)-1])
	}
}

func (r *ruler) equals(own []token) {
	for i, t := range own {
		if i == 0 || i+1 == len(own) || t.kind != tokenWord || !slices.Contains(equalSigns, strings.ToUpper(t.text)) {
			continue
		}
		r.need(own[i+1], "=")
	}
}

// commas finds two options without a comma between them.
func (r *ruler) commas(own []token) {
	for i, t := range own {
		if t.text == "=" && i+2 < len(own) && own[i+2].kind == tokenWord && slices.Contains(equalSigns, strings.ToUpper(own[i+2].text)) &&
			r.err == nil {
			r.err = near(own[i+2])
		}
	}
}

func (r *ruler) contract(own []token) {
	open := slices.IndexFunc(own, func(t token) bool { return t.text == "(" })
	if open < 0 {
		return
	}
	for i := open + 1; i+3 < len(own); i += 5 { // name SENT BY who ,
		r.sequence(own[i+1:], "SENT", "BY")
		r.need(own[i+3], "INITIATOR", "TARGET", "ANY")
	}
	if i := indexOf(own, "AUTHORIZATION"); i < 0 && open != 3 && r.err == nil {
		r.err = near(own[min(3, len(own)-1)])
	}
}

// body demands the AS before the statements of a procedure.
func (r *ruler) body(list *ast.StatementList) {
	if list == nil || len(list.Statements) == 0 {
		return
	}
	if i, ok := r.at(list.Statements[0]); ok && i > 0 && r.tokens[i-1].text != ";" {
		r.need(r.tokens[i-1], "AS")
	}
}
