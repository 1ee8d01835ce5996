-- Function: PendingOf
-- Purpose: How many tasks of a wave are pending beyond a place, counted up to @Most.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
--   @Order int (required): the wave; NULL = none
--   @Rank bigint (required): the place, see PassedOver
--   @TaskId bigint (required): the same
--   @Most int (required): the number from which on it does not matter
-- Columns: Pending
CREATE OR ALTER FUNCTION {{.Schema}}.PendingOf (@ProcessId int, @Order int, @Rank bigint, @TaskId bigint, @Most int)
RETURNS TABLE
AS
RETURN
(
    -- The same locks as in WaveOf, also on the row, where Attempt is: NextTask must find what EndWave marks, or the two would take turns for ever.
    SELECT COUNT(*) AS Pending
    FROM (SELECT TOP (@Most) u.TaskId
          FROM (SELECT t.TaskId
                FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                WHERE t.ProcessId = @ProcessId AND t.ExecutionOrder = @Order AND t.Status = 'Pending' AND t.Rank = @Rank AND t.TaskId > @TaskId AND t.Attempt >= 0
                UNION ALL
                SELECT t.TaskId
                FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                WHERE t.ProcessId = @ProcessId AND t.ExecutionOrder = @Order AND t.Status = 'Pending' AND t.Rank > @Rank AND t.Attempt >= 0) AS u) AS n
);
