package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

const claim = `WITH c AS (SELECT TOP (1) t.TaskId, t.Status FROM Tasks AS t WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK)
	WHERE t.ProcessId = 1 AND t.ExecutionOrder = 10 AND t.Status = 'Pending' ORDER BY t.Priority DESC, t.ExpectedSeconds DESC, t.TaskId)
	UPDATE c SET Status = 'Running' OUTPUT inserted.TaskId`

// blocked reports that a statement would have to wait for a lock.
func (s *session) blocked(sql string) {
	s.Helper()
	_, err := s.try(sql)
	var busy *store.LockTimeout
	require.ErrorAs(s, err, &busy, sql)
}

// TestClaim is the point of it all: two workers claim different tasks, neither waits, and a third finds none.
func TestClaim(t *testing.T) {
	a := tasks(t)
	b, c := a.e.session(t), a.e.session(t)
	a.run("BEGIN TRANSACTION")
	require.Equal(t, []string{"2"}, a.run(claim))
	b.run("BEGIN TRANSACTION")
	require.Equal(t, []string{"1"}, b.run(claim))
	require.Empty(t, c.run(claim))
	// The claims locked what they touched and nothing else: task 3 is free, task 2 is not.
	c.run("UPDATE Tasks SET Priority = 1 WHERE TaskId = 3")
	c.blocked("SELECT Priority FROM Tasks WHERE TaskId = 2")
	require.Equal(t, []string{"5"}, c.run("SELECT Priority FROM Tasks WITH (NOLOCK) WHERE TaskId = 2"))
	require.Equal(t, []string{"3", "4"}, c.run("SELECT TaskId FROM Tasks WITH (READPAST) ORDER BY TaskId"))
	a.run("ROLLBACK TRANSACTION")
	require.Equal(t, []string{"Pending"}, c.run("SELECT Status FROM Tasks WHERE TaskId = 2"))
}

// TestTopOfUpdateLocks: the rows of a derived table are also found with U locks when an UPDATE changes
// it; so a queue that is read this way needs no UPDLOCK.
func TestTopOfUpdateLocks(t *testing.T) {
	a := tasks(t)
	b := a.e.session(t)
	b.run("BEGIN TRANSACTION; SELECT Priority FROM Tasks WITH (UPDLOCK) WHERE TaskId = 1")
	a.run("SELECT Priority FROM Tasks WHERE TaskId = 1")
	next := "WITH c AS (SELECT TOP (1) TaskId, Status FROM Tasks WITH (READPAST, ROWLOCK) ORDER BY TaskId) UPDATE c SET Status = 'Running' OUTPUT inserted.TaskId"
	require.Equal(t, []string{"2"}, a.run(next))
	b.run("ROLLBACK TRANSACTION")
}

// TestSortLocksItsInput: without an index in the order asked for, TOP (1) locks every candidate.
func TestSortLocksItsInput(t *testing.T) {
	a := tasks(t)
	b := a.e.session(t)
	a.run("BEGIN TRANSACTION")
	a.run("SELECT TOP (1) t.TaskId FROM Tasks AS t WITH (UPDLOCK, ROWLOCK) WHERE t.ProcessId = 1 AND t.ExecutionOrder = 10 AND t.Status = 'Pending' ORDER BY t.DueAt")
	b.blocked("UPDATE Tasks SET Priority = 1 WHERE TaskId = 1")
	b.blocked("UPDATE Tasks SET Priority = 1 WHERE TaskId = 2")
	b.run("UPDATE Tasks SET Priority = 1 WHERE TaskId = 3")
	a.run("ROLLBACK TRANSACTION")
	a.run("BEGIN TRANSACTION")
	require.Equal(t, []string{"2"}, a.run("SELECT TOP (1) t.TaskId FROM Tasks AS t WITH (UPDLOCK, ROWLOCK) WHERE t.ProcessId = 1 AND t.ExecutionOrder = 10 AND t.Status = 'Pending' ORDER BY t.Priority DESC"))
	b.run("UPDATE Tasks SET Priority = 1 WHERE TaskId = 1")
}

func TestReadCommitted(t *testing.T) {
	a := tasks(t)
	b := a.e.session(t)
	a.run("BEGIN TRANSACTION; UPDATE Tasks SET Priority = 9 WHERE TaskId = 1")
	b.blocked("SELECT Priority FROM Tasks WHERE TaskId = 1")
	require.Equal(t, []string{"5"}, b.run("SELECT Priority FROM Tasks WHERE TaskId = 2"))
	a.e.rcsi = true
	require.Equal(t, []string{"0"}, b.run("SELECT Priority FROM Tasks WHERE TaskId = 1"))
	b.blocked("SELECT Priority FROM Tasks WITH (READCOMMITTEDLOCK) WHERE TaskId = 1")
	b.blocked("UPDATE Tasks SET Priority = 1 WHERE TaskId = 1")
	require.Equal(t, []string{"9"}, b.run("SELECT Priority FROM Tasks WITH (NOLOCK) WHERE TaskId = 1"))
	a.e.rcsi = false
	a.run("COMMIT TRANSACTION")
	// Locks of a read are released when the cursor moves on, unless a hint or the level keeps them.
	a.run("BEGIN TRANSACTION; SELECT Priority FROM Tasks WHERE TaskId = 1")
	b.run("UPDATE Tasks SET Priority = 1 WHERE TaskId = 1")
	a.run("SELECT Priority FROM Tasks WITH (REPEATABLEREAD) WHERE TaskId = 1")
	b.blocked("UPDATE Tasks SET Priority = 1 WHERE TaskId = 1")
	a.run("COMMIT TRANSACTION")
	a.level = plan.Serializable
	a.run("BEGIN TRANSACTION; SELECT COUNT(*) FROM Tasks WHERE TaskId > 100")
	b.blocked("INSERT INTO Tasks (ProcessId, ExecutionOrder, Priority, Status) VALUES (3, 1, 1, 'Pending')")
	a.fails(650, "SELECT 1 FROM Tasks WITH (READPAST)")
	a.run("COMMIT TRANSACTION")
	b.run("INSERT INTO Tasks (ProcessId, ExecutionOrder, Priority, Status) VALUES (3, 1, 1, 'Pending')")
}

// TestScanReleases: an UPDATE that must scan takes U locks on all rows and keeps those that it changes.
func TestScanReleases(t *testing.T) {
	a := tasks(t)
	b := a.e.session(t)
	a.run("BEGIN TRANSACTION; UPDATE Tasks SET Priority = 9 WHERE SqlText = N'd'")
	b.run("UPDATE Tasks SET Priority = 1 WHERE TaskId = 1")
	b.blocked("UPDATE Tasks SET Priority = 1 WHERE TaskId = 4")
	b.blocked("UPDATE Tasks SET Priority = 1 WHERE SqlText = N'a'")
}

// TestSnapshot: rows are found in the snapshot; only those that are changed can conflict.
func TestSnapshot(t *testing.T) {
	a := tasks(t)
	b := a.e.session(t)
	a.level = plan.Snapshot
	a.run("BEGIN TRANSACTION")
	require.Equal(t, []string{"4"}, a.run("SELECT COUNT(*) FROM Tasks"))
	b.run("UPDATE Tasks SET Priority = 1 WHERE TaskId = 1; DELETE FROM Tasks WHERE TaskId = 4")
	require.Equal(t, []string{"0", "4"}, a.run("SELECT Priority FROM Tasks WHERE TaskId = 1 SELECT COUNT(*) FROM Tasks"))
	a.run("UPDATE Tasks SET Priority = 7 WHERE SqlText = N'b'")
	for _, sql := range []string{"UPDATE Tasks SET Priority = 7 WHERE TaskId = 1", "DELETE FROM Tasks WHERE TaskId = 4"} {
		_, err := a.try(sql)
		var conflict *store.UpdateConflict
		require.ErrorAs(t, err, &conflict, sql)
	}
}

func TestHints(t *testing.T) {
	s := tasks(t)
	s.fails(1047, "SELECT 1 FROM Tasks WITH (NOLOCK, UPDLOCK)")
	s.fails(1065, "UPDATE Tasks WITH (NOLOCK) SET Priority = 1")
	s.fails(49999, "SELECT 1 FROM Tasks WITH (PAGLOCK)")
	s.fails(49999, "SELECT 1 FROM Tasks OPTION (HASH JOIN)")
	s.run("SELECT 1 FROM Tasks OPTION (MAXDOP 1, RECOMPILE)")
}
