package bench

import (
	"context"
	"fmt"
)

var oracleEngine = engine{
	makes:   "dbsched and the objects AHOY_... in your schema",
	nothing: "begin null; end;",
	inTheWay: `select 'Object ' || o.object_name || ' exists in your schema. ' ||
       case when o.object_name = 'DBSCHED' then 'bench needs a user without dbsched: connect as another user'
            else 'bench creates one of this name: connect as another user, or drop it' end
from user_objects o
where o.object_name in ('DBSCHED', 'AHOY_PROC', 'AHOY_TASK', 'AHOY_PAR') and o.object_type in ('PACKAGE', 'TABLE', 'VIEW')
order by o.object_name`,
	beside: func(c Connect, nothing string) []design {
		return []design{&ahoy{published{connect: c, empty: nothing}}}
	},
}

// ahoy is the published design of jobs that poll a task table. Each starts the next; those without work end.
type ahoy struct{ published }

const (
	ahoyJobs = `select count(*) from user_scheduler_jobs where job_name like 'AHOY\_JOB\_%' escape '\'`
	ahoyOpen = `select count(*) from ahoy_task where atask_state in ('TBD', 'RUN')`
)

func (*ahoy) name() string { return "polling jobs" }
func (*ahoy) waves() bool  { return false }

func (a *ahoy) up(ctx context.Context, workers int) error {
	if err := a.open(ctx); err != nil {
		return err
	}
	if err := a.install(ctx, "ahoy.sql", "/", func(batch string) string { return batch }); err != nil {
		return err
	}
	return a.exec(ctx, fmt.Sprintf("update ahoy_par set apar_threads = %d", workers))
}

func (a *ahoy) run(ctx context.Context, w work) (ran, error) {
	if err := a.until(ctx, ahoyJobs, func() error { return nil }); err != nil {
		return ran{}, err
	}
	if err := a.exec(ctx, "delete from ahoy_task"); err != nil {
		return ran{}, err
	}
	called, err := a.now(ctx, "select cast(systimestamp as timestamp) from dual")
	if err != nil {
		return ran{}, err
	}
	if _, err = a.db.ExecContext(ctx, "insert into ahoy_task (atask_cmd, atask_state) select :1, 'TBD' from dual connect by level <= :2", w.text, w.waves*w.width); err != nil {
		return ran{}, err
	}
	if err = a.thread(ctx); err != nil {
		return ran{}, err
	}
	// A thread that chooses the same job name as another one ends, and its task is left.
	again := func() error {
		var jobs int
		if err := a.db.QueryRowContext(ctx, ahoyJobs).Scan(&jobs); err != nil || jobs > 0 {
			return err
		}
		return a.thread(ctx)
	}
	if err = a.until(ctx, ahoyOpen, again); err != nil {
		return ran{}, err
	}
	tasks, err := a.times(ctx, "select 1, atask_start, atask_end from ahoy_task order by atask_key")
	return ran{called, tasks}, err
}

// thread starts a thread.
func (a *ahoy) thread(ctx context.Context) error {
	return a.exec(ctx, "begin ahoy_proc.threadAsync; end;")
}

func (a *ahoy) down(ctx context.Context) error {
	if a.db == nil {
		return nil
	}
	defer a.db.Close()
	// A running thread ends after its task when there is nothing more to do.
	return a.exec(ctx, `declare
    l_jobs number;
    e_nothing exception; pragma exception_init(e_nothing, -942);
begin
    execute immediate 'update ahoy_task set atask_state = ''ERR'' where atask_state = ''TBD''';
    commit;
    for i in 1 .. 600 loop
        select count(*) into l_jobs from user_scheduler_jobs where job_name like 'AHOY\_JOB\_%' escape '\';
        exit when l_jobs = 0;
        dbms_session.sleep(0.1);
    end loop;
exception
    when e_nothing then null;
end;`, `begin
    for d in (select 'drop ' || lower(o.object_type) || ' ' || o.object_name || case o.object_type when 'TABLE' then ' purge' end as text
              from user_objects o where o.object_name in ('AHOY_PROC', 'AHOY_TASK', 'AHOY_PAR') and o.object_type in ('PACKAGE', 'TABLE')) loop
        execute immediate d.text;
    end loop;
end;`)
}
