-- Procedure: ArmTimer
-- Purpose: Sets the dispatcher's timer to fire in at most @Seconds seconds, and begins the timer's conversation if it is missing
-- (after NEW_BROKER or a restore). Does nothing while the scheduler is stopped.
-- Access: private; a short transaction of its own.
-- Parameters:
--   @Seconds int (required): when to fire, in seconds from now
CREATE OR ALTER PROCEDURE {{.Schema}}.ArmTimer
    @Seconds int
AS
BEGIN
    DECLARE @Handle uniqueidentifier;
    DECLARE @Started bit, @Done bit = 0, @Lost bit = 0;

    WHILE @Done = 0
    BEGIN
        BEGIN TRY
            SET @Started = 0;

            BEGIN TRANSACTION;

            SELECT @Started = s.Started, @Handle = CASE WHEN @Lost = 0 THEN s.TimerHandle END
            FROM {{.Schema}}.Settings AS s WITH (UPDLOCK, ROWLOCK)
            WHERE s.SettingsId = 1;

            IF @Started = 1
            BEGIN
                IF @Handle IS NULL
                BEGIN
                    -- No LIFETIME: it lasts until StopScheduler. No message is ever sent on it, so no target endpoint exists.
                    BEGIN DIALOG CONVERSATION @Handle
                        FROM SERVICE {{.DispatchService}}
                        TO SERVICE {{.DispatchServiceLit}}, N'CURRENT DATABASE'
                        ON CONTRACT {{.Contract}}
                        WITH ENCRYPTION = OFF;

                    UPDATE s
                    SET s.TimerHandle = @Handle
                    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                    WHERE s.SettingsId = 1;
                END;

                -- The documentation shows a number only; a variable serves in SQLWATCH (usp_sqlwatch_internal_restart_queues).
                BEGIN CONVERSATION TIMER (@Handle) TIMEOUT = @Seconds;
            END;

            COMMIT TRANSACTION;
            SET @Done = 1;
        END TRY
        BEGIN CATCH
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;

            -- 8426: the conversation is gone. Checking sys.conversation_endpoints each time would read the endpoints of all
            -- recent wake-ups, and wait for those of uncommitted transactions.
            IF @Lost = 1 OR ERROR_NUMBER() <> 8426
                THROW;

            SET @Lost = 1;
        END CATCH;
    END;
END;
