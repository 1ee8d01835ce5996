create or replace view {{.P}}schedule_log as
-- View: {{.PU}}SCHEDULE_LOG
-- Purpose: The history of schedules: one row per firing, also of those that were skipped or missed.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: firing_id, schedule_id, name, due_at, manual, status (Waiting, Skipped, Missed; Starting; then that of the process, or Failed if
--   it could not be made), detail, logged_at, task_id, process_id, finished_at
-- Example: select * from {{.P}}schedule_log where name = 'nightly load' order by firing_id desc
select f.firing_id,
       f.schedule_id,
       f.name,
       from_tz(f.due_at, '+00:00') as due_at,
       f.manual,
       case when f.status <> 'Started' then f.status when p.process_id is null and t.finished_at is null then 'Starting' else nvl(p.status, replace(t.status, 'Succeeded', 'Skipped')) end as status,
       f.detail,
       f.logged_at,
       f.task_id,
       p.process_id,
       p.finished_at
from {{.P}}schedule_firings f
left outer join {{.P}}tasks t on t.task_id = f.task_id
left outer join {{.P}}processes p on p.firing_id = f.firing_id
{{- if .Runner}}
where (select {{.P}}rights.administrator from dual) = 'Y'
   or nlssort(f.owner, 'NLS_SORT=BINARY') = (select nlssort({{.P}}rights.submitter, 'NLS_SORT=BINARY') from dual)
{{- end}}
