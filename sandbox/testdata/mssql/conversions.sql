-- When n is not specified in CAST and CONVERT, it is 30.
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/char-and-varchar-transact-sql
SELECT CAST(123456 AS varchar), CONVERT(varchar, 'abc');
--> 123456 | abc
SELECT LEN(CAST(REPLICATE('x', 50) AS varchar)), DATALENGTH(CAST('x' AS char));
--> 30 | 30
