package mssql

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/schema"
	"github.com/dbsched/dbsched/migrations"
)

// inspect compares the tables with what the migrations made, and returns what brings them back. It fails with a PreflightError if that
// takes a restore, or a decision.
func (s *scheduler) inspect(ctx context.Context, on client.Querier, p plan) ([]client.Repair, error) {
	want, err := s.parts(p.source, p.lanes, p.version)
	if err != nil {
		return nil, err
	}
	there, err := s.there(ctx, on)
	if err != nil {
		return nil, err
	}
	all, err := s.Repairs(schema.Compare(want, there), s.restore)
	if err != nil {
		return nil, err
	}
	others, err := s.strings(ctx, on, othersQuery)
	for _, name := range others {
		all = append(all, client.Repair{Name: "owner of " + name, Statements: []string{s.giveBack(name)}})
	}
	return all, err
}

// restore returns what to do about a table or column that an installation cannot bring back; nil for others.
func (s *scheduler) restore(d schema.Difference) *dialects.Finding {
	switch {
	case !d.Data:
		return nil
	case d.Gone:
		return &dialects.Finding{
			Text: fmt.Sprintf("the %s is gone. It would come back empty, so dbsched does not make it anew", d.Key()),
			Remedy: "-- 1. restore a backup from before the loss as another database (RESTORE DATABASE ... WITH MOVE)\n" +
				"-- 2. copy the " + d.Kind + " from there: operations.md, \"A table or column is gone\"\n-- 3. dbsched install",
		}
	}
	is, was := strings.FieldsFunc(d.Got, func(r rune) bool { return r == ' ' || r == '(' })[0], strings.FieldsFunc(d.Is, func(r rune) bool { return r == ' ' || r == '(' })[0]
	if is == was && d.Mend != nil {
		return nil // its length, or NULL: the server refuses the change if a value does not fit
	}
	return &dialects.Finding{
		Text:   fmt.Sprintf("the %s is %s instead of %s. A conversion could change its values, so dbsched leaves it to you", d.Key(), d.Got, d.Is),
		Remedy: strings.Join(d.Mend, "\n"),
	}
}

// adoptable returns the version of tables whose version was lost: all tables and columns up to it are there. 0: there are no tables.
func (s *scheduler) adoptable(ctx context.Context, on client.Querier, src source) (int, error) {
	there, err := s.there(ctx, on)
	if err != nil {
		return 0, err
	}
	for i := len(src.migrations) - 1; i >= 0; i-- {
		version := src.migrations[i].Version
		want, err := s.parts(src, 1, version)
		if err != nil {
			return 0, err
		}
		var findings []dialects.Finding
		tables := 0
		for _, d := range schema.Compare(want, there) {
			if d.Data && d.Gone {
				findings = append(findings, *s.restore(d))
				if d.Kind == "table" {
					tables++
				}
			}
		}
		if findings == nil {
			return version, nil
		}
		if all, err := src.tablesAt(version); i == 0 && (err != nil || tables < len(all.Tables)) {
			return 0, errors.Join(err, &dialects.PreflightError{Target: s.Target(), Findings: findings})
		}
	}
	return 0, nil
}

// adopt records the version of tables whose version was lost.
func (s *scheduler) adopt(ctx context.Context, version int) error {
	db := s.pool()
	driver, err := newDriver(context.WithoutCancel(ctx), db, s.schema)
	if err != nil {
		return errors.Join(s.migrationFailed(ctx, migrations.VersionTable, err), db.Close())
	}
	return errors.Join(s.migrationFailed(ctx, migrations.VersionTable, driver.SetVersion(version, false)), driver.Close())
}

// settingsLost warns of a settings row that came back.
func (s *scheduler) settingsLost(ctx context.Context) (string, error) {
	st, err := s.Status(ctx)
	if err != nil {
		return "", err
	}
	o, err := s.Options(ctx)
	return dialects.SettingsLost(st, o), err
}
