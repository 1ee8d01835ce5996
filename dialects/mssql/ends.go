package mssql

import (
	"context"
	"database/sql"
	"fmt"
)

// endsQuery tells whether the kill procedure is signed. A user who may not see that sees no signature.
const endsQuery = `SELECT CAST(CASE WHEN EXISTS (SELECT 1 FROM sys.crypt_properties AS s WHERE s.major_id = OBJECT_ID(@procedure, N'P')) THEN 1 ELSE 0 END AS bit);`

// ends reports whether dbsched may end the sessions of its workers.
func (s *scheduler) ends(ctx context.Context) (ends bool, err error) {
	err = s.db.QueryRowContext(ctx, endsQuery, sql.Named("procedure", s.object("KillWorker"))).Scan(&ends)
	return ends, s.failed("sys.crypt_properties", err)
}

// killCommand is what lets dbsched end sessions.
func killCommand(schema string) string {
	command := "dbsched render --kill-script"
	if schema != (Dialect{}).DefaultSchema() {
		command += " --schema " + schema
	}
	return fmt.Sprintf("%s | sqlcmd -S SERVER -d DATABASE   # as a sysadmin, once", command)
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
	ends, err := s.ends(ctx)
	if !ends && err == nil {
		all = append(all, "timeouts and cancellations do not end running tasks until a sysadmin allows it: "+killCommand(s.schema))
	}
	return all, err
}
