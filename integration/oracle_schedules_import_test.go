package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleImportInstants: an imported schedule has the instants of its job, whatever that takes from its start and end dates: the first is
// NEXT_RUN_DATE, and the others are those of DBMS_SCHEDULER.EVALUATE_CALENDAR_STRING.
func TestOracleImportInstants(t *testing.T) {
	onOracle(t, setup{stopped: true}, func(h *harness) {
		s := h.session()
		now := h.now().Truncate(time.Second)
		n := 0
		for _, calendar := range []string{
			"FREQ=SECONDLY;INTERVAL=45", "FREQ=MINUTELY;INTERVAL=7", "FREQ=HOURLY;INTERVAL=6", "FREQ=DAILY;INTERVAL=2", "FREQ=DAILY;INTERVAL=3;BYHOUR=2;BYMINUTE=15;BYSECOND=10",
			"FREQ=WEEKLY;INTERVAL=2;BYDAY=MON,FRI", "FREQ=MONTHLY;INTERVAL=3", "FREQ=YEARLY;INTERVAL=2", "FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=6", "FREQ=DAILY", "FREQ=WEEKLY", "freq=monthly;byday=-1fri",
		} {
			for _, zone := range []string{"Europe/Warsaw", "America/Denver", "+05:30"} {
				for _, start := range []time.Time{now.AddDate(0, 0, -100).Add(-17*time.Hour - 13*time.Second), now.AddDate(0, 0, 10).Add(5 * time.Hour)} {
					end := now.AddDate(0, 0, 40+n%2*5000)
					n++
					name := fmt.Sprint("J", n)
					at := func(x time.Time) string {
						return "from_tz(timestamp '" + x.Format("2006-01-02 15:04:05") + "', '+00:00') at time zone '" + zone + "'"
					}
					s.exec(fmt.Sprintf("begin dbms_scheduler.create_job('%s', 'PLSQL_BLOCK', 'begin null; end;', start_date => %s, end_date => %s, repeat_interval => '%s', enabled => true, auto_drop => false); end;",
						name, at(start), at(end), calendar))
					jobs, err := h.sched.ForeignJobs(h.Context(), dialects.Foreign{Scheduler: dialects.Jobs, Name: name})
					require.NoError(h, err)
					require.Empty(h, jobs[0].Obstacles, calendar)
					of := jobs[0].Schedule
					first := s.value("select nvl(to_char(sys_extract_utc(j.next_run_date), 'YYYY-MM-DD HH24:MI:SS'), 'never') from user_scheduler_jobs j where j.job_name = '" + name + "'")
					if err = h.sched.CreateSchedule(h.Context(), of); first == "never" {
						require.ErrorContains(h, err, "dbsched 20074: the calendar never fires between")
						continue
					}
					require.NoError(h, err)
					got := h.scheduleOf(name)
					next, err := h.sched.NextInstants(h.Context(), got.When(got.Zone), now, 10)
					require.NoError(h, err)
					require.NotEmpty(h, next, "%s from %s until %s in %s", calendar, start, end, zone)
					require.Equal(h, next[0], *got.NextAt)
					require.Equal(h, first, next[0].Format(time.DateTime), "%s from %s in %s", calendar, start, zone)

					after := now
					if start.After(after) {
						after = start.Add(-time.Second)
					}
					var want []string
					for range 10 {
						text := s.ask(fmt.Sprintf("declare l timestamp with time zone; begin dbms_scheduler.evaluate_calendar_string('%s', %s, %s, l); :result := to_char(sys_extract_utc(l), 'YYYY-MM-DD HH24:MI:SS'); end;",
							calendar, at(start), at(after)))
						if after, err = time.Parse(time.DateTime, text); after.After(end) {
							break
						}
						require.NoError(h, err)
						want = append(want, text)
					}
					var have []string
					for _, i := range next {
						have = append(have, i.Format(time.DateTime))
					}
					require.Equal(h, want, have, "%s from %s in %s", calendar, start, zone)
				}
			}
		}
	})
}
