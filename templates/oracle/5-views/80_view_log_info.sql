create or replace view {{.P}}log_info as
-- View: {{.PU}}LOG_INFO
-- Purpose: Attempts: one row for each.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: log_id, task_id, process_id, execution_order, task_body, session_id, start_time, end_time, attempt, lane_id, worker_id, outcome,
--   rows_affected, error_number, error_message, error_backtrace, error_procedure, error_line, enqueued_by
-- Example: select * from {{.P}}log_info order by log_id
select g.log_id,
       g.task_id,
       g.process_id,
       g.execution_order,
       g.sql_text as task_body,
       g.session_id,
       g.started_at as start_time,
       g.ended_at as end_time,
       g.attempt,
       g.lane_id,
{{- if .Runner}}
       case when (select {{.P}}rights.administrator from dual) = 'Y' then g.worker_id end as worker_id,
{{- else}}
       g.worker_id,
{{- end}}
       nvl(g.outcome, 'Running') as outcome,
       g.rows_affected,
       g.error_number,
       g.error_message,
       g.error_backtrace,
       g.error_procedure,
       g.error_line,
       {{.Name "g.enqueued_by"}} as enqueued_by
from {{.P}}logs g
{{- if .Runner}}
where (select {{.P}}rights.administrator from dual) = 'Y'
   or nlssort(g.enqueued_by, 'NLS_SORT=BINARY') = (select nlssort({{.P}}rights.submitter, 'NLS_SORT=BINARY') from dual)
{{- end}}
