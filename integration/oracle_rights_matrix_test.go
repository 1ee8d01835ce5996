package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOracleRightsMatrix: who may do what with a runner, statement by statement, as testdata/rights/oracle.txt says.
func TestOracleRightsMatrix(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		s := h.session()
		h.resource("r", 1000)
		s.exec("begin ds_worker.alarm('WorkerError', '?'); commit; end;")
		n := 0
		h.requireRights("oracle.txt", r.as, func(name string) string {
			n++
			anna := r.as("anna")
			later := "declare l_id number; begin dbsched.exec_async('begin null; end;', 1, in_not_before => systimestamp + interval '1' day, out_task_id => l_id); :result := l_id; end;"
			const fails = "begin raise zero_divide; end;"
			in := func(c *session, suspended bool, task string) string {
				p := anna.ask(h.say.createProcess("anna's", suspended))
				if task != "" {
					c.exec(h.say.enqueue(number(h, p), 1, task))
					h.waitFor(number(h, p), time.Minute)
				}
				return p
			}
			switch name {
			case "n":
				return fmt.Sprint(n)
			case "owner":
				return h.schema
			case "task":
				return anna.ask(later)
			case "ownertask":
				return s.ask(later)
			case "failed":
				id := anna.ask(h.say.enqueueReturn(0, 1, fails))
				h.untilStatus(number(h, id), "Failed", time.Minute)
				return id
			case "process":
				return in(anna, true, "")
			case "halted":
				return in(anna, false, fails)
			case "mixed":
				return in(s, false, fails)
			case "ownerprocess":
				return s.ask(h.say.createProcess("the owner's", true))
			case "schedule", "firing":
				schedule := fmt.Sprint("schedule ", n)
				anna.exec("begin dbsched.create_schedule('" + schedule + "', '@yearly', 'begin null; end;'); end;")
				if name == "schedule" {
					return schedule
				}
				anna.exec("begin dbsched.run_schedule('" + schedule + "'); end;")
				h.until(time.Minute, "it fires", func() bool { return h.outcomes(schedule) == "Succeeded" })
				return s.value("select max(f.task_id) from ds_schedule_log f where f.name = '" + schedule + "'")
			case "round":
				round := fmt.Sprint("round ", n)
				anna.exec("begin dbsched.define_round('" + round + "', dbsched.t_names('a', 'b'), in_successor_sql => 'begin null; end;'); end;")
				return round
			case "jobround":
				round := fmt.Sprint("job round ", n)
				s.exec("begin dbsched.define_round('" + round + "', dbsched.t_names('a', 'b'), 'JOB'); end;")
				return round
			case "request":
				return anna.ask(h.say.acquire("r", "Shared", 0, 3600))
			}
			require.Fail(h, "unknown", name)
			return ""
		})
		require.True(h, h.status().Started)
	})
}
