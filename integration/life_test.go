package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestSeeds runs a whole life cycle under other choices of what the engine leaves open.
func TestSeeds(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			each(t, setup{bare: true, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, wholeLife)
		})
	}
}

// wholeLife installs, works and uninstalls.
func wholeLife(h *harness) {
	h.Helper()
	s := h.marks()
	before := h.inventory()
	h.installNow(3)

	var tasks []dialects.NewTask
	for _, seed := range seedTasks {
		tasks = append(tasks, h.sleep(seed.order, seed.delay))
	}
	h.exec(tasks...)
	h.drain(3 * time.Minute)
	require.Len(h, h.logs(), 9)
	h.requireWaves(h.logs())
	require.Equal(h, 3, overlap(h.logs()))

	bad := h.exec(h.task(1, h.say.failing[0].sql), h.task(2, h.say.mark(1)))
	h.drain(time.Minute)
	require.Equal(h, h.say.failing[0].number, h.logsOf(bad[0])[0].ErrorNumber)

	p := number(h, s.ask(h.say.createProcess("p", true)))
	s.begin()
	s.exec(h.say.enqueue(p, 1, h.say.mark(2)))
	s.exec(h.say.release(p))
	s.exec(h.say.close(p))
	s.commit()
	h.waitFor(p, time.Minute)
	require.Equal(h, "Succeeded", h.processOf(p).Status)
	require.Equal(h, [][]string{{"1"}, {"2"}}, s.rows(h.say.markRead))
	h.requireNobodyBlocked(func(c *session) { c.begin() }, "open transaction")
	h.requireNoAlarms()

	h.pause(time.Minute)
	_, err := h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
	require.NoError(h, err)
	require.Equal(h, before, h.inventory())
}
