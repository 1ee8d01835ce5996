// Package web is what commands that serve HTTP share: whom they answer, how many at once, and for how long.
package web

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Site is an address with the names under which it is reached.
type Site struct {
	listen string
	cert   *tls.Certificate // nil: clear text, on this machine only
}

// New returns a site. Without a certificate its address must be one that other machines do not reach; see [Loopback].
func New(listen string, cert *tls.Certificate) *Site { return &Site{listen, cert} }

// Loopback reports whether a listening address can be reached only from this machine.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// Named reports whether a Host header, without its port, is a name of this site: against DNS rebinding.
func (s *Site) Named(host string) bool {
	if s.cert == nil {
		return Loopback(net.JoinHostPort(host, "0"))
	}
	return s.cert.Leaf.VerifyHostname(host) == nil
}

// URL returns the address to open: with the listener's port and a name that Named accepts, if there is one.
func (s *Site) URL(at net.Addr) string {
	host, port, _ := net.SplitHostPort(at.String()) // a listener's address has both
	if s.cert == nil {
		return "http://" + net.JoinHostPort(host, port)
	}
	given, _, _ := net.SplitHostPort(s.listen)
	names := append([]string{given, host}, s.cert.Leaf.DNSNames...)
	for _, ip := range s.cert.Leaf.IPAddresses {
		names = append(names, ip.String())
	}
	if own, err := os.Hostname(); err == nil { // for a certificate with a wildcard
		names = append(names, own)
	}
	for _, name := range names {
		if name != "" && !strings.Contains(name, "*") && s.Named(name) {
			host = name
			break
		}
	}
	return "https://" + net.JoinHostPort(host, port)
}

// Limits of a connection.
const (
	header   = 10 * time.Second // for the header of a request, and for a TLS handshake
	request  = 30 * time.Second // for a whole request
	answer   = 2 * time.Minute  // for a request with its answer
	idle     = time.Minute      // between two requests
	maxBytes = 64 << 10         // of a header
	// MaxConns is how many connections are open at once. A further one closes the oldest that waits for a request.
	MaxConns = 512
)

// Listen listens on the site's address.
func (s *Site) Listen(ctx context.Context) (net.Listener, error) {
	return new(net.ListenConfig).Listen(ctx, "tcp", s.listen)
}

// Serve answers on a listener until the context ends, and then lets requests finish.
func (s *Site) Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	if s.cert != nil {
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{*s.cert}, MinVersion: tls.VersionTLS12})
	}
	server := &http.Server{
		Handler: h, BaseContext: func(net.Listener) context.Context { return ctx }, ConnState: new(conns).state,
		ReadHeaderTimeout: header, ReadTimeout: request, WriteTimeout: answer, IdleTimeout: idle, MaxHeaderBytes: maxBytes,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), // a line for each handshake that fails would be anybody's to write
	}
	stop := context.AfterFunc(ctx, func() {
		over, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = server.Shutdown(over) // what is still running ends with the program
	})
	defer stop()
	if err := server.Serve(l); ctx.Err() == nil && !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// conns are the open connections that wait for a request, and how many others there are.
type conns struct {
	mu      sync.Mutex
	waiting map[net.Conn]time.Time // since when
	open    int
}

// state is called by the server when a connection changes. A header that is only partly read is waiting, too.
func (c *conns) state(conn net.Conn, s http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == nil {
		c.waiting = map[net.Conn]time.Time{}
	}
	switch s {
	case http.StateNew:
		c.open++
		if c.open > MaxConns {
			oldest := conn
			for other, since := range c.waiting {
				if oldest == conn || since.Before(c.waiting[oldest]) {
					oldest = other
				}
			}
			delete(c.waiting, oldest)
			go oldest.Close() // of TLS, it waits for the client
			if oldest == conn {
				return
			}
		}
		c.waiting[conn] = time.Now()
	case http.StateIdle:
		c.waiting[conn] = time.Now()
	case http.StateActive:
		delete(c.waiting, conn)
	case http.StateClosed, http.StateHijacked:
		c.open--
		delete(c.waiting, conn)
	}
}
