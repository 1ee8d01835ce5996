-- Numbers: cutting and rounding, ranges, texts of the errors.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/cast-and-convert-transact-sql
SELECT CAST(7.8 AS int), CAST(-7.8 AS int), CAST(7.8 AS numeric), CAST(-7.8 AS numeric(5)), CAST(12.34567 AS money), CAST(12.345 AS decimal(4,1));
--> 7 | -7 | 8 | -8 | 12.3457 | 12.3
-- An integer that does not fit in char or varchar gives an asterisk, in nchar or nvarchar an error.
SELECT CAST(12345 AS nvarchar(3));
--> error: 8115 Arithmetic overflow error converting expression to data type nvarchar
SELECT CAST(1234.5 AS varchar(3));
--> error: 8115 Arithmetic overflow error converting numeric to data type varchar
SELECT CONVERT(char(4), 0x4F6E65, 0), CONVERT(varchar(10), 0x4F6E65, 1), CONVERT(varchar(10), 0x4F6E65, 2), CONVERT(char(6), 0x4F6E65, 1);
--> One  | 0x4F6E65 | 4F6E65 | 0x4F6E
SELECT CONVERT(binary(5), 'One', 0), CONVERT(varbinary(5), '0x4F6E65', 1), CONVERT(varbinary(5), '4F6E65', 2);
--> 0x4F6E650000 | 0x4F6E65 | 0x4F6E65
SELECT CONVERT(varbinary(5), 'xyz', 1);
--> error: 8114 Error converting data type varchar to varbinary
SELECT CONVERT(varchar(30), CAST(9876543.2178 AS money)), CONVERT(varchar(30), CAST(9876543.2178 AS money), 2), CAST(CAST(-5 AS money) AS varchar(10));
--> 9876543.22 | 9876543.2178 | -5.00
-- Styles of dates.
DECLARE @d datetime = '2026-03-09T16:05:07.123'; SELECT CONVERT(varchar(30), @d, 100), CONVERT(varchar(30), @d, 101), CONVERT(varchar(30), @d, 103), CONVERT(varchar(30), @d, 104), CONVERT(varchar(30), @d, 108), CONVERT(varchar(30), @d, 112);
--> Mar  9 2026  4:05PM | 03/09/2026 | 09/03/2026 | 09.03.2026 | 16:05:07 | 20260309
DECLARE @d datetime = '2026-03-09T16:05:07.123'; SELECT CONVERT(varchar(30), @d, 120), CONVERT(varchar(30), @d, 121), CONVERT(varchar(30), @d, 126), CONVERT(varchar(30), @d, 127), CONVERT(varchar(10), @d, 23);
--> 2026-03-09 16:05:07 | 2026-03-09 16:05:07.123 | 2026-03-09T16:05:07.123 | 2026-03-09T16:05:07.123 | 2026-03-09
-- Other styles, forms of dates, signs of currency and old types are refused.
SELECT CONVERT(varchar(30), CAST('2026-03-09' AS date), 106);
--> refused dates written in style 106
SELECT CONVERT(date, '09/03/2026', 103);
--> refused dates read in style 103
SELECT CAST('05.01.2026' AS date);
--> refused the form of the date
SELECT CAST('January 5, 2026' AS date);
--> refused the form of the date
SELECT CAST('$1,234.5' AS money);
--> refused currency signs and commas in money
SELECT CAST(1 AS smallmoney);
--> refused type smallmoney
DECLARE @x rowversion;
--> refused type rowversion
SELECT CAST(GETDATE() AS smalldatetime);
--> refused type smalldatetime
SELECT CONVERT(varchar(30), CAST('2026-03-01T10:00:00' AS datetime) - 1, 126), CONVERT(varchar(30), 2 + CAST('2026-03-01T10:00:00' AS datetime), 126);
--> 2026-02-28T10:00:00 | 2026-03-03T10:00:00
SELECT CAST('2026-03-01T10:00:00' AS datetime) - 99999999;
--> error: 8115
SELECT GETDATE() + 0.5;
--> refused operator add with datetime and decimal(1,1)
SELECT CAST(12345 AS varchar(3));
--> refused the asterisk of a number that varchar(3) does not hold
SELECT CAST(1 AS varbinary(4));
--> refused conversion of int to varbinary(4)
SELECT $3;
--> refused
-- Style 126 leaves milliseconds out where they are 0. A date or time without a style is in style 121, a datetime in style 0.
SELECT CONVERT(varchar(30), CAST('2026-03-09T16:05:07' AS datetime), 126), CAST(CAST('2026-03-09' AS date) AS varchar(30)), CAST(CAST('16:05' AS time(0)) AS varchar(30)), CAST(CAST('2026-03-09 16:05:07' AS datetime) AS varchar(30)), CAST(CAST('2026-03-09 16:05:07.5' AS datetime2(2)) AS varchar(30));
--> 2026-03-09T16:05:07 | 2026-03-09 | 16:05:00 | Mar  9 2026  4:05PM | 2026-03-09 16:05:07.50
-- What TRY_CAST and TRY_CONVERT cannot convert is NULL; what is not permitted at all stays an error.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/try-cast-transact-sql
SELECT TRY_CAST('no' AS int), TRY_CAST('12' AS int), TRY_CAST('2026-13-45' AS date), TRY_CAST(300 AS tinyint), TRY_CAST(NULL AS int);
--> NULL | 12 | NULL | NULL | NULL
SELECT TRY_CAST(4 AS date);
--> error: 529 Explicit conversion from data type int to date is not allowed
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/try-convert-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/int-bigint-smallint-and-tinyint-transact-sql
SELECT CAST(256 AS tinyint);
--> error: 220 Arithmetic overflow error for data type tinyint, value = 256
SELECT CAST(-1 AS tinyint);
--> error: 220 Arithmetic overflow error for data type tinyint, value = -1
SELECT CAST(32768 AS smallint);
--> error: 220 Arithmetic overflow error for data type smallint, value = 32768
SELECT CAST(9223372036854775807 AS bigint), CAST(-9223372036854775808 AS bigint), 2147483648 - 1;
--> 9223372036854775807 | -9223372036854775808 | 2147483647
SELECT 2147483647 + 1;
--> error: 8115 Arithmetic overflow error converting expression to data type int
SELECT CAST(3000000000 AS int);
--> error: 8115 Arithmetic overflow error converting expression to data type int
SELECT CAST('300' AS tinyint);
--> error: 244 The conversion of the varchar value '300' overflowed an INT1 column
SELECT CAST(N'40000' AS smallint);
--> error: 244 The conversion of the nvarchar value '40000' overflowed an INT2 column
SELECT CAST('2147483648' AS int);
--> error: 248 The conversion of the varchar value '2147483648' overflowed an int column
SELECT CAST('twelve' AS int);
--> error: 245 Conversion failed when converting the varchar value 'twelve' to data type int
SELECT CAST('1.5' AS int);
--> error: 245
SELECT CAST('' AS int), CAST('  12  ' AS int), CAST('-7' AS smallint), CAST('+7' AS int);
--> 0 | 12 | -7 | 7
SELECT CAST('' AS decimal(5,2));
--> error: 8114 Error converting data type varchar to numeric
SELECT CAST('1e3' AS decimal(9,2));
--> error: 8114 Error converting data type varchar to numeric
SELECT CAST(1000 AS decimal(5,2));
--> error: 8115 Arithmetic overflow error converting int to data type numeric
SELECT CAST(1234.567 AS decimal(5,2));
--> error: 8115 Arithmetic overflow error converting numeric to data type numeric
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/bit-transact-sql
SELECT CAST('TRUE' AS bit), CAST('false' AS bit), CAST(-5 AS bit), CAST(0.0 AS bit), CAST('0' AS bit);
--> 1 | 0 | 1 | 0 | 0
SELECT CAST('yes' AS bit);
--> error: 245 Conversion failed when converting the varchar value 'yes' to data type bit
-- Precision and scale of results.
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/precision-scale-and-length-transact-sql
DECLARE @a decimal(5,2) = 1, @b decimal(5,2) = 3; SELECT @a / @b, @a * @b, @a + @b, @a - @b, @a % @b;
--> 0.33333333 | 3.0000 | 4.00 | -2.00 | 1.00
DECLARE @a decimal(9,3) = 10, @i int = 4; SELECT @a / @i, @a * @i, @a + @i;
--> 2.50000000000000 | 40.000 | 14.000
-- Where precision is over 38, the scale shrinks, but stays at least 6 where the integral part needs the room.
DECLARE @a decimal(30,10) = 1.5, @b decimal(30,10) = 2; SELECT @a * @b, @a / @b;
--> 3.000000 | 0.75000000
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/divide-transact-sql
SELECT 7 / 2, -7 / 2, 7 / 2.0, 7 / CAST(2 AS float);
--> 3 | -3 | 3.500000 | 3.5
SELECT CAST(7 AS money) / 2;
--> refused arithmetic with money
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/modulo-transact-sql
SELECT 38 % 5, -38 % 5, 38 % -5, 7.5 % 2;
--> 3 | -3 | 3 | 1.5
-- The type of higher precedence wins.
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/data-type-precedence-transact-sql
SELECT '3' + 4, 4 + '3', 1 + 1.5, CAST(1 AS float) + 1.5, CASE WHEN 1 = 1 THEN 1 ELSE 2.5 END;
--> 7 | 7 | 2.5 | 2.5 | 1.0
SELECT 'total: ' + 4;
--> error: 245 Conversion failed when converting the varchar value 'total: ' to data type int
SELECT CASE WHEN 1 = 2 THEN 5 ELSE 'x' END;
--> error: 245 Conversion failed when converting the varchar value 'x' to data type int
SELECT COALESCE(NULL, 'x', 1);
--> error: 245
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/date-transact-sql
SELECT CAST('2026-02-30' AS date);
--> error: 241 Conversion failed when converting date and/or time from character string
-- Rounded to increments of .000, .003, or .007 seconds.
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/datetime-transact-sql
SELECT CONVERT(varchar(23), CAST('2026-01-01 23:59:59.999' AS datetime), 121), CONVERT(varchar(23), CAST('2026-01-01 23:59:59.995' AS datetime), 121), CONVERT(varchar(23), CAST('2026-01-01 23:59:59.992' AS datetime), 121), CONVERT(varchar(23), CAST('2026-01-01 23:59:59.991' AS datetime), 121);
--> 2026-01-02 00:00:00.000 | 2026-01-01 23:59:59.997 | 2026-01-01 23:59:59.993 | 2026-01-01 23:59:59.990
SELECT CAST('1752-12-31' AS datetime);
--> error: 242 The conversion of a varchar data type to a datetime data type resulted in an out-of-range value
SELECT CAST('0001-01-01' AS datetime2(0)), CAST('9999-12-31 23:59:59.9999999' AS datetime2);
--> 0001-01-01 | 9999-12-31 23:59:59.9999999
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/datetime2-transact-sql
SELECT CAST('2026-01-01 10:20:30.1234567' AS datetime2(3)), CAST(CAST('2026-01-01 10:20:30.55' AS datetime2(2)) AS datetime2(0)), CAST(CAST('2026-01-01' AS date) AS datetime2(0)), CAST(CAST('2026-01-01 10:20:30.5' AS datetime2(1)) AS time(0));
--> 2026-01-01 10:20:30.123 | 2026-01-01 10:20:31 | 2026-01-01 | 10:20:31
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/datetimeoffset-transact-sql
DECLARE @o datetimeoffset(0) = '2026-05-01 10:00:00 +05:30'; SELECT @o, CAST(@o AS datetime2(0)), CAST(@o AS date), IIF(@o = CAST('2026-05-01 04:30:00 +00:00' AS datetimeoffset), 'same instant', 'other');
--> 2026-05-01 10:00:00 +05:30 | 2026-05-01 10:00:00 | 2026-05-01 | same instant
SELECT CAST('2026-05-01 10:00:00 +15:00' AS datetimeoffset);
--> error: 241
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/time-transact-sql
SELECT CAST('10:20:30.1239999' AS time(3)), CAST('23:59:59.6' AS time(0)), CAST(CAST('2026-01-01 10:20:30' AS datetime) AS time(0));
--> 10:20:30.124 | 00:00:00 | 10:20:30
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/uniqueidentifier-transact-sql
SELECT CAST('6F9619FF-8B86-D011-B42D-00C04FC964FF' AS uniqueidentifier), CAST(N'6f9619ff-8b86-d011-b42d-00c04fc964ff and more' AS uniqueidentifier), CAST(CAST('6F9619FF-8B86-D011-B42D-00C04FC964FF' AS uniqueidentifier) AS char(36)), CAST(0xFF19966F868B11D0B42D00C04FC964FF AS uniqueidentifier);
--> 6F9619FF-8B86-D011-B42D-00C04FC964FF | 6F9619FF-8B86-D011-B42D-00C04FC964FF | 6F9619FF-8B86-D011-B42D-00C04FC964FF | 6F9619FF-8B86-D011-B42D-00C04FC964FF
SELECT CAST('6F9619FF' AS uniqueidentifier);
--> error: 8169 Conversion failed when converting from a character string to uniqueidentifier
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/binary-and-varbinary-transact-sql
DECLARE @b varbinary(8) = 'text';
--> error: 257 Implicit conversion from data type varchar to varbinary is not allowed
-- A variable is cut silently; its length is 1 where none is given.
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/char-and-varchar-transact-sql
DECLARE @a varchar = 'abc', @b char(5) = 'ab', @c varchar(4) = 'abcdef', @d nvarchar(2) = N'äöü'; SELECT @a, @b + '|', @c, @d, DATALENGTH(@b), DATALENGTH(@d);
--> a | ab   | | abcd | äö | 5 | 4
CREATE TABLE dbo.Narrow (a varchar(3) NULL, n decimal(4,1) NULL, b tinyint NULL); INSERT INTO dbo.Narrow (a) VALUES ('abcd');
--> error: 2628 String or binary data would be truncated in table 'sandbox.dbo.Narrow', column 'a'. Truncated value: 'abc'
INSERT INTO dbo.Narrow (a, n) VALUES ('abc   ', 12.34); SELECT a, n, DATALENGTH(a) FROM dbo.Narrow;
--> abc | 12.3 | 3
INSERT INTO dbo.Narrow (n) VALUES (12345.6);
--> error: 8115 Arithmetic overflow error converting numeric to data type numeric
INSERT INTO dbo.Narrow (b) VALUES (1000);
--> error: 220 Arithmetic overflow error for data type tinyint, value = 1000
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/money-and-smallmoney-transact-sql
SELECT CAST(1.23456 AS money), CAST('-5.5' AS money), CAST(922337203685477.5807 AS money);
--> 1.2346 | -5.5000 | 922337203685477.5807
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/float-and-real-transact-sql
SELECT CAST(CAST(123.999 AS float) AS int), CAST(CAST(-2.5 AS float) AS decimal(3,0)), CAST(CAST(2.5 AS real) AS bigint);
--> 123 | -3 | 2
SELECT CAST(0.1 AS float) + CAST(0.2 AS float), CAST(16777217 AS real), CAST(1 AS float) / 3;
--> 0.30000000000000004 | 1.6777216e+07 | 0.3333333333333333
-- Constants have types of their own: a number with a point is numeric, one with an exponent float, a large integer numeric.
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/constants-transact-sql
SELECT 1.50, 1.5E0, 99999999999, 0x, 0xAB, -.5, 1.;
--> 1.50 | 1.5 | 99999999999 | 0x | 0xAB | -0.5 | 1
SELECT 'it''s', N'ü', '', 'a' 'b', 1 [c];
--> it's | ü |  | a | 1
SELECT 1.5 AS a, 1.5E0 AS b, 3 AS c, 99999999999 AS d, 'x' AS e, N'x' AS f, 0xAB AS g INTO dbo.Constants;
--> ok
SELECT c.name, t.name, c.max_length, c.precision, c.scale, c.is_nullable FROM sys.columns AS c JOIN sys.types AS t ON t.user_type_id = c.user_type_id WHERE c.object_id = OBJECT_ID('dbo.Constants') ORDER BY c.column_id;
--> a | numeric | 5 | 2 | 1 | 0
--> b | float | 8 | 53 | 0 | 0
--> c | int | 4 | 10 | 0 | 0
--> d | numeric | 9 | 11 | 0 | 0
--> e | varchar | 1 | 0 | 0 | 0
--> f | nvarchar | 2 | 0 | 0 | 0
--> g | varbinary | 1 | 0 | 0 | 0
