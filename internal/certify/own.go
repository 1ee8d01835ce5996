package certify

import (
	"context"
	"database/sql"
	"errors"

	"github.com/dbsched/dbsched/dialects"
)

// ownDatabase is the database that certify makes for itself. Its name is its mark: nobody else makes one of this name.
const ownDatabase = "dbsched_certify"

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
		return &dialects.ServerError{Doing: "CREATE DATABASE", Hint: "Nothing was changed. Without --database, certify works in a schema of the database that the DSN names.", Err: err}
	}
	return nil
}

// remove drops it, with the sessions of its workers.
func (o *own) remove(ctx context.Context) error {
	there, err := o.exists(ctx)
	if err != nil || !there {
		return err
	}
	for _, text := range []string{"ALTER DATABASE " + ownDatabase + " SET SINGLE_USER WITH ROLLBACK IMMEDIATE", "DROP DATABASE " + ownDatabase} {
		if _, err := o.db.ExecContext(ctx, text); err != nil {
			return &dialects.ServerError{Doing: text, Err: err}
		}
	}
	return nil
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
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleaning)
		defer cancel()
		err = errors.Join(err, o.remove(ctx))
	}()
	return Run(ctx, o.On, opts)
}

// CleanApart removes the database that a run has left that was killed.
func CleanApart(ctx context.Context, on On) error {
	o, err := aside(ctx, on)
	if err != nil {
		return err
	}
	defer o.db.Close()
	return o.remove(ctx)
}
