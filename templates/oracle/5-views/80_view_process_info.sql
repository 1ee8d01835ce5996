create or replace view {{.P}}process_info as
-- View: {{.PU}}PROCESS_INFO
-- Purpose: Processes, with their unfinished work.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: process_id, name, status, on_error, priority, weight, max_parallel, running, unfinished, lowest_order, tasks_succeeded,
--   tasks_failed, created_at, finished_at, last_served_at, created_by
-- Example: select * from {{.P}}process_info where finished_at is null
select p.process_id,
       p.name,
       p.status,
       p.on_error,
       p.priority,
       p.weight,
       p.max_parallel,
       p.running,
       (select count(*) from {{.P}}tasks t where t.unfinished_process_id = p.process_id) as unfinished,
       (select min(t.unfinished_order) from {{.P}}tasks t where t.unfinished_process_id = p.process_id) as lowest_order,
       p.tasks_succeeded,
       p.tasks_failed,
       p.created_at,
       p.finished_at,
       p.last_served_at,
       {{.Name "p.created_by"}} as created_by
from {{.P}}processes p
where p.process_id > 0
{{- if .Runner}}
  and ((select {{.P}}rights.administrator from dual) = 'Y'
       or p.process_id = 1
       or nlssort(p.created_by, 'NLS_SORT=BINARY') = (select nlssort({{.P}}rights.submitter, 'NLS_SORT=BINARY') from dual))
{{- end}}
