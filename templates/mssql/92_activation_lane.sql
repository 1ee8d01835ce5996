-- From here on Service Broker runs the worker of slot {{.Lane.ID}} whenever a message arrives. One reader: the lane is one worker.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.service_queues AS q
               WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}}) AND q.name = N'{{.Lane.Name}}'
                 AND q.is_activation_enabled = 1 AND q.is_receive_enabled = 1 AND q.is_enqueue_enabled = 1
                 AND q.is_poison_message_handling_enabled = 0)
    ALTER QUEUE {{.Schema}}.{{.Lane.Name}}
    WITH STATUS = ON,
         ACTIVATION (STATUS = ON, PROCEDURE_NAME = {{.Schema}}.{{.Lane.Name}}_Activated, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER),
         POISON_MESSAGE_HANDLING (STATUS = OFF);
