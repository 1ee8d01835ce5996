create or replace view {{.P}}scheduler_info as
-- View: {{.PU}}SCHEDULER_INFO
-- Purpose: The scheduler in one row: its state, its settings and its amount of work.
-- Access: public: read
-- Columns: version, started, policy, max_workers, max_lanes, workers (sessions that hold a lane), running, unfinished, linger_seconds,
--   idle_sweep_seconds, retention_days, max_retry_delay_seconds, max_orphans, dispatcher_session, next_sweep_at, changed_at,
--   alarm_hook, alarm_hook_by, runner (user that tasks run as, NULL: the owner),
--   copy_of (in a copy: the database and schema where the scheduler was started; otherwise NULL),
--   alarms (not acknowledged), blocked (why no task can run: Stopped, NoWorkers, NoDispatcher; otherwise NULL)
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
       s.dispatcher_session,
       s.next_sweep_at,
       s.changed_at,
       s.alarm_hook,
       {{.Name "s.alarm_hook_by"}} as alarm_hook_by,
       s.runner,
       case when s.home <> {{.P}}base.home then s.home end as copy_of,
       (select count(*) from {{.P}}alarms a where a.acknowledged_at is null) as alarms,
       case when s.started = 'N' then 'Stopped'
            when s.max_workers = 0 then 'NoWorkers'
            when s.next_sweep_at < systimestamp - numtodsinterval(2 * s.idle_sweep_seconds + 60, 'SECOND') then 'NoDispatcher' end as blocked
from {{.P}}settings s
