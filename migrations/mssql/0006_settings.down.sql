-- Removes what 0006_settings.up.sql added.
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;

BEGIN TRANSACTION;

ALTER TABLE {{.Schema}}.Settings DROP COLUMN IF EXISTS AlarmHook, AlarmHookProcessId, AlarmHookById, AlarmHookBySid, AlarmHookByName, AlarmHookByLogin;

COMMIT TRANSACTION;
