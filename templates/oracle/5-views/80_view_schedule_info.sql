create or replace view {{.P}}schedule_info as
-- View: {{.PU}}SCHEDULE_INFO
-- Purpose: Schedules, their next instant, and what became of the last firing.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: schedule_id, name, calendar, zone, status, reason, next_at, next_local (not while Suspended), last_due_at, last_process_id, last_status (of the last
--   process; Starting = it is being made), last_finished_at, running, waiting, fired, skipped, missed (in retention_days), overlap,
--   missed_policy, tasks, on_error, weight, max_parallel, owned_by
-- Example: select name, next_local, last_status from {{.P}}schedule_info order by next_at
select s.schedule_id,
       s.name,
       s.calendar,
       s.zone,
       s.status,
       s.reason,
       from_tz(s.next_at, 'UTC') as next_at,
       case when s.status <> 'Suspended' then from_tz(s.next_at, 'UTC') at time zone s.zone end as next_local,
       from_tz(f.due_at, 'UTC') as last_due_at,
       p.process_id as last_process_id,
       case when p.process_id is null and t.finished_at is null and f.firing_id is not null then 'Starting' else nvl(p.status, t.status) end as last_status,
       p.finished_at as last_finished_at,
       (select count(*) from {{.P}}processes r where r.open_schedule_id = s.schedule_id) as running,
       s.waiting,
       (select count(*) from {{.P}}schedule_firings x where x.schedule_id = s.schedule_id and x.status = 'Started') as fired,
       (select count(*) from {{.P}}schedule_firings x where x.schedule_id = s.schedule_id and x.status = 'Skipped') as skipped,
       (select count(*) from {{.P}}schedule_firings x where x.schedule_id = s.schedule_id and x.status = 'Missed') as missed,
       s.overlap,
       s.missed as missed_policy,
       s.tasks,
       s.on_error,
       s.weight,
       s.max_parallel,
       {{.Name "s.owner"}} as owned_by
from {{.P}}schedules s
left outer join {{.P}}schedule_firings f on f.firing_id = s.last_firing_id
left outer join {{.P}}tasks t on t.task_id = f.task_id
left outer join {{.P}}processes p on p.firing_id = s.last_firing_id
{{- if .Runner}}
where (select {{.P}}rights.administrator from dual) = 'Y'
   or nlssort(s.owner, 'NLS_SORT=BINARY') = (select nlssort({{.P}}rights.submitter, 'NLS_SORT=BINARY') from dual)
{{- end}}
