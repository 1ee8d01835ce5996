package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestScheduleMissedHundred: a hundred missed instants have a row each; from the next one on, one row stands for all but the last one, or but the last
// hundred if they are made up for.
func TestScheduleMissedHundred(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		begin := h.now().Truncate(time.Hour).Add(time.Hour)
		type want struct {
			missed, fired int
			first, last   string // details
		}
		wants := map[string]want{
			"1 None": {1, 0, "", ""}, "2 Once": {1, 1, "", "for all that were missed"},
			"100 None": {100, 0, "", ""}, "100 Once": {99, 1, "", "for all that were missed"}, "100 All": {0, 100, "", ""},
			"101 None": {2, 0, "others", ""}, "101 Once": {1, 1, "others", "for all that were missed"}, "101 All": {1, 100, "others", ""},
		}
		for name := range sorted(wants) {
			var n int
			var policy string
			_, err := fmt.Sscan(name, &n, &policy)
			require.NoError(h, err)
			h.schedule(dialects.NewSchedule{
				Name: name, Calendar: "* * * * *", Begin: begin, End: begin.Add(time.Duration(n-1) * time.Minute), Missed: policy, Overlap: "Allow", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)},
			})
		}
		h.away(begin.Sub(h.now()) + 3*time.Hour)
		h.pause(time.Minute)
		for name, w := range sorted(wants) {
			var n int
			_, err := fmt.Sscan(name, &n)
			require.NoError(h, err)
			all := h.firings(name)
			require.Len(h, all, w.missed+w.fired, name)
			for i, f := range all {
				status, detail, at := "Missed", "", begin.Add(time.Duration(n-len(all)+i)*time.Minute)
				if i >= w.missed {
					status = "Succeeded"
				}
				if i == len(all)-1 {
					detail = w.last
				}
				if i == 0 && w.first != "" {
					at = begin
					until := begin.Add(time.Duration(n-len(all)) * time.Minute)
					detail = "and all others until " + until.UTC().Format("2006-01-02 15:04:05") + " UTC"
				}
				require.Equal(h, []any{status, detail, at.UTC()}, []any{f.Status, f.Detail, f.DueAt.UTC()}, "%d of %s", i, name)
			}
			require.Nil(h, h.scheduleOf(name).NextAt, name)
		}
		h.requireNoAlarms()
	})
}
