package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
)

// limitsQuery lists what the profile of this user limits. A worker is one session and one call, for however many tasks; how long a session
// waits does not count while it is in a call.
const limitsQuery = `select l.resource_name, l.limit
from user_resource_limits l
where l.limit <> 'UNLIMITED' and l.resource_name in ('COMPOSITE_LIMIT', 'CONNECT_TIME', 'CPU_PER_CALL', 'CPU_PER_SESSION',
    'LOGICAL_READS_PER_CALL', 'LOGICAL_READS_PER_SESSION', 'SESSIONS_PER_USER')
order by l.resource_name`

// spareSessions are those that are neither dispatcher nor lane: a client's, and one that is just ending.
const spareSessions = 2

// limits returns the limits of this user's profile that dbsched can reach.
func limits(ctx context.Context, on client.Querier, lanes int) (all []string, err error) {
	err = client.Each(ctx, on, limitsQuery, nil, func(rows *sql.Rows) error {
		var name, limit string
		err := rows.Scan(&name, &limit)
		if n, no := strconv.Atoi(limit); name != "SESSIONS_PER_USER" || no != nil || n <= lanes+spareSessions {
			all = append(all, strings.ToLower(name)+" "+limit)
		}
		return err
	})
	return all, err
}

const limitsMean = "All tasks of a worker count together: one that reaches a limit fails, or its worker ends. With too few sessions lanes do not start."

func (v *verification) checkProfile(ctx context.Context) error {
	all, err := limits(ctx, v.DB, v.set.lanes)
	switch {
	case err != nil:
		return err
	case len(all) > 0:
		v.Add(dialects.Check{Level: dialects.Warn, Text: "the profile of " + v.Schema() + " has limits: " + strings.Join(all, ", "), Means: limitsMean,
			Remedy: "create profile dbsched limit " + strings.Join(unlimited(all), " unlimited ") + " unlimited;\nalter user " + v.Schema() + " profile dbsched;"})
	case v.set.runner != "":
		v.OK("the profile of " + v.Schema() + " has no limit that matters; that of " + v.set.runner + " is not visible")
	default:
		v.OK("it has no limit that matters")
	}
	return nil
}

// unlimited cuts the values off limits.
func unlimited(all []string) (names []string) {
	for _, limit := range all {
		name, _, _ := strings.Cut(limit, " ")
		names = append(names, name)
	}
	return names
}

// editionQuery reads the session's edition and the default, which jobs use (Administrator's Guide, "Oracle Scheduler and Editions"). Only DBA_USERS
// says whether a schema is enabled for editions.
const editionQuery = `select sys_context('USERENV', 'CURRENT_EDITION_NAME'), max(p.property_value)
from database_properties p
where p.property_name = 'DEFAULT_EDITION'`

func (v *verification) checkEdition(ctx context.Context) error {
	var mine, jobs sql.NullString
	if err := v.DB.QueryRowContext(ctx, editionQuery).Scan(&mine, &jobs); err != nil {
		return err
	}
	if mine.String != jobs.String {
		v.Add(dialects.Check{Level: dialects.Fail, Text: "this session uses the edition " + mine.String + ", jobs use " + jobs.String,
			Means: "If the schema is enabled for editions, dispatcher and workers use other packages than you.", Remedy: "-- connect to a service of the default edition, then dbsched install"})
		return nil
	}
	v.OK("jobs use " + jobs.String)
	return nil
}

const (
	parametersQuery = `select max(case p.name when 'open_links' then p.value end), max(case p.name when 'cluster_database' then p.value end)
from v$parameter p
where p.name in ('open_links', 'cluster_database')`
	classQuery = `select max(j.job_class), max(c.service)
from user_scheduler_jobs j left outer join all_scheduler_job_classes c on c.job_class_name = j.job_class
where j.job_name = :in_name`
	linksQuery = `select count(*) from user_db_links`
)

// checkParameters compares the number of links that a session may have open with those of the schema, and looks for a cluster.
func (v *verification) checkParameters(ctx context.Context) error {
	var open, cluster sql.NullString
	err := v.DB.QueryRowContext(ctx, parametersQuery).Scan(&open, &cluster)
	if r, ok := asRefusal(err); ok && unseen(r) {
		v.Info("open_links and cluster_database are not visible to this user")
		return nil
	}
	if err != nil {
		return err
	}
	var links int
	if err := v.DB.QueryRowContext(ctx, linksQuery).Scan(&links); err != nil {
		return err
	}
	if most, err := strconv.Atoi(open.String); err == nil && links > most {
		v.Add(dialects.Check{Level: dialects.Warn, Text: fmt.Sprintf("the schema has %d database links, a session may have %d open (open_links)", links, most),
			Means: "Links stay open in a worker's session. A task that finds no place (ORA-02020) is tried again in another session.", Remedy: fmt.Sprintf("alter system set open_links = %d scope = spfile", links)})
		return nil
	}
	if cluster.String == "TRUE" {
		var class, service sql.NullString
		if err := v.DB.QueryRowContext(ctx, classQuery, sql.Named("in_name", strings.ToUpper(object("dispatcher")))).Scan(&class, &service); err != nil {
			return err
		}
		if service.String == "" {
			v.Add(dialects.Check{Level: dialects.Warn, Text: "this is a cluster, and the jobs are bound to no service (job class " + class.String + ")",
				Means: "Dispatcher and workers spread over the instances and wait for each other's blocks.", Remedy: "-- see operations.md, RAC: a job class with a service"})
			return nil
		}
		v.OK("the jobs run in the service " + service.String)
		return nil
	}
	v.OK("open_links is " + open.String)
	return nil
}

// memoryQuery reads the memory of the dispatcher's session.
const memoryQuery = `select round(max(t.value) / 1048576)
from user_scheduler_running_jobs r
inner join v$sesstat t on t.sid = r.session_id
inner join v$statname n on n.statistic# = t.statistic# and n.name = 'session pga memory'
where r.job_name = :in_name`

// muchMemory is how many megabytes are too many for a session that only waits and reads.
const muchMemory = 500

func (v *verification) checkMemory(ctx context.Context) error {
	var megabytes sql.NullInt64
	err := v.DB.QueryRowContext(ctx, memoryQuery, sql.Named("in_name", strings.ToUpper(object("dispatcher")))).Scan(&megabytes)
	switch r, ok := asRefusal(err); {
	case ok && unseen(r):
		v.Info("not visible to this user without SELECT on SYS.V_$SESSTAT and SYS.V_$STATNAME")
	case err != nil:
		return err
	case megabytes.Int64 > muchMemory:
		v.Add(dialects.Check{Level: dialects.Warn, Text: fmt.Sprintf("the dispatcher's session uses %d MB", megabytes.Int64),
			Means: "The server keeps memory for its call. It gives it back when nothing is due twelve hours after its start.", Remedy: "dbsched stop, then dbsched start"})
	case megabytes.Valid:
		v.OK(fmt.Sprintf("%d MB", megabytes.Int64))
	default:
		v.OK("the dispatcher does not run")
	}
	return nil
}

func homeQuery() string {
	return "select s.home_guid from " + object("settings") + " s where s.settings_id = 1"
}

// checkMoves says what happens after a move to another container.
func (v *verification) checkMoves(ctx context.Context) error {
	if len(v.status.AlsoOn) > 0 {
		v.Add(dialects.MovesCheck(v.status))
		return nil
	}
	var guid sql.NullString
	if err := v.DB.QueryRowContext(ctx, homeQuery()).Scan(&guid); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if guid.String != "" {
		v.OK("the container's GUID is known: a move that keeps it goes on by itself")
		return nil
	}
	v.Add(dialects.Check{Level: dialects.Info, Text: "the container's GUID is not known", Means: "After a move to another container database, nothing runs until dbsched start --moved.",
		Remedy: "grant select on sys.v_$pdbs to " + v.Schema() + "; -- then dbsched start"})
	return nil
}

// warnOfLimits adds to a report what the owner's profile limits.
func (s *scheduler) warnOfLimits(ctx context.Context, conn *sql.Conn, report *dialects.InstallReport) error {
	all, err := limits(ctx, conn, report.Lanes)
	if r, ok := asRefusal(err); ok && unseen(r) {
		return nil
	}
	if len(all) > 0 {
		report.Warnings = slices.Concat(report.Warnings, []string{"the profile of " + s.Schema() + " has limits: " + strings.Join(all, ", ") + ". " + limitsMean})
	}
	return s.Failed(ctx, "user_resource_limits", err)
}
