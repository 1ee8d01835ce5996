-- Procedure: CountTasks
-- Purpose: Refuses new tasks if their user would have more unfinished ones than MaxTasksPerUser. Each task knows how many there were at most when
-- it was added, and nothing is added behind the newest unfinished one, so that one's number is enough until it reaches the limit. Only then they
-- are counted, up to the limit. NOLOCK: tasks of open transactions count, and nobody waits for them. Sessions that add tasks at the same
-- moment may miss each other's.
-- Access: private; called by procedures that join the caller's transaction
-- Parameters:
--   @UserSid varbinary(85) (required): SID of the user
--   @Limit int (required): MaxTasksPerUser
--   @New int (required): how many tasks are to be added
--   @Tasks bigint OUTPUT: UserTasks of the new tasks
-- Errors (number 50000, the number below in text and state):
--   51038: the user would have too many unfinished tasks
CREATE OR ALTER PROCEDURE {{.Schema}}.CountTasks
    @UserSid varbinary(85),
    @Limit int,
    @New int,
    @Tasks bigint OUTPUT
AS
BEGIN
    SET @Tasks = @New;
    SELECT TOP (1) @Tasks = @New + t.UserTasks
    FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
    WHERE t.EnqueuedBySid = @UserSid AND t.UserTasks IS NOT NULL AND t.FinishedAt IS NULL
    ORDER BY t.TaskId DESC
    OPTION (MAXDOP 1);

    IF @Tasks > @Limit
        SELECT @Tasks = @New + COUNT(*)
        FROM (SELECT TOP (@Limit) t.TaskId
              FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
              WHERE t.EnqueuedBySid = @UserSid AND t.UserTasks IS NOT NULL AND t.FinishedAt IS NULL) AS u
        OPTION (MAXDOP 1);

    IF @Tasks <= @Limit
        RETURN 0;

    RAISERROR (N'dbsched 51038: you may have %d unfinished tasks. Wait until some end, cancel some, or ask an administrator for more.',
               16, 38, @Limit);
    RETURN 51038;
END;
