-- From here on Service Broker runs the dispatcher whenever a message arrives.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.service_queues AS q
               WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}}) AND q.name = N'Dispatch'
                 AND q.is_activation_enabled = 1 AND q.is_receive_enabled = 1 AND q.is_enqueue_enabled = 1
                 AND q.is_poison_message_handling_enabled = 0)
    ALTER QUEUE {{.Schema}}.Dispatch
    WITH STATUS = ON,
         ACTIVATION (STATUS = ON, PROCEDURE_NAME = {{.Schema}}.Dispatch_Activated, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER),
         POISON_MESSAGE_HANDLING (STATUS = OFF);
