-- Procedure: ChooseProcess
-- Purpose: Chooses the process that is served next, as the policy says, and locks its row: whoever holds it decides alone what is next there.
-- Access: private; part of NextTask's transaction.
-- Parameters:
--   @Policy varchar(10) (required): Fifo, Priority or RoundRobin
--   @HeldId int (required): process whose row this transaction has locked; NULL = none
--   @Turns int OUTPUT: how often it was not the chosen one's turn any more
--   @ProcessId int OUTPUT: the process; NULL = none has work that may start
--   @Locked bit OUTPUT: 1 = its row is locked, and it still may be served; 0 = choose again in another transaction
CREATE OR ALTER PROCEDURE {{.Schema}}.ChooseProcess
    @Policy varchar(10),
    @HeldId int,
    @Turns int OUTPUT,
    @ProcessId int OUTPUT,
    @Locked bit OUTPUT
AS
BEGIN
    DECLARE @TurnOf int;

    SELECT @ProcessId = NULL, @Locked = 0;

    -- Without locks: READPAST would skip a process from which another worker is claiming.
    SELECT TOP (1) @ProcessId = q.ProcessId
    FROM {{.Schema}}.Processes AS q WITH (NOLOCK)
    WHERE q.HasWork = 1 AND q.Status IN ('Open', 'Closing') AND (q.MaxParallel IS NULL OR q.Running < q.MaxParallel)
    ORDER BY CASE WHEN @Policy = 'RoundRobin' THEN q.Running * 1000 / q.Weight ELSE 0 END,
             CASE WHEN @Policy = 'RoundRobin' THEN q.LastServedAt ELSE NULL END,
             CASE WHEN @Policy = 'Priority' THEN -q.Priority ELSE 0 END,
             q.ProcessId
    OPTION (MAXDOP 1);

    -- Two workers that each held a process and waited for the other's would wait for ever.
    IF @ProcessId <> @HeldId
        RETURN;

    -- Check it again under the lock. By the primary key, like all locks of processes: a lock on an entry of another index blocks no other session.
    SELECT @Locked = 1
    FROM {{.Schema}}.Processes AS k WITH (UPDLOCK, ROWLOCK, FORCESEEK, INDEX (PK_Processes))
    WHERE k.ProcessId = @ProcessId AND k.HasWork = 1 AND k.Status IN ('Open', 'Closing') AND (k.MaxParallel IS NULL OR k.Running < k.MaxParallel)
    OPTION (MAXDOP 1);

    IF @Locked = 0 OR @Policy <> 'RoundRobin' OR @HeldId IS NOT NULL OR @Turns >= 5
        RETURN;

    -- Other processes may have been served during the wait for the lock: is it still this one's turn?
    SELECT TOP (1) @TurnOf = p.ProcessId
    FROM {{.Schema}}.Processes AS p WITH (NOLOCK)
    WHERE p.HasWork = 1 AND p.Status IN ('Open', 'Closing') AND (p.MaxParallel IS NULL OR p.Running < p.MaxParallel)
    ORDER BY p.Running * 1000 / p.Weight, p.LastServedAt, p.ProcessId
    OPTION (MAXDOP 1);

    IF @TurnOf <> @ProcessId
        SELECT @Locked = 0, @Turns = @Turns + 1;
END;
