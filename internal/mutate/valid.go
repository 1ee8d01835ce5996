package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

// counts reports whether a mistake changes something that a server takes.
func (m mutant) counts(ctx context.Context) (bool, error) {
	at := m.where()
	if len(at) == 0 {
		return false, nil
	}
	d, err := registry.All().ByName(m.dialect)
	if err != nil {
		return false, err
	}
	box, err := sandbox.Start(ctx, sandbox.Options{Dialect: m.dialect, User: map[string]string{"oracle": "app"}[m.dialect], Clock: "fast", Seed: 1})
	if err != nil {
		return false, err
	}
	defer box.Close()
	on := dialects.Target{DSN: box.DSN(), Schema: d.DefaultSchema()}
	if at[0].main {
		on.Templates = patched{templates.Files(), m.file, []byte(m.in(m.source()))}
	}
	switch err := install(ctx, d, on); {
	case at[0].main:
		return !refuses(at[0], err), ctx.Err()
	case err != nil:
		return false, err
	}
	db, err := d.OpenDB(ctx, on)
	if err != nil {
		return false, err
	}
	defer db.Close()
	if sound, err := compiles(ctx, db, m.dialect, at[0].sound); !sound || err != nil {
		return true, err // nobody knows
	}
	return compiles(ctx, db, m.dialect, at[0].mistaken)
}

// install installs templates.
func install(ctx context.Context, d dialects.Dialect, on dialects.Target) error {
	sched, err := d.Open(ctx, on)
	if err != nil {
		return err
	}
	_, err = sched.Install(ctx, dialects.InstallOptions{Lanes: 1})
	return errors.Join(err, sched.Close())
}

// own matches an error of dbsched's.
var own = regexp.MustCompile(`dbsched (51|20)\d{3}`)

// refuses reports whether a server would not take the SQL. An error of dbsched's own, from a batch that runs, is something to notice.
func refuses(at place, err error) bool {
	return err != nil && (at.stored || !own.MatchString(err.Error()))
}

// compiles reports whether a server takes a batch that an installation does not contain. What would run is made the body of a procedure.
func compiles(ctx context.Context, db *sql.DB, dialect, batch string) (bool, error) {
	const name = "mutate_tried"
	if dialect == "mssql" {
		_, err := db.ExecContext(ctx, "CREATE OR ALTER PROCEDURE dbo."+name+" AS\n"+batch)
		return err == nil, ctx.Err()
	}
	body, declares := strings.CutPrefix(batch, "declare")
	if !declares && !strings.HasPrefix(batch, "begin") {
		return false, nil
	}
	if _, err := db.ExecContext(ctx, fmt.Sprintf("create or replace procedure %s as\n%s", name, body)); err != nil {
		return false, ctx.Err()
	}
	var invalid int
	err := db.QueryRowContext(ctx, "select count(*) from user_errors e where e.name = upper(:1) and e.attribute = 'ERROR'", name).Scan(&invalid)
	return invalid == 0, err
}
