package certify

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/sandbox/differ"
)

// named is what a probe must see on a server that differs, and how dbsched gets on with it.
type named struct {
	probe, seen string
	verdict     Verdict
}

// lie is a way in which a server may differ. What is neither in sees nor in untried must be as it is without the lie.
type lie struct {
	differ  differ.Difference
	sees    []named
	untried []string // probes that then cannot be tried
	follows []string // rules of dbsched that are then broken, or late
	may     []string // probes that may see something or not
	first   string   // probe that must have ended before: in a whole run that is left to chance
}

// lateLanes are the rules that late wake-ups can break, by chance.
var lateLanes = []string{"ramp-up", "resource", "waves", "schedule-fires"}

func mssqlLies() []lie {
	return []lie{
		{differ: differ.RevertGoesTooFar, sees: []named{{"revert-in-a-task", "error 51037", Fails}}},
		{differ: differ.RevertUnnoticed, sees: []named{{"revert-in-a-task", "somebody else", Fails}}},
		{differ: differ.ActivationReusesSession, sees: []named{{"next-activation", "the same, clean", Handled}}},
		{differ: differ.ActivationKeepsState, sees: []named{{"next-activation", "the same, as it was", Fails}}},
		{differ: differ.KillRefused, sees: []named{{"kill-activated", "error 6107", Handled}}, untried: []string{"kill-grants", "killed-worker"}},
		{differ: differ.KillUnheeded, sees: []named{{"kill-activated", "goes on", Handled}}, follows: []string{"killed-worker"}},
		{differ: differ.NeedsNoAlterAnyConnection, sees: []named{{"kill-grants", "fewer", Handled}}},
		{differ: differ.NeedsNoViewServerState, sees: []named{{"kill-grants", "fewer", Handled}}},
		{differ: differ.NeedsNoAuthenticateServer, sees: []named{{"kill-grants", "fewer", Handled}}},
		{differ: differ.KillNeedsMore, sees: []named{{"kill-grants", "more", Handled}}},
		{differ: differ.SignatureVouchesForNobody, sees: []named{{"trusted-module", "error 916", Fails}}},
		{differ: differ.SignatureVouchesForAnother, sees: []named{{"trust-of-another", noError, Fails}}},
		{
			differ: differ.TokenWithoutLogin, sees: []named{{"trust-of-administrators", "error 51048 for everybody", Fails}},
			untried: []string{"trusted-module", "trust-of-another"},
		},
		{differ: differ.TokenWithoutServerRights, sees: []named{{"trust-of-administrators", noError, Fails}}},
		{differ: differ.GuestsEnter, sees: []named{{"guest-of-system-databases", noError, Handled}}},
		{differ: differ.StartJobRaises, sees: []named{{"start-job-refused", "caught", Handled}}},
		{differ: differ.StartJobSucceeds, sees: []named{{"start-job-refused", "success", Fails}}},
		{differ: differ.BrokerInUse5061, sees: []named{{"broker-in-use", "error 5061", Handled}}},
		{differ: differ.BrokerInUse5064, sees: []named{{"broker-in-use", "error 5069", Unknown}}},
		{differ: differ.BrokerInUse5030, sees: []named{{"broker-in-use", "error 5030", Handled}}},
		{differ: differ.BrokerInUseSucceeds, sees: []named{{"broker-in-use", noError, Handled}}},
		{differ: differ.ImplicitTransactionsCount, sees: []named{{"implicit-transaction", "error 266 with XACT_ABORT OFF", Handled}}},
		{differ: differ.ImplicitTransactionsCountAlways, sees: []named{{"implicit-transaction", "error 266", Fails}}},
		{differ: differ.ActivationHasDatabaseOptions, sees: []named{{"options-of-activation", "others", Handled}}},
		{differ: differ.ReadersOneByOne, sees: []named{{"many-readers", "later", Handled}}, may: []string{"ramp-up"}},
		{differ: differ.QuotedIdentifierOfCaller, sees: []named{{"quoted-identifier", "error 1934", Fails}}},
		{differ: differ.TimerLost, sees: []named{{"timer-of-a-queue-that-is-off", "never", Handled}}},
		{differ: differ.ReadpastWaits, sees: []named{{"readpast", "waits", Fails}}},
		{differ: differ.ReadpastReads, sees: []named{{"readpast", "reads", Fails}}},
		{differ: differ.TasksWithoutTables, sees: []named{{"guest-of-system-databases", "no #tables", Fails}}},
		{differ: differ.MirroringSeen, sees: []named{{"owner-sees-no-mirroring", "a row", Handled}}},
		{differ: differ.PermissionsByOwnership, sees: []named{{"rights-after-execute-as", "also without", Handled}}},
		{differ: differ.PermissionsDenied, sees: []named{{"rights-after-execute-as", "not even with it", Fails}}, follows: []string{"schedule-fires", "round"}},
		{differ: differ.UsersSeeNoGroup, sees: []named{{"owner-sees-its-database", "less", Handled}}},
	}
}

func oracleLies() []lie {
	return []lie{
		{
			differ: differ.RunRefusesDisabled, sees: []named{{"run-disabled-job", "ORA-27492", Fails}},
			untried: []string{"auto-drop", "next-run", "module-of-a-session", "ddl-by-parse", "stop-job", "run-ending-job", "wake-up", "killed-session", "call-of-the-owner"},
			follows: []string{"ramp-up", "waves", "halt", "retry", "dedup", "resource", "transactional", "killed-worker", "cancel-running", "timeout", "schedule-fires", "round", "stop-and-start", "install-again"},
		},
		{
			differ:  differ.DisabledJobsVanish,
			sees:    []named{{"auto-drop", "it is dropped", Fails}, {"run-disabled-job", "refused", Fails}, {"run-ending-job", "ORA-27475", Unknown}},
			untried: []string{"next-run"},
			may:     []string{"ramp-up", "stop-and-start", "install-again", "killed-worker"}, // as many lanes are left
		},
		{differ: differ.DisabledJobsStay, sees: []named{{"auto-drop", "it remains; with TRUE, too", Works}}},
		{
			differ: differ.DisabledJobsRunOnce, sees: []named{{"run-disabled-job", "1 run", Fails}, {"run-ending-job", "no error, and no run", Handled}},
			untried: []string{"next-run"}, may: []string{"ramp-up", "stop-and-start", "install-again", "killed-worker"},
		},
		{differ: differ.UnknownJob27476, sees: []named{{"unknown-job", "ORA-27475 or ORA-27476", Works}}},
		{differ: differ.UnknownJob27452, sees: []named{{"unknown-job", "ORA-27452", Unknown}}},
		{differ: differ.UnknownJobSucceeds, sees: []named{{"unknown-job", noError, Fails}}},
		{differ: differ.StopIdle27475, sees: []named{{"stop-of-an-idle-job", "ORA-27475", Handled}}},
		{differ: differ.StopIdleSucceeds, sees: []named{{"stop-of-an-idle-job", noError, Handled}}},
		{differ: differ.UnknownQueue4043, sees: []named{{"unknown-queue", "ORA-04043", Unknown}}},
		{differ: differ.UnknownQueueSucceeds, sees: []named{{"unknown-queue", noError, Fails}}},
		{differ: differ.WakesLate, sees: []named{{"wake-up", "later", Handled}}, may: lateLanes},
		{differ: differ.WakesVeryLate, sees: []named{{"wake-up", "not within 20 seconds", Handled}}, may: lateLanes},
		{differ: differ.BreaksAreHandled, sees: []named{{"stop-job", "handled, SUCCEEDED", Handled}}},
		{differ: differ.HandledStopsFail, sees: []named{{"stop-job", "handled, FAILED", Handled}}},
		{differ: differ.HandledStopsStop, sees: []named{{"stop-job", "handled, STOPPED", Handled}}},
		{differ: differ.StopsFail, sees: []named{{"stop-job", "bypassed, FAILED", Works}}},
		{differ: differ.StopsTooLate, sees: []named{{"stop-job", "ORA-27365", Handled}}},
		{differ: differ.ParseDefersDDL, sees: []named{{"ddl-by-parse", "not executed", Fails}}},
		{differ: differ.ParseRefusesDDL, sees: []named{{"ddl-by-parse", "the task failed", Fails}}},
		{differ: differ.ModulesSpread, sees: []named{{"module-of-a-session", "dbsched", Handled}}, first: "ddl-by-parse"},
		{differ: differ.CastCutsFractions, sees: []named{{"cast-to-seconds", "cut", Works}}},
		{differ: differ.CastKeepsFractions, sees: []named{{"cast-to-seconds", "kept", Handled}}},
		{differ: differ.CallersNeedExecute, sees: []named{{"call-of-the-owner", "ORA-06550", Fails}}},
		{differ: differ.NobodyInherits, sees: []named{{"call-of-the-owner", "ORA-06598", Fails}}},
		{differ: differ.EvaluateCommits, sees: []named{{"calendar-keeps-transaction", "it commits", Fails}}},
		{differ: differ.RunReusesSession, sees: []named{{"next-run", "the same session, without package state", Works}}},
		{differ: differ.RunKeepsState, sees: []named{{"next-run", "the same session, with package state", Handled}}},
		{differ: differ.KilledLingers, sees: []named{{"killed-session", "within a minute", Handled}}, follows: []string{"killed-worker"}},
		{differ: differ.KilledSeemsAlive, sees: []named{{"killed-session", "not within a minute", Fails}}, follows: []string{"killed-worker"}},
		{differ: differ.WaitDoesNotWait, sees: []named{{"commit-waits", "WAIT does not wait", Fails}}},
		{differ: differ.PlainCommitsWait, sees: []named{{"commit-waits", "both wait", Works}}},
		{differ: differ.RunningJob27477, sees: []named{{"run-ending-job", "ORA-27477", Unknown}}},
		{differ: differ.RunningJobIgnored, sees: []named{{"run-ending-job", "no error, and no run", Handled}}},
		{differ: differ.RunningJobWaits, sees: []named{{"run-ending-job", "no error, and a run", Handled}}},
		{differ: differ.RepeatsSlowly, sees: []named{{"repeats-after-success", "late", Handled}}},
		{differ: differ.RepeatsLate, sees: []named{{"repeats-after-success", "not within a minute", Handled}}},
		{differ: differ.UserIDsStay, sees: []named{{"namesake", "the same USER_ID", Fails}}},
		{differ: differ.Release21, sees: []named{{"guid-of-the-container", "the GUID of V$PDBS", Works}}},
		{differ: differ.Release21AnotherGUID, sees: []named{{"guid-of-the-container", "another GUID", Handled}}},
		{differ: differ.Release21NoGUID, sees: []named{{"guid-of-the-container", "no GUID", Handled}}},
		{differ: differ.DDLIgnoresBreaks, sees: []named{{"replace-in-use", "until the package is free", Handled}}},
		{differ: differ.CallsPassDDL, sees: []named{{"replace-in-use", "not at all", Works}}},
		{differ: differ.DDLReplacesInUse, sees: []named{{"replace-in-use", "it is replaced in use", Handled}}},
	}
}

// lies lists all differences of an engine.
func lies(dialect string) []lie {
	if dialect == "oracle" {
		return oracleLies()
	}
	return mssqlLies()
}

// lying are the options of a sandbox that differs.
func lying(dialect string, all ...lie) sandbox.Options {
	o := sandbox.Options{Dialect: dialect}
	if dialect == "mssql" {
		o.Group = [16]byte{1}
	}
	for _, l := range all {
		o.Differ = append(o.Differ, l.differ)
	}
	return o
}

// permit lets the user of a sandbox do everything.
func permit(t *testing.T, box *sandbox.Server) {
	t.Helper()
	u, err := url.Parse(box.DSN())
	require.NoError(t, err)
	if u.Scheme == "oracle" {
		oracleAdmin(t, box, strings.Split(strings.ReplaceAll(strings.Join(oracleRights, ";"), " to app", " to "+u.User.Username()), ";")...)
	}
}

// whole runs all probes on a sandbox that lies.
func whole(t *testing.T, dialect string, all ...lie) {
	t.Helper()
	sandboxtest.Run(t, lying(dialect, all...), "permitted", permit, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		r, err := Run(t.Context(), on(t, box), Options{Invasive: true, Quick: true, Step: func(string) {}})
		require.NoError(t, err)
		require.Empty(t, r.Left)
		all = slices.Clone(all)
		for i, l := range all {
			if l.first != "" {
				all[i].sees, all[i].may = nil, []string{l.sees[0].probe}
			}
		}
		requireNamed(t, r.Results, all...)
	})
}

// concerned runs only the probes that must see a lie, in an installation that was made before.
func concerned(t *testing.T, dialect string, l lie) {
	t.Helper()
	installed(t, lying(dialect, l), func(t *testing.T, p *place) {
		t.Helper()
		if l.first != "" {
			i := slices.IndexFunc(p.probes, func(p Probe) bool { return p.Name == l.first })
			_, why, err := p.ask(t.Context(), p.probes[i], Options{Invasive: true})
			require.NoError(t, err)
			require.Empty(t, why)
		}
		probes := slices.DeleteFunc(slices.Clone(p.probes), func(p Probe) bool {
			return !slices.ContainsFunc(l.sees, func(n named) bool { return n.probe == p.Name })
		})
		require.Len(t, probes, len(l.sees))
		results, err := p.try(t.Context(), probes, Options{Invasive: true, Step: func(string) {}})
		require.NoError(t, err)
		requireNamed(t, results, l)
	})
}

// installed opens a place where dbsched is installed already, and starts it.
func installed(t *testing.T, o sandbox.Options, test func(t *testing.T, p *place)) {
	t.Helper()
	sandboxtest.Run(t, o, "installed", func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		permit(t, box)
		p := placeOn(t, box)
		defer p.close()
		require.NoError(t, p.occupy(t.Context()))
		_, err := p.sched.Install(t.Context(), dialects.InstallOptions{Lanes: lanes})
		require.NoError(t, err)
		require.NoError(t, p.sched.SetWorkers(t.Context(), lanes))
	}, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		p := placeOn(t, box)
		defer p.close()
		require.NoError(t, p.sched.Start(t.Context()))
		test(t, p)
	})
}

// placeOn opens a place whose probes a test may change.
func placeOn(t *testing.T, box *sandbox.Server) *place {
	t.Helper()
	on := on(t, box)
	e := *engines[on.Dialect.Name()]
	p, err := open(t.Context(), on, &e)
	require.NoError(t, err)
	return p
}

// requireNamed asserts what probes have seen.
func requireNamed(t *testing.T, results []Result, all ...lie) {
	t.Helper()
	follows, may := map[string]bool{}, map[string]bool{}
	sees, untried := map[string]named{}, map[string]bool{ // the sandbox is Oracle 19c
		"guid-of-the-container": true, "wake-up-elsewhere": true, "grants-of-admin": true,
	}
	for _, l := range all {
		for _, n := range l.sees {
			sees[n.probe] = n
			delete(untried, n.probe)
		}
	}
	for _, l := range all {
		for _, probe := range l.untried {
			untried[probe] = true
		}
		for _, probe := range l.may {
			may[probe] = true
		}
		for _, probe := range l.follows {
			follows[probe] = true
		}
	}
	for _, x := range results {
		n, lied := sees[x.Probe]
		switch {
		case x.Elsewhere != "":
		case untried[x.Probe]:
			require.Equal(t, NotTried, x.Verdict, "%+v", x)
		case lied:
			require.Equal(t, n, named{x.Probe, x.Seen, x.Verdict}, "%+v", x)
		case may[x.Probe]:
		case follows[x.Probe]:
			require.NotEqual(t, Works, x.Verdict, "%+v", x)
		case x.Seen == marked:
			require.Equal(t, Handled, x.Verdict, "%+v", x)
		default:
			require.Equal(t, Works, x.Verdict, "%+v", x)
			require.Equal(t, assumed(x.Probe), x.Seen)
		}
	}
}

// assumed returns the assumed answer of a probe.
func assumed(probe string) string {
	for _, e := range engines {
		for _, p := range e.probes {
			if p.Name == probe {
				return p.Answers[0].Seen
			}
		}
	}
	return ""
}

// TestDifferences: each alternative that a server may choose is named by the probes that it concerns, as docs/live.md says. With DBSCHED_CERTIFY=all
// the other probes are asked, too, and name nothing.
func TestDifferences(t *testing.T) {
	for _, dialect := range []string{"mssql", "oracle"} {
		var known []differ.Difference
		for _, l := range lies(dialect) {
			known = append(known, l.differ)
			t.Run(string(l.differ), func(t *testing.T) {
				if thorough() {
					whole(t, dialect, l)
				} else {
					concerned(t, dialect, l)
				}
			})
		}
		require.ElementsMatch(t, differ.Of(dialect), known)
	}
}

// TestAllAnswers: whatever a probe may see is seen on a sandbox that differs, but what no sandbox can show.
func TestAllAnswers(t *testing.T) {
	unseen := map[string][]string{
		"mssql": {},
		"oracle": {
			"run-disabled-job: 2 runs",                    // one that loses the second order has 1 run
			"stop-job: ORA-27366",                         // the job sleeps for longer
			"row-of-virtual-columns: it does not compile", // then dbsched cannot be installed
			"row-of-virtual-columns: other values",
			"cast-to-seconds: it does not compile",                                 // nor then
			"guid-of-the-container: a GUID",                                        // where V$PDBS may not be read
			"wake-up-elsewhere: later", "wake-up-elsewhere: not within 20 seconds", // the sandbox is no cluster
		},
	}
	for dialect, want := range unseen {
		var none []string
		for _, p := range engines[dialect].probes {
			if p.promise || len(p.Answers) == 0 {
				continue
			}
			for _, a := range p.Answers[1:] {
				if !slices.ContainsFunc(lies(dialect), func(l lie) bool { return slices.Contains(l.sees, named{p.Name, a.Seen, a.Verdict}) }) {
					none = append(none, p.Name+": "+a.Seen)
				}
			}
		}
		require.ElementsMatch(t, want, none)
	}
}

// TestManyDifferences: in a whole run each of many lies is named, and nothing else. Of those that the same probe sees, each run has one: the first run
// has most, and DBSCHED_CERTIFY=all tries the others.
func TestManyDifferences(t *testing.T) {
	alone := []differ.Difference{ // others cannot be seen beside them
		differ.KillRefused, differ.SignatureVouchesForNobody, differ.TokenWithoutLogin, differ.RunRefusesDisabled, differ.DisabledJobsVanish, differ.DisabledJobsRunOnce,
		differ.KilledSeemsAlive,
	}
	for _, dialect := range []string{"mssql", "oracle"} {
		var runs [][]lie
		for _, l := range lies(dialect) {
			if slices.Contains(alone, l.differ) {
				continue
			}
			free := func(run []lie) bool {
				return !slices.ContainsFunc(run, func(o lie) bool { return o.sees[0].probe == l.sees[0].probe })
			}
			i := slices.IndexFunc(runs, free)
			if i < 0 {
				i, runs = len(runs), append(runs, nil)
			}
			runs[i] = append(runs[i], l)
		}
		if !thorough() {
			runs = runs[:1]
		}
		for i, run := range runs {
			t.Run(fmt.Sprintf("%s %d", dialect, i+1), func(t *testing.T) { whole(t, dialect, run...) })
		}
	}
}
