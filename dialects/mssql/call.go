package mssql

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// call is one call of a dbsched procedure.
type call struct {
	proc string
	args []arg
	out  []outArg
	// result receives the procedure's return value; nil: the value does not matter.
	result *sql.NullInt64
}

// arg is a named argument: string, int64, bool or verbatim.
type arg struct {
	name  string
	value any
}

// verbatim is an argument's text in a script, such as a variable.
type verbatim string

// outArg is an output parameter. It is NULL when the procedure refuses, and a destination
// that cannot hold NULL would make the driver report that instead of the refusal.
type outArg struct {
	name string
	dest any // *sql.NullInt64 or *sql.NullString
}

// set adds an argument and returns the call.
func (c call) set(name string, value any) call {
	c.args = append(c.args, arg{name, value})
	return c
}

// setIf adds an argument whose value differs from the default.
func (c call) setIf(differs bool, name string, value any) call {
	if differs {
		return c.set(name, value)
	}
	return c
}

// text is the statement with its values, for display; the statement that is sent has parameters.
func (c call) text(schema string) string {
	parts := make([]string, 0, len(c.args))
	for _, a := range c.args {
		parts = append(parts, "@"+a.name+" = "+sqlValue(a.value))
	}
	text := "EXEC " + templates.QuoteIdent(schema) + "." + templates.QuoteIdent(c.proc)
	if len(parts) > 0 {
		text += " " + strings.Join(parts, ", ")
	}
	return text + ";"
}

// statement returns the statement to send and its parameters. The driver wraps it in
// sp_executesql, so a procedure has one plan, not one per value.
func (c call) statement(schema string) (string, []any) {
	var parts []string
	var params []any
	for _, a := range c.args {
		parts = append(parts, "@"+a.name+" = @"+a.name)
		params = append(params, sql.Named(a.name, a.value))
	}
	for _, o := range c.out {
		parts = append(parts, "@"+o.name+" = @"+o.name+" OUTPUT")
		params = append(params, sql.Named(o.name, sql.Out{Dest: o.dest}))
	}
	params = append(params, sql.Named("result", sql.Out{Dest: c.result}))
	text := "EXEC @result = " + templates.QuoteIdent(schema) + "." + templates.QuoteIdent(c.proc)
	if len(parts) > 0 {
		text += " " + strings.Join(parts, ", ")
	}
	return text + ";", params
}

// execer is a connection, a pool or a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// send runs the call, or shows it in a dry run.
func (s *scheduler) send(ctx context.Context, on execer, c call) error {
	if s.dryRun != nil {
		s.dryRun(dialects.Batch{Name: c.proc, SQL: c.text(s.schema)})
		return nil
	}
	if c.result == nil {
		c.result = new(sql.NullInt64)
	}
	text, params := c.statement(s.schema)
	_, err := on.ExecContext(ctx, text, params...)
	if err == nil && !c.result.Valid { // no error, but no return value either
		err = errNoAnswer
	}
	return s.failed(c.proc, err)
}

// errNoAnswer: the driver read the whole response, and it contained no return value, which every procedure sends.
var errNoAnswer = fmt.Errorf("the server did not answer: %w", io.ErrUnexpectedEOF)

func sqlValue(v any) string {
	switch v := v.(type) {
	case verbatim:
		return string(v)
	case string:
		return templates.QuoteString(v)
	case bool:
		if v {
			return "1"
		}
		return "0"
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return fmt.Sprint(v)
}

// instant formats a time so that it is read the same under every language setting (ISO 8601
// with its T). A datetimeoffset parameter would work too, but shows the offset in a dry run.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000") }

// seconds is d in whole seconds.
func seconds(d time.Duration) int64 { return int64(d / time.Second) }

// Sleep returns a WAITFOR DELAY, which accepts less than a day, in milliseconds.
func (Dialect) Sleep(d time.Duration) string {
	d = min(max(d, 0), 24*time.Hour-time.Millisecond)
	return fmt.Sprintf("WAITFOR DELAY '%02d:%02d:%02d.%03d'", d/time.Hour, d/time.Minute%60, d/time.Second%60, d/time.Millisecond%1000)
}
