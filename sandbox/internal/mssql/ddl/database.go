package ddl

import (
	"errors"
	"time"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
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

// DatabaseResource is the lock that a session holds in shared mode, as its own lock, on the database that it uses,
// and that changes of the database's state need in exclusive mode.
func DatabaseResource(db *catalog.Database) store.Resource {
	return store.Resource{Class: store.Database, DB: int64(db.ID)}
}

func (x *run) createDatabase(n *ast.CreateDatabaseStatement) {
	if x.InTransaction() {
		panic(message.MS(226, "CREATE").At(16, 5))
	}
	srv := x.Server()
	if !srv.ServerAllowed(x.LoginID(), "CREATE ANY DATABASE") {
		panic(catalog.DeniedInDatabase("CREATE DATABASE", srv.DatabaseByName("master")))
	}
	name := n.DatabaseName.Value
	if srv.DatabaseByName(name) != nil {
		panic(message.MS(1801, name).At(16, 3))
	}
	srv.CreateDatabase(name, srv.Collation, x.LoginID(), x.Now())
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
	try       func() error // instead of apply, if it can fail
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

// clear gets exclusive use of a database for this session: by force, at once or not at all, or by waiting.
func (x *run) clear(db *catalog.Database, t *ast.AlterDatabaseTermination) error {
	err := x.exclusive(db, 0)
	busy := err == nil && x.Users(db) > 0 // a session that holds no lock uses it: it cannot be waited for
	if err == nil && !busy || err != nil && !timedOut(err) {
		return err
	}
	switch {
	case t == nil:
	case t.NoWait && x.Server().Differ[differ.BrokerInUseSucceeds]:
		return nil
	case t.NoWait && x.Server().Differ[differ.BrokerInUse5030]:
		return message.MS(5030)
	case t.NoWait && x.Server().Differ[differ.BrokerInUse5061]:
		return message.MS(5061, db.Name)
	case t.NoWait && x.Server().Differ[differ.BrokerInUse5064]:
		return message.MS(5064, db.Name)
	case t.NoWait:
		return message.MS(5070, db.Name)
	case t.ImmediateRollback:
		return x.evict(db)
	}
	if busy {
		return message.MS(5061, db.Name)
	}
	err = x.exclusive(db, -1)
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

// databaseOption says what an option does.
func databaseOption(db *catalog.Database, o ast.DatabaseOption) (databaseChange, error) {
	switch n := o.(type) {
	case *ast.OnOffDatabaseOption:
		return onOffOption(db, n.OptionKind, n.OptionState == "On"), nil
	case *ast.GenericDatabaseOption:
		return brokerOption(db, n.OptionKind), nil
	case *ast.SimpleDatabaseOption: // SINGLE_USER alone is in the table of what is modeled
		return databaseChange{exclusive: true, apply: func() { db.SingleUser = true }}, nil
	case *ast.AcceleratedDatabaseRecoveryDatabaseOption:
		on := n.OptionState == "On"
		if !on && db.OptimizedLocking {
			return databaseChange{}, sqlerr.NotSupported("ACCELERATED_DATABASE_RECOVERY = OFF while optimized locking is on, an error whose number is not documented")
		}
		return databaseChange{exclusive: db.AcceleratedRecovery != on, apply: func() { db.AcceleratedRecovery = on }}, nil
	}
	return databaseChange{}, sqlerr.NotSupported("database option %T", o)
}

func onOffOption(db *catalog.Database, kind string, on bool) databaseChange {
	switch kind {
	case "ReadCommittedSnapshot": // needs exclusive use of the database, and changes nothing if it is already set
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
		return databaseChange{apply: func() { db.SnapshotIsolation = on }}
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
