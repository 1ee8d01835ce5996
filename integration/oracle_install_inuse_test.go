package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// stalls enqueues four times a second for d, and records how long each call took in the table stalls. Names resolve in the owner's schema.
func stalls(d time.Duration) string {
	return fmt.Sprintf(`declare
    l_since timestamp with time zone;
    l_took interval day to second;
begin
    for i in 1 .. %d loop
        l_since := systimestamp;
        execute immediate 'begin dbsched.exec_async(''begin null; end;'', 5); end;';
        commit;
        l_took := systimestamp - l_since;
        insert into stalls (seconds) values (extract(minute from l_took) * 60 + extract(second from l_took));
        commit;
        dbms_session.sleep(0.25);
    end loop;
end;`, d/(250*time.Millisecond))
}

// beside runs a block in a session of its own, and returns a function that waits for it.
func (s *session) beside(block string) (wait func()) {
	done := make(chan error, 1)
	go func() { done <- s.try(block) }()
	s.h.pause(time.Second)
	return func() { require.NoError(s.h, <-done) }
}

// waitAnHour sits in wait_process for a suspended process, until other releases it.
func (s *session) waitAnHour(other *session) (release func()) {
	s.h.Helper()
	process := number(s.h, other.ask(s.h.say.createProcess("suspended", true)))
	other.exec(s.h.say.enqueue(process, 1, s.h.say.nothing))
	wait := s.beside(fmt.Sprintf("declare l_result number; l_status varchar2(20); begin dbsched.wait_process(%d, 3600, l_result, l_status); end;", process))
	return func() {
		s.h.Helper()
		other.exec(s.h.say.release(process))
		wait()
	}
}

// TestOracleUpgradeStallsNobody: while a session sits in wait_process for an hour, an installation of another version neither
// replaces anything nor holds up enqueuers for more than three seconds. It names the session if it may see
// that, and otherwise the query with which a DBA finds it.
func TestOracleUpgradeStallsNobody(t *testing.T) {
	for name, sees := range sorted(map[string]bool{"named": true, "not to be seen": false}) {
		t.Run(name, func(t *testing.T) {
			onOracle(t, setup{lanes: 2, stopped: true}, func(h *harness) {
				s := h.session()
				s.exec("create table stalls (seconds number)")
				if sees {
					h.server.administrate("grant select on sys.v_$access to "+h.schema, "grant select on sys.v_$session to "+h.schema)
				}
				h.otherCode()
				was := s.value(older)
				waiter := h.session()
				sid := waiter.value("select sys_context('USERENV', 'SID') from dual")
				require.NoError(h, h.sched.Start(h.Context()))
				release := waiter.waitAnHour(s)

				_, took, err := h.upgrade(dialects.InstallOptions{DrainTimeout: 20 * time.Second}, stalls(40*time.Second))
				require.ErrorAs(h, err, new(*dialects.PreflightError))
				require.ErrorContains(h, err, "ORA-04021")
				require.ErrorContains(h, err, "the scheduler continues as before")
				if sees {
					require.ErrorContains(h, err, "session "+sid+",")
					require.ErrorContains(h, err, "alter system kill session '"+sid+",")
				} else {
					require.ErrorContains(h, err, "v$access")
				}
				require.Less(h, took, time.Minute)
				require.Equal(h, was, s.value(older), "nothing was replaced")
				require.True(h, h.status().Started)
				require.Equal(h, "160", s.value("select count(*) from stalls"))
				require.Less(h, number(h, s.value("select trunc(max(seconds)) from stalls")), int64(3))

				release()
				_, _, err = h.upgrade(dialects.InstallOptions{DrainTimeout: 20 * time.Second}, "")
				require.NoError(h, err)
				require.Equal(h, "0", s.value(older))
			})
		})
	}
}

// TestOracleGrantStallsNobody: the same for grant and revoke.
func TestOracleGrantStallsNobody(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		r.user("dora", "CREATE SESSION")
		s := h.session()
		s.exec("create table stalls (seconds number)")
		s.exec("grant insert on stalls to public")
		release := h.session().waitAnHour(s)
		enqueuing := r.as("anna").beside(stalls(150 * time.Second))

		err := h.sched.Grant(h.Context(), r.names["dora"], false)
		require.ErrorAs(h, err, new(*dialects.PreflightError))
		require.ErrorContains(h, err, "v$access")
		require.ErrorContains(h, err, "dbsched grant "+r.names["dora"])
		_, err = h.sched.Revoke(h.Context(), r.names["bert"])
		require.ErrorAs(h, err, new(*dialects.PreflightError))
		enqueuing()
		require.Equal(h, "600", s.value("select count(*) from stalls"))
		require.Less(h, number(h, s.value("select trunc(max(seconds)) from stalls")), int64(3))

		release()
		require.NoError(h, h.sched.Grant(h.Context(), r.names["dora"], false))
		require.Equal(h, "Succeeded", r.ends(r.enqueue("dora", note), ""))
	})
}
