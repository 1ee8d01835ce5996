package client

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// column is a column of a view, and where it goes.
type column struct {
	name string // as SQL Server's views have it; t. of the joined view
	text string // an expression instead
	into any
}

// zero reads NULL, which is also Oracle's empty text, as the zero value.
type zero[T any] struct{ to *T }

func (z zero[T]) Scan(value any) error {
	var n sql.Null[T]
	err := n.Scan(value)
	*z.to = n.V
	return err
}

// errNull: such a row is damaged.
var errNull = errors.New("it is NULL")

// key is a column that is never NULL.
func key[T any](name string, to *T) column { return column{name: name, into: to} }

func col[T any](name string, to *T) column { return column{name: name, into: zero[T]{to}} }

// flag reads a bit, or Y and N.
type flag struct{ to *bool }

func (f flag) Scan(value any) error {
	if text, ok := value.(string); ok {
		*f.to = text == "Y"
		return nil
	}
	return zero[bool](f).Scan(value)
}

func yes(name string, to *bool) column { return column{name: name, into: flag{to}} }

// maybe reads NULL as nil.
type maybe[T any] struct {
	to   **T
	scan func(*T) sql.Scanner
}

func (m maybe[T]) Scan(value any) error {
	if *m.to = nil; value == nil {
		return nil
	}
	*m.to = new(T)
	return m.scan(*m.to).Scan(value)
}

func maybeYes(name string, to **bool) column {
	return column{name: name, into: maybe[bool]{to, func(b *bool) sql.Scanner { return flag{b} }}}
}

// instant reads a time and says what it means.
type instant struct {
	to   *time.Time
	mean func(time.Time) time.Time
}

func (i instant) Scan(value any) error {
	if value == nil {
		return errNull
	}
	err := zero[time.Time]{i.to}.Scan(value)
	*i.to = i.mean(*i.to)
	return err
}

func (c *Client) at(name string, to *time.Time) column {
	return column{name: name, into: instant{to, c.Engine.UTC}}
}

func (c *Client) maybeAt(name string, to **time.Time) column {
	return column{name: name, into: c.nullable(to, c.Engine.UTC)}
}

func (c *Client) nullable(to **time.Time, mean func(time.Time) time.Time) sql.Scanner {
	return maybe[time.Time]{to, func(t *time.Time) sql.Scanner { return instant{t, mean} }}
}

// Wall marks what a clock shows as UTC, without changing it.
func Wall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

func (c *Client) now(to *time.Time) column {
	return column{text: c.Engine.Now(), into: instant{to, c.Engine.UTC}}
}

// row returns what is read into an item, and what to do then; nil: nothing.
type row[T any] func(item *T) ([]column, func())

// view is one of dbsched's views: the columns for order and filters.
type view struct {
	name, key, status, time string
	texts                   []string
	join                    string // another view, t, of the same task
}

// select writes the list of columns. brief: this many characters of its texts.
func (c *Client) selects(columns []column, v view, brief int) string {
	texts := make([]string, len(columns))
	for i, column := range columns {
		switch {
		case column.text != "":
			texts[i] = column.text
		case brief > 0 && slices.Contains(v.texts, column.name):
			texts[i] = c.Engine.Left(c.of(column.name), brief)
		default:
			texts[i] = c.of(column.name)
		}
	}
	return strings.Join(texts, ", ")
}

// of is a column of the view, or of the joined one.
func (c *Client) of(name string) string {
	if joined, ok := strings.CutPrefix(name, "t."); ok {
		return "t." + c.Engine.Column(joined)
	}
	return "v." + c.Engine.Column(name)
}

func (c *Client) from(v view) string {
	text := "\nFROM " + c.Engine.View(v.name) + " v"
	if v.join != "" {
		text += "\nLEFT JOIN " + c.Engine.View(v.join) + " t ON " + c.of("t.TaskId") + " = " + c.of("TaskId")
	}
	return text
}

// list returns the newest rows of a view; oldest first, or as the page has them.
func list[T any](ctx context.Context, c *Client, v view, f dialects.Filter, row row[T]) ([]T, error) {
	columns, _ := row(new(T))
	text, params := c.query(v, columns, f)
	all, err := read(ctx, c, v.name, text, params, row)
	if f.Page == 0 {
		slices.Reverse(all)
	}
	return all, err
}

// all returns the rows of a view in an order.
func all[T any](ctx context.Context, c *Client, v view, order string, row row[T]) ([]T, error) {
	columns, _ := row(new(T))
	return read(ctx, c, v.name, "SELECT "+c.selects(columns, v, 0)+c.from(v)+"\nORDER BY "+order, nil, row)
}

// read runs a query whose columns are those of a row.
func read[T any](ctx context.Context, c *Client, name, query string, params []any, row row[T]) ([]T, error) {
	return Read(ctx, c, c.DB, c.Engine.Object(name), query, params, func(rows *sql.Rows) (item T, err error) {
		columns, then := row(&item)
		into := make([]any, len(columns))
		for i := range columns {
			into[i] = columns[i].into
		}
		if err = rows.Scan(into...); err == nil && then != nil {
			then()
		}
		return item, err
	})
}

// Read runs a query and returns its rows in their order. Errors say that it failed while doing something.
func Read[T any](ctx context.Context, c *Client, on Querier, doing, query string, params []any, scan func(*sql.Rows) (T, error)) ([]T, error) {
	var all []T
	err := Each(ctx, on, query, params, func(rows *sql.Rows) error {
		item, err := scan(rows)
		all = append(all, item)
		return err
	})
	if err != nil {
		return nil, c.Engine.Failed(ctx, doing, err)
	}
	return all, nil
}

// one reads the first row of a query; no row is sql.ErrNoRows.
func (c *Client) one(ctx context.Context, query string, params []any, columns []column) error {
	into := make([]any, len(columns))
	for i := range columns {
		into[i] = columns[i].into
	}
	return c.DB.QueryRowContext(ctx, query, params...).Scan(into...)
}
