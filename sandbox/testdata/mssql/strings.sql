-- LEN counts characters without trailing spaces, DATALENGTH bytes.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/len-transact-sql
SELECT LEN('abc  '), LEN('  abc'), LEN(N'äöü'), LEN(''), LEN(NULL), LEN(12345), DATALENGTH('abc  '), DATALENGTH(N'abc');
--> 3 | 5 | 3 | 0 | NULL | 5 | 5 | 6
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/left-transact-sql
SELECT LEFT('forklift', 4), LEFT('ab', 10), LEFT(N'äöü', 2), LEFT('ab', 0), LEFT(98765, 2), LEFT(NULL, 2);
--> fork | ab | äö |  | 98 | NULL
SELECT LEFT('abc', -1);
--> error: 537 Invalid length parameter passed to the LEFT or SUBSTRING function
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/right-transact-sql
SELECT RIGHT('abc', -1);
--> error: 536 Invalid length parameter passed to the right function
SELECT RIGHT('forklift', 4), RIGHT('ab', 10), RIGHT('000' + CAST(7 AS varchar(3)), 3);
--> lift | ab | 007
-- The first character is number 1; a start below that counts characters that are not there.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/substring-transact-sql
SELECT SUBSTRING('forklift', 5, 4), SUBSTRING('forklift', 7, 100), SUBSTRING('forklift', 0, 3), SUBSTRING('forklift', -1, 3), SUBSTRING('forklift', 20, 2), SUBSTRING(0x010203, 2, 2);
--> lift | ft | fo | f |  | 0x0203
SELECT SUBSTRING('abc', 1, -1);
--> error: 537 Invalid length parameter passed to the LEFT or SUBSTRING function
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/charindex-transact-sql
SELECT CHARINDEX('lift', 'forklift'), CHARINDEX('f', 'forklift', 2), CHARINDEX('x', 'forklift'), CHARINDEX('LIFT', 'forklift'), CHARINDEX(NULL, 'forklift'), CHARINDEX('f', 'forklift', -5);
--> 5 | 7 | 0 | 5 | NULL | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/patindex-transact-sql
SELECT PATINDEX('%[0-9]%', 'box 42'), PATINDEX('%li_t%', 'forklift'), PATINDEX('lift', 'forklift'), PATINDEX('fork%', 'forklift'), PATINDEX('%[^a-z]%', 'abc-d');
--> 5 | 5 | 0 | 1 | 4
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/replace-transact-sql
SELECT REPLACE('a-b-c', '-', '+'), REPLACE('AbAb', 'ab', 'x'), REPLACE('abc', 'd', 'x'), REPLACE('abc', 'b', ''), REPLACE('abc', NULL, 'x'), REPLACE('abc', '', 'x');
--> a+b+c | xx | abc | ac | NULL | abc
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/stuff-transact-sql
SELECT STUFF('abcdef', 2, 3, 'XYZW'), STUFF('abcdef', 2, 0, '-'), STUFF('abcdef', 2, 2, NULL), STUFF('abc', 5, 1, 'x'), STUFF('abc', 0, 1, 'x'), STUFF('abc', 2, 100, '!');
--> aXYZWef | a-bcdef | adef | NULL | NULL | a!
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/replicate-transact-sql
SELECT REPLICATE('ab', 3), REPLICATE('0', 2) + '7', REPLICATE('a', 0), REPLICATE('a', -1), LEN(REPLICATE('x', 9000)), LEN(REPLICATE(CAST('x' AS varchar(max)), 9000));
--> ababab | 007 |  | NULL | 8000 | 9000
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/upper-transact-sql
SELECT UPPER('aBc ß'), LOWER(N'ÄÖ Abc'), UPPER(N'äé');
--> ABC ß | äö abc | ÄÉ
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/ltrim-transact-sql
-- Concatenation with NULL is NULL; CONCAT takes NULL as an empty string, CONCAT_WS leaves it out.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/concat-transact-sql
SELECT 'a' + NULL, CONCAT('a', NULL, 1, N'ü'), CONCAT(NULL, NULL), CONCAT('x', CAST('2026-01-02' AS date));
--> NULL | a1ü |  | x2026-01-02
SELECT CONCAT('a');
--> error: 189 The concat function requires 2 to 254 arguments
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/concat-ws-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/quotename-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/char-transact-sql
SELECT CHAR(65), CHAR(256), CHAR(-1), NCHAR(252), LEN('a' + CHAR(13) + CHAR(10) + 'b'), DATALENGTH(CHAR(0));
--> A | NULL | NULL | ü | 4 | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/like-transact-sql
SELECT IIF('abc' LIKE 'a%', 1, 0), IIF('abc' LIKE '_b_', 1, 0), IIF('abc' LIKE '[a-c]bc', 1, 0), IIF('abc' LIKE '[^a]bc', 1, 0), IIF('50%' LIKE '50[%]', 1, 0), IIF('50%' LIKE '50!%' ESCAPE '!', 1, 0), IIF('500' LIKE '50!%' ESCAPE '!', 1, 0), IIF('ABC' LIKE 'abc', 1, 0);
--> 1 | 1 | 1 | 0 | 1 | 1 | 0 | 1
-- Trailing blanks of the pattern count, those of a char value are padding that LIKE sees.
SELECT IIF('abc' LIKE 'abc ', 1, 0), IIF('abc ' LIKE 'abc', 1, 0), IIF('abc' = 'abc   ', 1, 0), IIF(NULL LIKE '%', 1, 0);
--> 0 | 1 | 1 | 0
SELECT 1 WHERE 'abc' NOT LIKE 'b%' AND 'a_c' LIKE 'a[_]c' AND 'a]c' LIKE 'a]c' AND 'a-c' LIKE 'a[b-]c';
--> 1
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/string-agg-transact-sql
SELECT STRING_AGG(v.s, ', ') WITHIN GROUP (ORDER BY v.s DESC) FROM (VALUES ('b'), ('a'), (NULL), ('c')) AS v (s);
--> refused WITHIN GROUP
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/string-split-transact-sql
-- Comparison ignores case and trailing spaces in the default collation.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/string-comparison-assignment
SELECT IIF('abc' = 'ABC', 1, 0), IIF('a' = 'a ', 1, 0), IIF('' = ' ', 1, 0), IIF(' a' = 'a', 1, 0), IIF('a' < 'B', 1, 0), IIF(N'é' = N'e', 1, 0);
--> 1 | 1 | 1 | 0 | 1 | 0
-- Unicode strings are sorted by words: a hyphen counts only where all else is equal. Other strings of SQL collations are sorted by characters.
-- https://learn.microsoft.com/en-us/troubleshoot/sql/database-engine/general/comparing-sql-collations-windows-collations
SELECT IIF(N'a-c' < N'ab', 'before', 'after'), IIF('a-c' < 'ab', 'before', 'after'), IIF(N'co-op' = N'coop', 'equal', 'not');
--> after | before | not
SELECT v.s FROM (VALUES (N'co-op'), (N'coop'), (N'coox'), (N'cob'), (N'c-ob')) AS v (s) ORDER BY v.s;
--> cob
--> c-ob
--> coop
--> co-op
--> coox
CREATE TABLE dbo.Terms (s nvarchar(20) NOT NULL PRIMARY KEY); INSERT INTO dbo.Terms VALUES (N'co-op'), (N'coop'), (N'c-ob'), (N'c');
--> ok
SELECT s FROM dbo.Terms WHERE s LIKE N'c-%'; SELECT s FROM dbo.Terms WHERE s LIKE N'co%' ORDER BY s; SELECT s FROM dbo.Terms WHERE s > N'coop'; SELECT s FROM dbo.Terms WHERE s = N'co-op';
--> c-ob
--> ----
--> coop
--> co-op
--> ----
--> co-op
--> ----
--> co-op
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/string-concatenation-transact-sql
DECLARE @s varchar(10) = 'ab'; SET @s += 'cd'; SELECT @s + 'e', 'n' + N'ü', DATALENGTH('a' + N'b'), 'x' + CAST(5 AS char(3)) + 'y';
--> abcde | nü | 4 | x5  y
DECLARE @long varchar(8000) = REPLICATE('a', 8000); SELECT LEN(@long + @long), LEN(CAST(@long AS varchar(max)) + @long);
--> 8000 | 16000
-- Two strings with a backslash at the end of a line are one line.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/sql-server-utilities-statements-backslash
SELECT 'abc\
def';
--> abcdef
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/string-functions-transact-sql
SELECT SUBSTRING('abc', 2);
--> error: 174 The substring function requires 3 argument(s)
SELECT REPLACE('abc', 'a');
--> error: 174 The replace function requires 3 argument(s)
SELECT STR(12.345, 8, 2);
--> refused the function STR
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/string-escape-transact-sql
SELECT STRING_ESCAPE('\   /' + CHAR(10) + '\\ "' + CHAR(1) + '<', 'json');
--> \\   \/\n\\\\ \"\u0001<

-- Other quotes of QUOTENAME, widths in messages, and JSON paths beyond $.name are refused.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/quotename-transact-sql
SELECT QUOTENAME('a', '(');
--> refused QUOTENAME with "("
RAISERROR ('%5d', 16, 1, 3);
--> refused the format of a message
SELECT * FROM OPENJSON('{"a":1}', '$.a');
--> refused ROW_PATTERN
SELECT * FROM OPENJSON('{"a":[1]}') WITH (a int '$.a[0]');
--> refused the JSON path '$.a[0]'
