package catalog

import (
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
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
	switch {
	case db.SingleUser:
		access, accessDesc = 1, "SINGLE_USER"
	case db.RestrictedUser:
		access, accessDesc = 2, "RESTRICTED_USER"
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
	o := db.Options
	return []any{
		db.Name, db.ID, nil, sidCell(sid), db.Created, db.CompatLevel, db.Collation.String(), access, accessDesc, db.ReadOnly, false, false, 0,
		"ONLINE", false, false, false, pick(db.SnapshotIsolation, 1, 0),
		pick(db.SnapshotIsolation, "ON", "OFF"), db.ReadCommittedSnapshot, recovery, db.Recovery,
		2, "CHECKSUM",
		true, false, true, false,
		o.AnsiNullDefault, o.AnsiNulls, o.AnsiPadding, o.AnsiWarnings, o.Arithabort, o.ConcatNull,
		o.NumericRoundabort, o.QuotedIdentifier, o.RecursiveTriggers, o.CursorCloseOnCommit, o.CursorDefaultLocal,
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

// configurationRows shows the options that scripts commonly look at, with their defaults.
func configurationRows(v *viewer) {
	for _, c := range []struct {
		id                int
		name, description string
		low, high, value  int64
		dynamic, advanced bool
	}{
		{101, "recovery interval (min)", "Maximum recovery interval in minutes", 0, 32767, 0, true, true},
		{103, "user connections", "Number of user connections allowed", 0, 32767, 0, false, true},
		{503, "max worker threads", "Maximum worker threads", 128, 65535, 0, true, true},
		{518, "show advanced options", "show advanced options", 0, 1, 0, true, false},
		{1538, "cost threshold for parallelism", "cost threshold for parallelism", 0, 32767, 5, true, true},
		{1539, "max degree of parallelism", "maximum degree of parallelism", 0, 32767, 0, true, true},
		{1544, "max server memory (MB)", "Maximum size of server memory (MB)", 128, 2147483647, 2147483647, true, true},
		{1569, "blocked process threshold (s)", "Blocked process reporting threshold", 0, 86400, 0, true, true},
		{1581, "optimize for ad hoc workloads", "When this option is set, plan cache size is further reduced for single-use adhoc OLTP workload.", 0, 1, 0, true, true},
	} {
		num := func(n int64) value.Value { return datatype.NewVariant(value.NewInt(n), datatype.Of(datatype.Int)) }
		v.emit(c.id, c.name, num(c.value), num(c.low), num(c.high), num(c.value), c.description, c.dynamic, c.advanced)
	}
}

// guidCell is NULL for none.
func guidCell(g [16]byte) any {
	if g == [16]byte{} {
		return nil
	}
	return value.NewGUID(g)
}
