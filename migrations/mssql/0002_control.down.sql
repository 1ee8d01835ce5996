-- Removes what 0002_control.up.sql added.
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;

BEGIN TRANSACTION;

DROP INDEX IF EXISTS IX_Tasks_Stop ON {{.Schema}}.Tasks;
DROP INDEX IF EXISTS IX_Tasks_Failed ON {{.Schema}}.Tasks;

ALTER TABLE {{.Schema}}.Tasks DROP CONSTRAINT IF EXISTS CK_Tasks_TimeoutSeconds, CK_Tasks_StopOutcome, DF_Tasks_StopTries;
ALTER TABLE {{.Schema}}.Tasks DROP COLUMN IF EXISTS TimeoutSeconds, StopOutcome, StopAt, StopTries;
ALTER TABLE {{.Schema}}.Lanes DROP COLUMN IF EXISTS LoginTime;

COMMIT TRANSACTION;
