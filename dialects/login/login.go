// Package login holds what the dialects share when they connect: a login that ends with its timeout or its context, and hints for
// errors that occur before a server responds.
package login

import (
	"context"
	"crypto/x509"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/dbsched/dbsched/dialects"
)

// DefaultTimeout is how long a login may take unless the DSN says otherwise.
const DefaultTimeout = 15 * time.Second

// Connector logs in within a time limit, and gives up at once when the context ends. The drivers do not: go-mssqldb 1.10.0 reads the answer
// to its prelogin and does the TLS handshake without looking at the context (tds.go, connect: readPrelogin, tlsConn.Handshake), looks up
// the host without one (protocol.go, net.LookupIP), and leaves the connection open when it fails; go-ora 2.9.0 writes a last packet
// before it closes, which waits if the peer does not read. So the driver runs in a goroutine of its own, and its connections are closed under it.
type Connector struct {
	driver.Connector
	Timeout time.Duration // 0: none
}

// Connect logs in. The driver has to dial with [Dial].
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

// over returns why a login was abandoned.
func (c *Connector) over(ctx context.Context, connected bool) error {
	if cause := context.Cause(ctx); !errors.Is(cause, errOver) {
		return cause
	}
	return &TimeoutError{After: c.Timeout, Connected: connected}
}

var errOver = errors.New("the login timed out")

// TimeoutError reports a login that took too long.
type TimeoutError struct {
	After     time.Duration
	Connected bool // a TCP connection was made
}

// Error says how far the login got.
func (e *TimeoutError) Error() string {
	if e.Connected {
		return fmt.Sprintf("the server accepted the connection but did not complete the login within %v", e.After)
	}
	return fmt.Sprintf("nothing answered at that address within %v", e.After)
}

// Timeout and Temporary make it a net.Error.
func (e *TimeoutError) Timeout() bool { return true }

// Temporary: see Timeout.
func (e *TimeoutError) Temporary() bool { return true }

// attempt is one login: the connections that the driver has made for it.
type attempt struct {
	mu        sync.Mutex
	conns     []net.Conn
	connected bool
	over      bool
}

type attemptKey struct{}

// end closes the connections, including later ones, and reports whether there was one.
func (a *attempt) end() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	for _, conn := range a.conns {
		conn.Close()
	}
	return a.connected
}

// Dial returns dial, or by default the network's, and binds each connection to the login that it is made for.
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
		a.connected = a.connected || strings.HasPrefix(network, "tcp") // a UDP dial, which asks for a port, always succeeds
		return conn, nil
	}
}

// keepAlive is go-mssqldb's default; it keeps firewalls from dropping idle connections.
const keepAlive = 30 * time.Second

// Each limits every single dial, so that a dead address leaves time for the others.
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

// Local reports whether a host is this machine.
func Local(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Has reports whether an option is given, in any case of letters.
func Has(options url.Values, key string) bool {
	for k := range options {
		if strings.EqualFold(k, key) {
			return true
		}
	}
	return false
}

// Scrub removes from a driver's error what may be a password: those of the DSN and the values of all its options, because a password may
// stand at the wrong place.
func Scrub(err error, dsn *url.URL, secrets ...string) string {
	if p, given := dsn.User.Password(); given {
		_, inURL, _ := strings.Cut(dsn.User.String(), ":")
		secrets = append(secrets, p, inURL)
	}
	for _, values := range dsn.Query() {
		secrets = append(secrets, values...)
	}
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // one may be a part of another
	text := err.Error()
	for _, s := range secrets {
		for _, form := range []string{s, strings.ToLower(s), strings.ToUpper(s), url.QueryEscape(s), url.PathEscape(s), strings.Trim(strconv.Quote(s), `"`)} {
			switch {
			case form == "":
			case len(form) < 4 && utf8.ValidString(form): // it may be a part of any word
				text = regexp.MustCompile(`\b`+regexp.QuoteMeta(form)+`\b`).ReplaceAllString(text, "*****")
			default:
				text = strings.ReplaceAll(text, form, "*****")
			}
		}
	}
	return text
}

// Words are the names of a DSN's options in hints.
type Words struct {
	Timeout     string // the option that gives a login more time
	Certificate string // how to make a certificate trusted
	TLS         string // the option that encrypts the connection from the start
}

// Hint explains an error that is not the server's own and says what to do. It is empty for other errors.
func Hint(err error, w Words) string {
	text := err.Error()
	if e, ok := errors.AsType[*TimeoutError](err); ok {
		if e.Connected {
			return "The server may be overloaded or starting, or something other than a database listens there. " +
				"Check the host and port. If the login needs more time, add " + w.Timeout + "=60 to the DSN."
		}
		return firewall
	}
	var (
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &name), strings.Contains(text, "certificate is valid for"), strings.Contains(text, "certificate is not valid for any names"):
		return "The server's certificate is for a different name than the one in the DSN. Connect with a name that is in the certificate. Or: " + w.Certificate
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired, strings.Contains(text, "certificate has expired or is not yet valid"):
		return "The server's certificate has expired or is not valid yet. Renew it, or correct the clock of this machine."
	// go-mssqldb keeps the text of a failed handshake, not the error.
	case isUnknownAuthority(err), strings.Contains(text, "x509: "), strings.Contains(text, "failed to verify certificate"):
		return "This machine does not trust the signer of the server's certificate. " + w.Certificate
	case isDNS(err):
		return "The host name cannot be resolved. Check its spelling, and check that the network or VPN is connected."
	case errors.Is(err, syscall.ECONNREFUSED), strings.Contains(text, "actively refused"):
		return "The host answers, but nothing listens on that port. Check the port, and check that the database's listener runs and accepts TCP connections."
	case isTimeout(err):
		return firewall
	// What go-mssqldb says of an answer that is not in the protocol.
	case strings.Contains(text, "invalid packet size"), strings.Contains(text, "expecting prelogin"), strings.Contains(text, "invalid prelogin option"):
		return "What answers there is not this kind of database. Check the host, the port and the DSN's scheme."
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), strings.Contains(text, "forcibly closed"):
		return "The server closed the connection. It may not be a database, may accept only TLS, or may block this machine. " +
			"Check the host and port, and try " + w.TLS + " in the DSN."
	}
	return ""
}

const firewall = "The host is down, or a firewall blocks the port. Check the host and port, and try from a machine that is allowed through."

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
