create or replace view {{.P}}alarm_info as
-- View: {{.PU}}ALARM_INFO
-- Purpose: Alarms: conditions that need a person.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: alarm_id, raised_at, kind, process_id, task_id, lane_id, alarm_text, acknowledged_at, acknowledged_by (see acknowledge_alarms), task_name
-- Example: select * from {{.P}}alarm_info order by alarm_id desc
{{- $own := .Own "a"}}
select a.alarm_id,
       {{$own}}a.raised_at {{.As}} raised_at,
       {{$own}}a.kind {{.As}} kind,
       {{$own}}a.process_id {{.As}} process_id,
       {{$own}}a.task_id {{.As}} task_id,
       {{$own}}a.lane_id {{.As}} lane_id,
       {{$own}}a.alarm_text {{.As}} alarm_text,
       {{$own}}a.acknowledged_at {{.As}} acknowledged_at,
       {{$own}}a.acknowledged_by {{.As}} acknowledged_by,
       {{$own}}t.name {{.As}} task_name
from {{.Rows "alarms" "a" "user_name"}}
left outer join {{.P}}tasks t on t.task_id = a.task_id
{{- if .Runner}}
where a.mine = 1
{{- end}}
