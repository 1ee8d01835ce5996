package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMSSQLSeedLastStep runs the published last step unchanged: it starts the next job when the jobs end at different times. When two
// jobs are in it at the same time, each finds the other one running, and the next job never starts: rounds exist to prevent that.
func TestMSSQLSeedLastStep(t *testing.T) {
	for _, c := range []struct {
		name  string
		pause func(i int) time.Duration
		runs  string
	}{
		{"jagged", func(i int) time.Duration { return time.Duration(10+20*i) * time.Second }, "1"},
		{"at the same time", func(int) time.Duration { return 0 }, "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onServer(t, func(s *server) {
				t := s.t
				if s.box == nil {
					t.Skip("it takes the names of jobs as they are")
				}
				jobs := mssqlJobs("dbsched")
				s.exec("CREATE TABLE dbo.Gate (N int NOT NULL); INSERT INTO dbo.Gate (N) VALUES (0);")
				s.exec(jobs.add("Job 2", jobs.pause(time.Minute)))
				last := strings.Join(s.batches("testdata/last_step.sql"), "")
				other, err := s.open("dbsched-test").BeginTx(t.Context(), nil)
				require.NoError(t, err)
				if c.runs == "0" { // all are in it before anybody looks
					last = "IF EXISTS (SELECT 1 FROM dbo.Gate WITH (READCOMMITTEDLOCK)) PRINT N'open';\n" + last
					_, err = other.ExecContext(t.Context(), jobs.shut)
					require.NoError(t, err)
				}
				for i := range 4 {
					add := jobs.add(fmt.Sprintf("Job 1%c", 'a'+i), jobs.pause(c.pause(i)), last)
					s.exec(strings.Replace(add, "@on_success_action = 1;", "@on_success_action = 1, @on_fail_action = 1;", 1))
				}
				for i := range 4 {
					s.exec(jobs.start(fmt.Sprintf("Job 1%c", 'a'+i)))
				}
				s.exec(jobs.pause(30 * time.Second))
				require.NoError(t, other.Commit())
				s.exec(jobs.pause(5 * time.Minute))
				require.Equal(t, c.runs, s.value(jobs.runs("Job 2")))
			})
		})
	}
}
