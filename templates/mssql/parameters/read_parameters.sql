-- Function: ReadParameters
-- Purpose: Returns the values bound to a task's batch, one row each, with any error. The JSON is an object like
-- {"CustomerId int": 7, "Since date": "2026-01-31", "Name": "x"}: a member's name is the variable without @, followed by its type. Without
-- a type, the value decides: nvarchar for a string or null, bigint or float for a number, bit for true and false.
-- Access: private
-- Parameters:
--   @Parameters nvarchar(max) (required): the JSON, NULL = no row
-- Columns: Member (as in the JSON), Name, SqlType (as declared), ErrorNumber (NULL = valid), Problem (the error text)
-- Errors: none raised; in ErrorNumber
--   51031: the parameters are not a JSON object, or there are too many
--   51032: a parameter's name is invalid or used twice
--   51033: a parameter's type is not supported
--   51034: a parameter's value does not fit its type
CREATE OR ALTER FUNCTION {{.Schema}}.ReadParameters
(
    @Parameters nvarchar(max)
)
RETURNS TABLE
AS
RETURN
(
    SELECT j.[key] AS Member,
           n.Name,
           CASE t.TypeName WHEN N'nvarchar' THEN CASE WHEN j.[type] = 1 AND LEN(j.[value] + N'.') > 4001 AND n.TypeText = N'' THEN N'nvarchar(max)' ELSE N'nvarchar(4000)' END
                           WHEN N'varchar' THEN N'varchar(8000)'
                           WHEN N'varbinary' THEN N'varbinary(8000)'
                           ELSE t.TypeName + t.Arguments END AS SqlType,
           e.ErrorNumber,
           N'"' + LEFT(j.[key], 100) + CASE e.ErrorNumber
               WHEN 51032 THEN N'" is not a valid parameter name, or is used twice. A name is a letter or _, then letters, digits and _, at most 100 characters, without @'
               WHEN 51033 THEN N'" has a type that is not supported. Use bit, tinyint, smallint, int, bigint, decimal(p,s), money, float, date, time, datetime2, datetimeoffset, uniqueidentifier, nvarchar, nvarchar(max), varchar, varchar(max), varbinary or varbinary(max)'
               WHEN 51034 THEN N'" needs a single value of type ' + t.TypeName + t.Arguments + N', or null' END AS Problem
    FROM OPENJSON(CASE WHEN ISJSON(@Parameters) = 1 THEN @Parameters END) AS j
    CROSS APPLY (SELECT CHARINDEX(N' ', LEFT(j.[key], 300) + N' ') AS At) AS c
    CROSS APPLY (SELECT LEFT(j.[key], c.At - 1) AS Name, REPLACE(LOWER(SUBSTRING(j.[key], c.At + 1, 300)), N' ', N'') AS TypeText) AS n
    CROSS APPLY (SELECT CHARINDEX(N'(', n.TypeText + N'(') AS At) AS b
    CROSS APPLY (SELECT CASE WHEN n.TypeText <> N'' THEN LEFT(n.TypeText, b.At - 1)
                             WHEN j.[type] = 2 AND j.[value] LIKE N'%[.eE]%' THEN N'float'
                             WHEN j.[type] = 2 THEN N'bigint'
                             WHEN j.[type] = 3 THEN N'bit'
                             ELSE N'nvarchar' END
                        + CASE WHEN n.TypeText IN (N'nvarchar(max)', N'varchar(max)', N'varbinary(max)') THEN N'(max)' ELSE N'' END AS TypeName,
                        CASE WHEN n.TypeText IN (N'nvarchar(max)', N'varchar(max)', N'varbinary(max)') THEN N'' ELSE SUBSTRING(n.TypeText, b.At, 300) END AS Arguments) AS t
    CROSS APPLY (SELECT TRY_CONVERT(int, REPLACE(REPLACE(LEFT(t.Arguments, CHARINDEX(N',', t.Arguments + N',')), N'(', N''), N',', N'')) AS Digits,
                        TRY_CONVERT(int, REPLACE(SUBSTRING(t.Arguments, CHARINDEX(N',', t.Arguments) + 1, 10), N')', N'')) AS Scale) AS d
    -- A number's digits before and after the decimal point, without a leading 0, give its exact range. Nines are rounded up.
    CROSS APPLY (SELECT REPLACE(LEFT(j.[value], 50), N'-', N'') AS Number) AS a
    CROSS APPLY (SELECT CASE WHEN a.Number LIKE N'0%' THEN N'' ELSE LEFT(a.Number, CHARINDEX(N'.', a.Number + N'.') - 1) END AS Whole,
                        SUBSTRING(a.Number, CHARINDEX(N'.', a.Number + N'.') + 1, 50) AS Fraction) AS w
    CROSS APPLY (SELECT CASE
        WHEN n.Name = N'' OR n.Name LIKE N'%[^A-Za-z0-9_]%' OR n.Name LIKE N'[0-9]%' OR LEN(n.Name) > 100 OR LEN(j.[key] + N'.') > 129
             OR EXISTS (SELECT 1
                        FROM OPENJSON(CASE WHEN ISJSON(@Parameters) = 1 THEN @Parameters END) AS o
                        WHERE LOWER(LEFT(o.[key], CHARINDEX(N' ', LEFT(o.[key], 300) + N' ') - 1)) = LOWER(n.Name)
                        HAVING COUNT(*) > 1) THEN 51032
        WHEN NOT (t.Arguments = N'' AND t.TypeName IN (N'bit', N'tinyint', N'smallint', N'int', N'bigint', N'money', N'float', N'date', N'time', N'datetime2',
                                                       N'datetimeoffset', N'uniqueidentifier', N'nvarchar', N'nvarchar(max)', N'varchar', N'varchar(max)',
                                                       N'varbinary', N'varbinary(max)')
                  OR t.TypeName = N'decimal' AND t.Arguments LIKE N'([0-9]%,%[0-9])' AND t.Arguments NOT LIKE N'%[^0-9,()]%'
                     AND d.Digits BETWEEN 1 AND 38 AND d.Scale BETWEEN 0 AND d.Digits) THEN 51033
        WHEN j.[type] IN (4, 5) THEN 51034
        WHEN j.[type] = 0 THEN NULL
        WHEN CASE WHEN t.TypeName = N'bit' THEN CASE WHEN j.[type] = 3 THEN 1 END
                  WHEN t.TypeName IN (N'tinyint', N'smallint', N'int', N'bigint', N'money', N'float', N'decimal') THEN CASE WHEN j.[type] = 2 THEN 1 END
                  WHEN j.[type] = 1 THEN 1 END IS NULL THEN 51034
        WHEN CASE t.TypeName
                  WHEN N'tinyint' THEN CASE WHEN TRY_CONVERT(tinyint, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'smallint' THEN CASE WHEN TRY_CONVERT(smallint, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'int' THEN CASE WHEN TRY_CONVERT(int, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'bigint' THEN CASE WHEN TRY_CONVERT(bigint, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'money' THEN CASE WHEN TRY_CONVERT(money, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'float' THEN CASE WHEN TRY_CONVERT(float, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'decimal' THEN CASE WHEN LEN(j.[value]) <= 41 AND j.[value] NOT LIKE N'%[eE]%' AND LEN(w.Whole) <= d.Digits - d.Scale
                                                 AND NOT (LEN(w.Whole) = d.Digits - d.Scale AND SUBSTRING(w.Whole + w.Fraction, d.Digits + 1, 1) >= N'5'
                                                          AND LEFT(w.Whole + w.Fraction, d.Digits) = REPLICATE(N'9', d.Digits)) THEN 1 END
                  WHEN N'date' THEN CASE WHEN j.[value] LIKE N'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND TRY_CONVERT(date, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'time' THEN CASE WHEN j.[value] LIKE N'[0-9][0-9]:[0-9][0-9]%' AND TRY_CONVERT(time, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'datetime2' THEN CASE WHEN j.[value] LIKE N'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T%' AND SUBSTRING(j.[value], 12, 40) NOT LIKE N'%[+-]%' AND TRY_CONVERT(datetime2, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'datetimeoffset' THEN CASE WHEN j.[value] LIKE N'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T%' AND TRY_CONVERT(datetimeoffset, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'uniqueidentifier' THEN CASE WHEN LEN(j.[value]) = 36 AND TRY_CONVERT(uniqueidentifier, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'varbinary' THEN CASE WHEN LEN(j.[value]) <= 16002 AND TRY_CONVERT(varbinary(max), j.[value], 1) IS NOT NULL THEN 1 END
                  WHEN N'varbinary(max)' THEN CASE WHEN TRY_CONVERT(varbinary(max), j.[value], 1) IS NOT NULL THEN 1 END
                  WHEN N'nvarchar' THEN CASE WHEN LEN(j.[value] + N'.') <= 4001 OR n.TypeText = N'' THEN 1 END
                  WHEN N'varchar' THEN CASE WHEN DATALENGTH(CONVERT(varchar(max), j.[value])) <= 8000 THEN 1 END
                  ELSE 1 END IS NULL THEN 51034
        END AS ErrorNumber) AS e

    UNION ALL

    SELECT NULL, NULL, NULL, 51031, N'@Parameters must be a JSON object with at most 1000 members'
    WHERE @Parameters IS NOT NULL
      AND (ISJSON(@Parameters) = 0
           OR (SELECT COUNT(*) FROM OPENJSON(CASE WHEN ISJSON(@Parameters) = 1 THEN @Parameters END)) > 1000
           OR SUBSTRING(@Parameters, PATINDEX(N'%[^' + NCHAR(9) + NCHAR(10) + NCHAR(13) + N' ]%', @Parameters), 1) <> N'{')
);
