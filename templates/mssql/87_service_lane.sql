-- Where the dispatcher sends the wake-ups of worker slot {{.Lane.ID}}.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.services AS s WHERE s.name = {{.Lane.ServiceLit}})
    CREATE SERVICE {{.Lane.Service}} AUTHORIZATION {{.Owner}} ON QUEUE {{.Schema}}.{{.Lane.Name}} ({{.Contract}});
