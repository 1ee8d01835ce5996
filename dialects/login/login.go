// Package login sees to it that logging in ends: drivers wait without limit for a server that takes the connection and does not
// answer, and some of them whatever becomes of their context.
package login

import (
	"context"
	"database/sql/driver"
	"fmt"
	"net"
	"sync"
	"time"
)

// Limit is how long a login may take when nobody says otherwise.
const Limit = 15 * time.Second

// TimeoutError is a login that took too long.
type TimeoutError struct{ Limit time.Duration }

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("the server did not answer the login within %v. Check host and port: something else may listen there, or a firewall may hold the answers back", e.Limit)
}

// key finds in a context the connections that a login has made.
type key struct{}

// made are connections, which are closed when their login is given up.
type made struct {
	mu    sync.Mutex
	conns []net.Conn
	over  bool
}

func (m *made) add(conn net.Conn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.over {
		_ = conn.Close()
	}
	m.conns = append(m.conns, conn)
}

// giveUp closes them all: only then does a driver that reads notice.
func (m *made) giveUp() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.over = true
	for _, conn := range m.conns {
		_ = conn.Close() // it has failed
	}
}

// Dialer makes connections that a login which is given up takes along.
type Dialer struct{ net.Dialer }

// DialContext connects.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := d.Dialer.DialContext(ctx, network, address)
	if m, ok := ctx.Value(key{}).(*made); ok && err == nil {
		m.add(conn)
	}
	return conn, err
}

// Connector returns a connector whose logins end with their context, or after limit. Its connections have to be made by a Dialer.
func Connector(inner driver.Connector, limit time.Duration) driver.Connector {
	return &connector{inner, limit}
}

type connector struct {
	driver.Connector
	limit time.Duration
}

// Connect logs in.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	limited, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	m := &made{}
	stop := context.AfterFunc(limited, m.giveUp)
	conn, err := c.Connector.Connect(context.WithValue(limited, key{}, m))
	stop()
	if limited.Err() == nil {
		return conn, err
	}
	if err == nil { // both at the same moment
		_ = conn.Close()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, &TimeoutError{c.limit}
}
