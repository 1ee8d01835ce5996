package certify

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// mayKill lets the user of a sandbox end sessions.
var mayKill = map[string][]string{"oracle": {"grant alter system to app", "grant select on v_$session to app"}}

// onlyRules opens a place on a sandbox that tries the rules only.
func onlyRules(t *testing.T, dialect string, test func(t *testing.T, p *place)) {
	t.Helper()
	prepare := func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		if len(mayKill[dialect]) == 0 {
			return
		}
		u, err := url.Parse(box.DSN())
		require.NoError(t, err)
		password, _ := u.User.Password()
		u.User, u.RawQuery = url.UserPassword("sys", password), url.Values{"DBA PRIVILEGE": {"SYSDBA"}}.Encode()
		db, err := sandboxtest.Open(dialect, u.String(), box.Dial)
		require.NoError(t, err)
		defer db.Close()
		for _, text := range mayKill[dialect] {
			_, err := db.ExecContext(t.Context(), text)
			require.NoError(t, err)
		}
	}
	sandboxtest.Run(t, sandbox.Options{Dialect: dialect, User: map[string]string{"oracle": "app"}[dialect]}, "may kill", prepare, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		e := *engines[dialect]
		e.probes = rules(e.say)
		p, err := open(t.Context(), on(t, box), &e)
		require.NoError(t, err)
		defer p.close()
		test(t, p)
	})
}

// TestRules: on a sandbox all hold, and where nothing can end a session the tasks end by themselves.
func TestRules(t *testing.T) {
	for _, dialect := range []string{"mssql", "oracle"} {
		t.Run(dialect, func(t *testing.T) {
			onlyRules(t, dialect, func(t *testing.T, p *place) {
				t.Helper()
				require.NoError(t, p.occupy(t.Context()))
				require.NoError(t, p.make(t.Context()))
				began := time.Now()
				results, err := p.try(t.Context(), p.probes, Options{Invasive: true, Step: func(line string) { t.Log(time.Since(began), line) }})
				require.NoError(t, err)
				for _, x := range results {
					t.Logf("%+v", x)
				}
				left, err := p.clean(t.Context())
				require.NoError(t, err)
				require.Empty(t, left)
				r := &Report{Results: results}
				p.judge(t.Context(), r)
				for _, x := range r.Results {
					want := Works
					if dialect == "mssql" && (x.Probe == "cancel-running" || x.Probe == "timeout") {
						want = Handled // nobody has run the kill script
					}
					require.Equal(t, want, x.Verdict, "%+v", x)
				}
			})
		})
	}
}
