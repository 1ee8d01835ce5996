-- Procedure: Dispatch_Activated
-- Purpose: The dispatcher. Service Broker activates it on the queue Dispatch: receives the messages, then looks at the tables.
-- Access: private; activated as the owner of the schema.
CREATE OR ALTER PROCEDURE {{.Schema}}.Dispatch_Activated
AS
BEGIN
{{.SetOptions}}
    DECLARE @Handle uniqueidentifier, @Type nvarchar(256), @Body varbinary(1), @Turn bit = 0, @Woken bit = 0, @Messages int = 0,
            @Batch int, @Pause bit = 0;

    -- RECEIVE always comes first: after an activation that returns without one, Service Broker starts no other
    -- (Service Broker, Internal Activation Context). Its transaction contains only RECEIVE, END and the timer.
    WHILE 1 = 1
    BEGIN
        BEGIN TRY
            SELECT @Batch = 0, @Pause = 0;
            BEGIN TRANSACTION;

            WHILE @Batch < 100
            BEGIN
                RECEIVE TOP (1) @Handle = conversation_handle, @Type = message_type_name, @Body = message_body FROM {{.Schema}}.Dispatch;

                IF @@ROWCOUNT = 0
                    BREAK;

                SELECT @Batch = @Batch + 1,
                       @Turn = CASE WHEN @Type = N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog' THEN @Turn ELSE 1 END,
                       @Woken = CASE WHEN @Type = {{.WakeTypeLit}} AND @Body = 0x01 THEN 1 ELSE @Woken END;

                IF @Type IN ({{.WakeTypeLit}}, N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog')
                    END CONVERSATION @Handle;
                -- In case this turn fails before it sets the timer. Another conversation's timer is that of a StopScheduler that was killed
                -- before it ended it.
                ELSE IF @Type = N'http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer'
                        AND EXISTS (SELECT 1 FROM {{.Schema}}.Settings AS s WITH (NOLOCK) WHERE s.TimerHandle = @Handle)
                    BEGIN CONVERSATION TIMER (@Handle) TIMEOUT = 60;
                ELSE IF @Type LIKE N'http://schemas.microsoft.com/SQL/ServiceBroker/%'
                    END CONVERSATION @Handle;
                ELSE
                    END CONVERSATION @Handle WITH ERROR = 51099 DESCRIPTION = N'dbsched 51099: unknown message type.';
            END;

            COMMIT TRANSACTION;
        END TRY
        BEGIN CATCH
            -- Severities 13 and 17: a deadlock, no space (a full log). Pause, then try again, since this activation may be the only one. After
            -- other errors (9617: the queue is disabled) a loop would spin. First look at the tables: no other session knows of wake-ups
            -- that were received before.
            SELECT @Batch = 0, @Pause = CASE WHEN ERROR_SEVERITY() IN (13, 17) THEN 1 ELSE 0 END;
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
        END CATCH;

        SET @Messages = @Messages + @Batch;

        -- The queue is empty, or so busy that the tables must not wait any longer.
        IF @Turn = 1 AND (@Batch < 100 OR @Messages >= 200)
        BEGIN
            EXEC {{.Schema}}.DispatchTurn @Woken;
            SELECT @Turn = 0, @Woken = 0, @Messages = 0;
        END
        ELSE IF @Batch < 100 AND @Pause = 0
            BREAK;

        IF @Pause = 1
            WAITFOR DELAY '00:00:01';
    END;
END;
