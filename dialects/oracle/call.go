package oracle

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// call is one call of a procedure of a package.
type call struct {
	pkg  string // empty: the public one
	proc string
	args []arg
	out  []arg // values: *sql.NullInt64, *sql.NullString or *idList
}

// arg is a named argument: string, int64, time.Time, nameList or verbatim.
type arg struct {
	name  string
	value any
}

// verbatim is an argument's PL/SQL text: a Boolean, which cannot be bound everywhere, or a
// variable of a script.
type verbatim string

// nameList is an argument that is a list of names.
type nameList []string

// constructor builds the list, with a text for each name.
func (n nameList) constructor(name func(i int) string) string {
	all := make([]string, len(n))
	for i := range n {
		all[i] = name(i)
	}
	return strings.ToLower(templates.OraclePackage) + ".t_names(" + strings.Join(all, ", ") + ")"
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

// block returns the call as a block, which the driver recognizes by its first word. value returns
// the text for an argument; out: it is an OUT argument.
func (c call) block(value func(a arg, out bool) string) string {
	var parts []string
	for _, a := range c.args {
		parts = append(parts, a.name+" => "+value(a, false))
	}
	for _, a := range c.out {
		parts = append(parts, a.name+" => "+value(a, true))
	}
	text := cmp.Or(c.pkg, strings.ToLower(templates.OraclePackage)) + "." + c.proc
	if len(parts) > 0 {
		text += "(" + strings.Join(parts, ", ") + ")"
	}
	return text + ";"
}

// text returns the call with its values, for display; the statement that is sent has parameters.
func (c call) text() string {
	declare := ""
	body := c.block(func(a arg, out bool) string {
		if !out {
			return literal(a.value)
		}
		local := "l_" + strings.TrimPrefix(a.name, "out_")
		kind := "number"
		if _, ok := a.value.(*sql.NullString); ok {
			kind = "varchar2(100)"
		}
		declare += "    " + local + " " + kind + ";\n"
		return local
	})
	if declare != "" {
		declare = "declare\n" + declare
	}
	return declare + "begin\n    " + body + "\nend;"
}

// statement returns what is sent, and its parameters, which have the names of the arguments.
func (c call) statement() (string, []any) {
	var params []any
	body := c.block(func(a arg, out bool) string {
		switch v := a.value.(type) {
		case verbatim:
			return string(v)
		case nameList:
			return v.constructor(func(i int) string {
				name := a.name + "_" + strconv.Itoa(i+1)
				params = append(params, sql.Named(name, v[i]))
				return ":" + name
			})
		case *sql.NullString:
			params = append(params, sql.Named(a.name, go_ora.Out{Dest: v, Size: 100}))
		case *idList:
			params = append(params, sql.Named(a.name, go_ora.Out{Dest: &v.text, Size: 32767}))
		case *sql.NullInt64:
			params = append(params, sql.Named(a.name, sql.Out{Dest: v}))
		default:
			params = append(params, sql.Named(a.name, bound(v)))
		}
		return ":" + a.name
	})
	return "begin " + body + " end;", params
}

// maxInline is the longest text, in bytes, that is bound as VARCHAR2. A longer one is sent
// as a temporary CLOB: where MAX_STRING_SIZE is STANDARD, the driver binds it as LONG, after
// all other parameters, which a PL/SQL block does not accept.
const maxInline = 4000

func bound(v any) any {
	switch v := v.(type) {
	case string:
		if len(v) > maxInline {
			return go_ora.Clob{String: v, Valid: true}
		}
	case time.Time:
		return v.In(time.FixedZone("", 0)) // the driver would send UTC as a region
	}
	return v
}

// execer is a connection, a pool or a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// send runs the call, or shows it in a dry run.
func (s *scheduler) send(ctx context.Context, on execer, c call) error {
	if s.dryRun != nil {
		s.dryRun(dialects.Batch{Name: c.proc, SQL: c.text()})
		return nil
	}
	text, params := c.statement()
	_, err := on.ExecContext(ctx, text, params...)
	return s.failed(ctx, c.proc, err)
}

// inTransaction runs f in one transaction. It begins without ctx: when ctx ends, database/sql
// rolls back with it, and a rollback under a cancelled context breaks the connection.
func (s *scheduler) inTransaction(ctx context.Context, f func(execer) error) error {
	if s.dryRun != nil {
		return f(nil)
	}
	tx, err := s.db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return s.failed(ctx, "starting a transaction", err)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // f's error says more; a lost session is rolled back by the server
		return err
	}
	return s.failed(ctx, "COMMIT", tx.Commit())
}

// chunk is the length of a string's part on one line: SQL*Plus accepts 2,499 bytes.
const chunk = 500

// literal writes a value in a form safe for SQL*Plus: no line of a text becomes a line of the
// script, where it could be a command, and no ampersand asks for a value.
func literal(v any) string {
	switch v := v.(type) {
	case verbatim:
		return string(v)
	case nameList:
		return v.constructor(func(i int) string { return literal(v[i]) })
	case string:
		if v == "" {
			return "null"
		}
		// A concatenation of VARCHAR2s cannot exceed 32,767 bytes.
		format := "%s"
		if len(v) > 30000 {
			format = "to_clob(%s)"
		}
		var parts []string
		for i, line := range strings.Split(v, "\n") {
			if i > 0 {
				parts = append(parts, "chr(10)")
			}
			for text := []rune(line); len(text) > 0; text = text[min(len(text), chunk):] {
				piece := string(text[:min(len(text), chunk)])
				parts = append(parts, fmt.Sprintf(format, "'"+strings.ReplaceAll(piece, "'", "''")+"'"))
			}
		}
		return strings.Join(parts, "\n        || ")
	case time.Time:
		return "timestamp '" + v.UTC().Format("2006-01-02 15:04:05.000") + " +00:00'"
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return fmt.Sprint(v)
}

// seconds is d in whole seconds.
func seconds(d time.Duration) int64 { return int64(d / time.Second) }

// Sleep returns a block that sleeps: DBMS_SESSION.SLEEP accepts at most an hour (ORA-38148) and
// hundredths of a second.
func (Dialect) Sleep(d time.Duration) string {
	d = min(max(d, 0), time.Hour)
	return "begin dbms_session.sleep(" + strconv.FormatFloat(d.Round(10*time.Millisecond).Seconds(), 'f', -1, 64) + "); end;"
}
