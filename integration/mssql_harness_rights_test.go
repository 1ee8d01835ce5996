package integration

import (
	"strings"
)

const (
	writesWho = "INSERT INTO dbo.Who (Name) VALUES (USER_NAME());"
	takesAll  = "INSERT INTO dbo.Who (Name, OriginalLogin) SELECT USER_NAME(), N FROM dbo.Secret; ALTER ROLE db_owner ADD MEMBER ada;"
)

// quotedMSSQL is text as a literal of T-SQL.
func quotedMSSQL(text string) string { return "N'" + strings.ReplaceAll(text, "'", "''") + "'" }

// firingTask returns the last task that makes a process of a schedule.
func (h *harness) firingTask(name string) int64 {
	h.Helper()
	return number(h, h.session().value("SELECT MAX(f.TaskId) FROM dbsched.ScheduleLog AS f WHERE f.Name = "+quotedMSSQL(name)+";"))
}

// publicProcedures are what roles may call; everything else is private.
var publicProcedures = map[string][]string{
	"user":   forUsers,
	"reader": {},
	"admin":  append([]string{"DefineResource", "DropResource", "StartScheduler", "StopScheduler", "SetWorkers", "SetPolicy", "SetOptions", "SetAlarmHook", "Purge", "AcknowledgeAlarms", "Sweep", "TaskScheduler"}, forUsers...),
}

// withSecret creates a table that only dbo may read, and two users of dbsched.
func (h *harness) withSecret() *session {
	h.Helper()
	s := h.marks()
	s.exec("CREATE TABLE dbo.Secret (N int NOT NULL);")
	s.exec("INSERT INTO dbo.Secret (N) VALUES (42);")
	s.exec("CREATE TABLE dbo.Who (Id int IDENTITY(1, 1) NOT NULL PRIMARY KEY, Name nvarchar(128) NOT NULL, OriginalLogin nvarchar(128) NULL);")
	s.exec("GRANT INSERT ON dbo.Who TO public;")
	h.user("anna", "user")
	h.user("bert", "user")
	return s
}
