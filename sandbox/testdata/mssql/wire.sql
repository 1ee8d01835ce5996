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
