create or replace view {{.P}}round_info as
-- View: {{.PU}}ROUND_INFO
-- Purpose: Rounds, the reports of the current generation, and the outcome of the last one.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: round_id, name, generation, members, succeeded, failed, first_report_at, successor_job, successor_sql, successor_order,
--   successor_process_id, max_age_seconds, start_seconds, last_generation, last_status, last_fired_at, last_fired_by, last_task_id,
--   last_detail, defined_by
-- Example: select * from {{.P}}round_info where succeeded < members and first_report_at < systimestamp - interval '1' hour
{{- $own := .Own "r"}}
select {{$own}}r.round_id {{.As}} round_id,
       {{$own}}r.name {{.As}} name,
       {{$own}}r.generation {{.As}} generation,
       {{$own}}(select count(*) from {{.P}}round_members m where m.round_id = r.round_id) {{.As}} members,
       {{$own}}(select count(*) from {{.P}}round_members m where m.round_id = r.round_id and m.succeeded = 'Y') {{.As}} succeeded,
       {{$own}}(select count(*) from {{.P}}round_members m where m.round_id = r.round_id and m.succeeded = 'N') {{.As}} failed,
       {{$own}}(select min(m.reported_at) from {{.P}}round_members m where m.round_id = r.round_id) {{.As}} first_report_at,
       {{$own}}nvl2(r.job_name, '"' || r.job_owner || '"."' || r.job_name || '"', null) {{.As}} successor_job,
       {{$own}}r.successor_sql {{.As}} successor_sql,
       {{$own}}r.successor_order {{.As}} successor_order,
       {{$own}}r.successor_process_id {{.As}} successor_process_id,
       {{$own}}r.max_age_seconds {{.As}} max_age_seconds,
       {{$own}}r.start_seconds {{.As}} start_seconds,
       {{$own}}f.generation {{.As}} last_generation,
       {{$own}}f.status {{.As}} last_status,
       {{$own}}f.fired_at {{.As}} last_fired_at,
       {{$own}}f.fired_by {{.As}} last_fired_by,
       {{$own}}f.task_id {{.As}} last_task_id,
       {{$own}}f.detail {{.As}} last_detail,
       {{$own}}{{.Name "r.defined_by"}} {{.As}} defined_by
from {{.Rows "rounds" "r" "defined_by"}}
left outer join (select x.round_id, max(x.firing_id) as firing_id from {{.P}}round_firings x group by x.round_id) l on l.round_id = r.round_id
left outer join {{.P}}round_firings f on f.firing_id = l.firing_id
{{- if .Runner}}
where r.mine = 1
{{- end}}
