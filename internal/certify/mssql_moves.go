package certify

import "context"

// mssqlMoves are the probes of what tells the database from a copy after a failover.
func mssqlMoves() []Probe {
	return []Probe{
		{
			Name: "owner-sees-its-database", Capability: "recovery and failovers",
			Assumed:   "dbsched's owner, a user without login, sees its database in `sys.databases`, with `group_database_id`",
			Otherwise: "After a failover of an availability group, nothing runs until `dbsched start --moved`",
			Answers:   []Answer{{Seen: "as others do", Verdict: Works}, {Seen: "less", Verdict: Handled}},
			ask:       ownerSeesItsDatabase,
		},
		{
			Name: "owner-sees-no-mirroring", Capability: "recovery and failovers",
			Assumed:   "dbsched's owner, a user without login, cannot see `mirroring_guid`",
			Otherwise: "After a failover of mirroring the database goes on without `dbsched start`: also right",
			Answers:   []Answer{{Seen: "no row", Verdict: Works}, {Seen: "a row", Verdict: Handled}},
			ask:       ownerSeesNoMirroring,
		},
	}
}

// asOwner asks as dbsched's owner, and then as the user.
func asOwner(ctx context.Context, b *bed, query string) (owner, user string, err error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", "", err
	}
	if err := s.exec(ctx, "EXECUTE AS USER = N'"+mssqlSchema+"_owner';"); err != nil {
		return "", "", err
	}
	if owner, err = s.value(ctx, query); err != nil {
		return "", "", err
	}
	if err := s.exec(ctx, "REVERT;"); err != nil {
		return "", "", err
	}
	user, err = s.value(ctx, query)
	return owner, user, err
}

func ownerSeesItsDatabase(ctx context.Context, b *bed) (string, error) {
	owner, user, err := asOwner(ctx, b, `SELECT CONCAT(COUNT(*), N'/', MAX(CONVERT(nvarchar(36), d.group_database_id)), N'/', MAX(CONVERT(nvarchar(36), d.service_broker_guid)))
FROM sys.databases AS d WHERE d.database_id = DB_ID()`)
	if err != nil || owner != user {
		return "less", err
	}
	return "as others do", nil
}

// ownerSeesNoMirroring looks for the row, since mirroring_guid is NULL in a database that is not mirrored.
func ownerSeesNoMirroring(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	if edition, err := s.value(ctx, "SELECT CONVERT(int, SERVERPROPERTY('EngineEdition'))"); err != nil {
		return "", err
	} else if edition == "8" {
		return "", untried("a Managed Instance has no mirroring")
	}
	owner, _, err := asOwner(ctx, b, "SELECT COUNT(*) FROM sys.database_mirroring AS m WHERE m.database_id = DB_ID()")
	if err != nil || owner == "0" {
		return "no row", err
	}
	return "a row", nil
}
