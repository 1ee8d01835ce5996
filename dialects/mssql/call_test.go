package mssql

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"testing"
	"time"

	mssqldb "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/templates"
)

func TestCallText(t *testing.T) {
	w := vocabulary{"we ird"}
	c := client.Exec(dialects.NewTask{SQL: "PRINT 'it''s'", Order: -5, ProcessID: 7, NotBefore: time.Date(2026, 11, 20, 23, 0, 0, 0, time.FixedZone("", 3600))})
	require.Equal(t, "EXEC [we ird].[ExecAsync] @SQL = N'PRINT ''it''''s''', @ExecutionOrder = -5, @ProcessId = 7, "+
		"@NotBefore = N'2026-11-20T22:00:00.000';", w.Text(c))
	text, params := w.Statement(c.Returns("TaskId", new(sql.NullInt64)))
	require.Equal(t, "EXEC @result = [we ird].[ExecAsync] @SQL = @SQL, @ExecutionOrder = @ExecutionOrder, @ProcessId = @ProcessId, "+
		"@NotBefore = @NotBefore, @TaskId = @TaskId OUTPUT;", text)
	require.Len(t, params, 6)
	require.Equal(t, sql.Named("SQL", "PRINT 'it''s'"), params[0])
	require.Equal(t, "EXEC [s].[StartScheduler];", vocabulary{"s"}.Text(client.New("StartScheduler")))
	require.Equal(t, `EXEC [s].[DefineRound] @Members = N'["a","it''s"]', @None = N'[]', @On = 1;`,
		vocabulary{"s"}.Text(client.New("DefineRound").Set("Members", []string{"a", "it's"}).Set("None", []string(nil)).Set("On", true)))
}

// mute is a connection whose driver reports no error, with or without a return value.
type mute struct{ answers bool }

func (m mute) ExecContext(_ context.Context, _ string, args ...any) (sql.Result, error) {
	if m.answers {
		*args[len(args)-1].(sql.NamedArg).Value.(sql.Out).Dest.(*sql.NullInt64) = sql.NullInt64{Valid: true}
	}
	return nil, nil
}

// A response that ended without error and without what the procedure returns proves nothing.
func TestNoErrorIsNoAnswer(t *testing.T) {
	s := &scheduler{vocabulary: vocabulary{"dbsched"}}
	s.Client = &client.Client{Engine: s}
	require.NoError(t, s.Send(t.Context(), mute{true}, client.New("DefineRound")))
	err := s.Send(t.Context(), mute{}, client.New("DefineRound"))
	require.ErrorIs(t, err, errNoAnswer)
	require.ErrorAs(t, err, new(*dialects.ConnectError))
	require.ErrorContains(t, err, "the connection was lost during DefineRound")
}

func TestSleep(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"WAITFOR DELAY '00:00:10.100'": 10100 * time.Millisecond,
		"WAITFOR DELAY '01:02:03.004'": time.Hour + 2*time.Minute + 3*time.Second + 4*time.Millisecond,
		"WAITFOR DELAY '23:59:59.999'": 48 * time.Hour,
		"WAITFOR DELAY '00:00:00.000'": -time.Second,
	} {
		require.Equal(t, want, Dialect{}.Sleep(d))
	}
}

func TestRefusalReadsAsSqlcmdWritesIt(t *testing.T) {
	first := mssqldb.Error{Number: 2714, Class: 16, State: 6, LineNo: 2, Message: "There is already an object named 'x' in the database."}
	last := mssqldb.Error{Number: 1750, Class: 16, State: 1, LineNo: 3, ProcName: "p", Message: "Could not create constraint. See previous errors."}
	last.All = []mssqldb.Error{first, last}
	require.EqualError(t, &Refusal{Err: last}, "Msg 2714, Level 16, State 6, Line 2: There is already an object named 'x' in the database.\n"+
		"Msg 1750, Level 16, State 1, Procedure p, Line 3: Could not create constraint. See previous errors.")
	require.EqualError(t, &Refusal{Err: first}, "Msg 2714, Level 16, State 6, Line 2: There is already an object named 'x' in the database.")
}

func TestFailedClassifies(t *testing.T) {
	s := &scheduler{vocabulary: vocabulary{"other"}}
	s.target.name = "h as u"
	require.NoError(t, s.Failed(t.Context(), "x", nil))
	require.ErrorIs(t, s.Failed(t.Context(), "x", context.Canceled), context.Canceled)
	require.ErrorAs(t, s.Failed(t.Context(), "x", io.EOF), new(*dialects.ConnectError))
	require.ErrorAs(t, s.Failed(t.Context(), "x", mssqldb.Error{Number: 18456}), new(*dialects.ConnectError))
	require.ErrorAs(t, s.Failed(t.Context(), "x", mssqldb.Error{Number: 50000}), new(*dialects.ServerError))
	require.ErrorAs(t, s.Failed(t.Context(), "x", errors.New("?")), new(*dialects.ServerError))
	missing := s.Failed(t.Context(), "StartScheduler", mssqldb.Error{Number: 2812, Class: 16, State: 62, LineNo: 1, Message: "Could not find stored procedure 'other.StartScheduler'."})
	require.ErrorContains(t, missing, "dbsched install --schema other")
	for object, role := range map[string]string{"SetWorkers": "admin", "AlarmInfo": "reader", "ExecAsync": "user"} {
		rights := s.Failed(t.Context(), "x", mssqldb.Error{Number: 229, Message: "The EXECUTE permission was denied on the object '" + object + "', database 'x', schema 'other'."})
		require.ErrorContains(t, rights, "ALTER ROLE [other_"+role+"] ADD MEMBER")
	}
}

func TestBrokerHint(t *testing.T) {
	statement := func(numbers ...int32) error {
		var all []mssqldb.Error
		for _, n := range append(numbers, 5069) {
			all = append(all, mssqldb.Error{Number: n})
		}
		e := all[len(all)-1]
		e.All = all
		return &Refusal{Err: e}
	}
	held := brokerHint(statement(5061), "we]ird", []string{"session 51: sa from h (app), sleeping"})
	require.Contains(t, held, "Sessions in the database:\n  session 51: sa from h (app), sleeping\n")
	require.Contains(t, held, "--force-enable-broker")
	require.Contains(t, brokerHint(statement(9772), "we]ird", nil), "ALTER DATABASE [we]]ird] SET NEW_BROKER WITH ROLLBACK IMMEDIATE;")
	require.Contains(t, brokerHint(statement(1468), "d", nil), "availability group")
	require.Contains(t, brokerHint(statement(1), "d", nil), "ALTER DATABASE [d] SET ENABLE_BROKER WITH NO_WAIT;")
}

func TestModulesCompare(t *testing.T) {
	sent := "-- CREATE it\nCREATE OR ALTER PROCEDURE [we ird].ExecAsync\n    @SQL nvarchar(max)\nAS\nBEGIN\n    EXEC (N'CREATE VIEW x');\nEND;\n"
	read := "-- CREATE it\r\nCREATE   PROCEDURE [we ird].ExecAsync\r\n    @SQL nvarchar(max)\r\nAS\r\nBEGIN\r\n    EXEC (N'CREATE VIEW x');\r\nEND;"
	require.Equal(t, normalize(sent), normalize(read))
	require.NotEqual(t, normalize(sent), normalize(read+" -- changed"))
	p := plan{modules: map[string]string{"ExecAsync": normalize(read)}}
	module := func(name, text string) templates.Batch {
		return templates.Batch{SQL: text, Kind: templates.KindModule, Object: templates.Object{Name: name}}
	}
	require.True(t, p.unchanged(module("ExecAsync", sent)))
	require.False(t, p.unchanged(module("Other", sent)))
	require.False(t, p.unchanged(module("ExecAsync", sent+"-- changed")))
	require.False(t, p.unchanged(templates.Batch{SQL: sent}))
}
