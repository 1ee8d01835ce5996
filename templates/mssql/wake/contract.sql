-- The initiator of a conversation sends the wake-up. The target only ends it.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.service_contracts AS c WHERE c.name = {{.ContractLit}})
    CREATE CONTRACT {{.Contract}} AUTHORIZATION {{.Owner}} ({{.WakeType}} SENT BY INITIATOR);
