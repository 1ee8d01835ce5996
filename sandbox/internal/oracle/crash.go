package oracle

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// waits reports whether a commit returns only when its log is on disk. nil is a commit of the engine itself: of DDL, or at the end of a
// driver's call. In PL/SQL a COMMIT without WRITE is BATCH NOWAIT (Database PL/SQL Language Reference, "COMMIT Statement"); with
// WRITE, WAIT is the default (SQL Language Reference, "COMMIT").
func (s *Session) waits(n *ast.Commit) bool {
	switch {
	case n != nil && s.srv.k.Differs(differ.WaitDoesNotWait):
		return false
	case s.srv.k.Differs(differ.PlainCommitsWait):
		return true
	}
	return n == nil || plsql.Waits(n)
}

// endCall ends a client's call, which returns only when the log of what it has committed is on disk.
func (s *Session) endCall() {
	if s.unsynced && !s.task.Dying() {
		s.unsynced = false
		s.synchWrites++
		s.srv.store.Sync()
	}
}

// CrashAtCommit crashes the instance at the nth commit of a change from now on, after it has become visible: all sessions end,
// uncommitted work is rolled back, and committed work whose log was not written is lost. The instance is back up at
// once. 0 cancels an earlier call.
func (srv *Server) CrashAtCommit(n int) { srv.crashAt = n }

// CrashAtStatement crashes the instance before the nth SQL statement from now on, in the same way.
func (srv *Server) CrashAtStatement(n int) { srv.crashAtStatement = n }

// Crashes returns the number of crashes so far. It may be called when the instance is back up.
func (srv *Server) Crashes() int { return srv.crashes }

// Lost returns the tables, as OWNER.NAME, that lost committed changes in all crashes so far.
func (srv *Server) Lost() []string { return srv.lost }

// committed counts a commit of a change down to the crash.
func (srv *Server) committed() {
	srv.countdown(&srv.crashAt)
}

// countdown crashes when a count reaches its end; a count of 0 is off.
func (srv *Server) countdown(left *int) {
	if *left == 0 || srv.down {
		return
	}
	if *left--; *left == 0 {
		srv.Crash()
	}
}

// Crash crashes the instance: all sessions end, uncommitted work is rolled back, and committed work whose
// log was not written is lost. The instance is back up at once.
func (srv *Server) Crash() {
	srv.log("the instance has crashed")
	srv.down = true
	srv.sessions.Scan(func(_ int, s *Session) bool {
		s.task.Kill()
		return true
	})
	srv.k.Go("SMON", srv.recover, nil)
}

// recover restarts the instance when all sessions are gone.
func (srv *Server) recover(t *kernel.Task) {
	for srv.sessions.Len() > 0 {
		t.Block(kernel.Wait{For: 1}) // whoever is ready runs first
	}
	lost := srv.store.Crash()
	srv.log(fmt.Sprintf("crash recovery: committed changes were lost in [%s]", strings.Join(lost, " ")))
	srv.lost = append(srv.lost, lost...)
	srv.crashes++
	srv.down = false
	srv.jobs.Restart()
}

// errDown is the error of a login while the instance is down.
func errDown() error { return message.ORA(1034).Ending(sqlerr.Connection) }
