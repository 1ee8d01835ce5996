package certify

import (
	"context"
	"database/sql"
	"strings"
)

// mssqlServer reads what matters of the server and the database. What this version does not have, or what the user may not see, is left out.
func mssqlServer(ctx context.Context, db *sql.DB) ([]Fact, error) {
	server, err := first(ctx, db, `SELECT CONVERT(nvarchar(30), SERVERPROPERTY('ProductVersion')) AS version, CONVERT(nvarchar(30), SERVERPROPERTY('ProductUpdateLevel')) AS updated,
       CASE CONVERT(int, SERVERPROPERTY('EngineEdition')) WHEN 8 THEN N'Managed Instance' ELSE CONVERT(nvarchar(100), SERVERPROPERTY('Edition')) END AS edition,
       CASE WHEN @@VERSION LIKE N'% on Linux %' THEN N'Linux' WHEN @@VERSION LIKE N'% on Windows %' THEN N'Windows' END AS platform`)
	if err != nil {
		return nil, err
	}
	// All columns: which there are depends on the version.
	d, err := first(ctx, db, "SELECT d.* FROM sys.databases AS d WHERE d.database_id = DB_ID()")
	if err != nil {
		return nil, err
	}
	d["grouped"] = "0"
	if d["group_database_id"] != "" {
		d["grouped"] = "1"
	}
	// 4 is Running.
	agent, _ := first(ctx, db, "SELECT CASE s.status WHEN 4 THEN 1 ELSE 0 END AS runs FROM sys.dm_server_services AS s WHERE s.servicename LIKE N'SQL Server%Agent%'") // needs a right
	var facts []Fact
	for _, f := range []Fact{
		{"version", server["version"]},
		{"update", server["updated"]},
		{"edition", server["edition"]},
		{"operating system", server["platform"]},
		{"compatibility level", d["compatibility_level"]},
		{"collation", d["collation_name"]},
		{"recovery model", strings.ToLower(d["recovery_model_desc"])},
		{"read committed snapshot", yes(d["is_read_committed_snapshot_on"])},
		{"snapshot isolation", strings.ToLower(d["snapshot_isolation_state_desc"])},
		{"accelerated recovery", yes(d["is_accelerated_database_recovery_on"])},
		{"optimized locking", yes(d["is_optimized_locking_on"])},
		{"delayed durability", strings.ToLower(d["delayed_durability_desc"])},
		{"availability group", yes(d["grouped"])},
		{"contained database", strings.Replace(strings.ToLower(d["containment_desc"]), "none", "no", 1)},
		{"agent runs", yes(agent["runs"])},
	} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	return facts, nil
}

// yes names a bit as people do; empty stays empty.
func yes(bit string) string {
	return map[string]string{"true": "yes", "1": "yes", "false": "no", "0": "no"}[bit]
}

// first returns the first row by the names of its columns; NULL is empty. Without a row it is empty.
func first(ctx context.Context, on querier, query string) (map[string]string, error) {
	found, err := on.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	names, err := found.Columns()
	if err != nil {
		return nil, err
	}
	row := map[string]string{}
	if !found.Next() {
		return row, found.Err()
	}
	cells := make([]sql.NullString, len(names))
	into := make([]any, len(names))
	for i := range cells {
		into[i] = &cells[i]
	}
	if err := found.Scan(into...); err != nil {
		return nil, err
	}
	for i, name := range names {
		row[name] = cells[i].String
	}
	return row, found.Err()
}
