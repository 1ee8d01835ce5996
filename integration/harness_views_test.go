package integration

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// row is a row of a view or table. Names of columns are in lower case, without underscores: the same on both engines.
type row map[string]string

// rowsOf reads all rows of a view or table, whose name is written with underscores.
func (h *harness) rowsOf(s *session, name string) (all []row) {
	h.Helper()
	rows, err := s.on().QueryContext(h.Context(), h.say.all(name))
	require.NoError(h, err, name)
	defer rows.Close()
	columns, err := rows.Columns()
	require.NoError(h, err)
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		require.NoError(h, rows.Scan(values...))
		r := row{}
		for i, c := range columns {
			v := *values[i].(*any)
			if at, ok := v.(time.Time); ok {
				v = at.UTC().Format(instantForm)
			}
			r[strings.ToLower(strings.ReplaceAll(c, "_", ""))] = show(v)
		}
		all = append(all, r)
	}
	require.NoError(h, rows.Err())
	return all
}

// instantForm is how a row shows an instant, in UTC.
const instantForm = "2006-01-02 15:04:05.000000"

// having returns the rows with these values.
func having(all []row, column string, values ...string) (out []row) {
	for _, r := range all {
		if slices.Contains(values, r[column]) {
			out = append(out, r)
		}
	}
	return out
}

// only returns the row with a value, or one of NULLs.
func only(all []row, column, value string) row {
	if found := having(all, column, value); len(found) > 0 && value != "NULL" {
		return found[0]
	}
	return nil
}

// of returns a column, NULL if there is no row.
func (r row) of(column string) string { return cmp.Or(r[column], "NULL") }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
