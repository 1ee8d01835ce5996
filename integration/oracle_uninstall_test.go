package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// TestOracleUninstallBesideEnqueuers: an open transaction that has enqueued is waited for, for half a minute; what it
// enqueued is dropped with the rest when it has ended.
func TestOracleUninstallBesideEnqueuers(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		open := h.session()
		open.begin()
		open.exec(h.say.enqueue(1, 1, h.say.nothing))
		since := h.now()
		err := h.uninstall(dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.ErrorAs(h, err, new(*dialects.PartialError))
		require.ErrorContains(h, err, "ORA-24018")
		require.ErrorContains(h, err, "uninstall again")
		require.Less(h, h.now().Sub(since), 2*time.Minute)
		open.rollback()

		done := make(chan error, 1)
		go func() { // from now on for fifteen seconds
			_, err := open.conn.ExecContext(h.Context(), "begin execute immediate 'begin dbsched.exec_async(:1, 1); end;' using 'begin null; end;'; dbms_session.sleep(15); commit; end;")
			done <- err
		}()
		h.pause(100 * time.Millisecond)
		require.NoError(h, h.uninstall(dialects.UninstallOptions{DrainTimeout: time.Minute}))
		require.NoError(h, <-done)
		require.Equal(h, "0", h.session().value("select count(*) from user_objects"))
	})
}

// TestOracleUninstallByHand: the statements that an uninstallation sends, run by somebody who does not wait, end a task that
// resists, if the user has the right to use force; otherwise they say what is in the way, and continue from there when it has
// ended.
func TestOracleUninstallByHand(t *testing.T) {
	for name, mayKill := range sorted(map[string]bool{"with force": true, "without": false}) {
		t.Run(name, func(t *testing.T) {
			onOracle(t, setup{lanes: 2, box: handledBreaks}, func(h *harness) {
				if mayKill {
					h.mayKill()
				}
				h.exec(h.task(1, h.say.stubborn(5*time.Minute, false)))
				h.untilRunning(1, 2*h.restart)
				err := h.uninstall(dialects.UninstallOptions{DrainTimeout: time.Second})
				require.ErrorAs(h, err, new(*dialects.PartialError))
				require.ErrorContains(h, err, "nothing was removed")

				batches, err := templates.OracleUninstall(templates.Params{Schema: h.schema})
				require.NoError(h, err)
				byHand := func() error {
					for _, b := range batches {
						if _, err := h.clock.ExecContext(h.Context(), b.SQL); err != nil {
							return err
						}
					}
					return nil
				}
				if !mayKill {
					require.ErrorContains(h, byHand(), "ORA-27365")
					h.pause(5 * time.Minute)
				}
				require.NoError(h, byHand())
				require.Equal(h, "0", h.session().value("select count(*) from user_objects"))
				require.Equal(h, "0", h.session().value("select count(*) from user_scheduler_jobs"))
			})
		})
	}
}
