create or replace view {{.P}}worker_info as
-- View: {{.PU}}WORKER_INFO
-- Purpose: The lanes, and the sessions that work in them.
-- Access: public: select
-- Columns: lane_id, kind (Lane, or Session for one that called task_scheduler), state, state_at, worker_id, session_id, entered_at,
--   task_id, process_id, execution_order, attempt, task_started_at
-- Example: select * from {{.P}}worker_info where state <> 'Off'
select l.lane_id,
       case when l.lane_id > 1000 then 'Session' else 'Lane' end as kind,
       l.state,
       l.state_at,
       l.worker_id,
       l.session_id,
       l.entered_at,
       l.task_id,
       t.process_id,
       t.execution_order,
       l.attempt,
       t.started_at as task_started_at
from {{.P}}lanes l
left outer join {{.P}}tasks t on t.task_id = l.task_id
