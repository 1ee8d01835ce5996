package tds_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	mssql "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tds"
)

func TestTableValuedParameter(t *testing.T) {
	type task struct {
		ID    int64 `tvp:"@identity"`
		Name  string
		Order *int32
		Due   time.Time
		Cost  sql.NullFloat64
		Data  []byte
		Skip  bool `tvp:"-"`
		On    bool
	}
	order := int32(3)
	due := time.Date(2026, 11, 20, 1, 2, 3, 100, time.UTC)
	tasks := []task{
		{ID: 1, Name: "grün", Order: &order, Due: due, Cost: sql.NullFloat64{Float64: 1.5, Valid: true}, Data: []byte{1}, On: true},
		{ID: 2, Name: strings.Repeat("x", 9000), Due: due},
	}
	db, e := open(t, nil)
	_, err := db.Exec("dbo.AddTasks", sql.Named("tasks", mssql.TVP{TypeName: "app.TaskList", Value: tasks}), sql.Named("n", 2))
	require.NoError(t, err)
	_, err = db.Exec("EXEC dbo.AddTasks @p1", mssql.TVP{TypeName: "TaskList", Value: []task{}})
	require.NoError(t, err)

	call := e.sessions[0].requests[0].(*tds.RPC)
	require.Len(t, call.Params, 2)
	p := call.Params[0]
	require.Equal(t, "@tasks", p.Name)
	require.Equal(t, tds.TableType, p.Type.ID)
	require.Equal(t, "app", p.TVP.Schema)
	require.Equal(t, "TaskList", p.TVP.Name)
	var ids []tds.TypeID
	for _, c := range p.TVP.Columns {
		ids = append(ids, c.Type.ID)
		require.Empty(t, c.Name)
	}
	require.Equal(t, []tds.TypeID{tds.IntN, tds.NVarChar, tds.IntN, tds.DateTimeOffsetN, tds.FloatN, tds.VarBinary, tds.BitN}, ids)
	require.True(t, p.TVP.Columns[0].Default)
	moment := value.NewTime(ticks(due), 0)
	want := []value.Row{
		{{}, value.NewString("grün"), value.NewInt(3), moment, value.NewFloat(1.5), value.NewBytes([]byte{1}), value.NewInt(1)},
		{{}, value.NewString(strings.Repeat("x", 9000)), {}, moment, {}, {}, value.NewInt(0)},
	}
	require.Len(t, p.TVP.Rows, 2)
	for i, row := range want {
		require.Equal(t, shown(row), shown(p.TVP.Rows[i]))
	}
	require.Equal(t, "@n", call.Params[1].Name)
	require.Equal(t, int64(2), call.Params[1].Value.N)

	call = e.sessions[0].requests[1].(*tds.RPC)
	require.Equal(t, "@p1 TaskList READONLY", call.Params[1].Value.Str())
	require.Equal(t, "TaskList", call.Params[2].TVP.Name)
	require.Empty(t, call.Params[2].TVP.Rows)
	require.Len(t, call.Params[2].TVP.Columns, 7)
}

func shown(row value.Row) (s []string) {
	for _, v := range row {
		s = append(s, v.GoString())
	}
	return s
}

func TestBulkCopy(t *testing.T) {
	columns := []tds.Column{
		{Name: "id", Type: tds.Int},
		{Name: "name", Type: text(tds.NVarChar, 50), Nullable: true},
		{Name: "note", Type: text(tds.VarChar, tds.Max), Nullable: true},
		{Name: "memo", Type: text(tds.NVarChar, tds.Max), Nullable: true},
		{Name: "cost", Type: dec(18, 4), Nullable: true},
		{Name: "due", Type: timeOf(tds.DateTime2N, 7), Nullable: true},
		{Name: "at", Type: tds.DateTime, Nullable: true},
		{Name: "guid", Type: tds.GUIDType, Nullable: true},
		{Name: "flag", Type: tds.Bit, Nullable: true},
		{Name: "data", Type: text(tds.VarBinary, tds.Max), Nullable: true},
		{Name: "paid", Type: tds.Money, Nullable: true},
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	db, e := open(t, func(_ *session, req tds.Request, w *tds.ResponseWriter) {
		switch r := req.(type) {
		case *tds.Batch:
			if strings.HasPrefix(r.SQL, "select * from") {
				send(w, columns)
			}
		case *tds.BulkLoad:
			w.DoneStatement(tds.Done{Rows: int64(len(r.Rows)), HasCount: true, Command: tds.CommandBulk})
		}
	})
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	require.NoError(t, err)
	defer conn.Close()
	copyIn, err := conn.PrepareContext(ctx, mssql.CopyIn("dbo.t", mssql.BulkOptions{KeepNulls: true}, names...))
	require.NoError(t, err)
	defer copyIn.Close()
	due := time.Date(2026, 11, 20, 1, 2, 3, 0, time.UTC)
	guid := make([]byte, 16)
	guid[0] = 9
	const n = 2000
	for i := range n {
		if i%2 == 0 {
			_, err = copyIn.Exec(i, "grün", "note", "memo", "1.5", due, due, guid, true, []byte{1}, "2.5")
		} else {
			_, err = copyIn.Exec(i, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil)
		}
		require.NoError(t, err)
	}
	result, err := copyIn.Exec()
	require.NoError(t, err)
	affected, err := result.RowsAffected()
	require.NoError(t, err)
	require.Equal(t, int64(n), affected)

	requests := e.sessions[0].requests
	insert := requests[len(requests)-2].(*tds.Batch)
	require.Equal(t, "INSERT BULK dbo.t ([id] int, [name] nvarchar(50), [note] varchar(max), [memo] nvarchar(max), [cost] decimal(18, 4), [due] datetime2(7), "+
		"[at] datetime, [guid] uniqueidentifier, [flag] bit, [data] varbinary(max), [paid] money) WITH (KEEP_NULLS)", insert.SQL)
	load := requests[len(requests)-1].(*tds.BulkLoad)
	require.Len(t, load.Columns, len(columns))
	require.Equal(t, "memo", load.Columns[3].Name)
	require.Equal(t, dec(18, 4), load.Columns[4].Type)
	require.True(t, load.Columns[4].Nullable)
	require.Len(t, load.Rows, n)
	local := value.NewTime(ticks(due), 0)
	require.Equal(t, shown(value.Row{
		value.NewInt(n - 2), value.NewString("grün"), value.NewString("note"), value.NewString("memo"), value.NewDecimal(15000, 4),
		local, local, value.NewGUID([16]byte(guid)), value.NewInt(1), value.NewBytes([]byte{1}), value.NewDecimal(25000, 4),
	}), shown(load.Rows[n-2]))
	require.Equal(t, shown(append(value.Row{value.NewInt(n - 1)}, make(value.Row, 10)...)), shown(load.Rows[n-1]))
}
