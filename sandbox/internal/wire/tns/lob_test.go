package tns_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	goora "github.com/sijms/go-ora/v2"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tns"
)

// Round trips of large LOBs, inline and through locators, in one session that frees them.
func TestLargeLOBs(t *testing.T) {
	text := strings.Repeat("zeichen €😀 ", 60_000)
	raw := []byte(strings.Repeat("\x00\x01\xFE\xFF", 100_000))
	for _, lobs := range []string{"pre", "post"} {
		t.Run(lobs, func(t *testing.T) {
			var kept value.Row
			db, _ := open(t, execs(func(x *tns.Execute, w *tns.ResponseWriter) {
				if len(x.Binds) > 0 {
					kept = x.Iterations[0]
					w.Rows(1)
					return
				}
				must(w.Query(&tns.ResultSet{Columns: []tns.Column{column("C", tns.Type{ID: tns.CLOB}), column("B", tns.Type{ID: tns.BLOB})},
					State: &rows{rows: []value.Row{kept, {value.NewString(""), {}}, kept}}}))
			}), "LOB FETCH", lobs)
			db.SetMaxOpenConns(1)
			for range 3 {
				_, err := db.ExecContext(t.Context(), "insert into t values (:1, :2)", goora.Clob{String: text, Valid: true}, goora.Blob{Data: raw})
				require.NoError(t, err)
				require.Equal(t, text, kept[0].Str())
				require.Equal(t, string(raw), kept[1].Str())
				rows, err := db.QueryContext(t.Context(), "select c, b from t")
				require.NoError(t, err)
				defer rows.Close()
				for i := range 3 {
					require.True(t, rows.Next())
					var c sql.NullString
					var b []byte
					require.NoError(t, rows.Scan(&c, &b))
					require.Equal(t, i != 1, c.Valid)
					if i != 1 {
						require.Equal(t, text, c.String)
						require.Equal(t, raw, b)
					}
				}
				require.False(t, rows.Next())
				require.NoError(t, rows.Err())
				require.NoError(t, rows.Close())
			}
		})
	}
}

// Many rows with LOBs over several fetches.
func TestManyLOBs(t *testing.T) {
	for _, lobs := range []string{"pre", "post"} {
		t.Run(lobs, func(t *testing.T) {
			var list []value.Row
			for i := range 500 {
				list = append(list, value.Row{value.NewInt(int64(i)), value.NewString(strings.Repeat(fmt.Sprint(i), 50))})
			}
			db, _ := open(t, query([]tns.Column{number("N"), column("C", tns.Type{ID: tns.CLOB})}, list...), "LOB FETCH", lobs)
			rows, err := db.QueryContext(t.Context(), "select n, c from t")
			require.NoError(t, err)
			defer rows.Close()
			i := 0
			for ; rows.Next(); i++ {
				var n int
				var c string
				require.NoError(t, rows.Scan(&n, &c))
				require.Equal(t, i, n)
				require.Equal(t, strings.Repeat(fmt.Sprint(i), 50), c)
			}
			require.NoError(t, rows.Err())
			require.Equal(t, len(list), i)
		})
	}
}
