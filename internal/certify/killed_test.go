package certify

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// fuse is the network of a program that is killed: after a number of messages it loses all connections, and gets no more.
type fuse struct {
	dial dialects.DialFunc

	mu    sync.Mutex
	left  int // messages that still pass
	sent  int
	conns []net.Conn
}

var errBlown = errors.New("the program was killed")

func (f *fuse) connect(ctx context.Context, network, address string) (net.Conn, error) {
	f.mu.Lock()
	blown := f.left <= 0
	f.mu.Unlock()
	if blown {
		return nil, errBlown
	}
	conn, err := f.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.conns = append(f.conns, conn)
	return &fused{conn, f}, nil
}

// fused is one of its connections.
type fused struct {
	net.Conn
	f *fuse
}

func (c *fused) Write(p []byte) (int, error) {
	c.f.mu.Lock()
	c.f.left--
	c.f.sent++
	blown := c.f.left <= 0
	c.f.mu.Unlock()
	if blown {
		c.f.blow()
		return 0, errBlown
	}
	return c.Conn.Write(p)
}

// blow kills the program.
func (f *fuse) blow() {
	f.mu.Lock()
	f.left = 0
	conns := f.conns
	f.mu.Unlock()
	for _, conn := range conns {
		_ = conn.Close()
	}
}

// catalog lists what a database has.
var catalog = map[string]string{
	"mssql": `SELECT N'object ' + SCHEMA_NAME(o.schema_id) + N'.' + o.name FROM sys.objects AS o UNION ALL SELECT N'schema ' + s.name FROM sys.schemas AS s
UNION ALL SELECT N'principal ' + p.name FROM sys.database_principals AS p UNION ALL SELECT N'service ' + s.name FROM sys.services AS s
UNION ALL SELECT N'contract ' + c.name FROM sys.service_contracts AS c UNION ALL SELECT N'message type ' + m.name FROM sys.service_message_types AS m
UNION ALL SELECT N'type ' + t.name FROM sys.types AS t ORDER BY 1`,
	"oracle": `select o.object_type || ' ' || o.object_name from user_objects o union all select 'user ' || u.username from all_users u
union all select 'job ' || j.job_name from user_scheduler_jobs j order by 1`,
}

// TestKilled: whenever the program is killed, Clean leaves the catalog as it was before. DBSCHED_CERTIFY=all tries 20 moments on each engine.
func TestKilled(t *testing.T) {
	moments, first := 2, 1
	if thorough() {
		moments, first = 20, 0
	}
	for dialect, total := range map[string]int{"mssql": 1000, "oracle": 1000} { // messages of a run, or somewhat fewer
		t.Run(dialect, func(t *testing.T) {
			for i := first; i <= moments; i++ {
				sandboxtest.Run(t, sandbox.Options{Dialect: dialect}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
					t.Helper()
					server := on(t, box)
					db, err := sandboxtest.Open(dialect, box.DSN(), box.Dial)
					require.NoError(t, err)
					defer db.Close()
					before, err := column(t.Context(), db, catalog[dialect])
					require.NoError(t, err)
					killed := server
					f := &fuse{dial: box.Dial, left: 1 << 30}
					if i > 0 {
						f.left = total * i / (moments + 1)
					}
					killed.Target.Dial = f.connect
					r, err := Run(t.Context(), killed, Options{Invasive: true, Quick: true, Step: func(string) {}})
					if i == 0 {
						require.NoError(t, err)
						require.Greater(t, f.sent, total)
						total = f.sent
						return
					}
					require.True(t, err != nil || len(r.Left) > 0, "after %d of %d messages", f.sent, total)
					left, err := Clean(t.Context(), server)
					require.NoError(t, err, "after %d of %d messages", f.sent, total)
					require.Empty(t, left)
					after, err := column(t.Context(), db, catalog[dialect])
					require.NoError(t, err)
					require.Equal(t, before, after, "after %d of %d messages", f.sent, total)
				})
			}
		})
	}
}
