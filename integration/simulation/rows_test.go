package simulation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// tables: whenever they are photographed, rows agree with each other.
func (c *checker) tables() {
	for _, f := range c.photos {
		s := sheet{checker: c, photo: f, tasks: map[int64]line{}, logs: map[int64][]line{}, byLog: map[int64]line{}, lanes: map[int64]line{}, of: map[int64][]line{}}
		for _, t := range f.all["Tasks"] {
			s.tasks[t.num("TaskId")] = t
			s.of[t.num("ProcessId")] = append(s.of[t.num("ProcessId")], t)
		}
		for _, l := range f.all["Logs"] {
			s.logs[l.num("TaskId")] = append(s.logs[l.num("TaskId")], l)
			s.byLog[l.num("LogId")] = l
		}
		for _, l := range f.all["Lanes"] {
			s.lanes[l.num("LaneId")] = l
		}
		s.attempts()
		s.running()
		s.ends()
		s.follows()
		s.totals()
		s.watermarks()
		s.slots()
		s.order()
		s.lines()
	}
}

// sheet is a photo with its rows by number.
type sheet struct {
	*checker
	*photo
	tasks map[int64]line
	logs  map[int64][]line // by task, in order of their numbers
	byLog map[int64]line
	lanes map[int64]line
	of    map[int64][]line // tasks by process
}

func (s sheet) wrong(format string, args ...any) {
	s.failf("at %s: %s", s.at.Format("15:04:05.000"), fmt.Sprintf(format, args...))
}

// forgets reports whether history may have been deleted.
func (s sheet) forgets() bool { return s.has(purge) || s.has(aCall) }

// near reports whether two times are the same, but for rounding.
func near(a, b time.Time) bool { return a.Sub(b).Abs() <= time.Millisecond }

// attempts: each is a row of the log that says whose it is, they are numbered, none overlap, and the task knows the last one.
func (s sheet) attempts() {
	for id, t := range s.tasks {
		logs := s.logs[id]
		slices.SortFunc(logs, func(a, b line) int { return cmp.Compare(a.num("LogId"), b.num("LogId")) })
		if n := int64(len(logs)); n != t.num("Attempt") && !s.forgets() {
			s.wrong("task id %d is at attempt %d, and the log has %d", id, t.num("Attempt"), n)
		}
		if t.has("StartedAt") != (t.num("Attempt") > 0) || t.has("LogId") != t.has("StartedAt") {
			s.wrong("task id %d is at attempt %d, and started at %q, log row %q", id, t.num("Attempt"), t.text("StartedAt"), t.text("LogId"))
		}
		for i, l := range logs {
			if !s.forgets() && l.num("Attempt") != int64(i)+1 {
				s.wrong("attempt %d of task id %d is called %d", i+1, id, l.num("Attempt"))
			}
			for _, same := range []string{"ProcessId", "ExecutionOrder", "EnqueuedBy", "SqlText"} {
				if n, _ := s.asks(t); l.text(same) != t.text(same) && (n > 0 || same != "SqlText") { // a call's resource may be gone
					s.wrong("%s of task id %d is %q, and %q in the log", same, id, t.text(same), l.text(same))
				}
			}
			if l.has("EndedAt") != l.has("Outcome") || !s.clockMoves() && l.has("EndedAt") && l.time("EndedAt").Before(l.time("StartedAt")) {
				s.wrong("attempt %d of task id %d began at %s and ended at %q: %s", i+1, id, l.text("StartedAt"), l.text("EndedAt"), l.text("Outcome"))
			}
			if i > 0 && !s.clockMoves() && (!logs[i-1].has("EndedAt") || l.time("StartedAt").Before(logs[i-1].time("EndedAt"))) {
				s.wrong("attempt %d of task id %d began before the one before it had ended", i+1, id)
			}
			if i == len(logs)-1 && (t.num("LogId") != l.num("LogId") || t.num("Attempt") != l.num("Attempt") || t.text("StartedAt") != l.text("StartedAt")) {
				s.wrong("task id %d is at attempt %d, begun at %s, log row %d; the log: %d, %s, %d", id, t.num("Attempt"), t.text("StartedAt"), t.num("LogId"), l.num("Attempt"), l.text("StartedAt"), l.num("LogId"))
			}
		}
	}
}

// clockMoves reports whether somebody sets the clock: then the times of rows have no order.
func (s sheet) clockMoves() bool { return s.has(clock) }

// running: a task that runs has a worker and an unfinished row in the log, others have neither.
func (s sheet) running() {
	workers := map[string]int64{}
	for id, t := range s.tasks {
		runs := t.is("Status", "Running", "Stopping")
		if t.has("WorkerId") != runs || t.has("LaneId") != runs {
			s.wrong("task id %d is %s in lane %q with worker %q", id, t.text("Status"), t.text("LaneId"), t.text("WorkerId"))
		}
		l, logged := s.byLog[t.num("LogId")]
		if logged && l.has("Outcome") == runs {
			s.wrong("task id %d is %s, and its last attempt %q", id, t.text("Status"), l.text("Outcome"))
		}
		if !runs {
			if t.has("StopAt") || t.has("StopOutcome") {
				s.wrong("task id %d is %s, and shall be ended at %q: %q", id, t.text("Status"), t.text("StopAt"), t.text("StopOutcome"))
			}
			continue
		}
		if logged && (l.text("WorkerId") != t.text("WorkerId") || l.text("LaneId") != t.text("LaneId")) {
			s.wrong("task id %d runs in lane %s, and the log says %s", id, t.text("LaneId"), l.text("LaneId"))
		}
		limit := time.Duration(t.num("TimeoutSeconds")) * time.Second
		switch {
		case t.is("Status", "Stopping") && !t.has("StopAt") && t.num("LaneId") <= lastLane: // nobody ends who called task_scheduler
			s.wrong("task id %d is Stopping, and nobody looks again", id)
		case t.is("Status", "Running") && (t.num("StopTries") != 0 || t.has("StopOutcome")):
			s.wrong("task id %d is Running, and its end was tried %d times: %s", id, t.num("StopTries"), t.text("StopOutcome"))
		case t.is("Status", "Running") && t.has("StopAt") != t.has("TimeoutSeconds"), t.is("Status", "Running") && t.has("StopAt") && !near(t.time("StartedAt").Add(limit), t.time("StopAt")):
			s.wrong("task id %d runs since %s, its timeout is %q, and it shall be ended at %q", id, t.text("StartedAt"), t.text("TimeoutSeconds"), t.text("StopAt"))
		case t.is("StopOutcome", "TimedOut") && t.num("StopTries") == 0 && !s.disturbed(): // a fault may stop the dispatcher between mark and end, for 5 seconds
			s.wrong("task id %d has timed out, and its end was never tried", id)
		}
		if s.disturbed() {
			continue
		}
		if other, twice := workers[t.text("WorkerId")]; twice {
			s.wrong("tasks %d and %d have the same worker", other, id)
		}
		workers[t.text("WorkerId")] = id
		if lane := s.lanes[t.num("LaneId")]; lane.table == nil || lane.text("State") != "Busy" || lane.text("WorkerId") != t.text("WorkerId") {
			s.wrong("task id %d runs in lane %d, which has another worker", id, t.num("LaneId"))
		}
	}
}

// disturbed reports whether anything may have ended a session.
func (s sheet) disturbed() bool {
	return s.faults > 0 || slices.ContainsFunc(s.steps, func(st step) bool {
		return slices.Contains([]order{stopNow, stopJob, queueOff, brokerOff, jobsOff, aCall}, st.order)
	})
}

// ends: a task has a reason to wait while it does, and an end when it has ended, by the last attempt if there was one.
func (s sheet) ends() {
	for id, t := range s.tasks {
		due := t.is("WaitReason", "Delay", "Retry", "Outage")
		if t.is("Status", "Waiting") != t.has("WaitReason") || t.has("DueAt") != due {
			s.wrong("task id %d is %s because of %q, until %q", id, t.text("Status"), t.text("WaitReason"), t.text("DueAt"))
		}
		if t.has("FinishedAt") != slices.Contains(final, t.text("Status")) {
			s.wrong("task id %d is %s, and finished at %q", id, t.text("Status"), t.text("FinishedAt"))
		}
		if t.has("DuplicateOf") {
			if d, ok := s.tasks[t.num("DuplicateOf")]; ok && (!t.has("DedupKey") || d.text("DedupKey") != t.text("DedupKey") || d.text("ProcessId") != t.text("ProcessId") || d.text("EnqueuedBy") != t.text("EnqueuedBy") || d.num("TaskId") == id) {
				s.wrong("task id %d is a duplicate of %d, which has another key, process or user", id, d.num("TaskId"))
			}
		}
		l, logged := s.byLog[t.num("LogId")]
		if !s.clockMoves() && t.has("FinishedAt") {
			for _, before := range []string{"EnqueuedAt", "StartedAt"} {
				waited := map[string]time.Duration{"EnqueuedAt": 10 * time.Second}[before] // who cancels notes the time, and then waits for the process
				if t.time(before).After(t.time("FinishedAt").Add(waited + time.Millisecond)) {
					s.wrong("task id %d has finished at %s, %s is %s", id, t.text("FinishedAt"), before, t.text(before))
				}
			}
			if t.is("Status", "Succeeded", "Failed", "TimedOut") && logged && t.time("FinishedAt").Sub(l.time("EndedAt")).Abs() > time.Second {
				s.wrong("task id %d is %s since %s, and its last attempt ended at %s", id, t.text("Status"), t.text("FinishedAt"), l.text("EndedAt"))
			}
		}
	}
}

// follows: what an attempt's outcome means for its task.
func (s sheet) follows() {
	most := int64(3600)
	orphans := int64(3)
	for _, l := range s.all["Settings"] {
		most, orphans = l.num("MaxRetryDelaySeconds"), l.num("MaxOrphans")
	}
	finished := map[int64]time.Time{}
	for _, p := range s.all["Processes"] {
		finished[p.num("ProcessId")] = p.time("FinishedAt")
	}
	for id, t := range s.tasks {
		number, _ := s.asks(t)
		logs := s.logs[id]
		if number == 0 || len(logs) == 0 || s.retried[number] || s.forgets() || t.is("Status", "Running", "Stopping") {
			continue
		}
		l := logs[len(logs)-1]
		again := t.is("Status", "Pending", "Waiting", "Skipped", "Cancelled")
		end := finished[t.num("ProcessId")]
		lives := (end.IsZero() || end.Sub(l.time("EndedAt")) > apart) && !s.clockMoves() // when it ended is noted before others are waited for
		failures, orphaned := t.num("Failures"), t.num("Orphans")
		ok := true
		switch l.text("Outcome") {
		case "Succeeded":
			ok = t.is("Status", "Succeeded")
		case "Cancelled":
			ok = t.is("Status", "Cancelled")
		case "Outage":
			ok = again && t.has("OutageSince")
		case "Orphaned":
			may := t.is("OnOrphan", "Retry") && orphaned <= orphans
			ok = may && again || t.is("Status", "Failed") && (!may || !lives)
		case "Failed":
			may := failures < t.num("MaxAttempts")
			ok = may && again || t.is("Status", "Failed") && (!may || !lives || t.has("OutageSince"))
		case "TimedOut":
			may := failures < t.num("MaxAttempts")
			ok = may && again || t.is("Status", "TimedOut") && (!may || !lives)
		}
		if !ok {
			s.wrong("task id %d is %s after its attempt %d: %s, %d failures of %d, %d orphans (%s), process ended %v", id, t.text("Status"), l.num("Attempt"), l.text("Outcome"), failures, t.num("MaxAttempts"), orphaned, t.text("OnOrphan"), end)
		}
		pause := pauseOf(t.num("RetryDelaySeconds"), failures, most)
		switch t.text("WaitReason") {
		case "Retry":
			before := s.has(longestPause) && near(l.time("EndedAt").Add(pauseOf(t.num("RetryDelaySeconds"), failures, 3600)), t.time("DueAt"))
			if !before && !near(l.time("EndedAt").Add(pause), t.time("DueAt")) || pause == 0 {
				s.wrong("task id %d failed %d times, the last time at %s, and is due at %s", id, failures, l.text("EndedAt"), t.text("DueAt"))
			}
		case "Outage":
			if d := t.time("DueAt").Sub(l.time("EndedAt")); d < time.Minute || d > 10*time.Minute {
				s.wrong("task id %d waits %v for the end of an outage", id, d)
			}
		}
		if l.is("Outcome", "TimedOut") && !s.clockMoves() && l.time("EndedAt").Sub(l.time("StartedAt")) < time.Duration(t.num("TimeoutSeconds"))*time.Second {
			s.wrong("task id %d has timed out before its time: %s to %s", id, l.text("StartedAt"), l.text("EndedAt"))
		}
	}
}

// pauseOf returns how long a task waits after its last failure.
func pauseOf(delay, failures, most int64) time.Duration {
	for range min(max(failures, 1)-1, 19) {
		delay *= 2
	}
	return time.Duration(min(delay, most)) * time.Second
}

// asks returns the number of a task that the workload has asked for.
func (s sheet) asks(t line) (int, task) {
	if m := number.FindStringSubmatch(t.text("SqlText")); m != nil {
		n := int(num(m[1]))
		return s.asked[n].number, s.asked[n]
	}
	return 0, task{}
}

// totals: a process counts its tasks, and has ended when it says so.
func (s sheet) totals() {
	for _, p := range s.all["Processes"] {
		id := p.num("ProcessId")
		n := map[string]int64{}
		var served, ended time.Time
		for _, t := range s.of[id] {
			n[t.text("Status")]++
			if at := t.time("StartedAt"); at.After(served) {
				served = at
			}
			if at := t.time("FinishedAt"); at.After(ended) {
				ended = at
			}
		}
		if p.num("Running") != n["Running"]+n["Stopping"] {
			s.wrong("process %s counts %d running tasks, and has %d", p.text("Name"), p.num("Running"), n["Running"]+n["Stopping"])
		}
		if !s.forgets() && (p.num("TasksSucceeded") != n["Succeeded"] || p.num("TasksFailed") != n["Failed"]+n["TimedOut"]) {
			s.wrong("process %s counts %d successes and %d failures, and has %d and %d", p.text("Name"), p.num("TasksSucceeded"), p.num("TasksFailed"), n["Succeeded"], n["Failed"]+n["TimedOut"])
		}
		over := p.is("Status", "Succeeded", "Failed", "Cancelled")
		if p.has("FinishedAt") != over || over && p.flag("HasWork") {
			s.wrong("process %s is %s, finished at %q, has work %s", p.text("Name"), p.text("Status"), p.text("FinishedAt"), p.text("HasWork"))
		}
		if p.is("Status", "Closing", "Succeeded") && id > 1 && !p.flag("CloseRequested") {
			s.wrong("process %s is %s, and nobody has closed it", p.text("Name"), p.text("Status"))
		}
		if p.is("Status", "Succeeded") && (p.num("TasksFailed") > 0 || n["Pending"]+n["Waiting"]+n["Running"]+n["Stopping"] > 0 && s.settled) {
			s.wrong("process %s has succeeded, with %d failures", p.text("Name"), p.num("TasksFailed"))
		}
		if s.clockMoves() {
			continue
		}
		// Two claims may take their time in one order, and the process in the other.
		if at := p.time("LastServedAt"); !s.forgets() && !near(at, served) && (served.Sub(at).Abs() >= time.Second || !s.began(id, at)) {
			s.wrong("process %s was last served at %s, and its last attempt began at %v", p.text("Name"), p.text("LastServedAt"), served)
		}
		if p.is("Status", "Succeeded") && ended.After(p.time("FinishedAt").Add(time.Millisecond)) && !s.settled || p.time("CreatedAt").After(s.at.Add(time.Millisecond)) || p.time("FinishedAt").After(s.at.Add(time.Millisecond)) {
			s.wrong("process %s was created at %s and finished at %q; its last task at %v", p.text("Name"), p.text("CreatedAt"), p.text("FinishedAt"), ended)
		}
	}
}

// began reports whether an attempt of a process began at a time.
func (s sheet) began(process int64, at time.Time) bool {
	return slices.ContainsFunc(s.all["Logs"], func(l line) bool { return l.num("ProcessId") == process && near(l.time("StartedAt"), at) })
}

// watermarks: no unfinished task of a process has a lower order than its watermark, and none that waits for a worker is before it, unless somebody has
// asked for a look from the beginning.
func (s sheet) watermarks() {
	asked := map[int64]bool{}
	for _, r := range s.all["ProcessRequests"] {
		asked[r.num("ProcessId")] = asked[r.num("ProcessId")] || r.is("Action", "Look")
	}
	for _, p := range s.all["Processes"] {
		id := p.num("ProcessId")
		if !p.has("WaveOrder") || asked[id] || p.has("FinishedAt") {
			continue
		}
		at := p.num("WaveOrder")
		for _, t := range s.of[id] {
			wave := t.num("ExecutionOrder")
			if s.dialect == "oracle" && (s.disturbed() || s.clockMoves() || s.at.Sub(t.time("EnqueuedAt")) < 2*apart) {
				continue // a late task's wake-up is also the request for a look
			}
			if !t.has("FinishedAt") && wave < at {
				s.wrong("process %s is at wave %d, and task id %d of wave %d is %s", p.text("Name"), at, t.num("TaskId"), wave, t.text("Status"))
			}
			if t.is("Status", "Pending") && wave == at && !after(t, p) {
				s.wrong("process %s has passed task id %d, which is Pending", p.text("Name"), t.num("TaskId"))
			}
			if p.has("WaveTaskId") && t.text("TaskId") == p.text("WaveTaskId") && (wave != at || t.text("Rank") != p.text("WaveRank")) {
				s.wrong("process %s is at task id %d, wave %d, rank %s; that has %d and %s", p.text("Name"), t.num("TaskId"), at, p.text("WaveRank"), wave, t.text("Rank"))
			}
		}
	}
}

// after reports whether a task comes after its process's watermark.
func after(t, p line) bool {
	if t.has("Rank") {
		if d := decimals(t.text("Rank"), p.text("WaveRank")); d != 0 {
			return d > 0
		}
		return t.num("TaskId") > p.num("WaveTaskId")
	}
	return decimals(t.text("ClaimKey"), p.text("WaveRank")) > 0
}

// decimals compares two whole numbers of any length.
func decimals(a, b string) int {
	x, y := strings.TrimPrefix(a, "-"), strings.TrimPrefix(b, "-")
	switch {
	case (x == a) != (y == b):
		return cmp.Compare(bit(x == a), bit(y == b))
	case x == a:
		return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
	}
	return cmp.Or(cmp.Compare(len(y), len(x)), strings.Compare(y, x))
}

// slots: a lane is in a state since an attempt began or ended in it, has a session while it has a worker, and at the end neither.
func (s sheet) slots() {
	last, sessions := map[int64]time.Time{}, map[string]string{}
	began, first := map[string][]time.Time{}, map[string]time.Time{}
	for _, l := range s.all["Logs"] {
		lane, worker := l.num("LaneId"), l.text("WorkerId")
		if at := l.time("EndedAt"); at.After(last[lane]) && l.is("Outcome", "Succeeded", "Failed") { // the dispatcher records other ends later
			last[lane] = at
		}
		session := l.text("LaneId") + " " + l.text("SessionId")
		if known := sessions[worker]; known != "" && known != session {
			s.wrong("a worker has lane and session %s, and %s", known, session)
		}
		sessions[worker] = session
		began[worker] = append(began[worker], l.time("StartedAt"))
		if at, ok := first[worker]; !ok || l.time("StartedAt").Before(at) {
			first[worker] = l.time("StartedAt")
		}
	}
	busy := 0
	for id, l := range s.lanes {
		worker := l.text("WorkerId")
		if l.has("SessionId") != (worker != "") || l.has("EnteredAt") != (worker != "") {
			s.wrong("lane %d has worker %q, session %q since %q", id, worker, l.text("SessionId"), l.text("EnteredAt"))
		}
		if known := sessions[worker]; worker != "" && known != "" && known != l.text("LaneId")+" "+l.text("SessionId") {
			s.wrong("lane %d has session %s, and its attempts %s", id, l.text("SessionId"), known)
		}
		busy += bit(id <= lastLane && l.is("State", "Busy", "Assigned", "Starting"))
		if l.has("OrderedAt") && !l.is("State", "Starting") && !s.disturbed() {
			s.wrong("lane %d is %s, and ordered at %s", id, l.text("State"), l.text("OrderedAt"))
		}
		// A worker that could not lock its lane has left; a sweep would tell.
		gaveUp := l.is("State", "Assigned") && worker == "" && slices.Contains(s.decided.faults, "lock timeout")
		if s.idle && id <= lastLane && !gaveUp && (!l.is("State", "Idle", "Off") || worker != "" && s.dialect == "mssql" && !s.disturbed()) {
			s.wrong("lane %d is %s an hour after the stop, with worker %q", id, l.text("State"), worker)
		}
		if s.clockMoves() {
			continue
		}
		at := l.time("StateAt")
		switch {
		case at.After(s.at.Add(time.Millisecond)):
			s.wrong("lane %d is %s since %s", id, l.text("State"), l.text("StateAt"))
		case l.is("State", "Busy") && worker != "" && !slices.ContainsFunc(began[worker], func(b time.Time) bool {
			return at.Sub(b) > -claims && at.Sub(b) < time.Second // the claim makes the lane Busy, then begins the attempt
		}) && !s.has(purge):
			s.wrong("lane %d is Busy since %s, and no attempt of its worker began then", id, l.text("StateAt"))
		case !l.is("State", "Busy") && at.Before(last[id].Add(-time.Millisecond)):
			s.wrong("lane %d is %s since %s, and ran a task until %v", id, l.text("State"), l.text("StateAt"), last[id])
		case worker != "" && !first[worker].IsZero() && l.time("EnteredAt").After(first[worker].Add(time.Millisecond)):
			s.wrong("the worker of lane %d entered it at %s, after its first attempt", id, l.text("EnteredAt"))
		}
	}
	for _, l := range s.all["Settings"] {
		if busy > int(l.num("MaxWorkers")) && !s.has(setWorkers) && !s.disturbed() {
			s.wrong("%d lanes are busy, and there are %d workers", busy, l.num("MaxWorkers"))
		}
		if late := s.at.Sub(l.time("NextSweepAt")); l.flag("Started") && l.has("NextSweepAt") && !s.clockMoves() && !s.noDispatcher() && (late > 90*time.Second || late < -61*time.Second) && !s.has(aCall) {
			s.wrong("the next sweep is due at %s", l.text("NextSweepAt"))
		}
	}
}

// order: the rank of tasks is that of their waves, priorities and expected durations.
func (s sheet) order() {
	tasks := slices.Clone(s.all["Tasks"])
	if len(tasks) == 0 || s.dialect != "mssql" {
		return
	}
	slices.SortFunc(tasks, func(a, b line) int { return decimals(a.text("Rank"), b.text("Rank")) })
	for i, b := range tasks[1:] {
		a := tasks[i]
		want := cmp.Or(cmp.Compare(a.num("ExecutionOrder"), b.num("ExecutionOrder")), cmp.Compare(b.num("Priority"), a.num("Priority")), cmp.Compare(b.num("ExpectedSeconds"), a.num("ExpectedSeconds")))
		if want > 0 || (want == 0) != (a.text("Rank") == b.text("Rank")) {
			s.wrong("tasks %d and %d have the ranks %s and %s", a.num("TaskId"), b.num("TaskId"), a.text("Rank"), b.text("Rank"))
		}
	}
}

// lines: who holds a resource comes before who waits for it, within its capacity, and tasks wait in the line that they say.
func (s sheet) lines() {
	waits := map[int64]bool{}
	holds := map[int64]bool{}
	highest, lowest := map[string]int64{}, map[string]int64{}
	for _, r := range s.all["ResourceRequests"] {
		on, n := r.text("ResourceId"), r.num("RequestId")
		if r.is("Status", "Waiting") {
			waits[r.num("TaskId")] = true
			if lowest[on] == 0 || n < lowest[on] {
				lowest[on] = n
			}
		} else {
			holds[r.num("TaskId")] = true
			highest[on] = max(highest[on], n)
		}
		if r.has("GrantedAt") == r.is("Status", "Waiting") {
			s.wrong("request %d is %s, and was granted at %q", n, r.text("Status"), r.text("GrantedAt"))
		}
		// it counts from when the requester was told, which looks twice a second
		told := r.time("LeaseUntil").Add(-time.Duration(r.num("LeaseSeconds")) * time.Second).Sub(r.time("GrantedAt"))
		if r.has("LeaseUntil") != (r.has("LeaseSeconds") && r.is("Status", "Granted")) || r.has("LeaseUntil") && !s.clockMoves() && (told < -time.Millisecond || told > apart) {
			s.wrong("request %d is %s since %q, and its lease of %s s ends at %q", n, r.text("Status"), r.text("GrantedAt"), r.text("LeaseSeconds"), r.text("LeaseUntil"))
		}
	}
	for on, n := range lowest {
		if highest[on] > n {
			s.wrong("request %d has a resource, and request %d waits for it", highest[on], n)
		}
	}
	for id, t := range s.tasks {
		if t.is("WaitReason", "Resource") && !waits[id] && !holds[id] {
			s.wrong("task id %d waits for a resource, and is in no line", id)
		}
		if waits[id] && t.has("ResourceId") && !t.is("Status", "Waiting") && t.has("FinishedAt") {
			s.wrong("task id %d is in a line, and %s", id, t.text("Status"))
		}
		if holds[id] && t.has("FinishedAt") {
			s.wrong("task id %d is %s, and holds a resource", id, t.text("Status"))
		}
		if t.is("Status", "Running", "Stopping") && t.has("ResourceId") && !holds[id] && !s.disturbed() && !s.clockMoves() {
			s.wrong("task id %d runs, and does not hold its resource", id)
		}
	}
}
