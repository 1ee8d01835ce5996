-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-user-transact-sql
CREATE USER ann WITHOUT LOGIN; CREATE USER bob WITHOUT LOGIN; CREATE ROLE readers; CREATE TABLE dbo.Secret (Id int NOT NULL PRIMARY KEY, Val varchar(10) NULL); INSERT INTO dbo.Secret VALUES (1, 'x');
--> ok
CREATE USER ann WITHOUT LOGIN;
--> error: 15023 User, group, or role 'ann' already exists in the current database
CREATE USER carl FOR LOGIN nologin;
--> error: 15007 'nologin' is not a valid login or you do not have permission
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/execute-as-transact-sql
SELECT USER_NAME(); EXECUTE AS USER = 'ann'; SELECT USER_NAME(), IIF(SUSER_SNAME() LIKE 'S-1-9-3-%', 1, 0), ORIGINAL_LOGIN(); REVERT; SELECT USER_NAME();
--> dbo
--> ----
--> ann | 1 | sa
--> ----
--> dbo
EXECUTE AS USER = 'nobody';
--> error: 15517 Cannot execute as the database principal because the principal "nobody" does not exist, this type of principal cannot be impersonated, or you do not have permission
EXECUTE AS USER = 'ann'; SELECT Val FROM dbo.Secret;
--> error: 229 The SELECT permission was denied on the object 'Secret', database 'sandbox', schema 'dbo'
REVERT; GRANT SELECT ON dbo.Secret TO ann; EXECUTE AS USER = 'ann'; SELECT Val FROM dbo.Secret; REVERT;
--> x
EXECUTE AS USER = 'ann'; INSERT INTO dbo.Secret VALUES (2, 'y'); REVERT;
--> error: 229 The INSERT permission was denied on the object 'Secret'
SELECT USER_NAME();
--> dbo
EXECUTE AS USER = 'ann'; DELETE FROM dbo.Secret WHERE Id = 1;
--> error: 229 The DELETE permission was denied
REVERT; SELECT USER_NAME();
--> dbo
-- DENY is stronger than a GRANT to a role; REVOKE takes either away.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/deny-transact-sql
ALTER ROLE readers ADD MEMBER bob; GRANT SELECT, UPDATE ON dbo.Secret TO readers; EXECUTE AS USER = 'bob'; SELECT COUNT(*), IS_MEMBER('readers'), IS_ROLEMEMBER('readers'), HAS_PERMS_BY_NAME('dbo.Secret', 'OBJECT', 'SELECT'), HAS_PERMS_BY_NAME('dbo.Secret', 'OBJECT', 'DELETE') FROM dbo.Secret; REVERT;
--> 1 | 1 | 1 | 1 | 0
DENY SELECT ON dbo.Secret TO bob; EXECUTE AS USER = 'bob'; SELECT COUNT(*) FROM dbo.Secret;
--> error: 229
REVERT; REVOKE SELECT ON dbo.Secret FROM bob; EXECUTE AS USER = 'bob'; SELECT COUNT(*) FROM dbo.Secret; REVERT;
--> 1
ALTER ROLE readers DROP MEMBER bob; EXECUTE AS USER = 'bob'; SELECT COUNT(*) FROM dbo.Secret;
--> error: 229
REVERT; SELECT IS_ROLEMEMBER('readers', 'bob'), IS_ROLEMEMBER('nosuchrole'), IS_MEMBER('db_owner');
--> 0 | NULL | 1
DROP ROLE readers;
--> ok
-- A procedure of the same owner may be run by who may run it: its tables are not checked. Dynamic SQL breaks the chain.
-- https://learn.microsoft.com/en-us/sql/relational-databases/tutorial-ownership-chains-and-context-switching
CREATE PROCEDURE dbo.ShowSecret AS SELECT Val FROM dbo.Secret;
--> ok
CREATE PROCEDURE dbo.ShowDynamic AS EXEC (N'SELECT Val FROM dbo.Secret');
--> ok
CREATE PROCEDURE dbo.ShowAsOwner WITH EXECUTE AS OWNER AS EXEC (N'SELECT Val, USER_NAME() FROM dbo.Secret');
--> ok
GRANT EXECUTE ON dbo.ShowSecret TO bob; GRANT EXECUTE ON OBJECT::dbo.ShowDynamic TO bob; GRANT EXECUTE ON dbo.ShowAsOwner TO bob;
--> ok
EXECUTE AS USER = 'bob'; EXEC dbo.ShowSecret; EXEC dbo.ShowAsOwner; REVERT;
--> x
--> ----
--> x | dbo
EXECUTE AS USER = 'bob'; EXEC dbo.ShowDynamic;
--> error: 229
REVERT; REVOKE EXECUTE ON dbo.ShowSecret FROM bob; EXECUTE AS USER = 'bob'; EXEC dbo.ShowSecret;
--> error: 229 The EXECUTE permission was denied on the object 'ShowSecret'
-- What one may not see does not exist.
-- https://learn.microsoft.com/en-us/sql/relational-databases/security/metadata-visibility-configuration
REVERT; EXECUTE AS USER = 'bob'; SELECT COUNT(*) FROM sys.tables; SELECT OBJECT_ID('dbo.Secret'), OBJECT_ID('dbo.ShowSecret'), IIF(OBJECT_ID('dbo.ShowDynamic') IS NULL, 'hidden', 'seen'); REVERT;
--> 0
--> ----
--> NULL | NULL | seen
GRANT EXECUTE ON SCHEMA::dbo TO bob; EXECUTE AS USER = 'bob'; EXEC dbo.ShowSecret; REVERT;
--> x
EXECUTE AS USER = 'bob'; CREATE TABLE dbo.Mine (a int);
--> error: 262 CREATE TABLE permission denied in database 'sandbox'
REVERT; EXECUTE AS USER = 'bob'; EXECUTE AS USER = 'ann';
--> error: 15517
REVERT; GRANT IMPERSONATE ON USER::ann TO bob; EXECUTE AS USER = 'bob'; EXECUTE AS USER = 'ann'; SELECT USER_NAME(); REVERT; SELECT USER_NAME(); REVERT;
--> ann
--> ----
--> bob
EXECUTE AS USER = 'bob'; DROP TABLE dbo.Secret;
--> error: 3701 Cannot drop the table 'dbo.Secret', because it does not exist or you do not have permission
REVERT; GRANT SELECT ON dbo.NoTable TO bob;
--> error: 15151 Cannot find the object 'NoTable', because it does not exist or you do not have permission
GRANT SELECT ON dbo.Secret TO nobody;
--> error: 15151 Cannot find the user 'nobody', because it does not exist or you do not have permission
GRANT FLY ON dbo.Secret TO bob;
--> error: 102
GRANT SELECT (Id) ON dbo.Secret TO bob;
--> refused
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-database-permissions-transact-sql
SELECT USER_NAME(p.grantee_principal_id), p.permission_name, p.state_desc, p.class_desc FROM sys.database_permissions AS p WHERE p.grantee_principal_id = USER_ID('bob') ORDER BY p.permission_name, p.class_desc;
--> bob | CONNECT | GRANT | DATABASE
--> bob | EXECUTE | GRANT | OBJECT_OR_COLUMN
--> bob | EXECUTE | GRANT | OBJECT_OR_COLUMN
--> bob | EXECUTE | GRANT | SCHEMA
--> bob | IMPERSONATE | GRANT | DATABASE_PRINCIPAL
SELECT name, type_desc, default_schema_name FROM sys.database_principals WHERE name IN ('ann', 'public', 'db_owner', 'dbo', 'guest') ORDER BY name;
--> ann | SQL_USER | dbo
--> db_owner | DATABASE_ROLE | NULL
--> dbo | SQL_USER | dbo
--> guest | SQL_USER | guest
--> public | DATABASE_ROLE | NULL
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-login-transact-sql
CREATE LOGIN dora WITH PASSWORD = 'Str0ng!Pass1'; CREATE USER dora FOR LOGIN dora; EXECUTE AS LOGIN = 'dora'; SELECT SUSER_SNAME(), USER_NAME(), IS_SRVROLEMEMBER('sysadmin'); REVERT;
--> dora | dora | 0
CREATE LOGIN dora WITH PASSWORD = 'x';
--> error: 15025 The server principal 'dora' already exists
SELECT name, type_desc, is_disabled FROM sys.server_principals WHERE name IN ('sa', 'dora') ORDER BY name;
--> dora | SQL_LOGIN | 0
--> sa | SQL_LOGIN | 0
DROP LOGIN dora; SELECT COUNT(*) FROM sys.database_principals WHERE name = 'dora';
--> 1
DROP USER dora, ann;
--> error: 102
DROP USER nosuchuser;
--> error: 15151 Cannot drop the user 'nosuchuser', because it does not exist or you do not have permission
DROP USER IF EXISTS nosuchuser; DROP USER dora;
--> ok
EXECUTE AS USER = 'ann' WITH NO REVERT;
--> refused
REVERT;
--> ok
