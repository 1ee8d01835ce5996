package dialects

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// slow runs each task after some time.
type slow struct {
	Scheduler
	takes time.Duration
	begun time.Time
}

func (s *slow) Submit(context.Context, NewProcess, []NewTask) (Submitted, error) {
	s.begun = time.Now()
	return Submitted{ProcessID: 7, TaskIDs: []int64{1}}, nil
}

func (s *slow) WaitProcess(_ context.Context, _ int64, timeout time.Duration) (bool, error) {
	left := s.takes - time.Since(s.begun)
	time.Sleep(min(left, timeout))
	return left <= timeout, nil
}

func (s *slow) Tasks(context.Context, Filter) ([]Task, error) {
	status := "Pending"
	if time.Since(s.begun) >= s.takes {
		status = "Succeeded"
	}
	return []Task{{Status: status}}, nil
}
func (*slow) CancelProcess(context.Context, int64) error { return nil }

// TestProbeSaysThatItWaited: while it waits, and afterwards.
func TestProbeSaysThatItWaited(t *testing.T) {
	for takes, want := range map[time.Duration]struct {
		level Level
		text  string
		lines int
	}{
		40 * time.Millisecond: {OK, "the probe task ended 40 ms after it was enqueued", 0},
		5 * time.Second:       {OK, "the probe task ended 5000 ms after it was enqueued", 0},
		6 * time.Second:       {Warn, "the probe task ended 6000 ms after it was enqueued", 1},
		16 * time.Second:      {Warn, "the probe task ended 16000 ms after it was enqueued", 3},
		time.Hour:             {Fail, "the probe task did not end within 18s; its status is Pending", 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			var lines []string
			c, process, err := Probe(t.Context(), &slow{takes: takes}, Status{MaxWorkers: 1}, 18*time.Second, "nothing", func(line string) { lines = append(lines, line) })
			require.NoError(t, err)
			require.EqualValues(t, 7, process)
			require.Equal(t, want.level, c.Level)
			require.Equal(t, want.text, c.Text)
			require.Len(t, lines, want.lines)
			if want.lines > 0 {
				require.Equal(t, "the probe task has not ended after 5s; waiting up to 18s", lines[0])
			}
		})
	}
}
