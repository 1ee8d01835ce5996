package tns_test

import (
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

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tns"
)

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
	require.Equal(t, 40, x.Binds[3].Type.Length) // go-ora declares four bytes per character
}

// A value that is longer than the variable, as go-ora sends it without a size.
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
	const n = 1 // go-ora accepts neither more nor, the second time, none
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

// Placeholders with one name: SQL statements have all of them, PL/SQL blocks only one.
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
