-- Function: LastInstants
-- Purpose: Finds the last instants of a calendar (as ReadCalendar returns it) until a time, however many came before: a search in halves,
-- from a time before them.
-- Access: private
-- Columns: the earliest time after which there are at most @Most instants until @Now
CREATE OR ALTER FUNCTION {{.Schema}}.LastInstants
(@Form varchar(400), @Zone nvarchar(128), @Begin datetime2(0), @End datetime2(0), @From datetime2(0), @Now datetime2(3), @Most int)
RETURNS datetime2(0)
AS
BEGIN
    DECLARE @Until datetime2(0) = @Now, @Middle datetime2(0), @At datetime2(0), @Count int;
    WHILE @From < @Until
    BEGIN
        SELECT @Middle = DATEADD(second, DATEDIFF(second, @From, @Until) / 2, @From), @Count = 0;
        SET @At = {{.Schema}}.NextInstant(@Form, @Zone, @Begin, @End, @Middle);
        WHILE @At <= @Now AND @Count < @Most
            SELECT @Count = @Count + 1, @At = {{.Schema}}.NextInstant(@Form, @Zone, @Begin, @End, @At);
        IF @At <= @Now
            SET @From = DATEADD(second, 1, @Middle);
        ELSE
            SET @Until = @Middle;
    END;

    RETURN @From;
END;
