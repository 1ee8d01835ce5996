-- dbsched tables, version 6: the procedure that is called for every alarm.
-- One batch, one transaction; everything that works with earlier versions works with it.
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;

BEGIN TRANSACTION;

ALTER TABLE {{.Schema}}.Settings ADD
    AlarmHook nvarchar(517) NULL,                           -- schema and name, quoted, of the procedure that is called for every alarm, NULL = none
    AlarmHookProcessId int NULL,                            -- process of the tasks that call it
    AlarmHookById int NULL,                                 -- database principal that set it, and as whom it runs
    AlarmHookBySid varbinary(85) NULL,                      -- that principal's SID
    AlarmHookByName nvarchar(128) NULL,                     -- that principal's name
    AlarmHookByLogin nvarchar(128) NULL;                    -- the login behind it, for audits

COMMIT TRANSACTION;
