package tns_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	goora "github.com/sijms/go-ora/v2"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tns"
)

// execs answers every Execute.
func execs(do func(x *tns.Execute, w *tns.ResponseWriter)) func(*session, tns.Request, *tns.ResponseWriter) {
	return func(_ *session, req tns.Request, w *tns.ResponseWriter) {
		if x, ok := req.(*tns.Execute); ok {
			do(x, w)
		}
	}
}

// queryError returns the error of a query.
func queryError(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, "select v from t")
	if err != nil {
		return err
	}
	defer rows.Close()
	return rows.Err()
}

// A result set that takes many fetches and packets, with NULLs and a long row.
func TestFetch(t *testing.T) {
	const n = 1000
	var list []value.Row
	for i := range n {
		list = append(list, value.Row{value.NewInt(int64(i)), value.NewString(strings.Repeat("x", i*7%900))})
	}
	list[7][0], list[8][1] = value.Value{}, value.NewString(strings.Repeat("é", 10_000))
	for _, prefetch := range []string{"1", "25", "400", "5000"} {
		t.Run(prefetch, func(t *testing.T) {
			r := &rows{rows: list}
			db, _ := open(t, execs(func(_ *tns.Execute, w *tns.ResponseWriter) {
				must(w.Query(&tns.ResultSet{Columns: []tns.Column{number("N"), varchar("S")}, State: r}))
			}), "PREFETCH_ROWS", prefetch)
			got, err := db.Query("select n, s from t")
			require.NoError(t, err)
			defer got.Close()
			i := 0
			for ; got.Next(); i++ {
				var id sql.NullInt64
				var s sql.NullString
				require.NoError(t, got.Scan(&id, &s))
				require.Equal(t, i != 7, id.Valid)
				require.Equal(t, list[i][1].Str(), s.String)
				if id.Valid {
					require.EqualValues(t, i, id.Int64)
				}
			}
			require.NoError(t, got.Err())
			require.Equal(t, n, i)
			require.NoError(t, got.Close())
			require.True(t, r.closed)
			if prefetch == "1" {
				require.GreaterOrEqual(t, r.fetches, n)
			}
		})
	}
}

func TestEmptyResult(t *testing.T) {
	db, _ := open(t, query([]tns.Column{number("N"), column("C", tns.Type{ID: tns.CLOB})}))
	rows, err := db.Query("select n, c from t")
	require.NoError(t, err)
	defer rows.Close()
	require.False(t, rows.Next())
	require.NoError(t, rows.Err())
}

// A cursor that is closed before its end tells the engine.
func TestCloseEarly(t *testing.T) {
	r := &rows{}
	for i := range 100 {
		r.rows = append(r.rows, value.Row{value.NewInt(int64(i))})
	}
	db, _ := open(t, execs(func(_ *tns.Execute, w *tns.ResponseWriter) {
		must(w.Query(&tns.ResultSet{Columns: []tns.Column{number("N")}, State: r}))
	}))
	rows, err := db.Query("select n from t")
	require.NoError(t, err)
	defer rows.Close()
	require.True(t, rows.Next())
	require.NoError(t, rows.Err())
	require.NoError(t, rows.Close())
	require.True(t, r.closed)
}

func TestErrors(t *testing.T) {
	long := "ORA-06550: line 1, column 7:\nPLS-00201: identifier 'X' must be declared\n" + strings.Repeat("ORA-06512: at line 1\n", 900)
	for _, c := range []struct {
		err      *sqlerr.Error
		code     int
		position int
		text     string
	}{
		{sqlerr.New(942, "table or view does not exist"), 942, 14, "ORA-00942: table or view does not exist\n"},
		{sqlerr.New(20001, "ORA-20001: mine\nORA-06512: at \"S.P\", line 3"), 20001, 0, "ORA-20001: mine\nORA-06512: at \"S.P\", line 3\n"},
		{sqlerr.New(6550, "%s", long), 6550, 6, long},
		{sqlerr.NotSupported("x"), 49999, 0, "ORA-49999: the sandbox does not model x\n"},
		{sqlerr.New(100_000, "beyond"), 600, 0, "ORA-00600: beyond\n"},
	} {
		t.Run(fmt.Sprint(c.err.Number), func(t *testing.T) {
			db, _ := open(t, execs(func(_ *tns.Execute, w *tns.ResponseWriter) { w.ErrorAt(c.err, c.position) }))
			_, err := db.ExecContext(t.Context(), "drop table t")
			text, position := oraError(t, err, c.code)
			require.Equal(t, c.text, text)
			require.Equal(t, c.position, position)
			oraError(t, queryError(t.Context(), db), c.code)
			require.NoError(t, db.PingContext(t.Context()))
		})
	}
}

// An error in the middle of a result set.
func TestErrorWhileFetching(t *testing.T) {
	db, _ := open(t, func(_ *session, req tns.Request, w *tns.ResponseWriter) {
		switch r := req.(type) {
		case *tns.Execute:
			must(w.Query(&tns.ResultSet{Columns: []tns.Column{number("N")}}))
		case *tns.Fetch:
			if r.Max > 25 {
				w.Error(sqlerr.New(1476, "divisor is equal to zero"))
				return
			}
			for i := range r.Max {
				must(w.Row(value.Row{value.NewInt(int64(i))}))
			}
		}
	})
	rows, err := db.Query("select n from t")
	require.NoError(t, err)
	defer rows.Close()
	n := 0
	for rows.Next() {
		n++
	}
	oraError(t, rows.Err(), 1476)
	require.Equal(t, 25, n)
	require.NoError(t, db.Ping())
}

func TestTransactions(t *testing.T) {
	db, e := open(t, execs(func(_ *tns.Execute, w *tns.ResponseWriter) { w.Rows(3) }))
	insert := func(x interface {
		ExecContext(context.Context, string, ...any) (sql.Result, error)
	}) {
		r, err := x.ExecContext(t.Context(), "insert into t values (:1)", 1)
		require.NoError(t, err)
		n, err := r.RowsAffected()
		require.NoError(t, err)
		require.EqualValues(t, 3, n)
	}
	insert(db)
	for _, commit := range []bool{true, false} {
		tx, err := db.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		insert(tx)
		if commit {
			require.NoError(t, tx.Commit())
		} else {
			require.NoError(t, tx.Rollback())
		}
	}
	var got []string
	for _, r := range e.sessions[0].requests {
		switch x := r.(type) {
		case *tns.Execute:
			got = append(got, fmt.Sprintf("execute %t", x.AutoCommit))
		case *tns.Ping:
		default:
			got = append(got, fmt.Sprintf("%T", r))
		}
	}
	require.Equal(t, []string{"execute true", "execute false", "*tns.Commit", "execute false", "*tns.Rollback"}, got)
}

func TestCommitFails(t *testing.T) {
	db, _ := open(t, func(_ *session, req tns.Request, w *tns.ResponseWriter) {
		if _, ok := req.(*tns.Commit); ok {
			w.Error(sqlerr.New(2091, "transaction rolled back"))
		}
	})
	tx, err := db.Begin()
	require.NoError(t, err)
	oraError(t, tx.Commit(), 2091)
}

// A statement of many packets, and the flag of a unit with compilation errors.
func TestLongStatement(t *testing.T) {
	var got string
	db, _ := open(t, execs(func(x *tns.Execute, w *tns.ResponseWriter) {
		got = x.Statement.SQL
		w.CompileErrors()
	}))
	text := "create or replace package body p as " + strings.Repeat("-- fïller\n", 20_000) + " end;"
	_, err := db.ExecContext(t.Context(), text)
	require.NoError(t, err) // go-ora drops the warning
	require.Equal(t, text, got)
}

// The engine can keep any state with a statement that is executed again.
func TestPreparedQuery(t *testing.T) {
	for _, lob := range []bool{false, true} {
		columns, row := []tns.Column{number("N"), varchar("V")}, value.Row{{}, {}}
		if lob {
			columns, row = append(columns, column("C", tns.Type{ID: tns.CLOB})), append(row, value.NewString("a clob"))
		}
		db, _ := open(t, execs(func(x *tns.Execute, w *tns.ResponseWriter) {
			n, _ := x.Statement.State.(int)
			x.Statement.State = n + 1
			row[0], row[1] = value.NewInt(int64(n)), x.Iterations[0][0]
			must(w.Query(&tns.ResultSet{Columns: columns, State: &rows{rows: []value.Row{row}}}))
		}))
		st, err := db.Prepare("select :1 v from t")
		require.NoError(t, err)
		defer st.Close()
		// A longer value makes go-ora describe its variables again; after a LOB it
		// then forgets to execute.
		for i, v := range []string{"ab", "cd", strings.Repeat("long", 100), "e"} {
			var n int
			var s, c string
			into := []any{&n, &s, &c}
			err := st.QueryRow(v).Scan(into[:len(columns)]...)
			if lob && i == 2 {
				oraError(t, err, 1002)
				break
			}
			require.NoError(t, err)
			require.Equal(t, i, n)
			require.Equal(t, v, s)
			require.Equal(t, lob, c == "a clob")
		}
	}
}

func TestTooManyCursors(t *testing.T) {
	e := &engine{do: query([]tns.Column{number("N")}, value.Row{value.NewInt(1)})}
	address := start(t, e, tns.Options{})
	db, err := sql.Open("oracle", dsn(t, address, "scott", password))
	require.NoError(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	for i := range 301 {
		st, err := db.Prepare(fmt.Sprintf("select %d from t", i))
		require.NoError(t, err)
		defer st.Close()
		var n int
		err = st.QueryRow().Scan(&n)
		if i < 299 { // go-ora leaves one open when it connects
			require.NoError(t, err)
		} else {
			oraError(t, err, 1000)
		}
	}
}

// What cannot be understood is refused; the connection continues with the next message.
func TestUnknownType(t *testing.T) {
	db, e := open(t, nil)
	db.SetMaxOpenConns(1)
	for _, args := range [][]any{{goora.CreateNullBFile()}, {goora.CreateNullBFile(), strings.Repeat("x", 1<<20)}} {
		_, err := db.ExecContext(t.Context(), "begin p(:1); end;", args...)
		text, _ := oraError(t, err, 49999)
		require.Contains(t, text, "a bind variable of type 114")
		require.NoError(t, db.PingContext(t.Context()))
	}
	require.Len(t, e.sessions, 1)
}
