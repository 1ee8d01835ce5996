package snapshot

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestShare: many viewers cost one reading per interval, one that leaves costs nothing, and an error keeps the last value.
func TestShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads, fail, slow := 0, error(nil), time.Duration(0)
		s := NewShare(func(context.Context) (*Snapshot, error) {
			reads++
			time.Sleep(slow)
			return &Snapshot{Status: dialects.Status{Running: int64(reads)}}, fail
		}, Every(2*time.Second))
		ctx, cancel := context.WithCancel(t.Context())
		frames := make([]int, 50)
		for i := range frames {
			go func() {
				for f := range s.Frames(ctx) {
					require.NotNil(t, f.Value)
					frames[i]++
				}
			}()
		}
		time.Sleep(time.Minute - time.Millisecond)
		synctest.Wait()
		require.Equal(t, 30, reads)
		for _, n := range frames {
			require.Equal(t, 30, n)
		}
		cancel()
		synctest.Wait()
		time.Sleep(time.Hour)
		require.Equal(t, 30, reads, "nobody looks")

		fail = errors.New("lost")
		f, err := s.Now(t.Context())
		require.NoError(t, err)
		require.EqualError(t, f.Err, "lost")
		require.EqualValues(t, 30, f.Value.Status.Running, "what was read last")

		fail, slow = nil, time.Second
		time.Sleep(time.Hour)
		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		before := reads
		for f := range s.Frames(ctx) {
			require.NoError(t, f.Err)
		}
		require.LessOrEqual(t, reads-before, 7, "a slow database is asked less often")

		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = s.Now(ended)
		require.Error(t, err)
	})
}
