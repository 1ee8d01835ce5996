create or replace view {{.P}}alarm_info as
-- View: {{.PU}}ALARM_INFO
-- Purpose: Alarms: conditions that need a person.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: alarm_id, raised_at, kind, process_id, task_id, lane_id, alarm_text, acknowledged_at, acknowledged_by (see acknowledge_alarms)
-- Example: select * from {{.P}}alarm_info order by alarm_id desc
select a.alarm_id,
       a.raised_at,
       a.kind,
       a.process_id,
       a.task_id,
       a.lane_id,
       a.alarm_text,
       a.acknowledged_at,
       a.acknowledged_by
from {{.P}}alarms a
{{- if .Runner}}
where (select {{.P}}rights.administrator from dual) = 'Y'
   or exists (select 1 from {{.P}}tasks t where t.task_id = a.task_id and nlssort(t.enqueued_by, 'NLS_SORT=BINARY') = (select nlssort({{.P}}rights.submitter, 'NLS_SORT=BINARY') from dual))
   or exists (select 1 from {{.P}}processes p where p.process_id = a.process_id and p.process_id <> 1 and nlssort(p.created_by, 'NLS_SORT=BINARY') = (select nlssort({{.P}}rights.submitter, 'NLS_SORT=BINARY') from dual) and a.task_id is null)
{{- end}}
