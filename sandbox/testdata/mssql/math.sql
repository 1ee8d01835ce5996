-- https://learn.microsoft.com/en-us/sql/t-sql/functions/round-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/ceiling-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/abs-transact-sql
-- The type of the result is that of the first argument.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/power-transact-sql
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
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/logical-functions-greatest-transact-sql
SELECT GREATEST(3, 7, 5), LEAST(3, 7, 5);
--> refused the function GREATEST
