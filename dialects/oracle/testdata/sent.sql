begin dbsched.wait_process(in_process_id => :in_process_id, in_timeout_seconds => :in_timeout_seconds, out_result => :out_result, out_status => :out_status); end;
/
select sys_context('USERENV', 'CON_NAME') from dual
/
begin :out_result := dbms_lock.request(id => :in_id, lockmode => dbms_lock.x_mode, timeout => :in_timeout, release_on_commit => false); end;
/
begin :out_result := dbms_lock.release(id => :in_id); end;
/
select sys_context('USERENV', 'CURRENT_SCHEMA') from dual
/
select count(*) from user_tables t where t.table_name = :in_name
/
declare
    e_name_in_use exception;
    pragma exception_init(e_name_in_use, -955);
begin
    execute immediate 'create table ds_schema_version (version number(19) constraint ds_schema_version_pk primary key, dirty number(1) not null)';
exception
    when e_name_in_use then
        null;
end;
/
select v.version, v.dirty from ds_schema_version v
/
delete from ds_schema_version
/
insert into ds_schema_version (version, dirty) values (:1, :2)
/
select s.max_lanes from ds_settings s where s.settings_id = 1
/
select s.type, s.name, s.text
from user_source s
inner join user_objects o on o.object_name = s.name and o.object_type = s.type
where o.status = 'VALID' and s.name in ('DS_BASE', 'DS_JSON', 'DS_RIGHTS', 'DS_WAKE', 'DS_RUN', 'DS_VALUES', 'DS_ADMIN', 'DS_CONTROL', 'DS_RESOURCE', 'DS_ROUND', 'DS_SCHEDULE', 'DS_WORKER', 'DS_DISPATCH', 'DS_LANE', 'DBSCHED', 'DS_ENQUEUE', 'DS_ALARM_INFO', 'DS_LOG_INFO', 'DS_PROCESS_INFO', 'DS_RESOURCE_INFO', 'DS_ROUND_INFO', 'DS_ROUND_MEMBER_INFO', 'DS_SCHEDULE_INFO', 'DS_SCHEDULE_LOG', 'DS_SCHEDULER_INFO', 'DS_TASK_INFO', 'DS_WORKER_INFO')
order by s.type, s.name, s.line
/
select 'VIEW', v.view_name, v.text_vc
from user_views v
inner join user_objects o on o.object_name = v.view_name and o.object_type = 'VIEW'
where o.status = 'VALID' and v.view_name in ('DS_BASE', 'DS_JSON', 'DS_RIGHTS', 'DS_WAKE', 'DS_RUN', 'DS_VALUES', 'DS_ADMIN', 'DS_CONTROL', 'DS_RESOURCE', 'DS_ROUND', 'DS_SCHEDULE', 'DS_WORKER', 'DS_DISPATCH', 'DS_LANE', 'DBSCHED', 'DS_ENQUEUE', 'DS_ALARM_INFO', 'DS_LOG_INFO', 'DS_PROCESS_INFO', 'DS_RESOURCE_INFO', 'DS_ROUND_INFO', 'DS_ROUND_MEMBER_INFO', 'DS_SCHEDULE_INFO', 'DS_SCHEDULE_LOG', 'DS_SCHEDULER_INFO', 'DS_TASK_INFO', 'DS_WORKER_INFO')
/
select count(case when o.object_type = 'TABLE' then 1 end), count(case when o.object_type <> 'TABLE' then 1 end)
from user_objects o
where (o.object_name = 'DS_DISPATCHER' and o.object_type = 'JOB')
   or (o.object_name in ('DS_SETTINGS', 'DS_LANES') and o.object_type = 'TABLE')
/
begin
    update ds_settings s set s.started = 'N' where s.settings_id = 1;
    commit;
    dbms_scheduler.disable('DS_DISPATCHER', force => true);
    begin
        dbms_scheduler.stop_job('DS_DISPATCHER');
    exception
        when others then
            if sqlcode <> -27366 then
                raise;
            end if;
    end;
end;
/
select s.started, s.version from ds_settings s where s.settings_id = 1
/
declare
    l_base number;
    l_result integer;
    l_lanes varchar2(32767);

    procedure probe (in_lane in number, in_session in number, in_task in number) is
    begin
        l_result := dbms_lock.request(id => l_base + in_lane, lockmode => dbms_lock.ss_mode, timeout => 0, release_on_commit => false);
        if l_result = 0 then
            l_result := dbms_lock.release(id => l_base + in_lane);
        elsif l_result = 1 then
            l_lanes := l_lanes || in_lane || ' ' || in_session || ' ' || in_task || chr(10);
        end if;
    end probe;
begin
    select max(s.lock_base) into l_base from ds_settings s where s.settings_id = 1;
    if l_base is not null then
        probe(0, 0, 0);
        for r in (select l.lane_id, nvl(l.session_id, 0) as session_id,
                         nvl((select /*+ index(t (lane_id)) */ max(t.task_id) from ds_tasks t where t.lane_id = l.lane_id and t.worker_id = l.worker_id), 0) as task_id
                  from ds_lanes l
                  order by l.lane_id)
        loop
            probe(r.lane_id, r.session_id, r.task_id);
        end loop;
    else
        for r in (select l.lane_id, l.session_id, l.session_key from ds_lanes l where l.session_key is not null order by l.lane_id) loop
            if dbms_session.is_session_alive(r.session_key) then
                l_lanes := l_lanes || r.lane_id || ' ' || nvl(r.session_id, 0) || ' 0' || chr(10);
            end if;
        end loop;
    end if;
    :out_lanes := l_lanes;
end;
/
begin dbms_session.sleep(0.2); end;
/
alter session set ddl_lock_timeout = 30 plsql_warnings = 'DISABLE:ALL'
/
select e.line, e.position, e.text
from user_errors e
where e.name = :in_name and e.type = :in_type and e.attribute = 'ERROR'
order by e.sequence
/
select o.object_type, o.object_name
from user_objects o
where o.object_type in ('JOB', 'QUEUE', 'SEQUENCE', 'TABLE')
  and (o.object_name = :in_package or substr(o.object_name, 1, :in_length) = :in_prefix)
union all
select 'JOB', j.owner || '.' || j.job_name
from all_scheduler_jobs j
where j.owner <> user and j.comments like 'dbsched: worker slot % of ' || user
order by 1, 2
/
select o.object_type, o.object_name
from user_objects o
where o.object_type in ('JOB', 'QUEUE', 'SEQUENCE', 'TABLE', 'PACKAGE', 'PACKAGE BODY', 'VIEW')
  and (o.object_name = :in_package or substr(o.object_name, 1, :in_length) = :in_prefix)
union all
select 'JOB', j.owner || '.' || j.job_name
from all_scheduler_jobs j
where j.owner <> user and j.comments like 'dbsched: worker slot % of ' || user
order by 1, 2
/
select dbsched.next_instants(:calendar, :zone, nvl(to_timestamp(:after, 'YYYY-MM-DD"T"HH24:MI:SS.FF'), sys_extract_utc(systimestamp)), :count, from_tz(to_timestamp(:begin_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF'), '+00:00'), from_tz(to_timestamp(:end_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF'), '+00:00')) from dual
/
begin
    for r in (select j.job_name from user_scheduler_jobs j order by j.job_name) loop
        dbms_scheduler.drop_job(job_name => '"' || r.job_name || '"', force => true);
    end loop;
    for r in (select t.queue_table from user_queue_tables t order by t.queue_table) loop
        execute immediate 'begin dbms_aqadm.drop_queue_table(queue_table => :1, force => true); end;' using r.queue_table;
    end loop;
    for r in (select o.object_type, o.object_name
              from user_objects o
              where o.object_type in ('VIEW', 'SYNONYM', 'PACKAGE', 'PROCEDURE', 'FUNCTION', 'SEQUENCE', 'TABLE', 'TYPE')
                and o.object_name not like 'BIN$%'
                and o.object_name not like 'ISEQ$$%'
              order by case o.object_type when 'TYPE' then 3 when 'TABLE' then 2 else 1 end, o.object_type, o.object_name)
    loop
        begin
            execute immediate 'drop ' || r.object_type || ' "' || r.object_name || '"'
                || case r.object_type when 'TABLE' then ' cascade constraints purge' when 'TYPE' then ' force' end;
        exception
            when others then
                if sqlcode not in (-942, -4043, -22914) then
                    raise;
                end if;
        end;
    end loop;
end;
/
declare
    l_process_id number;
    l_task_id number;
begin
    dbsched.create_process(in_name => 'n', out_process_id => l_process_id);
    dbsched.exec_async(in_sql => 'begin null; end;', in_execution_order => 1, in_process_id => l_process_id, out_task_id => l_task_id);
    commit;
end;
/
begin dbsched.start_scheduler; end;
/
begin dbsched.start_scheduler(in_here => true); end;
/
begin dbsched.start_scheduler(in_moved => true); end;
/
begin dbsched.start_scheduler(in_also_on => :in_also_on); end;
/
begin dbsched.stop_scheduler(in_mode => :in_mode); end;
/
begin dbsched.set_workers(in_max_workers => :in_max_workers); end;
/
begin dbsched.set_policy(in_policy => :in_policy); end;
/
begin dbsched.acknowledge_alarms; end;
/
begin dbsched.acknowledge_alarms(in_up_to => :in_up_to); end;
/
begin dbsched.acknowledge_alarms(in_alarm_id => :in_alarm_id); end;
/
begin dbsched.purge(in_days => :in_days); end;
/
begin dbsched.set_options(in_linger_seconds => :in_linger_seconds, in_idle_sweep_seconds => :in_idle_sweep_seconds, in_retention_days => :in_retention_days, in_max_retry_delay_seconds => :in_max_retry_delay_seconds, in_max_orphans => :in_max_orphans, in_outage_seconds => :in_outage_seconds, in_max_tasks_per_user => :in_max_tasks_per_user, in_default_timeout_seconds => :in_default_timeout_seconds); end;
/
begin dbsched.set_alarm_hook; end;
/
begin dbsched.set_alarm_hook(in_procedure => :in_procedure); end;
/
begin dbsched.exec_async(in_sql => :in_sql, in_execution_order => :in_execution_order, out_task_id => :out_task_id); end;
/
begin dbsched.exec_async(in_sql => :in_sql, in_execution_order => :in_execution_order, in_process_id => :in_process_id, in_priority => :in_priority, in_max_attempts => :in_max_attempts, in_retry_delay_seconds => :in_retry_delay_seconds, in_not_before => :in_not_before, in_expected_seconds => :in_expected_seconds, in_timeout_seconds => :in_timeout_seconds, in_on_orphan => :in_on_orphan, in_resource => :in_resource, in_access => :in_access, in_transactional => true, in_dedup_key => :in_dedup_key, in_parameters => :in_parameters, in_name => :in_name, out_task_id => :out_task_id); end;
/
begin dbsched.exec_async_batch(in_tasks => :in_tasks, out_task_ids => :out_task_ids); end;
/
begin dbsched.create_process(in_name => :in_name, out_process_id => :out_process_id); end;
/
begin dbsched.create_process(in_name => :in_name, in_priority => :in_priority, in_weight => :in_weight, in_max_parallel => :in_max_parallel, in_on_error => :in_on_error, out_process_id => :out_process_id); end;
/
begin dbsched.create_process(in_name => :in_name, in_priority => :in_priority, in_weight => :in_weight, in_max_parallel => :in_max_parallel, in_on_error => :in_on_error, in_suspended => true, out_process_id => :out_process_id); end;
/
begin dbsched.exec_async(in_sql => :in_sql, in_execution_order => :in_execution_order, in_process_id => :in_process_id, out_task_id => :out_task_id); end;
/
begin dbsched.release_process(in_process_id => :in_process_id); end;
/
begin dbsched.close_process(in_process_id => :in_process_id); end;
/
begin dbsched.cancel_task(in_task_id => :in_task_id); end;
/
begin dbsched.cancel_process(in_process_id => :in_process_id); end;
/
begin dbsched.retry_task(in_task_id => :in_task_id); end;
/
begin dbsched.retry_process(in_process_id => :in_process_id); end;
/
SELECT v.process_id
FROM ds_process_info v
WHERE v.process_id = :in_id OR v.name = :in_name
ORDER BY CASE WHEN v.process_id = :in_same THEN 0 ELSE 1 END, CASE WHEN v.finished_at IS NULL THEN 0 ELSE 1 END, v.process_id DESC
FETCH NEXT :in_limit ROWS ONLY
/
begin dbsched.define_resource(in_name => :in_name, in_capacity => :in_capacity); end;
/
begin dbsched.drop_resource(in_name => :in_name); end;
/
begin dbsched.release_resource(in_request_id => :in_request_id); end;
/
begin dbsched.define_round(in_round => :in_round, in_members => dbsched.t_names(:in_members_1, :in_members_2), in_successor_job => :in_successor_job, in_successor_sql => :in_successor_sql, in_execution_order => :in_execution_order, in_process_id => :in_process_id, in_max_age_seconds => :in_max_age_seconds, in_start_seconds => :in_start_seconds); end;
/
begin dbsched.define_round(in_round => :in_round, in_members => dbsched.t_names()); end;
/
begin dbsched.report_round(in_round => :in_round, in_member => :in_member, in_succeeded => true, out_outcome => :out_outcome); end;
/
begin dbsched.create_schedule(in_name => :in_name, in_calendar => :in_calendar, in_tasks => :in_tasks); end;
/
begin dbsched.create_schedule(in_name => :in_name, in_calendar => :in_calendar, in_tasks => :in_tasks, in_zone => :in_zone, in_overlap => :in_overlap, in_missed => :in_missed, in_on_error => :in_on_error, in_weight => :in_weight, in_max_parallel => :in_max_parallel, in_begin_at => :in_begin_at, in_end_at => :in_end_at, in_enabled => false); end;
/
begin dbsched.alter_schedule(in_name => :in_name, in_calendar => :in_calendar); end;
/
begin dbsched.set_schedule_enabled(in_name => :in_name, in_enabled => true); end;
/
begin dbsched.run_schedule(in_name => :in_name); end;
/
begin dbsched.drop_schedule(in_name => :in_name); end;
/
SELECT v.version, v.started, v.copy_of, v.also_on, nvl(sys_context('USERENV', 'CDB_NAME'), sys_context('USERENV', 'DB_NAME')), v.policy, v.max_workers, v.max_lanes, v.workers, v.running, v.unfinished, v.alarms, v.blocked, systimestamp
FROM ds_scheduler_info v
/
SELECT v.alarm_hook, v.linger_seconds, v.idle_sweep_seconds, v.retention_days, v.max_retry_delay_seconds, v.max_orphans, v.outage_seconds, v.max_tasks_per_user, v.default_timeout_seconds
FROM ds_scheduler_info v
/
SELECT q.status, q.reason, count(*), MIN(q.enqueued_at), MIN(q.due_at), count(q.runnable_at), MIN(q.runnable_at)
FROM (SELECT v.status AS status, v.wait_reason AS reason, v.enqueued_at AS enqueued_at, v.due_at AS due_at,
             CASE WHEN v.status = 'Pending' AND v.execution_order = MIN(v.execution_order) OVER (PARTITION BY v.process_id) THEN v.enqueued_at END AS runnable_at
FROM ds_task_info v
      WHERE v.finished_at IS NULL) q
GROUP BY q.status, q.reason
ORDER BY q.status, q.reason
/
SELECT v.lane_id, v.state, v.session_id, v.task_id
FROM ds_worker_info v
ORDER BY v.lane_id DESC
/
SELECT v.resource_name, v.capacity, v.held, v.waiting, v.request_id, v.status, v.access_mode, v.requester, v.requested_by, v.process_id, v.task_id, v.session_id, v.requested_at, v.granted_at, v.lease_until
FROM ds_resource_info v
ORDER BY v.resource_name, v.request_id
/
SELECT v.kind, count(*)
FROM ds_alarm_info v
WHERE v.acknowledged_at IS NULL
GROUP BY v.kind
/
SELECT v.round_id, v.name, v.generation, v.members, v.succeeded, v.failed, v.first_report_at, v.successor_job, v.successor_sql, v.max_age_seconds, v.start_seconds, v.last_generation, v.last_status, v.last_fired_at, v.last_fired_by, v.last_task_id, v.last_detail, v.defined_by
FROM ds_round_info v
ORDER BY v.name
/
SELECT v.schedule_id, v.name, v.calendar, v.zone, v.status, v.reason, v.next_at, v.next_local, v.begin_at, v.end_at, v.last_due_at, v.last_process_id, v.last_status, v.last_finished_at, v.running, v.waiting, v.fired, v.skipped, v.missed, v.overlap, v.missed_policy, v.tasks, v.on_error, v.weight, v.max_parallel, v.owned_by
FROM ds_schedule_info v
ORDER BY v.name
/
SELECT v.schedule_id, v.name, v.calendar, v.zone, v.status, v.reason, v.next_at, v.next_local, v.begin_at, v.end_at, v.last_due_at, v.last_process_id, v.last_status, v.last_finished_at, v.running, v.waiting, v.fired, v.skipped, v.missed, v.overlap, v.missed_policy, v.tasks, v.on_error, v.weight, v.max_parallel, v.owned_by
FROM ds_schedule_info v
WHERE v.name = :in_name
/
SELECT q.status, count(*), count(CASE WHEN q.next_at < systimestamp - numtodsinterval(60, 'SECOND') THEN 1 END), MIN(q.next_at), MIN(CASE WHEN q.nth = 1 THEN q.name END)
FROM (SELECT v.status AS status, v.name AS name, v.next_at AS next_at,
             ROW_NUMBER() OVER (PARTITION BY v.status ORDER BY CASE WHEN v.next_at IS NULL THEN 1 ELSE 0 END, v.next_at, v.name) AS nth
FROM ds_schedule_info v) q
GROUP BY q.status
ORDER BY q.status
/
SELECT v.firing_id, v.name, v.due_at, v.manual, v.status, v.detail, v.logged_at, v.process_id, v.finished_at
FROM ds_schedule_log v
ORDER BY v.firing_id DESC
/
SELECT v.firing_id, v.name, v.due_at, v.manual, v.status, v.detail, v.logged_at, v.process_id, v.finished_at
FROM ds_schedule_log v
WHERE v.name = :in_name
ORDER BY v.firing_id DESC
FETCH NEXT :in_limit ROWS ONLY
/
SELECT v.process_id, v.name, v.status, v.on_error, v.priority, v.unfinished, v.running, v.lowest_order, v.tasks_succeeded, v.tasks_failed, v.created_by, v.created_at, v.finished_at
FROM ds_process_info v
ORDER BY v.process_id DESC
/
SELECT v.task_id, v.process_id, v.execution_order, v.status, v.wait_reason, v.priority, v.attempt, v.name, v.sql_text, v.enqueued_by, v.enqueued_at, v.due_at, v.lane_id, v.resource_name, v.started_at, v.finished_at, v.timeout_seconds, v.stop_outcome, v.expected_seconds, v.max_attempts, v.failures, v.on_orphan, v.orphans, v.access_mode, v.transactional, v.dedup_key, v.duplicate_of, v.parameters, systimestamp
FROM ds_task_info v
ORDER BY v.task_id DESC
/
SELECT v.log_id, v.task_id, v.process_id, v.execution_order, v.attempt, v.task_name, v.task_body, v.lane_id, v.session_id, t.enqueued_at, t.resource_name, v.start_time, v.end_time, v.outcome, v.error_number, v.error_message, v.error_procedure, v.error_line, t.timeout_seconds, t.status, systimestamp
FROM ds_log_info v
LEFT JOIN ds_task_info t ON t.task_id = v.task_id
ORDER BY v.log_id DESC
/
SELECT v.alarm_id, v.raised_at, v.kind, v.process_id, v.task_id, v.lane_id, v.alarm_text, v.acknowledged_at, v.acknowledged_by, v.task_name
FROM ds_alarm_info v
ORDER BY v.alarm_id DESC
/
SELECT v.process_id, v.name, v.status, v.on_error, v.priority, v.unfinished, v.running, v.lowest_order, v.tasks_succeeded, v.tasks_failed, v.created_by, v.created_at, v.finished_at
FROM ds_process_info v
WHERE v.process_id = :in_process AND v.status IN (:in_status1, :in_status2)
ORDER BY v.process_id DESC
FETCH NEXT :in_limit ROWS ONLY
/
SELECT v.task_id, v.process_id, v.execution_order, v.status, v.wait_reason, v.priority, v.attempt, v.name, v.sql_text, v.enqueued_by, v.enqueued_at, v.due_at, v.lane_id, v.resource_name, v.started_at, v.finished_at, v.timeout_seconds, v.stop_outcome, v.expected_seconds, v.max_attempts, v.failures, v.on_orphan, v.orphans, v.access_mode, v.transactional, v.dedup_key, v.duplicate_of, v.parameters, systimestamp
FROM ds_task_info v
WHERE v.process_id = :in_process AND v.status IN (:in_status1, :in_status2)
ORDER BY v.task_id DESC
FETCH NEXT :in_limit ROWS ONLY
/
SELECT v.log_id, v.task_id, v.process_id, v.execution_order, v.attempt, v.task_name, v.task_body, v.lane_id, v.session_id, t.enqueued_at, t.resource_name, v.start_time, v.end_time, v.outcome, v.error_number, v.error_message, v.error_procedure, v.error_line, t.timeout_seconds, t.status, systimestamp
FROM ds_log_info v
LEFT JOIN ds_task_info t ON t.task_id = v.task_id
WHERE v.process_id = :in_process AND v.outcome IN (:in_status1, :in_status2)
ORDER BY v.log_id DESC
FETCH NEXT :in_limit ROWS ONLY
/
SELECT v.alarm_id, v.raised_at, v.kind, v.process_id, v.task_id, v.lane_id, v.alarm_text, v.acknowledged_at, v.acknowledged_by, v.task_name
FROM ds_alarm_info v
WHERE v.process_id = :in_process AND v.kind IN (:in_status1, :in_status2)
ORDER BY v.alarm_id DESC
FETCH NEXT :in_limit ROWS ONLY
/
SELECT v.process_id, v.name, v.status, v.on_error, v.priority, v.unfinished, v.running, v.lowest_order, v.tasks_succeeded, v.tasks_failed, v.created_by, v.created_at, v.finished_at
FROM ds_process_info v
WHERE v.created_at >= :in_since AND v.created_at < :in_until
ORDER BY v.process_id DESC
/
SELECT v.task_id, v.process_id, v.execution_order, v.status, v.wait_reason, v.priority, v.attempt, v.name, v.sql_text, v.enqueued_by, v.enqueued_at, v.due_at, v.lane_id, v.resource_name, v.started_at, v.finished_at, v.timeout_seconds, v.stop_outcome, v.expected_seconds, v.max_attempts, v.failures, v.on_orphan, v.orphans, v.access_mode, v.transactional, v.dedup_key, v.duplicate_of, v.parameters, systimestamp
FROM ds_task_info v
WHERE v.enqueued_at >= :in_since AND v.enqueued_at < :in_until AND (instr(upper(v.name), upper(:in_text1)) > 0 OR instr(upper(v.sql_text), upper(:in_text2)) > 0)
ORDER BY v.task_id DESC
/
SELECT v.log_id, v.task_id, v.process_id, v.execution_order, v.attempt, v.task_name, v.task_body, v.lane_id, v.session_id, t.enqueued_at, t.resource_name, v.start_time, v.end_time, v.outcome, v.error_number, v.error_message, v.error_procedure, v.error_line, t.timeout_seconds, t.status, systimestamp
FROM ds_log_info v
LEFT JOIN ds_task_info t ON t.task_id = v.task_id
WHERE v.start_time >= :in_since AND v.start_time < :in_until AND (instr(upper(v.task_name), upper(:in_text1)) > 0 OR instr(upper(v.task_body), upper(:in_text2)) > 0 OR instr(upper(v.error_message), upper(:in_text3)) > 0)
ORDER BY v.log_id DESC
/
SELECT v.alarm_id, v.raised_at, v.kind, v.process_id, v.task_id, v.lane_id, v.alarm_text, v.acknowledged_at, v.acknowledged_by, v.task_name
FROM ds_alarm_info v
WHERE v.raised_at >= :in_since AND v.raised_at < :in_until AND (instr(upper(v.alarm_text), upper(:in_text1)) > 0)
ORDER BY v.alarm_id DESC
/
SELECT v.process_id, v.name, v.status, v.on_error, v.priority, v.unfinished, v.running, v.lowest_order, v.tasks_succeeded, v.tasks_failed, v.created_by, v.created_at, v.finished_at
FROM ds_process_info v
WHERE (v.finished_at IS NULL OR v.finished_at >= :in_open)
ORDER BY v.process_id DESC
/
SELECT v.task_id, v.process_id, v.execution_order, v.status, v.wait_reason, v.priority, v.attempt, v.name, v.sql_text, v.enqueued_by, v.enqueued_at, v.due_at, v.lane_id, v.resource_name, v.started_at, v.finished_at, v.timeout_seconds, v.stop_outcome, v.expected_seconds, v.max_attempts, v.failures, v.on_orphan, v.orphans, v.access_mode, v.transactional, v.dedup_key, v.duplicate_of, v.parameters, systimestamp
FROM ds_task_info v
WHERE v.process_id = :in_process
ORDER BY CASE WHEN v.status IN ('Failed', 'TimedOut') THEN 0 WHEN v.status IN ('Running', 'Stopping') THEN 1 ELSE 2 END, v.task_id
OFFSET :in_skip ROWS FETCH NEXT :in_limit ROWS ONLY
/
SELECT v.log_id, v.task_id, v.process_id, v.execution_order, v.attempt, v.task_name, v.task_body, v.lane_id, v.session_id, t.enqueued_at, t.resource_name, v.start_time, v.end_time, v.outcome, v.error_number, v.error_message, v.error_procedure, v.error_line, t.timeout_seconds, t.status, systimestamp
FROM ds_log_info v
LEFT JOIN ds_task_info t ON t.task_id = v.task_id
WHERE v.task_id = :in_task AND (v.log_id > :in_after OR v.log_id = :in_also1 OR v.log_id = :in_also2)
ORDER BY v.log_id DESC
/
SELECT v.log_id, v.task_id, v.process_id, v.execution_order, v.attempt, substr(v.task_name, 1, 400), substr(v.task_body, 1, 400), v.lane_id, v.session_id, t.enqueued_at, t.resource_name, v.start_time, v.end_time, v.outcome, v.error_number, substr(v.error_message, 1, 400), v.error_procedure, v.error_line, t.timeout_seconds, t.status, systimestamp
FROM ds_log_info v
LEFT JOIN ds_task_info t ON t.task_id = v.task_id
WHERE v.start_time < :in_until AND (v.end_time IS NULL OR v.end_time >= :in_ended) AND v.process_id <> :in_besides
ORDER BY v.log_id DESC
FETCH NEXT :in_limit ROWS ONLY
/
SELECT v.alarm_id, v.raised_at, v.kind, v.process_id, v.task_id, v.lane_id, v.alarm_text, v.acknowledged_at, v.acknowledged_by, v.task_name
FROM ds_alarm_info v
WHERE v.acknowledged_at IS NULL
ORDER BY v.alarm_id DESC
/
SELECT count(*), count(CASE WHEN v.end_time IS NULL THEN 1 END), count(CASE WHEN v.outcome IN ('Failed', 'TimedOut', 'Orphaned', 'Outage') THEN 1 END),
    count(DISTINCT v.lane_id), MIN(v.log_id), MIN(v.start_time), MAX(v.end_time)
FROM ds_log_info v
/
SELECT count(*), count(CASE WHEN v.end_time IS NULL THEN 1 END), count(CASE WHEN v.outcome IN ('Failed', 'TimedOut', 'Orphaned', 'Outage') THEN 1 END),
    count(DISTINCT v.lane_id), MIN(v.log_id), MIN(v.start_time), MAX(v.end_time)
FROM ds_log_info v
WHERE v.log_id >= :in_from AND (v.end_time IS NULL OR v.end_time >= :in_ended)
/
select max(p.product), max(p.version_full) from product_component_version p
/
select sys_context('USERENV', 'CON_NAME'), sys_context('USERENV', 'DATABASE_ROLE') from dual
/
select s.version, s.runner, s.started, s.max_workers, s.max_lanes,
    round((cast(sys_extract_utc(systimestamp) as date) - cast(sys_extract_utc(s.next_sweep_at) as date)) * 86400)
from ds_settings s
where s.settings_id = 1
/
select p.privilege from user_sys_privs p
/
select distinct p.table_name
from all_tab_privs p
where p.table_schema = 'SYS' and p.privilege = 'EXECUTE' and p.grantee in (user, 'PUBLIC') and p.table_name in ('DBMS_LOCK')
/
select p.table_name
from user_tab_privs p
where p.owner = user and p.privilege = 'EXECUTE' and p.grantee = :in_runner
/
select o.object_type, o.object_name, o.status
from user_objects o
where o.object_type in ('PACKAGE', 'PACKAGE BODY', 'VIEW') and o.object_name in ('DS_BASE', 'DS_JSON', 'DS_RIGHTS', 'DS_WAKE', 'DS_RUN', 'DS_VALUES', 'DS_ADMIN', 'DS_CONTROL', 'DS_RESOURCE', 'DS_ROUND', 'DS_SCHEDULE', 'DS_WORKER', 'DS_DISPATCH', 'DS_LANE', 'DBSCHED', 'DS_ENQUEUE', 'DS_ALARM_INFO', 'DS_LOG_INFO', 'DS_PROCESS_INFO', 'DS_RESOURCE_INFO', 'DS_ROUND_INFO', 'DS_ROUND_MEMBER_INFO', 'DS_SCHEDULE_INFO', 'DS_SCHEDULE_LOG', 'DS_SCHEDULER_INFO', 'DS_TASK_INFO', 'DS_WORKER_INFO')
/
select e.type, e.name, min(e.text) keep (dense_rank first order by e.sequence)
from user_errors e
where e.attribute = 'ERROR'
group by e.type, e.name
/
select s.type, s.name, s.text
from user_source s
where s.type in ('PACKAGE', 'PACKAGE BODY') and s.name in ('DS_BASE', 'DS_JSON', 'DS_RIGHTS', 'DS_WAKE', 'DS_RUN', 'DS_VALUES', 'DS_ADMIN', 'DS_CONTROL', 'DS_RESOURCE', 'DS_ROUND', 'DS_SCHEDULE', 'DS_WORKER', 'DS_DISPATCH', 'DS_LANE', 'DBSCHED', 'DS_ENQUEUE', 'DS_ALARM_INFO', 'DS_LOG_INFO', 'DS_PROCESS_INFO', 'DS_RESOURCE_INFO', 'DS_ROUND_INFO', 'DS_ROUND_MEMBER_INFO', 'DS_SCHEDULE_INFO', 'DS_SCHEDULE_LOG', 'DS_SCHEDULER_INFO', 'DS_TASK_INFO', 'DS_WORKER_INFO')
order by s.type, s.name, s.line
/
select 'VIEW', v.view_name, v.text_vc
from user_views v
where v.view_name in ('DS_BASE', 'DS_JSON', 'DS_RIGHTS', 'DS_WAKE', 'DS_RUN', 'DS_VALUES', 'DS_ADMIN', 'DS_CONTROL', 'DS_RESOURCE', 'DS_ROUND', 'DS_SCHEDULE', 'DS_WORKER', 'DS_DISPATCH', 'DS_LANE', 'DBSCHED', 'DS_ENQUEUE', 'DS_ALARM_INFO', 'DS_LOG_INFO', 'DS_PROCESS_INFO', 'DS_RESOURCE_INFO', 'DS_ROUND_INFO', 'DS_ROUND_MEMBER_INFO', 'DS_SCHEDULE_INFO', 'DS_SCHEDULE_LOG', 'DS_SCHEDULER_INFO', 'DS_TASK_INFO', 'DS_WORKER_INFO')
/
select case o.object_type when 'TABLE' then 'table' else 'sequence' end, o.object_name
from user_objects o
where o.object_type in ('TABLE', 'SEQUENCE') and substr(o.object_name, 1, 3) = :in_prefix
order by o.object_name
/
select c.table_name, c.column_name,
    c.data_type || case when c.data_type in ('VARCHAR2', 'NVARCHAR2', 'CHAR', 'RAW') then '(' || case when c.char_used = 'C' then c.char_length else c.data_length end || ')'
                        when c.data_type = 'NUMBER' and c.data_scale > 0 then '(' || c.data_precision || ', ' || c.data_scale || ')'
                        when c.data_type = 'NUMBER' and c.data_precision is not null then '(' || c.data_precision || ')' end,
    c.nullable, c.virtual_column, c.data_default
from user_tab_cols c
where c.hidden_column = 'NO' and substr(c.table_name, 1, 3) = :in_prefix
order by c.table_name, c.internal_column_id
/
select case k.constraint_type when 'C' then 'check' else 'key' end, k.constraint_name, k.table_name, k.index_name, k.search_condition_vc,
    case when k.status = 'DISABLED' then ', disabled' when k.validated <> 'VALIDATED' then ', not validated' end, l.column_name
from user_constraints k
left outer join user_cons_columns l on l.constraint_name = k.constraint_name and k.constraint_type <> 'C'
where k.constraint_type in ('P', 'U', 'C') and substr(k.table_name, 1, 3) = :in_prefix
order by k.constraint_name, l.position
/
select i.index_name, i.table_name,
    case when i.status = 'UNUSABLE' or i.funcidx_status = 'DISABLED' then ', unusable' when i.visibility = 'INVISIBLE' then ', invisible' end, x.column_name
from user_indexes i
inner join user_ind_columns x on x.index_name = i.index_name
where substr(i.table_name, 1, 3) = :in_prefix
order by i.index_name, x.column_position
/
select to_char(r.settings_id) || ' of DS_SETTINGS' from ds_settings r where r.settings_id <= 99
/
select to_char(r.lane_id) || ' of DS_LANES' from ds_lanes r where r.lane_id <= 99
/
select to_char(r.process_id) || ' of DS_PROCESSES' from ds_processes r where r.process_id <= 99
/
select (select count(s.version) from ds_settings s), (select nvl(max(l.lane_id), 0) from ds_lanes l where l.lane_id <= 99),
    (select max(j.owner) from all_scheduler_jobs j where j.owner <> user and j.comments like 'dbsched: worker slot % of ' || user),
    (select count(*) from user_scheduler_jobs j where j.job_name = 'DS_LANE_01')
from dual
/
select trim(q.enqueue_enabled), trim(q.dequeue_enabled) from user_queues q where q.name = :in_name
/
begin dbms_aqadm.start_queue(queue_name => 'DS_WAKE_Q', enqueue => true, dequeue => true); end;
/
select count(case when m.queue in ('DS_WAKE_Q', 'DS_LANE_Q') then 1 end), count(case when m.queue not in ('DS_WAKE_Q', 'DS_LANE_Q') then 1 end)
from (select q.queue from aq$ds_wake_qt q where rownum <= 100000) m
/
select p.value from v$parameter p where p.name = 'job_queue_processes'
/
select upper(max(a.value)) from all_scheduler_global_attribute a where a.attribute_name = 'SCHEDULER_DISABLED'
/
select j.enabled, j.job_action, nvl(j.repeat_interval, 'none') from user_scheduler_jobs j where j.job_name = :in_name
/
begin dbsched.start_scheduler; end;
/
declare
    l_base number;
    l_result integer;
    l_lines varchar2(32767);
begin
    select max(s.lock_base) into l_base from ds_settings s where s.settings_id = 1;
    for r in (select 0 as lane_id, nvl2(s.dispatcher_session, 'Busy', 'Off') as state, s.dispatcher_session as session_key, 0 as session_id, 0 as task_id
              from ds_settings s
              where s.settings_id = 1
              union all
              select l.lane_id, l.state, l.session_key, nvl(l.session_id, 0),
                     nvl((select /*+ index(t (lane_id)) */ max(t.task_id) from ds_tasks t where t.lane_id = l.lane_id and t.worker_id = l.worker_id), 0)
              from ds_lanes l
              order by 1)
    loop
        l_result := dbms_lock.request(id => l_base + r.lane_id, lockmode => dbms_lock.ss_mode, timeout => 0, release_on_commit => false);
        if l_result = 0 then
            l_result := dbms_lock.release(id => l_base + r.lane_id);
        elsif l_result = 1 then
            l_result := -1;
        end if;
        if r.session_key is null then
            if l_result = -1 and r.state = 'Off' then
                l_lines := l_lines || 'S ' || r.lane_id || chr(10);
            end if;
        elsif l_result <> -1 and not dbms_session.is_session_alive(r.session_key) then
            if r.lane_id > 0 then
                l_lines := l_lines || 'D ' || r.lane_id || ' ' || r.session_id || ' ' || r.task_id || chr(10);
            end if;
        elsif r.lane_id = 0 then
            l_lines := l_lines || 'R' || chr(10);
        end if;
    end loop;
    :out_lines := l_lines;
end;
/
select d.status, d.additional_info, round((cast(sys_extract_utc(systimestamp) as date) - cast(sys_extract_utc(d.log_date) as date)) * 1440)
from user_scheduler_job_run_details d
where d.job_name = :in_name
order by d.log_id desc
fetch first 1 row only
/
select j.job_name, j.job_action
from all_scheduler_jobs j
where j.owner = :in_owner and substr(j.job_name, 1, :in_length) = :in_prefix
/
select nvl(max(g.log_id), 0) from ds_logs g
/
select t.status, t.enqueued_at, t.finished_at
from ds_tasks t
where t.task_id = :in_task
/
select (select count(*) from ds_tasks t where t.lane_id > 0 and t.task_id <> :in_task),
    (select count(*) from ds_logs g where g.log_id > :in_log and g.task_id <> :in_task2 and rownum <= 1)
from dual
/
select l.state, count(*)
from ds_lanes l
group by l.state
order by l.state
/
select a.kind || ': ' || a.alarm_text
from ds_alarms a
inner join ds_tasks t on a.raised_at >= t.enqueued_at
where t.task_id = :in_task
union all
select nvl(g.outcome, 'Running') || ': ' || g.error_message
from ds_logs g
where g.task_id = :in_task2 and g.log_id > :in_log
/
declare
    l_process_id number := :in_process;
    l_log_id number := :in_log - 10000;
    l_count number := 0;
begin
    for p in (select q.process_id from ds_processes q where q.process_id = l_process_id for update wait 5) loop
        select count(*) into l_count from ds_tasks t where t.unfinished_process_id = l_process_id;
        if l_count = 0 then
            delete from ds_process_requests r where r.process_id = l_process_id;
            delete from ds_tasks t where t.process_id = l_process_id;
            delete from ds_logs g where g.process_id = l_process_id and g.log_id > l_log_id;
            delete from ds_alarms a where a.process_id = l_process_id;
            delete from ds_processes d where d.process_id = l_process_id;
        end if;
    end loop;
    commit;
    :out_left := l_count;
end;
/
select l.what || l.user_name
from (select w.what, substr(w.who, 1, instr(w.who, '#', -1) - 1) as user_name, to_number(substr(w.who, instr(w.who, '#', -1) + 1)) as user_id
      from (select 'administrator ' as what, a.user_name as who from ds_administrators a
            union all
            select 'schedule "' || s.name || '" of ', s.owner from ds_schedules s
            union all
            select 'round "' || r.name || '" of ', r.defined_by from ds_rounds r where r.successor_sql is not null
            union all
            select 'the alarm hook of ', h.alarm_hook_by from ds_settings h where h.alarm_hook is not null
            union
            select 'unfinished tasks of ', t.enqueued_by from ds_tasks t where t.unfinished_process_id >= 0) w) l
where not exists (select 1 from all_users u
                  where u.username = l.user_name
                    and (u.user_id = l.user_id or u.username = user or exists (select 1 from ds_settings s where s.runner is null)))
order by 1
/
select nvl(max(n.alarm_id), 0) + 1000 from ds_alarms n
/
select nvl(max(n.firing_id), 0) + 1000 from ds_round_firings n
/
select nvl(max(n.request_id), 0) + 1000 from ds_resource_requests n
/
select nvl(max(n.log_id), 0) + 1000 from ds_logs n
/
select nvl(max(n.process_id), 0) + 1000 from ds_processes n
/
select nvl(max(n.request_id), 0) + 1000 from ds_process_requests n
/
select nvl(max(n.resource_id), 0) + 1000 from ds_resources n
/
select nvl(max(n.round_id), 0) + 1000 from ds_rounds n
/
select nvl(max(n.firing_id), 0) + 1000 from ds_schedule_firings n
/
select nvl(max(n.schedule_id), 0) + 1000 from ds_schedules n
/
select nvl(max(n.task_id), 0) + 1000 from ds_tasks n
/
create sequence ds_process_seq start with 2 order
/
create table ds_install_steps (
            migration number(6) not null,
            step number(6) not null,
            done_at timestamp(6) with time zone not null,
            constraint ds_install_steps_pk primary key (migration, step))
/
drop table ds_install_steps purge
/
create table ds_install_steps (
            migration number(6) not null,
            step number(6) not null,
            done_at timestamp(6) with time zone not null,
            constraint ds_install_steps_pk primary key (migration, step))
/
alter table ds_settings modify (settings_id number(1))
/
alter table ds_settings modify (settings_id not null)
/
alter table ds_settings modify (started default 'N')
/
alter table ds_settings modify (started default 'N')
/
alter table ds_settings add constraint ds_settings_pk primary key (settings_id)
/
alter table ds_settings drop constraint ds_settings_pk
/
alter table ds_settings add constraint ds_settings_pk primary key (settings_id)
/
alter table ds_settings add constraint ds_settings_tasks_ck check (max_tasks_per_user >= 0)
/
alter table ds_settings drop constraint ds_settings_tasks_ck
/
alter table ds_settings add constraint ds_settings_tasks_ck check (max_tasks_per_user >= 0)
/
create index ds_processes_work_ix on ds_processes (work_process_id) initrans 64
/
drop index ds_processes_work_ix
/
create index ds_processes_work_ix on ds_processes (work_process_id) initrans 64
/
