-- Wake-ups of enqueuers and workers, and the timer. Activation is turned on last, when its procedure is complete.
-- No message is poison, for none carries anything: five rollbacks in a row (a full log) must not turn the queue off.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}}) AND q.name = N'Dispatch')
    CREATE QUEUE {{.Schema}}.Dispatch WITH STATUS = ON, RETENTION = OFF, POISON_MESSAGE_HANDLING (STATUS = OFF);
