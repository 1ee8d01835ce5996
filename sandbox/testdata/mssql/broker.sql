-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-message-type-transact-sql
CREATE MESSAGE TYPE [//x/Ask] VALIDATION = NONE; CREATE MESSAGE TYPE [//x/Answer] VALIDATION = NONE; CREATE CONTRACT [//x/Talk] ([//x/Ask] SENT BY INITIATOR, [//x/Answer] SENT BY TARGET); CREATE QUEUE dbo.AskQ; CREATE QUEUE dbo.ToldQ; CREATE SERVICE [//x/Asker] ON QUEUE dbo.AskQ; CREATE SERVICE [//x/Teller] ON QUEUE dbo.ToldQ ([//x/Talk]);
--> ok
CREATE MESSAGE TYPE [//x/Ask] VALIDATION = NONE;
--> error: 2714
CREATE QUEUE dbo.AskQ;
--> error: 2714 There is already an object named 'AskQ' in the database
CREATE CONTRACT [//x/Empty] ([//x/Ask] SENT BY TARGET);
--> error: 8492 The service contract '//x/Empty' must have at least one message SENT BY INITIATOR or ANY
-- A dialog in one batch: what is sent can be received at once.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/begin-dialog-conversation-transact-sql
DECLARE @h uniqueidentifier; BEGIN DIALOG CONVERSATION @h FROM SERVICE [//x/Asker] TO SERVICE N'//x/Teller' ON CONTRACT [//x/Talk] WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE [//x/Ask] (N'how?'); SELECT state, is_initiator, far_service FROM sys.conversation_endpoints ORDER BY is_initiator;
--> CO | 0 | //x/Asker
--> CO | 1 | //x/Teller
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/receive-transact-sql
DECLARE @h uniqueidentifier, @t sysname, @b nvarchar(100); RECEIVE TOP (1) @h = conversation_handle, @t = message_type_name, @b = CAST(message_body AS nvarchar(100)) FROM dbo.ToldQ; SELECT @t, @b, @@ROWCOUNT; SEND ON CONVERSATION @h MESSAGE TYPE [//x/Answer] (N'so!'); END CONVERSATION @h;
--> //x/Ask | how? | 1
SELECT message_type_name, CAST(message_body AS nvarchar(20)), message_sequence_number FROM dbo.AskQ ORDER BY message_sequence_number;
--> //x/Answer | so! | 0
--> http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog | NULL | 1
DECLARE @h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM dbo.AskQ); RECEIVE message_type_name FROM dbo.AskQ; END CONVERSATION @h; SELECT COUNT(*) FROM dbo.AskQ;
--> //x/Answer
--> http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog
--> ----
--> 0
SELECT state FROM sys.conversation_endpoints;
--> CD
RECEIVE TOP (1) message_type_name FROM dbo.ToldQ;
--> rows: 0
DECLARE @t datetime2 = SYSDATETIME(); WAITFOR (RECEIVE TOP (1) message_body FROM dbo.ToldQ), TIMEOUT 3000; SELECT DATEDIFF(second, @t, SYSDATETIME()), @@ROWCOUNT;
--> rows: 0
--> ----
--> 3 | 0
RECEIVE * FROM dbo.NoQ;
--> error: 208 Invalid object name 'dbo.NoQ'
DECLARE @h uniqueidentifier = NEWID(); RECEIVE message_body FROM dbo.AskQ WHERE conversation_handle = @h;
--> refused WHERE
-- A rollback puts messages back.
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//x/Asker] TO SERVICE '//x/Teller', 'CURRENT DATABASE' ON CONTRACT [//x/Talk] WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE [//x/Ask]; BEGIN TRAN; RECEIVE message_type_name, message_body FROM dbo.ToldQ; ROLLBACK; SELECT COUNT(*) FROM dbo.ToldQ;
--> //x/Ask | NULL
--> ----
--> 1
BEGIN TRAN; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//x/Asker] TO SERVICE '//x/Teller' ON CONTRACT [//x/Talk] WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE [//x/Ask]; ROLLBACK; SELECT COUNT(*) FROM dbo.ToldQ;
--> 1
-- The other side is told of the error.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/end-conversation-transact-sql
DECLARE @h uniqueidentifier; RECEIVE TOP (1) @h = conversation_handle FROM dbo.ToldQ; END CONVERSATION @h WITH ERROR = 50123 DESCRIPTION = N'no answer'; SELECT message_type_name, CAST(message_body AS nvarchar(max)) FROM dbo.AskQ;
--> http://schemas.microsoft.com/SQL/ServiceBroker/Error | <?xml version="1.0"?><Error xmlns="http://schemas.microsoft.com/SQL/ServiceBroker/Error"><Code>50123</Code><Description>no answer</Description></Error>
SELECT state FROM sys.conversation_endpoints WHERE is_initiator = 1;
--> ER
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE state = 'ER'); SEND ON CONVERSATION @h MESSAGE TYPE [//x/Ask] (N'again');
--> error: 8429 The conversation endpoint is not in a valid state for SEND
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE state = 'ER'); END CONVERSATION @h WITH CLEANUP; SELECT COUNT(*) FROM sys.conversation_endpoints WHERE state = 'ER'; SELECT COUNT(*) FROM dbo.AskQ;
--> 0
--> ----
--> 0
DECLARE @h uniqueidentifier = NEWID(); END CONVERSATION @h;
--> error: 8426 The conversation handle
DECLARE @h uniqueidentifier = NEWID(); SEND ON CONVERSATION @h MESSAGE TYPE [//x/Ask] (N'x');
--> error: 8426
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//x/Nobody] TO SERVICE '//x/Teller' WITH ENCRYPTION = OFF;
--> error: 15151
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//x/Asker] TO SERVICE '//x/Teller' ON CONTRACT [//x/Talk] WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE [//x/Answer] (N'x');
--> error: 8432
-- A contract that the target does not take, and a service that does not exist.
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//x/Asker] TO SERVICE '//x/Nowhere' ON CONTRACT [//x/Talk] WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE [//x/Ask] (N'x'); SELECT to_service_name, is_conversation_error, IIF(transmission_status = '', 'none', 'told') FROM sys.transmission_queue;
--> //x/Nowhere | 0 | told
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/begin-conversation-timer-transact-sql
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//x/Asker] TO SERVICE '//x/Teller' ON CONTRACT [//x/Talk] WITH ENCRYPTION = OFF; BEGIN CONVERSATION TIMER (@h) TIMEOUT = 5; WAITFOR DELAY '00:00:04'; SELECT COUNT(*) FROM dbo.AskQ; WAITFOR DELAY '00:00:02'; SELECT message_type_name FROM dbo.AskQ;
--> 0
--> ----
--> http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer
DECLARE @h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM dbo.AskQ); BEGIN CONVERSATION TIMER (@h) TIMEOUT = 0;
--> refused TIMEOUT
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//x/Asker] TO SERVICE '//x/Teller' ON CONTRACT [//x/Talk] WITH LIFETIME = 0, ENCRYPTION = OFF;
--> error: 8411 The dialog lifetime value of 0 is outside the allowable range of 1 to 2147483647
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/alter-queue-transact-sql
ALTER QUEUE dbo.AskQ WITH STATUS = OFF; RECEIVE message_body FROM dbo.AskQ;
--> error: 9617 The service queue "AskQ" is currently disabled
ALTER QUEUE dbo.AskQ WITH STATUS = ON; SELECT name, is_receive_enabled, is_enqueue_enabled, is_activation_enabled, max_readers, is_retention_enabled FROM sys.service_queues WHERE name = 'AskQ';
--> AskQ | 1 | 1 | 0 | 0 | 0
SELECT queuing_order, status, priority FROM dbo.AskQ WHERE 1 = 2;
--> rows: 0
DROP QUEUE dbo.AskQ;
--> error: 3716
DROP CONTRACT [//x/Talk];
--> error: 3716
DROP MESSAGE TYPE [//x/Ask];
--> error: 3716
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/get-conversation-group-transact-sql
DECLARE @g uniqueidentifier; WAITFOR (GET CONVERSATION GROUP @g FROM dbo.ToldQ), TIMEOUT 1000; SELECT @g;
--> refused
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-event-notification-transact-sql
SELECT name FROM sys.service_contracts WHERE name LIKE '%/PostEventNotification';
--> http://schemas.microsoft.com/SQL/Notifications/PostEventNotification
SELECT name FROM sys.service_message_types WHERE name LIKE '%/Notifications/%' ORDER BY name;
--> http://schemas.microsoft.com/SQL/Notifications/EventNotification
--> http://schemas.microsoft.com/SQL/Notifications/QueryNotification
CREATE QUEUE dbo.EventQ; CREATE SERVICE [//x/Events] ON QUEUE dbo.EventQ ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification]);
--> ok
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-service-contract-message-usages-transact-sql
SELECT is_broker_enabled FROM sys.databases WHERE database_id = DB_ID();
--> 1
