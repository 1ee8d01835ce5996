// Package client is what a [dialects.Scheduler] does through the public procedures and views, once for all engines: the calls, the queries and
// the rows. An [Engine] has the words for them. What an engine does in its own way stays in its dialect.
package client

import (
	"context"
	"database/sql"
	"io/fs"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// Client is one schema of one database, through one connection.
type Client struct {
	DB     *sql.DB
	Engine Engine
	// The others are as in [dialects.Target].
	DryRun           func(dialects.Batch)
	Notify           func(line string)
	Later, Templates fs.FS
}

// To returns a client for a target.
func To(target dialects.Target, db *sql.DB, engine Engine) *Client {
	c := &Client{DB: db, Engine: engine, DryRun: target.DryRun, Notify: target.Notify, Later: target.Later, Templates: target.Templates}
	if c.Notify == nil {
		c.Notify = func(string) {}
	}
	return c
}

// Close ends the connection.
func (c *Client) Close() error { return c.DB.Close() }

// Words are how an engine says things. Names come in the form of SQL Server: ProcessInfo, MaxAttempts.
type Words interface {
	// Name is the name of a procedure, a view or an argument in messages and in JSON: exec_async.
	Name(name string) string
	// View is a view's name in a query.
	View(name string) string
	// Object is a view's name in messages.
	Object(name string) string
	// FromFirst is what stands before FETCH NEXT when no row is skipped. An OFFSET of 0 can keep Oracle from reading an index backward.
	FromFirst() string
	// Column is the name of a view's column.
	Column(name string) string
	// Bind is the place of a query's parameter, and the parameter. Each place has a name of its own: Oracle's driver binds by position.
	Bind(name string, value any) (place string, param any)
	// Instant is Bind for a time.
	Instant(name string, at time.Time) (place string, param any)
	// Now is the server's time, and Ago the time some seconds before it.
	Now() string
	Ago(seconds int) string
	// Here is the name of the server (on Oracle, of the database) as start --also-on takes it.
	Here() string
	// Count is the aggregate that counts rows, without an overflow.
	Count() string
	// Left is the start of a text, of some characters.
	Left(text string, characters int) string
	// Contains is a condition: the text contains another one, in any case of letters.
	Contains(text, other string) string

	// Text is a call with its values, for display; Statement is what is sent, and its parameters.
	Text(c Call) string
	Statement(c Call) (string, []any)
	// Script is a transaction that creates a process and sends the other calls, for which Created is its id.
	Script(create Call, others []Call) string
	// Stored is a time in the JSON of a task.
	Stored(at time.Time) string
	// UTC is a time that the driver has read from a column.
	UTC(at time.Time) time.Time
}

// Engine is what an engine does in its own way.
type Engine interface {
	Words
	// Target and Schema are as in [dialects.Scheduler].
	Target() string
	Schema() string
	// Commits reports whether a procedure outside a transaction commits its work itself.
	Commits() bool
	// Batch enqueues tasks in a transaction with as few calls as the engine takes. A process other than 0 is that of all tasks.
	Batch(ctx context.Context, tx Querier, process int64, tasks []dialects.NewTask) ([]int64, error)
	// Answered finds a call that ended without an error and without an answer.
	Answered(c Call) error
	// Failed classifies the driver's error while doing something; nil stays nil.
	Failed(ctx context.Context, doing string, err error) error
}
