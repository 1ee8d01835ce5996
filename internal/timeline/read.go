package timeline

import (
	"context"
	"fmt"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
)

// most is how many attempts of a process are laid out, and how many of other processes beside them.
const most = 100_000

// Source is where the attempts are.
type Source interface {
	Logs(ctx context.Context, f dialects.Filter) ([]dialects.LogEntry, error)
	Attempts(ctx context.Context, f dialects.Filter) (dialects.Attempts, error)
}

// Read reads a process from a database and lays it out.
func Read(ctx context.Context, db Source, p dialects.Process, now time.Time) (*Timeline, error) {
	logs, err := db.Logs(ctx, dialects.Filter{ProcessID: p.ID, Limit: most, Brief: true})
	if err != nil {
		return nil, err
	}
	var others []dialects.LogEntry
	if len(logs) > 0 {
		from, to := logs[0].StartedAt, now
		if p.FinishedAt != nil {
			to = *p.FinishedAt
		}
		others, err = db.Logs(ctx, dialects.Filter{Besides: p.ID, Ended: from, Until: to, Limit: most, Brief: true})
		if err != nil {
			return nil, err
		}
	}
	t := Build(p, logs, others, now)
	if len(logs) == most {
		counted, err := db.Attempts(ctx, dialects.Filter{ProcessID: p.ID})
		if err != nil {
			return nil, err
		}
		t.Attempts = max(t.Attempts, counted.All)
	}
	return t, nil
}

// Note says which attempts the figures are of; empty if of all.
func (t *Timeline) Note() string {
	if n := int64(len(t.Bars)); n < t.Attempts {
		return fmt.Sprintf("Of the newest %s of %s.", format.Count(n), format.Plural(t.Attempts, "attempt"))
	}
	return ""
}

// FailedAttempts counts the attempts that ended badly.
func (t *Timeline) FailedAttempts() (n int64) {
	for _, b := range t.Bars {
		if b.Failed() {
			n++
		}
	}
	return n
}
