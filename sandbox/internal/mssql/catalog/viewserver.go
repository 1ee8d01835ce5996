package catalog

import (
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// pick returns the first value when a condition holds, else the second.
func pick[T any](cond bool, yes, no T) T {
	if cond {
		return yes
	}
	return no
}

func databaseCells(db *Database) []any {
	access, accessDesc := 0, "MULTI_USER"
	if db.SingleUser {
		access, accessDesc = 1, "SINGLE_USER"
	}
	var sid string
	if l := db.Server.LoginByID(db.Owner); l != nil {
		sid = l.SID
	}
	recovery := map[string]int{"FULL": 1, "BULK_LOGGED": 2, "SIMPLE": 3}[db.Recovery]
	var guid [16]byte
	enabled := false
	if db.Broker != nil {
		guid, enabled = db.Broker.GUID(), db.Broker.Enabled()
	}
	return []any{
		db.Name, db.ID, nil, sidCell(sid), db.Created, db.CompatLevel, db.Collation.String(), access, accessDesc, false, false, false, 0,
		"ONLINE", false, false, false, pick(db.SnapshotIsolation, 1, 0),
		pick(db.SnapshotIsolation, "ON", "OFF"), db.ReadCommittedSnapshot, recovery, db.Recovery,
		2, "CHECKSUM",
		true, false, true, false,
		false, false, false, false, false, false,
		false, false, false, false, false,
		true, db.Trustworthy, false, false,
		false, false, false, false, false, false, false,
		value.NewGUID(guid), enabled, 0, "NOTHING", false,
		false, false, false, nil, guidCell(db.Group),
		nil, nil, nil, nil,
		nil, nil, nil, nil,
		0, "NONE", 60, 0, "DISABLED",
		false, db.AcceleratedRecovery,
	}
}

// guidCell is NULL for none.
func guidCell(g [16]byte) any {
	if g == [16]byte{} {
		return nil
	}
	return value.NewGUID(g)
}
