package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/internal/cli"
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

			// What no calendar can mean is refused alike, whoever asks.
			for calendar, why := range map[string]string{"0 0 31 2 *": "it never fires: no such day exists", "61 * * * *": `field 1 (minute), "61": it must be from 0 to 59`} {
				for _, args := range [][]string{{"next", "--cron=" + calendar}, {"add", "n", "--cron=" + calendar, "--sql=x"}} {
					r := run{all: registry.All(), env: map[string]string{"DBSCHED_DSN": c.dsn}}
					r.do(t, append([]string{"schedule"}, args...)...)
					require.Equal(t, cli.ExitRefused, r.code)
					require.Contains(t, r.err, `"`+calendar+`" cannot be read: `+why)
					require.Regexp(t, `dbsched [52][10]074: `, r.err)
				}
			}
			// So is a zone, and its spelling does not matter.
			for _, zone := range []string{"EUROPE/WARSAW", "europe/warsaw"} {
				r := run{all: registry.All(), env: map[string]string{"DBSCHED_DSN": c.dsn}}
				r.do(t, "schedule", "next", "--cron=0 6 * * *", "--zone="+zone, "--after=2026-07-01T00:00:00Z", "--count=1")
				require.Zero(t, r.code, r.err)
				require.Contains(t, r.out, "Wed 2026-07-01 06:00:00 +02:00")
			}
			r := run{all: registry.All(), env: map[string]string{"DBSCHED_DSN": c.dsn}}
			r.do(t, "schedule", "next", "--cron=every 14 days", "--begin=2026-01-02T06:00:00Z", "--end=2026-07-10T00:00:00Z", "--after=2026-06-10T12:00:00Z", "--output=json")
			require.Zero(t, r.code, r.err)
			var got []string
			for _, i := range decoded[[]instant](t, r.out) {
				got = append(got, i.At.UTC().Format("01-02 15:04"))
			}
			require.Equal(t, []string{"06-19 06:00", "07-03 06:00"}, got)
		})
	}
}
