package oracle

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/differ"
)

// begin submits a statement without waiting for its end.
func (c *client) begin(text string) (done func() error) {
	var err error
	finished := false
	c.s.Submit(func(s *Session) { _, err = s.Execute(text, nil) }, func() { finished = true })
	return func() error {
		c.Helper()
		require.NoError(c, c.srv.k.RunUntil(func() bool { return finished }), text)
		return err
	}
}

// TestReplacingARunningUnitWaits: a running package is pinned; a call by EXECUTE IMMEDIATE pins it no longer than the call.
func TestReplacingARunningUnitWaits(t *testing.T) {
	srv := newServer(t, 1)
	a, b := srv.client(t, "APP"), srv.client(t, "APP")
	a.exec("create or replace procedure p as begin dbms_session.sleep(60); end;")
	start := srv.k.Now()
	running := a.begin("begin p; end;")
	srv.k.Advance(time.Second)
	b.exec("create or replace procedure p as begin null; end;")
	require.NoError(t, running())
	require.GreaterOrEqual(t, srv.k.Now().Sub(start), 60*time.Second, "the procedure was replaced while it ran")

	a.exec("create or replace procedure p as begin null; end;")
	start = srv.k.Now()
	running = a.begin("begin execute immediate 'begin p; end;'; dbms_session.sleep(60); end;")
	srv.k.Advance(time.Second)
	b.exec("create or replace procedure p as begin null; end;")
	require.Less(t, srv.k.Now().Sub(start), 60*time.Second)
	require.NoError(t, running())

	_, err := a.try("create or replace procedure q as begin execute immediate 'create or replace procedure q as begin null; end;'; end;")
	require.NoError(t, err)
	_, err = a.try("begin q; end;")
	require.ErrorContains(t, err, "4020")
}

// TestKilledSessionIsUndone: a killed session's changes are undone and its locks released.
func TestKilledSessionIsUndone(t *testing.T) {
	srv := newServer(t, 1)
	a, b := srv.client(t, "APP"), srv.client(t, "APP")
	a.exec("create table t (id number primary key)")
	a.exec("declare l number; begin l := dbms_lock.request(7, dbms_lock.x_mode, 0); insert into t values (1); end;")
	require.Equal(t, []string{"0"}, b.exec("select count(*) from t"))
	waiting := b.begin("insert into t values (1)")
	srv.k.Advance(time.Second)
	srv.kill(a.s)
	require.NoError(t, waiting())
	b.exec("declare l number; begin l := dbms_lock.request(7, dbms_lock.x_mode, 0); if l <> 0 then raise_application_error(-20001, l); end if; end;")
}

// TestBreakIsNotCaught: a break ends the call, whatever handlers it has; the transaction stays open.
func TestBreakIsNotCaught(t *testing.T) {
	c := newClient(t)
	c.exec("create table t (id number)")
	c.exec("insert into t values (1)")
	running := c.begin("begin insert into t values (2); dbms_session.sleep(60); exception when others then null; end;")
	c.srv.k.Advance(time.Second)
	c.s.Cancel()
	require.ErrorContains(t, running(), "1013")
	require.Equal(t, []string{"1"}, c.exec("select count(*) from t"))
	c.exec("rollback")
	require.Equal(t, []string{"0"}, c.exec("select count(*) from t"))
}

// TestDDLBetweenExecutions: a statement that runs again after DDL writes into the table in its current form, even in a unit that keeps
// running.
func TestDDLBetweenExecutions(t *testing.T) {
	srv := newServer(t, 1)
	a := srv.client(t, "APP")
	a.exec("create table t (id number)")
	const insert = "insert into t (id) values (1)"
	a.exec(insert)
	a.exec("commit")
	a.exec("alter table t add v varchar2(10) default 'x'")
	a.exec(insert)
	a.exec("commit")
	require.Equal(t, []string{"2"}, a.exec("select count(*) from t"))

	a.exec("begin for i in 1 .. 2 loop insert into t (id) values (i); execute immediate 'alter table t add z' || i || ' number default 7'; end loop; end;")
	require.Equal(t, []string{"4 28"}, a.exec("select count(*), sum(z2) from t"))
}

// TestHandledBreaks: where a break arrives decides whether handlers can catch it, so both can be tried.
func TestHandledBreaks(t *testing.T) {
	for _, handled := range []bool{false, true} {
		srv := newServerThat(t, 1, differ.Set{differ.BreaksAreHandled: handled})
		c := srv.client(t, "APP")
		done := c.begin("begin dbms_session.sleep(100); exception when others then if sqlcode <> -1013 then raise; end if; end;")
		srv.k.Advance(time.Second)
		c.s.Cancel()
		err := done()
		if handled {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "1013")
		}
	}
}
