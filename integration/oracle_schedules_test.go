package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleScheduleRights: with a runner, users see and change their own schedules, administrators all.
func TestOracleScheduleRights(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		anna, bert, carl := r.as("anna"), r.as("bert"), r.as("carl")
		anna.exec("begin dbsched.create_schedule('hers', '0 * * * *', '" + strings.ReplaceAll(strings.ReplaceAll(note, "'", "''"), "%s", h.schema) + "'); end;")
		bert.exec("begin dbsched.create_schedule('his', '0 3 * * *', 'begin null; end;'); end;")
		h.pause(time.Hour + time.Minute)
		runner := r.names["runner"]
		require.Equal(h, []string{runner + " " + runner + " " + runner}, r.noted(), h.report())

		calls := []string{
			"begin dbsched.alter_schedule('hers', in_missed => 'None'); end;", "begin dbsched.alter_schedule('hers', in_sql => 'begin null; end;'); end;",
			"begin dbsched.set_schedule_enabled('hers', false); end;", "begin dbsched.set_schedule_enabled('hers', true); end;",
			"begin dbsched.run_schedule('hers'); end;", "begin dbsched.drop_schedule('hers'); end;",
		}
		const schedules, firings = "select s.name from ds_schedule_info s order by s.name", "select distinct f.name from ds_schedule_log f"
		for _, call := range calls {
			require.ErrorContains(h, bert.try(call), "20072", call)
			require.Error(h, r.as("runner").try(call), call)
		}
		require.ErrorContains(h, bert.try("begin dbsched.create_schedule('hers', '0 * * * *', 'begin null; end;'); end;"), "20073", "the name is taken")
		require.ErrorContains(h, anna.try("begin dbsched.run_firing(1); end;"), "20078", "for the task alone")
		require.Error(h, carl.try("begin ds_schedule.next_firing(1); end;"))
		require.Equal(h, [][]string{{"his"}}, bert.rows(schedules))
		require.Empty(h, bert.rows(firings))
		require.Equal(h, [][]string{{"hers"}}, anna.rows(schedules))
		require.Equal(h, [][]string{{"hers"}}, anna.rows(firings))
		for _, c := range []*session{carl, h.session()} {
			require.Equal(h, [][]string{{"hers"}, {"his"}}, c.rows(schedules))
			require.Equal(h, [][]string{{"hers"}}, c.rows(firings))
		}

		for _, call := range calls[:5] {
			carl.exec(call)
			require.Equal(h, map[bool]string{true: r.names["anna"], false: r.names["carl"]}[call == calls[0]], h.scheduleOf("hers").OwnedBy)
		}
		require.ErrorContains(h, anna.try(calls[0]), "20072")
		h.pause(time.Minute)
		require.Equal(h, "Succeeded Succeeded", h.outcomes("hers"))
		carl.exec(calls[5])
		require.Equal(h, [][]string{{"hers"}}, anna.rows(firings), "what was hers stays so")
		h.requireNoAlarms()
	})
}

// TestOracleScheduleOwner: nothing runs for a user who is gone.
func TestOracleScheduleOwner(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		r.as("anna").exec("begin dbsched.create_schedule('hers', '0 * * * *', 'begin null; end;'); end;")
		h.session().exec("begin dbsched.create_schedule('mine', '0 * * * *', 'begin null; end;'); end;")
		h.pause(time.Minute)
		r.drop("anna")
		h.pause(2 * time.Hour)
		require.Equal(h, "Suspended", h.scheduleOf("hers").Status)
		require.Contains(h, h.scheduleOf("hers").Reason, r.names["anna"]+" no longer exists")
		require.Len(h, h.alarmsOf("ScheduleSuspended"), 1)
		require.Empty(h, h.firings("hers"))
		require.Equal(h, "Succeeded Succeeded", h.outcomes("mine"))

		carl := r.as("carl")
		carl.exec("begin dbsched.set_schedule_enabled('hers', true); end;")
		h.pause(time.Minute)
		require.Equal(h, "Suspended", h.scheduleOf("hers").Status, "it is still nobody's")
		carl.exec("begin dbsched.alter_schedule('hers', in_sql => 'begin null; end;'); end;")
		carl.exec("begin dbsched.set_schedule_enabled('hers', true); end;")
		h.pause(time.Minute)
		require.Equal(h, "Missed Succeeded", h.outcomes("hers"))
		require.Equal(h, r.names["carl"], h.scheduleOf("hers").OwnedBy)
	})
}

// TestOracleScheduleAlteredAsItFires: a change of a schedule that is committed a moment after the instant counts as made before it.
func TestOracleScheduleAlteredAsItFires(t *testing.T) {
	onOracle(t, setup{}, func(h *harness) {
		h.schedule(dialects.NewSchedule{Name: "s", Calendar: "0 * * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		hour := h.now().Truncate(time.Hour).Add(time.Hour)
		h.pauseUntil(hour.Add(-time.Second))
		holder := h.session()
		holder.begin()
		holder.exec("update ds_schedules set next_at = next_at + interval '30' minute, look_at = look_at + interval '30' minute")
		h.pauseUntil(hour.Add(3 * time.Second))
		holder.commit()
		h.pauseUntil(hour.Add(10 * time.Minute))
		require.Equal(h, hour.Add(30*time.Minute), *h.scheduleOf("s").NextAt)
		h.pauseUntil(hour.Add(40 * time.Minute))
		require.Equal(h, hour.Add(30*time.Minute), h.firings("s")[len(h.firings("s"))-1].DueAt)
	})
}

// TestOracleSchedulesOfOneMoment: of two sessions that create a schedule of the same name, one creates it, and the other gets an error.
func TestOracleSchedulesOfOneMoment(t *testing.T) {
	onOracle(t, setup{stopped: true}, func(h *harness) {
		first, second := h.session(), h.session()
		h.schedule(dialects.NewSchedule{Name: "s", Calendar: "0 * * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		first.begin()
		first.exec("update ds_schedules set name = 'load'")
		done := make(chan error, 1)
		go func() {
			done <- second.try("begin dbsched.create_schedule('load', '0 * * * *', 'begin null; end;'); end;")
		}()
		h.pause(time.Second)
		first.commit()
		require.ErrorContains(h, <-done, "dbsched 20073: ")
	})
}

// TestOracleSecondAttemptOfAFiring: the task that creates a firing's process fails, here because its plan was damaged, and is retried
// ten seconds later.
func TestOracleSecondAttemptOfAFiring(t *testing.T) {
	onOracle(t, setup{}, func(h *harness) {
		h.schedule(dialects.NewSchedule{Name: "s", Calendar: "0 * * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		c := h.session()
		plan := c.value("select s.tasks from ds_schedules s")
		set := func(plan string) {
			c.exec("update ds_schedules set tasks = '" + strings.ReplaceAll(plan, "'", "''") + "'")
		}
		set(`[{"sql": 0}]`)
		hour := h.now().Truncate(time.Hour).Add(time.Hour)
		h.pauseUntil(hour.Add(8 * time.Second))
		set(plan)
		require.Equal(h, [][]string{{"Waiting", "1"}}, c.rows("select t.status, t.failures from ds_tasks t where t.process_id = 0 and t.finished_at is null"))
		h.pauseUntil(hour.Add(30 * time.Second))
		require.Equal(h, "Succeeded", h.outcomes("s"), h.report())
		logs := h.logsOf(number(h, c.value("select max(f.task_id) from ds_schedule_firings f")))
		require.Len(h, logs, 2)
		require.Equal(h, "Failed Succeeded", logs[0].Outcome+" "+logs[1].Outcome)
		require.Less(h, logs[1].StartedAt.Sub(*logs[0].FinishedAt), 10*time.Second+h.soon)
		h.requireNoAlarms()
	})
}

// TestOracleScheduleSameInstant: two sessions that order a firing in the same millisecond cause two, also while these wait for a second attempt.
func TestOracleScheduleSameInstant(t *testing.T) {
	onOracle(t, setup{stopped: true}, func(h *harness) {
		h.scheduleWithoutResource("Allow")
		s := h.session()
		s.exec("begin for i in 1 .. 3 loop dbsched.run_schedule('q'); end loop; end;")
		s.exec("begin update ds_schedule_firings f set f.due_at = timestamp '2026-01-05 09:00:00' + numtodsinterval(f.firing_id / 1000000, 'SECOND'); commit; end;")
		require.NoError(h, h.sched.Start(h.Context()))
		h.pause(h.soon + time.Second)
		require.Equal(h, "Starting Starting Starting", h.outcomes("q"))
		h.resource("r", 1)
		h.pause(2 * time.Minute)
		require.Equal(h, "Succeeded Succeeded Succeeded", h.outcomes("q"))
	})
}

// TestOracleScheduleNinthOfMany: a firing waits for the one before it, whose number has several digits and begins with 9.
func TestOracleScheduleNinthOfMany(t *testing.T) {
	onOracle(t, setup{}, func(h *harness) {
		h.scheduleWithoutResource("")
		s := h.session()
		s.exec("declare l_id number; begin for i in 1 .. 94 loop l_id := ds_schedule_firing_seq.nextval; end loop; dbsched.run_schedule('q'); end;")
		h.pause(h.soon + time.Second)
		s.exec("begin dbsched.run_schedule('q'); end;")
		h.pause(h.soon + time.Second)
		require.Equal(h, "Starting Waiting", h.outcomes("q"))
	})
}

// TestOracleBrokenSchedule: a schedule that cannot fire raises an alarm and is tried again each minute; the rest goes on. A firing by hand at
// the instant of the calendar is no such reason.
func TestOracleBrokenSchedule(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		for _, name := range []string{"broken", "by hand"} {
			h.schedule(dialects.NewSchedule{Name: name, Calendar: "*/5 * * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		}
		const clash = `insert into ds_schedule_firings (firing_id, schedule_id, name, due_at, manual, status, logged_at, owner)
select ds_schedule_firing_seq.nextval, s.schedule_id, s.name, s.next_at, '%s', 'Missed', systimestamp, s.owner from ds_schedules s where s.name = '%s'`
		s := h.session()
		s.begin()
		s.exec(fmt.Sprintf(clash, "N", "broken"))
		s.exec(fmt.Sprintf(clash, "Y", "by hand"))
		s.commit()
		due := *h.scheduleOf("broken").NextAt
		h.pauseUntil(due.Add(time.Second))
		h.startsWithin(h.exec(h.task(1, h.say.nothing))[0], h.now(), h.soon)
		require.Equal(h, "Missed", h.outcomes("broken"))
		require.Equal(h, "Missed Succeeded", h.outcomes("by hand"))
		require.Len(h, h.alarmsOf("ScheduleFailed"), 1)
		s.exec("delete from ds_schedule_firings where status = 'Missed'")
		s.exec("commit")
		h.pause(time.Minute + h.soon)
		require.Equal(h, "Succeeded", h.outcomes("broken"))
	})
}

// TestOracleObjectsOfTheSchemasName: where the schema, or its runner's, has an object of the schema's name, that name alone means the object.
func TestOracleObjectsOfTheSchemasName(t *testing.T) {
	for _, schema := range []string{"dbsched", "app"} {
		t.Run(schema, func(t *testing.T) {
			onOracle(t, setup{schema: schema, lanes: 2}, func(h *harness) {
				s := h.marks()
				if schema != "dbsched" {
					s.exec("create package " + h.schema + " as procedure other; end;")
				}
				s.exec("create procedure hook (in_alarm_id in number) as begin insert into marks (n) values (in_alarm_id); end;")
				s.exec("begin dbsched.set_alarm_hook('hook'); end;")
				h.schedule(dialects.NewSchedule{Name: "often", Calendar: "* * * * *", Tasks: []dialects.NewTask{h.task(1, h.say.mark(1000))}})
				require.NoError(h, h.sched.RunSchedule(h.Context(), "often"))
				s.exec("begin dbsched.define_round('r', dbsched.t_names('a'), in_successor_sql => '" + h.say.mark(2000) + "'); dbsched.report_round('r', 'a'); end;")
				failing := h.task(1, "begin raise zero_divide; end;")
				failing.ProcessID = h.process(dialects.NewProcess{Name: "fails"})
				h.exec(failing)
				h.pause(3 * time.Minute)
				for _, f := range h.firings("often") {
					require.Equal(h, "Succeeded", f.Status, h.report())
				}
				require.GreaterOrEqual(h, len(h.firings("often")), 3)
				require.Subset(h, s.rows(h.say.markRead), [][]string{{"1"}, {"1000"}, {"2000"}}, h.report())
			})
		})
	}
}
