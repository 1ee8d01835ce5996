package integration

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// jobStart is the longest that a job takes to start in the sandbox, from RUN_JOB on; for a real server no limit is documented.
const jobStart = 5 * time.Second

// TestOracleWakeUpBesideBusyLanes: a wake-up that is committed while every running lane is busy with an hour-long task is
// acted on within a job start if the other lanes have ended, and at once if they wait.
func TestOracleWakeUpBesideBusyLanes(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			onOracle(t, setup{lanes: 6, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.exec(h.sleep(1, time.Hour), h.sleep(1, time.Hour))
				h.untilRunning(2, h.restart)
				h.pause(10 * time.Minute)
				require.Equal(h, 2, h.status().Workers, "the others have ended")

				c := h.session()
				enqueue := func(d time.Duration) int64 {
					c.begin()
					id := number(h, c.ask(h.say.enqueueReturn(0, 1, h.dialect.Sleep(d))))
					h.pause(3 * time.Second)
					require.Empty(h, h.logsOf(id))
					c.commit()
					return id
				}
				since := h.now().Add(3 * time.Second)
				h.startsWithin(enqueue(time.Second), since, h.ordered())
				h.until(10*time.Second, "it ends", func() bool { return h.running() == 2 })
				require.Equal(h, 3, h.status().Workers, "one waits")

				since = h.now().Add(3 * time.Second)
				h.startsWithin(enqueue(time.Hour), since, atOnce)
				since = h.now().Add(3 * time.Second)
				h.startsWithin(enqueue(time.Second), since, h.ordered())
				require.Equal(h, 4, overlap(h.logs()))
				h.requireNoAlarms()
			})
		})
	}
}

// TestOracleSixteenLanes: sixteen tasks have sixteen workers as soon as sixteen jobs have started: none waits for another, or
// for the dispatcher to look again.
func TestOracleSixteenLanes(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			onOracle(t, setup{lanes: 16, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.pause(2 * time.Minute) // the dispatcher has started, and looks at nothing
				c := h.session()
				c.begin()
				for range 16 {
					c.enqueue(1, h.dialect.Sleep(30*time.Second))
				}
				since := h.now()
				c.commit()
				h.pause(h.ordered())
				require.Equal(h, 16, h.running(), h.report())
				h.drain(time.Minute)
				logs := h.logs()
				require.Equal(h, 16, overlap(logs))
				lanes := map[int]bool{}
				for _, l := range logs {
					require.LessOrEqual(h, l.StartedAt.Sub(since), h.ordered())
					lanes[l.Lane] = true
				}
				require.Len(h, lanes, 16)
				// Now all wait: the next sixteen need no job start.
				since = h.now()
				for _, id := range h.exec(slices.Repeat([]dialects.NewTask{h.sleep(1, time.Second)}, 16)...) {
					h.startsWithin(id, since, atOnce)
				}
				h.requireNoAlarms()
			})
		})
	}
}

// TestOracleOneTaskOneLane: wake-ups that arrive while a lane's job is starting do not start further lanes for its task.
func TestOracleOneTaskOneLane(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			onOracle(t, setup{box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.pause(2 * time.Minute)
				h.exec(h.sleep(1, time.Second))
				c := h.session()
				for range 5 {
					c.exec(h.say.sweep)
				}
				h.drain(time.Minute)
				h.pause(2 * time.Minute) // runs count when they have ended
				require.Equal(h, "1", c.value("select sum(run_count) from user_scheduler_jobs where job_name like 'DS_LANE%'"))
			})
		})
	}
}

// TestOracleLaneThatIsJustEnding: a task that is committed at the moment when the only lane's job ends is neither lost nor
// late: RUN_JOB fails then (ORA-27478: the job is running), and the dispatcher tries it again.
func TestOracleLaneThatIsJustEnding(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			onOracle(t, setup{lanes: 1, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.session().exec("update ds_settings set linger_seconds = 1")
				h.exec(h.task(1, h.say.nothing))
				for step := range 80 {
					h.drain(time.Minute)
					// From a little before the lane stops waiting to a little after, one statement's time further each round.
					// The last part spins: a sleep is never that exact.
					_, err := h.clock.ExecContext(h.Context(), fmt.Sprintf(`declare
    l_until timestamp with time zone;
    l_now timestamp with time zone;
begin
    select max(l.state_at) + numtodsinterval(1 + %d / 1000000, 'SECOND') into l_until from ds_lanes l where l.state = 'Idle';
    if l_until is not null then
        loop
            select systimestamp into l_now from dual;
            exit when l_now >= l_until;
            if l_until - l_now > interval '0.02' second then
                dbms_session.sleep(0.01);
            end if;
        end loop;
    end if;
    dbsched.exec_async('begin null; end;', 1);
end;`, 10*step-500))
					require.NoError(h, err)
					h.drain(time.Minute)
					logs := h.logs()
					last := logs[len(logs)-1]
					require.Len(h, logs, step+2)
					require.Equal(h, "Succeeded", last.Outcome)
					for _, task := range h.tasks() {
						if task.ID == last.TaskID {
							require.LessOrEqual(h, last.StartedAt.Sub(task.EnqueuedAt), h.soon, "step %d", step)
						}
					}
				}
				h.requireNoAlarms()
			})
		})
	}
}

// TestOracleLaneThatStillRuns: RUN_JOB fails while the lane's last run has not ended (ORA-27478), here because a session has the
// lane's lock, for which that run waits five seconds. The lane stays requested, and is requested again when that run has ended, or not if
// that run takes the task itself.
func TestOracleLaneThatStillRuns(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		c := h.session()
		lock := func(call string) {
			h.Helper()
			require.Equal(h, "0", c.ask(fmt.Sprintf("declare l_id integer; begin select s.lock_base + 1 into l_id from ds_settings s; :result := dbms_lock.%s; end;", call)))
		}
		runs := func() bool {
			return c.value("select count(*) from user_scheduler_running_jobs where job_name = 'DS_LANE_01'") == "1"
		}
		for _, ends := range []bool{true, false} {
			h.pause(time.Minute)
			lock("request(id => l_id, lockmode => dbms_lock.x_mode, timeout => 0, release_on_commit => false)")
			c.exec("begin dbms_scheduler.run_job(job_name => 'DS_LANE_01', use_current_session => false); end;")
			h.until(h.ordered(), "it starts", runs)
			id := h.exec(h.task(1, h.say.nothing))[0]
			h.pause(1500 * time.Millisecond)
			require.Equal(h, [][]string{{"Starting", "not taken"}}, c.rows("select l.state, nvl2(l.ordered_at, 'taken', 'not taken') from ds_lanes l where l.lane_id = 1"))
			limit := atOnce
			if ends {
				h.until(6*time.Second, "it gives up", func() bool { return !runs() })
				limit = time.Second + h.ordered()
			}
			since := h.now()
			lock("release(id => l_id)")
			h.startsWithin(id, since, limit)
			h.drain(time.Minute)
			require.Len(h, h.logsOf(id), 1)
		}
		h.requireNoAlarms()
	})
}

// TestOracleHeldProcess: a process whose row another transaction holds for long, like one that cancels very many tasks, is looked at again
// until it is free, by the first who needs it: nobody leaves it to the next sweep.
func TestOracleHeldProcess(t *testing.T) {
	for name, needs := range sorted(map[string]func(h *harness, p int64, hold func()) int64{
		"the lane that claims": func(h *harness, p int64, hold func()) int64 {
			h.exec(h.sleep(1, 5*time.Second))
			h.untilRunning(1, h.ordered())
			id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p})[0]
			h.pause(time.Second) // the dispatcher knows the task, and has no lane free
			hold()
			return id
		},
		"the dispatcher, of a new task": func(h *harness, p int64, hold func()) int64 {
			hold()
			return h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p})[0]
		},
		"the dispatcher, of a task that is due": func(h *harness, p int64, hold func()) int64 {
			id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p, NotBefore: h.now().Add(3 * time.Second)})[0]
			hold()
			return id
		},
		"the dispatcher, of a request": func(h *harness, _ int64, hold func()) int64 {
			c := h.session()
			p := number(h, c.ask(h.say.createProcess("suspended", true)))
			id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p})[0]
			hold()
			c.exec(h.say.release(p))
			return id
		},
	}) {
		t.Run(name, func(t *testing.T) {
			onOracle(t, setup{lanes: 1}, func(h *harness) {
				p := h.process(dialects.NewProcess{Name: "held"})
				s := h.session()
				id := needs(h, p, func() {
					s.begin()
					s.exec("update ds_processes p set p.priority = p.priority where p.process_id > 1")
				})
				h.pause(10 * time.Second) // a lane that rests has not yet ended to linger
				require.Empty(h, h.logsOf(id))
				since := h.now()
				s.rollback()
				h.startsWithin(id, since, h.ordered()+2*time.Second)
				h.drain(time.Minute)
				h.requireNoAlarms()
			})
		})
	}
}

// TestOracleBursts: short bursts that begin about when lanes stop waiting: all tasks run, each once, and none late.
func TestOracleBursts(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			onOracle(t, setup{lanes: 3, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.session().exec("update ds_settings set linger_seconds = 1")
				h.pause(10 * time.Second)
				tasks := 0
				for burst := range 40 {
					n := 1 + burst%4
					list := make([]dialects.NewTask, n)
					for i := range list {
						list[i] = h.sleep(i%2, time.Duration(burst%3)*10*time.Millisecond)
					}
					since := h.now()
					ids := h.exec(list...)
					tasks += n
					h.startsWithin(ids[0], since, h.soon)
					h.drain(time.Minute)
					h.pause(900*time.Millisecond + time.Duration(burst*5)*time.Millisecond)
				}
				logs := h.logs()
				require.Len(h, logs, tasks, "each task ran once")
				for _, l := range logs {
					require.Equal(h, "Succeeded", l.Outcome)
				}
				h.requireNoAlarms()
			})
		})
	}
}

// browse reads the number of messages waiting in the queue, as the session sees them.
const browse = `declare
    l_options dbms_aq.dequeue_options_t;
    l_properties dbms_aq.message_properties_t;
    l_payload raw(32);
    l_message_id raw(16);
    l_count pls_integer := 0;
    e_no_message exception;
    pragma exception_init(e_no_message, -25228);
begin
    l_options.dequeue_mode := dbms_aq.browse;
    l_options.navigation := dbms_aq.first_message;
    l_options.wait := dbms_aq.no_wait;
    begin
        loop
            dbms_aq.dequeue('DS_WAKE_Q', l_options, l_properties, l_payload, l_message_id);
            l_count := l_count + 1;
            l_options.navigation := dbms_aq.next_message;
        end loop;
    exception
        when e_no_message then null;
    end;
    :result := l_count;
end;`

// TestOracleRolledBackWakeUp: a rollback, also to a savepoint, undoes the message with the tasks, and what follows
// sends another; many tasks send one.
func TestOracleRolledBackWakeUp(t *testing.T) {
	onOracle(t, setup{stopped: true}, func(h *harness) {
		c := h.session()
		messages := func() int {
			h.Helper()
			return int(number(h, c.ask(browse)))
		}
		count := func(tasks, expected int) {
			h.Helper()
			require.Equal(h, fmt.Sprint(tasks), c.value("select count(*) from ds_tasks"))
			require.Equal(h, expected, messages())
		}
		base := messages()
		c.begin()
		c.exec(h.say.savepoint)
		c.enqueue(1, h.say.nothing)
		c.enqueue(1, h.say.nothing)
		count(2, base+1)
		c.exec(h.say.rollbackTo)
		count(0, base)
		c.enqueue(1, h.say.nothing)
		count(1, base+1)
		c.rollback()
		count(0, base)

		c.begin()
		c.enqueue(1, h.say.nothing)
		c.exec(h.say.savepoint)
		c.enqueue(1, h.say.nothing)
		c.exec(h.say.rollbackTo)
		c.enqueue(1, h.say.nothing)
		count(2, base+1)
		c.commit()
		count(2, base+1)

		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
		h.until(10*time.Second, "the messages are read", func() bool { return messages() == 0 })
		require.Len(h, h.logs(), 2)
	})
}

// TestOracleWorkLeftOpen: uncommitted work of a task is committed when it succeeds. A task on Oracle cannot leave a transaction
// open by mistake: its work is always in one.
func TestOracleWorkLeftOpen(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		h.exec(h.task(1, h.say.mark(1)), h.task(2, "begin insert into marks (n) values (2); savepoint here; insert into marks (n) values (3); rollback to here; end;"),
			h.task(3, "begin insert into marks (n) values (4); commit; insert into marks (n) values (5); raise zero_divide; end;"))
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"1"}, {"2"}, {"4"}}, s.rows(h.say.markRead))
		require.Equal(h, []string{"Succeeded", "Succeeded", "Failed"}, h.statuses([]int64{1, 2, 3}))
	})
}

// TestOracleStartAfterALongStop: each transaction that enqueued while the scheduler was stopped has left a message. The dispatcher reads
// them in two turns, not 200 at a time.
func TestOracleStartAfterALongStop(t *testing.T) {
	onOracle(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		h.session().exec("begin for i in 1 .. 3000 loop dbsched.exec_async('begin null; end;', 1, in_not_before => systimestamp + interval '1' day); commit; end loop; end;")
		require.NoError(h, h.sched.Start(h.Context()))
		before := h.counters().Transactions // after it has waited for the job
		h.pause(30 * time.Second)
		require.Less(h, h.counters().Transactions-before, int64(60))
	})
}
