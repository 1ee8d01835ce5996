create or replace view {{.P}}round_info as
-- View: {{.PU}}ROUND_INFO
-- Purpose: Rounds, the reports of the current generation, and the outcome of the last one.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: round_id, name, generation, members, succeeded, failed, first_report_at, successor_job, successor_sql, successor_order,
--   successor_process_id, max_age_seconds, start_seconds, last_generation, last_status, last_fired_at, last_fired_by, last_task_id,
--   last_detail, defined_by
-- Example: select * from {{.P}}round_info where succeeded < members and first_report_at < systimestamp - interval '1' hour
select r.round_id,
       r.name,
       r.generation,
       (select count(*) from {{.P}}round_members m where m.round_id = r.round_id) as members,
       (select count(*) from {{.P}}round_members m where m.round_id = r.round_id and m.succeeded = 'Y') as succeeded,
       (select count(*) from {{.P}}round_members m where m.round_id = r.round_id and m.succeeded = 'N') as failed,
       (select min(m.reported_at) from {{.P}}round_members m where m.round_id = r.round_id) as first_report_at,
       nvl2(r.job_name, '"' || r.job_owner || '"."' || r.job_name || '"', null) as successor_job,
       r.successor_sql,
       r.successor_order,
       r.successor_process_id,
       r.max_age_seconds,
       r.start_seconds,
       f.generation as last_generation,
       f.status as last_status,
       f.fired_at as last_fired_at,
       f.fired_by as last_fired_by,
       f.task_id as last_task_id,
       f.detail as last_detail,
       {{.Name "r.defined_by"}} as defined_by
from {{.P}}rounds r
left outer join (select x.round_id, max(x.firing_id) as firing_id from {{.P}}round_firings x group by x.round_id) l on l.round_id = r.round_id
left outer join {{.P}}round_firings f on f.firing_id = l.firing_id
{{- if .Runner}}
where (select {{.P}}rights.administrator from dual) = 'Y'
   or nlssort(r.defined_by, 'NLS_SORT=BINARY') = (select nlssort({{.P}}rights.submitter, 'NLS_SORT=BINARY') from dual)
{{- end}}
