package sandbox_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf16"

	mssqldb "github.com/microsoft/go-mssqldb"
	go_ora "github.com/sijms/go-ora/v2"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/sandbox/internal/testing/fuzztext"
)

// tap is a client's end of a connection. It keeps what the client wrote and what the server sent.
type tap struct {
	net.Conn
	mu     sync.Mutex
	sent   []byte
	told   bytes.Buffer
	hungUp bool // by the server
}

// dial is a driver's dialer that makes t the client's end.
func (t *tap) dial(next dialects.DialFunc) dialects.DialFunc {
	return func(ctx context.Context, network, address string) (c net.Conn, err error) {
		t.Conn, err = next(ctx, network, address)
		return t, err
	}
}

func (t *tap) Write(b []byte) (int, error) {
	t.sent = append(t.sent, b...)
	return t.Conn.Write(b)
}

// take returns what was written since its last call.
func (t *tap) take() []byte {
	sent := t.sent
	t.sent = nil
	return sent
}

// listen starts reading what the server sends.
func (t *tap) listen() {
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := t.Read(b)
			t.mu.Lock()
			t.told.Write(b[:n])
			t.hungUp = err != nil
			t.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
}

// say sends bytes, unless the server has closed the connection.
func (t *tap) say(b []byte) {
	_, _ = t.Conn.Write(b)
	time.Sleep(time.Minute) // the bubble's time: until nobody has anything to do
}

// heard returns what the server has sent since the last call, and whether it is still connected.
func (t *tap) heard() (told []byte, there bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	told = slices.Clone(t.told.Bytes())
	t.told.Reset()
	return told, !t.hungUp
}

// onWire runs play in a bubble, with a sandbox and a driver's connection to it that has logged in; nothing may be logged as an error.
func onWire(t *testing.T, dialect string, play func(t *testing.T, w *fuzztext.Watch, db *sql.DB, c *tap)) {
	t.Helper()
	w := fuzztext.Begin(t)
	synctest.Test(t, func(t *testing.T) {
		box, err := sandbox.Start(context.Background(), sandbox.Options{
			Dialect: dialect, Seed: 1, Clock: "fast", Settle: synctest.Wait, Texts: &sandboxtest.Texts, Logger: w.Logger(),
		})
		require.NoError(t, err)
		defer func() { require.NoError(t, box.Close()) }()
		c := &tap{}
		db, err := sandboxtest.Open(dialect, box.DSN(), c.dial(box.Dial))
		require.NoError(t, err)
		defer db.Close()
		defer func() { _ = c.Close() }()
		play(t, w, db, c)
	})
	w.End(1<<28, "")
}

// mssqlWorld sets up the database that the messages act on.
const mssqlWorld = `CREATE TABLE dbo.T (Id int NOT NULL PRIMARY KEY, Name nvarchar(20) NULL, Price decimal(9, 2) NULL, At datetime2(3) NULL);
	INSERT INTO dbo.T (Id, Name) VALUES (1, N'a'), (2, N'b'); CREATE TYPE dbo.TT AS TABLE (Id int NOT NULL PRIMARY KEY, Name nvarchar(20) NULL);
	EXEC ('CREATE PROCEDURE dbo.P @n int = 1, @s nvarchar(20) = N''a'' OUTPUT, @r dbo.TT READONLY AS BEGIN SELECT @n AS n, (SELECT COUNT(*) FROM @r) AS r; SET @s += N''!''; RETURN @n; END');`

// mssqlCalls are what a driver is asked to do, to make it send every kind of message.
func mssqlCalls(f *testing.F, db *sql.DB, did func()) {
	f.Helper()
	ctx := f.Context()
	type tt struct {
		ID   int32
		Name string
	}
	out := "x"
	var status mssqldb.ReturnStatus
	at := time.Date(2026, 1, 2, 3, 4, 5, 600_000_000, time.UTC)
	for _, args := range [][]any{
		{}, {1, "a", 1.5, true, nil, []byte{1}, at, mssqldb.VarChar("v"), mssqldb.DateTime1(at), mssqldb.DateTimeOffset(at)},
		{strings.Repeat("x", 5000), mssqldb.UniqueIdentifier{1}, bytes.Repeat([]byte{7}, 9000)},
		{mssqldb.TVP{TypeName: "dbo.TT", Value: []tt{{1, "a"}, {2, "b"}}}},
	} {
		_, err := db.ExecContext(ctx, "SELECT 1;", args...)
		require.NoError(f, err)
		did()
	}
	_, err := db.ExecContext(ctx, "dbo.P", sql.Named("n", 2), sql.Named("s", sql.Out{Dest: &out, In: true}), sql.Named("r", mssqldb.TVP{TypeName: "dbo.TT", Value: []tt{{1, "a"}}}), &status)
	require.NoError(f, err)
	did()
	prepared(f, db, "UPDATE dbo.T SET Name = @p1 WHERE Id = @p2;", []any{"c", 1})
	did()
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	require.NoError(f, err)
	did()
	prepared(f, tx, mssqldb.CopyIn("dbo.T", mssqldb.BulkOptions{KeepNulls: true}, "Id", "Name", "Price", "At"), []any{10, "x", "1.5", at}, []any{11, nil, nil, nil}, nil)
	did()
	require.NoError(f, tx.Rollback())
	did()
	for _, text := range []string{"SELECT Id, Name FROM dbo.T ORDER BY Id;", "WAITFOR DELAY '00:01:00';", "SELECT 1 / 0; RAISERROR (N'x', 16, 1); PRINT 'p';", "INSERT BULK dbo.T (Id int, Name nvarchar(20));"} {
		_, _ = db.ExecContext(ctx, text)
		did()
	}
}

// prepared prepares a text and executes it with each of the arguments.
func prepared(f *testing.F, db interface {
	PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
}, text string, args ...[]any) {
	f.Helper()
	st, err := db.PrepareContext(f.Context(), text)
	require.NoError(f, err)
	defer st.Close()
	for _, a := range args {
		_, err = st.ExecContext(f.Context(), a...)
		require.NoError(f, err)
	}
}

// FuzzTDS sends a message to a session of SQL Server: nothing panics, a refusal keeps the connection open, and an open connection still works.
func FuzzTDS(f *testing.F) {
	fuzztext.SkipInCensus(f)
	for _, m := range recorded(f, "mssql", mssqlWorld, mssqlCalls) {
		for len(m) > 8 { // several messages, made of packets
			kind, status, payload := m[0], m[1], []byte{}
			for end := false; !end; {
				n := int(binary.BigEndian.Uint16(m[2:]))
				payload, end = append(payload, m[8:n]...), m[1]&1 != 0
				m = m[n:]
			}
			f.Add(kind, status, payload)
		}
	}
	f.Fuzz(func(t *testing.T, kind, status byte, payload []byte) {
		onWire(t, "mssql", func(t *testing.T, w *fuzztext.Watch, db *sql.DB, c *tap) {
			t.Helper()
			_, err := db.ExecContext(t.Context(), mssqlWorld)
			require.NoError(t, err)
			const bulk = 7
			if kind == bulk {
				_, err := db.ExecContext(t.Context(), "INSERT BULK dbo.T (Id int, Name nvarchar(20), Price decimal(9, 2), At datetime2(3));")
				require.NoError(t, err)
			}
			c.listen()
			c.say(packets(kind, status, payload))
			c.say([]byte{6, 1, 0, 8, 0, 0, 1, 0})
			told, there := c.heard()
			if bytes.Contains(told, little("the sandbox does not model")) && !there {
				require.Contains(t, w.Log(), "connection failed", "a refusal has ended the connection")
			}
			c.say(packets(1, 1, append([]byte{4, 0, 0, 0}, little("SELECT 1;")...)))
			if again, there := c.heard(); there && status&1 != 0 {
				require.NotEmpty(t, again, "%q", told)
			}
		})
	})
}

// packets splits a TDS message into packets.
func packets(kind, status byte, payload []byte) (out []byte) {
	const room = 4096 - 8
	for first := true; first || len(payload) > 0; first = false {
		part := payload[:min(room, len(payload))]
		payload = payload[len(part):]
		s := status
		if len(payload) > 0 {
			s &^= 1
		}
		out = append(out, kind, s, byte((len(part)+8)>>8), byte(len(part)+8), 0, 0, 1, 0)
		out = append(out, part...)
	}
	return out
}

func little(s string) (b []byte) {
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// recorded returns what a driver sent for each of the calls.
func recorded(f *testing.F, dialect, setup string, calls func(f *testing.F, db *sql.DB, did func())) (sent [][]byte) {
	f.Helper()
	box, err := sandbox.Start(f.Context(), sandbox.Options{Dialect: dialect, Seed: 1, Clock: "fast"})
	require.NoError(f, err)
	defer box.Close()
	c := &tap{}
	dsn := box.DSN()
	if dialect == "mssql" {
		dsn += "&encrypt=disable"
	}
	db, err := sandboxtest.Open(dialect, dsn, c.dial(new(net.Dialer).DialContext))
	require.NoError(f, err)
	defer db.Close()
	_, err = db.ExecContext(f.Context(), setup)
	require.NoError(f, err)
	c.take()
	calls(f, db, func() { sent = append(sent, c.take()) })
	return sent
}

// oracleWorld sets up the database that the messages act on.
const oracleWorld = `BEGIN
	EXECUTE IMMEDIATE 'create table t (id number primary key, s varchar2(20), d date, c clob, b blob)';
	EXECUTE IMMEDIATE 'insert into t select level, ''a'', sysdate, ''text'', hextoraw(''01'') from dual connect by level <= 50';
	COMMIT;
END;`

// oracleCalls are what a driver is asked to do.
func oracleCalls(f *testing.F, db *sql.DB, did func()) {
	f.Helper()
	ctx := f.Context()
	exec := func(text string, args ...any) {
		_, err := db.ExecContext(ctx, text, args...)
		require.NoError(f, err, text)
		did()
	}
	query := func(text string, args ...any) {
		rows, err := db.QueryContext(ctx, text, args...)
		require.NoError(f, err, text)
		defer rows.Close()
		for rows.Next() {
		}
		require.NoError(f, rows.Err())
		did()
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 600_000_000, time.UTC)
	n, s, lob := 1, "in", go_ora.Clob{String: "text", Valid: true}
	var cursor go_ora.RefCursor
	query("SELECT id, s, d FROM t")
	query("SELECT id, c, b FROM t WHERE id <= :1", 3)
	query("SELECT :1, :2, :3, :4 FROM dual", 1, "a", at, 1.5)
	exec("INSERT INTO t (id, s, d, c, b) VALUES (:1, :2, :3, :4, :5)", 100, "x", at, go_ora.Clob{String: strings.Repeat("c", 40_000), Valid: true}, go_ora.Blob{Data: []byte{1}})
	exec("UPDATE t SET s = :1 WHERE id = :2 RETURNING s INTO :3", "y", 1, sql.Out{Dest: &s})
	exec("BEGIN :1 := :1 + 1; :2 := :2 || 'x'; :3 := 'text'; END;", sql.Out{Dest: &n, In: true}, sql.Out{Dest: &s, In: true}, sql.Out{Dest: &lob})
	exec("BEGIN OPEN :1 FOR SELECT id FROM t; END;", sql.Out{Dest: &cursor})
	exec("INSERT INTO t (id, s) VALUES (:1, :2)", []int{201, 202}, []string{"a", "b"})
	prepared(f, db, "UPDATE t SET s = :1 WHERE id = :2", []any{"a", 1}, []any{nil, 2})
	did()
	tx, err := db.BeginTx(ctx, nil)
	require.NoError(f, err)
	_, err = tx.ExecContext(ctx, "DELETE FROM t")
	require.NoError(f, err)
	did()
	require.NoError(f, tx.Rollback())
	did()
	require.NoError(f, db.PingContext(ctx))
	did()
}

// FuzzTTC sends calls to a session of Oracle: nothing panics, a refusal keeps the connection open, and an open connection still works.
func FuzzTTC(f *testing.F) {
	fuzztext.SkipInCensus(f)
	for _, sent := range recorded(f, "oracle", oracleWorld, oracleCalls) {
		var call []byte
		for len(sent) > 10 {
			n := int(binary.BigEndian.Uint32(sent))
			if sent[4] == 6 {
				call = append(call, sent[10:n]...)
			}
			sent = sent[n:]
		}
		f.Add(call)
	}
	const function, piggyback = 3, 17 // what Oracle's own clients send before a call: the schema, and what the application says about itself
	f.Add([]byte{piggyback, 0x98, 0, 1, 1, 3, 3, 'A', 'P', 'P', function, 0x93, 0})
	f.Add([]byte{piggyback, 0x87, 0, 0, 0, 1, 7, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 'i', 1, 'm', 1, 'n', function, 0x93, 0})
	f.Fuzz(func(t *testing.T, call []byte) {
		onWire(t, "oracle", func(t *testing.T, w *fuzztext.Watch, db *sql.DB, c *tap) {
			t.Helper()
			_, err := db.ExecContext(t.Context(), oracleWorld)
			require.NoError(t, err)
			rows, err := db.QueryContext(t.Context(), "SELECT id, s, d FROM t") // leaves an open cursor
			require.NoError(t, err)
			defer rows.Close()
			require.True(t, rows.Next())
			require.NoError(t, rows.Err())
			c.listen()
			for part := range slices.Chunk(call, 8000) {
				c.say(append([]byte{0, 0, byte((len(part) + 10) >> 8), byte(len(part) + 10), 6, 0, 0, 0, 0, 0}, part...))
			}
			told, there := c.heard()
			if bytes.Contains(told, []byte("the sandbox does not model")) && !there {
				require.Contains(t, w.Log(), "connection failed", "a refusal has ended the connection")
			}
			c.say([]byte{0, 0, 0, 11, 12, 0, 0, 0, 1, 0, 1}) // interrupts what is in progress
			c.say([]byte{0, 0, 0, 11, 12, 0, 0, 0, 1, 0, 2})
			c.say([]byte{0, 0, 0, 13, 6, 0, 0, 0, 0, 0, 3, 0x93, 0})
			if again, there := c.heard(); there {
				require.NotEmpty(t, again, "%q", told)
			}
			_ = c.Close()
		})
	})
}
