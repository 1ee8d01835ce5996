-- Procedure: WakeOnce
-- Purpose: Sends the dispatcher one wake-up per transaction, however often it is called in it. It looks again a second later, see DispatchTurn.
-- Also asks for a look from the beginning if a task that the transaction has just added is not beyond the watermark of its process. NOLOCK: a claim
-- that moves the watermark now has written it, or will see the task, see PassedOver. One request is enough: one that is there, of the caller or committed,
-- will be applied after this, and the task, committed or not, then keeps the watermark from passing it.
-- Access: private; called by procedures that join the caller's transaction.
-- Parameters:
--   @TaskId bigint = NULL: the task; NULL = none
CREATE OR ALTER PROCEDURE {{.Schema}}.WakeOnce
    @TaskId bigint = NULL
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @TransactionId bigint = CURRENT_TRANSACTION_ID();

    IF @TaskId IS NOT NULL
        INSERT INTO {{.Schema}}.ProcessRequests WITH (ROWLOCK) (ProcessId, Action)
        SELECT p.ProcessId, 'Look'
        FROM {{.Schema}}.Tasks AS t WITH (NOLOCK)
        INNER JOIN {{.Schema}}.Processes AS p WITH (NOLOCK) ON p.ProcessId = t.ProcessId
        WHERE t.TaskId = @TaskId
          AND (t.Rank < p.WaveRank OR (t.Rank = p.WaveRank AND t.TaskId < p.WaveTaskId))
          AND NOT EXISTS (SELECT 1 FROM {{.Schema}}.ProcessRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
                          WHERE r.ProcessId = p.ProcessId AND r.Action = 'Look');

    IF EXISTS (SELECT 1 FROM {{.Schema}}.WakeSent AS w WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE w.TransactionId = @TransactionId)
        RETURN 0;

    INSERT INTO {{.Schema}}.WakeSent WITH (ROWLOCK) (TransactionId) VALUES (@TransactionId);
    EXEC {{.Schema}}.SendWake @Body = 0x01;
    RETURN 0;
END;
