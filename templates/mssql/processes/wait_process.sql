-- Procedure: WaitProcess
-- Purpose: Waits until a process has ended or, if it is Open, has no unfinished tasks.
-- Access: public: dbsched_user (own processes and the default process), dbsched_admin
-- Parameters:
--   @ProcessId int (required): the process
--   @TimeoutSeconds int (required): longest wait, in seconds; 0 to 604800
--   @Status varchar(10) = NULL OUTPUT: status of the process after the wait
-- Returns: 0 = Succeeded, or Open with no unfinished tasks; 1 = Failed or Cancelled; 2 = the time is up
-- Errors:
--   51003: @TimeoutSeconds is NULL or out of range
--   51004: there is no such process
--   51006: the process belongs to another user
--   51010: called inside a transaction; its tasks cannot start until it commits
--   51017: called by a task of the same process, which would wait for itself
-- Example: EXEC dbsched.WaitProcess 7, 600;
CREATE OR ALTER PROCEDURE {{.Schema}}.WaitProcess
    @ProcessId int,
    @TimeoutSeconds int,
    @Status varchar(10) = NULL OUTPUT
AS
BEGIN
{{.RefuseTransaction "WaitProcess" ": tasks enqueued in the transaction cannot start until it commits"}}

{{.SetOptions}}
    DECLARE @OwnTaskId bigint, @OwnProcessId int, @Mine bit, @Polls int = 0, @Left bit;
    DECLARE @Until datetime2(3) = DATEADD(second, CASE WHEN @TimeoutSeconds BETWEEN 0 AND 604800 THEN @TimeoutSeconds ELSE 0 END, SYSUTCDATETIME());

    SET @Status = NULL;

    IF @TimeoutSeconds IS NULL OR @TimeoutSeconds NOT BETWEEN 0 AND 604800
        THROW 51003, N'dbsched 51003: @TimeoutSeconds must be from 0 to 604800.', 1;

    SELECT @Status = p.Status,
           @Mine = CASE WHEN p.CreatedBySid = {{.UserSid}} THEN 1 ELSE 0 END
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    IF @Status IS NULL OR @ProcessId = 0
        THROW 51004, N'dbsched 51004: there is no such process. See ProcessInfo.', 1;

    IF @ProcessId <> 1 AND @Mine = 0 AND ISNULL(IS_ROLEMEMBER({{.AdminRoleLit}}), 0) = 0 AND ISNULL(IS_ROLEMEMBER(N'db_owner'), 0) = 0
        THROW 51006, N'dbsched 51006: the process belongs to another user. Ask an administrator.', 1;

    EXEC {{.Schema}}.CurrentTask @OwnTaskId OUTPUT, @OwnProcessId OUTPUT;
    IF @OwnProcessId = @ProcessId
        THROW 51017, N'dbsched 51017: a task cannot wait for its own process. Move what follows into a later wave, or wait from another session.', 1;

    WHILE 1 = 1
    BEGIN
        SELECT @Status = p.Status
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;

        IF @Status = 'Succeeded'
            RETURN 0;
        IF @Status IN ('Failed', 'Cancelled')
            RETURN 1;

        -- An Open process is done for now when it has no unfinished tasks and no requests. NOLOCK reads one index row,
        -- and also waits for uncommitted tasks.
        SET @Left = 0;
        IF EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL)
           OR EXISTS (SELECT 1 FROM {{.Schema}}.ProcessRequests AS r WITH (NOLOCK) WHERE r.ProcessId = @ProcessId AND r.Action <> 'Look')
            SET @Left = 1;

        IF @Status = 'Open' AND @Left = 0
            RETURN 0;

        IF SYSUTCDATETIME() >= @Until
            RETURN 2;

        SET @Polls = @Polls + 1;
        IF @Polls <= 10
            WAITFOR DELAY '00:00:00.100';
        ELSE
            WAITFOR DELAY '00:00:00.500';
    END;
END;
