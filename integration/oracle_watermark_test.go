package integration

import (
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
