-- Removes what 0004_resources.up.sql added.
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;

BEGIN TRANSACTION;

ALTER TABLE {{.Schema}}.Tasks DROP CONSTRAINT IF EXISTS CK_Tasks_Access;
ALTER TABLE {{.Schema}}.Tasks DROP COLUMN IF EXISTS ResourceId, Access;

DROP TABLE IF EXISTS {{.Schema}}.ResourceRequests;
DROP TABLE IF EXISTS {{.Schema}}.Resources;

COMMIT TRANSACTION;
