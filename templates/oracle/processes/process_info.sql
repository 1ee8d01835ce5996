create or replace view {{.P}}process_info as
-- View: {{.PU}}PROCESS_INFO
-- Purpose: Processes, with their unfinished work.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: process_id, name, status, on_error, priority, weight, max_parallel, running, unfinished, lowest_order, tasks_succeeded,
--   tasks_failed, created_at, finished_at, last_served_at, created_by
-- Example: select * from {{.P}}process_info where finished_at is null
{{- $own := .Own "p"}}
select p.process_id,
       {{$own}}p.name {{.As}} name,
       {{$own}}p.status {{.As}} status,
       {{$own}}p.on_error {{.As}} on_error,
       {{$own}}p.priority {{.As}} priority,
       {{$own}}p.weight {{.As}} weight,
       {{$own}}p.max_parallel {{.As}} max_parallel,
       {{$own}}p.running {{.As}} running,
       {{$own}}(select count(*) from {{.P}}tasks t where t.unfinished_process_id = p.process_id) {{.As}} unfinished,
       {{$own}}(select min(t.unfinished_order) from {{.P}}tasks t where t.unfinished_process_id = p.process_id) {{.As}} lowest_order,
       {{$own}}p.tasks_succeeded {{.As}} tasks_succeeded,
       {{$own}}p.tasks_failed {{.As}} tasks_failed,
       {{$own}}p.created_at {{.As}} created_at,
       {{$own}}p.finished_at {{.As}} finished_at,
       {{$own}}p.last_served_at {{.As}} last_served_at,
       {{$own}}{{.Name "p.created_by"}} {{.As}} created_by
from {{.Rows "processes" "p" "created_by" "k.process_id = 1"}}
where p.process_id > 0{{if .Runner}} and p.mine = 1{{end}}
