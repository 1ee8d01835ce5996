package mssql_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql"
)

// TestEndless: what would run forever, or nearly so, lets other sessions work, and ends on an attention.
func TestEndless(t *testing.T) {
	for _, batch := range []string{
		"WHILE 1 = 1 CONTINUE;", "again: GOTO again;", "WHILE 1 = 1 BEGIN IF 1 = 0 BREAK; END;",
		"SELECT COUNT(*) FROM sys.all_objects a, sys.all_objects b, sys.all_objects c, sys.all_objects d, sys.all_objects e WHERE a.name = d.name + e.name;",
		"WITH n AS (SELECT 1 AS n UNION ALL SELECT n FROM n) SELECT COUNT(*) FROM n OPTION (MAXRECURSION 0);",
	} {
		srv := newSimulated(t, 1)
		s, err := srv.Login("sa", "x", "test")
		require.NoError(t, err)
		finished := false
		s.Submit(&mssql.Recorder{}, func(s *mssql.Session) { s.RunBatch(batch) }, func() { finished = true })
		steps := 0
		require.NoError(t, srv.Kernel().RunUntil(func() bool { steps++; return steps > 3 }))
		other, err := srv.Login("sa", "x", "test")
		require.NoError(t, err)
		rec := &mssql.Recorder{}
		answered := false
		other.Submit(rec, func(s *mssql.Session) { s.RunBatch("SELECT 1;") }, func() { answered = true })
		require.NoError(t, srv.Kernel().RunUntil(func() bool { return answered }))
		require.Len(t, rec.Sets, 1)
		require.False(t, finished, batch)
		s.Cancel()
		require.NoError(t, srv.Kernel().RunUntil(func() bool { return finished }))
	}
}
