-- Function: ZoneOffset
-- Purpose: Returns the minutes by which a time zone (a name in sys.time_zone_info) is ahead of UTC at an instant. From UTC to local time, AT
-- TIME ZONE has one answer; the way back has none in the gap and two in the overlap, so NextInstant derives it from these offsets.
-- Access: private
-- Columns: the minutes; error 9820 = there is no such time zone
CREATE OR ALTER FUNCTION {{.Schema}}.ZoneOffset
(@Zone nvarchar(128), @At datetime2(0))
RETURNS int
AS
BEGIN
    RETURN CASE WHEN @Zone = N'UTC' THEN 0 ELSE DATEDIFF(minute, @At, CONVERT(datetime2(0), @At AT TIME ZONE N'UTC' AT TIME ZONE @Zone)) END;
END;
