-- Removes what 0003_enqueue.up.sql added.
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;

BEGIN TRANSACTION;

DROP TYPE IF EXISTS {{.Schema}}.TaskTable;
DROP INDEX IF EXISTS IX_Tasks_DedupKey ON {{.Schema}}.Tasks;

ALTER TABLE {{.Schema}}.Tasks DROP CONSTRAINT IF EXISTS DF_Tasks_Transactional;
ALTER TABLE {{.Schema}}.Tasks DROP COLUMN IF EXISTS DedupKey, DuplicateOf, Parameters, Transactional;

COMMIT TRANSACTION;
