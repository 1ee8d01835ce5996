create or replace view {{.P}}alarm_info as
-- View: {{.PU}}ALARM_INFO
-- Purpose: What a person should look at.
-- Access: public: select
-- Columns: alarm_id, raised_at, kind, process_id, task_id, lane_id, alarm_text
-- Example: select * from {{.P}}alarm_info order by alarm_id desc
select a.alarm_id,
       a.raised_at,
       a.kind,
       a.process_id,
       a.task_id,
       a.lane_id,
       a.alarm_text
from {{.P}}alarms a
