package mssql

import (
	"context"

	"github.com/dbsched/dbsched/dialects"
)

// leftQuery lists what belongs to users who no longer exist: RunTask, RecordReport and FireSchedules compare users the same way.
func (s *scheduler) leftQuery() string {
	return `SET NOCOUNT ON;
DECLARE @Theirs table (What nvarchar(400) NOT NULL, UserId int NULL, Sid varbinary(85) NULL, UserName nvarchar(128) NULL);
` + s.asOwner(`INSERT INTO @Theirs (What, UserId, Sid, UserName)
SELECT N'schedule "' + s.Name + N'" of ', s.OwnerId, s.OwnerSid, s.OwnerName
FROM `+s.object("Schedules")+` AS s WITH (NOLOCK)
UNION ALL
SELECT N'round "' + r.Name + N'" of ', r.DefinedById, r.DefinedBySid, r.DefinedByName
FROM `+s.object("Rounds")+` AS r WITH (NOLOCK)
WHERE r.SuccessorSql IS NOT NULL
UNION ALL
SELECT N'the alarm hook of ', h.AlarmHookById, h.AlarmHookBySid, h.AlarmHookByName
FROM `+s.object("Settings")+` AS h WITH (NOLOCK)
WHERE h.AlarmHook IS NOT NULL
UNION ALL
SELECT N'unfinished tasks of ', t.EnqueuedById, t.EnqueuedBySid, t.EnqueuedByName
FROM `+s.object("Tasks")+` AS t WITH (NOLOCK)
WHERE t.FinishedAt IS NULL
GROUP BY t.EnqueuedById, t.EnqueuedBySid, t.EnqueuedByName;`) + `
SELECT w.What + w.UserName AS What
FROM @Theirs AS w
WHERE NOT EXISTS (SELECT 1 FROM sys.database_principals AS p
                  WHERE p.principal_id = w.UserId AND USER_NAME(p.principal_id) = w.UserName AND (p.principal_id = 1 OR p.sid = w.Sid))
ORDER BY What;`
}

// checkOwners looks for what was left by users who no longer exist.
func (v *verification) checkOwners(ctx context.Context) error {
	left, err := v.strings(ctx, v.DB, v.leftQuery())
	if err == nil {
		v.Add(dialects.OwnerCheck(left))
	}
	return err
}
