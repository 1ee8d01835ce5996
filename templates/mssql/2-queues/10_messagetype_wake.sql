-- "Look again": the only message dbsched sends. It has no body.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.service_message_types AS m WHERE m.name = {{.WakeTypeLit}})
    CREATE MESSAGE TYPE {{.WakeType}} AUTHORIZATION {{.Owner}} VALIDATION = NONE;
