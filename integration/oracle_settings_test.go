package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOraclePurgeLeavesWhatIsRetried: what another transaction holds is deleted another time. To wait for one task while holding
// others would deadlock with retry_process, which takes a process's tasks in an order of its own.
func TestOraclePurgeLeavesWhatIsRetried(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.resource("warehouse", 2)
		ids := h.exec(h.task(1, h.say.fails(0)), dialects.NewTask{SQL: h.say.nothing, Order: 1, Resource: "warehouse", Access: "Exclusive"}, h.task(1, h.say.nothing))
		h.drain(time.Minute)
		h.pause(time.Second)
		s, holder := h.session(), h.session()
		require.Equal(h, [][]string{{"warehouse", "Exclusive"}}, s.rows("select t.resource_name, t.access_mode from ds_task_info t where t.resource_name is not null"))
		holder.begin()
		holder.exec(fmt.Sprintf("update ds_tasks t set t.priority = t.priority where t.task_id = %d", ids[1]))
		s.exec(h.say.purge(0))
		left := h.tasks()
		require.Len(h, left, 1)
		require.Equal(h, ids[1], left[0].ID)
		holder.commit()
		s.exec(h.say.purge(0))
		require.Empty(h, h.tasks())
	})
}

// TestOracleSessionOfATask: what a task sets in its session, whether it succeeds or fails, is not visible to the next.
func TestOracleSessionOfATask(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		const german = "alter session set nls_numeric_characters = ',.'"
		h.exec(h.task(1, german), h.task(2, "insert into marks (n) values ('1.5' * 2)"),
			h.task(3, "begin execute immediate '"+strings.ReplaceAll(german, "'", "''")+"'; insert into marks (n) values ('1,5' * 4); end;"), h.task(4, "insert into marks (n) values ('2.5' * 2)"),
			h.task(5, "begin execute immediate '"+strings.ReplaceAll(german, "'", "''")+"'; raise zero_divide; end;"), h.task(6, "insert into marks (n) values ('3.5' * 2)"))
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"3"}, {"6"}, {"5"}, {"7"}}, s.rows(h.say.markRead), h.report())
	})
}

// TestOracleSessionOfACaller: numbers in a task's parameters are JSON's, whatever the session's own look like.
func TestOracleSessionOfACaller(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		s.exec("alter session set nls_numeric_characters = ',.'")
		s.exec(`begin dbsched.exec_async('insert into marks (n) values (:n * 2)', 1, in_parameters => '{"n number": 1.5}'); end;`)
		require.ErrorContains(h, s.try(`begin dbsched.exec_async('begin null; end;', 1, in_parameters => '{"n int": 1.5}'); end;`), h.errorText(34))
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"3"}}, h.session().rows(h.say.markRead), h.report())
	})
}
