package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/templates"
)

// Oracle does not replace or grant a unit while a call that entered it continues. It waits for minutes (ORA-04021), and new calls
// of the unit queue behind it: one session in wait_process would stop every exec_async. So such a statement gets little time, is
// cancelled, and is retried after a pause that lets the others through.
const (
	useTry   = 2500 * time.Millisecond
	usePause = 2 * time.Second
)

// errInUse reports that calls were in a unit the whole time.
var errInUse = errors.New("in use")

// whenUnused runs a statement that needs a unit without calls. It tries until limit, then returns errInUse.
func whenUnused(ctx context.Context, on client.Execer, limit time.Duration, query string, args ...any) error {
	for waited := time.Duration(0); ; waited += useTry + usePause {
		try, cancel := context.WithTimeout(ctx, useTry)
		_, err := on.ExecContext(try, query, args...)
		late := try.Err() != nil
		cancel()
		refusal, refused := asRefusal(err)
		if again := late || refused && refusal.Number == 4021; err == nil || ctx.Err() != nil || !again {
			return err
		}
		if waited+useTry >= limit {
			return errInUse
		}
		if _, err := on.ExecContext(ctx, Dialect{}.Sleep(usePause)); err != nil {
			return err
		}
	}
}

// compileBody, like replacing the body, requires that no call is in the public package, through which all others are called.
var compileBody = "alter package " + strings.ToLower(templates.OraclePackage) + " compile body"

// packageUnused makes sure that no call is in the public package before the first unit is replaced. dbsched must not end
// sessions of other programs.
func (s *scheduler) packageUnused(ctx context.Context, conn *sql.Conn, limit time.Duration, started bool) error {
	err := whenUnused(ctx, conn, limit, compileBody)
	if r, ok := asRefusal(err); ok && r.Number == 4043 { // it does not exist
		return nil
	}
	if !errors.Is(err, errInUse) {
		return s.Failed(ctx, compileBody, err)
	}
	findings := s.inUse(ctx, conn, templates.OraclePackage, longerDrain)
	if started {
		findings = append(findings, dialects.Finding{Text: "the scheduler continues as before"})
	}
	return &dialects.PreflightError{Target: s.Target(), Findings: findings}
}

const longerDrain = "dbsched install --drain-timeout 1h"

// accessQuery lists the sessions whose calls are in a unit. It needs SELECT on V_$ACCESS and V_$SESSION.
const accessQuery = `select distinct s.sid, s.serial#, s.username, s.program
from v$access a
inner join v$session s on s.sid = a.sid
where a.owner = %s and a.object = %s and s.audsid <> sys_context('USERENV', 'SESSIONID')
order by s.sid`

// inUse lists the sessions with calls in a unit, or says how a DBA finds them, and what to do.
func (s *scheduler) inUse(ctx context.Context, on client.Querier, object, again string) (all []dialects.Finding) {
	add := func(text, remedy string) { all = append(all, dialects.Finding{Text: text, Remedy: remedy}) }
	const in = "in wait_process or acquire_resource, or in a block that has called it and continues. Oracle neither replaces nor grants a package while a call is in it (ORA-04021)"
	rows, err := on.QueryContext(ctx, fmt.Sprintf(accessQuery, ":1", ":2"), s.Schema(), object)
	if err == nil {
		defer rows.Close()
		for rows.Next() && rows.Err() == nil {
			var sid, serial int64
			var user, program sql.NullString
			if rows.Scan(&sid, &serial, &user, &program) == nil {
				add(fmt.Sprintf("session %d,%d of %s (%s) is in the package %s, %s", sid, serial, user.String, program.String, object, in),
					fmt.Sprintf("-- to end it:\nalter system kill session '%d,%d';", sid, serial))
			}
		}
	}
	if len(all) == 0 {
		add("a session has a call in the package "+object+", "+in+". To find it, run as a DBA", fmt.Sprintf(accessQuery, "'"+s.Schema()+"'", "'"+object+"'")+";")
	}
	add("try again after the call has ended, or wait longer for it", again)
	return all
}
