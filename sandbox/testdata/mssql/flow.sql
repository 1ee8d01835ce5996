-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/if-else-transact-sql
IF 1 = 2 PRINT 'no'; ELSE PRINT 'yes';
--> print: yes
IF NULL = NULL PRINT 'equal' ELSE PRINT 'unknown';
--> print: unknown
DECLARE @n int = 5; IF @n > 3 BEGIN PRINT 'big'; IF @n > 4 PRINT 'bigger'; END ELSE PRINT 'small';
--> print: big
--> print: bigger
IF EXISTS (SELECT 1 FROM sys.schemas WHERE name = 'dbo') AND NOT EXISTS (SELECT 1 FROM sys.schemas WHERE name = 'nope') SELECT 'found';
--> found
IF (SELECT COUNT(*) FROM sys.schemas WHERE name = 'nope') = 0 SELECT 'none' ELSE SELECT 'some';
--> none
IF 1 PRINT 'x';
--> error: 4145 An expression of non-boolean type specified in a context where a condition is expected
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/while-transact-sql
DECLARE @i int = 0, @s varchar(20) = ''; WHILE @i < 10 BEGIN SET @i += 1; IF @i % 2 = 0 CONTINUE; IF @i > 7 BREAK; SET @s += CAST(@i AS varchar(2)); END; SELECT @s, @i;
--> 1357 | 9
BREAK;
--> error: 135 Cannot use a BREAK statement outside the scope of a WHILE statement
CONTINUE;
--> error: 136 Cannot use a CONTINUE statement outside the scope of a WHILE statement
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/goto-transact-sql
DECLARE @c int = 1; again: SET @c += 1; IF @c < 4 GOTO again; SELECT @c;
--> 4
GOTO nowhere;
--> error: 133 A GOTO statement references the label 'nowhere' but the label has not been declared
here: PRINT 'a'; here: PRINT 'b';
--> error: 132 The label 'here' has already been declared
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/return-transact-sql
PRINT 'before'; RETURN; PRINT 'after';
--> print: before
RETURN 5;
--> error: 178 A RETURN statement with a return value cannot be used in this context
-- A variable without a value is NULL. DECLARE reads its value where it stands.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/declare-local-variable-transact-sql
DECLARE @a int, @b varchar(5) = 'x', @c int = 3 * 2; SELECT @a, @b, @c;
--> NULL | x | 6
SELECT @never;
--> error: 137 Must declare the scalar variable "@never"
DECLARE @a int; DECLARE @A int;
--> error: 134 The variable name '@A' has already been declared
IF 1 = 2 DECLARE @in int = 5; SELECT @in;
--> NULL
-- SELECT without a row leaves the variable as it was, SET with a subquery makes it NULL; of several rows it keeps the last.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/select-local-variable-transact-sql
DECLARE @a int = 7, @b int = 7; SELECT @a = 1 WHERE 1 = 2; SET @b = (SELECT 1 WHERE 1 = 2); SELECT @a, @b;
--> 7 | NULL
DECLARE @v int; SELECT @v = n FROM (VALUES (1), (2), (3)) AS t (n); SELECT @v;
--> 3
DECLARE @x int, @y int; SELECT @x = 1, @y = @x + 1; SELECT @x, @y;
--> 1 | 2
DECLARE @x int; SELECT @x = 1, 2;
--> error: 141 A SELECT statement that assigns a value to a variable must not be combined with data-retrieval operations
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/print-transact-sql
PRINT 1 + 2; PRINT N'ü' + CAST(5 AS nvarchar(5)); PRINT CAST('2026-01-02' AS date); PRINT NULL;
--> print: 3
--> print: ü5
--> print: 2026-01-02
--> print: 
PRINT (SELECT 1);
--> error: 1046 Subqueries are not allowed in this context. Only scalar expressions are allowed
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/try-catch-transact-sql
BEGIN TRY SELECT 1 / 0; PRINT 'not here'; END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_SEVERITY(), ERROR_STATE(), ERROR_LINE(), ERROR_MESSAGE(), ERROR_PROCEDURE(); END CATCH; PRINT 'goes on';
--> rows: 0
--> ----
--> 8134 | 16 | 1 | 1 | Divide by zero error encountered. | NULL
--> print: goes on
BEGIN TRY PRINT 'fine'; END TRY BEGIN CATCH PRINT 'not here'; END CATCH; SELECT ERROR_NUMBER();
--> print: fine
--> NULL
BEGIN TRY RAISERROR ('low', 10, 1); PRINT 'next'; END TRY BEGIN CATCH PRINT 'not here'; END CATCH;
--> print: low
--> print: next
BEGIN TRY RAISERROR ('high %s %d', 11, 3, 'one', 2); PRINT 'not here'; END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_STATE(), ERROR_MESSAGE(); END CATCH;
--> 50000 | 3 | high one 2
BEGIN TRY SELECT * FROM dbo.NoTable; END TRY BEGIN CATCH PRINT 'not here'; END CATCH;
--> error: 208 Invalid object name 'dbo.NoTable'
BEGIN TRY EXEC (N'SELECT * FROM dbo.NoTable'); END TRY BEGIN CATCH SELECT ERROR_NUMBER(); END CATCH;
--> 208
BEGIN TRY BEGIN TRY SELECT 1 / 0; END TRY BEGIN CATCH SELECT ERROR_NUMBER(); THROW 50010, 'inner', 2; END CATCH; END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_STATE(), ERROR_MESSAGE(); END CATCH;
--> rows: 0
--> ----
--> 8134
--> ----
--> 50010 | 2 | inner
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/throw-transact-sql
THROW 51000, 'own', 1; PRINT 'not here';
--> error: 51000 own
THROW 49999, 'low', 1;
--> error: 35100 Error number 49999 in the THROW statement is outside the valid range
THROW;
--> error: 10704 To rethrow an error, a THROW statement must be used inside a CATCH block
BEGIN TRY SELECT CAST('x' AS int); END TRY BEGIN CATCH THROW; END CATCH;
--> error: 245
DECLARE @m nvarchar(100) = N'made ' + N'here', @n int = 60000; THROW @n, @m, 5;
--> error: 60000 made here
BEGIN TRY SELECT 1 / 0; END TRY BEGIN CATCH PRINT 'c' THROW; END CATCH;
--> error: 102
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/raiserror-transact-sql
RAISERROR ('%s is %d of %i', 16, 1, N'this', 3, 4); PRINT 'goes on';
--> error: 50000 this is 3 of 4
--> print: goes on
RAISERROR (N'note', 0, 1) WITH NOWAIT;
--> print: note
RAISERROR ('x', 19, 1);
--> error: 2754 Error severity levels greater than 18 can only be specified by members of the sysadmin role, using the WITH LOG option
RAISERROR (50001, 16, 1);
--> refused RAISERROR with a message number
RAISERROR ('%d', 16, 1, 'text');
--> error: 2786
DECLARE @e nvarchar(50) = N'from a variable'; RAISERROR (@e, 16, 1); SELECT @@ERROR;
--> error: 50000 from a variable
--> 50000
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/error-transact-sql
SELECT 1 / 0; SELECT @@ERROR; SELECT @@ERROR;
--> error: 8134
--> ----
--> 8134
--> ----
--> 0
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/waitfor-transact-sql
DECLARE @t datetime2 = SYSDATETIME(); WAITFOR DELAY '00:00:02'; SELECT DATEDIFF(second, @t, SYSDATETIME());
--> 2
WAITFOR DELAY '25:00:00';
--> error: 148 Incorrect time syntax in time string '25:00:00' used with WAITFOR
DECLARE @d char(8) = '00:00:01'; WAITFOR DELAY @d; SELECT 'done';
--> done
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/case-transact-sql
SELECT CASE 3 WHEN 1 THEN 'one' WHEN 3 THEN 'three' END, CASE NULL WHEN NULL THEN 'x' ELSE 'never equal' END, CASE WHEN 1 = 2 THEN 'x' END;
--> three | never equal | NULL
SELECT CASE WHEN 1 = 1 THEN NULL ELSE NULL END;
--> error: 8133 At least one of the result expressions in a CASE specification must be an expression other than the NULL constant
SELECT CASE WHEN 1 = 1 THEN 'safe' ELSE CAST(1 / 0 AS varchar(5)) END;
--> safe
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/coalesce-transact-sql
SELECT COALESCE(NULL, NULL, 3, 4), COALESCE(CAST(NULL AS varchar(5)), 'b'), ISNULL(NULL, 'c'), ISNULL(CAST(NULL AS varchar(2)), 'long'), NULLIF(4, 4), NULLIF('a', 'b');
--> 3 | b | c | lo | NULL | a
SELECT COALESCE(NULL, NULL);
--> error: 4127 At least one of the arguments to COALESCE must be an expression that is not the NULL constant
