package integration

import (
	"database/sql"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOracleMarkBesideAClaim: a mark beyond the watermark that is committed while a claim takes the others does not send the worker to rest.
func TestOracleMarkBesideAClaim(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		ids := h.exec(h.sleeps(4, 5)...)
		h.untilBegun(ids[1])
		h.session().exec(h.say.noDispatcher)
		low := h.exec(h.sleep(3, brief))[0]
		holder := h.session()
		holder.begin()
		holder.rows("select w.process_id from ds_wake_sent w for update")
		h.pause(2 * brief) // the worker is about to delete the mark
		high := h.exec(h.sleep(9, brief))[0]
		holder.rollback()
		h.pause(20 * time.Second)
		require.Len(h, h.began(), 6, h.report())
		require.Equal(h, low, h.began()[len(h.began())-4], h.report())
		require.Equal(h, high, h.began()[5], h.report())
	})
}

// TestOracleMarksAreMerged: while no claim takes them, one of very many marks stays, and it is that of the first task. A transaction that cannot see
// that they were merged adds its own.
func TestOracleMarksAreMerged(t *testing.T) {
	onOracle(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		marks := func() []string { return h.session().rows("select count(*), min(w.claim_order) from ds_wake_sent w")[0] }
		s := h.session()
		s.begin(sql.LevelSerializable)
		h.exec(h.sleep(3, brief))
		for range 24 {
			h.exec(h.sleep(5, brief))
		}
		n, err := strconv.Atoi(marks()[0])
		require.NoError(h, err)
		require.LessOrEqual(h, n, 10)
		require.Equal(h, "3", marks()[1])
		for i := range 5 {
			s.add(9 - i)
		}
		s.commit()
		require.Equal(h, []string{fmt.Sprint(n + 1), "3"}, marks())
	})
}
