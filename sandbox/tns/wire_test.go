package tns_test

import (
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func dial(t testing.TB, address string) net.Conn {
	t.Helper()
	nc, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = nc.Close() })
	require.NoError(t, nc.SetDeadline(time.Now().Add(10*time.Second)))
	return nc
}
