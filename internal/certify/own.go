package certify

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// ownDatabase is the database that certify makes for itself. Its name is its mark: nobody else makes one of this name.
const ownDatabase = "dbsched_certify"

// leftDatabase is how a report says that it is still there.
const leftDatabase = "database " + ownDatabase

// own is a connection to the server beside that database.
type own struct {
	On

	db *sql.DB
}

// aside opens it. It fails with a UsageError for an engine whose users are what a database is elsewhere.
func aside(ctx context.Context, on On) (*own, error) {
	d, ok := on.Dialect.(interface {
		InDatabase(dsn, database string) (string, error)
	})
	if !ok {
		return nil, dialects.Usagef("--database: %s has users instead. Connect as a new user, whose schema is empty", on.Dialect.Name())
	}
	on.Target.Schema = on.Dialect.DefaultSchema()
	db, err := on.Dialect.OpenDB(ctx, on.Target)
	if err != nil {
		return nil, err
	}
	o := &own{On: on, db: db}
	if o.Target.DSN, err = d.InDatabase(on.Target.DSN, ownDatabase); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return o, nil
}

func (o *own) exists(ctx context.Context) (bool, error) {
	found, err := column(ctx, o.db, "SELECT d.name FROM sys.databases AS d WHERE d.name = N'"+ownDatabase+"'")
	return len(found) > 0, err
}

// make creates the database.
func (o *own) make(ctx context.Context) error {
	switch there, err := o.exists(ctx); {
	case err != nil:
		return err
	case there:
		return dialects.Usagef("database %s exists: another certify is running, or one was killed. To remove what that left, run: dbsched certify --clean --database", ownDatabase)
	}
	if _, err := o.db.ExecContext(ctx, "CREATE DATABASE "+ownDatabase); err != nil {
		if ctx.Err() != nil { // it may be there
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleaning)
			defer cancel()
			return errors.Join(err, o.remove(ctx))
		}
		return &dialects.ServerError{Doing: "CREATE DATABASE", Hint: "Nothing was changed. Without --database, certify works in a schema of the database that the DSN names.", Err: err}
	}
	return nil
}

// remove drops it. Anybody may take the only place in a database of a single user, so it is tried again.
func (o *own) remove(ctx context.Context) (err error) {
	for range 10 {
		text, err2 := column(ctx, o.db, "SELECT "+mssqlDropDatabase+" FROM sys.databases AS d WHERE d.name = N'"+ownDatabase+"'")
		if err2 != nil || len(text) == 0 {
			return err2
		}
		if _, err = o.db.ExecContext(ctx, text[0]); err != nil {
			err = &dialects.ServerError{Doing: "DROP DATABASE", Hint: "Later, run: dbsched certify --clean --database", Err: err}
			if err := sleep(ctx, 3*time.Second); err != nil {
				return err
			}
		}
	}
	return err
}

// RunApart is Run in a database that it creates and drops.
func RunApart(ctx context.Context, on On, opts Options) (r *Report, err error) {
	o, err := aside(ctx, on)
	if err != nil {
		return nil, err
	}
	defer o.db.Close()
	if err := o.make(ctx); err != nil {
		return nil, err
	}
	r, err = Run(ctx, o.On, opts)
	if r != nil && len(r.Left) > 0 { // what is outside is found by this database alone
		r.Left = append(r.Left, leftDatabase)
		return r, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleaning)
	defer cancel()
	if failed := o.remove(ctx); failed != nil && r == nil {
		err = errors.Join(err, failed)
	} else if failed != nil {
		r.Left = []string{leftDatabase}
	}
	return r, err
}

// CleanApart removes what a run has left that was killed, and then the database.
func CleanApart(ctx context.Context, on On) (left []string, err error) {
	o, err := aside(ctx, on)
	if err != nil {
		return nil, err
	}
	defer o.db.Close()
	if there, err := o.exists(ctx); err != nil || !there {
		return nil, err
	}
	if left, err = Clean(ctx, o.On); err != nil || len(left) > 0 {
		return append(left, leftDatabase), err
	}
	return nil, o.remove(ctx)
}
