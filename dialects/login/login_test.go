package login

import (
	"context"
	"crypto/x509"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// scripted is a driver's connector.
type scripted struct {
	driver.Connector
	connect func(context.Context) (driver.Conn, error)
}

func (s scripted) Connect(ctx context.Context) (driver.Conn, error) { return s.connect(ctx) }

type conn struct {
	driver.Conn
	closed bool
}

func (c *conn) Close() error { c.closed = true; return nil }

// deaf is a driver that dials, and then waits for a response whatever its context says.
func deaf(dial dialects.DialFunc) scripted {
	return scripted{connect: func(ctx context.Context) (driver.Conn, error) {
		c, err := dial(ctx, "tcp", "server:1")
		if err != nil {
			return nil, err
		}
		_, err = c.Read(make([]byte, 1))
		return nil, fmt.Errorf("while reading: %w", err)
	}}
}

// piped dials a server that says nothing.
func piped(context.Context, string, string) (net.Conn, error) {
	client, _ := net.Pipe()
	return client, nil
}

// TestALoginThatIsNotAnswered: it ends when its time is up, not when the driver would end it, and the driver's connection is closed: nothing
// of it is left, or the bubble would not end.
func TestALoginThatIsNotAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		c := &Connector{Connector: deaf(Dial(piped)), Timeout: DefaultTimeout}
		_, err := c.Connect(t.Context())
		require.EqualError(t, err, "the server accepted the connection but did not complete the login within 15s")
		require.Equal(t, DefaultTimeout, time.Since(begun))
	})
}

// TestALoginThatIsGivenUp: it ends at once.
func TestALoginThatIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() { time.Sleep(time.Second); cancel() }()
		begun := time.Now()
		_, err := (&Connector{Connector: deaf(Dial(piped))}).Connect(ctx)
		require.Equal(t, context.Canceled, err)
		require.Equal(t, time.Second, time.Since(begun))
	})
}

// TestADialThatIsNotAnswered: the driver need not notice, as when it looks up a name.
func TestADialThatIsNotAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		later := make(chan struct{})
		late := &conn{}
		c := &Connector{Timeout: time.Minute, Connector: scripted{connect: func(context.Context) (driver.Conn, error) {
			<-later
			return late, nil
		}}}
		_, err := c.Connect(t.Context())
		require.EqualError(t, err, "nothing answered at that address within 1m0s")
		close(later)
		synctest.Wait()
		require.True(t, late.closed, "a login that came late")
	})
}

// TestADialThatComesLate: a connection made after the end is closed.
func TestADialThatComesLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := net.Pipe()
		slow := func(context.Context, string, string) (net.Conn, error) {
			time.Sleep(time.Hour)
			return client, nil
		}
		_, err := (&Connector{Connector: deaf(Dial(slow)), Timeout: time.Minute}).Connect(t.Context())
		require.ErrorAs(t, err, new(*TimeoutError))
		time.Sleep(2 * time.Hour)
		require.ErrorIs(t, client.SetDeadline(time.Time{}), io.ErrClosedPipe)
	})
}

func TestALoginThatWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := &conn{}
		var dialed net.Conn
		c := &Connector{Timeout: time.Minute, Connector: scripted{connect: func(ctx context.Context) (driver.Conn, error) {
			var err error
			dialed, err = Dial(piped)(ctx, "tcp", "server:1")
			return want, err
		}}}
		got, err := c.Connect(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, got)
		time.Sleep(time.Hour)
		require.False(t, want.closed)
		require.NoError(t, dialed.SetDeadline(time.Time{}), "it was closed")
		dialed.Close()

		c.Connector = scripted{connect: func(context.Context) (driver.Conn, error) { return nil, errors.New("refused") }}
		_, err = c.Connect(t.Context())
		require.EqualError(t, err, "refused")
	})
}

func TestEachDialHasItsShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, err := Each(func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }, 5*time.Second)(t.Context(), "tcp", "x")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 5*time.Second, time.Since(begun))
	})
}

func TestHint(t *testing.T) {
	w := Words{Timeout: "patience", Certificate: "Trust it.", TLS: "tls=on"}
	for want, errs := range map[string][]error{
		"The server may be overloaded or starting": {&TimeoutError{After: time.Second, Connected: true}},
		"patience=60": {&TimeoutError{After: time.Second, Connected: true}},
		"a firewall blocks the port. Check": {
			&TimeoutError{After: time.Second},
			fmt.Errorf("unable to open tcp connection with host 'h:1': %w", &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}),
			&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ETIMEDOUT)},
		},
		"does not trust the signer of the server's certificate. Trust it.": {
			fmt.Errorf("write: %w", x509.UnknownAuthorityError{}),
			errors.New("TLS Handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority"),
		},
		"is for a different name than the one in the DSN": {
			x509.HostnameError{Certificate: &x509.Certificate{}, Host: "h"},
			errors.New("TLS Handshake failed: tls: failed to verify certificate: x509: certificate is valid for a, not h"),
		},
		"has expired or is not valid yet. Renew it": {
			x509.CertificateInvalidError{Reason: x509.Expired},
			errors.New("TLS Handshake failed: tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time"),
		},
		"and try tls=on in the DSN.":       {io.EOF, fmt.Errorf("read: %w", os.NewSyscallError("read", syscall.ECONNRESET))},
		"The host name cannot be resolved": {fmt.Errorf("dial: %w", &net.DNSError{Err: "no such host", Name: "h", IsTimeout: true})},
		"nothing listens on that port":     {&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}},
	} {
		for _, err := range errs {
			require.Contains(t, Hint(err, w), want, "%v", err)
		}
	}
	require.Empty(t, Hint(errors.New("what"), w))
}
