-- Procedure: WakeOnce
-- Purpose: Sends the dispatcher one wake-up per transaction, however often it is called in it. It looks again a second later, see DispatchTurn.
-- Access: private; called by procedures that join the caller's transaction.
CREATE OR ALTER PROCEDURE {{.Schema}}.WakeOnce
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @TransactionId bigint = CURRENT_TRANSACTION_ID();

    IF EXISTS (SELECT 1 FROM {{.Schema}}.WakeSent AS w WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE w.TransactionId = @TransactionId)
        RETURN 0;

    INSERT INTO {{.Schema}}.WakeSent WITH (ROWLOCK) (TransactionId) VALUES (@TransactionId);
    EXEC {{.Schema}}.SendWake;
    RETURN 0;
END;
