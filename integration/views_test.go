package integration

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// content is that of the tables that views read, and what views say besides columns of the table that they are about.
type content map[string][]row

func count(all []row) string { return strconv.Itoa(len(all)) }

// task: of one in a suspended process, that is what it waits for.
func (t content) task(r row) row {
	log, status, reason, stop := only(t["logs"], "logid", r["logid"]), r["status"], r["waitreason"], "NULL"
	switch {
	case status == "Pending" && only(t["processes"], "processid", r["processid"]).of("status") == "Suspended":
		status, reason = "Waiting", "Suspended"
	case status == "Stopping":
		stop = strings.Replace(r["stopoutcome"], "NULL", "Cancelled", 1)
	}
	resource := only(t["resources"], "resourceid", r["resourceid"]).of("name")
	return row{
		"status": status, "waitreason": reason, "stopoutcome": stop, "resource": resource, "resourcename": resource,
		"laneid": log.of("laneid"), "sessionid": log.of("sessionid"), "errornumber": log.of("errornumber"), "errormessage": log.of("errormessage"),
	}
}

func (t content) log(r row) row {
	return row{"taskbody": r["sqltext"], "spid": r["sessionid"], "starttime": r["startedat"], "endtime": r["endedat"], "outcome": strings.Replace(r["outcome"], "NULL", "Running", 1)}
}

func (t content) process(r row) row {
	unfinished := having(having(t["tasks"], "processid", r["processid"]), "finishedat", "NULL")
	lowest := "NULL"
	for _, x := range unfinished {
		if n, _ := strconv.Atoi(x["executionorder"]); lowest == "NULL" || n < must(strconv.Atoi(lowest)) {
			lowest = x["executionorder"]
		}
	}
	return row{"unfinished": count(unfinished), "lowestorder": lowest}
}

func (t content) request(r row) row {
	line, resource := having(t["resource_requests"], "resourceid", r["resourceid"]), only(t["resources"], "resourceid", r["resourceid"])
	return row{
		"resource": resource["name"], "resourcename": resource["name"], "capacity": resource["capacity"],
		"held": count(having(line, "status", "Granted", "Reserved")), "waiting": count(having(line, "status", "Waiting")),
	}
}

func (t content) round(r row) row {
	members, first := having(t["round_members"], "roundid", r["roundid"]), "NULL"
	for _, m := range members {
		if m["reportedat"] != "NULL" && (first == "NULL" || m["reportedat"] < first) {
			first = m["reportedat"]
		}
	}
	var last row
	for _, f := range having(t["round_firings"], "roundid", r["roundid"]) {
		if last == nil || must(strconv.Atoi(f["firingid"])) > must(strconv.Atoi(last["firingid"])) {
			last = f
		}
	}
	return row{
		"members": count(members), "succeeded": count(having(members, "succeeded", "true", "1", "Y")), "failed": count(having(members, "succeeded", "false", "0", "N")), "firstreportat": first,
		"lastgeneration": last.of("generation"), "laststatus": last.of("status"), "lastfiredat": last.of("firedat"), "lastfiredby": last.of("firedby"),
		"lasttaskid": last.of("taskid"), "lastdetail": last.of("detail"),
	}
}

func (t content) member(r row) row {
	return row{"round": only(t["rounds"], "roundid", r["roundid"]).of("name")}
}

func (t content) schedule(r row) row {
	firing := only(t["schedule_firings"], "firingid", r["lastfiringid"])
	process := only(t["processes"], "firingid", r["lastfiringid"])
	status := process.of("status")
	if task := only(t["tasks"], "taskid", firing.of("taskid")); process == nil && firing != nil {
		if status = task.of("status"); task.of("finishedat") == "NULL" {
			status = "Starting"
		}
	}
	firings := having(t["schedule_firings"], "scheduleid", r["scheduleid"])
	return row{
		"lastdueat": firing.of("dueat"), "lastprocessid": process.of("processid"), "laststatus": status, "lastfinishedat": process.of("finishedat"),
		"running": count(having(having(t["processes"], "scheduleid", r["scheduleid"]), "finishedat", "NULL")),
		"fired":   count(having(firings, "status", "Started")), "skipped": count(having(firings, "status", "Skipped")), "missed": count(having(firings, "status", "Missed")),
		"missedpolicy": r["missed"], "nextlocal": r["nextat"], // schedules here are in UTC
	}
}

func (t content) firing(r row) row {
	process, task, status := only(t["processes"], "firingid", r["firingid"]), only(t["tasks"], "taskid", r["taskid"]), r["status"]
	switch {
	case status != "Started":
	case process != nil:
		status = process["status"]
	case task.of("finishedat") == "NULL":
		status = "Starting"
	default:
		status = strings.Replace(task["status"], "Succeeded", "Skipped", 1)
	}
	return row{"status": status, "processid": process.of("processid"), "finishedat": process.of("finishedat")}
}

func (t content) worker(r row) row {
	task, kind := only(having(t["tasks"], "laneid", r["laneid"]), "workerid", r["workerid"]), "Lane"
	if must(strconv.Atoi(r["laneid"])) > 1000 {
		kind = "Session"
	}
	instance := r["instanceid"]
	if r["sessionid"] == "NULL" {
		instance = "NULL"
	}
	return row{
		"kind": kind, "instanceid": instance, "taskid": task.of("taskid"), "processid": task.of("processid"), "executionorder": task.of("executionorder"), "attempt": task.of("attempt"),
		"taskstartedat": task.of("startedat"),
	}
}

func (t content) scheduler(r row) row {
	working := slices.DeleteFunc(slices.Clone(t["lanes"]), func(r row) bool { return r["workerid"] == "NULL" })
	running := slices.DeleteFunc(slices.Clone(t["tasks"]), func(r row) bool { return r["workerid"] == "NULL" })
	armed := "1"
	if r["timerhandle"] == "NULL" {
		armed = "0"
	}
	return row{
		"workers": count(working), "running": count(running), "unfinished": count(having(t["tasks"], "finishedat", "NULL")), "timerarmed": armed,
		"alarms": count(having(t["alarms"], "acknowledgedat", "NULL")), "copyof": "NULL", "blocked": "NULL",
	}
}

func (t content) alarm(row) row { return nil }

// views are the public ones: the table that each has the rows of, its key, and how it is composed.
func (t content) views() map[string]struct {
	table, key string
	more       func(row) row
} {
	return map[string]struct {
		table, key string
		more       func(row) row
	}{
		"task_info": {"tasks", "taskid", t.task}, "log_info": {"logs", "logid", t.log}, "process_info": {"processes", "processid", t.process},
		"resource_info": {"resource_requests", "requestid", t.request}, "round_info": {"rounds", "roundid", t.round}, "round_member_info": {"round_members", "member", t.member},
		"schedule_info": {"schedules", "scheduleid", t.schedule}, "schedule_log": {"schedule_firings", "firingid", t.firing}, "worker_info": {"lanes", "laneid", t.worker},
		"scheduler_info": {"settings", "version", t.scheduler}, "alarm_info": {"alarms", "alarmid", t.alarm},
	}
}

// requireViews compares what each column of each view says with the tables. A person's name and the name of a job are composed: tests of
// rights and of rounds look at them.
func (h *harness) requireViews() {
	h.Helper()
	s := h.session()
	t, shown := content{}, content{}
	read := func() content {
		all := content{}
		for _, name := range []string{
			"tasks", "logs", "processes", "resources", "resource_requests", "rounds", "round_members", "round_firings", "schedules", "schedule_firings", "lanes", "settings", "alarms",
		} {
			all[name] = h.rowsOf(s, name)
			require.NotEmpty(h, all[name], name)
		}
		return all
	}
	h.until(time.Minute, "nothing changes while the views are read", func() bool {
		t = read()
		for _, name := range slices.Sorted(maps.Keys(t.views())) { // always in the same order
			shown[name] = h.rowsOf(s, name)
		}
		return reflect.DeepEqual(t, read())
	})
	for name, v := range t.views() {
		got, want := shown[name], slices.Clone(t[v.table])
		want = slices.DeleteFunc(want, func(r row) bool { return v.table == "processes" && r["processid"] == "0" })
		if v.table == "resource_requests" {
			for _, r := range t["resources"] {
				if len(having(want, "resourceid", r["resourceid"])) == 0 {
					want = append(want, row{"resourceid": r["resourceid"], "requestid": "NULL"})
				}
			}
		}
		require.Len(h, got, len(want), name)
		by := func(a, b row) int {
			return cmp.Or(strings.Compare(a[v.key], b[v.key]), strings.Compare(a["round"], b["round"]))
		}
		for i, r := range want {
			all := row{}
			for _, from := range []row{r, v.more(r)} {
				for c, value := range from {
					all[c] = value
				}
			}
			want[i] = all
		}
		slices.SortFunc(got, by)
		slices.SortFunc(want, by)
		for i, r := range got {
			for column, value := range r {
				if strings.HasSuffix(column, "by") || column == "successorjob" {
					continue
				}
				require.Equal(h, cmp.Or(want[i][column], "NULL"), value, "%s.%s of %s", name, column, r[v.key])
			}
		}
	}
}

// TestViewsSayWhatTheTablesSay: in each column, for whoever may see everything, with work in each state.
func TestViewsSayWhatTheTablesSay(t *testing.T) {
	each(t, setup{lanes: 6, workers: 6}, func(h *harness) {
		h.resource("crane", 1)
		h.resource("dock", 2)
		halts := h.process(dialects.NewProcess{Name: "halts", OnError: "Halt", Priority: 3, Weight: 2, MaxParallel: 2})
		h.exec(dialects.NewTask{ProcessID: halts, Order: 1, SQL: h.say.fails(0), Priority: 4, ExpectedSeconds: 5}, dialects.NewTask{ProcessID: halts, Order: 2, SQL: h.say.nothing})
		h.exec(dialects.NewTask{Order: 1, SQL: h.say.fails(0), MaxAttempts: 3, RetryDelay: time.Hour, Transactional: true, OnOrphan: "Fail"})
		require.NoError(h, h.sched.DefineRound(h.Context(), dialects.NewRound{Name: "r", Members: []string{"a", "b", "c"}, SuccessorSQL: h.say.nothing, Order: 7, ProcessID: 1, MaxAge: time.Hour, StartTimeout: time.Minute}))
		for i, member := range []string{"a", "b", "c", "c", "b"} {
			_, err := h.sched.ReportRound(h.Context(), "r", member, i < 4)
			require.NoError(h, err)
			h.pause(time.Second)
		}
		require.NoError(h, h.sched.DefineRound(h.Context(), dialects.NewRound{Name: "empty", Members: []string{"x"}, SuccessorSQL: h.say.nothing, Order: 1, ProcessID: 1}))
		for i, name := range []string{"skips", "queues", "never"} {
			require.NoError(h, h.sched.CreateSchedule(h.Context(), dialects.NewSchedule{
				Name: name, Calendar: []string{"* * * * *", "* * * * *", "0 0 1 1 *"}[i], Zone: "UTC", Overlap: []string{"Skip", "Queue", ""}[i],
				Tasks: []dialects.NewTask{h.sleep(1, 100*time.Second)},
			}))
		}
		h.pause(4 * time.Minute)
		require.NoError(h, h.sched.RunSchedule(h.Context(), "never"))

		suspended := number(h, h.session().ask(h.say.createProcess("suspended", true)))
		h.exec(dialects.NewTask{ProcessID: suspended, Order: 5, SQL: h.say.nothing, Timeout: time.Hour, DedupKey: "k"}, dialects.NewTask{ProcessID: suspended, Order: 3, SQL: h.say.nothing},
			dialects.NewTask{ProcessID: suspended, Order: 4, SQL: h.say.nothing, DedupKey: "k"})
		h.exec(dialects.NewTask{Order: -5, SQL: h.say.holding("dock", time.Hour)}, dialects.NewTask{Order: -5, SQL: h.say.holding("crane", time.Hour)},
			dialects.NewTask{Order: 1, SQL: h.say.nothing, Resource: "crane", Access: "Exclusive"})
		stopping := h.exec(dialects.NewTask{Order: -5, SQL: h.say.stubborn(time.Hour, false)})[0]
		h.untilStatus(stopping, "Running", time.Minute)
		h.cancel(stopping)
		alarms, err := h.sched.Alarms(h.Context(), dialects.Filter{})
		require.NoError(h, err)
		require.NoError(h, h.sched.AcknowledgeAlarm(h.Context(), alarms[0].ID))
		h.pause(5 * time.Minute)
		h.requireViews()
	})
}

// TestRoundIsDefinedAnew: a new definition replaces all of the old one.
func TestRoundIsDefinedAnew(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "p"})
		define := func(name string, other bool) row {
			d := dialects.NewRound{Name: name, Members: []string{"a", "b"}, SuccessorSQL: h.say.nothing, Order: 1, ProcessID: 1, MaxAge: time.Hour, StartTimeout: time.Minute}
			if other {
				d = dialects.NewRound{Name: name, Members: []string{"c"}, SuccessorSQL: h.say.mark(1), Order: 2, ProcessID: p, MaxAge: 2 * time.Hour, StartTimeout: 2 * time.Minute}
			}
			require.NoError(h, h.sched.DefineRound(h.Context(), d))
			r := only(h.rowsOf(h.session(), "round_info"), "name", name)
			delete(r, "roundid")
			delete(r, "name")
			delete(r, "generation")
			return r
		}
		first := define("r", false)
		second := define("r", true)
		require.NotEqual(h, first, second)
		require.Equal(h, define("s", true), second)
		require.Equal(h, first, define("r", false))
	})
}
