-- Function: NextLocalTime
-- Purpose: Returns the first local time of a calendar (as ReadCalendar returns it) at or after another, whatever summer time does to it.
-- Access: private
-- Columns: the local time; NULL = none within forty years, so never
CREATE OR ALTER FUNCTION {{.Schema}}.NextLocalTime
(@Form varchar(400), @From datetime2(0))
RETURNS datetime2(0)
AS
BEGIN
    DECLARE @Minutes varchar(60) = SUBSTRING(@Form, 3, 60), @Hours varchar(24) = SUBSTRING(@Form, 63, 24), @Hour int = DATEPART(hour, @From), @Minute int = 0,
            @Month date = DATEADD(day, 1 - DAY(@From), @From), @Day int, @First int = DAY(@From), @Months int = 0;

    -- The time of day: in this hour, or else in a later one.
    IF SUBSTRING(@Hours, @Hour + 1, 1) = '1'
        SET @Minute = CHARINDEX('1', @Minutes, DATEPART(minute, @From) + 1);
    IF @Minute = 0
        SELECT @Hour = CHARINDEX('1', @Hours, @Hour + 2) - 1, @Minute = CHARINDEX('1', @Minutes);
    IF @Hour < 0
        SET @First = @First + 1;

    WHILE @Months < 480
    BEGIN
        IF SUBSTRING(@Form, 118 + MONTH(@Month), 1) = '1'
            SELECT @Day = MIN(d.Day)
            FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15), (16), (17), (18), (19), (20), (21), (22), (23), (24),
                         (25), (26), (27), (28), (29), (30), (31)) AS d (Day)
            -- 1900-01-07 was a Sunday.
            CROSS APPLY (SELECT (DATEDIFF(day, '19000107', @Month) + d.Day - 1) % 7 AS Weekday) AS w
            CROSS APPLY (SELECT CASE WHEN SUBSTRING(@Form, 86 + d.Day, 1) = '1' OR (d.Day = DAY(DATEADD(day, -1, DATEADD(month, 1, @Month))) AND SUBSTRING(@Form, 118, 1) = '1') THEN 1 ELSE 0 END
                              + CASE WHEN SUBSTRING(@Form, 131 + w.Weekday, 1) = '1' OR SUBSTRING(@Form, 138 + (d.Day - 1) / 7 * 7 + w.Weekday, 1) = '1' THEN 1 ELSE 0 END AS Matches) AS m
            WHERE d.Day BETWEEN @First AND DAY(DATEADD(day, -1, DATEADD(month, 1, @Month))) AND m.Matches >= CASE SUBSTRING(@Form, 2, 1) WHEN 'A' THEN 2 ELSE 1 END;
        IF @Day IS NOT NULL
            BREAK;
        SELECT @Month = DATEADD(month, 1, @Month), @First = 1, @Months = @Months + 1;
    END;

    -- On another day, the first time of the day.
    IF DATEADD(day, @Day - 1, @Month) > CONVERT(date, @From)
        SELECT @Hour = CHARINDEX('1', @Hours) - 1, @Minute = CHARINDEX('1', @Minutes);

    RETURN DATEADD(minute, @Hour * 60 + @Minute - 1, CONVERT(datetime2(0), DATEADD(day, @Day - 1, @Month)));
END;
