package integration

import (
	"context"
	"encoding/json"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/stretchr/testify/require"
)

// cutter sits between a driver and its server, and cuts a connection after a number of bytes from the server.
type cutter struct {
	dial dialects.DialFunc

	mu    sync.Mutex
	left  int // bytes from the server that still pass; negative: all
	armed bool
	sent  int // bytes from the server since it was armed
}

// arm lets n bytes pass from now on, and then ends the connection; negative: none is cut.
func (c *cutter) arm(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.armed, c.left, c.sent = true, n, 0
}

// passed is how many bytes the server has sent since arm.
func (c *cutter) passed() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent
}

// connect is the driver's dialer.
func (c *cutter) connect(ctx context.Context, network, address string) (net.Conn, error) {
	server, err := c.dial(ctx, network, address)
	return &cutConn{Conn: server, c: c}, err
}

// enqueueing is a dialect's SQL for keys, parameters, transactional tasks and batches.
type enqueueing struct {
	keyed            func(order int, task, key string) string                         // ask: enqueue in the default process; the task's id
	batch            func(ctx context.Context, c conn, tasks string) ([]int64, error) // enqueues a JSON array of tasks; their ids, in order
	member           func(name string) string                                         // spelling of a parameter such as ExecutionOrder in arrays
	duplicateOf      func(task int64) string                                          // query: the task because of which it was skipped
	bound            string                                                           // task that inserts its parameter N into the marks
	allBound         string                                                           // task that fails unless its parameters are as allValues says
	allValues        string
	ends             []string                            // tasks that end or replace their transaction; each inserts -1 into the marks before
	leavesOpen       string                              // task that begins one more transaction than it ends, where transactions nest
	slowly           func(n int, d time.Duration) string // task that inserts n into the marks and then takes d
	enqueuesAndFails string                              // task that enqueues one and fails
	badValues        map[string]int
	badBatches       map[string]int
}

// batchOf writes tasks as JSON.
func batchOf(h *harness, tasks ...map[string]any) string {
	h.Helper()
	named := make([]map[string]any, len(tasks))
	for i, task := range tasks {
		named[i] = map[string]any{}
		for name, value := range task {
			named[i][h.say.member(name)] = value
		}
	}
	text, err := json.Marshal(named)
	require.NoError(h, err)
	return string(text)
}

// ids reads the ids that a batch returns.
func (s *session) ids(batch string) []int64 {
	s.h.Helper()
	all, err := s.h.say.batch(s.h.Context(), s.on(), batch)
	require.NoError(s.h, err)
	return all
}

func number(h *harness, text string) int64 {
	h.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	require.NoError(h, err)
	return n
}

// requireNobodyBlocked enqueues in a transaction started by begin, and meanwhile from other sessions.
func (h *harness) requireNobodyBlocked(begin func(*session), what string) {
	h.Helper()
	held := h.session()
	begin(held)
	id := number(h, held.ask(h.say.enqueueReturn(0, -7, h.say.nothing)))

	other := h.session()
	since := h.now()
	free := number(h, other.ask(h.say.enqueueReturn(0, 5, h.say.nothing)))
	require.Less(h, h.now().Sub(since), time.Second, "%s: the other enqueuer waited", what)
	h.until(2*time.Second+h.restart, what+": the other's task ends", func() bool { return h.statusOf(free) == "Succeeded" })
	require.Empty(h, h.logsOf(id), what)

	since = h.now()
	held.commit()
	h.startsWithin(id, since, h.soon)
	h.until(2*time.Second+h.soon, what+": the task ends", func() bool { return h.statusOf(id) == "Succeeded" })
}

// drainBut waits until the tasks of a wave that are not listed have ended.
func (h *harness) drainBut(open []string, limit time.Duration) {
	h.Helper()
	waiting := map[int64]bool{}
	for _, id := range open {
		waiting[number(h, id)] = true
	}
	h.until(limit, "the committed tasks end", func() bool {
		for _, task := range h.tasks() {
			if !waiting[task.ID] && task.FinishedAt == nil {
				return false
			}
		}
		return true
	})
}

// lateTask commits a task of a process that has failed meanwhile: the next sweep skips it.
func (h *harness) lateTask() (process, task int64) {
	h.Helper()
	p := h.process(dialects.NewProcess{Name: "halts"})
	c := h.session()
	c.begin()
	late := number(h, c.ask(h.say.enqueueReturn(p, 5, h.say.nothing)))
	h.exec(dialects.NewTask{SQL: h.say.failing[0].sql, Order: 1, ProcessID: p})
	h.until(4*time.Second+h.restart, "the process fails", func() bool { return h.processOf(p).Status == "Failed" })
	h.pause(time.Second)
	c.commit()
	return p, late
}
