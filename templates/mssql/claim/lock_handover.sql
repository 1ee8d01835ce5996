-- Procedure: LockHandover
-- Purpose: Takes the handover lock of a lane, until the end of the transaction. EndAttempts takes it before it ends a session, so that the
-- session cannot start the next task meanwhile.
-- Access: private; begins the transactions of NextTask and CompleteAttempt.
-- Parameters:
--   @LaneId int (required): the lane
-- Errors:
--   51011: the lock was not granted
CREATE OR ALTER PROCEDURE {{.Schema}}.LockHandover
    @LaneId int
AS
BEGIN
    DECLARE @Handover nvarchar(255) = N'handover:' + CONVERT(nvarchar(10), @LaneId), @Granted int;

    EXEC @Granted = sys.sp_getapplock @Handover, 'Exclusive', 'Transaction', @LockTimeout = -1, @DbPrincipal = {{.LocksRoleLit}};
    IF @Granted < 0 -- such as -3: the victim of a deadlock, which is not rolled back
        THROW 51011, N'dbsched 51011: the handover lock of the lane was not granted.', 1;
END;
