-- Procedure: RepairQueues
-- Purpose: Turns queues of ours on again that somebody turned off, with an alarm.
-- Access: private
-- Parameters: none
-- Errors: none of its own
-- Example: EXEC dbsched.RepairQueues;
CREATE OR ALTER PROCEDURE {{.Schema}}.RepairQueues
AS
BEGIN
    IF NOT EXISTS (SELECT 1 FROM sys.service_queues AS q
                   WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}}) AND (q.is_receive_enabled = 0 OR q.is_enqueue_enabled = 0))
        RETURN;

    EXEC {{.Schema}}.RaiseAlarm @Kind = 'QueueDisabled', @Message = N'A queue had been disabled; it was turned on again.';

    IF EXISTS (SELECT 1 FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}}) AND q.name = N'Dispatch' AND (q.is_receive_enabled = 0 OR q.is_enqueue_enabled = 0))
        ALTER QUEUE {{.Schema}}.Dispatch WITH STATUS = ON;
{{range .Lanes}}
    IF EXISTS (SELECT 1 FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID({{$.SchemaLit}}) AND q.name = N'{{.Name}}' AND (q.is_receive_enabled = 0 OR q.is_enqueue_enabled = 0))
        ALTER QUEUE {{$.Schema}}.{{.Name}} WITH STATUS = ON;
{{end}}END;
