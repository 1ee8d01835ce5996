package oracle

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/dbsched/dbsched/dialects"
)

// maxBatch is how many tasks one call takes: their numbers, which it returns, must fit into a
// PL/SQL VARCHAR2.
const maxBatch = 1000

// enqueue adds tasks and returns their ids. process: of all; 0: each names its own. A few calls
// of many tasks are much cheaper than a call for each.
func (s *scheduler) enqueue(ctx context.Context, on execer, process int64, tasks []dialects.NewTask) ([]int64, error) {
	var all []int64
	for from := 0; from < len(tasks); from += maxBatch {
		part := tasks[from:min(from+maxBatch, len(tasks))]
		if len(tasks) == 1 || s.dryRun != nil {
			var err error
			if all, err = s.enqueueEach(ctx, on, process, part, all); err != nil {
				return nil, err
			}
			continue
		}
		var answer idList
		c, err := batchCall(process, part, &answer)
		if err != nil {
			return nil, err
		}
		if err := s.send(ctx, on, c); err != nil {
			if from > 0 {
				err = fmt.Errorf("the tasks after number %d: %w", from, err)
			}
			return nil, err
		}
		var ids []int64
		if err := json.Unmarshal([]byte(answer.text.String), &ids); err != nil {
			return nil, fmt.Errorf("the numbers of the new tasks: %w", err)
		}
		all = append(all, ids...)
	}
	return all, nil
}

// enqueueEach sends a call for each task.
func (s *scheduler) enqueueEach(ctx context.Context, on execer, process int64, tasks []dialects.NewTask, all []int64) ([]int64, error) {
	for _, t := range tasks {
		if process != 0 {
			t.ProcessID = process
		}
		var id sql.NullInt64
		if err := s.send(ctx, on, execCall(t, &id)); err != nil {
			return nil, err
		}
		all = append(all, id.Int64)
	}
	return all, nil
}

// batchTask is a task as exec_async_batch reads it; missing values have the default.
type batchTask struct {
	SQL             string          `json:"sql"`
	Order           int             `json:"execution_order"`
	ProcessID       int64           `json:"process_id,omitempty"`
	Priority        int             `json:"priority,omitempty"`
	MaxAttempts     int             `json:"max_attempts,omitempty"`
	RetryDelay      int64           `json:"retry_delay_seconds,omitempty"`
	Timeout         int64           `json:"timeout_seconds,omitempty"`
	NotBefore       string          `json:"not_before,omitempty"`
	ExpectedSeconds int             `json:"expected_seconds,omitempty"`
	Resource        string          `json:"resource,omitempty"`
	Access          string          `json:"access,omitempty"`
	Transactional   bool            `json:"transactional,omitempty"`
	OnOrphan        string          `json:"on_orphan,omitempty"`
	DedupKey        string          `json:"dedup_key,omitempty"`
	Parameters      json.RawMessage `json:"parameters,omitempty"`
}

func batchCall(process int64, tasks []dialects.NewTask, ids *idList) (call, error) {
	text, err := tasksJSON(process, tasks)
	if err != nil {
		return call{}, err
	}
	c := call{proc: "exec_async_batch", out: []arg{{"out_task_ids", ids}}}
	return c.set("in_tasks", text), nil
}

// tasksJSON writes tasks as exec_async_batch reads them.
func tasksJSON(process int64, tasks []dialects.NewTask) (string, error) {
	list := make([]batchTask, len(tasks))
	for i, t := range tasks {
		b := batchTask{
			SQL: t.SQL, Order: t.Order, ProcessID: t.ProcessID, Priority: t.Priority, MaxAttempts: t.MaxAttempts,
			RetryDelay: seconds(t.RetryDelay), Timeout: seconds(t.Timeout), ExpectedSeconds: t.ExpectedSeconds,
			Resource: t.Resource, Access: t.Access, Transactional: t.Transactional, OnOrphan: t.OnOrphan, DedupKey: t.DedupKey,
		}
		if process != 0 {
			b.ProcessID = process
		}
		if !t.NotBefore.IsZero() {
			b.NotBefore = t.NotBefore.UTC().Format("2006-01-02T15:04:05.999999") + "Z"
		}
		// The server refuses anything but an object, with the task's number.
		if b.Parameters = json.RawMessage(t.Parameters); t.Parameters != "" && !json.Valid(b.Parameters) {
			b.Parameters = json.RawMessage(`"no JSON"`)
		}
		list[i] = b
	}
	text, err := json.Marshal(list)
	if err != nil {
		return "", fmt.Errorf("tasks as JSON: %w", err)
	}
	return string(text), nil
}

// idList is the result of exec_async_batch.
type idList struct{ text sql.NullString }
