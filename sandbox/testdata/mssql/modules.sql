-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-procedure-transact-sql
CREATE TABLE dbo.Parts (Id int NOT NULL PRIMARY KEY, Name varchar(20) NOT NULL, Price decimal(9,2) NULL); INSERT INTO dbo.Parts VALUES (1, 'nut', 0.50), (2, 'bolt', 1.25), (3, 'gear', NULL);
--> ok
CREATE PROCEDURE dbo.FindPart @like varchar(20) = '%', @max int = 10 AS SELECT TOP (@max) Id, Name FROM dbo.Parts WHERE Name LIKE @like ORDER BY Id;
--> ok
EXEC dbo.FindPart; EXEC dbo.FindPart 'b%'; EXEC FindPart @max = 1; EXECUTE dbo.FindPart DEFAULT, 2;
--> 1 | nut
--> 2 | bolt
--> 3 | gear
--> ----
--> 2 | bolt
--> ----
--> 1 | nut
--> ----
--> 1 | nut
--> 2 | bolt
EXEC dbo.FindPart '%', 1, 5;
--> error: 8144 Procedure or function FindPart has too many arguments specified
EXEC dbo.FindPart @nope = 1;
--> error: 8145 @nope is not a parameter for procedure FindPart
EXEC dbo.FindPart @like = 'a', @like = 'b';
--> error: 8143 Parameter '@like' was supplied multiple times
EXEC dbo.FindPart @like = 'a', 5;
--> error: 119 Must pass parameter number 2 and subsequent parameters as '@name = value'
EXEC dbo.FindPart '%', 'many';
--> error: 8114 Error converting data type varchar to int
EXEC dbo.Nowhere;
--> error: 2812 Could not find stored procedure 'dbo.Nowhere'
CREATE PROCEDURE dbo.FindPart AS SELECT 1;
--> error: 2714 There is already an object named 'FindPart' in the database
CREATE PROCEDURE dbo.Status @n int, @twice int OUTPUT AS SET @twice = @n * 2; IF @n < 0 RETURN -1; RETURN @n;
--> ok
DECLARE @rc int, @t int; EXEC @rc = dbo.Status 4, @t OUTPUT; SELECT @rc, @t; EXEC @rc = dbo.Status @n = -1, @twice = @t OUT; SELECT @rc, @t;
--> 4 | 8
--> ----
--> -1 | -2
DECLARE @t int = 77; EXEC dbo.Status 4, @t; SELECT @t;
--> 77
CREATE PROCEDURE dbo.NoReturn AS PRINT 'x';
--> ok
DECLARE @rc int = 9; EXEC @rc = dbo.NoReturn; SELECT @rc;
--> print: x
--> 0
CREATE PROCEDURE dbo.Deep @n int AS IF @n > 0 BEGIN SET @n = @n - 1; EXEC dbo.Deep @n; END ELSE SELECT @@NESTLEVEL;
--> ok
EXEC dbo.Deep 5; EXEC dbo.Deep 31;
--> 6
--> ----
--> 32
EXEC dbo.Deep 32;
--> error: 217 Maximum stored procedure, function, trigger, or view nesting level exceeded (limit 32)
-- Names are resolved when the statement runs, columns of tables that exist when the procedure is made.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-procedure-transact-sql#best-practices
CREATE PROCEDURE dbo.Later AS SELECT * FROM dbo.NotYet;
--> ok
EXEC dbo.Later;
--> error: 208 Invalid object name 'dbo.NotYet'
CREATE PROCEDURE dbo.WrongColumn AS SELECT Nope FROM dbo.Parts;
--> error: 207 Invalid column name 'Nope'
CREATE PROCEDURE dbo.WrongVar AS SELECT @x;
--> error: 137 Must declare the scalar variable "@x"
CREATE PROCEDURE dbo.UsesOther AS USE master;
--> error: 154 a USE database statement is not allowed in a procedure, function or trigger
CREATE PROCEDURE dbo.MakesView AS CREATE VIEW dbo.V AS SELECT 1 AS a;
--> error: 156 Incorrect syntax near the keyword 'VIEW'
SELECT 1; CREATE PROCEDURE dbo.NotFirst AS SELECT 1;
--> error: 111 'CREATE/ALTER PROCEDURE' must be the first statement in a query batch
ALTER PROCEDURE dbo.Nowhere AS SELECT 1;
--> error: 208 Invalid object name 'dbo.Nowhere'
DROP PROCEDURE dbo.Nowhere;
--> error: 3701 Cannot drop the procedure 'dbo.Nowhere', because it does not exist or you do not have permission
DROP PROC IF EXISTS dbo.Nowhere; DROP PROC dbo.Later, dbo.NoReturn;
--> ok
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/execute-transact-sql
DECLARE @proc sysname = N'dbo.FindPart'; EXEC @proc 'b%';
--> 2 | bolt
DECLARE @proc sysname = N'dbo.FindPart'; EXEC @proc;
--> 1 | nut
--> 2 | bolt
--> 3 | gear
EXEC dbo.FindPart 'b%' WITH RECOMPILE;
--> 2 | bolt
-- Functions.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-function-transact-sql
CREATE FUNCTION dbo.Gross (@net decimal(9,2), @rate decimal(4,2) = 0.19) RETURNS decimal(9,2) AS BEGIN RETURN @net * (1 + @rate); END;
--> ok
SELECT dbo.Gross(100, 0.07), dbo.Gross(100, DEFAULT), dbo.Gross(NULL, 1);
--> 107.00 | 119.00 | NULL
SELECT Gross(100, 0.07);
--> error: 195 'Gross' is not a recognized built-in function name
SELECT dbo.Gross(100);
--> error: 313 An insufficient number of arguments were supplied for the procedure or function dbo.Gross
SELECT dbo.NoFunction(1);
--> error: 4121 Cannot find either column "dbo" or the user-defined function or aggregate "dbo.NoFunction", or the name is ambiguous
DECLARE @g decimal(9,2); EXEC @g = dbo.Gross 10, 0.5; SELECT 'goes no further';
--> refused EXECUTE of a function
CREATE FUNCTION dbo.Changes (@n int) RETURNS int AS BEGIN INSERT INTO dbo.Parts VALUES (9, 'x', 1); RETURN 1; END;
--> refused a function with statements other than
CREATE FUNCTION dbo.NoEnd (@n int) RETURNS int AS BEGIN SET @n = @n + 1; END;
--> error: 455 The last statement included within a function must be a return statement
CREATE FUNCTION dbo.Cheap (@max decimal(9,2)) RETURNS TABLE AS RETURN (SELECT Id, Name, Price FROM dbo.Parts WHERE Price <= @max);
--> ok
SELECT c.Name FROM dbo.Cheap(1) AS c; SELECT COUNT(*) FROM dbo.Cheap(NULL);
--> nut
--> ----
--> 0
SELECT p.Name, x.n FROM dbo.Parts AS p CROSS APPLY (SELECT COUNT(*) AS n FROM dbo.Cheap(p.Price)) AS x ORDER BY p.Id;
--> nut | 1
--> bolt | 2
--> gear | 0
CREATE FUNCTION dbo.Series (@n int) RETURNS @r TABLE (i int) AS BEGIN DECLARE @i int = 1; WHILE @i <= @n BEGIN INSERT INTO @r VALUES (@i); SET @i = @i + 1; END; RETURN; END;
--> refused
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-view-transact-sql
CREATE VIEW dbo.Priced (PartId, Label) AS SELECT Id, Name FROM dbo.Parts WHERE Price IS NOT NULL;
--> ok
SELECT Label FROM dbo.Priced WHERE PartId > 1; UPDATE dbo.Priced SET Label = 'bolt2' WHERE PartId = 2; SELECT Name FROM dbo.Parts WHERE Id = 2;
--> bolt
--> ----
--> bolt2
CREATE VIEW dbo.NoName AS SELECT Id + 1 FROM dbo.Parts;
--> error: 4511 Create View or Function failed because no column name was specified for column 1
CREATE VIEW dbo.Twice AS SELECT Id, Id FROM dbo.Parts;
--> error: 4506 Column names in each view or function must be unique. Column name 'Id' in view or function 'Twice' is specified more than once
CREATE VIEW dbo.Sorted AS SELECT Id FROM dbo.Parts ORDER BY Id;
--> error: 1033
CREATE VIEW dbo.Short1 (a) AS SELECT Id, Name FROM dbo.Parts;
--> error: 8158 'Short1' has more columns than were specified in the column list
CREATE VIEW dbo.OfNothing AS SELECT a FROM dbo.NotYet;
--> error: 208 Invalid object name 'dbo.NotYet'
CREATE VIEW dbo.ByVar AS SELECT @x AS a;
--> error: 137
-- The columns of a view are those of its making.
CREATE VIEW dbo.AllParts AS SELECT * FROM dbo.Parts;
--> ok
ALTER TABLE dbo.Parts ADD Extra int NULL; SELECT COUNT(*) FROM sys.columns WHERE object_id = OBJECT_ID('dbo.AllParts'); SELECT PartId FROM dbo.Priced WHERE PartId = 1; SELECT * FROM dbo.AllParts;
--> 3
--> ----
--> 1
--> refused a view whose tables have changed
CREATE VIEW dbo.Checked AS SELECT Id FROM dbo.Parts WHERE Id < 3 WITH CHECK OPTION;
--> refused
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-trigger-transact-sql
CREATE TRIGGER dbo.OnPart ON dbo.Parts AFTER INSERT AS PRINT 'new part';
--> refused
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-synonym-transact-sql
CREATE SYNONYM dbo.P FOR dbo.Parts;
--> refused SYNONYM
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-schema-transact-sql
CREATE SCHEMA sales;
--> ok
CREATE SCHEMA sales;
--> error: 2714 There is already an object named 'sales' in the database
--> error: 2759 CREATE SCHEMA failed due to previous errors
CREATE TABLE sales.Orders (Id int); SELECT SCHEMA_NAME(schema_id) FROM sys.tables WHERE name = 'Orders';
--> sales
DROP SCHEMA sales;
--> error: 3729 Cannot drop schema 'sales' because it is being referenced by object 'Orders'
CREATE TABLE nowhere.T (a int);
--> error: 2760 The specified schema name "nowhere" either does not exist or you do not have permission to use it
DROP TABLE sales.Orders; DROP SCHEMA sales; SELECT SCHEMA_ID('sales');
--> NULL
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-functions/object-definition-transact-sql
SELECT REPLACE(OBJECT_DEFINITION(OBJECT_ID('dbo.Priced')), CHAR(10), '');
--> CREATE VIEW dbo.Priced (PartId, Label) AS SELECT Id, Name FROM dbo.Parts WHERE Price IS NOT NULL;
