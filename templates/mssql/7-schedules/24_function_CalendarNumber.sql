-- Function: CalendarNumber
-- Purpose: Reads one number or name of a calendar's field.
-- Access: private
-- Parameters:
--   @Text varchar(200) (required): digits, or three letters
--   @Names varchar(40) (required): the names that count, three letters each; empty = none
--   @First int (required): number of the first name
-- Columns: the number; NULL = not a number or name
-- Errors: none raised
-- Example: SELECT dbsched.CalendarNumber('TUE', 'SUNMONTUEWEDTHUFRISAT', 0); -- 2
CREATE OR ALTER FUNCTION {{.Schema}}.CalendarNumber
(
    @Text varchar(200),
    @Names varchar(40),
    @First int
)
RETURNS int
AS
BEGIN
    RETURN CASE WHEN @Text LIKE '[0-9]' OR @Text LIKE '[0-9][0-9]' THEN CONVERT(int, @Text)
                WHEN LEN(@Text) = 3 AND CHARINDEX(@Text, @Names) % 3 = 1 THEN CHARINDEX(@Text, @Names) / 3 + @First END;
END;
