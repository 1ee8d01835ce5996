package tns_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	goora "github.com/sijms/go-ora/v2"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/sqlerr"
	"github.com/dbsched/dbsched/sandbox/tns"
	"github.com/dbsched/dbsched/sandbox/value"
)

// execs answers every Execute.
func execs(do func(x *tns.Execute, w *tns.ResponseWriter)) func(*session, tns.Request, *tns.ResponseWriter) {
	return func(_ *session, req tns.Request, w *tns.ResponseWriter) {
		if x, ok := req.(*tns.Execute); ok {
			do(x, w)
		}
	}
}

// queryError returns how a query failed.
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
		{sqlerr.NotSupported("x"), 49999, 0, "ORA-49999: sandbox: not supported: x\n"},
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

func TestOutBinds(t *testing.T) {
	at := time.Date(2026, 11, 20, 17, 5, 43, 120_000_000, time.UTC)
	long := strings.Repeat("ü", 100_000)
	db, e := open(t, execs(func(x *tns.Execute, w *tns.ResponseWriter) {
		use, values := make([]tns.Direction, len(x.Binds)), make(value.Row, len(x.Binds))
		for i, b := range x.Binds {
			use[i] = tns.DirOut
			switch b.Type.ID {
			case tns.Number:
				values[i] = value.NewInt(42)
			case tns.Varchar2:
				values[i] = value.NewString("hällo")
			case tns.TimestampTZ, tns.Timestamp:
				values[i] = value.NewTime(ticks(at), 0)
			case tns.Raw:
				values[i] = value.NewBytes([]byte{1, 2})
			case tns.CLOB:
				values[i] = value.NewString(long)
			case tns.BLOB:
				values[i] = value.NewBytes([]byte(long))
			}
		}
		use[0] = tns.DirIn
		use[1] = tns.DirInOut
		values[1] = value.NewInt(x.Iterations[0][1].N + 1)
		must(w.Out(use, values))
	}))
	var (
		n    int64
		s    string
		null sql.NullString
		when time.Time
		ts   goora.TimeStamp
		raw  []byte
		clob goora.Clob
		blob goora.Blob
	)
	st, err := db.PrepareContext(t.Context(), "begin p(:1, :2, :3, :4, :5, :6, :7, :8, :9); end;")
	require.NoError(t, err)
	defer st.Close()
	for i := range 3 {
		inOut := int64(i)
		_, err := st.ExecContext(t.Context(), "in", sql.Out{Dest: &inOut, In: true}, sql.Out{Dest: &n}, goora.Out{Dest: &s, Size: 10},
			goora.Out{Dest: &null, Size: 10}, sql.Out{Dest: &when}, sql.Out{Dest: &ts}, goora.Out{Dest: &raw, Size: 10}, goora.Out{Dest: &clob, Size: 10})
		require.NoError(t, err)
		require.EqualValues(t, i+1, inOut)
		require.EqualValues(t, 42, n)
		require.Equal(t, "hällo", s)
		require.Equal(t, sql.NullString{String: "hällo", Valid: true}, null)
		require.True(t, at.Equal(when), when)
		require.True(t, at.Equal(time.Time(ts)), ts)
		require.Equal(t, []byte{1, 2}, raw)
		require.Equal(t, long, clob.String)
	}
	_, err = db.ExecContext(t.Context(), "begin p(:1, :2, :3); end;", "in", sql.Out{Dest: &n, In: true}, goora.Out{Dest: &blob, Size: 10})
	require.NoError(t, err)
	require.Equal(t, []byte(long), blob.Data)
	x := e.sessions[0].requests[0].(*tns.Execute)
	require.Equal(t, 40, x.Binds[3].Type.Length) // go-ora: four bytes per character
}

// A value that is longer than the variable, as go-ora has it without a size.
func TestOutBindWithoutRoom(t *testing.T) {
	var errs []error
	db, _ := open(t, execs(func(x *tns.Execute, w *tns.ResponseWriter) {
		if err := w.Out([]tns.Direction{tns.DirOut}, value.Row{value.NewString("hello")}); err != nil {
			errs = append(errs, err)
			w.Error(sqlerr.New(6502, "PL/SQL: numeric or value error: character string buffer too small"))
		}
	}))
	var s string
	_, err := db.ExecContext(t.Context(), "begin :1 := 'hello'; end;", sql.Out{Dest: &s})
	oraError(t, err, 6502)
	_, err = db.ExecContext(t.Context(), "begin :1 := 'hello'; end;", goora.Out{Dest: &s, Size: 1})
	oraError(t, err, 6502)
	_, err = db.ExecContext(t.Context(), "begin :1 := 'hello'; end;", goora.Out{Dest: &s, Size: 5})
	require.NoError(t, err)
	require.Equal(t, "hello", s)
	require.Len(t, errs, 2)
}

func TestNullOutBinds(t *testing.T) {
	db, _ := open(t, execs(func(x *tns.Execute, w *tns.ResponseWriter) {
		use := make([]tns.Direction, len(x.Binds))
		for i := range use {
			use[i] = tns.DirOut
		}
		must(w.Out(use, make(value.Row, len(use))))
	}))
	var (
		n    sql.NullInt64
		s    = sql.NullString{String: "x", Valid: true}
		none sql.NullString
		when sql.NullTime
		clob goora.Clob
	)
	_, err := db.ExecContext(t.Context(), "begin p(:1, :2, :3, :4, :5); end;", sql.Out{Dest: &n}, goora.Out{Dest: &s, Size: 10},
		sql.Out{Dest: &none}, sql.Out{Dest: &when}, goora.Out{Dest: &clob, Size: 10})
	require.NoError(t, err)
	require.False(t, n.Valid || s.Valid || none.Valid || when.Valid || clob.Valid)
}

func TestReturning(t *testing.T) {
	const n = 1 // go-ora takes neither more nor, the second time, none
	db, _ := open(t, execs(func(_ *tns.Execute, w *tns.ResponseWriter) {
		w.Rows(int64(n))
		values := make([][]value.Value, 2)
		for i := range n {
			values[1] = append(values[1], value.NewInt(int64(100+i)))
		}
		must(w.Returning([]tns.Direction{tns.DirIn, tns.DirOut}, values))
	}))
	var id int64
	for range 2 {
		r, err := db.ExecContext(t.Context(), "insert into t values (:1) returning id into :2", "x", sql.Out{Dest: &id})
		require.NoError(t, err)
		rows, err := r.RowsAffected()
		require.NoError(t, err)
		require.EqualValues(t, n, rows)
		require.EqualValues(t, 100, id)
	}
}

func TestRefCursor(t *testing.T) {
	const n = 200
	r := &rows{}
	for i := range n {
		r.rows = append(r.rows, value.Row{value.NewInt(int64(i)), value.NewString(fmt.Sprint("text", i)), {}})
	}
	db, _ := open(t, execs(func(_ *tns.Execute, w *tns.ResponseWriter) {
		set := &tns.ResultSet{Columns: []tns.Column{number("N"), column("C", tns.Type{ID: tns.CLOB}), varchar("V")}, State: r}
		must(w.Out([]tns.Direction{tns.DirIn, tns.DirOut, tns.DirOut}, value.Row{{}, value.NewRef(set), value.NewInt(9)}))
	}))
	c, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer c.Close()
	var cursor goora.RefCursor
	var after int
	_, err = c.ExecContext(t.Context(), "begin p(:1, :2, :3); end;", 1, sql.Out{Dest: &cursor}, sql.Out{Dest: &after})
	require.NoError(t, err)
	require.Equal(t, 9, after)
	set, err := cursor.Query()
	require.NoError(t, err)
	require.Equal(t, []string{"N", "C", "V"}, set.Columns())
	got := 0
	for row := make([]driver.Value, 3); ; got++ {
		if err := set.Next(row); errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		require.EqualValues(t, fmt.Sprint(got), row[0])
		require.EqualValues(t, fmt.Sprint("text", got), row[1])
		require.Nil(t, row[2])
	}
	require.Equal(t, n, got)
	require.NoError(t, set.Close())
	require.NoError(t, cursor.Close())
	require.True(t, r.closed)
}

func TestNullRefCursor(t *testing.T) {
	db, _ := open(t, execs(func(_ *tns.Execute, w *tns.ResponseWriter) {
		must(w.Out([]tns.Direction{tns.DirOut}, value.Row{{}}))
	}))
	var cursor goora.RefCursor
	_, err := db.ExecContext(t.Context(), "begin p(:1); end;", sql.Out{Dest: &cursor})
	oraError(t, err, 1001)
}

// A cursor as a column of a query.
func TestCursorColumn(t *testing.T) {
	inner := &tns.ResultSet{Columns: []tns.Column{number("I")}, State: &rows{rows: []value.Row{{value.NewInt(5)}, {value.NewInt(6)}}}}
	db, _ := open(t, query([]tns.Column{number("N"), column("C", tns.Type{ID: tns.RefCursor})}, value.Row{value.NewInt(1), value.NewRef(inner)}))
	got, err := db.Query("select n, cursor(select i from u) from t")
	require.NoError(t, err)
	defer got.Close()
	require.True(t, got.Next())
	var n int
	var c any
	require.NoError(t, got.Scan(&n, &c))
	set, ok := c.(*goora.DataSet)
	require.True(t, ok)
	row := make([]driver.Value, 1)
	require.NoError(t, set.Next(row))
	require.Equal(t, "5", row[0])
	require.NoError(t, got.Err())
}

func TestArrayBinds(t *testing.T) {
	var got *tns.Execute
	db, _ := open(t, execs(func(x *tns.Execute, w *tns.ResponseWriter) {
		got = x
		if strings.Contains(x.Statement.SQL, "bad") {
			w.Batch([]tns.BatchError{{Iteration: 1, Err: sqlerr.New(1, "unique constraint (S.PK) violated")}})
		}
		w.Rows(int64(len(x.Iterations)))
	}))
	ids, names := []int{1, 2, 3}, []sql.NullString{{String: "a", Valid: true}, {}, {String: strings.Repeat("c", 9000), Valid: true}}
	r, err := db.ExecContext(t.Context(), "insert into t values (:1, :2)", ids, names)
	require.NoError(t, err)
	n, err := r.RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 3, n)
	require.True(t, got.BatchErrors)
	require.Len(t, got.Iterations, 3)
	for i, row := range got.Iterations {
		require.EqualValues(t, ids[i], row[0].N)
		require.Equal(t, names[i].String, row[1].Str())
		require.Equal(t, names[i].Valid, !row[1].IsNull())
	}
	_, err = db.ExecContext(t.Context(), "insert into bad values (:1, :2)", ids, names)
	text, _ := oraError(t, err, 1)
	require.Equal(t, "ORA-00001: unique constraint (S.PK) violated\n", text)
	require.NoError(t, db.Ping())
}

func TestIndexByTables(t *testing.T) {
	db, _ := open(t, execs(func(x *tns.Execute, w *tns.ResponseWriter) {
		if !x.Binds[0].Array || !x.Binds[1].Array || x.Binds[1].MaxElements != 10 {
			panic(fmt.Sprint(x.Binds))
		}
		list := x.Iterations[0][0].Any().([]value.Value)
		var doubled []value.Value
		for _, v := range list {
			doubled = append(doubled, value.NewInt(2*v.N))
		}
		must(w.Out([]tns.Direction{tns.DirIn, tns.DirOut}, value.Row{{}, value.NewRef(doubled)}))
	}))
	out := make([]int64, 0, 10)
	_, err := db.ExecContext(t.Context(), "begin p(:1, :2); end;", []int64{1, 2, 3}, goora.Out{Dest: &out, Size: 10})
	require.NoError(t, err)
	require.Equal(t, []int64{2, 4, 6}, out)
}

// Placeholders of one name: SQL statements have them all, PL/SQL blocks once.
func TestNamedBinds(t *testing.T) {
	var got *tns.Execute
	db, _ := open(t, execs(func(x *tns.Execute, _ *tns.ResponseWriter) { got = x }))
	_, err := db.ExecContext(t.Context(), "insert into t values (:a, :b, :a)", sql.Named("a", 1), sql.Named("b", "x"))
	require.NoError(t, err)
	require.Equal(t, `[1 "x" NULL]`, fmt.Sprint(got.Iterations[0]))
	require.True(t, got.Binds[2].Repeated)
	_, err = db.ExecContext(t.Context(), "begin p(:a, :b, :a); end;", sql.Named("a", 1), sql.Named("b", "x"))
	require.NoError(t, err)
	require.Equal(t, `[1 "x"]`, fmt.Sprint(got.Iterations[0]))
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

// The engine keeps what it likes with a statement that is executed again.
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
		// A longer value makes go-ora describe its variables again; behind a LOB it
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
	address := start(t, e, tns.Options{MaxCursors: 3})
	db, err := sql.Open("oracle", dsn(t, address, "scott", password))
	require.NoError(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	for i := range 4 {
		st, err := db.Prepare(fmt.Sprintf("select %d from t", i))
		require.NoError(t, err)
		defer st.Close()
		var n int
		err = st.QueryRow().Scan(&n)
		if i < 2 { // go-ora leaves one open when it connects
			require.NoError(t, err)
		} else {
			oraError(t, err, 1000)
		}
	}
}

// What cannot be understood is refused, and ends the connection: nobody knows where the
// next message begins.
func TestUnknownType(t *testing.T) {
	db, e := open(t, nil)
	_, err := db.ExecContext(t.Context(), "begin p(:1); end;", goora.PLBool(true))
	text, _ := oraError(t, err, 49999)
	require.Contains(t, text, "a bind variable of type 252")
	<-e.sessions[0].closed
}
