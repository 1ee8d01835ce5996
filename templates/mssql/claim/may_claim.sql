-- Procedure: MayClaim
-- Purpose: Whether a worker may claim: the scheduler runs, here, and other workers are not enough. Locks the settings until the commit: after
-- StopScheduler has changed the row, no claim is in progress.
-- Access: private; part of NextTask's transaction.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @CountedFor int OUTPUT: see NextTask
--   @Policy varchar(10) OUTPUT: the policy, which chooses the process
--   @Result varchar(10) OUTPUT: NULL if it may; Stopped; Limit: enough other workers; Moved: this is not the database in which it was started
CREATE OR ALTER PROCEDURE {{.Schema}}.MayClaim
    @LaneId int,
    @CountedFor int OUTPUT,
    @Policy varchar(10) OUTPUT,
    @Result varchar(10) OUTPUT
AS
BEGIN
    DECLARE @MaxWorkers int, @MaxLanes int;

    SET @Result = 'Stopped'; -- so it stays if the row is missing
    SELECT @Result = CASE WHEN s.Started = 0 OR s.Version <> {{.VersionLit}} THEN 'Stopped' WHEN NOT ({{.ByName}}) THEN 'Moved' END,
           @Policy = s.Policy, @MaxWorkers = s.MaxWorkers, @MaxLanes = s.MaxLanes
    FROM {{.Schema}}.Settings AS s WITH (REPEATABLEREAD, ROWLOCK)
    WHERE s.SettingsId = 1;

    -- A count holds for as long as the lane is Busy and MaxWorkers is not lowered.
    IF @CountedFor > @MaxWorkers
        SET @CountedFor = NULL;

    IF @Result IS NOT NULL OR @CountedFor IS NOT NULL OR @LaneId > @MaxLanes
        RETURN;

    -- Without locks: a cheap first check. The decisive one follows in AdmitTask, once this lane is Busy.
    IF @MaxWorkers <= (SELECT COUNT(*)
                       FROM {{.Schema}}.Lanes AS l WITH (NOLOCK)
                       WHERE l.LaneId <= @MaxLanes AND l.LaneId <> @LaneId AND l.State <> 'Idle')
        SET @Result = 'Limit';
END;
