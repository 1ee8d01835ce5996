package client

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/schema"
)

// TableVersion reads the version that golang-migrate recorded; 0 if it never ran here. Dirty: the migration to this version was begun but
// not finished. The first query tells whether there is a version table.
func (c *Client) TableVersion(ctx context.Context, on Querier, exists string, param any, query string) (version int, dirty bool, err error) {
	const doing = "reading the version of the tables"
	var is bool
	if err = on.QueryRowContext(ctx, exists, param).Scan(&is); err != nil || !is {
		return 0, false, c.Engine.Failed(ctx, doing, err)
	}
	err = on.QueryRowContext(ctx, query).Scan(&version, &dirty)
	if errors.Is(err, sql.ErrNoRows) || version < 0 {
		return 0, false, nil
	}
	return version, dirty, c.Engine.Failed(ctx, doing, err)
}

// Repair is a part of the tables that is missing or different, and the statements that bring it back.
type Repair struct {
	Name       string
	Statements []string
}

// Repairs returns what brings back what was found. It fails with a PreflightError if that takes a restore, or a decision.
func (c *Client) Repairs(found []schema.Difference, restore func(schema.Difference) *dialects.Finding) (all []Repair, err error) {
	var findings []dialects.Finding
	for _, d := range found {
		if f := restore(d); f != nil {
			findings = append(findings, *f)
		} else if statements := d.Repair(); statements != nil && d.Kind != "right" { // those come with the batches
			all = append(all, Repair{d.Key(), statements})
		}
	}
	if findings != nil {
		return nil, &dialects.PreflightError{Target: c.Engine.Target(), Findings: findings}
	}
	return all, nil
}

// Repair runs repairs, and returns the name of the one that failed.
func (c *Client) Repair(ctx context.Context, on Execer, all []Repair, report *dialects.InstallReport) (failed string, err error) {
	for _, r := range all {
		c.Notify("repairing " + r.Name)
		for _, statement := range r.Statements {
			if _, err := on.ExecContext(ctx, statement); err != nil {
				return r.Name, c.Engine.Failed(ctx, r.Name, err)
			}
		}
		report.Applied = append(report.Applied, r.Name)
	}
	return "", nil
}

// Mend applies the safe repair of a check.
func (c *Client) Mend(ctx context.Context, check dialects.Check) error {
	if c.DryRun != nil {
		c.DryRun(dialects.Batch{Name: check.Name, SQL: check.Remedy})
		return nil
	}
	statements := check.Statements
	if statements == nil {
		statements = []string{check.Remedy}
	}
	for _, statement := range statements {
		if _, err := c.DB.ExecContext(ctx, statement); err != nil {
			return c.Engine.Failed(ctx, check.Name, err)
		}
	}
	return nil
}

// LookSlice is how long the server waits between two checks of the lanes.
const LookSlice = 200 * time.Millisecond

// WaitForLanes waits until no worker is alive, and returns the live ones, which busy lists, when the time is up. The server does the
// waiting, for LookSlice with sleep: its clock counts, and the client does not poll busily.
func (c *Client) WaitForLanes(ctx context.Context, conn *sql.Conn, limit time.Duration, sleep string, busy func(context.Context, *sql.Conn) ([]string, error)) ([]string, error) {
	for waited := time.Duration(0); ; waited += LookSlice {
		all, err := busy(ctx, conn)
		if err != nil || len(all) == 0 || waited >= limit {
			return all, err
		}
		c.Notify(fmt.Sprintf("waiting for %d sessions", len(all)))
		if _, err := conn.ExecContext(ctx, sleep); err != nil {
			return nil, c.Engine.Failed(ctx, "waiting for workers", err)
		}
	}
}

// TooBusy lists the sessions that did not end in time.
func (c *Client) TooBusy(busy []string, drain time.Duration, started bool) error {
	e := &dialects.PreflightError{Target: c.Engine.Target()}
	for _, b := range busy {
		e.Findings = append(e.Findings, dialects.Finding{Text: fmt.Sprintf("still running after %v, but the installation replaces its code: %s", drain, b)})
	}
	next := dialects.Finding{Text: "install when these tasks have ended, or wait longer for them", Remedy: "dbsched install --drain-timeout 1h"}
	if started {
		next.Text = "the scheduler continues as before. Install when these tasks have ended, or wait longer for them"
	}
	e.Findings = append(e.Findings, next)
	return e
}

// Replace changes the workers' code once idle finds that nothing runs. A started scheduler is started again, unless the change failed
// halfway.
func (c *Client) Replace(ctx context.Context, started bool, pool func() *sql.DB, idle, change func() error) error {
	err := idle()
	if err == nil {
		err = change()
	}
	if e, ok := errors.AsType[*dialects.PartialError](err); ok {
		if started {
			e.Next += " The scheduler is stopped until then. Afterwards: dbsched start"
		}
		return err
	}
	if !started {
		return err
	}
	// Even if ctx has ended, and its connection with it: Ctrl-C must not leave the scheduler stopped.
	again, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	other := pool()
	defer other.Close()
	return errors.Join(err, c.Send(again, other, New("StartScheduler")))
}

// Removed calls remove, and reports what has gone from a list, also if it failed.
func Removed(ctx context.Context, report *dialects.UninstallReport, list func(context.Context) ([]string, error), remove func() error) error {
	was, err := list(ctx)
	if err != nil {
		return err
	}
	err = remove()
	is, err2 := list(context.WithoutCancel(ctx))
	if err2 == nil {
		report.Removed = append(report.Removed, News(is, was)...)
	}
	if p, ok := errors.AsType[*dialects.PartialError](err); ok {
		p.Applied = append(p.Applied, report.Removed...)
	}
	return cmp.Or(err, err2)
}

// News returns what is in is but not in was: repairs and added lanes.
func News(was, is []string) []string {
	return slices.DeleteFunc(slices.Clone(is), func(item string) bool { return slices.Contains(was, item) })
}
