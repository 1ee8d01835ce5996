package mssql

import (
	"context"
	"database/sql"
	"strings"

	"github.com/dbsched/dbsched/dialects"
)

// Submit creates a process with all its tasks in one transaction.
func (s *scheduler) Submit(ctx context.Context, p dialects.NewProcess, tasks []dialects.NewTask) (dialects.Submitted, error) {
	if s.dryRun != nil {
		s.dryRun(dialects.Batch{Name: "process " + p.Name, SQL: s.submitText(p, tasks)})
		return dialects.Submitted{}, nil
	}
	var done dialects.Submitted
	err := s.inTransaction(ctx, func(tx *sql.Tx) error {
		var id sql.NullInt64
		err := s.send(ctx, tx, suspendedCall(p, &id))
		if err != nil {
			return err
		}
		done.ProcessID = id.Int64
		if done.TaskIDs, err = s.enqueue(ctx, tx, done.ProcessID, tasks); err != nil {
			return err
		}
		for _, proc := range submitEnd() {
			if err := s.send(ctx, tx, processCall(proc, done.ProcessID)); err != nil {
				return err
			}
		}
		return nil
	})
	return done, err
}

func suspendedCall(p dialects.NewProcess, id *sql.NullInt64) call {
	return createCall(p, id).set("Suspended", true)
}

// submitEnd returns the procedures to call after the tasks are enqueued.
func submitEnd() []string { return []string{"ReleaseProcess", "CloseProcess"} }

// submitText is Submit as a script. The procedures' errors end neither the batch nor the
// transaction, so the script must do that.
func (s *scheduler) submitText(p dialects.NewProcess, tasks []dialects.NewTask) string {
	const process = verbatim("@ProcessId")
	lines := []string{strings.TrimSuffix(suspendedCall(p, nil).text(s.schema), ";") + ", @ProcessId = @ProcessId OUTPUT;"}
	for _, t := range tasks {
		t.ProcessID = 0
		lines = append(lines, execCall(t, nil).set("ProcessId", process).text(s.schema))
	}
	for _, proc := range submitEnd() {
		lines = append(lines, processCall(proc, process).text(s.schema))
	}
	return "DECLARE @ProcessId int;\nBEGIN TRY\n    BEGIN TRANSACTION;\n    " + strings.Join(lines, "\n    ") +
		"\n    COMMIT TRANSACTION;\nEND TRY\nBEGIN CATCH\n    IF XACT_STATE() <> 0\n        ROLLBACK TRANSACTION;\n    THROW;\nEND CATCH;"
}
