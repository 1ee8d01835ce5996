package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleTimesHaveOffsets: no time in a table or a view has the name of a region. Drivers that know no time zones, such as
// python-oracledb, cannot read it, and the database converts it when its time zones change. Here every column has a value.
func TestOracleTimesHaveOffsets(t *testing.T) {
	withRunner(t, func(h *harness, _ *running) {
		s := h.session()
		columns := s.rows("select c.table_name, c.column_name from user_tab_columns c where c.table_name like 'DS!_%' escape '!' and c.table_name <> 'DS_WAKE_SENT' and c.data_type like 'TIMESTAMP%WITH%TIME ZONE' order by 1, 2")
		filled := map[string]bool{}
		look := func() {
			for _, c := range columns {
				for _, zone := range s.rows(fmt.Sprintf("select distinct to_char(x.%[2]s, 'TZR') from %[1]s x where x.%[2]s is not null", c[0], c[1])) {
					require.Regexp(h, `^[-+]\d\d:\d\d$`, zone[0], "%v", c)
					filled[c[0]+"."+c[1]] = true
				}
			}
		}
		h.everyTime(look)
		var empty []string
		for _, c := range columns {
			if !filled[c[0]+"."+c[1]] {
				empty = append(empty, c[0]+"."+c[1])
			}
		}
		require.Empty(h, empty)
		require.Greater(h, len(columns), 60)
	})
}

// everyTime lets everything happen of which dbsched records the time, and looks again and again.
func (h *harness) everyTime(look func()) {
	h.Helper()
	s := h.session()
	s.exec("create procedure hook (in_alarm_id in number) as begin null; end;")
	s.exec("begin dbsched.set_alarm_hook('hook'); end;") // which fails, as the runner may not call it
	s.exec("begin dbms_scheduler.create_job('next', 'PLSQL_BLOCK', 'begin dbms_session.sleep(1); end;', start_date => timestamp '2020-01-01 00:00:00 Europe/Warsaw', " +
		"repeat_interval => 'FREQ=YEARLY', enabled => false); end;")
	s.exec("begin dbms_scheduler.run_job('next', use_current_session => false); end;")
	h.pause(20 * time.Second)
	s.exec("begin dbsched.define_round('r', dbsched.t_names('a', 'b'), in_successor_job => 'next'); end;")
	for _, member := range []string{"a", "b", "a"} {
		s.exec("begin dbsched.report_round('r', '" + member + "'); end;")
	}
	s.exec("begin dbsched.report_round('r', 'b', false); end;")
	h.resource("r", 1)
	h.acquire("r", "Exclusive", 600, 3600).granted(time.Second)
	h.acquire("r", "Exclusive", 600, 0)
	zone, _, err := h.sched.Zone(h.Context(), "Europe/Warsaw")
	require.NoError(h, err)
	h.schedule(dialects.NewSchedule{
		Name: "often", Calendar: "* * * * *", Zone: zone, Begin: h.now().Add(-time.Hour).In(time.FixedZone("", 3600)), End: h.now().AddDate(1, 0, 0), Tasks: []dialects.NewTask{h.task(1, h.say.nothing)},
	})
	done := h.process(dialects.NewProcess{Name: "done"})
	h.exec(
		dialects.NewTask{ProcessID: done, SQL: h.say.nothing, Order: 1},
		dialects.NewTask{SQL: "begin raise zero_divide; end;", Order: 1},
		dialects.NewTask{SQL: raising("63300", "rollback;"), Order: 1, Transactional: true}, // which waits: it is no fault of the task
		dialects.NewTask{SQL: h.say.nothing, Order: 1, NotBefore: h.now().Add(time.Hour).In(time.FixedZone("", 3600))},
		dialects.NewTask{SQL: h.dialect.Sleep(time.Minute), Order: 1, Timeout: time.Hour, OnOrphan: "Fail"},
		dialects.NewTask{SQL: h.say.nothing, Order: 1, Resource: "r"},
	)
	look()
	h.pause(10 * time.Second)
	look()
	h.pause(2 * time.Minute)
	require.NoError(h, h.sched.AcknowledgeAlarms(h.Context(), 0))
	require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
	s.exec(h.say.close(done))
	s.exec("commit")
	look()
}
