package integration

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// hiding is what the tests of hidden rows need of a dialect. The columns come from the catalog, so a column that is added is tested, too.
type hiding struct {
	*harness
	everything *session          // of one who sees all rows
	columns    [][]string        // view and column, of all views that users may read
	keys       map[string]string // by view: the column that tells its rows apart
	// public are columns that everybody sees, sought those that an index must find rows by: they show that there is a row, and no more.
	public, sought []string

	// rows is a query: the keys of the rows in which a column has a value. attacks are queries that fail if they meet a value in one of the
	// other rows: by a condition, which an engine may evaluate before the view's.
	rows    func(view, key, column string) string
	attacks func(view, key, column string, rows [][]string) []string
	// heard returns what else a user has got hold of.
	heard func(user *session) string
}

// shows returns how a column shows a user what is hidden from that user; empty: it does not.
func (w hiding) shows(view, column string, user *session) string {
	w.Helper()
	key, name := w.keys[view], view+"."+column
	require.NotEmpty(w, key, "which column tells the rows of %s apart?", view)
	all, shown := w.everything.rows(w.rows(view, key, column)), user.rows(w.rows(view, key, column))
	if slices.Contains(w.public, name) {
		require.Equal(w, all, shown, "%s is public", name)
		return ""
	}
	if len(shown) == len(all) {
		return name + " needs a value in a hidden row, or else nothing is tested; a column that everybody may see is listed as public"
	}
	if slices.Contains(w.sought, name) {
		return ""
	}
	for _, attack := range w.attacks(view, key, column, shown) {
		if err := user.try(attack); err != nil {
			return fmt.Sprintf("%s: %v: %s", name, err, attack)
		}
		if heard := w.heard(user); heard != "" {
			return fmt.Sprintf("%s: %s: %s", name, heard, attack)
		}
	}
	return ""
}

// requireHidden looks into all columns as users who must not see all of them.
func (w hiding) requireHidden(users ...*session) {
	w.Helper()
	require.NotEmpty(w, w.columns)
	for _, user := range users {
		for _, c := range w.columns {
			require.Empty(w, w.shows(c[0], c[1], user))
		}
	}
}

// listOf joins the values of one column.
func listOf(rows [][]string) string {
	var list []string
	for _, row := range rows {
		list = append(list, row[0])
	}
	return strings.Join(list, ", ")
}
