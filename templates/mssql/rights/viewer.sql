-- View: Viewer
-- Purpose: Who asks, for the public views. SQL Server may evaluate a condition of a query before those of a view that it reads, and an error
-- in it, such as a failed conversion or a division by zero, then shows something of a hidden row. So a view with rows of several users
-- computes whether a row is the caller's (v.Mine), and all its columns are NULL unless it is: CASE evaluates its conditions first (CASE,
-- Remarks). Exceptions are columns that an index must find a row by; a condition on them shows that there is a row, at most.
-- Users are compared by SID, see Me.
-- Access: private
-- Columns: UserSid, SeesAll
CREATE OR ALTER VIEW {{.Schema}}.Viewer
AS
SELECT {{.UserSid}} AS UserSid,
       CASE WHEN IS_ROLEMEMBER({{.ReaderRoleLit}}) = 1 OR IS_ROLEMEMBER({{.AdminRoleLit}}) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 END AS SeesAll;
