package mssql

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/templates"
)

// vocabulary is SQL Server's words for a schema.
type vocabulary struct{ schema string }

// Name returns the name: they are SQL Server's.
func (vocabulary) Name(name string) string { return name }

// Object returns the name.
func (vocabulary) Object(name string) string { return name }

// FromFirst is an OFFSET, without which there is no FETCH.
func (vocabulary) FromFirst() string { return "OFFSET 0 ROWS " }

// Column returns the name.
func (vocabulary) Column(name string) string { return name }

// View returns the quoted name of a view.
func (w vocabulary) View(name string) string { return w.object(name) }

// object returns the quoted name of a dbsched object.
func (w vocabulary) object(name string) string {
	return templates.QuoteIdent(w.schema) + "." + templates.QuoteIdent(name)
}

// Bind returns a parameter.
func (vocabulary) Bind(name string, value any) (string, any) {
	return "@" + name, sql.Named(name, value)
}

// Instant returns a parameter that is a time.
func (vocabulary) Instant(name string, at time.Time) (string, any) {
	return "CAST(@" + name + " AS datetime2(3))", sql.Named(name, instant(at))
}

// Now is the server's time; the views have UTC.
func (vocabulary) Now() string { return "SYSUTCDATETIME()" }

// Ago is an earlier time.
func (w vocabulary) Ago(seconds int) string {
	return fmt.Sprintf("DATEADD(second, -%d, %s)", seconds, w.Now())
}

// Here is the server's name.
func (vocabulary) Here() string { return "CONVERT(nvarchar(128), SERVERPROPERTY('ServerName'))" }

// Count counts up to 2^63 rows; COUNT fails beyond 2^31.
func (vocabulary) Count() string { return "COUNT_BIG" }

// Left is the start of a text.
func (vocabulary) Left(text string, characters int) string {
	return fmt.Sprintf("LEFT(%s, %d)", text, characters)
}

// Contains ignores the case of letters in each collation.
func (vocabulary) Contains(text, other string) string {
	return "CHARINDEX(UPPER(" + other + "), UPPER(" + text + ")) > 0"
}

// Text is the statement with its values; the statement that is sent has parameters.
func (w vocabulary) Text(c client.Call) string {
	parts := make([]string, 0, len(c.Args))
	for _, a := range c.Args {
		parts = append(parts, "@"+a.Name+" = "+literal(a.Value))
	}
	return strings.TrimSuffix("EXEC "+w.object(c.Procedure)+" "+strings.Join(parts, ", "), " ") + ";"
}

// Statement returns what is sent. The driver wraps it in sp_executesql, so a procedure has one plan, not one per value.
func (w vocabulary) Statement(c client.Call) (string, []any) {
	var parts []string
	var params []any
	result := c.Result
	for _, a := range c.Args {
		parts = append(parts, "@"+a.Name+" = @"+a.Name)
		params = append(params, sql.Named(a.Name, bound(a.Value)))
	}
	for _, o := range c.Out {
		parts = append(parts, "@"+o.Name+" = @"+o.Name+" OUTPUT")
		params = append(params, sql.Named(o.Name, sql.Out{Dest: o.Dest}))
	}
	params = append(params, sql.Named("result", sql.Out{Dest: result}))
	return strings.TrimSuffix("EXEC @result = "+w.object(c.Procedure)+" "+strings.Join(parts, ", "), " ") + ";", params
}

// Answered refuses a call without a return value, which every procedure sends.
func (vocabulary) Answered(c client.Call) error {
	if c.Result.Valid {
		return nil
	}
	return errNoAnswer
}

// errNoAnswer: the driver read the whole response without an error, and it contained no return value.
var errNoAnswer = fmt.Errorf("the server did not answer: %w", io.ErrUnexpectedEOF)

// Script is a batch. The procedures' errors end neither the batch nor the transaction, so the script must do that.
func (w vocabulary) Script(create client.Call, others []client.Call) string {
	lines := []string{strings.TrimSuffix(w.Text(create), ";") + ", @ProcessId = @ProcessId OUTPUT;"}
	for _, c := range others {
		lines = append(lines, w.Text(c))
	}
	return "DECLARE @ProcessId int;\nBEGIN TRY\n    BEGIN TRANSACTION;\n    " + strings.Join(lines, "\n    ") +
		"\n    COMMIT TRANSACTION;\nEND TRY\nBEGIN CATCH\n    IF XACT_STATE() <> 0\n        ROLLBACK TRANSACTION;\n    THROW;\nEND CATCH;"
}

// Stored is a time in the JSON of a task.
func (vocabulary) Stored(at time.Time) string { return instant(at) }

// UTC marks a time from the driver as UTC, without changing the clock: the views have UTC without an offset.
func (vocabulary) UTC(t time.Time) time.Time { return client.Wall(t) }

// Commits is true: a procedure begins a transaction if there is none, and ends it.
func (vocabulary) Commits() bool { return true }

// bound is an argument as the driver takes it.
func bound(v any) any {
	switch v := v.(type) {
	case time.Time:
		return instant(v)
	case []string:
		return list(v)
	}
	return v
}

func literal(v any) string {
	switch v := bound(v).(type) {
	case client.Created:
		return "@ProcessId"
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

// list is a list of names as JSON; [] if there is none.
func list(names []string) string {
	text, _ := json.Marshal(append([]string{}, names...)) // strings can always be written
	return string(text)
}

// instant formats a time so that it is read the same under every language setting (ISO 8601
// with its T). A datetimeoffset parameter would work too, but shows the offset in a dry run.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000") }

// Batch enqueues tasks with one call.
func (s *scheduler) Batch(ctx context.Context, tx client.Querier, process int64, tasks []dialects.NewTask) ([]int64, error) {
	text, err := s.StoredTasks(tasks)
	if err != nil {
		return nil, err
	}
	c := client.New("ExecAsyncBatch").Set("Tasks", text)
	if process != 0 {
		c = c.Set("ProcessId", process)
	}
	query, params := s.Statement(c)
	ids, err := client.Read(ctx, s.Client, tx, c.Procedure, query, params, func(rows *sql.Rows) (id int64, err error) {
		var number int64
		err = rows.Scan(&number, &id)
		return id, err
	})
	if err == nil && len(ids) != len(tasks) {
		err = s.Failed(ctx, c.Procedure, errNoAnswer)
	}
	return ids, err
}

// WaitProcess waits on the server; its procedure returns 2 when the time is up.
func (s *scheduler) WaitProcess(ctx context.Context, id int64, timeout time.Duration) (bool, error) {
	c := client.New("WaitProcess").Set("ProcessId", id).Set("TimeoutSeconds", client.Seconds(timeout))
	err := s.Send(ctx, s.DB, c)
	return c.Result.Int64 != 2, err
}

// asOwner lets a member of db_owner other than dbo do what only dbsched's owner may: the denials to public hold for that member, too. The text
// must be sent with the parameter @owner: then it runs in sp_executesql, where the context ends also after an error or an interrupt.
func (s *scheduler) asOwner(text string) string {
	return "IF IS_ROLEMEMBER(N'db_owner') = 1 AND ISNULL(USER_ID(), 0) <> 1 AND DATABASE_PRINCIPAL_ID(@owner) IS NOT NULL\n    EXECUTE AS USER = " +
		templates.QuoteString(s.owner()) + ";\n" + text + "\nIF USER_NAME() = @owner\n    REVERT;"
}

// Sleep returns a WAITFOR DELAY, which accepts less than a day, in milliseconds.
func (Dialect) Sleep(d time.Duration) string {
	d = min(max(d, 0), 24*time.Hour-time.Millisecond)
	return fmt.Sprintf("WAITFOR DELAY '%02d:%02d:%02d.%03d'", d/time.Hour, d/time.Minute%60, d/time.Second%60, d/time.Millisecond%1000)
}
