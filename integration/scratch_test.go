package integration

import (
	"os"
	"testing"
)

func TestScratch(t *testing.T) {
	mssqlEngine().run(t, setup{stopped: true}, func(h *harness) {
		text, _ := os.ReadFile("/tmp/scratch/q.sql")
		rows, err := h.clock.QueryContext(h.Context(), string(text))
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for {
			cols, _ := rows.Columns()
			vals := make([]any, len(cols))
			for i := range vals {
				vals[i] = new(any)
			}
			for rows.Next() {
				rows.Scan(vals...)
				for _, v := range vals {
					h.T.Log(*(v.(*any)), " | ")
				}
				_ = 0
			}
			if rows.Err() != nil {
				h.T.Log(rows.Err())
			}
			if !rows.NextResultSet() {
				break
			}
		}
	})
}
