create or replace view {{.P}}log_info as
-- View: {{.PU}}LOG_INFO
-- Purpose: Attempts: one row for each.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: log_id, task_id, process_id, execution_order, task_body, session_id, start_time, end_time, attempt, lane_id, worker_id, outcome,
--   rows_affected, error_number, error_message, error_backtrace, error_procedure, error_line, enqueued_by, task_name
-- Example: select * from {{.P}}log_info order by log_id
{{- $own := .Own "g"}}
select g.log_id,
       {{$own}}g.task_id {{.As}} task_id,
       {{$own}}g.process_id {{.As}} process_id,
       {{$own}}g.execution_order {{.As}} execution_order,
       {{$own}}g.sql_text {{.As}} task_body,
       {{$own}}g.session_id {{.As}} session_id,
       {{$own}}g.started_at {{.As}} start_time,
       {{$own}}g.ended_at {{.As}} end_time,
       {{$own}}g.attempt {{.As}} attempt,
       {{$own}}g.lane_id {{.As}} lane_id,
       {{if .Runner}}case when g.sees_all = 'Y' then {{end}}g.worker_id {{.As}} worker_id,
       {{$own}}nvl(g.outcome, 'Running') {{.As}} outcome,
       {{$own}}g.rows_affected {{.As}} rows_affected,
       {{$own}}g.error_number {{.As}} error_number,
       {{$own}}g.error_message {{.As}} error_message,
       {{$own}}g.error_backtrace {{.As}} error_backtrace,
       {{$own}}g.error_procedure {{.As}} error_procedure,
       {{$own}}g.error_line {{.As}} error_line,
       {{$own}}{{.Name "g.enqueued_by"}} {{.As}} enqueued_by,
       {{$own}}g.task_name {{.As}} task_name
from {{.Rows "logs" "g" "enqueued_by"}}
{{- if .Runner}}
where g.mine = 1
{{- end}}
