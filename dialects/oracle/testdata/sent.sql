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
where o.status = 'VALID' and s.name in ('DS_BASE', 'DS_JSON', 'DS_RIGHTS', 'DS_WAKE', 'DS_RUN', 'DS_VALUES', 'DS_ADMIN', 'DS_CONTROL', 'DS_RESOURCE', 'DS_ROUND', 'DS_WORKER', 'DS_DISPATCH', 'DS_LANE', 'DBSCHED', 'DS_ENQUEUE', 'DS_ALARM_INFO', 'DS_LOG_INFO', 'DS_PROCESS_INFO', 'DS_RESOURCE_INFO', 'DS_ROUND_INFO', 'DS_SCHEDULER_INFO', 'DS_TASK_INFO', 'DS_WORKER_INFO')
order by s.type, s.name, s.line
/
select 'VIEW', v.view_name, v.text_vc
from user_views v
inner join user_objects o on o.object_name = v.view_name and o.object_type = 'VIEW'
where o.status = 'VALID' and v.view_name in ('DS_BASE', 'DS_JSON', 'DS_RIGHTS', 'DS_WAKE', 'DS_RUN', 'DS_VALUES', 'DS_ADMIN', 'DS_CONTROL', 'DS_RESOURCE', 'DS_ROUND', 'DS_WORKER', 'DS_DISPATCH', 'DS_LANE', 'DBSCHED', 'DS_ENQUEUE', 'DS_ALARM_INFO', 'DS_LOG_INFO', 'DS_PROCESS_INFO', 'DS_RESOURCE_INFO', 'DS_ROUND_INFO', 'DS_SCHEDULER_INFO', 'DS_TASK_INFO', 'DS_WORKER_INFO')
/
select count(case when o.object_type = 'TABLE' then 1 end), count(case when o.object_type <> 'TABLE' then 1 end)
from user_objects o
where (o.object_name = 'DBSCHED' and o.object_type = 'PACKAGE BODY' and o.status = 'VALID')
   or (o.object_name = 'DS_DISPATCHER' and o.object_type = 'JOB')
   or (o.object_name in ('DS_SETTINGS', 'DS_LANES') and o.object_type = 'TABLE')
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
        for r in (select l.lane_id, nvl(l.session_id, 0) as session_id, nvl(l.task_id, 0) as task_id from ds_lanes l order by l.lane_id) loop
            probe(r.lane_id, r.session_id, r.task_id);
        end loop;
    end if;
    :out_lanes := l_lanes;
end;
/
begin dbms_session.sleep(0.2); end;
/
alter session set ddl_lock_timeout = 30
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
select v.version, v.started, v.copy_of, v.policy, v.max_workers, v.max_lanes, v.workers, v.running, v.unfinished, v.alarms, v.blocked
from ds_scheduler_info v
/
select v.process_id
from ds_process_info v
where v.process_id = :in_id or v.name = :in_name
order by case when v.name = :in_same then 1 else 0 end, case when v.finished_at is null then 0 else 1 end, v.process_id desc
/
select v.resource_name, v.capacity, v.held, v.waiting, nvl(v.request_id, 0), v.status, v.access_mode, v.requester, v.requested_by, nvl(v.process_id, 0), nvl(v.task_id, 0), nvl(v.session_id, 0), v.requested_at, v.granted_at, v.lease_until
from ds_resource_info v
order by v.resource_name, v.request_id
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
    dbsched.create_process(in_name => 'n', in_suspended => true, out_process_id => l_process_id);
    dbsched.exec_async(in_sql => 'begin null; end;', in_execution_order => 1, in_process_id => l_process_id, out_task_id => l_task_id);
    dbsched.release_process(in_process_id => l_process_id);
    dbsched.close_process(in_process_id => l_process_id);
    commit;
end;
/
select v.process_id, v.name, v.status, v.priority, v.unfinished, v.running, v.lowest_order, v.tasks_succeeded, v.tasks_failed, v.created_by, v.created_at, v.finished_at
from ds_process_info v
order by v.process_id desc
/
select v.process_id, v.name, v.status, v.priority, v.unfinished, v.running, v.lowest_order, v.tasks_succeeded, v.tasks_failed, v.created_by, v.created_at, v.finished_at
from ds_process_info v
where v.process_id = :in_process and v.status in (:in_status1, :in_status2)
order by v.process_id desc
fetch first :in_limit rows only
/
select v.task_id, v.process_id, v.execution_order, v.status, v.wait_reason, v.priority, v.attempt, v.sql_text, v.enqueued_by, v.enqueued_at, v.started_at, v.finished_at
from ds_task_info v
order by v.task_id desc
/
select v.task_id, v.process_id, v.execution_order, v.status, v.wait_reason, v.priority, v.attempt, v.sql_text, v.enqueued_by, v.enqueued_at, v.started_at, v.finished_at
from ds_task_info v
where v.process_id = :in_process and v.status in (:in_status1, :in_status2)
order by v.task_id desc
fetch first :in_limit rows only
/
select v.task_id, v.process_id, v.execution_order, v.status, v.wait_reason, v.priority, v.attempt, v.sql_text, v.enqueued_by, v.enqueued_at, v.started_at, v.finished_at
from ds_task_info v
where v.task_id = :in_task and v.enqueued_at >= :in_since and v.enqueued_at < :in_until and instr(upper(v.sql_text), upper(:in_text)) > 0
order by v.task_id desc
/
select v.log_id, v.task_id, v.process_id, v.execution_order, v.attempt, v.task_body, v.lane_id, v.session_id, v.start_time, v.end_time, v.outcome, nvl(v.error_number, 0), v.error_message, v.error_procedure, nvl(v.error_line, 0)
from ds_log_info v
order by v.log_id desc
/
select v.log_id, v.task_id, v.process_id, v.execution_order, v.attempt, v.task_body, v.lane_id, v.session_id, v.start_time, v.end_time, v.outcome, nvl(v.error_number, 0), v.error_message, v.error_procedure, nvl(v.error_line, 0)
from ds_log_info v
where v.process_id = :in_process and v.outcome in (:in_status1, :in_status2)
order by v.log_id desc
fetch first :in_limit rows only
/
select v.log_id, v.task_id, v.process_id, v.execution_order, v.attempt, v.task_body, v.lane_id, v.session_id, v.start_time, v.end_time, v.outcome, nvl(v.error_number, 0), v.error_message, v.error_procedure, nvl(v.error_line, 0)
from ds_log_info v
where v.task_id = :in_task and v.start_time >= :in_since and v.start_time < :in_until and instr(upper(v.task_body || ' ' || v.error_message), upper(:in_text)) > 0
order by v.log_id desc
/
select v.lane_id, v.state, nvl(v.session_id, 0), nvl(v.task_id, 0)
from ds_worker_info v
order by v.lane_id desc
/
begin dbsched.start_scheduler; end;
/
begin dbsched.stop_scheduler(in_mode => :in_mode); end;
/
begin dbsched.set_workers(in_max_workers => :in_max_workers); end;
/
begin dbsched.set_policy(in_policy => :in_policy); end;
/
begin dbsched.define_resource(in_name => :in_name, in_capacity => :in_capacity); end;
/
begin dbsched.release_resource(in_request_id => :in_request_id); end;
/
begin dbsched.exec_async(in_sql => :in_sql, in_execution_order => :in_execution_order, in_process_id => :in_process_id, in_priority => :in_priority, in_max_attempts => :in_max_attempts, in_retry_delay_seconds => :in_retry_delay_seconds, in_not_before => :in_not_before, in_expected_seconds => :in_expected_seconds, in_resource => :in_resource, in_access => :in_access, in_on_orphan => :in_on_orphan, in_transactional => true, in_dedup_key => :in_dedup_key, in_parameters => :in_parameters, out_task_id => :out_task_id); end;
/
begin dbsched.exec_async(in_sql => :in_sql, in_execution_order => :in_execution_order, out_task_id => :out_task_id); end;
/
begin dbsched.exec_async_batch(in_tasks => :in_tasks, out_task_ids => :out_task_ids); end;
/
begin dbsched.create_process(in_name => :in_name, in_priority => :in_priority, in_weight => :in_weight, in_max_parallel => :in_max_parallel, in_on_error => :in_on_error, out_process_id => :out_process_id); end;
/
begin dbsched.create_process(in_name => :in_name, out_process_id => :out_process_id); end;
/
begin dbsched.create_process(in_name => :in_name, in_priority => :in_priority, in_weight => :in_weight, in_max_parallel => :in_max_parallel, in_on_error => :in_on_error, in_suspended => true, out_process_id => :out_process_id); end;
/
begin dbsched.release_process(in_process_id => :in_process_id); end;
/
begin dbsched.close_process(in_process_id => :in_process_id); end;
/
begin dbsched.wait_process(in_process_id => :in_process_id, in_timeout_seconds => :in_timeout_seconds, out_result => :out_result, out_status => :out_status); end;
/
