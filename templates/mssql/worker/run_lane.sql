-- Procedure: RunLane
-- Purpose: The worker of a lane, from the wake-up to the end of its session: receives messages, runs tasks, lingers, leaves.
-- Access: private; called by the lane's activation procedure.
-- Parameters:
--   @LaneId int (required): the lane
CREATE OR ALTER PROCEDURE {{.Schema}}.RunLane
    @LaneId int
AS
BEGIN
{{.SetOptions}}
{{.TaskOptions}}
    DECLARE @Handle uniqueidentifier, @Type nvarchar(256), @Linger int = 0, @Pause bit = 0, @Text nvarchar(500);
    DECLARE @WorkerId uniqueidentifier, @UserId int, @TasksRun int = 0, @Outcome varchar(10), @Again bit, @Waiting int;
    -- RECEIVE accepts no variable for the queue. SQLWATCH's activation procedures also use dynamic SQL for it.
    DECLARE @Receive nvarchar(400) = N'RECEIVE TOP (1) @Handle = conversation_handle, @Type = message_type_name FROM {{.SchemaInString}}.Lane_'
                                   + RIGHT(N'0' + CONVERT(nvarchar(10), @LaneId), 2);

    WHILE 1 = 1
    BEGIN
        -- RECEIVE always comes first, in its own transaction with nothing else in it (see Dispatch_Activated).
        SELECT @Handle = NULL, @Type = NULL,
               @Text = CASE WHEN @Linger = 0 THEN @Receive + N';' ELSE N'WAITFOR (' + @Receive + N'), TIMEOUT @Linger;' END;

        BEGIN TRY
            BEGIN TRANSACTION;

            EXEC sys.sp_executesql @Text, N'@Linger int, @Handle uniqueidentifier OUTPUT, @Type nvarchar(256) OUTPUT',
                                   @Linger, @Handle OUTPUT, @Type OUTPUT;

            IF @Type IN ({{.WakeTypeLit}},
                         N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog',
                         N'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
                END CONVERSATION @Handle;
            ELSE IF @Handle IS NOT NULL
                END CONVERSATION @Handle WITH ERROR = 51099 DESCRIPTION = N'dbsched 51099: unknown message type.';

            COMMIT TRANSACTION;
        END TRY
        BEGIN CATCH
            -- As in Dispatch_Activated.
            SELECT @Handle = NULL, @Pause = CASE WHEN ERROR_SEVERITY() IN (13, 17) THEN 1 ELSE 0 END;
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
        END CATCH;

        IF @Handle IS NULL OR @Type <> {{.WakeTypeLit}}
        BEGIN
            IF @Pause = 1
                WAITFOR DELAY '00:00:01';
            ELSE IF @Handle IS NULL -- the queue is empty
                BREAK;

            SET @Pause = 0;
            CONTINUE;
        END;

        BEGIN TRY
            IF @WorkerId IS NULL
                EXEC {{.Schema}}.EnterLane @LaneId = @LaneId, @WorkerId = @WorkerId OUTPUT;

            IF @WorkerId IS NULL
            BEGIN
                -- Another session has this lane. Pass the wake-up back: to a worker that waits for it, if the queue had a second reader
                -- (KB 3163368), else to the dispatcher.
                SELECT @Waiting = l.LaneId
                FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE l.LaneId = @LaneId AND l.State = 'Assigned' AND l.WorkerId IS NOT NULL;
                EXEC {{.Schema}}.SendWake @Waiting;
                BREAK;
            END;

            SET @Outcome = NULL;
            EXEC {{.Schema}}.WorkLane @LaneId, @WorkerId, @UserId OUTPUT, @TasksRun OUTPUT, @Outcome OUTPUT;

            -- StopScheduler wakes the workers that wait; one that comes to wait after that must leave.
            SET @Linger = ISNULL((SELECT s.LingerSeconds * 1000
                                  FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                                  WHERE s.SettingsId = 1 AND s.Started = 1 AND @Outcome = 'Idle'), 0);
            IF @Linger > 0
                CONTINUE;

            IF @Outcome = 'Limit'
                EXEC {{.Schema}}.SendWake;
            BREAK;
        END TRY
        BEGIN CATCH
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
            EXEC {{.Schema}}.AlarmOfError @Kind = 'WorkerError', @What = N'A worker failed: ', @LaneId = @LaneId;
            BREAK;
        END CATCH;
    END;

    IF @WorkerId IS NOT NULL
    BEGIN
        SET @Again = CASE WHEN @Outcome IN ('OtherUser', 'Renew') THEN 1 ELSE 0 END;
        EXEC {{.Schema}}.LeaveLane @LaneId = @LaneId, @WorkerId = @WorkerId, @Again = @Again;
    END;
END;
