package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLResourceRights: users acquire resources, and release their own; administrators define them, and end anybody's request.
func TestMSSQLResourceRights(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.user("anna", "user")
		h.user("bert", "user")
		h.user("rita", "reader")
		h.user("ada", "admin")
		h.as("ada").exec("EXEC dbsched.DefineResource N'db';")
		anna, bert, ada := h.as("anna"), h.as("bert"), h.as("ada")
		id := number(h, anna.ask(h.say.acquire("db", "Shared", 0, 0)))
		require.ErrorContains(h, bert.try("EXEC dbsched.DefineResource N'x';"), "EXECUTE permission was denied")
		require.ErrorContains(h, bert.try(h.say.releaseResource(id)), "51045")
		const who = "SELECT Resource, RequestId, ISNULL(RequestedBy, N'?') FROM dbsched.ResourceInfo;"
		require.Equal(h, [][]string{{"db", fmt.Sprint(id), "?"}}, bert.rows(who))
		for _, c := range []*session{anna, h.as("rita"), ada} {
			require.Equal(h, [][]string{{"db", fmt.Sprint(id), "anna"}}, c.rows(who))
		}
		ada.exec(h.say.releaseResource(id))
		require.ErrorContains(h, anna.try(h.say.releaseResource(id)), "51044")
		number(h, bert.ask(h.say.acquire("db", "Exclusive", 0, 0)))

		task := h.enqueueAs("anna", 1, h.say.nothing)
		h.drain(10 * time.Second)
		require.Equal(h, "Succeeded", h.statusOf(task))
		waits := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 2, Resource: "db"})[0]
		h.until(3*time.Second, "it waits", func() bool { return h.statusOf(waits) == "Waiting" })
		require.ErrorContains(h, ada.try(h.say.releaseResource(h.requests("db")[1].Request)), "51046")
	})
}

// TestMSSQLResourceNumbers: they are assigned under the lock of the resource: nobody gets one while an uncommitted session may
// have taken an earlier one.
func TestMSSQLResourceNumbers(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		h.resource("other", 1)
		s, c := h.session(), h.session()
		s.begin()
		s.exec("SELECT s.Capacity FROM dbsched.Resources AS s WITH (UPDLOCK, ROWLOCK) WHERE s.ResourceId = 1;")
		answer := make(chan string, 1)
		go func() {
			got, err := h.say.ask(h.Context(), c.conn, h.say.acquire("db", "Shared", 600, 0))
			answer <- fmt.Sprint(got, err)
		}()
		p := h.process(dialects.NewProcess{Name: "p"})
		id := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(time.Second), Order: 1, ProcessID: p, Resource: "db"})[0]
		h.pause(3 * time.Second)
		require.Empty(h, h.requests("db"), "committed or not")
		require.Equal(h, "Pending", h.statusOf(id))
		h.acquire("other", "Shared", 0, 0).granted(time.Second)
		s.commit()
		h.until(3*time.Second, "both", func() bool { return len(h.requests("db")) == 2 })
		if held, _ := h.line("db"); h.requests("db")[0].TaskID == id {
			require.Len(h, held, 1)
			h.waitFor(p, time.Minute)
		}
		require.NotContains(h, <-answer, "dbsched")
	})
}

// TestMSSQLDropAgainstJoining: a resource that somebody is about to request is not dropped meanwhile.
func TestMSSQLDropAgainstJoining(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		s, c := h.session(), h.session()
		s.begin()
		s.exec("SELECT s.Capacity FROM dbsched.Resources AS s WITH (UPDLOCK, ROWLOCK) WHERE s.ResourceId = 1;")
		answer := make(chan error, 1)
		go func() { answer <- c.try("EXEC dbsched.DropResource N'db';") }()
		h.pause(time.Second)
		s.exec("INSERT INTO dbsched.ResourceRequests (ResourceId, Status, Access, Requester, TaskId, ProcessId, RequestedByName) VALUES (1, 'Waiting', 'Shared', N'x', 1, 1, N'x');")
		s.commit()
		require.ErrorContains(h, <-answer, "51047")
	})
}

// TestMSSQLClaimWaitsForTheLine: a session that changes a resource's line holds its lock, and a claim that joins the line waits for it. Otherwise two
// would wait for each other's requests.
func TestMSSQLClaimWaitsForTheLine(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		holder := h.session()
		holder.begin()
		holder.rows("SELECT s.Capacity FROM dbsched.Resources AS s WITH (UPDLOCK, ROWLOCK) WHERE s.Name = N'db';")
		task := h.task(1, h.say.nothing)
		task.Resource = "db"
		id := h.exec(task)[0]
		h.untilWaiting(1, "the claim waits")
		require.Empty(h, h.logsOf(id))
		since := h.now()
		holder.commit()
		h.startsWithin(id, since, h.soon)
	})
}
