package oracle

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/templates"
)

// client is an in-process session on a simulated kernel.
type client struct {
	*testing.T
	srv *Server
	s   *Session
}

func newServer(t *testing.T, seed uint64) *Server {
	t.Helper()
	return newServerThat(t, seed, nil)
}

// newServerThat starts a server that differs.
func newServerThat(t *testing.T, seed uint64, set differ.Set) *Server {
	t.Helper()
	k := kernel.New(kernel.Options{Seed: seed, Differ: set})
	t.Cleanup(k.Close)
	srv, err := New(k, Options{})
	require.NoError(t, err)
	return srv
}

func (srv *Server) client(t *testing.T, user string) *client {
	t.Helper()
	s, err := srv.Login(user)
	require.NoError(t, err)
	return &client{t, srv, s}
}

func newClient(t *testing.T) *client {
	t.Helper()
	return newServer(t, 1).client(t, "APP")
}

// try runs a statement to its end and returns the rows of a query as lines.
func (c *client) try(text string, binds ...*plsql.Bind) (rows []string, err error) {
	c.Helper()
	finished := false
	c.s.Submit(func(s *Session) {
		var call *Call
		if call, err = s.Execute(text, binds); err != nil || call.Rows == nil {
			return
		}
		defer call.Rows.Close()
		for {
			row, ok, e := s.Fetch(call.Rows)
			if e != nil || !ok {
				err = e
				return
			}
			cells := make([]string, len(row))
			for i, v := range row {
				cells[i] = fmt.Sprint(v)
			}
			rows = append(rows, strings.Join(cells, " "))
		}
	}, func() { finished = true })
	require.NoError(c, c.srv.k.RunUntil(func() bool { return finished }), text)
	return rows, err
}

func (c *client) exec(text string, binds ...*plsql.Bind) []string {
	c.Helper()
	rows, err := c.try(text, binds...)
	if err != nil {
		require.Fail(c, errorText(err), text)
	}
	return rows
}

func TestSelect(t *testing.T) {
	c := newClient(t)
	require.Equal(t, []string{`1 "X"`}, c.exec("select 1, dummy from dual"))
	c.exec("create table t (id number primary key, v varchar2(10))")
	c.exec("insert into t values (1, 'a')")
	c.exec("begin insert into t values (2, 'b'); for r in (select * from t) loop dbms_output.put_line(r.v); end loop; end;")
	require.Equal(t, []string{`1 "a"`, `2 "b"`}, c.exec("select * from t order by id"))
}

// TestInstall runs everything rendered for the owner APP.
func TestInstall(t *testing.T) { newClient(t).install() }

// TestWaves runs tasks in three waves.
func TestWaves(t *testing.T) {
	c := newClient(t)
	c.install()
	c.exec("begin dbsched.start_scheduler; end;")
	c.exec("begin for i in 1 .. 6 loop dbsched.exec_async('begin dbms_session.sleep(2); end;', ceil(i / 2) * 10); end loop; commit; end;")
	require.Equal(t, []string{"6"}, c.exec("select count(*) from ds_task_info"))
	c.exec("declare l_result number; l_status varchar2(30); begin dbsched.wait_process(1, 600, l_result, l_status); if l_result <> 0 then raise_application_error(-20500, l_status); end if; end;")
	for _, r := range c.exec("select log_id, task_id, execution_order, lane_id, outcome, start_time, end_time, error_message from ds_log_info order by log_id") {
		t.Log(r)
	}
	for _, r := range c.exec("select kind, alarm_text from ds_alarm_info") {
		t.Log(r)
	}
	t.Log(strings.Join(c.srv.alertLog, "\n"))
}

func (c *client) install() {
	c.Helper()
	t := c.T
	migrated := false
	for _, b := range batches(t) {
		if b.Kind != templates.KindSchema && !migrated {
			migrated = true
			files, err := migrations.Oracle("DS_", nil)
			require.NoError(t, err)
			all, err := migrations.Up(files)
			require.NoError(t, err)
			for _, m := range all {
				c.exec(m.SQL)
			}
		}
		_, err := c.try(b.SQL)
		if err != nil {
			require.Fail(t, errorText(err), b.Name)
		}
		rows := c.exec("select name, line, position, text from user_errors where attribute = 'ERROR' order by name, sequence")
		require.Empty(t, rows, b.Name)
	}
}

func batches(t *testing.T) []templates.Batch {
	t.Helper()
	b, err := templates.Oracle(templates.Params{Schema: "APP", Prefix: "DS_", Lanes: 2, Version: "0.1.0"})
	require.NoError(t, err)
	return b
}
