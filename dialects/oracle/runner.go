package oracle

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/templates"
)

// runner is a session of the user that runs tasks and owns the jobs of the lanes. nil: no login for that user is
// known, and existing jobs are changed with the owner's rights on them.
type runner struct {
	target target
	db     *sql.DB
	conn   *sql.Conn
}

// openRunner logs in as the runner, if a DSN is given.
func (s *scheduler) openRunner(ctx context.Context, dsn string) (*runner, error) {
	if dsn == "" {
		return nil, nil
	}
	t, err := parseDSN(dsn)
	if err != nil {
		return nil, err
	}
	if err := checkRunner(s.Schema(), t.user); err != nil {
		return nil, err
	}
	if t, err = t.ask(ctx, s.password, true); err != nil {
		return nil, err
	}
	r := &runner{target: t, db: opener(t, s.dial, "")()}
	if r.conn, err = r.db.Conn(ctx); err != nil {
		r.db.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, t.connectError(err)
	}
	return r, nil
}

// close ends the session.
func (r *runner) close() {
	if r != nil {
		r.conn.Close()
		r.db.Close()
	}
}

// check refuses a user who could reach more than tasks should. It changes nothing.
func (r *runner) check(ctx context.Context, src source) error {
	if r == nil {
		return nil
	}
	for _, b := range src.runner {
		if b.Kind != templates.KindSchema {
			continue
		}
		_, err := r.conn.ExecContext(ctx, b.SQL)
		if refusal, ok := asRefusal(err); ok {
			return &dialects.PreflightError{Target: r.target.String(), Findings: []dialects.Finding{finding(refusal.Text)}}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkRunner refuses names that no runner can have; empty is allowed.
func checkRunner(owner, name string) error {
	switch {
	case name == "":
		return nil
	case strings.EqualFold(owner, name):
		return dialects.Usagef("the runner must not be the owner, %s: tasks would have all of the owner's rights", strings.ToUpper(owner))
	}
	if err := templates.CheckOracleOwner(name); err != nil {
		return dialects.Usagef("the runner: %v", err)
	}
	return nil
}

func runnerQuery() string {
	return "select s.runner, s.version from " + object("settings") + " s where s.settings_id = 1"
}

// chooseRunner returns the installed one, or the given one if nothing is installed yet.
func (s *scheduler) chooseRunner(ctx context.Context, conn *sql.Conn, p plan, run *runner) (string, error) {
	var installed, version sql.NullString
	if p.hasTables() {
		err := conn.QueryRowContext(ctx, runnerQuery()).Scan(&installed, &version)
		if err != nil && !errors.Is(err, sql.ErrNoRows) && !missing(err) {
			return "", s.Failed(ctx, object("settings"), err)
		}
	}
	if p.left.lost { // the jobs of the lanes tell
		installed, version = sql.NullString{String: p.left.runner, Valid: p.left.runner != ""}, sql.NullString{Valid: true}
		if p.left.runner == "" && !p.left.mine && run == nil {
			return "", &dialects.PreflightError{Target: s.Target(), Findings: []dialects.Finding{{
				Text: "the row of " + strings.ToUpper(object("settings")) + " is missing, and so are the jobs of the lanes. Nothing tells any more who ran the tasks: the owner, or a runner",
				Remedy: "-- if there was none, run as the owner the output of: dbsched render --dialect oracle --schema " + strings.ToLower(s.Schema()) +
					"\n-- otherwise name it: dbsched install --runner-dsn ...",
			}}}
		}
	}
	var given string
	if run != nil {
		given = run.target.user
	}
	switch there := version.Valid; {
	case given == "" || given == installed.String:
		return installed.String, nil
	case there && installed.String == "":
		return "", dialects.Usagef("dbsched is installed without a runner. Queued tasks must not change the user they run as, so uninstall first")
	case there:
		return "", dialects.Usagef("dbsched is installed with the runner %s. To use another one, uninstall first", installed.String)
	}
	return given, nil
}

// grantWait is how long GRANT and REVOKE wait for calls in the public package.
const grantWait = time.Minute

// Grant lets a user enqueue tasks, which run as the runner.
func (s *scheduler) Grant(ctx context.Context, user string, admin bool) error {
	if err := s.mustOwn("grant"); err != nil {
		return err
	}
	flag := "N"
	if admin {
		flag = "Y"
	}
	return s.onUser(ctx, user, "dbsched grant", client.New("GrantUser").Set("User", userName(user)).Set("Administrator", flag))
}

// Revoke stops a user from enqueueing tasks.
func (s *scheduler) Revoke(ctx context.Context, user string) (dialects.Revoked, error) {
	if err := s.mustOwn("revoke"); err != nil {
		return dialects.Revoked{}, err
	}
	var schedules, rounds sql.NullInt64
	err := s.onUser(ctx, user, "dbsched revoke", client.New("RevokeUser").Set("User", userName(user)).Returns("Schedules", &schedules).Returns("Rounds", &rounds))
	return dialects.Revoked{Schedules: schedules.Int64, Rounds: rounds.Int64}, err
}

// userName is a user's name as the dictionary spells it: in upper case unless it is quoted.
func userName(name string) string {
	if n := len(name); n > 2 && name[0] == '"' && name[n-1] == '"' {
		return name[1 : n-1]
	}
	return strings.ToUpper(name)
}

// onUser calls a procedure of the owner's private package, which grants or revokes.
func (s *scheduler) onUser(ctx context.Context, user, command string, c client.Call) error {
	c.Package = object("admin")
	if s.DryRun != nil {
		return s.Send(ctx, s.DB, c)
	}
	conn, err := s.DB.Conn(ctx)
	if err != nil {
		return s.Failed(ctx, "connecting", err)
	}
	defer conn.Close()
	text, params := s.Statement(c)
	if err := whenUnused(ctx, conn, grantWait, text, params...); !errors.Is(err, errInUse) {
		return s.Failed(ctx, s.Name(c.Procedure), err)
	}
	return &dialects.PreflightError{Target: s.Target(), Findings: s.inUse(ctx, conn, templates.OraclePackage, command+" "+user)}
}
