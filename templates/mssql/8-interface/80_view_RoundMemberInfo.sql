-- View: RoundMemberInfo
-- Purpose: Members of rounds, and the report of each for the current generation. Users see the members of the rounds they see in RoundInfo.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: RoundId, Round, Member, Succeeded (NULL = it has not reported), ReportedAt
-- Example: SELECT m.Member FROM dbsched.RoundMemberInfo AS m WHERE m.Round = N'load' AND m.Succeeded IS NULL;
CREATE OR ALTER VIEW {{.Schema}}.RoundMemberInfo
AS
SELECT r.RoundId,
       r.Name AS Round,
       m.Member,
       m.Succeeded,
       m.ReportedAt
FROM {{.Schema}}.Rounds AS r WITH (NOLOCK)
INNER JOIN {{.Schema}}.RoundMembers AS m WITH (NOLOCK) ON m.RoundId = r.RoundId
WHERE r.DefinedBySid = {{.UserSid}}
   OR IS_ROLEMEMBER({{.ReaderRoleLit}}) = 1
   OR IS_ROLEMEMBER({{.AdminRoleLit}}) = 1
   OR IS_ROLEMEMBER(N'db_owner') = 1;
