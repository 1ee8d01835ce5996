package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
)

// TestFormatIsReadBack writes plans and reads them back.
func TestFormatIsReadBack(t *testing.T) {
	for _, sql := range []string{
		"EXEC dbo.Load", "SELECT 1 # 2", "- a: b", "a: 'b'\nc: \"d\"", "IF 1 = 1\n    BEGIN\n\n        PRINT N'x';\n    END", "SELECT 'a\r\nb'", "a\n b\n", " a\nb", "a \nb",
		"\ttab", "a\n\tb", "żółć\n☃", "|\n>", "%\n---\nb", "'", "\"", "a\\nb", "#", "# a\n# b", "a\u0085b", "\x1b[31mred\u009b0m\x7f", "a\n...\nb", "true", "null", "12", "a\n\n\nb", "{{x}}\n[y]", "a\u202e\u2066b\U000e0001c", "می\u200cخواهم",
	} {
		want := dialects.NewSchedule{
			Name: "a: " + string([]rune(sql)[:1]), Calendar: "0 2 * * MON-FRI", Zone: "Europe/Warsaw", Overlap: "Skip", Missed: "None",
			Begin: time.Date(2026, 1, 31, 5, 0, 0, 0, time.UTC), End: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
			Process: dialects.NewProcess{Name: "a: " + string([]rune(sql)[:1]), OnError: "Continue", Weight: 3, MaxParallel: 2},
			Tasks: []dialects.NewTask{
				{SQL: sql, Order: 100, MaxAttempts: 3, RetryDelay: 5 * time.Minute},
				{SQL: sql, Order: 100, Parameters: `{"a1 number": 4711, "a2 varchar2": "it's \"x\""}`},
				{SQL: "x", Order: 200},
			},
		}
		text := Format(want, []string{"a comment\nof two lines", "another: " + sql})
		require.False(t, strings.ContainsFunc(strings.ReplaceAll(text, "\n", ""), format.Unseen), "%q", text)
		p, err := Parse("plan.yaml", engines["oracle"], []byte(text), nil)
		require.NoError(t, err, text)
		got, err := p.Scheduled()
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
}

func TestFormatWithoutSchedule(t *testing.T) {
	require.Equal(t, `# step 2 (Copy) is of subsystem CmdExec: a task is SQL
process: nightly load
on-error: Halt
waves:
  - order: 100
    tasks:
      - sql: "EXEC dbo.Load"
      - sql: |-
          BEGIN
              x
          END
        max-attempts: 2
`, Format(dialects.NewSchedule{
		Name: "nightly load", Process: dialects.NewProcess{OnError: "Halt"},
		Tasks: []dialects.NewTask{{SQL: "EXEC dbo.Load", Order: 100}, {SQL: "BEGIN\n    x\nEND", Order: 100, MaxAttempts: 2}},
	}, []string{"step 2 (Copy) is of subsystem CmdExec: a task is SQL"}))
}
