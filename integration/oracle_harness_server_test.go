package integration

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/sijms/go-ora/v2"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

// newOracle gives a test the sandbox, whose user is the schema, or a fresh user on the real server.
func newOracle(t *testing.T, box *sandbox.Server, schema string, o sandbox.Options) *server {
	t.Helper()
	s := &server{t: t, dialect: "oracle", program: "PROGRAM", batch: "/"}
	s.beside = func(name string) (string, string) { return s.besideWith(name, templates.OracleGrants()) }
	if box == nil {
		asItIs(t, o)
		s.admin = realDSN(t, "oracle")
		s.dsn, s.schema = s.beside(schema)
	} else {
		s.box = box
		s.dsn, s.schema = s.box.DSN(), strings.ToUpper(schema)
		u, err := url.Parse(s.dsn)
		require.NoError(t, err)
		password, _ := u.User.Password()
		u.User, u.RawQuery = url.UserPassword("sys", password), url.Values{"DBA PRIVILEGE": {"SYSDBA"}}.Encode()
		s.admin = u.String()
	}
	s.db = s.open("dbsched-test")
	t.Cleanup(func() { _ = s.db.Close() })
	return s
}

// besideWith creates a user with some rights, and returns the DSN to log in with and its name. On a real server, where users
// are shared, it gets a name that nobody else has.
func (s *server) besideWith(name string, grants []templates.Grant) (dsn, user string) {
	s.t.Helper()
	user = strings.ToUpper(name)
	if s.box == nil {
		user += "_" + strings.ToUpper(strconv.FormatInt(time.Now().UnixNano(), 36))
		s.t.Cleanup(func() { s.dropUser(user) })
	}
	s.administrate(fmt.Sprintf(`create user %s identified by "%s"`, user, throwAway), s.quota(user))
	for _, g := range grants {
		s.administrate(g.Statement(user))
	}
	return s.dsnOfUser(user), user
}

// throwAway is the password of users that tests create.
const throwAway = "Throw-away-1"

// quota returns the statement that lets a user store something.
func (s *server) quota(name string) string {
	return fmt.Sprintf("begin for r in (select default_tablespace t from dba_users where username = upper('%[1]s')) loop "+
		"execute immediate 'alter user %[1]s quota unlimited on ' || r.t; end loop; end;", name)
}

// dsnOfUser returns the DSN of a user that besideWith created.
func (s *server) dsnOfUser(name string) string {
	s.t.Helper()
	u, err := url.Parse(s.admin)
	require.NoError(s.t, err)
	q := u.Query()
	for key := range q { // SYS has to say that it is SYSDBA
		if strings.EqualFold(key, "dba privilege") || strings.EqualFold(key, "auth type") {
			q.Del(key)
		}
	}
	u.RawQuery = q.Encode()
	u.User = url.UserPassword(name, throwAway)
	return u.String()
}

// administrate runs statements as an administrator.
func (s *server) administrate(statements ...string) {
	s.t.Helper()
	db := s.connect(withProgram(s.t, s.admin, s.program, "dbsched-test"))
	defer db.Close()
	for _, text := range statements {
		_, err := db.ExecContext(s.t.Context(), text)
		require.NoError(s.t, err, text)
	}
}

// tryAdministrate runs one at the end of the test, and ignores errors.
func (s *server) tryAdministrate(text string) {
	db := s.connect(s.admin)
	defer db.Close()
	if _, err := db.Exec(text); err != nil {
		s.t.Logf("%s: %v", text, err)
	}
}

// dropUser drops a user of the real server with all its objects. Running jobs would prevent that: they are stopped first.
func (s *server) dropUser(name string) {
	db := s.connect(s.admin)
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err := db.ExecContext(ctx, fmt.Sprintf(`declare
    procedure try(in_text in varchar2) is
    begin
        execute immediate in_text;
    exception
        when others then null;
    end;
begin
    try('alter user %[1]s account lock');
    for i in 1 .. 10 loop
        for j in (select job_name from dba_scheduler_jobs where owner = '%[1]s') loop
            try('begin dbms_scheduler.drop_job(''%[1]s.' || j.job_name || ''', force => true); end;');
        end loop;
        for q in (select queue_table from dba_queue_tables where owner = '%[1]s') loop
            try('begin dbms_aqadm.drop_queue_table(''%[1]s.' || q.queue_table || ''', force => true); end;');
        end loop;
        for k in (select sid || ',' || serial# id from v$session where username = '%[1]s') loop
            try('alter system kill session ''' || k.id || ''' immediate');
        end loop;
        try('drop user %[1]s cascade');
        dbms_session.sleep(1);
    end loop;
end;`, name))
	if err != nil {
		s.t.Logf("dropping user %s: %v", name, err)
	}
}
