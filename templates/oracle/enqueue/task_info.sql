create or replace view {{.P}}task_info as
-- View: {{.PU}}TASK_INFO
-- Purpose: Tasks, with their last attempt. Reading never waits for other sessions.
-- Access: public: read{{if .Runner}}; non-administrators see only their own{{end}}
-- Columns: task_id, process_id, execution_order, priority, expected_seconds, status, wait_reason, due_at, name, sql_text, attempt, max_attempts,
--   failures, orphans, on_orphan, enqueued_at, enqueued_by, enqueued_by_os_user, enqueued_by_client, lane_id, session_id, started_at,
--   finished_at, error_number, error_message, parameters, transactional, dedup_key, duplicate_of (for a Skipped
--   duplicate, the task with the same key), timeout_seconds, stop_outcome (of a Stopping task: its final status unless it still succeeds),
--   resource_name, access_mode
-- Example: select * from {{.P}}task_info where status = 'Failed'
{{- $own := .Own "t"}}
select t.task_id,
       {{$own}}t.process_id {{.As}} process_id,
       {{$own}}t.execution_order {{.As}} execution_order,
       {{$own}}t.priority {{.As}} priority,
       {{$own}}t.expected_seconds {{.As}} expected_seconds,
       {{$own}}case when t.status = 'Pending' and p.status = 'Suspended' then 'Waiting' else t.status end {{.As}} status,
       {{$own}}case when t.status = 'Pending' and p.status = 'Suspended' then 'Suspended' else t.wait_reason end {{.As}} wait_reason,
       {{$own}}t.due_at {{.As}} due_at,
       {{$own}}t.name {{.As}} name,
       {{$own}}t.sql_text {{.As}} sql_text,
       {{$own}}t.attempt {{.As}} attempt,
       {{$own}}t.max_attempts {{.As}} max_attempts,
       {{$own}}t.failures {{.As}} failures,
       {{$own}}t.orphans {{.As}} orphans,
       {{$own}}t.on_orphan {{.As}} on_orphan,
       {{$own}}t.enqueued_at {{.As}} enqueued_at,
       {{$own}}{{.Name "t.enqueued_by"}} {{.As}} enqueued_by,
       {{$own}}t.enqueued_by_os_user {{.As}} enqueued_by_os_user,
       {{$own}}t.enqueued_by_client {{.As}} enqueued_by_client,
       {{$own}}g.lane_id {{.As}} lane_id,
       {{$own}}g.session_id {{.As}} session_id,
       {{$own}}t.started_at {{.As}} started_at,
       {{$own}}t.finished_at {{.As}} finished_at,
       {{$own}}g.error_number {{.As}} error_number,
       {{$own}}g.error_message {{.As}} error_message,
       {{$own}}t.parameters {{.As}} parameters,
       {{$own}}t.transactional {{.As}} transactional,
       {{$own}}t.dedup_key {{.As}} dedup_key,
       {{$own}}t.duplicate_of {{.As}} duplicate_of,
       {{$own}}t.timeout_seconds {{.As}} timeout_seconds,
       {{$own}}case when t.status = 'Stopping' then nvl(t.stop_outcome, 'Cancelled') end {{.As}} stop_outcome,
       {{$own}}s.name {{.As}} resource_name,
       {{$own}}t.access_mode {{.As}} access_mode
from {{.Rows "tasks" "t" "enqueued_by"}}
left outer join {{.P}}processes p on p.process_id = t.process_id
left outer join {{.P}}logs g on g.log_id = t.log_id
left outer join {{.P}}resources s on s.resource_id = t.resource_id
{{- if .Runner}}
where t.mine = 1
{{- end}}
