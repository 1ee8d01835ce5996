-- "Look again": the only message dbsched sends. Its body is 0x01 if a transaction added tasks, else 0x00.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.service_message_types AS m WHERE m.name = {{.WakeTypeLit}})
    CREATE MESSAGE TYPE {{.WakeType}} AUTHORIZATION {{.Owner}} VALIDATION = NONE;
