create or replace view {{.P}}task_info as
-- View: {{.PU}}TASK_INFO
-- Purpose: Tasks, with their last attempt. Reading never waits for other sessions.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: task_id, process_id, execution_order, priority, expected_seconds, status, wait_reason, due_at, sql_text, attempt, max_attempts,
--   failures, orphans, on_orphan, enqueued_at, enqueued_by, enqueued_by_os_user, enqueued_by_client, lane_id, session_id, started_at,
--   finished_at, error_number, error_message, parameters, transactional, dedup_key, duplicate_of (for a Skipped
--   duplicate, the task with the same key), timeout_seconds, stop_outcome (of a Stopping task: its final status unless it still succeeds),
--   resource_name, access_mode, retry_delay_seconds
-- Example: select * from {{.P}}task_info where status = 'Failed'
select t.task_id,
       t.process_id,
       t.execution_order,
       t.priority,
       t.expected_seconds,
       case when t.status = 'Pending' and p.status = 'Suspended' then 'Waiting' else t.status end as status,
       case when t.status = 'Pending' and p.status = 'Suspended' then 'Suspended' else t.wait_reason end as wait_reason,
       t.due_at,
       t.sql_text,
       t.attempt,
       t.max_attempts,
       t.failures,
       t.orphans,
       t.on_orphan,
       t.enqueued_at,
       {{.Name "t.enqueued_by"}} as enqueued_by,
       t.enqueued_by_os_user,
       t.enqueued_by_client,
       g.lane_id,
       g.session_id,
       t.started_at,
       t.finished_at,
       g.error_number,
       g.error_message,
       t.parameters,
       t.transactional,
       t.dedup_key,
       t.duplicate_of,
       t.timeout_seconds,
       case when t.status = 'Stopping' then nvl(t.stop_outcome, 'Cancelled') end as stop_outcome,
       s.name as resource_name,
       t.access_mode,
       t.retry_delay_seconds
from {{.P}}tasks t
left outer join {{.P}}processes p on p.process_id = t.process_id
left outer join {{.P}}logs g on g.log_id = t.log_id
left outer join {{.P}}resources s on s.resource_id = t.resource_id
{{- if .Runner}}
where (select {{.P}}rights.administrator from dual) = 'Y'
   or nlssort(t.enqueued_by, 'NLS_SORT=BINARY') = (select nlssort({{.P}}rights.submitter, 'NLS_SORT=BINARY') from dual)
{{- end}}
