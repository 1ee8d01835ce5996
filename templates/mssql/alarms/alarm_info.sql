-- View: AlarmInfo
-- Purpose: Alarms: problems that an administrator should look at.
-- Access: public: dbsched_reader, dbsched_admin
-- Columns: AlarmId, RaisedAt, Kind, ProcessId, TaskId, LaneId, AlarmText, AcknowledgedAt, AcknowledgedBy (see AcknowledgeAlarms), TaskName
-- Example: SELECT TOP (20) * FROM dbsched.AlarmInfo ORDER BY AlarmId DESC;
CREATE OR ALTER VIEW {{.Schema}}.AlarmInfo
AS
SELECT a.AlarmId,
       a.RaisedAt,
       a.Kind,
       a.ProcessId,
       a.TaskId,
       a.LaneId,
       a.AlarmText,
       a.AcknowledgedAt,
       a.AcknowledgedBy,
       t.Name AS TaskName
FROM {{.Schema}}.Alarms AS a WITH (NOLOCK)
LEFT JOIN {{.Schema}}.Tasks AS t WITH (NOLOCK) ON t.TaskId = a.TaskId;
