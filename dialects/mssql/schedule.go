package mssql

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/internal/zones"
)

func (s *scheduler) instantsQuery() string {
	return "SELECT n.At, ISNULL(n.Problem, '')\nFROM " + s.object("NextInstants") + "(@calendar, @zone, ISNULL(CAST(@after AS datetime2(3)), SYSUTCDATETIME()), @count, CAST(@begin AS datetime2(0)), CAST(@end AS datetime2(0))) AS n\nORDER BY n.InstantNo;"
}

// NextInstants lists instants of a calendar.
func (s *scheduler) NextInstants(ctx context.Context, w dialects.When, after time.Time, count int) ([]time.Time, error) {
	at := func(t time.Time) sql.NullString { return sql.NullString{String: instant(t), Valid: !t.IsZero()} }
	params := []any{
		sql.Named("calendar", w.Calendar), sql.Named("zone", w.Zone), sql.Named("after", at(after)), sql.Named("count", int64(count)),
		sql.Named("begin", at(w.Begin)), sql.Named("end", at(w.End)),
	}
	var problem string
	all, err := client.Read(ctx, s.Client, s.DB, "NextInstants", s.instantsQuery(), params, func(rows *sql.Rows) (time.Time, error) {
		var at sql.NullTime
		err := rows.Scan(&at, &problem)
		return s.UTC(at.Time), err
	})
	if problem != "" {
		return nil, &dialects.ServerError{Doing: "NextInstants", Err: fmt.Errorf("dbsched %d: the calendar %q cannot be read: %s", 51000+dialects.NumberCalendar, w.Calendar, problem)}
	}
	return all, err
}

func zoneQuery() string {
	return "SELECT z.name FROM sys.time_zone_info AS z WHERE z.name COLLATE SQL_Latin1_General_CP1_CI_AS = @name;"
}

// Zone finds a time zone by SQL Server's name, which is one of Windows, or by that of the IANA database.
func (s *scheduler) Zone(ctx context.Context, name string) (string, *time.Location, error) {
	wanted := name
	if of, ok := zones.FromIANA(name); ok {
		wanted = of
	}
	if wanted == "" {
		wanted = "UTC"
	}
	found, err := client.Read(ctx, s.Client, s.DB, "sys.time_zone_info", zoneQuery(), []any{sql.Named("name", wanted)}, func(rows *sql.Rows) (zone string, err error) {
		return zone, rows.Scan(&zone)
	})
	if err != nil {
		return "", nil, err
	}
	if len(found) == 0 {
		return "", nil, dialects.Usagef("there is no time zone %q on this server. Use a name of sys.time_zone_info or of the IANA database, like Europe/Warsaw", name)
	}
	loc, _ := zones.Location(found[0])
	return found[0], loc, nil
}
