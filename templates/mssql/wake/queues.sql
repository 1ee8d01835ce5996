-- Dispatch: wake-ups from enqueuers and workers, and the timer. Lane_NN: wake-ups for the worker of a lane.
-- Activation is turned on last, when its procedures exist. Poison message handling is off: messages have no body, and five
-- rollbacks in a row (a full log, for example) must not disable a queue.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}}) AND q.name = N'Dispatch')
    CREATE QUEUE {{.Schema}}.Dispatch WITH STATUS = ON, RETENTION = OFF, POISON_MESSAGE_HANDLING (STATUS = OFF);
{{- range .Lanes}}
IF NOT EXISTS (SELECT 1 FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID({{$.SchemaLit}}) AND q.name = N'{{.Name}}')
    CREATE QUEUE {{$.Schema}}.{{.Name}} WITH STATUS = ON, RETENTION = OFF, POISON_MESSAGE_HANDLING (STATUS = OFF);
{{- end}}
