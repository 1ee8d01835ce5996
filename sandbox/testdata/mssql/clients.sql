-- What client libraries and the tools above them send: in the main statements about the schema, and their questions about it.
-- A collation may follow a column; comparisons go by it.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/collations
CREATE TABLE dbo.Word (Id int NOT NULL CONSTRAINT PK_Word PRIMARY KEY, Text nvarchar(20) NULL, Price money NULL);
--> ok
INSERT INTO dbo.Word (Id, Text, Price) VALUES (1, N'apple', 1.5), (2, N'APPLE', -2.25), (3, N'Pear', NULL);
--> affected: 3
SELECT Id FROM dbo.Word WHERE Text = N'apple' ORDER BY Id;
--> 1
--> 2
SELECT Id FROM dbo.Word WHERE Text COLLATE Latin1_General_BIN2 = N'apple';
--> 1
SELECT w.Id FROM dbo.Word w WHERE w.Text COLLATE SQL_Latin1_General_CP1_CS_AS LIKE N'A%' AND w.Id > 0;
--> 2
SELECT a.Id, b.Id FROM dbo.Word a JOIN dbo.Word b ON a.Text COLLATE Latin1_General_BIN2 = b.Text COLLATE Latin1_General_BIN2 WHERE a.Id < 3 ORDER BY a.Id;
--> 1 | 1
--> 2 | 2
SELECT Id FROM dbo.Word ORDER BY Text COLLATE Latin1_General_BIN2;
--> 2
--> 3
--> 1
SELECT Id FROM dbo.Word WHERE Text COLLATE No_Such_Collation = N'apple';
--> refused the sandbox does not model collation
-- After UNION, ORDER BY may name a column of the first select list as that writes it.
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-order-by-clause-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/reverse-transact-sql
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/extended-properties-catalog-views-sys-extended-properties
SELECT ep.name, CAST(ep.value AS nvarchar(max)) FROM sys.extended_properties ep JOIN sys.tables t ON t.object_id = ep.major_id WHERE ep.minor_id = 0 AND ep.class = 1;
--> rows: 0
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-addextendedproperty-transact-sql
EXEC sp_addextendedproperty N'MS_Description', N'words', N'SCHEMA', N'dbo', N'TABLE', N'Word';
--> refused the procedure sp_addextendedproperty
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/execute-transact-sql
CREATE FUNCTION dbo.Twice (@n int) RETURNS int AS BEGIN RETURN 2 * @n; END;
--> ok
EXEC dbo.Twice 2;
--> refused
-- Columns change their type, and whether they allow NULL, as long as the rows and what depends on them let them.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/alter-table-transact-sql
CREATE TABLE dbo.Thing (Id int NOT NULL CONSTRAINT PK_Thing PRIMARY KEY, Code varchar(5) NULL, Amount int NULL CONSTRAINT DF_Thing DEFAULT 7,
  Gone int NULL, Kind int NULL CONSTRAINT CK_Thing CHECK (Kind > 0));
--> ok
CREATE INDEX IX_Thing ON dbo.Thing (Code);
--> ok
INSERT INTO dbo.Thing (Id, Code, Gone) VALUES (1, 'abc', 1), (2, NULL, 2);
--> affected: 2
UPDATE dbo.Thing SET Code = 'defgh' WHERE Id = 2;
--> affected: 1
SELECT Gone FROM dbo.Thing WHERE Gone = '2';
--> 2
INSERT INTO dbo.Thing (Id, Code, Kind) VALUES (1, 'x', 1);
--> error: 2627 PK_Thing
INSERT INTO dbo.Thing (Id, Code, Kind) VALUES (9, 'x', 0);
--> error: 547 CK_Thing
-- A constraint goes and comes back within a transaction.
-- https://learn.microsoft.com/en-us/sql/relational-databases/tables/delete-check-constraints
BEGIN TRANSACTION; ALTER TABLE dbo.Thing DROP CONSTRAINT CK_Thing; ALTER TABLE dbo.Thing ADD CONSTRAINT CK_Thing CHECK (Kind > 1); COMMIT;
--> ok
INSERT INTO dbo.Thing (Id, Code, Kind) VALUES (9, 'x', 1);
--> error: 547 CK_Thing
-- Referential actions other than ON DELETE CASCADE are refused only where a row needs them.
-- https://learn.microsoft.com/en-us/sql/relational-databases/tables/primary-and-foreign-key-constraints
CREATE TABLE dbo.Owner (Id int NOT NULL CONSTRAINT PK_Owner PRIMARY KEY);
--> ok
CREATE TABLE dbo.Owned (Id int NOT NULL CONSTRAINT PK_Owned PRIMARY KEY, Owner int NULL);
--> ok
CREATE TABLE dbo.Plain (Owner int NULL);
--> ok
INSERT INTO dbo.Owner (Id) VALUES (1), (2);
--> ok
INSERT INTO dbo.Owned (Id, Owner) VALUES (1, 1);
--> ok
DELETE FROM dbo.Owner WHERE Id = 2;
--> affected: 1
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-information-schema-views/constraint-column-usage-transact-sql
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-information-schema-views/constraint-table-usage-transact-sql
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-information-schema-views/check-constraints-transact-sql
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-helpindex-transact-sql
CREATE UNIQUE INDEX IX_Pair ON dbo.Thing (Kind DESC, Code, Id) INCLUDE (Amount);
--> ok
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/columnproperty-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/col-name-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/sessionproperty-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/string-agg-transact-sql
SELECT STRING_AGG(CAST(Id AS varchar(5)), ',') WITHIN GROUP (ORDER BY Id DESC) FROM dbo.Word;
--> refused
SELECT Kind, Code, COUNT(*) FROM dbo.Thing WHERE (EXISTS (SELECT 1 FROM dbo.Word)) AND Id < 3 AND CURRENT_TIMESTAMP > '20000101' GROUP BY Kind, Code ORDER BY Code;
--> NULL | abc | 1
--> NULL | defgh | 1
SELECT t.Id, o.Id FROM dbo.Thing t LEFT JOIN (dbo.Owner o JOIN dbo.Owned d ON d.Owner = o.Id) ON o.Id = t.Id WHERE t.Id < 3 ORDER BY t.Id;
--> 1 | 1
--> 2 | NULL
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/drop-sequence-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/merge-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-dateformat-transact-sql
SET DATEFORMAT ymd;
--> refused
SELECT CAST('2026-02-01' AS date), CAST('20260201 10:00' AS datetime);
--> 2026-02-01 | 2026-02-01 10:00:00
SET DATEFORMAT dmy;
--> refused
SET DATEFORMAT mdy;
--> ok
-- What SqlClient asks: its GetSchema, DeriveParameters, CommandBehavior.KeyInfo and SqlBulkCopy, in shapes of several versions.
-- https://learn.microsoft.com/en-us/dotnet/api/microsoft.data.sqlclient.sqlconnection.getschema
EXEC sys.sp_indexes_managed NULL, NULL, N'Owned';
--> refused sp_indexes_managed
-- Types are numbers of SqlDbType; the kinds of parameters are 1 in, 2 in and out, 4 the return value.
-- https://learn.microsoft.com/en-us/dotnet/api/microsoft.data.sqlclient.sqlcommandbuilder.deriveparameters
CREATE TYPE dbo.Ids AS TABLE (Id int NOT NULL);
--> ok
CREATE PROCEDURE dbo.Derived @Name nvarchar(20) OUTPUT, @Price decimal(9, 2), @At datetime2(3) = NULL, @Long varchar(max), @Ids dbo.Ids READONLY AS RETURN 1;
--> ok
-- https://learn.microsoft.com/en-us/dotnet/api/system.data.commandbehavior
SET NO_BROWSETABLE ON;
--> refused
-- https://github.com/dotnet/SqlClient/blob/main/src/Microsoft.Data.SqlClient/src/Microsoft/Data/SqlClient/SqlBulkCopy.cs
SELECT @@TRANCOUNT; SET FMTONLY ON SELECT * FROM dbo.Word SET FMTONLY OFF EXEC ..sp_tablecollations_100 N'.[Word]';
--> 0
--> ----
--> rows: 0
--> ----
--> 1 | Id | NULL | NULL
--> 2 | Text | 0x0904D00034 | SQL_Latin1_General_CP1_CI_AS
--> 3 | Price | NULL | NULL
SELECT @@TRANCOUNT;

DECLARE @columns nvarchar(max) = NULL;
IF EXISTS (SELECT TOP 1 * FROM sys.all_columns WHERE [object_id] = OBJECT_ID('sys.all_columns') AND [name] = 'graph_type')
BEGIN
    SELECT @columns = COALESCE(@columns + ', ', '') + QUOTENAME([name]) FROM sys.all_columns WHERE [object_id] = OBJECT_ID('[dbo].[Word]') AND COALESCE([graph_type], 0) NOT IN (1, 3, 4, 6, 7) ORDER BY [column_id] ASC;
END
ELSE
BEGIN
    SELECT @columns = COALESCE(@columns + ', ', '') + QUOTENAME([name]) FROM sys.all_columns WHERE [object_id] = OBJECT_ID('[dbo].[Word]') ORDER BY [column_id] ASC;
END

SELECT @columns = COALESCE(@columns, '*');

SET FMTONLY ON;
EXEC(N'SELECT ' + @columns + N' FROM [dbo].[Word]');
SET FMTONLY OFF;
--> 0
--> ----
--> rows: 0
SELECT @@TRANCOUNT;
DECLARE @id int = OBJECT_ID('[dbo].[Word]'), @select nvarchar(max), @sort nvarchar(max), @query nvarchar(max), @columns nvarchar(max) = NULL, @may int = HAS_PERMS_BY_NAME('.[sys].[all_columns]', 'OBJECT', 'SELECT');
CREATE TABLE #Aliases ([Canonical] SYSNAME, [Id] INT, [Alias] SYSNAME)
IF CAST(SERVERPROPERTY('EngineEdition') AS INT) = 6
BEGIN
    SET @select = N'SELECT @columns = STRING_AGG(CAST(QUOTENAME([name]) AS NVARCHAR(MAX)), '', '') WITHIN GROUP (ORDER BY [column_id] ASC)';
END
ELSE
    SELECT @select = N'SELECT @columns = COALESCE(@columns + '', '', '''') + QUOTENAME([name])', @sort = N'ORDER BY [column_id] ASC';
IF @may = 1 AND EXISTS (SELECT TOP 1 * FROM .[sys].[all_columns] WHERE [object_id] = OBJECT_ID('.[sys].[all_columns]') AND [name] = 'graph_type')
BEGIN
    EXEC sp_executesql N'
    INSERT INTO #Aliases SELECT [name], [column_id], ''$to_id'' FROM .[sys].[all_columns] WHERE [object_id] = @id AND COALESCE([graph_type], 0) = 8
    UNION ALL SELECT [name], [column_id], ''$edge_id'' FROM .[sys].[all_columns] WHERE [object_id] = @id AND COALESCE([graph_type], 0) = 2 AND [name] LIKE ''$edge[_]id[_]%''', N'@id INT', @id = @id
    SET @query = @select + N' FROM .[sys].[all_columns] WHERE [object_id] = @id AND COALESCE([graph_type], 0) NOT IN (1, 3, 4, 6, 7) ' + @sort;
    EXEC sp_executesql @query, N'@id INT, @columns NVARCHAR(MAX) OUTPUT', @id = @id, @columns = @columns OUTPUT;
    DELETE FROM #Aliases WHERE [Alias] IN (SELECT [name] FROM .[sys].[all_columns] WHERE [object_id] = @id)
END
SELECT @columns = COALESCE(@columns, '*');
SET FMTONLY ON;
EXEC(N'SELECT ' + @columns + N' FROM [dbo].[Word]');
SET FMTONLY OFF;
SELECT [Canonical], [Alias] FROM #Aliases ORDER BY [Id] ASC
DROP TABLE #Aliases
--> 0
--> ----
--> rows: 0
--> ----
--> rows: 0
