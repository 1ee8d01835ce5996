package tns

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// put puts a piece into b in the background; the channel gets the result.
func put(b *inbox, n int) <-chan error {
	done := make(chan error, 1)
	go func() { done <- b.put(make([]byte, n)) }()
	return done
}

// A reader that is ahead waits until something is taken, a break comes or the connection ends.
func TestInboxWaits(t *testing.T) {
	for name, wake := range map[string]func(b *inbox) error{
		"taken": func(b *inbox) error {
			_, err := b.next()
			return err
		},
		"break": func(b *inbox) error {
			require.True(t, b.marker(markerInterrupt))
			return nil
		},
		"end": func(b *inbox) error {
			b.end(net.ErrClosed)
			return net.ErrClosed
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newInbox()
			require.NoError(t, b.put(make([]byte, maxAhead+1)))
			done := put(b, 1)
			select {
			case <-done:
				t.Fatal("did not wait")
			default:
			}
			require.Equal(t, wake(b), <-done)
		})
	}
}

// During a call nothing is taken; too much data is a breach of the protocol.
func TestInboxBusy(t *testing.T) {
	b := newInbox()
	require.NoError(t, b.put(make([]byte, maxAhead+1)))
	done := put(b, 1)
	require.False(t, b.setBusy(true))
	require.Error(t, <-done)
}

// Data between a break and its reset belong to a request that is abandoned.
func TestInboxBreak(t *testing.T) {
	b := newInbox()
	require.NoError(t, b.put([]byte("old")))
	require.False(t, b.marker(markerReset), "a reset without a break")
	require.True(t, b.marker(markerBreak))
	require.False(t, b.marker(markerBreak), "a second one")
	_, err := b.next()
	require.ErrorIs(t, err, errBreak)
	require.NoError(t, b.put([]byte("dropped")))
	b.marker(markerReset)
	require.NoError(t, b.put([]byte("new")))
	require.NoError(t, b.resume())
	data, err := b.next()
	require.NoError(t, err)
	require.Equal(t, "new", string(data))
	b.end(net.ErrClosed)
	_, err = b.next()
	require.ErrorIs(t, err, net.ErrClosed)
}
