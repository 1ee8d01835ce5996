-- View: RoundMemberInfo
-- Purpose: Members of rounds, and the report of each for the current generation. Users see the members of the rounds they see in RoundInfo.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: RoundId, Round, Member, Succeeded (NULL = it has not reported), ReportedAt
-- Example: SELECT m.Member FROM dbsched.RoundMemberInfo AS m WHERE m.Round = N'load' AND m.Succeeded IS NULL;
CREATE OR ALTER VIEW {{.Schema}}.RoundMemberInfo
AS
-- NULL in hidden rows, see Viewer.
SELECT CASE WHEN v.Mine = 1 THEN r.RoundId END AS RoundId,
       CASE WHEN v.Mine = 1 THEN r.Name END AS Round,
       CASE WHEN v.Mine = 1 THEN m.Member END AS Member,
       CASE WHEN v.Mine = 1 THEN m.Succeeded END AS Succeeded,
       CASE WHEN v.Mine = 1 THEN m.ReportedAt END AS ReportedAt
FROM {{.Schema}}.Rounds AS r WITH (NOLOCK)
CROSS JOIN {{.Schema}}.Viewer AS me
INNER JOIN {{.Schema}}.RoundMembers AS m WITH (NOLOCK) ON m.RoundId = r.RoundId
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR r.DefinedBySid = me.UserSid THEN 1 END AS Mine) AS v
WHERE v.Mine = 1;
