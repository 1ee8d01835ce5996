package dialects

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTaskText: the tasks of dbsched itself are said in words, all others as they were written.
func TestTaskText(t *testing.T) {
	const call = "EXEC [dbsched].RunFiring @FiringId = 12;"
	for want, sql := range map[string]string{
		"(internal: starts a schedule, firing 12)": call,
		"(internal: starts a schedule, firing 3)":  "begin DBSCHED.dbsched.run_firing(3); end;",
		"(internal) SELECT 1":                      "SELECT 1",
	} {
		require.Equal(t, want, TaskText(0, sql))
		require.Equal(t, sql, TaskText(1, sql))
	}
}

// TestWords: no error speaks Go.
func TestWords(t *testing.T) {
	for _, err := range []error{
		context.Canceled, context.DeadlineExceeded, sql.ErrNoRows, driver.ErrBadConn, io.EOF, io.ErrUnexpectedEOF,
		errors.New(`sql: Scan error on column index 0, name "Version": converting NULL to string is unsupported`),
	} {
		for _, wrapped := range []error{
			err, &ServerError{Doing: "status", Err: err}, &ConnectError{Target: "here", Err: fmt.Errorf("lost: %w", err)}, &PartialError{Failed: "a", Err: err, Next: "again"},
		} {
			require.NotRegexp(t, `sql:|context |driver:|converting|rows in`, Words(wrapped))
			require.ErrorIs(t, wrapped, err, "and it is still the same error")
		}
	}
	require.Equal(t, "SchedulerInfo: column Version has a value that it should not have",
		(&ServerError{Doing: "SchedulerInfo", Err: errors.New(`sql: Scan error on column index 0, name "Version": converting NULL to string is unsupported`)}).Error())
	require.Equal(t, "cannot connect to here: the server closed the connection", (&ConnectError{Target: "here", Err: io.EOF}).Error())
	require.Empty(t, Words(nil))
}
