-- Function: NextInstant
-- Purpose: Returns the first instant of a calendar (as ReadCalendar returns it) after another, in UTC, from @Begin until @End. With E in
-- the form, intervals are counted from @Begin. Otherwise it goes through the stretches of time in which the zone's offset is constant. With
-- F in the form, a local time that exists twice counts the first time only, and one that does not exist is the instant at which the clocks
-- are set forward; with W, every instant counts whose local time matches.
-- Access: private
-- Columns: the instant, in UTC; NULL = never
CREATE OR ALTER FUNCTION {{.Schema}}.NextInstant
(@Form varchar(400), @Zone nvarchar(128), @Begin datetime2(0), @End datetime2(0), @After datetime2(3))
RETURNS datetime2(0)
AS
BEGIN
    DECLARE @Next datetime2(0), @From datetime2(0), @At datetime2(0), @Ahead datetime2(0), @Middle datetime2(0), @Local datetime2(0), @Offset int,
            @Moved int, @Step int;
    IF @After < @Begin
        SET @After = DATEADD(second, -1, @Begin);
    IF LEFT(@Form, 1) = 'E'
    BEGIN
        -- DATEDIFF counts the minutes that have begun, so this can be the instant already.
        SET @Step = CONVERT(int, SUBSTRING(@Form, 2, 10));
        SET @Next = DATEADD(minute, DATEDIFF(minute, @Begin, @After) / @Step * @Step, @Begin);
        IF @Next <= @After
            SET @Next = DATEADD(minute, @Step, @Next);
    END;
    SET @From = DATEADD(minute, DATEDIFF(minute, '20000101', @After) + 1, '20000101');
    SET @Offset = CASE WHEN @Next IS NULL THEN {{.Schema}}.ZoneOffset(@Zone, @From) END;

    -- The clocks were set back a moment ago: which local times have fired already?
    IF LEFT(@Form, 1) = 'F' AND {{.Schema}}.ZoneOffset(@Zone, DATEADD(day, -1, @From)) > @Offset
    BEGIN
        SET @From = DATEADD(day, -1, @From);
        SET @Offset = {{.Schema}}.ZoneOffset(@Zone, @From);
    END;

    WHILE @Next IS NULL
    BEGIN
        SET @Local = {{.Schema}}.NextLocalTime(@Form, DATEADD(minute, @Offset, @From));
        IF @Local IS NULL
            BREAK;

        -- Does the offset change before that, within a day?
        SET @At = DATEADD(minute, -@Offset, @Local);
        SET @Ahead = CASE WHEN @At < DATEADD(day, 1, @From) THEN @At ELSE DATEADD(day, 1, @From) END;
        SET @Moved = {{.Schema}}.ZoneOffset(@Zone, @Ahead) - @Offset;
        IF @Moved = 0 AND @At = @Ahead AND @At > @After
            SET @Next = @At;
        IF @Moved = 0
            -- No local time before it matches: go on a day before it.
            SET @From = CASE WHEN @At = @Ahead THEN DATEADD(minute, 1, @At) WHEN @Ahead > DATEADD(day, -1, @At) THEN @Ahead ELSE DATEADD(day, -1, @At) END;
        ELSE
        BEGIN
            -- @Ahead becomes the first minute with the new offset.
            WHILE DATEDIFF(minute, @From, @Ahead) > 1
            BEGIN
                SET @Middle = DATEADD(minute, DATEDIFF(minute, @From, @Ahead) / 2, @From);
                IF {{.Schema}}.ZoneOffset(@Zone, @Middle) = @Offset
                    SET @From = @Middle;
                ELSE
                    SET @Ahead = @Middle;
            END;

            -- Set forward past the local time.
            IF LEFT(@Form, 1) = 'F' AND @Local < DATEADD(minute, @Offset + @Moved, @Ahead) AND @Ahead > @After
                SET @Next = @Ahead;

            -- Set back: local times that come again do not count.
            SET @From = DATEADD(minute, CASE WHEN LEFT(@Form, 1) = 'F' AND @Moved < 0 THEN -@Moved ELSE 0 END, @Ahead);
        END;
        SET @Offset = {{.Schema}}.ZoneOffset(@Zone, @From);
    END;

    RETURN CASE WHEN @Next > @End THEN NULL ELSE @Next END;
END;
