package mssql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// usersQuery lists dbo and the users that run what waits: at most a hundred, because each may cost a domain controller's answer. It lists
// nobody for who is not a member of db_owner. Who they are is read as the owner, their names are not: it sees only its own.
func (s *scheduler) usersQuery() string {
	return fmt.Sprintf(`SET NOCOUNT ON;
DECLARE @Ids table (Id int NOT NULL);
IF ISNULL(IS_ROLEMEMBER(N'db_owner'), 0) = 0
BEGIN
    SELECT TOP (0) u.name FROM sys.database_principals AS u;
    RETURN;
END;
%s
SELECT TOP (100) u.name FROM sys.database_principals AS u
WHERE u.type IN ('S', 'U', 'E') AND (u.principal_id = 1 OR u.principal_id IN (SELECT i.Id FROM @Ids AS i))
ORDER BY u.principal_id;`, s.asOwner(fmt.Sprintf(`INSERT INTO @Ids (Id)
SELECT t.EnqueuedById FROM %s AS t WITH (NOLOCK) WHERE t.FinishedAt IS NULL
UNION SELECT c.OwnerId FROM %s AS c WITH (NOLOCK)
UNION SELECT s.AlarmHookById FROM %s AS s WITH (NOLOCK) WHERE s.AlarmHookById IS NOT NULL;`, s.object("Tasks"), s.object("Schedules"), s.object("Settings"))))
}

// tryAs returns a batch that impersonates a user, and returns the error, if there is one.
func tryAs(user string) string {
	return "BEGIN TRY\n    EXECUTE AS USER = " + templates.QuoteString(user) + ";\n    REVERT;\n    SELECT N'';\nEND TRY\n" +
		"BEGIN CATCH\n    SELECT CONVERT(nvarchar(10), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();\nEND CATCH;"
}

// unresolved impersonates each user and returns what failed, and whether this user may try.
func (s *scheduler) unresolved(ctx context.Context, conn *sql.Conn) (failed []dialects.Check, may bool, err error) {
	users, err := s.strings(ctx, conn, s.usersQuery())
	for _, user := range users {
		var why string
		if err := conn.QueryRowContext(ctx, tryAs(user)).Scan(&why); err != nil {
			return nil, false, s.Failed(ctx, "EXECUTE AS USER", err)
		}
		if why == "" {
			continue
		}
		remedy := "-- let a domain controller answer for this user, or enqueue as a user with a login of SQL Server"
		if strings.EqualFold(user, "dbo") {
			remedy = "ALTER AUTHORIZATION ON DATABASE::<this database> TO sa; -- or to another login that exists"
		}
		failed = append(failed, dialects.Check{Name: "user " + user, Level: dialects.Warn, Text: "cannot be impersonated: " + why,
			Means: "Its tasks wait (WaitReason Outage), and fail when OutageSeconds are over.", Remedy: remedy})
	}
	return failed, len(users) > 0, err
}

// checkImpersonation checks that tasks can run as those who enqueued them.
func (v *verification) checkImpersonation(ctx context.Context) error {
	conn, err := v.DB.Conn(ctx)
	if err != nil {
		return err
	}
	failed, may, err := v.unresolved(ctx, conn)
	if err = errors.Join(err, conn.Close()); err != nil {
		return err
	}
	if !may {
		v.Info("not checked: this requires membership of db_owner")
		return nil
	}
	for _, c := range failed {
		v.Add(c)
	}
	if len(failed) == 0 {
		v.OK("dbo and the users of unfinished tasks and schedules can be impersonated")
	}
	return nil
}

// warnUnresolved adds to a report who cannot be impersonated.
func (s *scheduler) warnUnresolved(ctx context.Context, conn *sql.Conn, report *dialects.InstallReport) error {
	failed, _, err := s.unresolved(ctx, conn)
	for _, c := range failed {
		report.Warnings = append(report.Warnings, fmt.Sprintf("the %s %s. %s Run dbsched verify", c.Name, c.Text, c.Means))
	}
	return err
}
