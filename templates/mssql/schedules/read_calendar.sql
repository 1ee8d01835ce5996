-- Function: ReadCalendar
-- Purpose: Reads a calendar: five fields as in cron, @daily and the like, or "every 15 minutes". Returns it in the form that NextInstant
-- reads, or ! and what is wrong with it. The form is E and the interval in minutes, or 172 characters:
--   1: W = every instant that matches fires, because minute or hour begin with *; F = a local time fires once
--   2: A = the day of the month and the day of the week must match; O = one of them is enough
--   3 minutes (60), 63 hours (24), 87 days of the month (31 and the last), 119 months (12), 131 days of the week (7, from Sunday), then
--   138 the same of the first week of the month (7) to the fifth: 1 = it is in the calendar, 0 = it is not
-- Access: private
-- Columns: the form, or ! and the problem
CREATE OR ALTER FUNCTION {{.Schema}}.ReadCalendar
(@Calendar nvarchar(4000))
RETURNS varchar(400)
AS
BEGIN
    -- The collation keeps I and i the same letter in a Turkish database.
    DECLARE @Text varchar(200) = LTRIM(RTRIM(UPPER(REPLACE(REPLACE(REPLACE(LEFT(@Calendar, 200), NCHAR(9), N' '), NCHAR(10), N' '), NCHAR(13), N' ') COLLATE Latin1_General_BIN2))),
            @Field int = 1, @Word varchar(201), @Part varchar(200), @Range varchar(200), @Map varchar(60), @Maps varchar(200) = '',
            @Kind char(1) = 'F', @Rule char(1) = 'O',
            @Low int, @High int, @Names varchar(40), @What varchar(30), @From int, @To int, @Step int, @Week int, @Minutes bigint;
    IF @Text IS NULL OR @Text = '' OR DATALENGTH(@Calendar) > 400
        RETURN '!it must have 1 to 200 characters';

    -- every 15 minutes
    IF @Text LIKE 'EVERY %'
    BEGIN
        SET @Text = LTRIM(SUBSTRING(@Text, 7, 200));
        IF @Text NOT LIKE '[0-9]%'
            SET @Text = '1 ' + @Text;
        SELECT @Part = LEFT(@Text, CHARINDEX(' ', @Text + ' ') - 1), @Word = LTRIM(SUBSTRING(@Text, CHARINDEX(' ', @Text + ' '), 200));
        SET @Minutes = CASE WHEN @Word IN ('MINUTE', 'MINUTES') THEN 1 WHEN @Word IN ('HOUR', 'HOURS') THEN 60
                            WHEN @Word IN ('DAY', 'DAYS') THEN 1440 END
                  * CASE WHEN @Part NOT LIKE '%[^0-9]%' AND LEN(@Part) <= 6 THEN TRY_CONVERT(bigint, @Part) END;
        RETURN CASE WHEN @Minutes BETWEEN 1 AND 527040 THEN 'E' + CONVERT(varchar(10), @Minutes)
               ELSE '!after every must come a number of minutes, hours or days, from 1 minute to 366 days' END;
    END;
    IF LEFT(@Text, 1) = '@'
        SET @Text = CASE SUBSTRING(@Text, 2, 200) WHEN 'YEARLY' THEN '0 0 1 1 *' WHEN 'ANNUALLY' THEN '0 0 1 1 *' WHEN 'MONTHLY' THEN '0 0 1 * *' WHEN 'WEEKLY' THEN '0 0 * * 0'
                                                  WHEN 'DAILY' THEN '0 0 * * *' WHEN 'MIDNIGHT' THEN '0 0 * * *' WHEN 'HOURLY' THEN '0 * * * *' END;
    IF @Text IS NULL
        RETURN '!of the names with @ there are yearly, annually, monthly, weekly, daily, midnight and hourly';

    WHILE @Field <= 5
    BEGIN
        SET @Word = LEFT(@Text, CHARINDEX(' ', @Text + ' ') - 1);
        SET @Text = LTRIM(SUBSTRING(@Text, CHARINDEX(' ', @Text + ' '), 200));
        SELECT @Low = CASE WHEN @Field IN (3, 4) THEN 1 ELSE 0 END,
               @High = CASE @Field WHEN 1 THEN 59 WHEN 2 THEN 23 WHEN 3 THEN 31 WHEN 4 THEN 12 ELSE 7 END,
               @Names = CASE @Field WHEN 4 THEN 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC' WHEN 5 THEN 'SUNMONTUEWEDTHUFRISAT' ELSE '' END,
               @What = CASE @Field WHEN 1 THEN 'minute' WHEN 2 THEN 'hour' WHEN 3 THEN 'day of the month' WHEN 4 THEN 'month' ELSE 'day of the week' END,
               @Map = REPLICATE('0', CASE @Field WHEN 1 THEN 60 WHEN 2 THEN 24 WHEN 3 THEN 32 WHEN 4 THEN 12 ELSE 42 END);
        IF @Word = ''
            RETURN '!field ' + CONVERT(varchar(1), @Field) + ' of 5 (' + @What + ') is missing';

        -- As in Vixie's cron, */2 counts as a star: days and weekdays must both match.
        IF @Field <= 2 AND LEFT(@Word, 1) = '*'
            SET @Kind = 'W';
        IF @Field IN (3, 5) AND LEFT(@Word, 1) = '*'
            SET @Rule = 'A';
        SET @Word = @Word + ',';
        WHILE @Word <> ''
        BEGIN
            SET @Part = LEFT(@Word, CHARINDEX(',', @Word) - 1);
            SET @Word = SUBSTRING(@Word, CHARINDEX(',', @Word) + 1, 200);

            -- 5#2: the second Friday. A step follows * or a range.
            SET @Week = CASE WHEN @Field = 5 AND @Part LIKE '_%#[1-5]' THEN TRY_CONVERT(int, RIGHT(@Part, 1)) ELSE 0 END;
            SET @Range = CASE WHEN @Week > 0 THEN LEFT(@Part, LEN(@Part) - 2) WHEN @Part LIKE '*/%' OR @Part LIKE '%-%/%' THEN LEFT(@Part, CHARINDEX('/', @Part) - 1) ELSE @Part END;
            SET @Step = CASE WHEN @Week > 0 OR @Range = @Part THEN 1 ELSE {{.Schema}}.CalendarNumber(SUBSTRING(@Part, CHARINDEX('/', @Part) + 1, 200), '', 0) END;
            SELECT @From = CASE WHEN @Range = '*' THEN @Low ELSE {{.Schema}}.CalendarNumber(LEFT(@Range, CHARINDEX('-', @Range + '-') - 1), @Names, @Low) END,
                   @To = CASE WHEN @Range = '*' THEN CASE WHEN @Field = 5 THEN 6 ELSE @High END
                              ELSE {{.Schema}}.CalendarNumber(SUBSTRING(@Range, CHARINDEX('-', @Range) + 1, 200), @Names, @Low) END;
            IF @Field = 5 AND @To = 0 AND @From > 0
                SET @To = 7; -- FRI-SUN
            IF @Field = 3 AND @Part = 'L'
                SELECT @From = 32, @To = 32;
            ELSE IF @From IS NULL OR @To IS NULL OR @Step IS NULL OR @Step = 0 OR @From < @Low OR @From > @To OR @To > @High OR (@Week > 0 AND @From <> @To)
                RETURN '!field ' + CONVERT(varchar(1), @Field) + ' (' + @What + '), "' + @Part + '": it must be from ' + CONVERT(varchar(2), @Low) + ' to ' + CONVERT(varchar(2), @High)
                     + CASE @Field WHEN 3 THEN ' or L' WHEN 4 THEN ' or JAN to DEC' WHEN 5 THEN ', SUN to SAT, or one of these with #1 to #5' ELSE '' END
                     + '; also a range 1-5, or a range or * with a step */2';

            WHILE @From <= @To
            BEGIN
                SET @Map = STUFF(@Map, CASE WHEN @Field = 5 THEN @From % 7 + 7 * @Week + 1 ELSE @From - @Low + 1 END, 1, '1');
                SET @From = @From + @Step;
            END;
        END;
        SELECT @Maps = @Maps + @Map, @Field = @Field + 1;
    END;

    RETURN CASE WHEN @Text <> '' THEN '!after field 5 comes "' + @Text + '", but there are only five fields'
                WHEN {{.Schema}}.NextLocalTime(@Kind + @Rule + @Maps, '20000101') IS NULL THEN '!it never fires: no such day exists'
                ELSE @Kind + @Rule + @Maps END;
END;
