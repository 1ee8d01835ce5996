package ddl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/broker"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

func TestBrokerObjects(t *testing.T) {
	s := newSession(t)
	s.must("create user o without login; create procedure Act as select 1")
	s.must(`create message type [//x/a] authorization o validation = none
create contract [//x/c] authorization [o] ([//x/a] sent by initiator, [DEFAULT] sent by any)
create contract [//x/d] ([//x/a] sent by target, [DEFAULT] sent by initiator)`)
	s.must(`create queue dbo.q with status = on, activation (procedure_name = Act, max_queue_readers = 3, execute as 'o')
create service [//x/s] authorization o on queue dbo.q ([//x/c], [DEFAULT])`)
	b := s.db.Broker
	c := b.Contract("//x/c")
	require.Equal(t, s.db.PrincipalByName("o").ID, c.Owner)
	require.Len(t, c.Messages, 2)
	require.Nil(t, b.Contract("//X/C"), "names are compared byte by byte")
	q := s.db.Object("DBO", "Q").Def.(*broker.Queue)
	require.Equal(t, broker.Activation{Enabled: true, Procedure: "[dbo].[Act]", MaxReaders: 3, ExecuteAs: s.db.PrincipalByName("o").ID}, q.Settings().Activation)
	require.True(t, q.Settings().PoisonHandled)
	s.must("alter queue q with status = off, retention = off, activation (status = off, execute as owner)")
	require.Equal(t, broker.ExecuteAsOwner, q.Settings().Activation.ExecuteAs)
	require.False(t, q.Settings().Enabled)
	for _, f := range []struct{ sql, want string }{
		{"create queue q", "Msg 2714"},
		{"create service z on queue nosuch", "Msg 15151"},
		{"create service z on queue q ([nosuch])", "Msg 15151, Level 16, State 1, Line 0: Cannot find the contract 'nosuch'"},
		{"create contract z ([nosuch] sent by any)", "Msg 15151"},
		{"drop queue q", "Msg 3716"},
		{"drop contract [//x/c]", "Msg 3716"},
		{"drop message type [//x/a]", "Msg 3716"},
		{"drop service nosuch", "Msg 15151, Level 16, State 1, Line 0: Cannot drop the service 'nosuch'"},
		{"drop user o", "Msg 15138, Level 16, State 1, Line 0: The database principal owns a service in the database, and cannot be dropped."},
		{"alter queue q with activation (procedure_name = nosuch)", "Msg 15151"},
		{"create table q (a int)", "Msg 2714"},
	} {
		s.fails(f.sql, f.want)
	}
	s.begin()
	s.must("drop service [//x/s]; drop queue q; drop contract [//x/c]")
	s.rollback()
	require.NotNil(t, s.db.Object("dbo", "q"))
	require.NotNil(t, b.Service("//x/s"))
	s.must("drop service [//x/s]; drop queue q; drop contract [//x/c]; drop contract [//x/d]; drop message type [//x/a]; drop user o")
}

func TestDatabases(t *testing.T) {
	s := newSession(t)
	s.must("create database [we[ird]]-n'ame]")
	db := s.srv.DatabaseByName("we[ird]-n'ame")
	require.True(t, db.Broker.Enabled(), "as installed: a new database has its broker on")
	guid := db.Broker.GUID()
	s.must("alter database [we[ird]]-n'ame] set disable_broker, read_committed_snapshot on, allow_snapshot_isolation on")
	require.False(t, db.Broker.Enabled())
	require.True(t, db.ReadCommittedSnapshot && db.SnapshotIsolation)
	s.must("alter database [we[ird]]-n'ame] set new_broker with rollback immediate")
	require.NotEqual(t, guid, db.Broker.GUID())

	other := s.ss.Store().NewSession(nil)
	require.NoError(t, s.ss.Store().Lock(other.Owner(), ddl.DatabaseResource(db), store.S, store.LockWait{}))
	s.fails("alter database [we[ird]]-n'ame] set disable_broker with no_wait", "Msg 5070, Level 16, State 1, Line 0: Database state cannot be changed while other users are using the database 'we[ird]-n'ame'")
	s.fails("alter database [we[ird]]-n'ame] set disable_broker with no_wait", "Msg 5069")
	s.others = 1
	s.fails("drop database [we[ird]]-n'ame]", "Msg 3702")
	s.others = 0
	other.Close()
	for _, c := range []struct{ sql, want string }{
		{"create database shop", "Msg 1801, Level 16, State 3, Line 0: Database 'shop' already exists. Choose a different database name."},
		{"drop database nosuch", "Msg 3701, Level 11, State 1"},
		{"drop database master", "Msg 3708"},
		{"drop database Shop", "Msg 3702"},
		{"alter database nosuch set read_committed_snapshot on", "Msg 5011"},
		{"alter database Shop set recovery_nonsense on", ""},
		{"alter database Shop set delayed_durability = forced", "does not model"},
		{"alter database Shop set compatibility_level = 120", "does not model"},
	} {
		if c.want != "" {
			s.fails(c.sql, c.want)
		}
	}
	s.begin()
	s.fails("create database x", "Msg 226")
	s.fails("drop database [we[ird]]-n'ame]", "Msg 574")
	s.rollback()
	s.must("drop database if exists [we[ird]]-n'ame], nosuch")
	require.Nil(t, s.srv.DatabaseByName("we[ird]-n'ame"))
	s.must("create login l with password = 'x'; alter authorization on database::Shop to l")
	require.Equal(t, s.srv.LoginByName("l").ID, s.db.Owner)
	tok, ok := s.db.LoginToken(s.srv.LoginByName("l"))
	require.True(t, ok && tok.Dbo)
	require.Equal(t, catalog.DboUser, tok.User)
}
