package integration

import (
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/stretchr/testify/require"
)

// withHook creates an administrator with a procedure that records what it is passed; more is what else it does.
func (h *harness) withHook(more string) *session {
	h.Helper()
	s := h.session()
	s.exec("CREATE TABLE dbo.Told (Id int IDENTITY(1, 1) NOT NULL PRIMARY KEY, AlarmId bigint NOT NULL, Kind varchar(20) NOT NULL, Who nvarchar(128) NOT NULL);")
	s.exec("CREATE PROCEDURE dbo.OnAlarm @AlarmId bigint AS\nBEGIN\n" + more +
		"\nINSERT INTO dbo.Told (AlarmId, Kind, Who) SELECT a.AlarmId, a.Kind, USER_NAME() FROM dbsched.AlarmInfo AS a WHERE a.AlarmId = @AlarmId;\nEND;")
	h.user("ops", "admin")
	s.exec("GRANT EXECUTE ON dbo.OnAlarm TO ops;")
	h.as("ops").exec("EXEC dbsched.SetAlarmHook N'dbo.OnAlarm';")
	return s
}

// raises raises an alarm, and returns the process that it is about.
func (h *harness) raises() int64 {
	h.Helper()
	p := h.process(dialects.NewProcess{Name: "halts"})
	h.exec(dialects.NewTask{SQL: h.say.failing[0].sql, Order: 1, ProcessID: p}, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})
	h.waitFor(p, 10*time.Second)
	require.Equal(h, "Failed", h.processOf(p).Status)
	return p
}

// hookTasks returns the statuses of the tasks that call the hook.
func (h *harness) hookTasks() []string {
	h.Helper()
	var all []string
	for _, row := range h.session().rows("SELECT t.Status FROM dbsched.TaskInfo AS t WHERE t.SqlText LIKE N'EXEC %@AlarmId = %' ORDER BY t.TaskId;") {
		all = append(all, row[0])
	}
	return all
}
