package web

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// pipes is a listener whose connections are pipes, which know virtual time.
type pipes struct {
	t     *testing.T // of the bubble
	conns chan net.Conn
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.done); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8420} }

// dial connects. The test's end closes the connection.
func (p *pipes) dial() net.Conn {
	here, there := net.Pipe()
	p.t.Cleanup(func() { here.Close() })
	p.conns <- there
	return here
}

// serving runs a test against a site that serves h, in virtual time.
func serving(t *testing.T, cert *tls.Certificate, h http.Handler, test func(p *pipes)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := &pipes{t, make(chan net.Conn), make(chan struct{})}
		ended := make(chan error, 1)
		go func() { ended <- New("127.0.0.1:8420", cert).Serve(ctx, p, h) }()
		t.Cleanup(func() {
			cancel()
			require.NoError(t, <-ended)
			time.Sleep(time.Minute) // for what still runs
		})
		test(p)
	})
}

// closedAfter returns when the server closes a connection that gets these texts and nothing more; what it answers is read.
func closedAfter(t *testing.T, conn net.Conn, sent ...string) time.Duration {
	t.Helper()
	begun := time.Now()
	go func() {
		for _, text := range sent {
			if _, err := io.WriteString(conn, text); err != nil {
				return
			}
		}
	}()
	_, err := io.Copy(io.Discard, conn)
	require.NoError(t, err)
	return time.Since(begun)
}

const get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

// TestConnectionsEnd: none that does not come to a request, or not to its end, is kept.
func TestConnectionsEnd(t *testing.T) {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, "done")
	})
	for name, c := range map[string]struct {
		sent []string
		want time.Duration
	}{
		"nothing":                      {nil, header},
		"half a header":                {[]string{"GET / HTTP/1.1\r\nHo"}, header},
		"a request, then nothing":      {[]string{get}, idle},
		"a second, half a header":      {[]string{get, "GET / HT"}, header},
		"half a body":                  {[]string{"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nx"}, request},
		"a chunk, and never the last":  {[]string{"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"}, request},
		"a body that it waits to send": {[]string{"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"}, request},
	} {
		t.Run(name, func(t *testing.T) {
			serving(t, nil, answer, func(p *pipes) {
				t := p.t
				got := closedAfter(t, p.dial(), c.sent...)
				require.GreaterOrEqual(t, got, c.want)
				require.Less(t, got, c.want+2*time.Second)
			})
		})
	}
	t.Run("a TLS handshake that does not begin", func(t *testing.T) {
		serving(t, certificate(t, "localhost"), answer, func(p *pipes) {
			t := p.t
			require.Equal(t, header, closedAfter(t, p.dial()))
		})
	})
	t.Run("an answer that nobody reads", func(t *testing.T) {
		var left chan time.Duration // of the bubble
		h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			begun := time.Now()
			_, err := w.Write(make([]byte, 1<<20))
			require.Error(t, err)
			left <- time.Since(begun)
		})
		serving(t, nil, h, func(p *pipes) {
			t := p.t
			left = make(chan time.Duration, 1)
			_, err := io.WriteString(p.dial(), get)
			require.NoError(t, err)
			require.Equal(t, 2*time.Minute, <-left)
		})
	})
	t.Run("a header of a megabyte", func(t *testing.T) {
		serving(t, nil, answer, func(p *pipes) {
			t := p.t
			conn := p.dial()
			go func() {
				_, _ = io.WriteString(conn, "GET /?"+strings.Repeat("x", 1<<20)+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
			}()
			line, err := bufio.NewReader(conn).ReadString('\n')
			require.NoError(t, err)
			require.Contains(t, line, "431")
		})
	})
}

// TestConnectionsAreBounded: of very many that wait for a request, the oldest ends; what runs goes on, and a new client is answered.
func TestConnectionsAreBounded(t *testing.T) {
	release := make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-release
		}
		fmt.Fprint(w, "done")
	})
	for name, half := range map[string]string{"empty": "", "half a header": "GET / HTTP/1.1\r\nHo", "kept alive": get} {
		t.Run(name, func(t *testing.T) {
			serving(t, nil, h, func(p *pipes) {
				t := p.t
				release = make(chan struct{})
				slow := p.dial()
				_, err := io.WriteString(slow, "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
				require.NoError(t, err)
				closed := make([]bool, 2*MaxConns)
				for i := range closed {
					conn := p.dial()
					if half != "" {
						_, err := io.WriteString(conn, half)
						require.NoError(t, err)
					}
					go func() {
						_, _ = io.Copy(io.Discard, conn)
						closed[i] = true
					}()
					time.Sleep(time.Millisecond)
				}
				synctest.Wait()
				n := 0
				for i, c := range closed {
					if c {
						n++
						require.Less(t, i, MaxConns+1, "the oldest first")
					}
				}
				require.Equal(t, MaxConns+1, n)
				require.Contains(t, answerOf(t, p.dial(), get), "200 OK")
				close(release)
				require.Contains(t, answerOf(t, slow, ""), "200 OK")
			})
		})
	}
	t.Run("all run", func(t *testing.T) {
		serving(t, nil, h, func(p *pipes) {
			t := p.t
			release = make(chan struct{})
			conns := make([]net.Conn, MaxConns)
			for i := range conns {
				conns[i] = p.dial()
				_, err := io.WriteString(conns[i], "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
				require.NoError(t, err)
			}
			synctest.Wait()
			require.Zero(t, closedAfter(t, p.dial()), "a further one is refused")
			close(release)
			for _, c := range conns {
				require.Contains(t, answerOf(t, c, ""), "200 OK")
				c.Close()
			}
			synctest.Wait()
			require.Contains(t, answerOf(t, p.dial(), get), "200 OK")
		})
	})
}

// answerOf returns the first line that comes.
func answerOf(t *testing.T, conn net.Conn, request string) string {
	t.Helper()
	go func() { _, _ = io.WriteString(conn, request) }()
	line, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	return line
}

// TestRefusedConnectionsEnd: at once, and what is left of the request is not waited for.
func TestRefusedConnectionsEnd(t *testing.T) {
	log := &strings.Builder{}
	g := &Guard{Names: New("127.0.0.1:1", nil).Named, Log: slog.New(slog.NewTextHandler(log, nil))}
	h := g.Host(g.Bearer(Fixed("token"), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "secret") })))
	serving(t, nil, h, func(p *pipes) {
		t := p.t
		for _, sent := range []string{
			get, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nx", "GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer toke\r\n\r\n",
			"GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic token\r\n\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \r\n\r\n",
			"GET / HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer token\r\n\r\n", "GET / HTTP/1.0\r\nAuthorization: Bearer token\r\n\r\n",
		} {
			require.Less(t, closedAfter(t, p.dial(), sent), time.Second, sent)
		}
		require.Equal(t, "HTTP/1.1 200 OK\r\n", answerOf(t, p.dial(), "GET / HTTP/1.1\r\nHost: localhost:1\r\nAuthorization: Bearer token\r\n\r\n"))
	})
	require.Contains(t, log.String(), `msg="a request was refused" status=401 from=pipe host=localhost path=/ also_refused=0`)
	require.Equal(t, 1, strings.Count(log.String(), "\n"), "within ten seconds one line")
}

// TestRefusalsAreCounted: a line each ten seconds says how many there were.
func TestRefusalsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &strings.Builder{}
		g := &Guard{Names: func(host string) bool { return host == "localhost" }, Log: slog.New(slog.NewTextHandler(log, nil))}
		h := g.Host(http.NotFoundHandler())
		for range 300 {
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "http://evil.example/?token=hush", nil))
			time.Sleep(100 * time.Millisecond)
		}
		require.Equal(t, 3, strings.Count(log.String(), "\n"))
		require.Equal(t, 2, strings.Count(log.String(), "also_refused=99"))
		require.NotContains(t, log.String(), "hush", "a guess may be near the truth")
	})
}

func TestTokenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	token := FromFile(path)
	require.False(t, token.Is(""), "a file that is not there lets nobody in")
	write := func(text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o600)) }
	write("a long and secret token\n")
	require.True(t, token.Is("a long and secret token"))
	require.False(t, token.Is("a long and secret token\n"))
	write("another secret token, as long")
	require.False(t, token.Is("a long and secret token"))
	require.True(t, token.Is("another secret token, as long"))
	write("short")
	require.False(t, token.Is("short"))
	require.NoError(t, os.Remove(path))
	require.False(t, token.Is("another secret token, as long"))
}

// certificate returns one of its own for names and addresses.
func certificate(t *testing.T, names ...string) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// TestURL: the address that is printed is one that is answered.
func TestURL(t *testing.T) {
	at := func(text string) net.Addr {
		a, err := net.ResolveTCPAddr("tcp", text)
		require.NoError(t, err)
		return a
	}
	for _, c := range []struct {
		listen, at string
		cert       *tls.Certificate
		want       string
	}{
		{"127.0.0.1:0", "127.0.0.1:8420", nil, "http://127.0.0.1:8420"},
		{"[::1]:0", "[::1]:8420", nil, "http://[::1]:8420"},
		{"0.0.0.0:8443", "[::]:8443", certificate(t, "*.corp.example", "jobs.corp.example"), "https://jobs.corp.example:8443"},
		{":8443", "[::]:8443", certificate(t, "10.1.2.3"), "https://10.1.2.3:8443"},
		{"b.example:8443", "10.1.2.3:8443", certificate(t, "a.example", "b.example"), "https://b.example:8443"},
		{"10.1.2.3:8443", "10.1.2.3:8443", certificate(t, "a.example", "10.1.2.3"), "https://10.1.2.3:8443"},
		{"127.0.0.1:8443", "127.0.0.1:8443", certificate(t, "localhost"), "https://localhost:8443"},
		{"0.0.0.0:8443", "[::]:8443", certificate(t, "2001:db8::1"), "https://[2001:db8::1]:8443"},
	} {
		s := New(c.listen, c.cert)
		got := s.URL(at(c.at))
		require.Equal(t, c.want, got)
		host, _, err := net.SplitHostPort(strings.TrimPrefix(strings.TrimPrefix(got, "https://"), "http://"))
		require.NoError(t, err)
		require.True(t, s.Named(host))
		require.False(t, s.Named("evil.example"))
	}
}

func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:1": true, "127.9.9.9:1": true, "[::1]:1": true, "localhost:1": true, "[::ffff:127.0.0.1]:1": true,
		":1": false, "0.0.0.0:1": false, "[::]:1": false, "10.0.0.1:1": false, "localhost.evil.example:1": false, "localhost": false, "": false,
	} {
		require.Equal(t, want, Loopback(address), address)
	}
}
