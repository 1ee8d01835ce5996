-- An error in a function ends the function and the statement that calls it.
-- https://learn.microsoft.com/en-us/sql/relational-databases/user-defined-functions/user-defined-functions
CREATE FUNCTION dbo.Quotient (@n int) RETURNS int AS BEGIN DECLARE @r int = 5; SET @r = 1 / @n; RETURN @r; END;
--> ok
SELECT dbo.Quotient(1);
--> 1
SELECT dbo.Quotient(0);
--> error: 8134
BEGIN TRY SELECT dbo.Quotient(0) AS v; END TRY BEGIN CATCH SELECT ERROR_NUMBER(); END CATCH;
--> rows: 0
--> ----
--> 8134
-- A prepared text runs by its handle, until it is dropped.
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-prepare-transact-sql
DECLARE @h int; EXEC sp_prepare @h OUTPUT, N'@P1 nvarchar(128), @P2 nvarchar(100)', N'SELECT @P1 + @P2 AS v'; EXEC sp_execute @h, N'tempdb', N'ONLINE'; EXEC sp_unprepare @h;
--> tempdbONLINE
DECLARE @h int; EXEC sp_prepexec @h OUTPUT, N'@P1 int', N'SELECT @P1 AS v', 7; EXEC sp_execute @h, 8;
--> 7
--> ----
--> 8
DECLARE @h int; EXEC sp_prepexec @h OUTPUT, N'@P1 int', N'SELECT @P1 AS v', 7; EXEC sp_unprepare @h; EXEC sp_execute @h, 8;
--> 7
--> error: 8179
DECLARE @h int; EXEC sp_prepare @h OUTPUT, N'', N'SELECT 1 FROM dbo.NoSuchTable';
--> error: 208
--> error: 8180
-- The catalog procedures of ODBC. An argument may be a word.
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-pkeys-transact-sql
CREATE TABLE dbo.Parent (Id int IDENTITY NOT NULL CONSTRAINT PK_Parent PRIMARY KEY, Name nvarchar(20) NULL, At datetime2(3) NOT NULL);
--> ok
CREATE TABLE dbo.Child (A int NOT NULL, B int NOT NULL, CONSTRAINT PK_Child PRIMARY KEY (A, B));
--> ok
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-sproc-columns-transact-sql
CREATE PROCEDURE dbo.TwoParams @a int, @b nvarchar(10) OUTPUT AS RETURN 1;
--> ok
EXEC sandbox.sys.sp_sproc_columns @procedure_owner = dbo, @procedure_name = TwoParams, @ODBCVer = 3, @fUsePattern = 0;
--> sandbox | dbo | TwoParams;1 | @RETURN_VALUE | 5 | 4 | int | 10 | 4 | 0 | 10 | 0 | NULL | NULL | 4 | NULL | NULL | 0 | NO | 56
--> sandbox | dbo | TwoParams;1 | @a | 1 | 4 | int | 10 | 4 | 0 | 10 | 1 | NULL | NULL | 4 | NULL | NULL | 1 | YES | 38
--> sandbox | dbo | TwoParams;1 | @b | 2 | -9 | nvarchar | 10 | 20 | NULL | NULL | 1 | NULL | NULL | -9 | NULL | 20 | 2 | YES | 39
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-datatype-info-transact-sql
EXEC sp_datatype_info -11;
--> uniqueidentifier | -11 | 36 | ' | ' | NULL | 1 | 0 | 2 | NULL | 0 | NULL | uniqueidentifier | NULL | NULL | -11 | NULL | NULL | NULL | 0
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-information-schema-views/key-column-usage-transact-sql
-- EXECUTE may be missing where it is first in a batch.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/execute-transact-sql
sp_datatype_info -11;
--> uniqueidentifier | -11 | 36 | ' | ' | NULL | 1 | 0 | 2 | NULL | 0 | NULL | uniqueidentifier | NULL | NULL | -11 | NULL | NULL | NULL | 0
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-system-views-transact-sql
SELECT COUNT(*) FROM sys.assemblies;
--> 0
-- FMTONLY gives columns only.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-fmtonly-transact-sql
SET FMTONLY ON; SELECT Id, Name FROM dbo.Parent; INSERT INTO dbo.Parent (At) VALUES (SYSUTCDATETIME()); SET FMTONLY OFF; SELECT COUNT(*) FROM dbo.Parent;
--> rows: 0
--> ----
--> 0
SET FMTONLY ON; EXEC sp_pkeys Parent;
--> refused
SET FMTONLY OFF;
--> ok
SET NO_BROWSETABLE OFF;
--> ok
SET NO_BROWSETABLE ON;
--> refused
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-help-transact-sql
EXEC sp_help Parent;
--> refused
EXEC sys.sp_rename 'Parent', 'Parents';
--> refused
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/type-name-transact-sql
SELECT TYPE_NAME(36), TYPE_NAME(256), TYPE_NAME(9999);
--> uniqueidentifier | sysname | NULL
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-information-schema-views/sequences-transact-sql
-- https://learn.microsoft.com/en-us/sql/connect/ado-net/sql/bulk-copy-operations-sql-server
EXEC sp_tablecollations_100 N'dbo.Parent';
--> ok
-- What clients ask first.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/version-transact-sql-configuration-functions
SELECT LEFT(@@VERSION, 25), LEFT(CAST(SERVERPROPERTY('ProductVersion') AS varchar), 3);
--> Microsoft SQL Server 2022 | 16.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/options-transact-sql
IF ((32 & @@OPTIONS) = 32) SELECT 'nulls' ELSE SELECT 'no nulls';
--> nulls
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/sessionproperty-transact-sql
SELECT SUSER_ID('sa');
--> refused the function SUSER_ID
