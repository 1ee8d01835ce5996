package ddl

import (
	"errors"
	"strings"
	"time"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// databaseStatement executes CREATE, ALTER and DROP DATABASE. They are refused in a transaction
// and are not undone.
func (x *run) databaseStatement(st ast.Statement) bool {
	switch n := st.(type) {
	case *ast.CreateDatabaseStatement:
		x.createDatabase(n)
	case *ast.DropDatabaseStatement:
		query.Check(x.dropDatabases(n))
	case *ast.AlterDatabaseSetStatement:
		query.Check(x.alterDatabase(n))
	default:
		return false
	}
	return true
}

// DatabaseResource is what a session that uses a database holds in shared mode, as its own lock,
// and what changes of the database's state need exclusively.
func DatabaseResource(db *catalog.Database) store.Resource {
	return store.Resource{Class: store.Database, DB: int64(db.ID)}
}

func (x *run) createDatabase(n *ast.CreateDatabaseStatement) {
	if x.InTransaction() {
		panic(message.MS(226, "CREATE").At(16, 5))
	}
	if n.AttachMode != "" && n.AttachMode != "None" || n.CopyOf != nil || n.DatabaseSnapshot != nil || len(n.FileGroups) > 0 || len(n.LogOn) > 0 ||
		n.Containment != nil && n.Containment.Value != "None" {
		panic(sqlerr.NotSupported("CREATE DATABASE with files, ATTACH, SNAPSHOT or CONTAINMENT"))
	}
	srv := x.Server()
	if !srv.ServerAllowed(x.LoginID(), "CREATE ANY DATABASE") {
		panic(catalog.DeniedInDatabase("CREATE DATABASE", srv.DatabaseByName("master")))
	}
	name := n.DatabaseName.Value
	if srv.DatabaseByName(name) != nil {
		panic(message.MS(1801, name).At(16, 3))
	}
	coll := srv.Collation
	if n.Collation != nil {
		c, ok := datatype.CollationByName(n.Collation.Value)
		if !ok {
			panic(sqlerr.NotSupported("collation %s", n.Collation.Value))
		}
		coll = c
	}
	opts := make([]ast.DatabaseOption, 0, len(n.Options))
	for _, o := range n.Options {
		d, ok := o.(ast.DatabaseOption)
		if !ok {
			panic(sqlerr.NotSupported("CREATE DATABASE … WITH %T", o))
		}
		opts = append(opts, d)
	}
	probe := &catalog.Database{Server: srv}
	for _, o := range opts {
		query.Must(databaseOption(probe, o))
	}
	db := srv.CreateDatabase(name, coll, x.LoginID(), x.Now())
	for _, o := range opts {
		c, _ := databaseOption(db, o)
		db.Change(func() { c.apply() })
	}
}

func (x *run) dropDatabases(n *ast.DropDatabaseStatement) error {
	if x.InTransaction() {
		return message.MS(574).At(16, 0)
	}
	for _, id := range n.Databases {
		db := x.Server().DatabaseByName(id.Value)
		if db == nil && n.IsIfExists {
			continue
		}
		if db == nil || !x.mayAlterDatabase(db) {
			return errDrop("database", id.Value).At(11, 1)
		}
		if db.ID <= 4 {
			return message.MS(3708, db.Name).At(16, 4)
		}
		if db == x.Database() || x.Users(db) > 0 {
			return message.MS(3702, db.Name).At(16, 3)
		}
		if err := x.exclusive(db, 0); err != nil {
			if timedOut(err) {
				return message.MS(3702, db.Name).At(16, 4)
			}
			return err
		}
		x.Server().DropDatabase(db)
	}
	return nil
}

// mayAlterDatabase: ALTER on the database, or ALTER ANY DATABASE on the server.
func (x *run) mayAlterDatabase(db *catalog.Database) bool {
	if x.Server().ServerAllowed(x.LoginID(), "ALTER ANY DATABASE") {
		return true
	}
	tok, err := x.TokenIn(db)
	return err == nil && db.Allowed(tok, "ALTER", catalog.OnDatabase())
}

// exclusive locks a database for this transaction alone.
func (x *run) exclusive(db *catalog.Database, wait time.Duration) error {
	return x.StoreSession().Store().Lock(x.tx.Owner(), DatabaseResource(db), store.X, store.LockWait{For: wait, Demand: true})
}

func timedOut(err error) bool {
	_, ok := errors.AsType[*store.LockTimeout](err)
	return ok
}

// databaseChange is an option of ALTER DATABASE … SET.
type databaseChange struct {
	apply     func()
	try       func() error // instead of apply, where it can fail
	exclusive bool         // nobody else may use the database meanwhile
}

func (x *run) alterDatabase(n *ast.AlterDatabaseSetStatement) error {
	if x.InTransaction() {
		return message.MS(226, "ALTER").At(16, 6)
	}
	failed := message.MS(5069)
	db := x.Database()
	name := db.Name
	if !n.UseCurrent {
		name = n.DatabaseName.Value
		db = x.Server().DatabaseByName(name)
	}
	if db == nil || !x.mayAlterDatabase(db) {
		return chain(message.MS(5011, name).At(14, 5), failed)
	}
	x.db = db
	var changes []databaseChange
	alone := false
	for _, o := range n.Options {
		c, err := databaseOption(db, o)
		if err != nil {
			return err
		}
		if err := x.mayTrust(db, o); err != nil {
			return chain(err, failed)
		}
		changes = append(changes, c)
		alone = alone || c.exclusive
	}
	if alone {
		if err := x.clear(db, n.Termination); err != nil {
			return chain(err, failed)
		}
	}
	for _, c := range changes {
		if c.try == nil {
			db.Change(c.apply)
			continue
		}
		var err error
		db.Change(func() { err = c.try() })
		if err != nil {
			return chain(err, failed)
		}
	}
	return nil
}

// mayTrust: only sysadmin changes TRUSTWORTHY.
func (x *run) mayTrust(db *catalog.Database, o ast.DatabaseOption) error {
	n, ok := o.(*ast.OnOffDatabaseOption)
	if !ok || n.OptionKind != "Trustworthy" {
		return nil
	}
	if l := x.Server().LoginByID(x.LoginID()); l != nil && l.Sysadmin {
		return nil
	}
	return message.MS(15247)
}

// clear gets a database for this session alone: by force, at once or not at all, or by waiting.
func (x *run) clear(db *catalog.Database, t *ast.AlterDatabaseTermination) error {
	err := x.exclusive(db, 0)
	busy := err == nil && x.Users(db) > 0 // a session is there that holds no lock: it cannot be waited for
	if err == nil && !busy || err != nil && !timedOut(err) {
		return err
	}
	wait := time.Duration(-1)
	switch {
	case t == nil:
	case t.NoWait:
		return message.MS(5070, db.Name)
	case t.ImmediateRollback:
		return x.evict(db)
	case t.RollbackAfter != nil:
		seconds, err := integer(t.RollbackAfter, 0)
		if err != nil {
			return sqlerr.NotSupported("ROLLBACK AFTER %T", t.RollbackAfter)
		}
		wait = time.Duration(seconds) * time.Second
	}
	if busy {
		return message.MS(5061, db.Name)
	}
	err = x.exclusive(db, wait)
	if err != nil && timedOut(err) {
		return x.evict(db)
	}
	return err
}

// evict ends the other sessions that use a database.
func (x *run) evict(db *catalog.Database) error {
	x.Info(message.MS(5060, 0))
	if err := x.KillUsers(db); err != nil {
		return err
	}
	err := x.exclusive(db, -1)
	if err == nil {
		x.Info(message.MS(5060, 100))
	}
	return err
}

// databaseOption says what an option does. What has no effect on anything that is modelled, such as
// the recovery model, is accepted and shown in sys.databases where that has a column for it.
func databaseOption(db *catalog.Database, o ast.DatabaseOption) (databaseChange, error) {
	switch n := o.(type) {
	case *ast.OnOffDatabaseOption:
		return onOffOption(db, n.OptionKind, n.OptionState == "On"), nil
	case *ast.GenericDatabaseOption:
		return brokerOption(db, n.OptionKind), nil
	case *ast.SimpleDatabaseOption:
		return accessOption(db, n.OptionKind), nil
	case *ast.LiteralDatabaseOption:
		if n.OptionKind == "CompatibilityLevel" {
			v, err := integer(n.Value, 0)
			if err != nil || v%10 != 0 || v < 100 || v > 170 {
				return databaseChange{}, message.MS(15048)
			}
			if v < 130 {
				return databaseChange{}, sqlerr.NotSupported("compatibility level %d", v)
			}
			return databaseChange{apply: func() { db.CompatLevel = uint8(v) }}, nil
		}
		return databaseChange{}, sqlerr.NotSupported("database option %s", n.OptionKind)
	case *ast.RecoveryDatabaseOption:
		return databaseChange{apply: func() { db.Recovery = strings.ToUpper(strings.Replace(n.Value, "BulkLogged", "Bulk_Logged", 1)) }}, nil
	case *ast.DelayedDurabilityDatabaseOption:
		if n.Value == "Disabled" {
			return databaseChange{apply: func() {}}, nil
		}
		return databaseChange{}, sqlerr.NotSupported("DELAYED_DURABILITY = %s", n.Value)
	case *ast.AutoCreateStatisticsDatabaseOption, *ast.PageVerifyDatabaseOption, *ast.TargetRecoveryTimeDatabaseOption:
		return databaseChange{apply: func() {}}, nil // how pages and plans are made is not modelled
	case *ast.AcceleratedDatabaseRecoveryDatabaseOption:
		on := n.OptionState == "On"
		if !on && db.OptimizedLocking {
			return databaseChange{}, sqlerr.NotSupported("ACCELERATED_DATABASE_RECOVERY = OFF while optimized locking is on, an error whose number is not documented")
		}
		return databaseChange{exclusive: db.AcceleratedRecovery != on, apply: func() { db.AcceleratedRecovery = on }}, nil
	case *ast.QueryStoreDatabaseOption:
		if n.OptionState == "Off" {
			return databaseChange{apply: func() {}}, nil
		}
	}
	return databaseChange{}, sqlerr.NotSupported("database option %T", o)
}

func onOffOption(db *catalog.Database, kind string, on bool) databaseChange {
	set := func(b *bool) (databaseChange, error) { return databaseChange{apply: func() { *b = on }}, nil }
	switch kind {
	case "ReadCommittedSnapshot": // needs the database alone, and changes nothing if it is that way already
		return databaseChange{exclusive: db.ReadCommittedSnapshot != on, apply: func() { db.ReadCommittedSnapshot = on }}
	case "OptimizedLocking":
		switch {
		case db.Server.Major < 17:
			panic(sqlerr.NotSupported("OPTIMIZED_LOCKING before SQL Server 2025"))
		case on && !db.AcceleratedRecovery:
			panic(sqlerr.NotSupported("OPTIMIZED_LOCKING = ON without ACCELERATED_DATABASE_RECOVERY, an error whose number is not documented"))
		}
		return databaseChange{exclusive: db.OptimizedLocking != on, apply: func() { db.OptimizedLocking = on }}
	case "AllowSnapshotIsolation":
		return query.Must(set(&db.SnapshotIsolation))
	case "Trustworthy":
		return query.Must(set(&db.Trustworthy))
	case "AnsiNullDefault":
		return query.Must(set(&db.Options.AnsiNullDefault))
	case "AnsiNulls":
		return query.Must(set(&db.Options.AnsiNulls))
	case "AnsiPadding":
		return query.Must(set(&db.Options.AnsiPadding))
	case "AnsiWarnings":
		return query.Must(set(&db.Options.AnsiWarnings))
	case "ArithAbort":
		return query.Must(set(&db.Options.Arithabort))
	case "ConcatNullYieldsNull":
		return query.Must(set(&db.Options.ConcatNull))
	case "NumericRoundAbort":
		return query.Must(set(&db.Options.NumericRoundabort))
	case "QuotedIdentifier":
		return query.Must(set(&db.Options.QuotedIdentifier))
	case "AutoClose", "AutoShrink", "DBChaining", "CursorCloseOnCommit", "RecursiveTriggers":
		if !on {
			return databaseChange{apply: func() {}}
		}
	case "AutoUpdateStatistics", "AutoUpdateStatisticsAsync", "DateCorrelationOptimization":
		return databaseChange{apply: func() {}}
	}
	panic(sqlerr.NotSupported("database option %s", kind))
}

func brokerOption(db *catalog.Database, kind string) databaseChange {
	b := db.Broker
	switch kind {
	case "EnableBroker":
		return databaseChange{exclusive: b != nil && !b.Enabled(), apply: func() { b.Enable() }}
	case "DisableBroker":
		return databaseChange{exclusive: b != nil && b.Enabled(), apply: func() { b.Disable() }}
	case "NewBroker":
		return databaseChange{exclusive: true, try: func() error { return b.NewBroker() }}
	case "HonorBrokerPriority":
		panic(sqlerr.NotSupported("HONOR_BROKER_PRIORITY"))
	}
	panic(sqlerr.NotSupported("database option %s", kind))
}

func accessOption(db *catalog.Database, kind string) databaseChange {
	access := func(single, restricted bool) func() {
		return func() {
			was := db.SingleUser || db.RestrictedUser
			db.SingleUser, db.RestrictedUser = single, restricted
			if was && !single && !restricted && db.Broker != nil {
				db.Broker.Restart()
			}
		}
	}
	switch kind {
	case "SingleUser":
		return databaseChange{exclusive: true, apply: access(true, false)}
	case "RestrictedUser":
		return databaseChange{exclusive: true, apply: access(false, true)}
	case "MultiUser":
		return databaseChange{exclusive: db.SingleUser || db.RestrictedUser, apply: access(false, false)}
	case "ReadWrite":
		if !db.ReadOnly {
			return databaseChange{apply: func() {}}
		}
	case "EnableBroker", "DisableBroker", "NewBroker":
		return brokerOption(db, kind)
	}
	panic(sqlerr.NotSupported("database option %s", kind))
}

// authorizeDatabase is ALTER AUTHORIZATION ON DATABASE: another login becomes dbo.
func (x *run) authorizeDatabase(n *ast.AlterAuthorizationStatement) {
	ids := n.SecurityTargetObject.ObjectName.MultiPartIdentifier.Identifiers
	name := ids[len(ids)-1].Value
	db := x.Server().DatabaseByName(name)
	if db == nil || n.PrincipalName == nil {
		panic(catalog.Cannot("find", "database", name))
	}
	me := x.Server().LoginByID(x.LoginID())
	if me == nil || !me.Sysadmin {
		panic(catalog.Cannot("find", "database", name))
	}
	l := x.Server().LoginByName(n.PrincipalName.Value)
	if l == nil || l.Role {
		panic(catalog.Cannot("find", "principal", n.PrincipalName.Value))
	}
	for _, p := range db.Principals() {
		if p.Kind == catalog.SQLUser && p.ID > catalog.SysUser && p.SID == l.SID {
			panic(message.MS(15110))
		}
	}
	owner, old := db.Owner, db.PrincipalByID(catalog.DboUser)
	dbo := *old
	dbo.SID = l.SID
	db.PutPrincipal(x.tx, &dbo)
	db.Change(func() { db.Owner = l.ID })
	x.tx.Undo(func() { db.Change(func() { db.Owner = owner }) })
}
