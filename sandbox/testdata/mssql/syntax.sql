-- A word that is not in the list of reserved keywords is a name without quotes; PRECISION, which is, names a column of sys.columns.
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-columns-transact-sql
CREATE TABLE dbo.Words (type int NOT NULL, precision int NOT NULL, try int NOT NULL, catch int NOT NULL, timeout int NOT NULL, value int NOT NULL);
--> ok
INSERT INTO dbo.Words (type, precision, try, catch, timeout, value) VALUES (1, 2, 3, 4, 5, 6);
--> ok
SELECT w.type, w.precision, try, catch AS throw, timeout, w.value FROM dbo.Words AS w WHERE w.try = 3 AND type <> 2 AND precision != 3 AND catch >= 4;
--> 1 | 2 | 3 | 4 | 5 | 6
SELECT 1 WHERE 1 < > 2;
--> refused white space in an operator
-- A name has no empty part, but for a schema or database left out.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/transact-sql-syntax-conventions-transact-sql
SELECT type FROM dbo. AS w;
--> error: 156
CREATE PROCEDURE dbo.Short AS IF 1 = 1 BEGIN BEGIN SELECT 1; END;
--> error: 102
CREATE OR ALTER VIEW dbo.Bad AS SELECT SELECT 1 AS a;
--> error: 156
CREATE OR ALTER VIEW VIEW dbo.Bad AS SELECT 1 AS a;
--> error: 156
CREATE VIEW dbo.Bad AS SELECT FROM dbo.Words;
--> error: 156
SELECT type FROM dbo.Words WHERE type NOT IS NULL;
--> error: 4145 An expression of non-boolean type specified in a context where a condition is expected
DENY SELECT ON.Words TO public x;
--> error: 102
SELECT 1 AS stands;
--> 1
-- Names.
-- https://learn.microsoft.com/en-us/sql/relational-databases/databases/database-identifiers
CREATE TABLE dbo.[a ]]b] ([select] int, "from" int, #x int, _y int, z@$#1 int);
--> ok
SELECT name FROM sys.columns WHERE object_id = OBJECT_ID('dbo.[a ]]b]') ORDER BY column_id;
--> select
--> from
--> #x
--> _y
--> z@$#1
SELECT [SELECT], "FROM", T._Y FROM DBO.[A ]]B] AS t;
--> rows: 0
SELECT 1 AS select;
--> error: 156 Incorrect syntax near the keyword 'select'
SELECT 1 AS 2x;
--> error: 102
CREATE TABLE dbo.2nd (a int);
--> error: 102
SELECT 1 AS [];
--> error: 102
DECLARE @select int = 1, @2 int = 2, @_ int = 3; SELECT @select, @2, @_;
--> 1 | 2 | 3
SELECT 1 AS ä, 2 AS Ünicode, 3 AS "with ""quotes""";
--> 1 | 2 | 3
SELECT sandbox.dbo.Words.type FROM sandbox.dbo.Words WHERE Words.type = 1;
--> 1
SELECT * FROM sandbox.dbo.dbo.dbo.Words;
--> error: 117 contains more than the maximum number of prefixes. The maximum is 3
SELECT * FROM nosuchdb.dbo.T;
--> error: 208 Invalid object name 'nosuchdb.dbo.T'
-- Comments may be nested; one that has no end is an error.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/slash-star-comment-transact-sql
SELECT /* a /* nested */ comment */ 1 /* and */ + 1 -- to the end
, 3;
--> refused a comment in a comment
SELECT /* one, two */ 1 -- three
, 2;
--> 1 | 2
SELECT 1 /* never closed;
--> error: 113 Missing end comment mark '*/'
SELECT 'never closed;
--> error: 105 Unclosed quotation mark after the character string 'never closed
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/transact-sql-syntax-conventions-transact-sql
SELECT 1 SELECT 2 PRINT 'x' IF 1 = 1 SELECT 3
--> 1
--> ----
--> 2
--> print: x
--> ----
--> 3
;;SELECT 1;;;
--> 1
SELCT 1;
--> error: 2812 Could not find stored procedure 'SELCT'
SELECT * FORM dbo.Words;
--> error: 102
SELECT * FROM dbo.Words WERE type = 1;
--> error: 102
SELECT * FROM dbo.Words WHERE;
--> error: 102
SELECT type precision try FROM dbo.Words;
--> error: 102 Incorrect syntax near 'try'
SELECT type,, try FROM dbo.Words;
--> error: 102 Incorrect syntax near ','
SELECT type, FROM dbo.Words;
--> error: 156 Incorrect syntax near the keyword 'FROM'
SELECT 1 - -2, 1 * (-2);
--> 3 | -2
INSERT INTO dbo.Words (type) VALUE (1);
--> error: 102
UPDATE dbo.Words type = 1;
--> error: 102
DELETE dbo.Words FROM;
--> error: 102
CREATE TABLE dbo.X1 (a int b int);
--> error: 102 Incorrect syntax near 'b'
CREATE TABLE dbo.X1 (a int,);
--> ok
CREATE TABLE dbo.X2 ();
--> error: 102
IF 1 = 1 THEN SELECT 1;
--> error: 156 Incorrect syntax near the keyword 'THEN'
BEGIN SELECT 1;
--> error: 102
BEGIN END;
--> error: 102
BEGIN TRY SELECT 1; END TRY;
--> error: 102
SELECT 1 WHERE type = ;
--> error: 102
SELECT CASE WHEN 1 = 1 THEN 1;
--> error: 102
SELECT 1 LIMIT 5;
--> error: 102
SELECT 1 FROM dbo.Words WHERE type == 1;
--> error: 102 Incorrect syntax near '='
SELECT 1 WHERE TRUE;
--> error: 4145
SELECT IF(1 = 1, 2, 3);
--> error: 156 Incorrect syntax near the keyword 'IF'
SELECT `type` FROM dbo.Words;
--> error: 102
EXEC dbo.Short 1 2;
--> error: 102 Incorrect syntax near '2'
DECLARE x int;
--> error: 102
DECLARE @x;
--> error: 102
SET @undeclared = 1;
--> error: 137 Must declare the scalar variable "@undeclared"
SELECT 1; GO
--> refused GO
ALTER TABLE dbo.Words ADD COLUMN extra int;
--> error: 156 Incorrect syntax near the keyword 'COLUMN'
DROP dbo.Words;
--> error: 102
SELECT TOP type FROM dbo.Words;
--> error: 102
SELECT DISTINCT TOP (1) type FROM dbo.Words GROUP BY type ORDER BY type;
--> 1
CREATE VIEW dbo..Doubled AS SELECT 1 AS a;
--> error: 102 Incorrect syntax near '.'
DECLARE @t TABLE (a nvarchar(.5));
--> error: 102
RAISERROR ('x', sixteen, 1);
--> error: 102 Incorrect syntax near 'sixteen'
WAITFOR (RECEIVE message_body FROM dbo.Q), TIMEOUT soon;
--> error: 102
DROP LOGIN a, b;
--> error: 102 Incorrect syntax near ','
SELECT COUNT(* FROM dbo.Words;
--> error: 156 Incorrect syntax near the keyword 'FROM'
SELECT (1 + 2 FROM dbo.Words;
--> error: 156 Incorrect syntax near the keyword 'FROM'
SELECT TOP (1) DISTINCT type FROM dbo.Words;
--> error: 156 Incorrect syntax near the keyword 'DISTINCT'
SELECT type FROM dbo.Words ORDER BY type GROUP BY type;
--> error: 156 Incorrect syntax near the keyword 'GROUP'
SELECT type FROM dbo.Words GROUP BY type WHERE type = 1;
--> error: 156 Incorrect syntax near the keyword 'WHERE'
-- Statements that end too early, or miss a word.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/transact-sql-syntax-conventions-transact-sql
SET TRANSACTION ISOLATION LEVEL READ;
--> error: 102
SAVE;
--> error: 102
CLOSE;
--> error: 102
FETCH NEXT c INTO @a;
--> error: 102
ALTER QUEUE dbo;
--> error: 102
CREATE INDEX i ON;
--> error: 102
DECLARE @s nvarchar();
--> error: 102
SELECT 1 WHERE 1 NOT IN (2) AND;
--> error: 102
SELECT type FROM dbo.Words ORDER BY type OFFSET 0 * ROWS;
--> error: 102
SELECT type FROM dbo.Words OPTION (MAXDOP 1;
--> error: 102
IF 1 = 1 BEGIN BEGIN PRINT 'x'; END
--> error: 102
CREATE SERVICE [//x]
--> error: 102
SET ROWCOUNT WHEN;
--> error: 156
DENY ON dbo.Words TO public;
--> error: 156
IF [] > 0 PRINT 'x';
--> error: 102
-- White space may stand between the characters of an operator; TRY, CATCH and THROW are names as well.
SELECT COUNT(*) FROM dbo.Words AS try WHERE try.type <= 1 AND try.try >= 1 AND try.catch != 0 AND try.value <> 0;
--> 1
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/throw-transact-sql
BEGIN TRY SELECT 1 / 0 END TRY BEGIN CATCH THROW END CATCH
--> error: 8134
-- What SQL Server has and the parser does not is refused, not called wrong.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/some-any-transact-sql
SELECT 1 WHERE 1 = ANY (SELECT 1);
--> refused
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/end-conversation-transact-sql
DECLARE @h uniqueidentifier = NEWID(); END CONVERSATION (@h);
--> error: 8426
-- A procedure may have nothing to do; scripts make one so and alter it afterwards. ScriptDOM takes it.
-- https://ola.hallengren.com/scripts/MaintenanceSolution.sql
EXEC dbo.sp_executesql @statement = N'CREATE PROCEDURE dbo.Later AS';
--> ok
EXEC dbo.Later;
--> ok
ALTER PROCEDURE dbo.Later AS SELECT 1;
--> ok
EXEC dbo.Later;
--> 1
-- A block is not empty.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/begin-end-transact-sql
CREATE PROCEDURE dbo.Nothing AS BEGIN END;
--> error: 102
