-- View: Me
-- Purpose: The SID of the caller, by which everything that has an owner is compared; no row if the caller can own nothing: an application
-- role, guest, a certificate, or a member of a Windows group without a user of its own. They cannot be impersonated (EXECUTE AS, "name must be a
-- singleton account"). Names and numbers are reused; a SID is not, and a user that is created again for the same login has it again.
-- dbo's SID is that of the login that owns the database. What dbo leaves runs as dbo, so it must not become that login's when another
-- one owns the database: dbo counts as sa, whose SID no other user can have.
-- Access: private
-- Columns: Sid
CREATE OR ALTER VIEW {{.Schema}}.Me
AS
SELECT CASE u.principal_id WHEN 1 THEN 0x01 ELSE u.sid END AS Sid
FROM sys.database_principals AS u
WHERE u.principal_id = DATABASE_PRINCIPAL_ID() AND u.principal_id <> 2 AND u.type IN ('S', 'U', 'E');
