package ddl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
)

func TestPrincipals(t *testing.T) {
	s := newSession(t)
	s.must(`create login app with password = 'x', check_policy = off; create user app for login app with default_schema = dbo
create user owner without login; create role r authorization owner; create schema s authorization owner
alter role r add member app; alter role db_owner add member owner`)
	owner := s.db.PrincipalByName("owner")
	require.Len(t, owner.SID, 28)
	require.True(t, s.db.IsMember(s.db.PrincipalByName("app").ID, s.db.PrincipalByName("r").ID))
	tok, ok := s.db.LoginToken(s.srv.LoginByName("app"))
	require.True(t, ok)
	require.Equal(t, "app", tok.Name)
	for _, c := range []struct{ sql, want string }{
		{"create user app without login", "Msg 15023, Level 16, State 1, Line 0: User, group, or role 'app' already exists in the current database."},
		{"create role app", "Msg 15023"},
		{"create login app with password = 'x'", "Msg 15025, Level 16, State 1, Line 0: The server principal 'app' already exists."},
		{"create user x for login app", "Msg 15063"},
		{"create user x for login nosuch", "Msg 15007"},
		{"create user x with default_schema = y", "Msg 15007"},
		{"create schema s", "Msg 2714, Level 16, State 6"},
		{"create schema s", "Msg 2759"},
		{"create schema x authorization nosuch", "Msg 15151, Level 16, State 1, Line 0: Cannot find the user 'nosuch'"},
		{"drop user owner", "Msg 15138, Level 16, State 1, Line 0: The database principal owns a schema in the database, and cannot be dropped."},
		{"drop user nosuch", "Msg 15151, Level 16, State 1, Line 0: Cannot drop the user 'nosuch', because it does not exist or you do not have permission."},
		{"drop user dbo", "Msg 15150"},
		{"drop role db_owner", "Msg 15150"},
		{"drop role r", "Msg 15144"},
		{"alter role nosuch add member app", "Msg 15151, Level 16, State 1, Line 0: Cannot alter the role 'nosuch'"},
		{"alter role r add member nosuch", "Msg 15151, Level 16, State 1, Line 0: Cannot add the principal 'nosuch'"},
		{"alter role r add member dbo", "Msg 15405"},
		{"alter role r add member r", "Msg 15413"},
		{"drop schema nosuch", "Msg 15151"},
		{"drop login nosuch", "Msg 15151"},
	} {
		s.fails(c.sql, c.want)
	}
	s.must("create table s.t (a int)")
	require.Equal(t, owner.ID, s.db.Object("s", "t").Owner)
	s.fails("drop schema s", "Msg 3729, Level 16, State 1, Line 0: Cannot drop schema 's' because it is being referenced by object 't'.")
	s.must("alter authorization on schema::s to dbo")
	require.Equal(t, catalog.DboUser, s.db.Object("s", "t").Owner)
	s.must("drop table s.t; drop schema s; alter role r drop member app; drop role r; alter role db_owner drop member owner; drop user owner; drop user if exists nosuch")
}

func TestGrantDenyRevoke(t *testing.T) {
	s := newSession(t)
	s.must("create table t (a int, b int); create user bob without login; create user eve without login; create role r; alter role r add member bob")
	bob := s.db.PrincipalByName("bob").ID
	may := func(name string) bool {
		return s.db.Allowed(s.db.UserToken(bob), name, catalog.OnObject(s.db.Object("dbo", "t")))
	}
	s.must("grant select on t to bob")
	require.True(t, may("SELECT"))
	require.False(t, may("UPDATE"))
	s.must("deny select on schema::dbo to r")
	require.False(t, may("SELECT"))
	s.must("revoke select on schema::dbo from r")
	require.True(t, may("SELECT"))
	s.must("deny select on object::dbo.t to bob; revoke select on t from bob; grant control to r")
	require.True(t, may("DELETE"))
	s.must("revoke control from r")

	for _, c := range []struct{ sql, want string }{
		{"grant select on nosuch to bob", "Msg 15151, Level 16, State 1, Line 0: Cannot find the object 'nosuch', because it does not exist or you do not have permission."},
		{"grant select on t to nosuch", "Msg 15151, Level 16, State 1, Line 0: Cannot find the user 'nosuch'"},
		{"grant execute on t to bob", "Msg 4606"},
		{"grant select on t to db_owner", "Msg 4617"},
		{"grant select on schema::nosuch to bob", "Msg 15151"},
		{"grant view server state to bob", "Msg 4622"},
		{"grant select on t to bob as dbo", "does not model"},
	} {
		s.fails(c.sql, c.want)
	}
	s.must("grant select on t to dbo, eve")
	require.Equal(t, []string{"Cannot grant, deny, or revoke permissions to sa, dbo, entity owner, information_schema, sys, or yourself."}, s.infos)
	s.must("revoke select on t from eve")
	s.must("grant impersonate on user::bob to eve; grant create table, create procedure to eve")
	n := 0
	for p := range s.db.Permissions() {
		if p.Grantee == s.db.PrincipalByName("eve").ID {
			n++
		}
	}
	require.Equal(t, 4, n, "CONNECT, too")
}

func TestWhoMayDefine(t *testing.T) {
	s := newSession(t)
	s.must("create user bob without login; create schema app authorization bob; create table t (a int); create queue q; create service sv on queue q")
	bob := s.as("bob")
	for _, c := range []struct{ sql, want string }{
		{"create table x (a int)", "Msg 262, Level 14, State 1, Line 0: CREATE TABLE permission denied in database 'Shop'."},
		{"create table app.x (a int)", "Msg 262"},
		{"create procedure app.p as select 1", "Msg 262"},
		{"create schema x", "Msg 2760"},
		{"create user x without login", "Msg 15247"},
		{"create role x", "Msg 15247"},
		{"create login x with password = 'y'", "Msg 15247"},
		{"create database x", "Msg 262"},
		{"create message type x", "Msg 262"},
		{"create service x on queue q", "Msg 262"},
		{"alter table t add b int", "Msg 4902"},
		{"drop table t", "Msg 3701"},
		{"drop service sv", "Msg 15151"},
		{"alter queue q with status = off", "Msg 15151"},
		{"truncate table t", "Msg 4701"},
		{"alter database Shop set read_committed_snapshot on", "Msg 5011"},
	} {
		bob.fails(c.sql, c.want)
	}
	s.must("grant create table to bob")
	require.NoError(t, bob.exec("create table app.x (a int)"))
	bob.fails("create table x (a int)", "Msg 2760")
	require.NoError(t, bob.exec("drop table app.x"))
}
