-- Wake-ups of worker slot {{.Lane.ID}}. Activation is turned on last, when its procedure is complete.
-- No message is poison: see Dispatch.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}}) AND q.name = N'{{.Lane.Name}}')
    CREATE QUEUE {{.Schema}}.{{.Lane.Name}} WITH STATUS = ON, RETENTION = OFF, POISON_MESSAGE_HANDLING (STATUS = OFF);
