-- Procedure: Dispatch_Activated
-- Purpose: What Service Broker activates on the queue Dispatch: takes the messages, then looks at the tables.
-- Access: private; activated as the owner of the schema.
-- Parameters: none
-- Errors: none of its own
-- Example: none; Service Broker calls it
CREATE OR ALTER PROCEDURE {{.Schema}}.Dispatch_Activated
AS
BEGIN
{{.SetOptions}}
    DECLARE @Handle uniqueidentifier, @Type nvarchar(256), @Turn bit = 0, @Woken bit = 0, @Messages int = 0, @Batch int, @Pause bit = 0;

    -- RECEIVE comes first, always: an activation that returns without one is never followed by another
    -- (Service Broker, Internal Activation Context). Nothing but RECEIVE, END and the timer in its transaction.
    WHILE 1 = 1
    BEGIN
        BEGIN TRY
            SET @Batch = 0;
            BEGIN TRANSACTION;

            WHILE @Batch < 100
            BEGIN
                SELECT @Handle = NULL, @Type = NULL;

                RECEIVE TOP (1) @Handle = conversation_handle, @Type = message_type_name FROM {{.Schema}}.Dispatch;

                IF @Handle IS NULL
                    BREAK;

                SET @Batch = @Batch + 1;
                IF @Type <> N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog'
                    SELECT @Turn = 1, @Woken = CASE WHEN @Type = {{.WakeTypeLit}} THEN 1 ELSE @Woken END;

                IF @Type = N'http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer'
                    -- In case this turn does not get as far as setting the timer itself.
                    BEGIN CONVERSATION TIMER (@Handle) TIMEOUT = 60;
                ELSE IF @Type IN ({{.WakeTypeLit}},
                                  N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog',
                                  N'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
                    END CONVERSATION @Handle;
                ELSE
                    END CONVERSATION @Handle WITH ERROR = 51099 DESCRIPTION = N'dbsched 51099: unknown message type.';
            END;

            COMMIT TRANSACTION;
        END TRY
        BEGIN CATCH
            -- 9617, the queue was disabled: a loop would spin, and nobody is activated on it any more. Any other: Service
            -- Broker activates again at once, and what is wrong (a full log) may be so for long.
            IF ERROR_NUMBER() <> 9617
                SET @Pause = 1;
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
            BREAK;
        END CATCH;

        SET @Messages = @Messages + @Batch;

        -- Empty, or so busy that the tables must not wait any longer.
        IF @Turn = 1 AND (@Handle IS NULL OR @Messages >= 200)
        BEGIN
            EXEC {{.Schema}}.DispatchTurn @Woken;
            SELECT @Turn = 0, @Woken = 0, @Messages = 0;
        END
        ELSE IF @Handle IS NULL
            BREAK;
    END;

    -- A RECEIVE failed after wake-ups had been taken: nobody else knows of them any more.
    IF @Turn = 1
        EXEC {{.Schema}}.DispatchTurn @Woken;

    IF @Pause = 1
        WAITFOR DELAY '00:00:01';
END;
