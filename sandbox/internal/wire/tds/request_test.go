package tds_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/golang-sql/sqlexp"
	mssql "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tds"
)

var intColumn = []tds.Column{{Name: "n", Type: tds.Int}}

func TestResultSets(t *testing.T) {
	for _, proc := range []bool{false, true} {
		db, e := open(t, func(_ *session, _ tds.Request, w *tds.ResponseWriter) {
			send(w, intColumn, value.Row{value.NewInt(1)}, value.Row{value.NewInt(2)})
			w.DoneStatement(tds.Done{Rows: 5, HasCount: true, Command: tds.CommandUpdate})
			send(w, intColumn)
			send(w, intColumn, value.Row{value.NewInt(3)})
		})
		query := "SELECT 1; SELECT 2"
		if proc {
			query = "dbo.GetAll"
		}
		set, err := db.Query(query)
		require.NoError(t, err)
		defer set.Close()
		var got [][]int
		for more := true; more; more = set.NextResultSet() {
			ns := []int{}
			for set.Next() {
				var n int
				require.NoError(t, set.Scan(&n))
				ns = append(ns, n)
			}
			got = append(got, ns)
		}
		require.NoError(t, set.Err())
		require.Equal(t, [][]int{{1, 2}, {}, {3}}, got)
		_, isProc := e.sessions[0].requests[0].(*tds.RPC)
		require.Equal(t, proc, isProc)
	}
}

func TestRowsStream(t *testing.T) {
	// The engine sends the second half only once the client has read the first.
	read := make(chan struct{})
	db, _ := open(t, func(_ *session, _ tds.Request, w *tds.ResponseWriter) {
		must(w.Columns(intColumn))
		for i := range 20000 {
			if i == 10000 {
				<-read
			}
			must(w.Row(value.Row{value.NewInt(int64(i))}))
		}
		w.DoneStatement(tds.Done{Rows: 20000, HasCount: true})
	})
	set, err := db.Query("SELECT n FROM t")
	require.NoError(t, err)
	defer set.Close()
	for i := range 20000 {
		require.True(t, set.Next())
		var n int
		require.NoError(t, set.Scan(&n))
		require.Equal(t, i, n)
		if i == 5000 {
			close(read)
		}
	}
	require.False(t, set.Next())
	require.NoError(t, set.Err())
}

func TestRowsAffected(t *testing.T) {
	db, _ := open(t, func(_ *session, _ tds.Request, w *tds.ResponseWriter) {
		w.DoneStatement(tds.Done{Rows: 3, HasCount: true, Command: tds.CommandInsert})
		w.DoneStatement(tds.Done{Rows: 1 << 40, HasCount: true, Command: tds.CommandDelete, InProc: true})
		w.DoneStatement(tds.Done{})
		w.DoneProcedure(0)
		w.DoneStatement(tds.Done{Rows: 4, HasCount: true, Command: tds.CommandUpdate})
	})
	result, err := db.Exec("INSERT …")
	require.NoError(t, err)
	n, err := result.RowsAffected()
	require.NoError(t, err)
	require.Equal(t, int64(1<<40+7), n)
}

func TestErrors(t *testing.T) {
	fail := func(_ *session, req tds.Request, w *tds.ResponseWriter) {
		if b, ok := req.(*tds.Batch); ok && b.SQL == "select 1;" { // Ping
			return
		}
		first := sqlerr.New(2714, "There is already an object named '%s' in the database.", "t").At(16, 6)
		first.Unit, first.Line = "dbo.Build", 7
		second := sqlerr.New(1750, "Could not create constraint or index. See previous errors.")
		second.Line = 9
		send(w, intColumn, value.Row{value.NewInt(1)})
		w.Error(first)
		w.Error(second)
		w.DoneStatement(tds.Done{})
	}
	for _, query := range []string{"CREATE TABLE t", "dbo.Build"} {
		db, e := open(t, fail)
		_, err := db.Exec(query)
		var failure mssql.Error
		require.ErrorAs(t, err, &failure)
		require.Equal(t, int32(1750), failure.Number)
		require.Equal(t, int32(9), failure.LineNo)
		require.Len(t, failure.All, 2)
		require.Equal(t, mssql.Error{
			Number: 2714, State: 6, Class: 16, Message: "There is already an object named 't' in the database.",
			ServerName: "SANDBOX", ProcName: "dbo.Build", LineNo: 7,
		}, failure.All[0])
		require.NoError(t, db.Ping(), "the connection stays")
		require.Len(t, e.sessions, 1)
	}
}

func TestErrorThatEndsTheConnection(t *testing.T) {
	calls := 0
	db, e := open(t, func(_ *session, _ tds.Request, w *tds.ResponseWriter) {
		if calls++; calls == 1 {
			w.Error(sqlerr.New(596, "Cannot continue the execution because the session is in the kill state.").At(21, 1))
		}
	})
	_, err := db.Exec("SELECT 1")
	var failure mssql.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, int32(596), failure.Number)
	<-e.sessions[0].closed
}

func TestPanicEndsTheConnectionOnly(t *testing.T) {
	db, e := open(t, func(_ *session, req tds.Request, _ *tds.ResponseWriter) {
		if req.(*tds.Batch).SQL == "SELECT boom" {
			panic("boom")
		}
	})
	db.SetMaxIdleConns(0)
	_, err := db.Exec("SELECT boom")
	require.ErrorContains(t, err, "sandbox: boom")
	<-e.sessions[0].closed
	require.NoError(t, db.Ping())
	require.Len(t, e.sessions, 2)
}

func TestMessages(t *testing.T) {
	shown := make(chan struct{})
	db, _ := open(t, func(_ *session, _ tds.Request, w *tds.ResponseWriter) {
		w.Info(tds.Message{Number: 50000, Class: 10, State: 3, Text: "half way – grün", Proc: "dbo.Work", Line: 12})
		w.Flush()
		<-shown // only NOWAIT lets the client see the message at this point
		send(w, intColumn, value.Row{value.NewInt(1)})
		w.Error(sqlerr.New(8134, "Divide by zero error encountered."))
		w.DoneStatement(tds.Done{})
		w.DoneStatement(tds.Done{Rows: 2, HasCount: true, Command: tds.CommandInsert})
		w.Error(sqlerr.New(0, "only a message").At(10, 1))
	})
	ctx := context.Background()
	messages := &sqlexp.ReturnMessage{}
	set, err := db.QueryContext(ctx, "EXEC dbo.Work", messages)
	require.NoError(t, err)
	defer set.Close()
	var got []string
	for active := true; active; {
		switch m := messages.Message(ctx).(type) {
		case sqlexp.MsgNotice:
			info := m.Message.(mssql.Error)
			got = append(got, fmt.Sprintf("notice %d %d %d %s %s %d", info.Number, info.Class, info.State, info.Message, info.ProcName, info.LineNo))
			if len(got) == 1 {
				close(shown)
			}
		case sqlexp.MsgError:
			got = append(got, "error "+m.Error.Error())
		case sqlexp.MsgRowsAffected:
			got = append(got, fmt.Sprintf("rows %d", m.Count))
		case sqlexp.MsgNext:
			for set.Next() {
				var n int
				require.NoError(t, set.Scan(&n))
				got = append(got, fmt.Sprintf("row %d", n))
			}
		case sqlexp.MsgNextResultSet:
			active = set.NextResultSet()
		}
	}
	require.NoError(t, set.Err())
	require.Equal(t, []string{
		"notice 50000 10 3 half way – grün dbo.Work 12", "row 1", "rows 1",
		"error mssql: Divide by zero error encountered.", "rows 2", "notice 0 10 1 only a message  0",
	}, got)
}

func TestFlush(t *testing.T) {
	seen := make(chan struct{})
	db, _ := open(t, func(_ *session, _ tds.Request, w *tds.ResponseWriter) {
		send(w, intColumn, value.Row{value.NewInt(1)})
		w.Flush()
		w.Flush()
		<-seen
	})
	set, err := db.Query("SELECT 1; RAISERROR('', 0, 1) WITH NOWAIT; WAITFOR …")
	require.NoError(t, err)
	defer set.Close()
	require.True(t, set.Next())
	close(seen)
	require.False(t, set.Next())
	require.NoError(t, set.Err())
}

func TestTransactions(t *testing.T) {
	const descriptor = 0x1122334455667788
	db, e := open(t, func(_ *session, req tds.Request, w *tds.ResponseWriter) {
		switch r := req.(type) {
		case *tds.Transaction:
			switch r.Op {
			case tds.BeginTransaction:
				w.EnvTransaction(tds.TransactionBegun, descriptor)
			case tds.CommitTransaction:
				w.EnvTransaction(tds.TransactionCommitted, descriptor)
			case tds.RollbackTransaction:
				w.EnvTransaction(tds.TransactionRolledBack, descriptor)
			}
		case *tds.Batch:
			if r.SQL == "abort it" {
				w.EnvTransaction(tds.TransactionRolledBack, descriptor)
				w.Error(sqlerr.New(1205, "Transaction (Process ID 51) was deadlocked.").At(13, 51))
			}
		}
	})
	ctx := context.Background()
	isolations := map[sql.IsolationLevel]tds.Isolation{
		sql.LevelDefault: tds.IsolationUnchanged, sql.LevelReadUncommitted: tds.ReadUncommitted, sql.LevelReadCommitted: tds.ReadCommitted,
		sql.LevelRepeatableRead: tds.RepeatableRead, sql.LevelSerializable: tds.Serializable, sql.LevelSnapshot: tds.Snapshot,
	}
	for level, want := range isolations {
		tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: level})
		require.NoError(t, err)
		requests := e.sessions[0].requests
		require.Equal(t, want, requests[len(requests)-1].(*tds.Transaction).Isolation)
		_, err = tx.Exec("INSERT …")
		require.NoError(t, err)
		require.NoError(t, tx.Commit())
		requests = e.sessions[0].requests
		require.Equal(t, &tds.Transaction{Op: tds.CommitTransaction}, requests[len(requests)-1])
	}
	tx, err := db.Begin()
	require.NoError(t, err)
	require.NoError(t, tx.Rollback())
	requests := e.sessions[0].requests
	require.Equal(t, &tds.Transaction{Op: tds.RollbackTransaction}, requests[len(requests)-1])

	tx, err = db.Begin()
	require.NoError(t, err)
	_, err = tx.Exec("abort it")
	require.ErrorContains(t, err, "deadlocked")
	require.ErrorContains(t, tx.Commit(), "aborted by the server")
}

func TestReset(t *testing.T) {
	db, e := open(t, func(_ *session, req tds.Request, w *tds.ResponseWriter) {
		if r, ok := req.(*tds.Transaction); ok && r.Op == tds.BeginTransaction {
			w.EnvTransaction(tds.TransactionBegun, 1)
		}
	})
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	require.NoError(t, err)
	for range 2 { // one use of the connection: only its first request resets
		_, err := conn.ExecContext(ctx, "SELECT 1")
		require.NoError(t, err)
	}
	require.NoError(t, conn.Close())
	tx, err := db.Begin()
	require.NoError(t, err)
	require.NoError(t, tx.Rollback())
	_, err = db.Exec("dbo.P")
	require.NoError(t, err)
	requests := e.sessions[0].requests
	require.Equal(t, &tds.Batch{SQL: "SELECT 1", Resetting: tds.Resetting{Reset: tds.ResetAll}}, requests[0])
	require.Equal(t, &tds.Batch{SQL: "SELECT 1"}, requests[1])
	require.Equal(t, &tds.Transaction{Op: tds.BeginTransaction, Resetting: tds.Resetting{Reset: tds.ResetAll}}, requests[2])
	require.Equal(t, &tds.RPC{Proc: "dbo.P", Resetting: tds.Resetting{Reset: tds.ResetAll}}, requests[4])
}

func TestCancel(t *testing.T) {
	for _, query := range []string{"WAITFOR DELAY '01:00'", "dbo.WaitForever"} {
		started := make(chan struct{}, 1)
		db, e := open(t, func(s *session, req tds.Request, w *tds.ResponseWriter) {
			if b, ok := req.(*tds.Batch); ok && b.SQL == "SELECT 1" {
				send(w, intColumn, value.Row{value.NewInt(1)})
				return
			}
			must(w.Columns(intColumn))
			must(w.Row(value.Row{value.NewInt(1)}))
			started <- struct{}{}
			<-s.cancelled
			<-w.Context().Done()
			if !errors.Is(w.Row(value.Row{value.NewInt(2)}), tds.ErrCancelled) {
				panic("row after an attention")
			}
			w.Error(sqlerr.New(0, "Operation cancelled by user."))
			w.EnvTransaction(tds.TransactionRolledBack, 7)
			w.DoneStatement(tds.Done{})
		})
		conn, err := db.Conn(context.Background())
		require.NoError(t, err)
		for range 3 {
			ctx, cancel := context.WithCancel(context.Background())
			go func() {
				<-started
				cancel()
			}()
			_, err = conn.ExecContext(ctx, query)
			require.ErrorIs(t, err, context.Canceled)
			var n int
			require.NoError(t, conn.QueryRowContext(context.Background(), "SELECT 1").Scan(&n))
		}
		require.NoError(t, conn.Close())
		require.Len(t, e.sessions, 1)
	}
}

func TestCancelRace(t *testing.T) {
	// Attentions that arrive before, while and after a request runs: the connection
	// survives all of them and keeps requests and answers matched.
	db, e := open(t, echo)
	conn, err := db.Conn(context.Background())
	require.NoError(t, err)
	for i := range 300 {
		// Not WithTimeout: go-mssqldb treats DeadlineExceeded as a broken network.
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(time.Duration(i)*time.Microsecond, cancel)
		var n int
		if err := conn.QueryRowContext(ctx, "SELECT @p1", i).Scan(&n); err == nil {
			require.Equal(t, i, n)
		} else {
			require.ErrorIs(t, err, context.Canceled)
		}
		cancel()
		require.NoError(t, conn.QueryRowContext(context.Background(), "SELECT @p1", -i).Scan(&n))
		require.Equal(t, -i, n)
	}
	require.NoError(t, conn.Close())
	require.Len(t, e.sessions, 1)
}

func TestReturnValues(t *testing.T) {
	db, e := open(t, func(_ *session, req tds.Request, w *tds.ResponseWriter) {
		r := req.(*tds.RPC)
		w.DoneStatement(tds.Done{Rows: 1, HasCount: true})
		w.ReturnStatus(-6)
		for _, p := range r.Params {
			if p.Output {
				switch p.Type.ID {
				case tds.NVarChar:
					p.Value = value.NewString(p.Value.Str() + "!")
				case tds.IntN:
					p.Value = value.NewInt(p.Value.N + 1)
				}
				must(w.ReturnValue(p))
			}
		}
	})
	number, name, null := int64(41), "grün", sql.NullString{String: "x", Valid: true}
	var status mssql.ReturnStatus
	_, err := db.Exec("dbo.Count", sql.Named("in", 7), sql.Named("number", sql.Out{Dest: &number}), sql.Named("name", sql.Out{Dest: &name}),
		sql.Named("null", sql.Out{Dest: &null}), &status)
	require.NoError(t, err)
	require.Equal(t, int64(42), number)
	require.Equal(t, "grün!", name)
	require.Equal(t, mssql.ReturnStatus(-6), status)
	call := e.sessions[0].requests[0].(*tds.RPC)
	require.Equal(t, "dbo.Count", call.Proc)
	require.Zero(t, call.ProcID)
	require.Len(t, call.Params, 4)
	require.Equal(t, "@in", call.Params[0].Name)
	require.False(t, call.Params[0].Output)
	require.True(t, call.Params[1].Output)
	require.Equal(t, 2, call.Params[2].Ordinal)
	require.Equal(t, tds.Max, call.Params[2].Type.Size) // go-mssqldb sends output text this way
}

func TestNullReturnValue(t *testing.T) {
	db, _ := open(t, func(_ *session, req tds.Request, w *tds.ResponseWriter) {
		p := req.(*tds.RPC).Params[0]
		p.Value = value.Value{}
		w.ReturnStatus(0)
		must(w.ReturnValue(p))
	})
	out := sql.NullInt64{Int64: 5, Valid: true}
	_, err := db.Exec("dbo.P", sql.Named("out", sql.Out{Dest: &out}))
	require.NoError(t, err)
	require.False(t, out.Valid)
}
