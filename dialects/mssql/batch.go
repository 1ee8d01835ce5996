package mssql

import (
	"context"
	"database/sql"
	"slices"

	"github.com/dbsched/dbsched/dialects"
)

// enqueue adds tasks, several with one call: that costs a fraction, and the call's errors give the task's position. process: of all;
// 0: each names its own.
func (s *scheduler) enqueue(ctx context.Context, tx *sql.Tx, process int64, tasks []dialects.NewTask) ([]int64, error) {
	if process != 0 {
		tasks = slices.Clone(tasks)
		for i := range tasks {
			tasks[i].ProcessID = 0 // it is an argument of the call
		}
	}
	if len(tasks) == 1 {
		var id sql.NullInt64
		err := s.send(ctx, tx, execCall(tasks[0], &id).setIf(process != 0, "ProcessId", process))
		return []int64{id.Int64}, err
	}
	list, err := tasksJSON(tasks)
	if err != nil {
		return nil, err
	}
	c := call{proc: "ExecAsyncBatch", result: new(sql.NullInt64)}.set("Tasks", list).setIf(process != 0, "ProcessId", process)
	text, params := c.statement(s.schema)
	ids, err := readOn(ctx, s, tx, c.proc, text, params, func(rows *sql.Rows) (id int64, err error) {
		var number int64
		err = rows.Scan(&number, &id)
		return id, err
	})
	if err == nil && len(ids) != len(tasks) {
		err = s.failed(c.proc, errNoAnswer)
	}
	return ids, err
}
