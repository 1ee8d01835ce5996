package plsql_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
)

const outputBody = `create or replace package body o is
  procedure put (s in varchar2) is begin dbms_output.put_line(nvl(s, 'NULL')); end;
  procedure put (n in number) is begin dbms_output.put_line(nvl(to_char(n), 'NULL')); end;
  procedure put (b in boolean) is begin dbms_output.put_line(case when b then 'TRUE' when not b then 'FALSE' else 'NULL' end); end;
  procedure get (s out varchar2, p in out pair, l out pairs) is begin s := 'got'; p.b := 'set'; l(1).a := 42; end;
  function twice (n in number default max_lines) return number is begin return n + n; end;
  procedure fail is begin raise_application_error(-20500, 'failed'); end;
  procedure trace is begin null; end;
end o;`

// TestEngine runs the same blocks in the engine's session.
func TestEngine(t *testing.T) {
	t.Parallel()
	k := kernel.New(kernel.Options{Seed: 1})
	t.Cleanup(k.Close)
	srv, err := oracle.New(k, oracle.Options{})
	require.NoError(t, err)
	session, err := srv.Login("APP")
	require.NoError(t, err)
	exec := func(text string, binds ...*plsql.Bind) (err error) {
		finished := false
		session.Submit(func(s *oracle.Session) { _, err = s.Execute(text, binds) }, func() { finished = true })
		require.NoError(t, k.RunUntil(func() bool { return finished }), text)
		return err
	}
	run := func(text string) string {
		var out []string
		failed := exec(text)
		for {
			line, status := &plsql.Bind{Name: "L", Type: datatype.Sized(datatype.Varchar2, 4000)}, &plsql.Bind{Name: "S", Type: datatype.Of(datatype.Number)}
			require.NoError(t, exec("begin dbms_output.get_line(:l, :s); end;", line, status))
			if show(status.Value) != "0" {
				break
			}
			out = append(out, show(line.Value))
		}
		if failed != nil {
			out = append(out, plsql.ErrorText(failed))
		}
		return strings.Join(out, "\n")
	}
	for _, text := range []string{
		"create or replace " + outputSpec, outputBody, "begin dbms_output.enable(null); end;",
		"create table p (id number primary key, name varchar2(10), age number)", "create sequence s",
		"create view v as select name, age from p where age > 1",
		"begin insert into p values (1, 'a', 10); insert into p values (2, 'b', 20); insert into p values (3, 'c', null); commit; end;",
	} {
		require.NoError(t, exec(text), text)
	}
	for _, list := range [][]blockCase{blockCases(), exceptionCases(), sqlCases(), dynamicCases()} {
		for _, c := range list {
			if !strings.Contains(c.text, "o.fail") {
				require.Equal(t, c.want, run(c.text), c.text)
			}
		}
	}
}
