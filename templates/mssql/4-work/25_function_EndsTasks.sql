-- Function: EndsTasks
-- Purpose: 1 = KillWorker is signed (dbsched render --kill-script), so that dbsched can end the sessions of its workers. As the owner: a
-- view shows of the catalog only what its reader may see (Metadata Visibility Configuration).
-- Access: private
CREATE OR ALTER FUNCTION {{.Schema}}.EndsTasks()
RETURNS bit
WITH EXECUTE AS OWNER
AS
BEGIN
    RETURN CASE WHEN EXISTS (SELECT 1 FROM sys.crypt_properties AS c WHERE c.class = 1 AND c.major_id = OBJECT_ID({{str .KillProcedure}}, N'P')) THEN 1 ELSE 0 END;
END;
