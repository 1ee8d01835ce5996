// Package login is what the dialects share of reaching a server: a login that ends when its time is over or its context is, and what
// to do about the errors that come before a server says anything.
package login

import (
	"context"
	"crypto/x509"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// DefaultTimeout is how long a login may take unless the DSN says otherwise.
const DefaultTimeout = 15 * time.Second

// Connector logs in within a time, and gives up at once when the context ends. The drivers do not: go-mssqldb 1.10.0 reads the answer
// to its prelogin and shakes hands for TLS without a look at the context (tds.go, connect: readPrelogin, tlsConn.Handshake), looks up
// the host without one (protocol.go, net.LookupIP), and leaves the connection open when it fails; go-ora 2.9.0 writes a last packet
// before it closes, which waits when nobody reads. So whatever the driver does goes on beside, and its connections are closed under it.
type Connector struct {
	driver.Connector
	Timeout time.Duration // 0: none
}

// Connect logs in. The driver has to dial by [Dial].
func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if c.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, c.Timeout, errOver)
		defer stop()
	}
	a := &attempt{}
	type end struct {
		conn driver.Conn
		err  error
	}
	ends := make(chan end, 1)
	go func() {
		conn, err := c.Connector.Connect(context.WithValue(ctx, attemptKey{}, a))
		ends <- end{conn, err}
	}()
	select {
	case e := <-ends:
		if e.err == nil {
			return e.conn, nil
		}
		answered := a.end()
		if ctx.Err() != nil {
			return nil, c.over(ctx, answered)
		}
		return nil, e.err
	case <-ctx.Done():
		answered := a.end()
		go func() {
			if e := <-ends; e.err == nil {
				e.conn.Close()
			}
		}()
		return nil, c.over(ctx, answered)
	}
}

// over is why a login was given up.
func (c *Connector) over(ctx context.Context, connected bool) error {
	if cause := context.Cause(ctx); !errors.Is(cause, errOver) {
		return cause
	}
	return &TimeoutError{After: c.Timeout, Connected: connected}
}

var errOver = errors.New("the time of the login is over")

// TimeoutError is a login that took too long.
type TimeoutError struct {
	After     time.Duration
	Connected bool // there was a TCP connection
}

// Error says how far it came.
func (e *TimeoutError) Error() string {
	if e.Connected {
		return fmt.Sprintf("the server accepted the connection, and the login was not over within %v", e.After)
	}
	return fmt.Sprintf("nothing answered at that address within %v", e.After)
}

// Timeout makes it a net.Error, as Temporary does.
func (e *TimeoutError) Timeout() bool { return true }

// Temporary is of net.Error, too.
func (e *TimeoutError) Temporary() bool { return true }

// attempt is one login: the connections that the driver has made for it.
type attempt struct {
	mu        sync.Mutex
	conns     []net.Conn
	connected bool
	over      bool
}

type attemptKey struct{}

// end closes the connections, those to come too, and tells whether there was one.
func (a *attempt) end() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	for _, conn := range a.conns {
		conn.Close()
	}
	return a.connected
}

// Dial returns dial, or else the network's own, with its connections bound to the login they are made for.
func Dial(dial dialects.DialFunc) dialects.DialFunc {
	if dial == nil {
		dial = (&net.Dialer{KeepAlive: keepAlive}).DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		a, ok := ctx.Value(attemptKey{}).(*attempt)
		if err != nil || !ok {
			return conn, err
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.over {
			conn.Close()
			return nil, context.Cause(ctx)
		}
		a.conns = append(a.conns, conn)
		a.connected = a.connected || strings.HasPrefix(network, "tcp") // of UDP, which asks for a port, one always succeeds
		return conn, nil
	}
}

// keepAlive is go-mssqldb's; a firewall that forgets idle connections is content with it.
const keepAlive = 30 * time.Second

// Each limits every single dial, so that one of several addresses that nobody answers at leaves time for the others.
func Each(dial dialects.DialFunc, limit time.Duration) dialects.DialFunc {
	if limit <= 0 {
		return dial
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		return dial(ctx, network, address)
	}
}

// Words are what the options of a DSN are called.
type Words struct {
	Timeout     string // the option that gives a login more time
	Certificate string // what to do so that a certificate is trusted
	TLS         string // the option that encrypts the connection from the start
}

// Hint says what an error means that is not the server's own, and what to do. It is empty for others.
func Hint(err error, w Words) string {
	text := err.Error()
	if e, ok := errors.AsType[*TimeoutError](err); ok {
		if e.Connected {
			return "Something listens there, but does not answer as a database does: it is overloaded, or starting, or no database at all. " +
				"Check host and port; if the login only needs longer, say so in the DSN: " + w.Timeout + "=60."
		}
		return firewall
	}
	var (
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &name), strings.Contains(text, "certificate is valid for"), strings.Contains(text, "certificate is not valid for any names"):
		return "The server's certificate is for another name than the one in the DSN. Connect by a name that is in the certificate, or: " + w.Certificate
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired, strings.Contains(text, "certificate has expired or is not yet valid"):
		return "The server's certificate is not valid at this time. Have it renewed, and check the clock of this machine."
	// go-mssqldb keeps the text of a failed handshake, not the error.
	case isUnknownAuthority(err), strings.Contains(text, "x509: "), strings.Contains(text, "failed to verify certificate"):
		return "The server's certificate is not signed by anybody whom this machine trusts. " + w.Certificate
	case isDNS(err):
		return "The host's name cannot be resolved. Check how it is spelled, and whether the network, or the VPN, that knows it is there."
	case errors.Is(err, syscall.ECONNREFUSED), strings.Contains(text, "actively refused"):
		return "The host is there, but nothing listens at that port. Check the port, and that the database's listener runs and takes TCP connections."
	case isTimeout(err):
		return firewall
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), strings.Contains(text, "forcibly closed"):
		return "Something listens there, and closed the connection: it is no such database, or speaks TLS only, or does not let this machine in. " +
			"Check host and port, and try " + w.TLS + " in the DSN."
	}
	return ""
}

const firewall = "The host is down, or a firewall drops what is sent to that port. Check host and port, and try from a machine that is let through."

func isUnknownAuthority(err error) bool {
	var unknown x509.UnknownAuthorityError
	return errors.As(err, &unknown)
}

func isDNS(err error) bool {
	_, ok := errors.AsType[*net.DNSError](err)
	return ok
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}
