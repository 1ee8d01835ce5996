package oracle

import (
	"testing"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
)

// BenchmarkStatements measures simple statements of one session: which a scheduler's code consists of.
func BenchmarkStatements(b *testing.B) {
	k := kernel.New(kernel.Options{Seed: 1})
	defer k.Close()
	srv, err := New(k, Options{})
	if err != nil {
		b.Fatal(err)
	}
	s, err := srv.Login("APP")
	if err != nil {
		b.Fatal(err)
	}
	run := func(b *testing.B, text string) {
		b.Helper()
		finished := false
		s.Submit(func(s *Session) { _, err = s.Execute(text, []*plsql.Bind{}) }, func() { finished = true })
		if e := k.RunUntil(func() bool { return finished }); e != nil || err != nil {
			b.Fatal(e, err)
		}
	}
	run(b, "create table t (id number primary key, n number)")
	run(b, "begin for i in 1 .. 1000 loop insert into t values (i, 0); end loop; commit; end;")
	for _, c := range []struct{ name, body string }{
		{"Assign", "null; x := x + 1;"},
		{"SelectByKey", "select n into x from t where id = mod(i, 1000) + 1;"},
		{"UpdateByKey", "update t set n = n + 1 where id = mod(i, 1000) + 1;"},
		{"Min", "select min(id) into x from t where id > 500;"},
		{"Dynamic", "execute immediate 'select n from t where id = :1' into x using mod(i, 1000) + 1;"},
	} {
		b.Run(c.name, func(b *testing.B) {
			const rounds = 1000
			text := "declare x number := 0; begin for i in 1 .. 1000 loop " + c.body + " end loop; commit; end;"
			for b.Loop() {
				run(b, text)
			}
			b.ReportMetric(float64(b.N)*rounds/b.Elapsed().Seconds(), "statements/s")
		})
	}
}
