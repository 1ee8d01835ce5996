//go:build ignore

// Program go_calls does what applications do with go-mssqldb at its defaults.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/golang-sql/sqlexp"
	mssql "github.com/microsoft/go-mssqldb"
)

var ctx = context.Background()

// call runs a call and prints the outcome.
func call(name string, do func() error) {
	err := do()
	if err == nil {
		fmt.Println("ok", name)
		return
	}
	verdict, e := "FAIL", mssql.Error{}
	if errors.As(err, &e) && e.Number == 49999 || strings.Contains(err.Error(), "the sandbox does not model") {
		verdict = "refused"
	}
	fmt.Printf("%s %s: %s\n", verdict, name, strings.ReplaceAll(err.Error(), "\n", " "))
}

// same returns an error unless a call has the expected outcome.
func same(want, got any) error {
	if reflect.DeepEqual(want, got) {
		return nil
	}
	return fmt.Errorf("%#v instead of %#v", got, want)
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// value reads the first column of the first row.
func value(db querier, query string, args ...any) (any, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var v any
	if rows.Next() {
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
	}
	return v, errors.Join(rows.Err(), rows.Close())
}

// gives compares the value of a query with want.
func gives(db querier, want any, query string, args ...any) func() error {
	return func() error {
		got, err := value(db, query, args...)
		return errors.Join(err, same(want, got))
	}
}

// fails expects an error with a text.
func fails(err error, text string) (e mssql.Error, _ error) {
	if err == nil {
		return e, errors.New("no error")
	}
	if !strings.Contains(err.Error(), text) {
		return e, err
	}
	errors.As(err, &e)
	return e, nil
}

func dsn(more string) string {
	u := url.URL{Scheme: "sqlserver", User: url.UserPassword(os.Getenv("USER"), os.Getenv("PASSWORD")), Host: os.Getenv("HOST") + ":" + os.Getenv("PORT")}
	u.RawQuery = "TrustServerCertificate=true&database=" + os.Getenv("DATABASE") + more
	return u.String()
}

func main() {
	db, err := sql.Open("sqlserver", dsn(""))
	if err != nil {
		panic(err)
	}
	exec := func(query string, args ...any) func() error {
		return func() error {
			_, err := db.ExecContext(ctx, query, args...)
			return err
		}
	}
	call("ping", func() error { return db.PingContext(ctx) })
	types(db)
	call("create table", exec(`CREATE TABLE dbo.T (Id int IDENTITY PRIMARY KEY, Name nvarchar(50) NOT NULL UNIQUE, Price decimal(12, 4), At datetime2(7), Data varbinary(max), G uniqueidentifier)`))
	call("rows affected", func() error {
		r, err := db.ExecContext(ctx, "INSERT INTO dbo.T (Name, Price) VALUES (@p1, @p2), (@p3, NULL)", "a", "12.5", "b")
		if err != nil {
			return err
		}
		n, err := r.RowsAffected()
		return errors.Join(err, same(int64(2), n))
	})
	call("named parameters", gives(db, "b", "SELECT Name FROM dbo.T WHERE Id = @id AND Price IS NULL", sql.Named("id", 2)))
	call("OUTPUT", gives(db, int64(3), "INSERT INTO dbo.T (Name) OUTPUT inserted.Id VALUES (@p1)", "c"))
	call("SCOPE_IDENTITY", gives(db, int64(4), "INSERT INTO dbo.T (Name) VALUES (@p1); SELECT CAST(SCOPE_IDENTITY() AS bigint)", "d"))
	call("a prepared statement", func() error {
		st, err := db.PrepareContext(ctx, "SELECT Id FROM dbo.T WHERE Name = @p1")
		if err != nil {
			return err
		}
		defer st.Close()
		for i, name := range []string{"a", "b"} {
			var id int
			if err := errors.Join(st.QueryRowContext(ctx, name).Scan(&id), same(i+1, id)); err != nil {
				return err
			}
		}
		return nil
	})
	call("column types", func() error {
		rows, err := db.QueryContext(ctx, "SELECT Id, Name, Price, At, Data, G FROM dbo.T WHERE 1 = 0")
		if err != nil {
			return err
		}
		defer rows.Close()
		var got []string
		columns, err := rows.ColumnTypes()
		for _, c := range columns {
			n, _ := c.Length()
			p, s, _ := c.DecimalSize()
			null, _ := c.Nullable()
			got = append(got, fmt.Sprint(c.Name(), " ", c.DatabaseTypeName(), " ", n, " ", p, " ", s, " ", null))
		}
		return errors.Join(err, same("Id INT 0 0 0 false; Name NVARCHAR 50 0 0 false; Price DECIMAL 0 12 4 true; At DATETIME2 0 0 7 true; "+
			"Data VARBINARY 2147483645 0 0 true; G UNIQUEIDENTIFIER 0 0 0 true", strings.Join(got, "; ")))
	})
	call("several results", func() error {
		rows, err := db.QueryContext(ctx, "SELECT 1; UPDATE dbo.T SET Price = 1 WHERE Id = 1; SELECT 2, 3")
		if err != nil {
			return err
		}
		defer rows.Close()
		var got []int
		for more := true; more; more = rows.NextResultSet() {
			columns, _ := rows.Columns()
			for rows.Next() {
				var a, b int
				if err := rows.Scan([]any{&a, &b}[:len(columns)]...); err != nil {
					return err
				}
				got = append(got, a, b)
			}
		}
		return errors.Join(rows.Err(), same([]int{1, 0, 2, 3}, got))
	})
	call("messages", messages(db))
	call("a procedure", exec("CREATE PROCEDURE dbo.P @a int, @b nvarchar(20) OUTPUT, @c decimal(9, 2) = 1.5 AS BEGIN SET @b = CONCAT(@a, N'ü'); SELECT @c; RETURN 7; END"))
	call("output and return values", func() error {
		var b string
		var status mssql.ReturnStatus
		_, err := db.ExecContext(ctx, "dbo.P", sql.Named("a", 5), sql.Named("b", sql.Out{Dest: &b}), &status)
		return errors.Join(err, same("5ü", b), same(mssql.ReturnStatus(7), status))
	})
	call("rows of a procedure", gives(db, []byte("1.50"), "dbo.P", sql.Named("a", 5), sql.Named("b", sql.Out{Dest: new(string)})))
	call("in and out", func() error {
		n := 5
		_, err := db.ExecContext(ctx, "SET @n = @n * 2", sql.Named("n", sql.Out{Dest: &n, In: true}))
		return errors.Join(err, same(10, n))
	})
	call("an error's parts", func() error {
		err := exec("\nRAISERROR (N'bäd %s', 16, 7, N'x')")()
		e, err := fails(err, "bäd x")
		return errors.Join(err, same([]any{int32(50000), uint8(7), uint8(16), int32(2), ""}, []any{e.Number, e.State, e.Class, e.LineNo, e.ProcName}))
	})
	call("an error in a procedure", func() error {
		err := exec("CREATE PROCEDURE dbo.Bad AS\nBEGIN\n  SELECT 1;\n  THROW 50009, N'thrown', 2;\nEND")()
		if err == nil {
			err = exec("dbo.Bad")()
		}
		e, err := fails(err, "thrown")
		return errors.Join(err, same([]any{int32(50009), uint8(2), int32(4), "dbo.Bad"}, []any{e.Number, e.State, e.LineNo, e.ProcName}))
	})
	call("a duplicate", func() error {
		e, err := fails(exec("INSERT INTO dbo.T (Name) VALUES (N'a')")(), "UNIQUE KEY")
		return errors.Join(err, same(int32(2627), e.Number))
	})
	call("the first of several errors", func() error {
		_, err := fails(exec("RAISERROR ('one', 16, 1); RAISERROR ('two', 16, 1)")(), "one")
		return err
	})
	call("an error after rows", func() error {
		_, err := value(db, "SELECT 1 / (2 - Id) FROM dbo.T ORDER BY Id")
		if err != nil { // it may come with the first rows
			_, err = fails(err, "Divide by zero")
			return err
		}
		return nil
	})
	transactions(db)
	call("a timeout", func() error {
		short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		defer cancel()
		_, err := db.ExecContext(short, "WAITFOR DELAY '00:00:20'")
		return same(true, errors.Is(err, context.DeadlineExceeded))
	})
	call("cancel while rows come", func() error {
		short, cancel := context.WithCancel(ctx)
		rows, err := db.QueryContext(short, "SELECT TOP 200000 a.name FROM sys.all_columns a CROSS JOIN sys.all_columns b")
		if err != nil {
			cancel()
			return err
		}
		rows.Next()
		cancel()
		for rows.Next() { //nolint:revive // to the end
		}
		_ = rows.Close()
		return gives(db, int64(1), "SELECT 1")()
	})
	call("a wrong password", func() error {
		u, _ := url.Parse(dsn(""))
		u.User = url.UserPassword("sa", "no")
		other, err := sql.Open("sqlserver", u.String())
		if err == nil {
			err = other.PingContext(ctx)
		}
		e, err := fails(err, "Login failed for user 'sa'")
		return errors.Join(err, same(int32(18456), e.Number))
	})
	call("a pool's settings end with their user", func() error {
		one, err := sql.Open("sqlserver", dsn("&app+name=mine&workstation+id=here"))
		if err != nil {
			return err
		}
		defer one.Close()
		one.SetMaxOpenConns(1)
		_, err = one.ExecContext(ctx, "USE master; SET LOCK_TIMEOUT 77; CREATE TABLE #z (a int)")
		return errors.Join(err, gives(one, os.Getenv("DATABASE")+" -1 0 mine here",
			"SELECT CONCAT(DB_NAME(), ' ', @@LOCK_TIMEOUT, ' ', COUNT(OBJECT_ID('tempdb..#z')), ' ', APP_NAME(), ' ', HOST_NAME())")())
	})
	call("SessionInitSQL", func() error {
		c, err := mssql.NewConnector(dsn(""))
		if err != nil {
			return err
		}
		c.SessionInitSQL = "SET ANSI_NULLS OFF; SET LOCK_TIMEOUT 55"
		one := sql.OpenDB(c)
		defer one.Close()
		return gives(one, int64(55), "SELECT @@LOCK_TIMEOUT")()
	})
	bulk(db)
}

// types sends values of all types and reads them back.
func types(db *sql.DB) {
	at := time.Date(2026, 1, 31, 23, 59, 59, 123456700, time.FixedZone("", -19800))
	utc := func(t time.Time) time.Time {
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	}
	guid := mssql.UniqueIdentifier{0x6F, 0x96, 0x19, 0xFF, 0x8B, 0x86, 0xD0, 0x11, 0xB4, 0x2D, 0, 0xC0, 0x4F, 0xC9, 0x64, 0xFF}
	guidBytes, _ := guid.Value()
	for _, c := range []struct {
		name       string
		in, want   any
		conversion string
	}{
		{"bool", true, true, "@p1"}, {"int", math.MinInt32, int64(math.MinInt32), "CAST(@p1 AS int)"}, {"int64", int64(math.MinInt64), int64(math.MinInt64), "@p1"},
		{"tinyint", 255, int64(255), "CAST(@p1 AS tinyint)"}, {"float64", math.MaxFloat64, math.MaxFloat64, "@p1"}, {"real", 0.5, 0.5, "CAST(@p1 AS real)"},
		{"string", "🧀Ω", "🧀Ω", "@p1"}, {"empty", "", "", "@p1"}, {"a long string", strings.Repeat("ü", 100_000), strings.Repeat("ü", 100_000), "@p1"},
		{"VarChar", mssql.VarChar("ab"), "ab", "@p1"}, {"NVarCharMax", mssql.NVarCharMax("ü"), "ü", "@p1"}, {"VarCharMax", mssql.VarCharMax("ab"), "ab", "@p1"}, {"NChar", mssql.NChar("ab"), "ab", "@p1"},
		{"char", "ab", "ab   ", "CAST(@p1 AS char(5))"}, {"bytes", []byte{0, 255}, []byte{0, 255}, "@p1"}, {"binary", []byte{1, 2}, []byte{1, 2, 0, 0}, "CAST(@p1 AS binary(4))"},
		{"no bytes", []byte{}, []byte{}, "@p1"}, {"a million bytes", bytes.Repeat([]byte{7}, 1_000_000), bytes.Repeat([]byte{7}, 1_000_000), "@p1"},
		{"decimal", "-9999999999999999999999999999.9999999999", []byte("-9999999999999999999999999999.9999999999"), "CAST(@p1 AS decimal(38, 10))"},
		{"money", "-922337203685477.5808", []byte("-922337203685477.5808"), "CAST(@p1 AS money)"}, {"uniqueidentifier", guid, guidBytes, "@p1"},
		{"time.Time", at, at, "@p1"}, {"datetime2", at, utc(at), "CAST(@p1 AS datetime2(7))"}, {"DateTime1", mssql.DateTime1(utc(at)), time.Date(2026, 1, 31, 23, 59, 59, 123000000, time.UTC), "@p1"},
		{"civil.Date", civil.Date{Year: 9999, Month: 12, Day: 31}, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), "@p1"}, {"the first date", civil.Date{Year: 1, Month: 1, Day: 1}, time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), "@p1"},
		{"civil.DateTime", civil.DateTimeOf(utc(at)), utc(at), "@p1"}, {"civil.Time", civil.Time{Hour: 23, Minute: 59, Second: 59, Nanosecond: 999999900}, time.Date(1, 1, 1, 23, 59, 59, 999999900, time.UTC), "@p1"},
		{"NULL", nil, nil, "@p1"}, {"sql.NullInt64", sql.NullInt64{}, nil, "@p1"}, {"sql.NullString", sql.NullString{String: "x", Valid: true}, "x", "@p1"}, {"sql.NullTime", sql.NullTime{}, nil, "@p1"},
		{"a nil pointer", (*string)(nil), nil, "@p1"}, {"uint8", uint8(200), int64(200), "@p1"},
	} {
		call("type "+c.name, func() error {
			got, err := value(db, "SELECT "+c.conversion, c.in)
			if t, ok := got.(time.Time); ok {
				if w, isTime := c.want.(time.Time); isTime && t.Equal(w) && t.Format(time.RFC3339Nano) == w.Format(time.RFC3339Nano) {
					return err
				}
			}
			return errors.Join(err, same(c.want, got))
		})
	}
	call("type sql.Null", gives(db, int64(5), "SELECT @p1", sql.Null[int64]{V: 5, Valid: true}))
	call("scan a uniqueidentifier", func() error {
		var g mssql.UniqueIdentifier
		err := db.QueryRowContext(ctx, "SELECT @p1", guid).Scan(&g)
		return errors.Join(err, same("6F9619FF-8B86-D011-B42D-00C04FC964FF", g.String()))
	})
}

// messages reads the messages of a batch, in the order in which they arrive.
func messages(db *sql.DB) func() error {
	return func() error {
		said := &sqlexp.ReturnMessage{}
		rows, err := db.QueryContext(ctx, "PRINT N'hällo'; SELECT 1; UPDATE dbo.T SET Price = 2 WHERE Id < 3; RAISERROR ('warn', 10, 3)", said)
		if err != nil {
			return err
		}
		defer rows.Close()
		var got []string
		for more := true; more; {
			switch m := said.Message(ctx).(type) {
			case sqlexp.MsgNotice:
				got = append(got, m.Message.String())
			case sqlexp.MsgError:
				return m.Error
			case sqlexp.MsgNext:
				for rows.Next() {
					got = append(got, "row")
				}
			case sqlexp.MsgRowsAffected:
				got = append(got, fmt.Sprint(m.Count))
			case sqlexp.MsgNextResultSet:
				more = rows.NextResultSet()
			}
		}
		return same([]string{"hällo", "row", "1", "2", "warn"}, got)
	}
}

// transactions commits, rolls back, saves and isolates.
func transactions(db *sql.DB) {
	call("roll back", func() error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM dbo.T")
		return errors.Join(err, tx.Rollback(), gives(db, int64(4), "SELECT COUNT(*) FROM dbo.T")())
	})
	call("a savepoint", func() error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "SAVE TRANSACTION s; DELETE FROM dbo.T; ROLLBACK TRANSACTION s")
		return errors.Join(err, tx.Commit(), gives(db, int64(4), "SELECT COUNT(*) FROM dbo.T")())
	})
	levels := []sql.IsolationLevel{sql.LevelReadUncommitted, sql.LevelRepeatableRead, sql.LevelSerializable, sql.LevelSnapshot, sql.LevelReadCommitted}
	for i, want := range []int64{1, 3, 4, 5, 2} { // the last one stays in effect on the connection
		level := levels[i]
		call("isolation "+level.String(), func() error {
			tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: level})
			if err != nil {
				return err
			}
			return errors.Join(gives(tx, want, "SELECT CAST(transaction_isolation_level AS int) FROM sys.dm_exec_sessions WHERE session_id = @@SPID")(), tx.Rollback())
		})
	}
	call("an error leaves the transaction open", func() error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "SELECT 1 / 0 AS a INTO #q")
		_, err = fails(err, "Divide by zero")
		return errors.Join(err, gives(tx, int64(1), "SELECT @@TRANCOUNT")(), tx.Commit())
	})
	call("a lock timeout", func() error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE dbo.T SET Price = 3 WHERE Id = 1")
		_, waited := value(db, "SET LOCK_TIMEOUT 100; SELECT Price FROM dbo.T WHERE Id = 1")
		e, failed := fails(waited, "Lock request time out period exceeded.")
		return errors.Join(err, failed, same(int32(1222), e.Number), tx.Rollback())
	})
}

// bulk copies rows, and passes a table.
func bulk(db *sql.DB) {
	copies := func(tx *sql.Tx, options mssql.BulkOptions) error {
		st, err := tx.PrepareContext(ctx, mssql.CopyIn("dbo.T", options, "Name", "Price", "At", "Data", "G"))
		if err != nil {
			return err
		}
		for i := range 100 {
			if _, err := st.ExecContext(ctx, fmt.Sprint("bulk", i), 1.25, time.Date(2026, 1, 31, 12, 0, 0, 100, time.UTC), []byte{1, byte(i)}, nil); err != nil {
				return err
			}
		}
		r, err := st.ExecContext(ctx)
		if err != nil {
			return err
		}
		n, _ := r.RowsAffected()
		return errors.Join(same(int64(100), n), st.Close())
	}
	for _, o := range []struct {
		name    string
		options mssql.BulkOptions
	}{
		{"bulk copy", mssql.BulkOptions{}},
		{"bulk copy with options", mssql.BulkOptions{Tablock: true, RowsPerBatch: 10, KilobytesPerBatch: 100, CheckConstraints: true, FireTriggers: true, KeepNulls: true, Order: []string{"Name"}}},
	} {
		call(o.name, func() error {
			tx, err := db.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			err = copies(tx, o.options)
			return errors.Join(err, gives(tx, int64(100), "SELECT COUNT(*) FROM dbo.T WHERE Price = 1.25 AND DATALENGTH(Data) = 2 AND G IS NULL AND At = '2026-01-31 12:00:00.0000001'")(), tx.Rollback())
		})
	}
	call("a table as parameter", func() error {
		type pair struct {
			Id   int64 //nolint:revive // the names of the columns
			Name *string
			At   time.Time
			D    float64
		}
		for _, text := range []string{"CREATE TYPE dbo.Pairs AS TABLE (Id bigint, Name nvarchar(20), At datetime2(7), D float)", "CREATE PROCEDURE dbo.TakesPairs @t dbo.Pairs READONLY AS SELECT SUM(Id) + COUNT(Name) FROM @t WHERE D = 0.5"} {
			if _, err := db.ExecContext(ctx, text); err != nil {
				return err
			}
		}
		name, at := "ä", time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
		return gives(db, int64(6), "dbo.TakesPairs", sql.Named("t", mssql.TVP{TypeName: "dbo.Pairs", Value: []pair{{2, &name, at, .5}, {3, nil, at, .5}}}))()
	})
}
