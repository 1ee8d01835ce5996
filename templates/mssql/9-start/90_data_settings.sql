-- The installed version and number of lanes. From here on, workers of other versions leave.
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
SET NUMERIC_ROUNDABORT OFF;

-- As the owner: all others are denied these tables (see grants).
EXECUTE AS USER = {{.OwnerLit}};

BEGIN TRY
    BEGIN TRANSACTION;

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

    COMMIT TRANSACTION;
END TRY
BEGIN CATCH
    IF XACT_STATE() <> 0
        ROLLBACK TRANSACTION;
    REVERT;
    THROW;
END CATCH;

REVERT;
