-- Removes everything that 0001_tables.up.sql created, including the history.
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;

BEGIN TRANSACTION;

DROP TABLE IF EXISTS {{.Schema}}.ScheduleFirings;
DROP TABLE IF EXISTS {{.Schema}}.Schedules;
DROP TABLE IF EXISTS {{.Schema}}.RoundFirings;
DROP TABLE IF EXISTS {{.Schema}}.RoundMembers;
DROP TABLE IF EXISTS {{.Schema}}.Rounds;
DROP TABLE IF EXISTS {{.Schema}}.ResourceRequests;
DROP TABLE IF EXISTS {{.Schema}}.Resources;
DROP TABLE IF EXISTS {{.Schema}}.WakeSent;
DROP TABLE IF EXISTS {{.Schema}}.Alarms;
DROP TABLE IF EXISTS {{.Schema}}.Lanes;
DROP TABLE IF EXISTS {{.Schema}}.Logs;
DROP TABLE IF EXISTS {{.Schema}}.Tasks;
DROP TABLE IF EXISTS {{.Schema}}.ProcessRequests;
DROP TABLE IF EXISTS {{.Schema}}.Processes;
DROP TABLE IF EXISTS {{.Schema}}.Settings;
DROP TYPE IF EXISTS {{.Schema}}.TaskTable;

COMMIT TRANSACTION;
