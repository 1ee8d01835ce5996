create or replace view {{.P}}worker_info as
-- View: {{.PU}}WORKER_INFO
-- Purpose: The lanes, and the sessions in them.
-- Access: public: read{{if .Runner}}; non-administrators see which lanes are busy, but only their own tasks in them{{end}}
-- Columns: lane_id, kind (Lane, or Session for a session that called task_scheduler), state, state_at, worker_id, session_id, instance_id,
--   entered_at, task_id, process_id, execution_order, attempt, task_started_at
-- Example: select * from {{.P}}worker_info where state <> 'Off'
{{- $own := ""}}
{{- if .Runner}}{{$own = printf "case when %s then " (.Mine "t.enqueued_by")}}{{end}}
select l.lane_id,
       case when l.lane_id > 1000 then 'Session' else 'Lane' end as kind,
       l.state,
       l.state_at,
       {{if .Runner}}case when me.sees_all = 'Y' then {{end}}l.worker_id {{.As}} worker_id,
       l.session_id,
       case when l.session_id is not null then l.instance_id end as instance_id,
       l.entered_at,
       {{$own}}t.task_id {{.As}} task_id,
       {{$own}}t.process_id {{.As}} process_id,
       {{$own}}t.execution_order {{.As}} execution_order,
       {{$own}}t.attempt {{.As}} attempt,
       {{$own}}t.started_at {{.As}} task_started_at
from (select a.*,
             (select /*+ index(k (lane_id)) */ max(k.task_id) from {{.P}}tasks k where k.lane_id = a.lane_id and k.worker_id = a.worker_id) as task_id
      from {{.P}}lanes a) l
left outer join {{.P}}tasks t on t.task_id = l.task_id
{{- if .Runner}}
{{.Me}}
{{- end}}
