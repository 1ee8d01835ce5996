package oracle

import (
	"context"
	"database/sql"
	"errors"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/source/iofs"

	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/migratedriver"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// schemaVersion is golang-migrate's table in dbsched's schema.
func schemaVersion() string { return migrations.OracleVersionTable(templates.DefaultPrefix) }

const tableExists = `select count(*) from user_tables t where t.table_name = :in_name`

// tableVersion reads the version that golang-migrate recorded; 0 if it never ran here. Dirty:
// the migration to this version was begun but not finished.
func (s *scheduler) tableVersion(ctx context.Context, on client.Querier) (version int, dirty bool, err error) {
	return s.TableVersion(ctx, on, tableExists, sql.Named("in_name", schemaVersion()), versionQuery(schemaVersion()))
}

// migrateUp applies the pending migrations and returns the applied files. A migration that was
// begun is run again: its journal knows which of its steps are done. It uses its own session:
// golang-migrate closes the pool it is given.
func (s *scheduler) migrateUp(ctx context.Context, p plan) (applied []string, err error) {
	src, err := iofs.New(p.files, ".")
	if err != nil {
		return nil, err
	}
	db := s.pool()
	driver, err := newDriver(ctx, db, Config{MigrationsTable: schemaVersion()})
	if err != nil {
		return nil, errors.Join(s.migrationFailed(ctx, schemaVersion(), err), db.Close())
	}
	m, err := migrate.NewWithInstance("iofs", src, Dialect{}.Name(), driver)
	if err != nil {
		return nil, errors.Join(err, driver.Close())
	}
	defer m.Close()
	if p.dirty {
		if err := m.Force(migratedriver.Before(p.version)); err != nil {
			return nil, s.migrationFailed(ctx, schemaVersion(), err)
		}
	}
	for _, pending := range p.pending {
		if ctx.Err() != nil {
			return applied, ctx.Err()
		}
		s.Notify(pending.File)
		if err := m.Migrate(uint(pending.Version)); err != nil && !errors.Is(err, migrate.ErrNoChange) {
			return applied, s.migrationFailed(ctx, pending.File, err)
		}
		applied = append(applied, pending.File)
	}
	return applied, nil
}

// migrationFailed is failed for errors of golang-migrate.
func (s *scheduler) migrationFailed(ctx context.Context, file string, err error) error {
	return s.Failed(ctx, file, migratedriver.Cause(err))
}
