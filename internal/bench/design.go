package bench

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// designs are the published designs, rewritten.
//
//go:embed designs/*.sql
var designs embed.FS

// work is equal tasks in waves of equal width, enqueued with one call.
type work struct {
	text         string
	waves, width int
}

// ran is the result of work.
type ran struct {
	called time.Time // when it was about to be enqueued
	tasks  []timing
}

type timing struct {
	order             int
	started, finished time.Time
}

// design is a way to run tasks in the database.
type design interface {
	name() string
	waves() bool     // whether a task of a later wave waits for the earlier ones
	nothing() string // the text of a task that does nothing
	// up creates it, and starts that many workers. down removes it, however far up got.
	up(ctx context.Context, workers int) error
	down(ctx context.Context) error
	// found prepares it for down if another program has created it.
	found(ctx context.Context) error
	// run enqueues work and waits for its end.
	run(ctx context.Context, w work) (ran, error)
	// pause lets time pass on the server. On a sandbox with a fast clock no time passes in the program.
	pause(ctx context.Context, d time.Duration) error
}

// engine is what bench needs to know about an engine.
type engine struct {
	schema   string // of dbsched; empty: the user's own
	makes    string // what is created, for people
	inTheWay string // lists what prevents a measurement
	nothing  string
	beside   func(c Connect, nothing string) []design
}

func engineOf(d dialects.Dialect) (engine, error) {
	if e, ok := map[string]engine{"mssql": mssqlEngine, "oracle": oracleEngine}[d.Name()]; ok {
		return e, nil
	}
	return engine{}, dialects.Usagef("bench knows nothing to compare with on %s", d.Name())
}

// designs returns dbsched and what it is compared with.
func (e engine) designs(c Connect) []design {
	return append([]design{&dbsched{connect: c, engine: e}}, e.beside(c, e.nothing)...)
}

// dbsched is the scheduler itself, in its own schema if the engine has schemas.
type dbsched struct {
	connect Connect
	engine
	db dialects.Scheduler
}

func (*dbsched) name() string      { return "dbsched" }
func (*dbsched) waves() bool       { return true }
func (d *dbsched) nothing() string { return d.engine.nothing }

func (d *dbsched) found(ctx context.Context) (err error) {
	d.db, err = d.connect.Dialect.Open(ctx, d.connect.Target)
	return err
}

func (d *dbsched) up(ctx context.Context, workers int) (err error) {
	if err := d.found(ctx); err != nil {
		return err
	}
	if _, err = d.db.Install(ctx, dialects.InstallOptions{Lanes: workers, LockTimeout: 10 * time.Second}); err != nil {
		return err
	}
	if err = d.db.SetWorkers(ctx, workers); err != nil {
		return err
	}
	return d.db.Start(ctx)
}

func (d *dbsched) down(ctx context.Context) error {
	if d.db == nil {
		return nil
	}
	defer d.db.Close()
	_, err := d.db.Uninstall(ctx, dialects.UninstallOptions{DrainTimeout: time.Minute, LockTimeout: 10 * time.Second})
	return err
}

func (d *dbsched) run(ctx context.Context, w work) (ran, error) {
	st, err := d.db.Status(ctx)
	if err != nil {
		return ran{}, err
	}
	filter, err := d.enqueue(ctx, w)
	if err != nil {
		return ran{}, err
	}
	if finished, err := d.db.WaitProcess(ctx, filter.ProcessID, patience); err != nil || !finished {
		return ran{}, unfinished(err)
	}
	logs, err := d.db.Logs(ctx, filter)
	if err != nil {
		return ran{}, err
	}
	r := ran{called: st.Now}
	for _, e := range logs {
		if e.Outcome != "Succeeded" || e.FinishedAt == nil {
			return ran{}, fmt.Errorf("task %d ended as %s: %s", e.TaskID, e.Outcome, e.ErrorMessage)
		}
		r.tasks = append(r.tasks, timing{e.Order, e.StartedAt, *e.FinishedAt})
	}
	return r, nil
}

// enqueue adds a single task to the default process, and several to their own process.
func (d *dbsched) enqueue(ctx context.Context, w work) (dialects.Filter, error) {
	var tasks []dialects.NewTask
	for i := range w.waves * w.width {
		tasks = append(tasks, dialects.NewTask{SQL: w.text, Order: i / w.width})
	}
	if len(tasks) == 1 {
		ids, err := d.db.Exec(ctx, tasks)
		if err != nil {
			return dialects.Filter{}, err
		}
		return dialects.Filter{ProcessID: defaultProcess, TaskID: ids[0]}, nil
	}
	s, err := d.db.Submit(ctx, dialects.NewProcess{Name: "bench"}, tasks)
	return dialects.Filter{ProcessID: s.ProcessID}, err
}

// defaultProcess exists from the start.
const defaultProcess = 1

func (d *dbsched) pause(ctx context.Context, t time.Duration) error {
	db, err := d.connect.Dialect.OpenDB(ctx, d.connect.Target)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, d.connect.Dialect.Sleep(t))
	return err
}

// patience is how long one piece of work may take.
const patience = 30 * time.Minute

func unfinished(err error) error {
	if err == nil {
		err = fmt.Errorf("the tasks did not end within %v", patience)
	}
	return err
}

// published is what the published designs have in common: a connection, and SQL.
type published struct {
	connect Connect
	db      *sql.DB
	empty   string // the text of a task that does nothing
}

func (p *published) nothing() string { return p.empty }

func (p *published) pause(ctx context.Context, d time.Duration) error {
	_, err := p.db.ExecContext(ctx, p.connect.Dialect.Sleep(d))
	return err
}

func (p *published) found(ctx context.Context) error { return p.open(ctx) }

// open connects once.
func (p *published) open(ctx context.Context) (err error) {
	if p.db == nil {
		p.db, err = p.connect.Dialect.OpenDB(ctx, p.connect.Target)
	}
	return err
}

// exec runs all statements, and returns the first error.
func (p *published) exec(ctx context.Context, statements ...string) (first error) {
	for _, text := range statements {
		if _, err := p.db.ExecContext(ctx, text); err != nil && first == nil {
			first = fmt.Errorf("%w\nin: %s", err, strings.TrimSpace(text))
		}
	}
	return first
}

// install runs a script whose statements end with the line end.
func (p *published) install(ctx context.Context, file, end string, rename func(string) string) error {
	text, err := designs.ReadFile("designs/" + file)
	if err != nil {
		return err
	}
	for batch := range strings.SplitSeq(strings.TrimSpace(string(text))+"\n", "\n"+end+"\n") {
		if batch = strings.TrimSpace(batch); batch == "" {
			continue
		}
		if _, err := p.db.ExecContext(ctx, rename(batch)); err != nil {
			return err
		}
	}
	return nil
}

// now reads the server's clock.
func (p *published) now(ctx context.Context, query string) (t time.Time, err error) {
	return t, p.db.QueryRowContext(ctx, query).Scan(&t)
}

// until waits until a query counts none; between two queries, stir may do something.
func (p *published) until(ctx context.Context, count string, stir func() error) error {
	for waited := time.Duration(0); waited < patience; waited += look {
		var n int
		if err := p.db.QueryRowContext(ctx, count).Scan(&n); err != nil || n == 0 {
			return err
		}
		if err := errors.Join(stir(), p.pause(ctx, look)); err != nil {
			return err
		}
	}
	return unfinished(nil)
}

// look is the interval at which a published design is asked whether its work is done: it cannot report that.
const look = 200 * time.Millisecond

// times reads order, start and end of tasks.
func (p *published) times(ctx context.Context, query string) (all []timing, err error) {
	rows, err := p.db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var t timing
		if err := rows.Scan(&t.order, &t.started, &t.finished); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, rows.Err()
}
