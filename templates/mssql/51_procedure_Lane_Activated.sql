-- Procedure: {{.Lane.Name}}_Activated
-- Purpose: What Service Broker activates on the queue {{.Lane.Name}}: the worker of lane {{.Lane.ID}}.
-- Access: private; activated as the owner of the schema.
-- Parameters: none
-- Errors: none of its own
-- Example: none; Service Broker calls it
CREATE OR ALTER PROCEDURE {{.Schema}}.{{.Lane.Name}}_Activated
AS
BEGIN
{{.SetOptions}}
    DECLARE @Handle uniqueidentifier, @Type nvarchar(256), @Woken bit = 0, @Linger int = 0, @Pause bit = 0, @Message nvarchar(2000);
    DECLARE @WorkerId uniqueidentifier, @UserId int, @TasksRun int = 0, @Outcome varchar(10), @Again bit = 0;

    WHILE 1 = 1
    BEGIN
        -- RECEIVE comes first, always, in a transaction of its own that holds nothing else (see Dispatch_Activated).
        SELECT @Handle = NULL, @Type = NULL;

        BEGIN TRY
            BEGIN TRANSACTION;

            IF @Linger = 0
            BEGIN
                RECEIVE TOP (1) @Handle = conversation_handle, @Type = message_type_name FROM {{.Schema}}.{{.Lane.Name}};
            END
            ELSE
            BEGIN
                WAITFOR (RECEIVE TOP (1) @Handle = conversation_handle, @Type = message_type_name FROM {{.Schema}}.{{.Lane.Name}}), TIMEOUT @Linger;
            END;

            IF @Type IN ({{.WakeTypeLit}},
                         N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog',
                         N'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
                END CONVERSATION @Handle;
            ELSE IF @Handle IS NOT NULL
                END CONVERSATION @Handle WITH ERROR = 51099 DESCRIPTION = N'dbsched 51099: unknown message type.';

            COMMIT TRANSACTION;
        END TRY
        BEGIN CATCH
            -- 9617, the queue was disabled: a loop would spin. Any other: Service Broker activates again at once, and what
            -- is wrong may be so for long. But a wake-up that was taken before is worked off first: nobody else knows of
            -- it any more.
            IF ERROR_NUMBER() <> 9617
                SET @Pause = 1;
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
            IF @Woken = 0
                BREAK;
            SET @Handle = NULL;
        END CATCH;

        SET @Linger = 0;

        IF @Handle IS NOT NULL
        BEGIN
            IF @Type = {{.WakeTypeLit}}
                SET @Woken = 1;
            CONTINUE;
        END;

        -- The queue is empty: work if there was a wake-up, else leave.
        IF @Woken = 0
            BREAK;

        SET @Woken = 0;

        BEGIN TRY
            IF @WorkerId IS NULL
            BEGIN
                EXEC {{.Schema}}.EnterLane @LaneId = {{.Lane.ID}}, @WorkerId = @WorkerId OUTPUT;

                IF @WorkerId IS NULL
                BEGIN
                    -- Somebody else works in this lane: pass the wake-up back.
                    EXEC {{.Schema}}.SendWake;
                    BREAK;
                END;
            END;

            EXEC {{.Schema}}.WorkLane @LaneId = {{.Lane.ID}}, @WorkerId = @WorkerId, @UserId = @UserId OUTPUT, @TasksRun = @TasksRun OUTPUT, @Outcome = @Outcome OUTPUT;

            IF @Outcome = 'Idle'
                SELECT @Linger = s.LingerSeconds * 1000
                FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE s.SettingsId = 1;

            IF @Outcome IN ('OtherUser', 'Renew')
                SET @Again = 1;

            IF @Outcome = 'Limit'
                EXEC {{.Schema}}.SendWake;

            IF @Linger = 0
                BREAK;
        END TRY
        BEGIN CATCH
            SET @Message = N'A worker failed: ' + CONVERT(nvarchar(10), ERROR_NUMBER()) + N' ' + ISNULL(ERROR_PROCEDURE(), N'') + N': ' + LEFT(ERROR_MESSAGE(), 1500);
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;

            BEGIN TRY
                EXEC {{.Schema}}.RaiseAlarm @Kind = 'WorkerError', @Message = @Message, @LaneId = {{.Lane.ID}};
            END TRY
            BEGIN CATCH
                IF XACT_STATE() <> 0
                    ROLLBACK TRANSACTION;
            END CATCH;

            BREAK;
        END CATCH;
    END;

    IF @WorkerId IS NOT NULL
        EXEC {{.Schema}}.LeaveLane @LaneId = {{.Lane.ID}}, @WorkerId = @WorkerId, @Again = @Again;

    IF @Pause = 1
        WAITFOR DELAY '00:00:01';
END;
