// Package logintest provides servers that log nobody in.
package logintest

import (
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Server is a listener that accepts connections, replies to the first bytes of each with something, or with nothing, and then is silent.
type Server struct {
	Addr string
	// Gone gets a value for every connection that the client has closed.
	Gone chan struct{}
	// Taken gets a value for every connection that has sent something.
	Taken chan struct{}
}

// Start starts a server that ends with the test.
func Start(t *testing.T, answer []byte) *Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	s := &Server{Addr: l.Addr().String(), Gone: make(chan struct{}, 100), Taken: make(chan struct{}, 100)}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
			go s.serve(conn, answer)
		}
	}()
	return s
}

func (s *Server) serve(conn net.Conn, answer []byte) {
	defer func() { s.Gone <- struct{}{} }()
	buf := make([]byte, 4096)
	if _, err := conn.Read(buf); err != nil {
		return
	}
	s.Taken <- struct{}{}
	if _, err := conn.Write(answer); err != nil {
		return
	}
	for {
		if _, err := conn.Read(buf); err != nil {
			return
		}
	}
}

// Soon waits for an event that must happen.
func Soon(t *testing.T, c <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(20 * time.Second):
		require.Fail(t, "too late", what)
	}
}
