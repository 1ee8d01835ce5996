-- The targets of wake-ups.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.services AS s WHERE s.name = {{.DispatchServiceLit}})
    CREATE SERVICE {{.DispatchService}} AUTHORIZATION {{.Owner}} ON QUEUE {{.Schema}}.Dispatch ({{.Contract}});
{{- range .Lanes}}
IF NOT EXISTS (SELECT 1 FROM sys.services AS s WHERE s.name = {{.ServiceLit}})
    CREATE SERVICE {{.Service}} AUTHORIZATION {{$.Owner}} ON QUEUE {{$.Schema}}.{{.Name}} ({{$.Contract}});
{{- end}}
