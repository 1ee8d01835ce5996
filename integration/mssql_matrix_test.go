package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestMSSQLMatrix runs a bit of everything in databases that collate text differently, or use row versions.
func TestMSSQLMatrix(t *testing.T) {
	for name, box := range sorted(map[string]func(*sandbox.Options){
		"case-sensitive": withCollation("SQL_Latin1_General_CP1_CS_AS"),
		"binary":         withCollation("Latin1_General_BIN2"),
		"versioning":     func(o *sandbox.Options) { o.ReadCommittedSnapshot = true },
		"all of it": func(o *sandbox.Options) {
			o.Collation, o.ReadCommittedSnapshot, o.Database = "Latin1_General_BIN2", true, "we[ird]-n'ame"
		},
	}) {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{lanes: 3, schema: "dbsched", bare: true, box: box}, func(h *harness) {
				h.aBitOfEverything()
			})
		})
	}
}

// optimizedLocking returns the two ways in which SQL Server 2025 locks: rows by their transaction, and with versions rows after they qualify.
func optimizedLocking() map[string]func(*sandbox.Options) {
	return map[string]func(*sandbox.Options){
		"locking":    func(o *sandbox.Options) { o.OptimizedLocking = true },
		"versioning": func(o *sandbox.Options) { o.OptimizedLocking, o.ReadCommittedSnapshot = true, true },
	}
}

// TestMSSQLOptimizedLocking runs it where rows are locked by their transaction and conditions are tested before (2025, ALTER DATABASE
// SET OPTIMIZED_LOCKING). Every access by dbsched names its hints, so nothing should change. With DBSCHED_OPTIMIZED_LOCKING every other
// scenario runs there, too.
func TestMSSQLOptimizedLocking(t *testing.T) {
	for name, box := range optimizedLocking() {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{lanes: 3, bare: true, box: box}, func(h *harness) {
				require.Equal(h, "1", h.session().value("SELECT CONVERT(int, DATABASEPROPERTYEX(DB_NAME(), 'IsOptimizedLockingOn'));"))
				h.aBitOfEverything()
			})
		})
	}
}

// TestMSSQLNoRequestIsLost: a process is closed while an uncommitted retry of it exists. If nobody waited for the process
// row, the request would be treated as one to a process that has ended.
func TestMSSQLNoRequestIsLost(t *testing.T) {
	for name, box := range optimizedLocking() {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{lanes: 2, box: box}, func(h *harness) {
				a, b := h.session(), h.session()
				p := number(h, a.ask(h.say.createProcess("p", false)))
				a.exec(fmt.Sprintf("UPDATE dbsched.Processes SET Status = 'Failed', FinishedAt = SYSUTCDATETIME(), HasWork = 0 WHERE ProcessId = %d;", p))
				a.begin()
				a.exec(fmt.Sprintf("UPDATE dbsched.Processes SET Status = 'Open', FinishedAt = NULL WHERE ProcessId = %d;", p))
				b.exec(fmt.Sprintf("INSERT INTO dbsched.ProcessRequests (ProcessId, Action) VALUES (%d, 'Close');", p))
				done := make(chan error, 1)
				go func() { done <- b.try("EXEC dbsched.ApplyProcessRequests;") }()
				h.until(time.Minute, "the request waits", func() bool {
					return h.server.value("SELECT COUNT(*) FROM sys.dm_exec_requests WHERE blocking_session_id <> 0;") != "0"
				})
				a.commit()
				require.NoError(h, <-done)
				// The dispatcher may have taken the request and waited.
				h.until(10*time.Second, "the request is carried out", func() bool {
					return strings.Join(b.rows(fmt.Sprintf("SELECT Status, CloseRequested FROM dbsched.Processes WHERE ProcessId = %d;", p))[0], " ") == "Succeeded true"
				})
			})
		})
	}
}

// aBitOfEverything installs, works and uninstalls.
func (h *harness) aBitOfEverything() {
	h.Helper()
	s := h.marks()
	before := h.inventory()
	h.installNow(3)
	h.user("Änna", "user")

	var tasks []dialects.NewTask
	for _, seed := range seedTasks {
		tasks = append(tasks, h.sleep(seed.order, seed.delay))
	}
	h.exec(tasks...)
	h.drain(2 * time.Minute)
	require.Len(h, h.logs(), 9)
	h.requireWaves(h.logs())
	require.Equal(h, 3, overlap(h.logs()))

	bad := h.exec(h.task(1, h.say.failing[0].sql), h.task(2, h.say.mark(1)))
	mine := h.enqueueAs("Änna", 3, h.say.mark(2))
	h.drain(time.Minute)
	require.Equal(h, 8134, h.logsOf(bad[0])[0].ErrorNumber)
	require.Equal(h, "Succeeded", h.statusOf(mine))
	require.Equal(h, [][]string{{"1"}, {"2"}}, s.rows(h.say.markRead))

	require.NoError(h, h.sched.SetPolicy(h.Context(), dialects.RoundRobin))
	s.exec("EXEC dbsched.SetPolicy 'priority';")
	require.Equal(h, dialects.Priority, h.status().Policy, "values are taken in any case")
	s.exec("EXEC dbsched.SetPolicy 'FIFO';")
	require.Equal(h, dialects.Fifo, h.status().Policy)
	p := number(h, s.ask(h.say.createProcess("p", true)))
	s.begin()
	s.exec(h.say.enqueue(p, 1, h.say.mark(3)))
	s.exec(h.say.release(p))
	s.exec(h.say.close(p))
	s.commit()
	h.waitFor(p, time.Minute)
	require.Equal(h, "Succeeded", h.processOf(p).Status)
	h.requireNobodyBlocked(func(c *session) { c.begin() }, "open transaction")
	h.requireNoAlarms()

	h.pause(time.Minute)
	s.exec("ALTER ROLE dbsched_user DROP MEMBER [Änna];")
	s.exec("DROP USER [Änna];")
	_, err := h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
	require.NoError(h, err)
	require.Equal(h, before, h.inventory())
}
