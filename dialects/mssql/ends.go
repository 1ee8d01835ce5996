package mssql

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/dbsched/dbsched/dialects"
)

// unendedQuery tells whether the kill procedure is unsigned; no for a user who may not see signatures.
const unendedQuery = `SELECT CAST(CASE WHEN HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'VIEW DEFINITION') = 1
        AND NOT EXISTS (SELECT 1 FROM sys.crypt_properties AS s WHERE s.major_id = OBJECT_ID(@procedure, N'P')) THEN 1 ELSE 0 END AS bit);`

// EndCommand returns what lets dbsched end the sessions of its workers.
func (s *scheduler) EndCommand(ctx context.Context) (string, error) {
	var unended bool
	err := s.DB.QueryRowContext(ctx, unendedQuery, sql.Named("procedure", s.object("KillWorker"))).Scan(&unended)
	if err != nil || !unended {
		return "", s.Failed(ctx, "sys.crypt_properties", err)
	}
	command := "dbsched render --kill-script"
	if s.schema != (Dialect{}).DefaultSchema() {
		command += " --schema " + s.schema
	}
	return fmt.Sprintf("%s | sqlcmd -S SERVER -d DATABASE   # as a sysadmin, once", command), nil
}

// warnings returns what an installation that succeeded should tell.
func (s *scheduler) warnings(ctx context.Context, lost bool) ([]string, error) {
	var all []string
	if lost {
		text, err := s.settingsLost(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	command, err := s.EndCommand(ctx)
	if command != "" {
		all = append(all, dialects.NotEnded(command))
	}
	return all, err
}
