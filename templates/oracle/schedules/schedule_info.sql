create or replace view {{.P}}schedule_info as
-- View: {{.PU}}SCHEDULE_INFO
-- Purpose: Schedules, their next instant, and what became of the last firing.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: schedule_id, name, calendar, zone, status, reason, next_at, next_local (next_at in zone; NULL: the database does not know it),
--   begin_at, end_at, last_due_at, last_process_id, last_status (of the last process; Starting = it is being made), last_finished_at,
--   running, waiting, fired, skipped, missed (in retention_days), overlap, missed_policy, tasks, on_error, weight, max_parallel, owned_by
-- Example: select name, next_local, last_status from {{.P}}schedule_info order by next_at
{{- $own := .Own "s"}}
select {{$own}}s.schedule_id {{.As}} schedule_id,
       {{$own}}s.name {{.As}} name,
       {{$own}}s.calendar {{.As}} calendar,
       {{$own}}s.zone {{.As}} zone,
       {{$own}}s.status {{.As}} status,
       {{$own}}s.reason {{.As}} reason,
       {{$own}}from_tz(s.next_at, '+00:00') {{.As}} next_at,
       {{$own}}cast({{.P}}schedule.local_time(s.next_at, s.zone) as timestamp(0)) {{.As}} next_local,
       {{$own}}from_tz(s.begin_at, '+00:00') {{.As}} begin_at,
       {{$own}}from_tz(s.end_at, '+00:00') {{.As}} end_at,
       {{$own}}from_tz(f.due_at, '+00:00') {{.As}} last_due_at,
       {{$own}}p.process_id {{.As}} last_process_id,
       {{$own}}case when p.process_id is null and t.finished_at is null and f.firing_id is not null then 'Starting'
            else nvl(p.status, t.status) end {{.As}} last_status,
       {{$own}}p.finished_at {{.As}} last_finished_at,
       {{$own}}(select count(*) from {{.P}}processes r where r.open_schedule_id = s.schedule_id) {{.As}} running,
       {{$own}}s.waiting {{.As}} waiting,
       {{$own}}(select count(*) from {{.P}}schedule_firings x where x.schedule_id = s.schedule_id and x.status = 'Started') {{.As}} fired,
       {{$own}}(select count(*) from {{.P}}schedule_firings x where x.schedule_id = s.schedule_id and x.status = 'Skipped') {{.As}} skipped,
       {{$own}}(select count(*) from {{.P}}schedule_firings x where x.schedule_id = s.schedule_id and x.status = 'Missed') {{.As}} missed,
       {{$own}}s.overlap {{.As}} overlap,
       {{$own}}s.missed {{.As}} missed_policy,
       {{$own}}s.tasks {{.As}} tasks,
       {{$own}}s.on_error {{.As}} on_error,
       {{$own}}s.weight {{.As}} weight,
       {{$own}}s.max_parallel {{.As}} max_parallel,
       {{$own}}{{.Name "s.owner"}} {{.As}} owned_by
from {{.Rows "schedules" "s" "owner"}}
left outer join {{.P}}schedule_firings f on f.firing_id = s.last_firing_id
left outer join {{.P}}tasks t on t.task_id = f.task_id
left outer join {{.P}}processes p on p.firing_id = s.last_firing_id
{{- if .Runner}}
where s.mine = 1
{{- end}}
