package oracle

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/templates"
)

// vocabulary is Oracle's words.
type vocabulary struct{}

// Name returns exec_async for ExecAsync.
func (vocabulary) Name(name string) string { return snake(name) }

// snake writes a name in lower case, with an underscore before each capital letter that follows a small one.
func snake(name string) string {
	var b strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	return b.String()
}

// columns are the columns that are called otherwise, because the word is reserved or misleading here.
var columns = map[string]string{"Access": "access_mode", "Resource": "resource_name", "SPID": "session_id"}

// Column returns task_id for TaskId.
func (vocabulary) Column(name string) string { return cmp.Or(columns[name], snake(name)) }

// View returns the name of a view.
func (vocabulary) View(name string) string { return object(snake(name)) }

// Object returns the name of a view.
func (v vocabulary) Object(name string) string { return v.View(name) }

// FromFirst is nothing.
func (vocabulary) FromFirst() string { return "" }

// Bind returns a parameter.
func (vocabulary) Bind(name string, value any) (string, any) {
	return ":in_" + name, sql.Named("in_"+name, value)
}

// Instant returns a parameter that is a time.
func (v vocabulary) Instant(name string, at time.Time) (string, any) {
	return v.Bind(name, go_ora.TimeStampTZ(at))
}

// Now is the server's time.
func (vocabulary) Now() string { return "systimestamp" }

// Ago is an earlier time.
func (v vocabulary) Ago(seconds int) string {
	return fmt.Sprintf("%s - numtodsinterval(%d, 'SECOND')", v.Now(), seconds)
}

// Here is the name of the container database; of the database if it is none.
func (vocabulary) Here() string {
	return "nvl(sys_context('USERENV', 'CDB_NAME'), sys_context('USERENV', 'DB_NAME'))"
}

// Count counts rows.
func (vocabulary) Count() string { return "count" }

// Left is the start of a text.
func (vocabulary) Left(text string, characters int) string {
	return fmt.Sprintf("substr(%s, 1, %d)", text, characters)
}

// Contains ignores the case of letters.
func (vocabulary) Contains(text, other string) string {
	return "instr(upper(" + text + "), upper(" + other + ")) > 0"
}

// block returns a call as PL/SQL. value returns the text for an argument, out that for an output parameter; both get its name.
func block(c client.Call, value func(name string, v any) string, out func(name string, dest any) string) string {
	var parts []string
	for _, a := range c.Args {
		name := "in_" + snake(a.Name)
		parts = append(parts, name+" => "+value(name, a.Value))
	}
	for _, o := range c.Out {
		name := "out_" + snake(o.Name)
		parts = append(parts, name+" => "+out(name, o.Dest))
	}
	text := strings.ToLower(cmp.Or(c.Package, templates.OraclePackage)) + "." + snake(c.Procedure)
	if len(parts) > 0 {
		text += "(" + strings.Join(parts, ", ") + ")"
	}
	return text + ";"
}

// Text is a block with the values; the one that is sent has parameters.
func (vocabulary) Text(c client.Call) string {
	declare := ""
	body := block(c, func(_ string, v any) string { return literal(v) }, func(name string, dest any) string {
		local, kind := "l_"+strings.TrimPrefix(name, "out_"), "number"
		if _, ok := dest.(*sql.NullString); ok {
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

// Statement returns what is sent, which the driver recognizes by its first word. The parameters have the names of the arguments.
func (vocabulary) Statement(c client.Call) (string, []any) {
	var params []any
	bind := func(name string, v any) string {
		params = append(params, sql.Named(name, v))
		return ":" + name
	}
	body := block(c, func(name string, v any) string {
		switch v := v.(type) {
		case bool: // cannot be bound everywhere
			return strconv.FormatBool(v)
		case []string:
			return constructor(v, func(i int) string { return bind(name+"_"+strconv.Itoa(i+1), v[i]) })
		}
		return bind(name, bound(v))
	}, func(name string, dest any) string {
		switch v := dest.(type) {
		case *sql.NullString:
			return bind(name, go_ora.Out{Dest: v, Size: 100})
		case *idList:
			return bind(name, go_ora.Out{Dest: &v.text, Size: 32767})
		}
		return bind(name, sql.Out{Dest: dest})
	})
	return "begin " + body + " end;", params
}

// Script is one block, which an error rolls back as a whole.
func (vocabulary) Script(create client.Call, others []client.Call) string {
	var b strings.Builder
	b.WriteString("declare\n    l_process_id number;\n    l_task_id number;\nbegin\n")
	for _, c := range append([]client.Call{create.Returns("ProcessId", nil)}, others...) {
		if c.Procedure == "ExecAsync" {
			c = c.Returns("TaskId", nil)
		}
		b.WriteString("    " + block(c, func(_ string, v any) string { return literal(v) }, func(name string, _ any) string { return "l_" + strings.TrimPrefix(name, "out_") }) + "\n")
	}
	b.WriteString("    commit;\nend;")
	return b.String()
}

// Stored is a time in the JSON of a task.
func (vocabulary) Stored(at time.Time) string {
	return at.UTC().Format("2006-01-02T15:04:05.999999") + "Z"
}

// UTC is a time in UTC: the views have times with a zone.
func (vocabulary) UTC(t time.Time) time.Time { return t.UTC() }

// Commits is false: a caller's transaction ends when the caller ends it.
func (vocabulary) Commits() bool { return false }

// Answered has nothing to find: a lost answer is an error of the driver.
func (vocabulary) Answered(client.Call) error { return nil }

// constructor builds the list, with a text for each name.
func constructor(names []string, name func(i int) string) string {
	all := make([]string, len(names))
	for i := range names {
		all[i] = name(i)
	}
	return strings.ToLower(templates.OraclePackage) + ".t_names(" + strings.Join(all, ", ") + ")"
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

// chunk is the length of a string's part on one line: SQL*Plus accepts 2,499 bytes.
const chunk = 500

// literal writes a value in a form safe for SQL*Plus: no line of a text becomes a line of the
// script, where it could be a command, and no ampersand asks for a value.
func literal(v any) string {
	switch v := v.(type) {
	case client.Created:
		return "l_process_id"
	case bool:
		return strconv.FormatBool(v)
	case []string:
		return constructor(v, func(i int) string { return literal(v[i]) })
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

// maxBatch is how many tasks one call takes: their numbers, which it returns, must fit into a
// PL/SQL VARCHAR2.
const maxBatch = 1000

// idList is the result of exec_async_batch.
type idList struct{ text sql.NullString }

// Batch enqueues tasks with a few calls.
func (s *scheduler) Batch(ctx context.Context, tx client.Querier, process int64, tasks []dialects.NewTask) ([]int64, error) {
	if process != 0 {
		tasks = client.OfProcess(process, tasks)
	}
	var all []int64
	for part := range slices.Chunk(tasks, maxBatch) {
		text, err := s.StoredTasks(part)
		if err != nil {
			return nil, err
		}
		var answer idList
		if err := s.Send(ctx, tx, client.New("ExecAsyncBatch").Set("Tasks", text).Returns("TaskIds", &answer)); err != nil {
			if len(all) > 0 {
				err = fmt.Errorf("the tasks after number %d: %w", len(all), err)
			}
			return nil, err
		}
		var ids []int64
		if err := json.Unmarshal([]byte(answer.text.String), &ids); err != nil {
			return nil, fmt.Errorf("the numbers of the new tasks: %w", err)
		}
		all = append(all, ids...)
	}
	return all, nil
}

// EndCommand returns nothing: tasks get an error, and end by it unless they handle every one.
func (s *scheduler) EndCommand(context.Context) (string, error) { return "", nil }

// waitSlice is how long one call of wait_process lasts: a waiting server notices late
// that the client has given up, and a DSN may limit how long a read takes.
const waitSlice = 5 * time.Second

// WaitProcess waits on the server; its procedure returns 2 when the time is up.
func (s *scheduler) WaitProcess(ctx context.Context, id int64, timeout time.Duration) (bool, error) {
	for {
		slice := min(timeout, waitSlice)
		var result sql.NullInt64
		if err := s.Send(ctx, s.DB, waitCall(id, slice, &result)); err != nil {
			return false, err
		}
		if timeout -= slice; result.Int64 != 2 || timeout < time.Second {
			return result.Int64 != 2, nil
		}
	}
}

func waitCall(id int64, timeout time.Duration, result *sql.NullInt64) client.Call {
	return client.New("WaitProcess").Set("ProcessId", id).Set("TimeoutSeconds", client.Seconds(timeout)).Returns("Result", result).Returns("Status", new(sql.NullString))
}

// Sleep returns a block that sleeps: DBMS_SESSION.SLEEP accepts at most an hour (ORA-38148) and
// hundredths of a second.
func (Dialect) Sleep(d time.Duration) string {
	d = min(max(d, 0), time.Hour)
	return "begin dbms_session.sleep(" + strconv.FormatFloat(d.Round(10*time.Millisecond).Seconds(), 'f', -1, 64) + "); end;"
}
