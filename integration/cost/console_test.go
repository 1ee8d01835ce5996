package cost

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/console"
	"github.com/dbsched/dbsched/internal/web"
)

// TestConsole: an open console costs its own queries, however many browsers look, and nobody waits for its locks.
func TestConsole(t *testing.T) {
	const browsers, maxQueries = 5, 15 // queries of one reading: one per view, two counts of attempts, and those of one process
	minutes := 10
	if full {
		minutes = 60
	}
	each(t, 4, func(b *bench) {
		b.start()
		p := b.process(dialects.NewProcess{Name: "watched"})
		work := func(minutes int) {
			for range minutes {
				b.enqueue(dialects.NewTask{SQL: b.dialect.Sleep(20 * time.Second), Order: 1}, dialects.NewTask{SQL: b.dialect.Sleep(20 * time.Second), Order: 2})
				b.pause(time.Minute)
			}
		}
		b.enqueue(dialects.NewTask{ProcessID: p, SQL: b.nothing, Order: 1})
		work(minutes)
		alone := b.spent(func() { work(minutes) })

		db, err := b.dialect.Open(b.Context(), dialects.Target{DSN: b.dsn(), Dial: b.box.Dial, Schema: b.schema})
		require.NoError(b, err)
		defer db.Close()
		pages := console.New(db, console.Options{Token: web.Fixed("t"), Names: web.New("127.0.0.1:8420", nil).Named, Log: slog.New(slog.DiscardHandler)}).Handler()
		signIn := httptest.NewRecorder()
		pages.ServeHTTP(signIn, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8420/?token=t", nil))
		ctx, cancel := context.WithCancel(b.Context())
		ended := make(chan int, browsers)
		for i := range browsers {
			go func() {
				path := []string{"/", "/process/" + strconv.FormatInt(p, 10)}[i%2]
				r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:8420"+path, nil)
				r.Header.Set("Accept", "application/json")
				r.AddCookie(signIn.Result().Cookies()[0])
				sent := 0
				for ctx.Err() == nil {
					w := httptest.NewRecorder()
					pages.ServeHTTP(w, r)
					sent += w.Body.Len()
					time.Sleep(console.Interval)
				}
				ended <- sent
			}()
		}
		work(1)
		beside := b.spent(func() { work(minutes) })
		cancel()
		for range browsers {
			require.Greater(b, <-ended, 5000, "a page was sent, and again")
		}
		own := minus(beside, alone)
		readings := float64(time.Duration(minutes)*time.Minute) / float64(console.Interval)
		if !full { // rows grow with the tasks of the default process
			b.record("console/queries-per-reading", float64(own.Queries)/readings)
			b.record("console/rows-per-reading", float64(read(own))/readings)
			b.record("console/locks-per-reading", float64(own.Locks)/readings)
		}
		require.LessOrEqual(b, float64(own.Queries), readings*maxQueries*1.05)
		// The counters don't say whether a worker or the console caused the few waits. What the workers lock differs a little.
		require.Less(b, shared(own), int64(readings/10), "no worker waits for the console")
	})
}
