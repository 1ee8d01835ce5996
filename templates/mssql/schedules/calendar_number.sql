-- Function: CalendarNumber
-- Purpose: Reads one number of a calendar's field, or the name of one: @Names has the names, three letters each, of the numbers from @First.
-- TRY_CONVERT: for some collations, a superscript 2 lies between 0 and 9.
-- Access: private
-- Columns: the number; NULL = it is neither
CREATE OR ALTER FUNCTION {{.Schema}}.CalendarNumber
(@Text varchar(200), @Names varchar(40), @First int)
RETURNS int
AS
BEGIN
    RETURN CASE WHEN @Text LIKE '[0-9]' OR @Text LIKE '[0-9][0-9]' THEN TRY_CONVERT(int, @Text)
                WHEN LEN(@Text) = 3 AND CHARINDEX(@Text, @Names) % 3 = 1 THEN CHARINDEX(@Text, @Names) / 3 + @First END;
END;
