-- https://learn.microsoft.com/en-us/sql/t-sql/functions/object-id-transact-sql
CREATE TABLE dbo.Asset (Id int IDENTITY(1,1) NOT NULL CONSTRAINT PK_Asset PRIMARY KEY, Tag varchar(20) NOT NULL CONSTRAINT UQ_Tag UNIQUE, Price money NULL CONSTRAINT DF_Price DEFAULT (0), Kind nchar(2) NULL CONSTRAINT CK_Kind CHECK (Kind <> N'xx'), Parent int NULL);
--> ok
CREATE INDEX IX_Kind ON dbo.Asset (Kind DESC, Tag) INCLUDE (Price) WHERE Kind IS NOT NULL;
--> ok
SELECT IIF(OBJECT_ID('dbo.Asset') > 0, 1, 0), IIF(OBJECT_ID('Asset', 'U') = OBJECT_ID('[dbo].[asset]'), 1, 0), OBJECT_ID('dbo.Asset', 'V'), OBJECT_ID('dbo.Nope'), IIF(OBJECT_ID('PK_Asset') IS NULL, 0, 1), OBJECT_NAME(OBJECT_ID('dbo.Asset')), OBJECT_SCHEMA_NAME(OBJECT_ID('dbo.Asset'));
--> 1 | 1 | NULL | NULL | 1 | Asset | dbo
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-columns-transact-sql
SELECT c.name, t.name, c.max_length, c.precision, c.scale, c.is_nullable, c.is_identity, c.is_computed FROM sys.columns AS c JOIN sys.types AS t ON t.user_type_id = c.user_type_id WHERE c.object_id = OBJECT_ID('dbo.Asset') ORDER BY c.column_id;
--> Id | int | 4 | 10 | 0 | 0 | 1 | 0
--> Tag | varchar | 20 | 0 | 0 | 0 | 0 | 0
--> Price | money | 8 | 19 | 4 | 1 | 0 | 0
--> Kind | nchar | 4 | 0 | 0 | 1 | 0 | 0
--> Parent | int | 4 | 10 | 0 | 1 | 0 | 0
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-objects-transact-sql
SELECT name, type, type_desc FROM sys.objects WHERE object_id = OBJECT_ID('dbo.Asset') OR parent_object_id = OBJECT_ID('dbo.Asset') ORDER BY name;
--> Asset | U  | USER_TABLE
--> CK_Kind | C  | CHECK_CONSTRAINT
--> DF_Price | D  | DEFAULT_CONSTRAINT
--> PK_Asset | PK | PRIMARY_KEY_CONSTRAINT
--> UQ_Tag | UQ | UNIQUE_CONSTRAINT
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-indexes-transact-sql
SELECT name, index_id, type_desc, is_unique, is_primary_key, is_unique_constraint, has_filter, filter_definition FROM sys.indexes WHERE object_id = OBJECT_ID('dbo.Asset') ORDER BY index_id;
--> PK_Asset | 1 | CLUSTERED | 1 | 1 | 0 | 0 | NULL
--> UQ_Tag | 2 | NONCLUSTERED | 1 | 0 | 1 | 0 | NULL
--> IX_Kind | 3 | NONCLUSTERED | 0 | 0 | 0 | 1 | ([Kind] IS NOT NULL)
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-index-columns-transact-sql
SELECT c.name, i.key_ordinal, i.is_descending_key, i.is_included_column FROM sys.index_columns AS i JOIN sys.columns AS c ON c.object_id = i.object_id AND c.column_id = i.column_id WHERE i.object_id = OBJECT_ID('dbo.Asset') AND i.index_id = 3 ORDER BY i.index_column_id;
--> Kind | 1 | 1 | 0
--> Tag | 2 | 0 | 0
--> Price | 0 | 0 | 1
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-identity-columns-transact-sql
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-check-constraints-transact-sql
SELECT name, definition, is_disabled, is_not_trusted FROM sys.check_constraints WHERE parent_object_id = OBJECT_ID('dbo.Asset');
--> CK_Kind | ([Kind]<>N'xx') | 0 | 0
SELECT name, definition, is_system_named FROM sys.default_constraints WHERE parent_object_id = OBJECT_ID('dbo.Asset');
--> DF_Price | ((0)) | 0
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-foreign-keys-transact-sql
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-information-schema-views/tables-transact-sql
CREATE VIEW dbo.Tags AS SELECT Tag FROM dbo.Asset;
--> ok
SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME IN ('Asset', 'Tags') ORDER BY TABLE_NAME;
--> dbo | Asset | BASE TABLE
--> dbo | Tags | VIEW
SELECT CONSTRAINT_NAME, CONSTRAINT_TYPE FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS WHERE TABLE_NAME = 'Asset' ORDER BY CONSTRAINT_NAME;
--> CK_Kind | CHECK
--> PK_Asset | PRIMARY KEY
--> UQ_Tag | UNIQUE
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-procedures-transact-sql
CREATE PROCEDURE dbo.AddAsset @tag varchar(20), @price money = 5, @id int OUTPUT AS SET @id = 1;
--> ok
SELECT p.name, a.name, TYPE_NAME(a.user_type_id), a.parameter_id, a.is_output FROM sys.procedures AS p JOIN sys.parameters AS a ON a.object_id = p.object_id WHERE p.name = 'AddAsset' ORDER BY a.parameter_id;
--> AddAsset | @tag | varchar | 1 | 0
--> AddAsset | @price | money | 2 | 0
--> AddAsset | @id | int | 3 | 1
SELECT REPLACE(definition, CHAR(10), ''), uses_ansi_nulls FROM sys.sql_modules WHERE object_id = OBJECT_ID('dbo.Tags');
--> CREATE VIEW dbo.Tags AS SELECT Tag FROM dbo.Asset; | 1
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-databases-transact-sql
SELECT name, database_id, state_desc, recovery_model_desc, is_read_only FROM sys.databases WHERE database_id <= 4 ORDER BY database_id;
--> master | 1 | ONLINE | SIMPLE | 0
--> tempdb | 2 | ONLINE | SIMPLE | 0
--> model | 3 | ONLINE | FULL | 0
--> msdb | 4 | ONLINE | SIMPLE | 0
SELECT DB_NAME(1), DB_NAME(2), DB_ID('tempdb'), DB_ID('nope'), IIF(DB_ID() = DB_ID(DB_NAME()), 1, 0);
--> master | tempdb | 2 | NULL | 1
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-schemas-transact-sql
SELECT name, schema_id FROM sys.schemas WHERE schema_id <= 4 ORDER BY schema_id;
--> dbo | 1
--> guest | 2
--> INFORMATION_SCHEMA | 3
--> sys | 4
SELECT SCHEMA_NAME(), SCHEMA_NAME(1), SCHEMA_ID('sys'), SCHEMA_NAME(99);
--> dbo | dbo | 4 | NULL
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-types-transact-sql
SELECT name, system_type_id, max_length FROM sys.types WHERE name IN ('int', 'nvarchar', 'sysname', 'bit', 'numeric', 'decimal') ORDER BY name;
--> bit | 104 | 1
--> decimal | 106 | 17
--> int | 56 | 4
--> numeric | 108 | 17
--> nvarchar | 231 | 8000
--> sysname | 231 | 256
CREATE TABLE dbo.Both (a numeric(5,1), b decimal(5,1), c dec(5,1)); SELECT c.name, TYPE_NAME(c.user_type_id), DATA_TYPE FROM sys.columns AS c JOIN INFORMATION_SCHEMA.COLUMNS AS i ON i.TABLE_NAME = 'Both' AND i.COLUMN_NAME = c.name WHERE c.object_id = OBJECT_ID('dbo.Both') ORDER BY c.column_id;
--> a | numeric | numeric
--> b | decimal | decimal
--> c | decimal | decimal
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/serverproperty-transact-sql
SELECT SERVERPROPERTY('EngineEdition'), SERVERPROPERTY('IsIntegratedSecurityOnly'), SERVERPROPERTY('NoSuchProperty');
--> 3 | 0 | NULL
SELECT DATABASEPROPERTYEX(DB_NAME(), 'Status'), DATABASEPROPERTYEX('nope', 'Status'), DATABASEPROPERTYEX(DB_NAME(), 'Updateability');
--> ONLINE | NULL | READ_WRITE
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/system-catalog-views-transact-sql
SELECT COUNT(*) FROM sys.triggers; SELECT COUNT(*) FROM sys.synonyms;
--> 0
--> ----
--> 0
SELECT nope FROM sys.tables;
--> error: 207 Invalid column name 'nope'
SELECT s.session_id, s.is_user_process FROM sys.dm_exec_sessions AS s WHERE s.session_id = @@SPID AND s.login_name = ORIGINAL_LOGIN() AND s.status = 'running';
--> ok
SELECT COUNT(*) FROM sys.dm_exec_requests WHERE session_id = @@SPID AND command = 'SELECT';
--> 1
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-addextendedproperty-transact-sql
EXEC sp_addextendedproperty @name = N'MS_Description', @value = N'what we own', @level0type = N'SCHEMA', @level0name = N'dbo';
--> refused the procedure sp_addextendedproperty
EXEC msdb.dbo.sp_send_dbmail @recipients = 'a@example.com', @subject = 'hello';
--> refused the procedure sp_send_dbmail
