package supplied

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// nameLimit is the maximum length of an identifier in bytes (SQL Language Reference, "Schema Object Naming Rules").
const nameLimit = 128

var assertion = natives{
	"NOOP": same, "NOOP#2": same,
	"SIMPLE_SQL_NAME": func(c *call) error {
		if _, rest, ok := simpleName(c.text("STR")); !ok || rest != "" {
			return message.ORA(44003)
		}
		return same(c)
	},
	"QUALIFIED_SQL_NAME": func(c *call) error {
		rest, more, ok := c.text("STR"), true, true
		for links := 0; more && ok && links <= 2; links++ { // a link's name may have a connection string, after another @
			_, rest, ok = dottedName(rest)
			rest, more = strings.CutPrefix(rest, "@")
		}
		if !ok || more || rest != "" {
			return message.ORA(44004)
		}
		return same(c)
	},
	"SCHEMA_NAME": func(c *call) error {
		if c.s.ViewContext().Catalog.User(c.text("STR")) == nil {
			return message.ORA(44001)
		}
		return same(c)
	},
	"SQL_OBJECT_NAME": func(c *call) error {
		names, ok := qualifiedName(c.text("STR"))
		if ok {
			v := c.s.ViewContext()
			o, rest, err := v.Catalog.Resolve(v.Rights, c.s.Schema(), &ast.Ref{Parts: names})
			ok = err == nil && o != nil && len(rest) == 0
		}
		if !ok {
			return message.ORA(44002)
		}
		return same(c)
	},
	"ENQUOTE_NAME":    enquoteName,
	"ENQUOTE_LITERAL": enquoteLiteral,
}

func same(c *call) error {
	c.Return(c.Arg("STR"))
	return nil
}

// simpleName parses an identifier, folded to upper case unless quoted, with spaces around it.
func simpleName(s string) (name ast.Name, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t\r\n")
	end := 0
	if strings.HasPrefix(s, `"`) {
		n := strings.IndexByte(s[1:], '"') // no name contains a quotation mark
		if n < 1 {
			return name, "", false
		}
		name, end = ast.Name{Text: s[1 : n+1], Quoted: true}, n+2
	} else {
		for i, r := range s {
			letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
			if !letter && (i == 0 || (r < '0' || r > '9') && !strings.ContainsRune("_$#", r)) {
				break
			}
			end = i + len(string(r))
		}
		name.Text = strings.ToUpper(s[:end])
	}
	return name, strings.TrimLeft(s[end:], " \t\r\n"), name.Text != "" && len(name.Text) <= nameLimit
}

// qualifiedName parses identifiers with dots between them, and nothing else.
func qualifiedName(s string) ([]ast.Name, bool) {
	names, rest, ok := dottedName(s)
	return names, ok && rest == ""
}

// dottedName parses identifiers with dots between them, and returns what follows.
func dottedName(s string) (names []ast.Name, rest string, ok bool) {
	for more := true; more; s, more = strings.CutPrefix(rest, ".") {
		var n ast.Name
		if n, rest, ok = simpleName(s); !ok {
			return nil, "", false
		}
		names = append(names, n)
	}
	return names, rest, true
}

// nameTokenize splits a name of up to three parts. Its errors are not fully documented, so other names are refused.
func nameTokenize(c *call) error {
	text := c.text("NAME")
	names, ok := qualifiedName(text)
	switch {
	case strings.Contains(text, "@"):
		return sqlerr.NotSupported("DBMS_UTILITY.NAME_TOKENIZE of a name with a database link")
	case !ok || len(names) > 3:
		return message.ORA(931)
	}
	for i, param := range []string{"A", "B", "C"} {
		c.Set(param, value.Value{})
		if i < len(names) {
			c.setText(param, names[i].Text)
		}
	}
	c.Set("DBLINK", value.Value{})
	c.Set("NEXTPOS", value.NewInt(int64(len(text))))
	return nil
}

// enquoteName puts a name into quotation marks, and in upper case, unless it already has them.
func enquoteName(c *call) error {
	s := c.text("STR")
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		s = s[1 : len(s)-1]
	} else if c.truth("CAPITALIZE") {
		s = strings.ToUpper(s)
	}
	if s == "" || len(s) > nameLimit || strings.Contains(strings.ReplaceAll(s, `""`, ""), `"`) {
		return message.ORA(44003)
	}
	c.returnText(`"` + s + `"`)
	return nil
}

// enquoteLiteral puts apostrophes around text, unless it has them; those inside must already be doubled.
func enquoteLiteral(c *call) error {
	s := c.text("STR")
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		s = s[1 : len(s)-1]
	}
	if strings.Contains(strings.ReplaceAll(s, "''", ""), "'") {
		return datatype.ErrNumeric("")
	}
	c.returnText("'" + s + "'")
	return nil
}
