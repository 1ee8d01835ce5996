package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/schema"
)

// compare returns what is missing or different in the tables, with what brings it back.
func (s *scheduler) compare(ctx context.Context, on client.Querier, src source, lanes, version int) ([]schema.Difference, error) {
	want, err := src.parts(lanes, version)
	if err != nil {
		return nil, err
	}
	there, err := s.there(ctx, on, src)
	if err != nil {
		return nil, err
	}
	if err := s.readRows(ctx, on, there.is); err != nil {
		return nil, err
	}
	all := schema.Compare(want, there.is)
	for i := range all {
		if all[i].Kind == "sequence" && all[i].Gone {
			if all[i].Make, err = s.sequenceStatement(ctx, on, all[i].Part); err != nil {
				return nil, err
			}
		}
		there.refine(&all[i])
	}
	return all, nil
}

// readRows adds the rows of rowPart. A table that is gone has none.
func (s *scheduler) readRows(ctx context.Context, on client.Querier, is map[string]string) error {
	for _, table := range []string{"settings", "lanes", "processes"} {
		if _, ok := is["column "+strings.ToUpper(object(table)+"."+rowKey(table))]; !ok {
			continue
		}
		err := s.each(ctx, on, rowQuery(table), func(rows *sql.Rows) error {
			var name string
			err := rows.Scan(&name)
			is["row "+name] = ""
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// refine chooses a repair that keeps what is there: an index that is only unusable or invisible, or has a name of the recycle bin.
func (d dictionary) refine(found *schema.Difference) {
	name := strings.ToLower(found.Name)
	if bin, ok := d.renamed[found.Kind+" "+found.Is]; ok && found.Gone {
		table, _, _ := strings.Cut(found.Is, " ")
		found.Make = []string{fmt.Sprintf("alter table %s rename constraint %q to %s", strings.ToLower(table), bin, name)}
		if found.Kind == "index" {
			found.Make = []string{fmt.Sprintf("alter index %q rename to %s", bin, name)}
		} else if index := d.indexOf[bin]; strings.HasPrefix(index, "BIN$") {
			found.Make = append(found.Make, fmt.Sprintf("alter index %q rename to %s", index, name))
		}
	}
	switch {
	case found.Kind != "index" || found.Gone:
	case found.Got == found.Is+", unusable":
		found.Mend = []string{"alter index " + name + " rebuild"}
	case found.Got == found.Is+", invisible":
		found.Mend = []string{"alter index " + name + " visible"}
	}
}

// restore returns what to do about a table or column that an installation cannot bring back; nil for others.
func (s *scheduler) restore(d schema.Difference) *dialects.Finding {
	f := &dialects.Finding{Text: fmt.Sprintf("the %s is gone. It would come back empty, so dbsched does not make it anew", d.Key())}
	is, _, _ := strings.Cut(d.Got, "(")
	was, _, _ := strings.Cut(d.Is, "(")
	switch {
	case !d.Data, !d.Gone && is == was: // only its length: the server refuses the change if a value does not fit
		return nil
	case !d.Gone:
		f.Text = fmt.Sprintf("the %s is %s instead of %s. A conversion could change its values, so dbsched leaves it to you", d.Key(), d.Got, d.Is)
		f.Remedy = strings.Join(d.Mend, "\n")
	case d.Kind == "table":
		f.Remedy = "flashback table " + strings.ToLower(d.Name) + " to before drop\n-- or, if it is not in the recycle bin: operations.md, \"A table or column is gone\"\n-- then: dbsched install"
	default:
		f.Remedy = "-- restore the table from a backup, beside this one, and copy the column: operations.md, \"A table or column is gone\"\n-- then: dbsched install"
	}
	return f
}

// inspect returns what brings the tables back to what the migrations up to a version have made. It fails with a PreflightError if that
// takes a restore, or a decision.
func (s *scheduler) inspect(ctx context.Context, on client.Querier, p plan, version int) ([]client.Repair, error) {
	found, err := s.compare(ctx, on, p.source, p.lanes, version)
	if err != nil {
		return nil, err
	}
	return s.Repairs(found, s.restore)
}

// adoptable returns the version of tables whose version was lost: all tables and columns up to it are there. 0: there are none, or not all.
func (s *scheduler) adoptable(ctx context.Context, on client.Querier, src source) (int, error) {
	there, err := s.there(ctx, on, src)
	if err != nil {
		return 0, err
	}
	for i := len(src.migrations) - 1; i >= 0; i-- {
		want, err := src.parts(0, src.migrations[i].Version)
		if err != nil {
			return 0, err
		}
		whole := true
		for _, d := range schema.Compare(want, there.is) {
			whole = whole && (!d.Data || !d.Gone)
		}
		if whole {
			return src.migrations[i].Version, nil
		}
	}
	return 0, nil
}

// adopt records the version of tables whose version was lost.
func (s *scheduler) adopt(ctx context.Context, version int) error {
	db := s.pool()
	driver, err := newDriver(context.WithoutCancel(ctx), db, Config{MigrationsTable: schemaVersion()})
	if err != nil {
		return errors.Join(s.migrationFailed(ctx, schemaVersion(), err), db.Close())
	}
	return errors.Join(s.migrationFailed(ctx, schemaVersion(), driver.SetVersion(version, false)), driver.Close()) //nolint:contextcheck // golang-migrate's interface has none
}

// lostQuery tells whether the settings have no version although an installation has written it, together with the lanes; the number of
// lanes; and who owns their jobs.
func lostQuery() string {
	return `select (select count(s.version) from ` + object("settings") + ` s), (select nvl(max(l.lane_id), 0) from ` + object("lanes") + ` l where l.lane_id <= 99),
    (select max(j.owner) from all_scheduler_jobs j where j.owner <> user and j.comments like 'dbsched: worker slot % of ' || user),
    (select count(*) from user_scheduler_jobs j where j.job_name = '` + strings.ToUpper(object("lane_01")) + `')
from dual`
}

// lostSettings is what is left of lost settings.
type lostSettings struct {
	lost   bool // the row is missing, or has come back without a version
	lanes  int
	runner string // the owner of the lanes' jobs, if other than the owner
	mine   bool   // the owner has them
}

func (s *scheduler) lostSettings(ctx context.Context, on client.Querier) (l lostSettings, err error) {
	var rows, jobs int
	var runner sql.NullString
	err = on.QueryRowContext(ctx, lostQuery()).Scan(&rows, &l.lanes, &runner, &jobs)
	l.lost, l.runner, l.mine = rows == 0 && l.lanes > 0, runner.String, jobs > 0
	return l, s.Failed(ctx, object("settings"), err)
}

// settingsBlock brings the settings back without a version, as a stopped scheduler's: workers that have waited for them record how their
// tasks ended, and leave.
func settingsBlock() string {
	return `begin
    insert into ` + object("settings") + ` (settings_id, max_lanes, runner, changed_at)
    select 1, :in_lanes, :in_runner, systimestamp at time zone '+00:00' from dual where not exists (select 1 from ` + object("settings") + ` s);
    commit;
end;`
}

// warnings returns what an installation that succeeded should tell.
func (s *scheduler) warnings(ctx context.Context, lost bool) ([]string, error) {
	if !lost {
		return nil, nil
	}
	st, err := s.Status(ctx)
	if err != nil {
		return nil, err
	}
	o, err := s.Options(ctx)
	return []string{dialects.SettingsLost(st, o)}, err
}
