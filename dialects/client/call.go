package client

import (
	"context"
	"database/sql"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// Call is one call of a dbsched procedure. Its names are those of SQL Server, from which [Words] makes the engine's own.
type Call struct {
	Procedure string
	Args      []Arg
	Out       []Out
	// Result receives what the procedure returns, on SQL Server.
	Result *sql.NullInt64
	// Package is, on Oracle, where the procedure is; empty: in the public package.
	Package string
}

// Arg is a named argument: string, int64, bool, time.Time, []string or Created.
type Arg struct {
	Name  string
	Value any
}

// Created is, in a script, the id of the process that the script has created.
type Created struct{}

// Out is an output parameter. It is NULL when the procedure refuses, and a destination that cannot hold NULL would make the driver report that
// instead of the refusal.
type Out struct {
	Name string
	Dest any // *sql.NullInt64 or *sql.NullString
}

// New returns a call without arguments.
func New(procedure string) Call { return Call{Procedure: procedure, Result: new(sql.NullInt64)} }

// Set adds an argument and returns the call.
func (c Call) Set(name string, value any) Call {
	c.Args = append(c.Args[:len(c.Args):len(c.Args)], Arg{name, value})
	return c
}

// Returns adds an output parameter and returns the call.
func (c Call) Returns(name string, dest any) Call {
	c.Out = append(c.Out[:len(c.Out):len(c.Out)], Out{name, dest})
	return c
}

// with adds an argument unless it has its zero value, which stands for the default.
func with[T comparable](c Call, name string, value T) Call {
	var zero T
	if value == zero {
		return c
	}
	switch v := any(value).(type) {
	case int:
		return c.Set(name, int64(v))
	case time.Duration:
		return c.Set(name, Seconds(v))
	}
	return c.Set(name, value)
}

// Seconds is d in whole seconds.
func Seconds(d time.Duration) int64 { return int64(d / time.Second) }

// Execer is a connection, a pool or a transaction.
type Execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Querier is an Execer that also reads.
type Querier interface {
	Execer
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Each runs a query and reads its rows one by one.
func Each(ctx context.Context, on Querier, query string, params []any, read func(*sql.Rows) error) error {
	rows, err := on.QueryContext(ctx, query, params...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Send runs a call, or shows it in a dry run.
func (c *Client) Send(ctx context.Context, on Execer, call Call) error {
	if c.DryRun != nil {
		c.DryRun(dialects.Batch{Name: c.Engine.Name(call.Procedure), SQL: c.Engine.Text(call)})
		return nil
	}
	if call.Result == nil {
		call.Result = new(sql.NullInt64)
	}
	*call.Result = sql.NullInt64{}
	text, params := c.Engine.Statement(call)
	_, err := on.ExecContext(ctx, text, params...)
	if err == nil {
		err = c.Engine.Answered(call)
	}
	return c.Engine.Failed(ctx, c.Engine.Name(call.Procedure), err)
}

// transaction commits all that f does, or nothing. It begins without ctx: when ctx ends, database/sql would roll back, and a rollback under a
// cancelled context breaks the connection; and the end of ctx must not interrupt a commit, whose outcome would be unknown.
func (c *Client) transaction(ctx context.Context, f func(tx Querier) error) error {
	if c.DryRun != nil {
		return f(nil)
	}
	tx, err := c.DB.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return c.Engine.Failed(ctx, "starting a transaction", err)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // f's error says more; a lost session is rolled back by the server
		return err
	}
	return c.Engine.Failed(ctx, "COMMIT", tx.Commit())
}
