package certify

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/internal/bench"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// on returns the server that a test tries.
func on(t *testing.T, box *sandbox.Server) On {
	t.Helper()
	d, err := registry.All().ByDSN(box.DSN())
	require.NoError(t, err)
	return On{d, dialects.Target{DSN: box.DSN(), Dial: box.Dial}}
}

// thorough reports whether the tests that `make certify` runs are wanted, which take a minute.
func thorough() bool { return os.Getenv("DBSCHED_CERTIFY") == "all" }

// requireAllWorks tries and measures everything: what this server can be asked works, and nothing is left. The report has no name of the database,
// its users or the server, in none of its forms: all of them begin with hush.
func requireAllWorks(t *testing.T, o sandbox.Options) {
	t.Helper()
	o.Password = "hush-Hush1"
	if o.Dialect == "mssql" {
		o.Database = "hush_base"
	} else {
		o.User = "hush_user"
	}
	sandboxtest.Run(t, o, "permitted", permit, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		box.SetSite(sandbox.Site{Server: "hush-server"})
		before := census(t, on(t, box))
		few := bench.Options{Workers: []int{2}, Tasks: 5, PerWorker: 1, Samples: 2, Without: sizes().Without}
		r, err := Run(t.Context(), on(t, box), Options{Invasive: true, Step: func(line string) { t.Log(line) }, sizes: few})
		require.NoError(t, err)
		require.Empty(t, r.Left)
		require.NotEmpty(t, r.Measures)
		require.Empty(t, r.NotMeasured)
		require.Equal(t, before, census(t, on(t, box)))
		t.Log(text(t, r))
		notTried := map[string]string{}
		for _, x := range r.Results {
			switch {
			case x.Elsewhere != "":
				require.Equal(t, NotTried, x.Verdict)
			case x.Verdict == NotTried:
				notTried[x.Probe] = x.Why
			default:
				require.Equal(t, usual(x), x.Verdict, "%+v", x)
			}
		}
		require.Equal(t, map[string]map[string]string{
			"mssql": {},
			"oracle": {
				"guid-of-the-container": "the release is older than 21c",
				"wake-up-elsewhere":     "this is not a cluster",
				"grants-of-admin":       "this is not an Autonomous Database",
			},
		}[o.Dialect], notTried)
		require.True(t, r.Sound())

		var page bytes.Buffer
		require.NoError(t, r.HTML(&page))
		report, err := json.Marshal(r)
		require.NoError(t, err)
		for _, form := range []string{page.String(), text(t, r), string(report)} {
			require.NotContains(t, strings.ToLower(form), "hush")
		}
	})
}

// usual is the verdict of a probe in an installation without the kill script.
func usual(x Result) Verdict {
	if x.Seen == marked {
		return Handled
	}
	return Works
}

// census is all that a run could leave: names, and what hangs on them.
func census(t *testing.T, o On) (all []string) {
	t.Helper()
	o.Target.Schema = engines[o.Dialect.Name()].schema
	db, err := o.Dialect.OpenDB(t.Context(), o.Target)
	require.NoError(t, err)
	defer db.Close()
	for _, query := range map[string][]string{"mssql": mssqlCensus, "oracle": oracleCensus}[o.Dialect.Name()] {
		found, err := rows(t.Context(), db, query)
		require.NoError(t, err, query)
		for _, r := range found {
			all = append(all, query+": "+strings.Join(r, " "))
		}
	}
	slices.Sort(all)
	return all
}

// TestUnknownAnswers: an answer that nobody expected is shown only if it is a number.
func TestUnknownAnswers(t *testing.T) {
	p := Probe{Name: "p", Answers: []Answer{{Seen: "yes", Verdict: Works}, {Seen: "no", Verdict: Handled}}, Otherwise: "It is slower"}
	for seen, want := range map[string]Result{
		"yes":             {Verdict: Works, Seen: "yes"},
		"no":              {Verdict: Handled, Seen: "no", Means: "It is slower"},
		"error 916":       {Verdict: Unknown, Seen: "error 916"},
		"ORA-27366":       {Verdict: Unknown, Seen: "ORA-27366"},
		"Login of hush":   {Verdict: Unknown, Seen: "something else"},
		"916; DROP TABLE": {Verdict: Unknown, Seen: "something else"},
	} {
		r := p.result(seen, "")
		require.Equal(t, want.Verdict, r.Verdict, seen)
		require.Equal(t, want.Seen, r.Seen, seen)
		if want.Means != "" {
			require.Equal(t, want.Means, r.Means)
		}
	}
	require.Equal(t, NotTried, p.result("yes", "a right is missing").Verdict, "what could not run never works")
}

// TestCapabilities: a capability is as good as the worst of its probes, and one that was not tried never works.
func TestCapabilities(t *testing.T) {
	all := capabilities([]Result{
		{Probe: "a", Capability: "one", Verdict: Works}, {Probe: "b", Capability: "two", Verdict: NotTried}, {Probe: "c", Capability: "one", Verdict: Works},
		{Probe: "d", Capability: "two", Verdict: Works}, {Probe: "e", Capability: "three", Verdict: Unknown}, {Probe: "f", Capability: "three", Verdict: Fails},
		{Probe: "g", Capability: "one", Verdict: NotTried, Elsewhere: "TestG"},
	})
	require.Equal(t, []Capability{{"one", Works, nil}, {"two", NotTried, []string{"b"}}, {"three", Fails, []string{"f"}}}, all)
}

// TestServerAlone: what is seen comes from the server: no probe knows what it may talk to.
func TestServerAlone(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, path := range files {
		if !strings.HasSuffix(path, "_test.go") {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NotContains(t, strings.ToLower(string(text)), "sandbox", path)
		}
	}
}

// TestProbesAreWhole: each probe has a name of its own, and says what it assumes, what another answer means, and who tries it.
func TestProbesAreWhole(t *testing.T) {
	for dialect := range engines {
		names := map[string]bool{}
		for _, p := range Probes(dialect) {
			require.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, p.Name)
			require.False(t, names[p.Name], p.Name)
			names[p.Name] = true
			require.NotEmpty(t, p.Assumed, p.Name)
			require.NotEmpty(t, p.Otherwise, p.Name)
			require.NotEmpty(t, p.Capability, p.Name)
			if p.Name != uninstall.Name { // judged when all is removed
				require.Equal(t, p.ask == nil, p.Elsewhere != "", p.Name)
			}
			if p.ask != nil {
				require.NotEmpty(t, p.Answers, p.Name)
				require.Equal(t, Works, p.Answers[0].Verdict, p.Name)
			}
		}
	}
}

// TestWithoutRights: who may not install is told what is missing, and nothing is written.
func TestWithoutRights(t *testing.T) {
	for dialect, texts := range map[string][]string{
		"mssql":  {"CREATE LOGIN ada WITH PASSWORD = 'hush-Hush1'", "CREATE USER ada FOR LOGIN ada"},
		"oracle": {`create user ada identified by "hush-Hush1"`, "grant create session to ada"},
	} {
		t.Run(dialect, func(t *testing.T) {
			sandboxtest.Run(t, sandbox.Options{Dialect: dialect}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
				t.Helper()
				server := on(t, box)
				u, err := url.Parse(server.Target.DSN)
				require.NoError(t, err)
				admin := *u
				if password, _ := u.User.Password(); dialect == "oracle" {
					admin.User = url.UserPassword("system", password)
				}
				db, err := sandboxtest.Open(dialect, admin.String(), box.Dial)
				require.NoError(t, err)
				defer db.Close()
				for _, text := range texts {
					_, err := db.ExecContext(t.Context(), text)
					require.NoError(t, err)
				}
				before, err := column(t.Context(), db, catalog[dialect])
				require.NoError(t, err)
				u.User = url.UserPassword("ada", "hush-Hush1")
				server.Target.DSN = u.String()
				for name, err := range map[string]error{"check": Check(t.Context(), server), "run": runs(t, server)} {
					require.Error(t, err, name)
					require.Regexp(t, "db_owner|CREATE TABLE|create table", err.Error(), name)
				}
				after, err := column(t.Context(), db, catalog[dialect])
				require.NoError(t, err)
				require.Equal(t, before, after)
			})
		})
	}
}

func runs(t *testing.T, server On) error {
	t.Helper()
	_, err := Run(t.Context(), server, Options{Quick: true, Step: func(string) {}})
	return err
}

// TestOccupied: a place that somebody else has marked since it was looked at is left alone.
func TestOccupied(t *testing.T) {
	for _, dialect := range []string{"mssql", "oracle"} {
		t.Run(dialect, func(t *testing.T) {
			sandboxtest.Run(t, sandbox.Options{Dialect: dialect}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
				t.Helper()
				p, err := open(t.Context(), on(t, box), engines[dialect])
				require.NoError(t, err)
				defer p.close()
				require.NoError(t, p.occupy(t.Context()))
				err = work(t.Context(), on(t, box), engines[dialect], Options{Step: func(string) {}}, &Report{})
				require.ErrorAs(t, err, new(*dialects.UsageError))
				require.ErrorContains(t, err, "another certify has just begun")
				marked, err := rows(t.Context(), p.db, p.left)
				require.NoError(t, err)
				require.Len(t, marked, 1, "the mark is still there")
			})
		})
	}
}

// TestCleanBesideARun: nothing of a run that has not ended is removed.
func TestCleanBesideARun(t *testing.T) {
	for _, dialect := range []string{"mssql", "oracle"} {
		t.Run(dialect, func(t *testing.T) {
			sandboxtest.Run(t, sandbox.Options{Dialect: dialect}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
				t.Helper()
				cleaned := false
				r, err := Run(t.Context(), on(t, box), Options{Quick: true, Step: func(line string) {
					if line == "measuring" {
						_, err := Clean(t.Context(), on(t, box))
						require.ErrorAs(t, err, new(*dialects.UsageError))
						require.ErrorContains(t, err, "certify is running here")
						cleaned = true
					}
				}})
				require.NoError(t, err)
				require.True(t, cleaned)
				require.True(t, r.Sound())
			})
		})
	}
}

// TestReceived: a report of a version counts for what is released of it later, and not for others.
func TestReceived(t *testing.T) {
	page, err := os.ReadFile("../../docs/certified.md")
	require.NoError(t, err)
	require.Equal(t, len(received) == 0, strings.Contains(string(page), "None yet."), "the list is that of the page")
	received["mssql"] = []string{"15", "16"}
	defer delete(received, "mssql")
	sandboxtest.Run(t, sandbox.Options{}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		require.True(t, Received(t.Context(), on(t, box)))
		received["mssql"] = []string{"1", "15"}
		require.False(t, Received(t.Context(), on(t, box)))
	})
}

// TestApart: a database of its own is created and dropped, also one that a killed run has left.
func TestApart(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "mssql"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		db, err := sandboxtest.Open("mssql", box.DSN(), box.Dial)
		require.NoError(t, err)
		defer db.Close()
		names := func() []string {
			all, err := column(t.Context(), db, "SELECT name FROM sys.databases ORDER BY name")
			require.NoError(t, err)
			return all
		}
		before := names()
		r, err := RunApart(t.Context(), on(t, box), Options{Quick: true, Step: func(string) {}})
		require.NoError(t, err)
		require.True(t, r.Sound())
		require.Equal(t, before, names())

		_, err = db.ExecContext(t.Context(), "CREATE DATABASE dbsched_certify")
		require.NoError(t, err)
		_, err = RunApart(t.Context(), on(t, box), Options{Quick: true, Step: func(string) {}})
		require.ErrorContains(t, err, "dbsched certify --clean --database")
		left, err := CleanApart(t.Context(), on(t, box))
		require.NoError(t, err)
		require.Empty(t, left)
		require.Equal(t, before, names())
	})
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		_, err := RunApart(t.Context(), on(t, box), Options{Quick: true, Step: func(string) {}})
		require.ErrorContains(t, err, "--database")
	})
}

func text(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, r.Text(&b))
	return b.String()
}
