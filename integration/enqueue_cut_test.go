package integration

import (
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// cutConn is the driver's end of a connection.
type cutConn struct {
	net.Conn
	c *cutter
}

// Read reads what is let through.
func (k *cutConn) Read(p []byte) (int, error) {
	n, err := k.Conn.Read(p)
	k.c.mu.Lock()
	defer k.c.mu.Unlock()
	if !k.c.armed {
		return n, err
	}
	k.c.sent += n
	if k.c.left < 0 {
		return n, err
	}
	if n > k.c.left {
		k.c.armed = false // the connections that follow are left alone
		_ = k.Close()
		return k.c.left, io.EOF
	}
	k.c.left -= n
	return n, err
}

// TestCutConnection cuts the connection after each byte of the server's response: what is reported as done has been done.
func TestCutConnection(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		if h.server.box == nil {
			h.Skip("it is about the driver and not about the server")
		}
		c := &cutter{dial: h.server.dial()}
		known := func() map[string]bool {
			names := map[string]bool{}
			rounds, err := h.sched.Rounds(h.Context())
			require.NoError(h, err)
			for _, r := range rounds {
				names[r.Name] = true
			}
			return names
		}
		define := func(name string, bytes int) (int, error) {
			sched, err := h.dialect.Open(h.Context(), dialects.Target{Dial: c.connect, DSN: h.server.dsn, Schema: h.schema})
			require.NoError(h, err)
			defer sched.Close()
			_, err = sched.Status(h.Context()) // it is connected
			require.NoError(h, err)
			c.arm(bytes)
			err = sched.DefineRound(h.Context(), dialects.NewRound{Name: name, Members: []string{"a"}, SuccessorSQL: h.say.nothing})
			return c.passed(), err
		}
		whole, err := define("whole", -1)
		require.NoError(h, err)
		require.Positive(h, whole)
		lost := 0
		for n := range whole + 1 {
			name := fmt.Sprint("cut ", n)
			done := make(chan error, 1)
			go func() {
				_, err := define(name, n)
				done <- err
			}()
			select {
			case err = <-done:
			case <-time.After(20 * time.Second):
				require.Fail(h, "it hangs", "%d of %d bytes", n, whole)
			}
			if err == nil {
				require.True(h, known()[name], "%d of %d bytes: it was reported as done", n, whole)
			} else {
				lost++
			}
		}
		h.Logf("%d bytes, %d errors", whole, lost)
		require.Positive(h, lost)
	})
}

// TestKilledCaller: a session that is killed while it waits for a round's row has not defined the round, and the caller gets an error.
func TestKilledCaller(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorSQL: h.say.nothing})
		s := h.session()
		s.begin()
		s.exec(h.say.jobs.hold)
		sched, err := h.dialect.Open(h.Context(), dialects.Target{Dial: h.server.dial(), DSN: withProgram(h.T, h.server.dsn, h.server.program, "victim"), Schema: h.schema})
		require.NoError(h, err)
		defer sched.Close()
		done := make(chan error)
		go func() {
			done <- sched.DefineRound(h.Context(), dialects.NewRound{Name: "r", Members: []string{"a", "b"}, SuccessorSQL: h.say.nothing})
		}()
		admin := h.admin()
		h.until(time.Minute, "a session that waits", func() bool { return len(admin.rows(h.say.jobs.waits)) > 0 })
		admin.exec(h.say.kill(int(number(h, admin.value(h.say.jobs.waits)))))
		require.Error(h, <-done)
		s.rollback()
		require.Equal(h, 1, h.roundOf("r").Members)
	})
}
