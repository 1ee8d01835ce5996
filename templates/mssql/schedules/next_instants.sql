-- Function: NextInstants
-- Purpose: Lists the next instants of a calendar in a time zone.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Parameters:
--   @Calendar nvarchar(4000) (required): the calendar, see CreateSchedule
--   @Zone nvarchar(128) (required): name of a time zone in sys.time_zone_info
--   @After datetime2(3) (required): list instants after this time, in UTC; NULL = now
--   @Count int (required): how many; 1 to 100
--   @BeginAt datetime2(0) (required): list none before it, and count every N minutes, hours or days from it, in UTC; NULL = @After
--   @EndAt datetime2(0) (required): list none after it, in UTC; NULL = without end
-- Columns: InstantNo, At (UTC), LocalTime (in @Zone), Problem (why the calendar cannot be read; otherwise NULL)
-- Errors: 9820: there is no such time zone
-- Example: SELECT n.LocalTime FROM dbsched.NextInstants(N'0 2 * * MON-FRI', N'Central European Standard Time', NULL, 10, NULL, NULL) AS n;
CREATE OR ALTER FUNCTION {{.Schema}}.NextInstants
(@Calendar nvarchar(4000), @Zone nvarchar(128), @After datetime2(3), @Count int, @BeginAt datetime2(0), @EndAt datetime2(0))
RETURNS TABLE
AS
RETURN
(
    WITH Instants (InstantNo, At, Form, BeginAt) AS
    (
        SELECT 1, CASE WHEN c.Form NOT LIKE '!%' THEN {{.Schema}}.NextInstant(c.Form, @Zone, c.BeginAt, @EndAt, c.After) END, c.Form, c.BeginAt
        FROM (SELECT {{.Schema}}.ReadCalendar(@Calendar) AS Form, n.After,
              ISNULL(@BeginAt, CONVERT(datetime2(0), DATEADD(millisecond, -500, n.After))) AS BeginAt -- the second that has begun
              FROM (SELECT ISNULL(@After, SYSUTCDATETIME()) AS After) AS n) AS c
        UNION ALL
        SELECT i.InstantNo + 1, {{.Schema}}.NextInstant(i.Form, @Zone, i.BeginAt, @EndAt, i.At), i.Form, i.BeginAt
        FROM Instants AS i
        WHERE i.InstantNo < @Count AND i.At IS NOT NULL
    )
    SELECT i.InstantNo, i.At, CONVERT(datetime2(0), i.At AT TIME ZONE N'UTC' AT TIME ZONE @Zone) AS LocalTime,
           CASE WHEN i.Form LIKE '!%' THEN SUBSTRING(i.Form, 2, 400) END AS Problem
    FROM Instants AS i
    WHERE i.At IS NOT NULL OR i.Form LIKE '!%'
);
