package mssql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/source/iofs"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/migratedriver"
	"github.com/dbsched/dbsched/migrations"
)

const tableExists = `SELECT CAST(CASE WHEN OBJECT_ID(@name, N'U') IS NULL THEN 0 ELSE 1 END AS bit);`

func versionQuery(table string) string {
	return "SELECT TOP (1) CAST(v.version AS int), v.dirty FROM " + table + " AS v;"
}

// tableVersion reads the version that golang-migrate recorded; 0 if it never ran here.
func (s *scheduler) tableVersion(ctx context.Context, on client.Querier) (version int, dirty bool, err error) {
	table := versionTable(s.schema)
	return s.TableVersion(ctx, on, tableExists, sql.Named("name", table), versionQuery(table))
}

// migrateUp applies the pending migrations and returns the applied files. It uses its own
// connections: golang-migrate takes its own lock in its own session, and closes the pool it
// is given. When ctx ends, the current migration still runs to its end: if interrupted, it
// would be marked dirty, and only the tables could show whether it was applied.
func (s *scheduler) migrateUp(ctx context.Context, files fs.FS, pending []migrations.Migration) (applied []string, err error) {
	src, err := iofs.New(files, ".")
	if err != nil {
		return nil, err
	}
	db := s.pool()
	driver, err := newDriver(context.WithoutCancel(ctx), db, s.schema)
	if err != nil {
		return nil, errors.Join(s.migrationFailed(ctx, migrations.VersionTable, err), db.Close())
	}
	m, err := migrate.NewWithInstance("iofs", src, Dialect{}.Name(), driver)
	if err != nil {
		return nil, errors.Join(err, driver.Close())
	}
	defer m.Close()
	for _, p := range pending {
		if ctx.Err() != nil {
			return applied, ctx.Err()
		}
		s.Notify(p.File)
		if err := m.Migrate(uint(p.Version)); err != nil {
			if refused := s.migrationFailed(ctx, p.File, err); refused != nil {
				// The file is one transaction under XACT_ABORT and the server has
				// refused it, so none of it was applied: remove the dirty mark.
				if _, ok := errors.AsType[*Refusal](refused); ok {
					if forced := m.Force(migratedriver.Before(p.Version)); forced != nil {
						refused = errors.Join(refused, s.migrationFailed(ctx, migrations.VersionTable, forced))
					}
				}
				return applied, refused
			}
		}
		applied = append(applied, p.File)
	}
	return applied, nil
}

// migrationFailed is failed for errors of golang-migrate.
func (s *scheduler) migrationFailed(ctx context.Context, file string, err error) error {
	if errors.Is(err, migrate.ErrNoChange) {
		return nil
	}
	return s.Failed(ctx, file, migratedriver.Cause(err))
}

// dirtyFinding explains a version that is marked dirty: an installer lost its connection
// during a migration, so only the tables can show whether it was committed.
func (s *scheduler) dirtyFinding(version int, file string) dialects.Finding {
	table := versionTable(s.schema)
	back := fmt.Sprintf("UPDATE %s SET version = %d, dirty = 0;", table, version-1)
	if version == 1 {
		back = fmt.Sprintf("DELETE FROM %s;", table)
	}
	return dialects.Finding{
		Text:   fmt.Sprintf("an earlier installation was cut off while it applied %s. A migration is one transaction, so it was applied completely or not at all", file),
		Remedy: fmt.Sprintf("-- if the tables that %s creates exist:\nUPDATE %s SET dirty = 0;\n-- otherwise:\n%s\n-- then install again", file, table, back),
	}
}
