// Package message is the catalog of errors: their numbers and texts as the vendors document them (learn.microsoft.com, "Database engine
// events and errors"; "Oracle Database Error Messages"), a line for each. A text has verbs of package fmt for what a message names.
package message

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

//go:embed ms.txt
var msText string

//go:embed ora.txt
var oraText string

//go:embed pls.txt
var plsText string

type row struct {
	severity uint8 // SQL Server's
	text     string
}

// read reads a catalog once. Lines are a number, for SQL Server the severity, and the text.
func read(text *string, severity bool) func() map[int32]row {
	return sync.OnceValue(func() map[int32]row {
		rows := map[int32]row{}
		for line := range strings.Lines(*text) {
			number, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			r := row{severity: 16, text: rest}
			if severity {
				level, text, _ := strings.Cut(rest, " ")
				r = row{severity: uint8(atoi(level)), text: text}
			}
			r.text = strings.ReplaceAll(r.text, `\n`, "\n")
			rows[int32(atoi(number))] = r
		}
		return rows
	})
}

var ms, ora, pls = read(&msText, true), read(&oraText, false), read(&plsText, false)

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("message: the catalog has the number " + s)
	}
	return n
}

func (r row) error(number int32, args []any) *sqlerr.Error {
	if r.text == "" {
		panic(fmt.Sprintf("message: %d is not in the catalog", number))
	}
	return &sqlerr.Error{Number: number, Severity: r.severity, State: 1, Text: fmt.Sprintf(r.text, args...)}
}

// MS returns a SQL Server error of state 1 that ends its statement.
func MS(number int32, args ...any) *sqlerr.Error { return ms()[number].error(number, args) }

// ORA returns the error ORA-number.
func ORA(number int32, args ...any) *sqlerr.Error { return ora()[number].error(number, args) }

// PLS returns the error PLS-number of PL/SQL's compiler.
func PLS(number int32, args ...any) *sqlerr.Error { return pls()[number].error(number, args) }

var verb = regexp.MustCompile(`"%s"(\."%s")*|%[a-z]`)

// Bare returns the text of an error ORA-number without what it names, as SQLERRM returns it for a number; "" for an unknown number.
func Bare(number int32) string { return verb.ReplaceAllString(ora()[number].text, "") }
