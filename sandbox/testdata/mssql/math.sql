-- https://learn.microsoft.com/en-us/sql/t-sql/functions/round-transact-sql
SELECT ROUND(748.58, -1), ROUND(748.58, -2), ROUND(748.58, -4), ROUND(123.4545, 2), ROUND(123.45, -2), ROUND(150.75, 0), ROUND(150.75, 0, 1);
--> 750.00 | 700.00 | 0.00 | 123.4500 | 100.00 | 151.00 | 150.00
SELECT ROUND(748.58, -3);
--> error: 8115 Arithmetic overflow
SELECT ROUND(-2.5, 0), ROUND(15, -1), ROUND(CAST(2.567 AS float), 2), ROUND(CAST(1.2345 AS money), 2), ROUND(NULL, 1);
--> -3.0 | 20 | 2.57 | 1.2300 | NULL
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/ceiling-transact-sql
SELECT CEILING(12.15), CEILING(-12.15), CEILING(0.0), FLOOR(12.85), FLOOR(-12.15), FLOOR(7);
--> 13 | -12 | 0 | 12 | -13 | 7
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/abs-transact-sql
SELECT ABS(-1.50), ABS(0), ABS(CAST(-2.5 AS float)), ABS('-3'), ABS(CAST(-7 AS bigint));
--> 1.50 | 0 | 2.5 | 3 | 7
DECLARE @i int = -2147483648; SELECT ABS(@i);
--> error: 8115 Arithmetic overflow error converting expression to data type int
-- The type of the result is that of the first argument.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/power-transact-sql
SELECT POWER(2, 10), POWER(2.0, -2), POWER(CAST(2 AS float), -2), POWER(2.5, 2), POWER(5, 0), POWER(CAST(2 AS bigint), 40);
--> 1024 | 0.3 | 0.25 | 6.3 | 1 | 1099511627776
SELECT POWER(2, 31);
--> error: 232
SELECT POWER(CAST(-8 AS float), 0.5);
--> error: 3623 An invalid floating point operation occurred
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/sign-transact-sql
SELECT SIGN(-5);
--> refused the function SIGN
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/sqrt-transact-sql
SELECT SQRT(16);
--> refused the function SQRT
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/arithmetic-operators-transact-sql
SELECT 2 + 3 * 4, (2 + 3) * 4, 10 - 4 - 3, 20 / 5 / 2, -3 + 5, 2 * -3;
--> 14 | 20 | 3 | 2 | 2 | -6
DECLARE @a int = 2, @b int = 3; SELECT @a + @b * 4, @a - @b - 1, @a * @b + @a, -@a, @a % @b, @b / @a;
--> 14 | -2 | 8 | -2 | 2 | 1
SELECT 5 % 0;
--> error: 8134 Divide by zero error encountered
SELECT 1.0 / 0;
--> error: 8134
SELECT 1 / CAST(0 AS float);
--> error: 8134
SELECT NULL + 1, 5 * NULL, NULL / 0;
--> NULL | NULL | NULL
SELECT 1 + CAST(NULL AS int), ABS(NULL), 5 % CAST(NULL AS int);
--> NULL | NULL | NULL
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/bitwise-and-transact-sql
SELECT 170 & 75, 170 | 75, 170 ^ 75, (6 & 3) | 8, CAST(170 AS tinyint) & CAST(75 AS tinyint);
--> 10 | 235 | 225 | 10 | 10
SELECT 6 & 3 + 8;
--> refused bitwise and additive operators together without parentheses
SELECT ~1;
--> refused ~
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/operator-precedence-transact-sql
SELECT IIF(1 = 1 OR 1 = 2 AND 1 = 3, 'AND first', 'OR first'), IIF(NOT 1 = 2 AND 1 = 2, 'x', 'NOT first'), IIF(NOT (1 = 2 AND 1 = 2), 'all', 'x');
--> AND first | NOT first | all
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/compound-operators-transact-sql
DECLARE @x int = 27; SET @x += 2; SET @x -= 1; SET @x *= 2; SET @x /= 5; SET @x %= 7; SELECT @x;
--> 4
DECLARE @x int = 9; SET @x &= 13; SET @x |= 2; SET @x ^= 1; SELECT @x;
--> 10
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/isnumeric-transact-sql
SELECT ISNUMERIC('12');
--> refused the function ISNUMERIC
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/logical-functions-choose-transact-sql
SELECT CHOOSE(2, 'a', 'b', 'c'), CHOOSE(0, 'a', 'b'), CHOOSE(4, 'a', 'b'), CHOOSE(1.9, 'a', 'b');
--> b | NULL | NULL | a
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/logical-functions-greatest-transact-sql
SELECT GREATEST(3, 7, 5), LEAST(3, 7, 5);
--> refused the function GREATEST
