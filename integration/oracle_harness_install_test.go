package integration

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/stretchr/testify/require"
)

// otherCode gives every package of dbsched another text, as in another version. None may make it wait: a wait of
// minutes is cut short.
func (h *harness) otherCode(but ...string) {
	h.Helper()
	s := h.session()
	for _, kind := range []string{"PACKAGE", "PACKAGE BODY"} {
		texts, names := map[string][]string{}, []string{}
		for _, r := range s.rows("select name, text from user_source where type = '" + kind + "' and (name = 'DBSCHED' or name like 'DS\\_%' escape '\\') order by name, line") {
			if texts[r[0]] == nil {
				names = append(names, r[0])
				r[1] = strings.TrimRight(r[1], "\n") + " -- older\n"
			}
			texts[r[0]] = append(texts[r[0]], r[1])
		}
		require.NotEmpty(h, names)
		for _, name := range names {
			if slices.Contains(but, name) {
				continue
			}
			ctx, cancel := context.WithTimeout(h.Context(), 20*time.Second)
			_, err := s.conn.ExecContext(ctx, "create or replace "+strings.Join(texts[name], ""))
			cancel()
			require.NoError(h, err, name)
		}
	}
}

// older counts the lines that otherCode has left.
const older = "select count(*) from user_source where line = 1 and text like '% -- older%'"

// upgrade installs, alongside a statement of another session if there is one, and returns how long the installation took.
func (h *harness) upgrade(o dialects.InstallOptions, beside string) (report dialects.InstallReport, took time.Duration, err error) {
	h.Helper()
	done := make(chan error, 1)
	if beside != "" {
		s := h.session()
		go func() { done <- s.try(beside) }()
	} else {
		done <- nil
	}
	since := h.now()
	report, err = h.sched.Install(h.Context(), o)
	took = h.now().Sub(since)
	require.NoError(h, <-done)
	return report, took, err
}
