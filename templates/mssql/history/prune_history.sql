-- Procedure: PruneHistory
-- Purpose: Deletes a slice of history older than a time: tasks, processes, attempts, alarms, firings of schedules and rounds.
-- Access: private
-- Parameters:
--   @Cutoff datetime2(3) (required): delete what ended before this time, in UTC
--   @Rows int OUTPUT: number of rows deleted
--   @Full bit OUTPUT: 1 = a slice was full, so there is more to delete
CREATE OR ALTER PROCEDURE {{.Schema}}.PruneHistory
    @Cutoff datetime2(3),
    @Rows int OUTPUT,
    @Full bit OUTPUT
AS
BEGIN
    SELECT @Rows = 0, @Full = 0;

    -- Small slices keep locks and log small. One is full from 400 on: among the oldest 500 some may not have ended.
    DELETE TOP (500) t
    FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
    WHERE t.FinishedAt IS NOT NULL AND t.FinishedAt < @Cutoff
    OPTION (MAXDOP 1);

    SELECT @Rows = @Rows + @@ROWCOUNT, @Full = CASE WHEN @@ROWCOUNT >= 400 THEN 1 ELSE @Full END;

    DELETE TOP (500) p
    FROM {{.Schema}}.Processes AS p WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
    WHERE p.FinishedAt IS NOT NULL AND p.FinishedAt < @Cutoff AND p.ProcessId <> 1 AND p.Running = 0
      AND NOT EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = p.ProcessId AND t.FinishedAt IS NULL)
    OPTION (MAXDOP 1);

    SELECT @Rows = @Rows + @@ROWCOUNT, @Full = CASE WHEN @@ROWCOUNT >= 400 THEN 1 ELSE @Full END;

    -- LogId rises with time: if the lowest row is recent, there is nothing to delete.
    IF (SELECT TOP (1) g.StartedAt FROM {{.Schema}}.Logs AS g WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK) ORDER BY g.LogId) < @Cutoff
    BEGIN
        WITH Oldest AS
        (
            SELECT TOP (500) g.LogId, g.EndedAt
            FROM {{.Schema}}.Logs AS g WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
            ORDER BY g.LogId
        )
        DELETE FROM Oldest WHERE EndedAt < @Cutoff;

        SELECT @Rows = @Rows + @@ROWCOUNT, @Full = CASE WHEN @@ROWCOUNT >= 400 THEN 1 ELSE @Full END;
    END;

    IF (SELECT TOP (1) a.RaisedAt FROM {{.Schema}}.Alarms AS a WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK) ORDER BY a.AlarmId) < @Cutoff
    BEGIN
        WITH Oldest AS
        (
            SELECT TOP (500) a.AlarmId, a.RaisedAt
            FROM {{.Schema}}.Alarms AS a WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
            ORDER BY a.AlarmId
        )
        DELETE FROM Oldest WHERE RaisedAt < @Cutoff;

        SELECT @Rows = @Rows + @@ROWCOUNT, @Full = CASE WHEN @@ROWCOUNT >= 400 THEN 1 ELSE @Full END;
    END;

    DELETE TOP (500) f
    FROM {{.Schema}}.ScheduleFirings AS f WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
    WHERE f.LoggedAt < @Cutoff AND f.Status <> 'Waiting'
    OPTION (MAXDOP 1);

    SELECT @Rows = @Rows + @@ROWCOUNT, @Full = CASE WHEN @@ROWCOUNT >= 400 THEN 1 ELSE @Full END;

    -- Keep the last firing of each round: RoundInfo shows it.
    WITH Oldest AS
    (
        SELECT TOP (500) f.FiringId, f.FiredAt, f.Status
        FROM {{.Schema}}.RoundFirings AS f WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE EXISTS (SELECT 1 FROM {{.Schema}}.RoundFirings AS n WITH (NOLOCK) WHERE n.RoundId = f.RoundId AND n.Generation > f.Generation)
        ORDER BY f.FiringId
    )
    DELETE FROM Oldest WHERE FiredAt < @Cutoff AND Status <> 'Starting';

    SELECT @Rows = @Rows + @@ROWCOUNT, @Full = CASE WHEN @@ROWCOUNT >= 400 THEN 1 ELSE @Full END;
END;
