package oracle

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/aq"
	"github.com/dbsched/dbsched/sandbox/internal/jobs"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// registerViews adds the views over sessions, jobs and queues: those of the columns in
// the Database Reference that monitoring a scheduler needs, with its names and types.
func (srv *Server) registerViews() {
	srv.registerSessionViews()
	srv.family("SCHEDULER_JOBS", `JOB_NAME VARCHAR2(128), JOB_CREATOR VARCHAR2(128), JOB_STYLE VARCHAR2(17), JOB_TYPE VARCHAR2(16),
		JOB_ACTION VARCHAR2(4000), NUMBER_OF_ARGUMENTS NUMBER, PROGRAM_OWNER VARCHAR2(4000), PROGRAM_NAME VARCHAR2(4000),
		SCHEDULE_OWNER VARCHAR2(4000), SCHEDULE_NAME VARCHAR2(4000), SCHEDULE_TYPE VARCHAR2(12), START_DATE TIMESTAMPTZ, REPEAT_INTERVAL VARCHAR2(4000),
		END_DATE TIMESTAMPTZ, JOB_CLASS VARCHAR2(128), ENABLED VARCHAR2(5), AUTO_DROP VARCHAR2(5), RESTART_ON_RECOVERY VARCHAR2(5),
		RESTARTABLE VARCHAR2(5), STATE VARCHAR2(20), JOB_PRIORITY NUMBER, RUN_COUNT NUMBER, MAX_RUNS NUMBER, FAILURE_COUNT NUMBER,
		MAX_FAILURES NUMBER, RETRY_COUNT NUMBER, LAST_START_DATE TIMESTAMPTZ, LAST_RUN_DURATION INTERVAL DAY TO SECOND, NEXT_RUN_DATE TIMESTAMPTZ,
		LOGGING_LEVEL VARCHAR2(11), COMMENTS VARCHAR2(4000)`, srv.jobRows)
	srv.registerSchedulerObjects()
	srv.catalog.RegisterView("ALL_SCHEDULER_JOB_CLASSES", "JOB_CLASS_NAME VARCHAR2(128), SERVICE VARCHAR2(64)", one("DEFAULT_JOB_CLASS", nil))
	srv.family("SCHEDULER_RUNNING_JOBS", `JOB_NAME VARCHAR2(128), SESSION_ID NUMBER, SLAVE_PROCESS_ID NUMBER, RUNNING_INSTANCE NUMBER,
		ELAPSED_TIME INTERVAL DAY TO SECOND, LOG_ID NUMBER`, srv.runningRows)
	srv.family("SCHEDULER_JOB_RUN_DETAILS", `JOB_NAME VARCHAR2(128), LOG_ID NUMBER, LOG_DATE TIMESTAMPTZ, STATUS VARCHAR2(30), ERROR# NUMBER,
		REQ_START_DATE TIMESTAMPTZ, ACTUAL_START_DATE TIMESTAMPTZ, RUN_DURATION INTERVAL DAY TO SECOND, INSTANCE_ID NUMBER, SESSION_ID VARCHAR2(128),
		SLAVE_PID VARCHAR2(128), ADDITIONAL_INFO VARCHAR2(4000), ERRORS VARCHAR2(4000)`, srv.detailRows)
	srv.family("SCHEDULER_JOB_LOG", `JOB_NAME VARCHAR2(128), LOG_ID NUMBER, LOG_DATE TIMESTAMPTZ, JOB_CLASS VARCHAR2(128), OPERATION VARCHAR2(30),
		STATUS VARCHAR2(30), ADDITIONAL_INFO CLOB`, srv.logRows)
	for _, scope := range []string{"ALL", "DBA"} {
		srv.catalog.RegisterView(scope+"_SCHEDULER_GLOBAL_ATTRIBUTE", "ATTRIBUTE_NAME VARCHAR2(128), VALUE VARCHAR2(128)", func(v catalog.ViewContext) iter.Seq[value.Row] {
			return one("SCHEDULER_DISABLED", truth(srv.jobs.Disabled()))(v)
		})
	}
	srv.family("QUEUES", `NAME VARCHAR2(128), QUEUE_TABLE VARCHAR2(128), QID NUMBER, QUEUE_TYPE VARCHAR2(20), MAX_RETRIES NUMBER, RETRY_DELAY NUMBER,
		ENQUEUE_ENABLED VARCHAR2(7), DEQUEUE_ENABLED VARCHAR2(7), RETENTION VARCHAR2(40), USER_COMMENT VARCHAR2(50)`, srv.queueRows)
	srv.family("QUEUE_TABLES", `QUEUE_TABLE VARCHAR2(128), TYPE VARCHAR2(7), OBJECT_TYPE VARCHAR2(257), SORT_ORDER VARCHAR2(22), RECIPIENTS VARCHAR2(8),
		MESSAGE_GROUPING VARCHAR2(13), USER_COMMENT VARCHAR2(50)`, srv.queueTableRows)
}

// others yields the queue tables, queues and jobs of an owner, or of all: objects that packages aq and jobs keep.
func (srv *Server) others(owner string) iter.Seq[*catalog.Object] {
	// number distinguishes objects that have had the same name: a grant on one does not apply to the next.
	object := func(kind ast.ObjectKind, owner, name string, number int64, created time.Time) *catalog.Object {
		key := fmt.Sprintf("%s %s.%s %d", kind, owner, name, number)
		o := srv.otherObjects[key]
		if o == nil || !created.IsZero() && !o.Created.Equal(created) {
			if created.IsZero() {
				created = srv.k.Now()
			}
			o = &catalog.Object{ID: srv.catalog.NewID(), Owner: owner, Name: name, Kind: kind, Created: created, LastDDL: created, Timestamp: created}
			srv.otherObjects[key] = o
		}
		return o
	}
	return func(yield func(*catalog.Object) bool) {
		for t := range srv.queues.Tables(owner) {
			if !yield(object(ast.KindTable, t.Spec().Owner, t.Spec().Name, 0, t.Created())) {
				return
			}
		}
		for q := range srv.queues.Queues(owner) {
			if !yield(object(catalog.KindQueue, q.Owner, q.Name, 0, time.Time{})) {
				return
			}
		}
		for x := range srv.jobs.Objects(owner) {
			if !yield(object(ast.ObjectKind(x.Kind), x.Owner, x.Name, x.Number, time.Time{})) {
				return
			}
		}
		for j := range srv.jobs.Jobs(owner) {
			if !yield(object(catalog.KindJob, j.Owner, j.Name, j.Number, time.Time{})) {
				return
			}
		}
	}
}

// ownedRow is a row of a family of views, with the owner of the object that it shows.
type ownedRow struct {
	owner string
	row   value.Row
	job   string // its name; empty: it shows something else
}

// family registers USER_, ALL_ and DBA_ views over the same rows; all except USER_ begin with OWNER. ALL_ shows what
// the user owns and, for jobs, what the user has a privilege on, or all with CREATE ANY JOB ("accessible to the
// current user"; only the owner sees logs of dropped jobs). Object privileges on queues are not modeled.
func (srv *Server) family(name, columns string, rows func() iter.Seq[ownedRow]) {
	columns = strings.Join(strings.Fields(columns), " ")
	show := func(mine, owner bool) func(catalog.ViewContext) iter.Seq[value.Row] {
		return func(v catalog.ViewContext) iter.Seq[value.Row] {
			return func(yield func(value.Row) bool) {
				for r := range rows() {
					if mine && r.owner != v.User && (!owner || !accessible(v, r)) {
						continue
					}
					row := r.row
					if owner {
						row = append(value.Row{value.NewString(r.owner)}, row...)
					}
					if !yield(row) {
						return
					}
				}
			}
		}
	}
	srv.catalog.RegisterView("USER_"+name, columns, show(true, false))
	srv.catalog.RegisterView("ALL_"+name, "OWNER VARCHAR2(128), "+columns, show(true, true))
	srv.catalog.RegisterView("DBA_"+name, "OWNER VARCHAR2(128), "+columns, show(false, true))
}

// accessible reports whether another user's row is about a job that a session has rights on.
func accessible(v catalog.ViewContext, r ownedRow) bool {
	if r.job == "" {
		return false
	}
	o := v.Catalog.Job(r.owner, r.job)
	return o != nil && v.Catalog.Visible(v.Rights, o)
}

func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	_, seconds := t.Zone()
	zone := datatype.Zone{Offset: int16(seconds / 60)}
	if name := t.Location().String(); name != "" && t.Location() != time.UTC { // a region
		zone.Region = t.Location()
	}
	return zone.In(micro(ticksOf(t)))
}

func span(d time.Duration) value.Value { return value.NewSpan(int64(d / 100)) }

func truth(b bool) string {
	if b {
		return "TRUE"
	}
	return "FALSE"
}

// rowsOf makes the rows of a view from everything that another package has.
func rowsOf[T any](all iter.Seq[T], row func(T) ownedRow) iter.Seq[ownedRow] {
	return func(yield func(ownedRow) bool) { all(func(x T) bool { return yield(row(x)) }) }
}

func (srv *Server) jobRows() iter.Seq[ownedRow] {
	return rowsOf(srv.jobs.Jobs(""), func(j jobs.Info) ownedRow {
		kind, typ, action, start, repeat, end := "ONCE", j.Type, j.Action, stamp(j.Start), j.Repeat, stamp(j.End)
		if j.Program != "" {
			typ, action = "", ""
		}
		switch {
		case j.Schedule != "":
			kind, start, repeat, end = "NAMED", nil, "", nil
		case j.Repeat != "":
			kind = "CALENDAR"
		case j.Start.IsZero():
			kind = "IMMEDIATE"
		}
		last := any(nil)
		if j.RunCount > 0 {
			last = span(j.LastDuration)
		}
		return ownedRow{j.Owner, catalog.Row(j.Name, j.Creator, "REGULAR", typ, action, 0, j.ProgramOwner, j.Program, j.ScheduleOwner, j.Schedule,
			kind, start, repeat, end, j.Class,
			truth(j.Enabled), truth(j.AutoDrop), truth(false), truth(false), string(j.State), 3, j.RunCount,
			nil, j.FailureCount, nil, 0, stamp(j.LastStart), last, stamp(j.NextRun), "RUNS", j.Comments), j.Name}
	})
}

func (srv *Server) runningRows() iter.Seq[ownedRow] {
	return rowsOf(srv.jobs.RunningJobs(""), func(r jobs.RunningJob) ownedRow {
		return ownedRow{r.Owner, catalog.Row(r.Name, r.Session.ID, r.Slave+100, 1, span(r.Elapsed), r.LogID), r.Name}
	})
}

func (srv *Server) detailRows() iter.Seq[ownedRow] {
	return rowsOf(srv.jobs.Details(""), func(d jobs.RunDetails) ownedRow {
		return ownedRow{d.Owner, catalog.Row(d.Name, d.LogID, stamp(d.Date), string(d.Status), int64(d.Error), stamp(d.Requested), stamp(d.Started),
			span(d.Duration.Truncate(time.Second)), 1, fmt.Sprintf("%d,%d", d.Session.ID, d.Session.Serial), fmt.Sprint(d.Slave+100), d.Info, d.Info), d.Name}
	})
}

func (srv *Server) logRows() iter.Seq[ownedRow] {
	return rowsOf(srv.jobs.Log(""), func(e jobs.LogEntry) ownedRow {
		return ownedRow{e.Owner, catalog.Row(e.Name, e.ID, stamp(e.Date), e.Class, "RUN", string(e.Status), e.Info), e.Name}
	})
}

func (srv *Server) queueRows() iter.Seq[ownedRow] {
	enabled := func(on bool) string { // two blanks on either side, as the server pads them
		if on {
			return "  YES  "
		}
		return "  NO   "
	}
	return rowsOf(srv.queues.Queues(""), func(q aq.QueueInfo) ownedRow {
		kind := "NORMAL_QUEUE"
		if q.Exception {
			kind = "EXCEPTION_QUEUE"
		}
		return ownedRow{owner: q.Owner, row: catalog.Row(q.Name, q.Table, q.ID, kind, q.MaxRetries, 0, enabled(q.EnqueueEnabled),
			enabled(q.DequeueEnabled), "0", q.Comment)}
	})
}

func (srv *Server) queueTableRows() iter.Seq[ownedRow] {
	return rowsOf(srv.queues.Tables(""), func(t *aq.QueueTable) ownedRow {
		s := t.Spec()
		return ownedRow{owner: s.Owner, row: catalog.Row(s.Name, s.PayloadType, nil, "ENQUEUE_TIME", "SINGLE", "NONE", s.Comment)}
	})
}

// messageView is the view AQ$ over a queue table, with the columns that show where messages are.
func messageView(t *aq.QueueTable) *catalog.SystemView {
	return &catalog.SystemView{
		Columns: catalog.Columns("QUEUE VARCHAR2(128), MSG_STATE VARCHAR2(16), CORR_ID VARCHAR2(128), RETRY_COUNT NUMBER"),
		Rows: func(v catalog.ViewContext) iter.Seq[value.Row] {
			return func(yield func(value.Row) bool) {
				for _, m := range t.Messages(v.Session.(*Session).Txn()) {
					_, queue, _ := strings.Cut(m.Queue.String(), ".")
					if !yield(catalog.Row(queue, m.State.String(), m.Correlation, m.Attempts)) {
						return
					}
				}
			}
		},
	}
}

// one is a view of a single row.
func one(cells ...any) func(catalog.ViewContext) iter.Seq[value.Row] {
	return func(catalog.ViewContext) iter.Seq[value.Row] {
		return func(yield func(value.Row) bool) { yield(catalog.Row(cells...)) }
	}
}

// baseEdition is the default edition of a new database.
const baseEdition = "ORA$BASE"

// named are rows of a name and a value, in order of their names.
func named(all map[string]string) iter.Seq[value.Row] {
	return func(yield func(value.Row) bool) {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if !yield(catalog.Row(name, all[name])) {
				return
			}
		}
	}
}

func (srv *Server) registerSessionViews() {
	c := srv.catalog
	const banner = "dbsched sandbox, a model of Oracle Database 19c Release 19.0.0.0.0"
	c.RegisterView("V$VERSION", "BANNER VARCHAR2(80), BANNER_FULL VARCHAR2(160), BANNER_LEGACY VARCHAR2(80), CON_ID NUMBER",
		one(banner, Version, banner, 0))
	c.RegisterView("PRODUCT_COMPONENT_VERSION", "PRODUCT VARCHAR2(80), VERSION VARCHAR2(80), VERSION_FULL VARCHAR2(80), STATUS VARCHAR2(80)",
		func(v catalog.ViewContext) iter.Seq[value.Row] {
			release := "19.0.0.0.0"
			if srv.hasGUIDs() || srv.k.Differs(differ.Release21NoGUID) {
				release = "21.0.0.0.0"
			}
			return one("dbsched sandbox, a model of Oracle Database 19c", release, release, "not a production engine")(v)
		})
	c.RegisterView("V$INSTANCE", "INSTANCE_NUMBER NUMBER, INSTANCE_NAME VARCHAR2(16), HOST_NAME VARCHAR2(64), VERSION VARCHAR2(17), VERSION_FULL VARCHAR2(17), STARTUP_TIME DATE, STATUS VARCHAR2(12)",
		one(1, "sandbox", "sandbox", "19.0.0.0.0", "19.0.0.0.0", srv.started, "OPEN"))
	c.RegisterView("V$DATABASE", "DBID NUMBER, NAME VARCHAR2(9), OPEN_MODE VARCHAR2(20), DATABASE_ROLE VARCHAR2(16), DB_UNIQUE_NAME VARCHAR2(30)",
		one(1, Container, "READ WRITE", "PRIMARY", "sandbox"))
	c.RegisterView("V$PDBS", "CON_ID NUMBER, DBID NUMBER, CON_UID NUMBER, GUID RAW(16), NAME VARCHAR2(128), OPEN_MODE VARCHAR2(10)", func(v catalog.ViewContext) iter.Seq[value.Row] {
		return one(3, 1, 1, value.NewBytes(srv.site.GUID[:]), Container, "READ WRITE")(v)
	})
	c.RegisterView("NLS_SESSION_PARAMETERS", "PARAMETER VARCHAR2(128), VALUE VARCHAR2(64)", func(v catalog.ViewContext) iter.Seq[value.Row] {
		return func(yield func(value.Row) bool) {
			for _, p := range v.Session.(*Session).nls.Parameters() {
				if !yield(catalog.Row(p[0], p[1])) {
					return
				}
			}
		}
	})
	c.RegisterView("V$PARAMETER", "NAME VARCHAR2(80), VALUE VARCHAR2(4000)", func(catalog.ViewContext) iter.Seq[value.Row] {
		all := map[string]string{"job_queue_processes": fmt.Sprint(srv.jobs.Processes()), "open_cursors": "300", "processes": "320", "open_links": "4", "cluster_database": "FALSE"}
		maps.Copy(all, srv.site.Parameters)
		return named(all)
	})
	c.RegisterView("USER_RESOURCE_LIMITS", "RESOURCE_NAME VARCHAR2(32), LIMIT VARCHAR2(128)", func(catalog.ViewContext) iter.Seq[value.Row] {
		all := map[string]string{}
		for _, name := range strings.Fields("COMPOSITE_LIMIT SESSIONS_PER_USER CPU_PER_SESSION CPU_PER_CALL LOGICAL_READS_PER_SESSION LOGICAL_READS_PER_CALL IDLE_TIME CONNECT_TIME PRIVATE_SGA") {
			all[name] = "UNLIMITED"
		}
		maps.Copy(all, srv.site.Limits)
		return named(all)
	})
	c.RegisterView("DATABASE_PROPERTIES", "PROPERTY_NAME VARCHAR2(128), PROPERTY_VALUE VARCHAR2(4000), DESCRIPTION VARCHAR2(4000)", one("DEFAULT_EDITION", baseEdition, "Name of the database default edition"))
	c.RegisterView("V$SESSION", `SID NUMBER, SERIAL# NUMBER, AUDSID NUMBER, USER# NUMBER, USERNAME VARCHAR2(128), STATUS VARCHAR2(8), SCHEMANAME VARCHAR2(128),
		OSUSER VARCHAR2(128), MACHINE VARCHAR2(64), TERMINAL VARCHAR2(30), PROGRAM VARCHAR2(48), TYPE VARCHAR2(10), MODULE VARCHAR2(64), ACTION VARCHAR2(64),
		CLIENT_INFO VARCHAR2(64), CLIENT_IDENTIFIER VARCHAR2(64), LOGON_TIME DATE, BLOCKING_SESSION NUMBER`, srv.sessionRows)
	c.RegisterView("V$ACCESS", "SID NUMBER, OWNER VARCHAR2(128), OBJECT VARCHAR2(1000), TYPE VARCHAR2(24), CON_ID NUMBER", srv.accessRows)
	// The only statistics that are kept. Their numbers differ between releases, so they are looked up by name. Memory is not modeled: each
	// session has ten megabytes.
	const synchWrites, memory, megabytes = 1, 2, 10 << 20
	c.RegisterView("V$STATNAME", "STATISTIC# NUMBER, NAME VARCHAR2(64)", func(catalog.ViewContext) iter.Seq[value.Row] {
		return slices.Values([]value.Row{catalog.Row(synchWrites, "redo synch writes"), catalog.Row(memory, "session pga memory")})
	})
	c.RegisterView("V$SESSTAT", "SID NUMBER, STATISTIC# NUMBER, VALUE NUMBER", func(catalog.ViewContext) iter.Seq[value.Row] {
		return func(yield func(value.Row) bool) {
			srv.sessions.Scan(func(sid int, _ *Session) bool { return yield(catalog.Row(sid, memory, megabytes)) })
		}
	})
	c.RegisterView("V$MYSTAT", "SID NUMBER, STATISTIC# NUMBER, VALUE NUMBER", func(v catalog.ViewContext) iter.Seq[value.Row] {
		s := v.Session.(*Session)
		return one(s.sid, synchWrites, s.synchWrites)(v)
	})
}

func (srv *Server) sessionRows(catalog.ViewContext) iter.Seq[value.Row] {
	return func(yield func(value.Row) bool) {
		srv.sessions.Scan(func(_ int, s *Session) bool {
			status := "INACTIVE"
			if s.run != nil || s.inbox.Active() {
				status = "ACTIVE"
			}
			blocking := any(nil)
			if b := s.st.Blockers(); len(b) > 0 {
				if o, ok := b[0].Label.(*Session); ok {
					blocking = o.sid
				}
			}
			x := &s.supplied
			return yield(catalog.Row(s.sid, s.serial, 100000+s.serial, s.user.ID, s.user.Name, status, s.schema, s.client.OSUser, s.client.Machine,
				s.client.Terminal, s.client.Program, "USER", x.Module, x.Action, x.ClientInfo, x.Identifier, catalog.DateOf(s.logonTime), blocking))
		})
	}
}
