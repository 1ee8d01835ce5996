create or replace view {{.P}}schedule_log as
-- View: {{.PU}}SCHEDULE_LOG
-- Purpose: The history of schedules: one row per firing, also of those that were skipped or missed.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: firing_id, schedule_id, name, due_at, manual, status (Waiting, Skipped, Missed; Starting; then that of the process, or Failed if
--   it could not be made), detail, logged_at, task_id, process_id, finished_at
-- Example: select * from {{.P}}schedule_log where name = 'nightly load' order by firing_id desc
{{- $own := .Own "f"}}
select f.firing_id,
       {{$own}}f.schedule_id {{.As}} schedule_id,
       {{$own}}f.name {{.As}} name,
       {{$own}}from_tz(f.due_at, '+00:00') {{.As}} due_at,
       {{$own}}f.manual {{.As}} manual,
       {{$own}}case when f.status <> 'Started' then f.status when p.process_id is null and t.finished_at is null then 'Starting'
            else nvl(p.status, replace(t.status, 'Succeeded', 'Skipped')) end {{.As}} status,
       {{$own}}f.detail {{.As}} detail,
       {{$own}}f.logged_at {{.As}} logged_at,
       {{$own}}f.task_id {{.As}} task_id,
       {{$own}}p.process_id {{.As}} process_id,
       {{$own}}p.finished_at {{.As}} finished_at
from {{.Rows "schedule_firings" "f" "owner"}}
left outer join {{.P}}tasks t on t.task_id = f.task_id
left outer join {{.P}}processes p on p.firing_id = f.firing_id
{{- if .Runner}}
where f.mine = 1
{{- end}}
