package integration

import (
	"database/sql"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rightsRow is what users get for a statement.
type rightsRow struct {
	want map[string]string // by user
	text string
}

// readRights reads a table of testdata/rights: the first line names the users, and each other line has what each of them gets, then the statement.
func readRights(t *testing.T, name string) (users []string, rows []rightsRow) {
	t.Helper()
	text, err := os.ReadFile("testdata/rights/" + name)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if users == nil {
			users = strings.Fields(line)
			continue
		}
		r := rightsRow{want: map[string]string{}, text: line}
		for _, user := range users {
			r.want[user], r.text, _ = strings.Cut(r.text, " ")
			r.text = strings.TrimSpace(r.text)
		}
		rows = append(rows, r)
	}
	return users, rows
}

// requireRights asserts that every user gets what a table says. as opens a session of a user, and create makes what a statement names by $.
func (h *harness) requireRights(table string, as func(user string) *session, create func(name string) string) {
	h.Helper()
	users, rows := readRights(h.T, table)
	var wrong []string
	for _, r := range rows {
		for _, user := range users {
			s := as(user)
			got := s.outcome(os.Expand(r.text, create))
			refused := r.want[user] == "refused" && !slices.Contains([]string{"yes", "rows", "none"}, got)
			if got != r.want[user] && !refused {
				wrong = append(wrong, user+" gets "+got+", not "+r.want[user]+": "+r.text)
			}
		}
	}
	require.Empty(h, wrong, strings.Join(wrong, "\n"))
}

var (
	ownNumber = regexp.MustCompile(`dbsched (\d{5}): `)
	oraNumber = regexp.MustCompile(`(ORA|PLS)-(\d{5})`)
)

// outcome runs a statement and says what came of it: yes, rows or none of a query, or the number of its error; dbsched's own number if it has one.
func (s *session) outcome(text string) string {
	s.h.Helper()
	rows, err := s.on().QueryContext(s.h.Context(), text)
	n, columns := 0, 0
	if err == nil {
		defer rows.Close()
		names, _ := rows.Columns()
		for columns = len(names); rows.Next(); n++ {
			continue
		}
		err = rows.Err()
	}
	requirePromised(s.h.T, err)
	var numbered interface{ SQLErrorNumber() int32 }
	switch {
	case err == nil && columns == 0:
		return "yes"
	case err == nil && n == 0:
		return "none"
	case err == nil:
		return "rows"
	case errors.Is(err, sql.ErrConnDone):
		return "the end of the session"
	case ownNumber.MatchString(err.Error()):
		return ownNumber.FindStringSubmatch(err.Error())[1]
	case errors.As(err, &numbered):
		return show(numbered.SQLErrorNumber())
	}
	// PLS numbers say more than ORA-06550 before them.
	number := err.Error()
	for _, m := range oraNumber.FindAllStringSubmatch(err.Error(), -1) {
		if number = m[2]; m[1] == "PLS" {
			return "PLS-" + number
		}
		if number != "06550" {
			break
		}
	}
	return strings.TrimLeft(number, "0")
}
