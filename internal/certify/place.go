package certify

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/bench"
)

// engine is what certify needs to know about an engine.
type engine struct {
	schema   string // of the scratch installation; empty: the user's own
	makes    string // what is created, for people
	inTheWay string // query that lists what prevents a run
	make     string // first statement: marks the place
	mark     string // what that makes
	alive    string // statement whose lock says, until its transaction ends, that the run of the mark has not ended
	left     string // query that lists what is left: kind, name, and the statement that removes it, in that order
	unseen   string // query that says what left cannot see; empty: nothing
	probes   []Probe
	server   func(ctx context.Context, db *sql.DB) ([]Fact, error)
	why      func(err error) string                           // why a probe could not be tried, without names
	taken    func(err error) bool                             // whether the first statement failed because somebody else has marked the place
	held     func(err error) bool                             // whether alive failed because another session has its lock
	limits   func(ctx context.Context, p *place) (atOnce int) // what the server limits: how many probes may run beside each other
	say      words
}

var engines = map[string]*engine{"mssql": mssqlEngine(), "oracle": oracleEngine()}

func engineOf(d dialects.Dialect) (*engine, error) {
	if e, ok := engines[d.Name()]; ok {
		return e, nil
	}
	return nil, dialects.Usagef("certify has no probes for %s", d.Name())
}

// place is the scratch installation.
type place struct {
	*engine
	on    On
	db    *sql.DB
	sched dialects.Scheduler
	slack time.Duration // by which times of one server may differ
	few   string        // why tasks and jobs may be late here, if there is a reason
	stays error         // of the first uninstallation that failed
}

func open(ctx context.Context, on On, e *engine) (*place, error) {
	on.Target.Schema = e.schema
	p := &place{engine: e, on: on, slack: oneClock}
	var err error
	if p.db, err = on.Dialect.OpenDB(ctx, on.Target); err != nil {
		return nil, err
	}
	if p.sched, err = on.Dialect.Open(ctx, on.Target); err != nil {
		return nil, errors.Join(err, p.db.Close())
	}
	return p, nil
}

func (p *place) close() {
	_ = p.sched.Close()
	_ = p.db.Close()
}

// vacant fails with a UsageError that lists what prevents a run.
func (p *place) vacant(ctx context.Context) error {
	found, err := column(ctx, p.db, p.inTheWay)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		left, err := rows(ctx, p.db, p.left)
		if err != nil || len(left) == 0 {
			return err
		}
		for _, r := range left {
			found = append(found, "A run that was killed has left "+r[0]+" "+r[1]+". To remove it, run: dbsched certify --clean")
		}
	}
	return dialects.Usagef("certify cannot run here; nothing was changed:\n  %s", strings.Join(found, "\n  "))
}

// occupy marks the place.
func (p *place) occupy(ctx context.Context) error {
	_, err := p.db.ExecContext(ctx, p.engine.make)
	switch {
	case err == nil:
		return nil
	case p.taken(err):
		return dialects.Usagef("another certify has just begun here; nothing was changed. Try again when it has ended")
	}
	return &dialects.ServerError{Doing: "marking the place", Err: err}
}

// hold takes the lock of a run, which ends with its session if it is killed.
func (p *place) hold(ctx context.Context) (release func(), err error) {
	db, err := p.on.Dialect.OpenDB(ctx, p.on.Target)
	if err != nil {
		return nil, err
	}
	tx, err := db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	release = func() { _, _ = tx.Rollback(), db.Close() }
	if _, err := tx.ExecContext(ctx, p.alive); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// idle fails with a UsageError if a run has not ended.
func (p *place) idle(ctx context.Context) error {
	release, err := p.hold(ctx)
	switch {
	case err == nil:
		release()
	case p.held(err):
		return dialects.Usagef("certify is running here; nothing was changed. Try again when it has ended. If it was killed, the server may notice that only after some minutes")
	}
	return nil // there is no mark, or cleaning reports it
}

// make installs and starts.
func (p *place) make(ctx context.Context) error {
	if _, err := p.sched.Install(ctx, dialects.InstallOptions{Lanes: lanes, LockTimeout: 10 * time.Second}); err != nil {
		return err
	}
	if err := p.sched.SetWorkers(ctx, lanes); err != nil {
		return err
	}
	return p.sched.Start(ctx)
}

// uninstall removes the scratch installation.
func (p *place) uninstall(ctx context.Context) error {
	_, err := p.sched.Uninstall(ctx, dialects.UninstallOptions{DrainTimeout: time.Minute, LockTimeout: 10 * time.Second})
	if p.stays == nil {
		p.stays = err
	}
	return err
}

// clean removes the installation and what the probes have made, and returns what stays: kind and name.
func (p *place) clean(ctx context.Context) ([]string, error) {
	marked, err := rows(ctx, p.db, p.left)
	if err != nil || len(marked) == 0 {
		return nil, err
	}
	var failed error
	if slices.ContainsFunc(marked, func(r []string) bool { return r[1] == p.mark }) { // otherwise an installation of this name is somebody's
		failed = p.uninstall(ctx)
	}
	if err := p.removeBenches(ctx, marked); err != nil { // the mark stays, for the next time
		return []string{"benches " + bench.Where(p.on.Dialect)}, errors.Join(failed, err)
	}
	// What one thing needs may be listed after it, and a task or job that still runs ends soon.
	var all [][]string
	for range 10 {
		if all, err = rows(ctx, p.db, p.left); err != nil || len(all) == 0 {
			return nil, err
		}
		stuck := false
		for _, r := range all {
			if _, err := p.db.ExecContext(ctx, r[2]); err != nil {
				failed, stuck = errors.Join(failed, err), true
			}
		}
		if stuck {
			if err := sleep(ctx, 3*time.Second); err != nil {
				return nil, err
			}
		}
	}
	if all, err = rows(ctx, p.db, p.left); err != nil || len(all) == 0 {
		return nil, err
	}
	var left []string
	for _, r := range all {
		left = append(left, r[0]+" "+r[1])
	}
	slices.Sort(left)
	return left, failed
}

// column returns the first column of a query.
func column(ctx context.Context, on querier, query string) ([]string, error) {
	all, err := rows(ctx, on, query)
	var first []string
	for _, r := range all {
		first = append(first, r[0])
	}
	return first, err
}

// querier is a pool or a connection.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// rows returns what a query returns, as text; NULL is empty.
func rows(ctx context.Context, on querier, query string, args ...any) (all [][]string, err error) {
	found, err := on.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	names, err := found.Columns()
	if err != nil {
		return nil, err
	}
	for found.Next() {
		cells := make([]sql.NullString, len(names))
		into := make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := found.Scan(into...); err != nil {
			return nil, err
		}
		row := make([]string, len(cells))
		for i, c := range cells {
			row[i] = c.String
		}
		all = append(all, row)
	}
	return all, found.Err()
}
