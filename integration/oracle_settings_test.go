package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOraclePurgeLeavesWhatIsRetried: what another transaction holds is forgotten another time. To wait for one task with others
// in hand would be a deadlock with retry_process, which takes a process's tasks in an order of its own.
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
