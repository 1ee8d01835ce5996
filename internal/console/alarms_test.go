package console

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/web"
)

// alarmed is a scheduler with alarms, and a task of dbsched itself.
type alarmed struct {
	fake
	known []int64
}

func (*alarmed) Alarms(context.Context, dialects.Filter) ([]dialects.Alarm, error) {
	return []dialects.Alarm{{ID: 3, RaisedAt: at, Kind: "LateTask", Text: "It is late."}, {ID: 4, RaisedAt: at, Kind: "Copy", Text: "It is a copy."}}, nil
}

func (f *alarmed) AcknowledgeAlarm(_ context.Context, id int64) error {
	f.known = append(f.known, id)
	return nil
}

func (*alarmed) Tasks(context.Context, dialects.Filter) ([]dialects.Task, error) {
	return []dialects.Task{{ID: 8, Status: "Pending", SQL: "EXEC [dbsched].RunFiring @FiringId = 12;", EnqueuedAt: at}}, nil
}

func (*alarmed) Logs(context.Context, dialects.Filter) ([]dialects.LogEntry, error) {
	return []dialects.LogEntry{{ID: 1, TaskID: 8, StartedAt: at, Outcome: "Running", SQL: "begin DBSCHED.dbsched.run_firing(12); end;"}}, nil
}

func (*alarmed) Attempts(context.Context, dialects.Filter) (dialects.Attempts, error) {
	return dialects.Attempts{All: 1, Running: 1}, nil
}

// TestAcknowledgeOne: each alarm has a button of its own, for those who may write.
func TestAcknowledgeOne(t *testing.T) {
	f := &alarmed{}
	send, log := client(f)
	page := send("GET", "/alarms").Body.String()
	require.Contains(t, page, `action="/alarm/3"`)
	require.Contains(t, page, `aria-label="Acknowledge alarm 4"`)
	require.Equal(t, http.StatusSeeOther, send("POST", "/alarm/3").Code)
	require.Equal(t, []int64{3}, f.known)
	require.Contains(t, log.String(), `result="Alarm 3 acknowledged."`)

	b := &browser{h: New(f, Options{Token: web.Fixed("t"), Names: web.New("127.0.0.1:0", nil).Named}).Handler(), host: "localhost"}
	b.get("/?token=t")
	page = b.get("/alarms").Body.String()
	require.Contains(t, page, "It is late.")
	require.NotContains(t, page, "Acknowledge")
}

// TestInternalTasks: what dbsched itself enqueued is said in words; it has no process to open.
func TestInternalTasks(t *testing.T) {
	send, _ := client(&alarmed{})
	const words = "(internal: starts a schedule, firing 12)"
	require.Contains(t, text(t, send("GET", "/tasks")), " 8 0 "+words+" pending")
	require.Contains(t, text(t, send("GET", "/logs")), words)
	one := send("GET", "/task/8")
	require.NotContains(t, one.Body.String(), `href="/process/0"`)
	require.Contains(t, text(t, one), "Task 8 pending · "+words+" · enqueued")
	require.Contains(t, text(t, one), "EXEC [dbsched].RunFiring @FiringId = 12;", "in full, too")
}
