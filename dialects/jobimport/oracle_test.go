package jobimport

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

func quotes() Quotes {
	return Quotes{
		Ident: func(s string) string { return `"` + s + `"` },
		Text:  func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" },
	}
}

func database() OracleServer {
	return OracleServer{Owner: "APP", Clock: "+00:00", Now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
}

func begun() time.Time { return time.Date(2026, 1, 31, 0, 30, 15, 0, time.UTC) }

const disabledMisses = "a time that passes while the schedule is disabled is one that it misses: it fires once for all of them when it is resumed"

// nightly returns a job of DBMS_SCHEDULER.
func nightly(change func(*OracleJob)) OracleJob {
	j := OracleJob{
		Owner: "APP", Name: "LOAD", Enabled: true, Unit: OracleUnit{Owner: "APP", Type: "PLSQL_BLOCK", Action: "begin load; end;"}, ScheduleType: "CALENDAR",
		Repeat: "FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0", Zone: "EUROPE/WARSAW", Start: begun(), Class: "DEFAULT_JOB_CLASS",
	}
	change(&j)
	return j
}

// TestOracleJob has what ALL_SCHEDULER_JOBS shows for a job (Database Reference), and the results.
func TestOracleJob(t *testing.T) {
	for name, c := range map[string]struct {
		change                            func(*OracleJob)
		sql, parameters, notes, obstacles string
	}{
		"block":         {func(*OracleJob) {}, "begin load; end;", "", "", ""},
		"inside of one": {func(j *OracleJob) { j.Unit.Action = "load(1); load(2)" }, "begin\nload(1); load(2);\nend;", "", "", ""},
		"two blocks":    {func(j *OracleJob) { j.Unit.Action = "begin a; end;\r\nbegin b; end;" }, "begin\nbegin a; end;\nbegin b; end;\nend;", "", "", ""},
		"slash":         {func(j *OracleJob) { j.Unit.Action = "declare n number; begin load; end;\n/\n" }, "declare n number; begin load; end;", "", "", ""},
		"its own name":  {func(j *OracleJob) { j.Unit.Action = "load(job_name);" }, "begin\nload(job_name);\nend;", "", "it names job_name: if that is the variable of the Scheduler, a task does not have it", ""},
		"procedure":     {func(j *OracleJob) { j.Unit = OracleUnit{Owner: "HR", Type: "STORED_PROCEDURE", Action: "load"} }, `begin "HR"."LOAD"; end;`, "", "", ""},
		"of a package":  {func(j *OracleJob) { j.Unit = OracleUnit{Owner: "HR", Type: "STORED_PROCEDURE", Action: `etl."Load"`} }, `begin "ETL"."Load"; end;`, "", "", ""},
		"of a schema":   {func(j *OracleJob) { j.Unit = OracleUnit{Type: "STORED_PROCEDURE", Action: "hr.etl.load"} }, `begin "HR"."ETL"."LOAD"; end;`, "", "", ""},
		"with arguments": {func(j *OracleJob) {
			j.Unit = OracleUnit{Owner: "HR", Type: "STORED_PROCEDURE", Action: "load", Arguments: []OracleArgument{
				{Position: 1, Type: "NUMBER", Value: "4711", Known: true}, {Position: 2, Type: "VARCHAR2", Value: `it's "x"`, Known: true}, {Position: 3, Value: "", Known: true},
			}}
		}, `begin "HR"."LOAD"(:a1, :a2, :a3); end;`, `{"a1 number": 4711, "a2 varchar2": "it's \"x\"", "a3 varchar2": ""}`, "", ""},
		"with other arguments": {func(j *OracleJob) {
			j.Unit = OracleUnit{Owner: "HR", Type: "STORED_PROCEDURE", Action: "load", Arguments: []OracleArgument{{Position: 1, Type: "SYS.ANYDATA"}}}
		}, "", "", "", "it has the argument 1 of type SYS.ANYDATA, whose value cannot be taken over; nothing of it can be a task"},
		"program of the system": {func(j *OracleJob) { j.Unit.Type = "EXECUTABLE" }, "", "", "", "it is of type EXECUTABLE: a task is SQL; nothing of it can be a task"},
		"tried again": {func(j *OracleJob) { j.Restartable = true }, "begin load; end;", "",
			"it is tried again up to 6 times, after 1 second and each time ten times longer; a task doubles its pause", ""},
		"of somebody else": {func(j *OracleJob) { j.Owner = "HR" }, "begin load; end;", "",
			"it runs as HR; tasks run as the owner or the runner of dbsched, with its rights, and names are looked for in its schema", ""},
		"without counterpart": {func(j *OracleJob) {
			j.Comments, j.Enabled, j.Ends, j.MaxRuns, j.MaxFailures, j.Class, j.Notify = "at night", false, begun().AddDate(1, 0, 0), 5, 3, "ETL", []string{"it e-mails a@b.c on JOB_FAILED"}
		}, "begin load; end;", "", "comments: at night; it is disabled; no counterpart: it e-mails a@b.c on JOB_FAILED; " +
			"no counterpart: it is disabled after 3 failures; no counterpart: its job class is ETL", "it ends after 5 runs"},
		"ended":  {func(j *OracleJob) { j.Ends = begun() }, "begin load; end;", "", "", "it ended on 2026-01-31T00:30:15Z"},
		"once":   {func(j *OracleJob) { j.Repeat, j.ScheduleType = "", "ONCE" }, "begin load; end;", "", "", "it runs once: start the plan with dbsched run"},
		"event":  {func(j *OracleJob) { j.Repeat, j.ScheduleType = "", "EVENT" }, "begin load; end;", "", "", "it is started by an event, not by a calendar"},
		"window": {func(j *OracleJob) { j.Repeat, j.ScheduleType = "", "WINDOW_GROUP" }, "begin load; end;", "", "", "it is started by a window, not by a calendar"},
	} {
		t.Run(name, func(t *testing.T) {
			j := nightly(c.change)
			got := Oracle(j, database(), quotes())
			sql, parameters := "", ""
			if len(got.Schedule.Tasks) > 0 {
				sql, parameters = got.Schedule.Tasks[0].SQL, got.Schedule.Tasks[0].Parameters
			}
			require.Equal(t, c.sql, sql)
			require.Equal(t, c.parameters, parameters)
			require.Equal(t, strings.TrimSuffix(disabledMisses+"; "+c.notes, "; "), strings.Join(got.Notes, "; "))
			require.Equal(t, c.obstacles, strings.Join(got.Obstacles, "; "))
			require.Equal(t, `begin dbms_scheduler.disable('"`+j.Owner+`"."LOAD"'); end;`, got.Disable)
			require.Equal(t, "Once Skip Halt", got.Schedule.Missed+" "+got.Schedule.Overlap+" "+got.Schedule.Process.OnError)
			require.True(t, got.Schedule.Disabled)
			if name == "tried again" {
				require.Equal(t, 7, got.Schedule.Tasks[0].MaxAttempts)
				require.Equal(t, time.Second, got.Schedule.Tasks[0].RetryDelay)
			}
		})
	}
	s := database()
	s.Hides = true
	own := Oracle(nightly(func(j *OracleJob) { j.Unit = OracleUnit{Owner: "APP", Type: "STORED_PROCEDURE", Action: "load"} }), s, quotes())
	require.Equal(t, `begin "LOAD"; end;`, own.Schedule.Tasks[0].SQL)
	require.Contains(t, own.Notes[1], "schema APP has an object of its name")
	require.Equal(t, "HR.LOAD", Oracle(nightly(func(j *OracleJob) { j.Owner = "HR" }), database(), quotes()).Name)
}

// TestOracleCalendar: a calendar stays as it is, with the start date from which it is counted, and the end date. Without a start date it
// needs all that it would take from there (DBMS_SCHEDULER, "Calendaring Syntax").
func TestOracleCalendar(t *testing.T) {
	end := begun().AddDate(2, 0, 0)
	for calendar, missing := range map[string]string{
		"FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0":  "",
		"freq=daily; byhour=2; ":                     "BYMINUTE, BYSECOND",
		"FREQ=DAILY":                                 "BYHOUR, BYMINUTE, BYSECOND",
		"FREQ=DAILY;INTERVAL=2;BYTIME=0200":          "the first of its intervals of 2",
		"FREQ=DAILY;INTERVAL=1;BYTIME=0200,1400":     "",
		"FREQ=HOURLY;INTERVAL=6":                     "the first of its intervals of 6, BYMINUTE, BYSECOND",
		"FREQ=MINUTELY":                              "BYSECOND",
		"FREQ=SECONDLY":                              "",
		"FREQ=WEEKLY":                                "BYDAY, BYHOUR, BYMINUTE, BYSECOND",
		"FREQ=WEEKLY;BYDAY=MON;BYHOUR=0;BYMINUTE=0;": "BYSECOND",
		"FREQ=MONTHLY;BYTIME=0200":                   "BYMONTHDAY",
		"FREQ=MONTHLY;BYMONTHDAY=-1;BYTIME=0200":     "",
		"FREQ=MONTHLY;BYDAY=-1FRI;BYTIME=0200":       "",
		"FREQ=YEARLY;BYTIME=0200":                    "BYMONTH, BYMONTHDAY",
		"FREQ=YEARLY;BYMONTH=JAN,JUL;BYTIME=0200":    "BYMONTHDAY",
		"FREQ=YEARLY;BYDATE=0101;BYTIME=0200":        "",
		"FREQ=YEARLY;BYWEEKNO=20;BYTIME=0200":        "BYDAY",
		"EXCLUDE=holidays;":                          "",
	} {
		got := Oracle(nightly(func(j *OracleJob) { j.Repeat, j.Ends = calendar, end }), database(), quotes())
		require.Equal(t, dialects.When{Calendar: calendar, Zone: "EUROPE/WARSAW", Begin: begun(), End: end},
			dialects.When{Calendar: got.Schedule.Calendar, Zone: got.Schedule.Zone, Begin: got.Schedule.Begin, End: got.Schedule.End})
		require.Empty(t, got.Obstacles)
		require.Equal(t, []string{disabledMisses}, got.Notes)

		got = Oracle(nightly(func(j *OracleJob) { j.Repeat, j.Start = calendar, time.Time{} }), database(), quotes())
		var want []string
		if missing != "" {
			want = []string{"its calendar takes " + missing + " from its start, which it does not have"}
		}
		require.Equal(t, want, got.Obstacles, calendar)
	}
	for _, calendar := range []string{"FREQ=DAILY;EXCLUDE=holidays", "FREQ=my_periods"} {
		got := Oracle(nightly(func(j *OracleJob) { j.Repeat, j.Owner = calendar, "HR" }), database(), quotes())
		require.Equal(t, []string{"its calendar names schedules of HR, which dbsched would look for in its own schema"}, got.Obstacles)
	}

	s := database()
	unknown := nightly(func(j *OracleJob) { j.Zone = "" })
	require.Contains(t, Oracle(unknown, s, quotes()).Notes, "its time zone is that of the server's clock when it is enabled: name it with --zone, else it is UTC")
	s.Zone = "+00:00"
	require.Equal(t, "UTC", Oracle(unknown, s, quotes()).Schedule.Zone)

	long := nightly(func(j *OracleJob) { j.Repeat += ";BYMONTHDAY=" + strings.Repeat("1,", 100) + "2" })
	require.Equal(t, []string{"its calendar has more than 200 characters: " + long.Repeat}, Oracle(long, s, quotes()).Obstacles)
}

// TestInterval has the intervals from the documentation of DBMS_JOB (Database PL/SQL Packages and Types Reference, SUBMIT; Administrator's Guide,
// "Job Execution Interval"), and others that people write.
func TestInterval(t *testing.T) {
	for text, want := range map[string]string{
		"SYSDATE + 7":                                             "every 7 days",
		"sysdate + 1/24":                                          "every 1 hours",
		"SYSDATE + 30/1440":                                       "every 30 minutes",
		"SYSDATE+1/24/60":                                         "every 1 minutes",
		"SYSDATE + 0.5":                                           "every 12 hours",
		"SYSTIMESTAMP + INTERVAL '15' MINUTE":                     "every 15 minutes",
		"SYSDATE + INTERVAL '2' DAY":                              "every 2 days",
		"SYSDATE + 10/86400":                                      "", // seconds
		"SYSDATE + 400":                                           "",
		"SYSDATE + 0":                                             "",
		"SYSDATE + 1/0":                                           "",
		"SYSDATE":                                                 "",
		"TRUNC(SYSDATE + 1)":                                      "0 0 * * *",
		"TRUNC(SYSDATE) + 1":                                      "0 0 * * *",
		"TRUNC(SYSDATE) + 1 + 2/24 + 30/1440":                     "30 2 * * *",
		"trunc(sysdate + 1, 'DD') + 2/24":                         "0 2 * * *",
		"TRUNC(SYSDATE) + 2":                                      "",
		"TRUNC(SYSDATE) + 2/24":                                   "", // is in the past
		"TRUNC(SYSDATE + 1/24, 'HH')":                             "0 * * * *",
		"TRUNC(SYSDATE, 'HH24') + 1/24":                           "0 * * * *",
		"TRUNC(SYSDATE, 'HH24') + 90/1440":                        "30 * * * *",
		"TRUNC(SYSDATE, 'HH24') + 30/1440":                        "", // may be in the past
		"NEXT_DAY(TRUNC(SYSDATE), 'MONDAY')":                      "0 0 * * MON",
		"NEXT_DAY(TRUNC(SYSDATE), 'FRI') + 18/24":                 "0 18 * * FRI",
		"NEXT_DAY(SYSDATE, 'MONDAY')":                             "", // drifts
		"ADD_MONTHS(TRUNC(SYSDATE, 'MM'), 1)":                     "0 0 1 * *",
		"TRUNC(LAST_DAY(SYSDATE)) + 1":                            "0 0 1 * *",
		"LAST_DAY(TRUNC(SYSDATE)) + 1 + 3/24":                     "0 3 1 * *",
		"LAST_DAY(TRUNC(SYSDATE)) + 10":                           "",
		"NEXT_DAY(ADD_MONTHS(TRUNC(SYSDATE, 'Q'),3), 'THURSDAY')": "",
		"my_next_date(SYSDATE)":                                   "",
		"null":                                                    "",
	} {
		got, _ := interval(text)
		require.Equal(t, want, got, text)
	}
}

// TestOldJob: jobs of DBMS_JOB have numbers, and intervals in PL/SQL.
func TestOldJob(t *testing.T) {
	old := func(interval string) OracleJob {
		return OracleJob{Owner: "APP", Name: OldJob + "23", Number: 23, Enabled: true, Unit: OracleUnit{Owner: "APP", Type: "PLSQL_BLOCK", Action: "load;"}, ScheduleType: "PLSQL", Repeat: interval}
	}
	s := database()
	s.Clock = "+02:00"
	got := Oracle(old("SYSDATE + 1"), s, quotes())
	require.Equal(t, "DBMS_JOB 23: every 1 days in  with begin\nload;\nend;", got.Name+": "+got.Schedule.Calendar+" in "+got.Schedule.Zone+" with "+got.Schedule.Tasks[0].SQL)
	require.Equal(t, "begin dbms_job.broken(23, true); commit; end;", got.Disable)
	require.Equal(t, []string{disabledMisses, "its interval is counted from when it last ran; that of the schedule from when it is created"}, got.Notes)
	next := old("SYSDATE + 1/24")
	next.Next = begun()
	require.Equal(t, begun(), Oracle(next, s, quotes()).Schedule.Begin)
	require.Contains(t, Oracle(next, s, quotes()).Notes, "its interval is counted from when it last ran; that of the schedule from 2026-01-31T00:30:15Z")
	next.Repeat, next.Start = "TRUNC(SYSDATE) + 1", s.Now.AddDate(0, 1, 0)
	require.Equal(t, []string{"it first runs on 2026-07-01T00:00:00Z, whatever its interval says"}, Oracle(next, s, quotes()).Obstacles)

	got = Oracle(old("TRUNC(SYSDATE) + 1"), s, quotes())
	require.Equal(t, "+02:00", got.Schedule.Zone)
	require.Contains(t, got.Notes, "SYSDATE goes by the server's clock, which is at +02:00 now: name its region with --zone if that changes in summer")
	require.Equal(t, []string{`its interval "next_one" cannot be read as a calendar`}, Oracle(old("next_one"), s, quotes()).Obstacles)
	require.Equal(t, []string{"it runs once: start the plan with dbsched run"}, Oracle(old(""), s, quotes()).Obstacles)
	s.Clock = "+00:00"
	require.Equal(t, "UTC", Oracle(old("TRUNC(SYSDATE) + 1"), s, quotes()).Schedule.Zone)
}

// TestChain converts rules to waves ("Scheduler Chain Condition Syntax" and "Creating and Managing Job Chains").
func TestChain(t *testing.T) {
	rules := func(pairs ...string) (all []ChainRule) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, ChainRule{Name: "R" + string(rune('1'+i/2)), Condition: pairs[i], Action: pairs[i+1]})
		}
		return all
	}
	documented := rules("TRUE", "START stepA", "stepA COMPLETED", "Start stepB, stepC", "stepB COMPLETED AND stepC COMPLETED", "END")
	const goesOn, stalls = "a step that fails leaves the process Failed; the chain goes on and succeeds", "no rule ends its chain: it ends as stalled, where the process succeeds"
	for name, c := range map[string]struct {
		rules                            []ChainRule
		change                           func([]ChainStep)
		tasks, onError, notes, obstacles string
	}{
		"as documented": {documented, nil, "stepa; .stepb; .stepc;", "Continue", goesOn, ""},
		"one after another": {rules("1=1", `START "STEPA"`, "stepA SUCCEEDED", "START stepB", ":stepB SUCCEEDED", "START STEPC", "stepC SUCCEEDED", "END 0"), nil,
			"stepa; .stepb; ..stepc;", "Halt", "", ""},
		"ends when one fails": {rules("TRUE", "START stepA, stepB", "(stepA SUCCEEDED) AND (stepB SUCCEEDED)", "START stepC", "stepA FAILED OR stepB FAILED", "END 1", "stepC COMPLETED", "END"), nil,
			"stepa; stepb; .stepc;", "Halt", "", ""},
		"never ends":    {rules("TRUE", "START stepA, stepB, stepC"), nil, "stepa; stepb; stepc;", "Halt", stalls, ""},
		"apart":         {rules("TRUE", "START stepA, stepB", "stepA SUCCEEDED", "START stepC", "stepC SUCCEEDED AND stepB SUCCEEDED", "END"), nil, "stepa; stepb; .stepc;", "Halt", "step STEPC waits for STEPB as well: waves run one after another", ""},
		"not started":   {rules("TRUE", "START stepA", "stepA SUCCEEDED", "END"), nil, "stepa;", "Halt", "no rule starts step STEPB, and it is left out; no rule starts step STEPC, and it is left out", ""},
		"skipped":       {documented, func(s []ChainStep) { s[1].Skip = true }, "stepa; .stepc;", "Continue", goesOn + "; step STEPB is skipped, and left out", ""},
		"paused":        {documented, func(s []ChainStep) { s[1].Pause = true }, "stepa; .stepc;", "Continue", goesOn, "step STEPB is paused"},
		"a subchain":    {documented, func(s []ChainStep) { s[2].Kind = "SUBCHAIN" }, "stepa; .stepb;", "Continue", goesOn, "step STEPC is of type SUBCHAIN: only a program can be a task"},
		"an event":      {documented, func(s []ChainStep) { s[2].Kind = "EVENT_SCHEDULE" }, "stepa; .stepb;", "Continue", goesOn, "step STEPC is of type EVENT_SCHEDULE: only a program can be a task"},
		"of the system": {documented, func(s []ChainStep) { s[2].Unit.Type = "EXECUTABLE" }, "stepa; .stepb;", "Continue", goesOn, "step STEPC is of type EXECUTABLE: a task is SQL"},
		"ends early": {rules("TRUE", "START stepA, stepB, stepC", "stepA SUCCEEDED", "END"), nil, "stepa; stepb; stepc;", "Halt", "",
			"its chain ends before step STEPB has; its chain ends before step STEPC has"},
		"success and any end": {rules("TRUE", "START stepA", "stepA SUCCEEDED", "START stepB", "stepB COMPLETED", "START stepC", "stepC COMPLETED", "END"), nil, "stepa; .stepb; ..stepc;", "Halt", "",
			"some steps of its chain start after success, others after any end: a process has one on-error for all"},
		"after a failure": {rules("TRUE", "START stepA", "stepA FAILED", "START stepB"), nil, "", "Halt", "", "rule R2 of its chain is not simple: if stepA FAILED, then START stepB; nothing of it can be a task"},
		"either": {rules("TRUE", "START stepA", "stepA SUCCEEDED OR stepB SUCCEEDED", "START stepC"), nil, "", "Halt", "",
			"rule R2 of its chain is not simple: if stepA SUCCEEDED OR stepB SUCCEEDED, then START stepC; nothing of it can be a task"},
		"error codes":   {rules("TRUE", "START stepA", "stepA ERROR_CODE = 0", "END"), nil, "", "Halt", "", "rule R2 of its chain is not simple: if stepA ERROR_CODE = 0, then END; nothing of it can be a task"},
		"not":           {rules("TRUE", "START stepA", "NOT stepA COMPLETED", "START stepB"), nil, "", "Halt", "", "rule R2 of its chain is not simple: if NOT stepA COMPLETED, then START stepB; nothing of it can be a task"},
		"SQL":           {rules("TRUE", "START stepA", ":stepA.state = 'SUCCEEDED'", "START stepB"), nil, "", "Halt", "", "rule R2 of its chain is not simple: if :stepA.state = 'SUCCEEDED', then START stepB; nothing of it can be a task"},
		"after a while": {rules("TRUE", "AFTER 00:10:00 START stepA"), nil, "", "Halt", "", "rule R1 of its chain is not simple: if TRUE, then AFTER 00:10:00 START stepA; nothing of it can be a task"},
		"stops":         {rules("TRUE", "START stepA", "stepA COMPLETED", "STOP stepB"), nil, "", "Halt", "", "rule R2 of its chain is not simple: if stepA COMPLETED, then STOP stepB; nothing of it can be a task"},
		"twice":         {rules("TRUE", "START stepA", "stepB COMPLETED", "START stepA"), nil, "", "Halt", "", "rule R2 of its chain is the second that starts step STEPA: if stepB COMPLETED, then START stepA; nothing of it can be a task"},
		"a circle":      {rules("stepB COMPLETED", "START stepA", "stepA COMPLETED", "START stepB"), nil, "", "Halt", "", "the steps of its chain start each other in a circle; nothing of it can be a task"},
		"no such step":  {rules("TRUE", "START stepX"), nil, "", "Halt", "", "a rule of its chain starts step STEPX, which there is not; nothing of it can be a task"},
	} {
		t.Run(name, func(t *testing.T) {
			var steps []ChainStep
			for _, s := range []string{"STEPA", "STEPB", "STEPC"} {
				steps = append(steps, ChainStep{Name: s, Kind: "PROGRAM", Unit: OracleUnit{Owner: "APP", Type: "PLSQL_BLOCK", Action: strings.ToLower(s)}})
			}
			if c.change != nil {
				c.change(steps)
			}
			got := Oracle(nightly(func(j *OracleJob) { j.Unit, j.Chain = OracleUnit{Type: "CHAIN"}, OracleChain{steps, c.rules} }), database(), quotes())
			require.Equal(t, c.tasks, strings.NewReplacer("begin\n", "", "\nend;", "").Replace(sqls(got)))
			require.Equal(t, c.onError, got.Schedule.Process.OnError)
			require.Equal(t, strings.TrimSuffix(disabledMisses+"; "+c.notes, "; "), strings.Join(got.Notes, "; "))
			require.Equal(t, c.obstacles, strings.Join(got.Obstacles, "; "))
		})
	}
}
