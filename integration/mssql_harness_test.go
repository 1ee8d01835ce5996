package integration

import (
	"fmt"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

// user creates a user without login, in roles of dbsched.
func (h *harness) user(name string, roles ...string) {
	h.Helper()
	s := h.session()
	s.exec("CREATE USER " + templates.QuoteIdent(name) + " WITHOUT LOGIN;")
	for _, r := range roles {
		s.exec("ALTER ROLE " + templates.QuoteIdent("dbsched_"+r) + " ADD MEMBER " + templates.QuoteIdent(name) + ";")
	}
}

// as returns a session that permanently impersonates a user.
func (h *harness) as(name string) *session {
	h.Helper()
	s := h.session()
	s.exec("EXECUTE AS USER = " + templates.QuoteString(name) + ";")
	return s
}

// dropLogin removes at the end what a test created on the server.
func (h *harness) dropLogin(name string) {
	h.Cleanup(func() {
		db := h.server.open("dbsched-test")
		_, _ = db.Exec("DROP LOGIN " + name + ";")
		_ = db.Close()
	})
}

// enqueueAs enqueues as a user and returns the task's id.
func (h *harness) enqueueAs(name string, order int, task string) int64 {
	h.Helper()
	return number(h, h.as(name).ask(h.say.enqueueReturn(0, order, task)))
}

// modeled says whether a statement ran, as opposed to one that the sandbox refuses because it does not model it.
func (h *harness) modeled(err error) bool {
	h.Helper()
	if h.server.box != nil && err != nil && strings.Contains(err.Error(), "the sandbox does not model") {
		h.Log(err)
		return false
	}
	require.NoError(h, err)
	return true
}

// counters reads what the sandbox's sessions have cost so far.
func (h *harness) counters() sandbox.Counters {
	h.Helper()
	if h.server.box == nil {
		h.Skip("a real server has no such counters")
	}
	return h.server.box.Counters()
}

// requireNoLeaks requires, when all is quiet, that no conversation is left but the timer's, and no message anywhere.
func (h *harness) requireNoLeaks() {
	h.Helper()
	h.pause(40 * time.Minute)
	c := h.session()
	timers := 0
	if h.status().Started {
		timers = 1
	}
	require.Equal(h, fmt.Sprint(timers), c.value("SELECT COUNT(*) FROM sys.conversation_endpoints AS e WHERE e.state <> 'CD';"),
		"%v", c.rows("SELECT e.state, e.is_initiator, e.far_service FROM sys.conversation_endpoints AS e;"))
	// Those of the last minutes' sweeps may be closed but not deleted yet.
	require.Equal(h, "0", c.value("SELECT COUNT(*) FROM sys.transmission_queue;"))
	for _, q := range c.rows("SELECT q.name FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(N'dbsched') ORDER BY q.name;") {
		require.Equal(h, "0", c.value("SELECT COUNT(*) FROM dbsched."+q[0]+";"), q[0])
	}
	require.Empty(h, c.rows("SELECT m.state FROM sys.dm_broker_queue_monitors AS m WHERE m.state = 'NOTIFIED';"))
	require.Equal(h, "0", c.value("SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;"))
	require.Equal(h, "0", c.value("SELECT COUNT(*) FROM dbsched.WakeSent;"))
}

// withCollation configures a sandbox whose databases have a collation.
func withCollation(name string) func(*sandbox.Options) {
	return func(o *sandbox.Options) { o.Collation = name }
}
