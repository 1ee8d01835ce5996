package oracle

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/internal/zones"
)

func instantsQuery() string {
	const format = `'YYYY-MM-DD"T"HH24:MI:SS.FF'`
	return "select dbsched.next_instants(:calendar, :zone, nvl(to_timestamp(:after, " + format + "), sys_extract_utc(systimestamp)), :count, " +
		"from_tz(to_timestamp(:begin_at, " + format + "), '+00:00'), from_tz(to_timestamp(:end_at, " + format + "), '+00:00')) from dual"
}

// NextInstants lists instants of a calendar.
func (s *scheduler) NextInstants(ctx context.Context, w dialects.When, after time.Time, count int) ([]time.Time, error) {
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format("2006-01-02T15:04:05.000")
	}
	params := []any{
		sql.Named("calendar", w.Calendar), sql.Named("zone", w.Zone), sql.Named("after", at(after)), sql.Named("count", int64(count)),
		sql.Named("begin_at", at(w.Begin)), sql.Named("end_at", at(w.End)),
	}
	texts, err := client.Read(ctx, s.Client, s.DB, "next_instants", instantsQuery(), params, func(rows *sql.Rows) (text string, err error) {
		return text, rows.Scan(&text)
	})
	if err != nil {
		return nil, err
	}
	var all []time.Time
	for _, text := range texts {
		var instants []string
		if err := json.Unmarshal([]byte(text), &instants); err != nil {
			return nil, fmt.Errorf("next_instants: %w", err)
		}
		for _, instant := range instants {
			at, err := time.Parse("2006-01-02T15:04:05", instant)
			if err != nil {
				return nil, fmt.Errorf("next_instants: %w", err)
			}
			all = append(all, at)
		}
	}
	return all, nil
}

// Zone finds a time zone; Oracle's regions have the names of the IANA database, in any case of letters.
func (s *scheduler) Zone(_ context.Context, name string) (string, *time.Location, error) {
	if name == "" {
		name = "UTC"
	}
	spelled, loc, ok := zones.Region(name)
	if !ok {
		return name, nil, nil // the server may know regions that this program does not
	}
	return spelled, loc, nil
}
