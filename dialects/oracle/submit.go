package oracle

import (
	"context"
	"database/sql"
	"strings"

	"github.com/dbsched/dbsched/dialects"
)

// Submit creates a process with all its tasks in one transaction.
func (s *scheduler) Submit(ctx context.Context, p dialects.NewProcess, tasks []dialects.NewTask) (dialects.Submitted, error) {
	if s.dryRun != nil {
		s.dryRun(dialects.Batch{Name: "process " + strings.Join(strings.Fields(p.Name), " "), SQL: submitText(p, tasks)})
		return dialects.Submitted{}, nil
	}
	var done dialects.Submitted
	err := s.inTransaction(ctx, func(tx execer) error {
		var id sql.NullInt64
		if err := s.send(ctx, tx, suspendedCall(p, &id)); err != nil {
			return err
		}
		done.ProcessID = id.Int64
		var err error
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
	return createCall(p, id).set("in_suspended", verbatim("true"))
}

// submitEnd returns the procedures to call after the tasks are enqueued.
func submitEnd() []string { return []string{"release_process", "close_process"} }

// submitText returns Submit as one block, which an error rolls back as a whole.
func submitText(p dialects.NewProcess, tasks []dialects.NewTask) string {
	const process = verbatim("l_process_id")
	line := func(c call) string {
		return "    " + c.block(func(a arg, out bool) string {
			if out {
				return "l_" + strings.TrimPrefix(a.name, "out_")
			}
			return literal(a.value)
		}) + "\n"
	}
	var b strings.Builder
	b.WriteString("declare\n    l_process_id number;\n    l_task_id number;\nbegin\n")
	b.WriteString(line(suspendedCall(p, nil)))
	for _, t := range tasks {
		t.ProcessID = 0
		b.WriteString(line(execCall(t, nil).set("in_process_id", process)))
	}
	for _, proc := range submitEnd() {
		b.WriteString(line(processCall(proc, process)))
	}
	b.WriteString("    commit;\nend;")
	return b.String()
}
