-- The rows that must exist, the installed version and the number of lanes. From here on, workers of other versions leave. What was lost
-- comes back: the settings with default values (Started = 0, no home), a process with the tasks that it has.
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
SET NUMERIC_ROUNDABORT OFF;

-- As the owner: all others are denied these tables (see grants).
EXECUTE AS USER = {{.OwnerLit}};

BEGIN TRY
    BEGIN TRANSACTION;

    INSERT INTO {{.Schema}}.Settings WITH (ROWLOCK) (SettingsId)
    SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1);

    UPDATE s
    SET s.Version = {{.VersionLit}},
        s.MaxLanes = {{len .Lanes}},
        s.MaxWorkers = CASE WHEN s.MaxWorkers > {{len .Lanes}} THEN {{len .Lanes}} ELSE s.MaxWorkers END
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1 AND (s.Version <> {{.VersionLit}} OR s.MaxLanes <> {{len .Lanes}});

    INSERT INTO {{.Schema}}.Lanes WITH (ROWLOCK) (LaneId)
    SELECT v.LaneId
    FROM (VALUES {{range $i, $lane := .Lanes}}{{if $i}}, {{end}}({{$lane.ID}}){{end}}) AS v (LaneId)
    WHERE NOT EXISTS (SELECT 1 FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE l.LaneId = v.LaneId);

    -- 1 is the default process. 0 has the tasks that make the processes of schedules; nobody else adds to it.
    SET IDENTITY_INSERT {{.Schema}}.Processes ON;
    INSERT INTO {{.Schema}}.Processes WITH (ROWLOCK)
        (ProcessId, Name, Status, Priority, Weight, OnError, HasWork, Running, CreatedBySid, CreatedByName)
    SELECT v.ProcessId, v.Name, 'Open', v.Priority, v.Weight, 'Continue',
           CASE WHEN EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = v.ProcessId AND t.FinishedAt IS NULL) THEN 1 ELSE 0 END,
           (SELECT COUNT(*) FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = v.ProcessId AND t.WorkerId IS NOT NULL), 0x01, N'dbo'
    FROM (VALUES (0, N'schedules', 1000000, 1000), (1, N'default', 0, 1)) AS v (ProcessId, Name, Priority, Weight)
    WHERE NOT EXISTS (SELECT 1 FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE p.ProcessId = v.ProcessId);
    SET IDENTITY_INSERT {{.Schema}}.Processes OFF;

    COMMIT TRANSACTION;
END TRY
BEGIN CATCH
    IF XACT_STATE() <> 0
        ROLLBACK TRANSACTION;
    REVERT;
    THROW;
END CATCH;

REVERT;
