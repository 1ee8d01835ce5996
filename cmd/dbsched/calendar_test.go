package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects/registry"
)

// TestScheduleNext lists the next instants of every calendar in the scenarios' table, whose expected values come from a library.
func TestScheduleNext(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("../../integration/testdata/calendars.txt")
	require.NoError(t, err)
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, e.dialect.Name(), "--clock=fast")
			c.ok("install", "--lanes=1")
			n := 0
			for line := range strings.Lines(string(table)) {
				f := strings.Split(strings.TrimSpace(line), "\t")
				if strings.HasPrefix(line, "#") {
					continue
				}
				n++
				r := run{all: registry.All(), env: map[string]string{"DBSCHED_DSN": c.dsn}}
				r.do(t, "schedule", "next", "--cron="+f[0], "--zone="+f[1], "--after="+f[2]+"Z", "--count="+string('0'+rune(len(f)-3)), "--output=json")
				require.Zero(t, r.code, r.err)
				loc, err := time.LoadLocation(f[1])
				require.NoError(t, err)
				var got []string
				for _, i := range decoded[[]instant](t, r.out) {
					got = append(got, i.At.UTC().Format("2006-01-02T15:04"))
					assert.Equal(t, i.At.In(loc).Format("Mon 2006-01-02 15:04:05 -07:00"), i.Local, line)
				}
				assert.Equal(t, f[3:], got, line)
			}
			require.GreaterOrEqual(t, n, 120)
		})
	}
}
