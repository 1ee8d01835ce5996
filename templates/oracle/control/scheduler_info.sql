create or replace view {{.P}}scheduler_info as
-- View: {{.PU}}SCHEDULER_INFO
-- Purpose: The scheduler in one row: its state, its settings and its amount of work.
-- Access: public: read
-- Columns: version, started, policy, max_workers, max_lanes, workers (sessions that hold a lane), running, unfinished, linger_seconds,
--   idle_sweep_seconds, retention_days, max_retry_delay_seconds, max_orphans, outage_seconds, max_tasks_per_user,
--   default_timeout_seconds (0 = no limit, see set_options), dispatcher_session, next_sweep_at, changed_at,
--   alarm_hook, alarm_hook_by, runner (user that tasks run as, NULL: the owner),
--   copy_of (in a copy: the database and schema where the scheduler was started; otherwise NULL),
--   also_on (names of databases on which it also goes on, see start_scheduler),
--   alarms (not acknowledged), blocked (why no task can run: Copy, Stopped, NoWorkers, NoDispatcher; otherwise NULL)
-- Example: select * from {{.P}}scheduler_info
select s.version,
       s.started,
       s.policy,
       s.max_workers,
       s.max_lanes,
       (select count(*) from {{.P}}lanes l where l.worker_id is not null) as workers,
       (select count(*) from {{.P}}tasks t where t.lane_id > 0) as running,
       (select count(*) from {{.P}}tasks t where t.unfinished_process_id > 0) as unfinished,
       s.linger_seconds,
       s.idle_sweep_seconds,
       s.retention_days,
       s.max_retry_delay_seconds,
       s.max_orphans,
       s.outage_seconds,
       s.max_tasks_per_user,
       s.default_timeout_seconds,
       s.dispatcher_session,
       s.next_sweep_at,
       s.changed_at,
       s.alarm_hook,
       {{.Name "s.alarm_hook_by"}} as alarm_hook_by,
       s.runner,
       case s.place when 'Copy' then s.home end as copy_of,
       s.also_on,
       (select count(*) from {{.P}}alarms a where a.acknowledged_at is null) as alarms,
       case when s.place = 'Copy' then 'Copy'
            when s.started = 'N' then 'Stopped'
            when s.max_workers = 0 then 'NoWorkers'
            when s.next_sweep_at < systimestamp - numtodsinterval(2 * s.idle_sweep_seconds + 60, 'SECOND') then 'NoDispatcher' end as blocked
from (select a.*, {{.P}}base.place(a.home, a.home_guid, a.also_on) as place from {{.P}}settings a) s
