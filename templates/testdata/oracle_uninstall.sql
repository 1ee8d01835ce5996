set define off
set sqlblanklines on
whenever sqlerror exit failure rollback
whenever oserror exit failure rollback
-- A database may have warnings be errors.
alter session set plsql_warnings = 'DISABLE:ALL'
/
prompt step stop
declare
    -- Stops the scheduler, then all of its sessions. To let running tasks finish, wait for them first.
    l_count pls_integer;
begin
    select count(*) into l_count from user_objects o where o.object_name = 'DBSCHED' and o.object_type = 'PACKAGE BODY' and o.status = 'VALID';
    if l_count > 0 then
        begin
            execute immediate 'begin dbsched.stop_scheduler(''Now''); end;';
        exception
            -- An incomplete installation: the statements below stop it, too.
            when others then
                rollback;
        end;
    end if;

    for r in (select j.owner || '.' || j.job_name as job_name
              from all_scheduler_jobs j
              where (j.owner = 'APP' and (j.job_name = 'DS_DISPATCHER' or regexp_like(j.job_name, '^DS_LANE_[0-9][0-9]$')))
                 or (j.owner <> 'APP' and regexp_like(j.job_name, '^DS_LANE_[0-9][0-9]$')
                     and j.comments = 'dbsched: worker slot ' || ltrim(substr(j.job_name, -2), '0') || ' of APP')
              order by j.owner, j.job_name)
    loop
        begin
            dbms_scheduler.disable(name => r.job_name, force => true);
            dbms_scheduler.stop_job(job_name => r.job_name, force => false);
        exception
            when others then
                -- 27366: not running; 27365: ending, but not ended yet; 27475, 27476: it is gone.
                if sqlcode not in (-27365, -27366, -27475, -27476) then
                    raise;
                end if;

                if sqlcode = -27365 then
                    begin
                        dbms_scheduler.stop_job(job_name => r.job_name, force => true);
                    exception
                        -- 27486: force needs MANAGE SCHEDULER. The next step handles jobs that still run.
                        when others then
                            if sqlcode not in (-27365, -27366, -27475, -27476, -27486) then
                                raise;
                            end if;
                    end;
                end if;
        end;
    end loop;
end;
/
prompt step drop_jobs
begin
    -- Drops dbsched's jobs, also those in a runner's schema. Force stops those that still run.
    for r in (select j.owner || '.' || j.job_name as job_name
              from all_scheduler_jobs j
              where (j.owner = 'APP' and (j.job_name = 'DS_DISPATCHER' or regexp_like(j.job_name, '^DS_LANE_[0-9][0-9]$')))
                 or (j.owner <> 'APP' and regexp_like(j.job_name, '^DS_LANE_[0-9][0-9]$')
                     and j.comments = 'dbsched: worker slot ' || ltrim(substr(j.job_name, -2), '0') || ' of APP')
              order by j.owner, j.job_name)
    loop
        dbms_scheduler.drop_job(job_name => r.job_name, force => true);
    end loop;
end;
/
prompt step drop_queues
declare
    -- Drops the queues of wake-ups and their messages. DROP TABLE does not work on a queue table (ORA-24005).
    l_count pls_integer;

    e_in_use exception; pragma exception_init(e_in_use, -24018);
begin
    execute immediate 'alter session set ddl_lock_timeout = 30';

    for q in (select u.name from user_queues u where u.queue_table = 'DS_WAKE_QT' and trim(u.queue_type) = 'NORMAL_QUEUE') loop
        -- Waits for uncommitted enqueuers, as the next steps do, but not forever, as STOP_QUEUE would.
        for i in 1 .. 60 loop
            begin
                dbms_aqadm.stop_queue(queue_name => q.name, enqueue => true, dequeue => true, wait => false);
                exit;
            exception
                when e_in_use then
                    if i = 60 then
                        raise;
                    end if;
                    dbms_session.sleep(0.5);
            end;
        end loop;
        dbms_aqadm.drop_queue(queue_name => q.name);
    end loop;

    select count(*) into l_count from user_queue_tables t where t.queue_table = 'DS_WAKE_QT';
    if l_count > 0 then
        dbms_aqadm.drop_queue_table(queue_table => 'DS_WAKE_QT', force => true);
    end if;
end;
/
prompt step drop_units
begin
    -- Drops dbsched's views and packages. A package's body is dropped with it.
    execute immediate 'alter session set ddl_lock_timeout = 30';

    for r in (select o.object_name, o.object_type
              from user_objects o
              where o.object_type in ('PACKAGE', 'VIEW')
                and o.object_name in ('DBSCHED', 'DS_ADMIN', 'DS_ALARM_INFO', 'DS_BASE', 'DS_CONTROL', 'DS_DISPATCH', 'DS_ENQUEUE',
                                      'DS_JSON', 'DS_LANE', 'DS_LOG_INFO', 'DS_PROCESS_INFO', 'DS_RESOURCE', 'DS_RESOURCE_INFO', 'DS_RIGHTS',
                                      'DS_ROUND', 'DS_ROUND_INFO', 'DS_ROUND_MEMBER_INFO', 'DS_RUN', 'DS_SCHEDULE', 'DS_SCHEDULER_INFO',
                                      'DS_SCHEDULE_INFO', 'DS_SCHEDULE_LOG', 'DS_TASK_INFO', 'DS_VALUES', 'DS_WAKE', 'DS_WORKER',
                                      'DS_WORKER_INFO')
              order by o.object_type desc, o.object_name)
    loop
        execute immediate 'drop ' || lower(r.object_type) || ' ' || r.object_name;
    end loop;
end;
/
prompt step drop_tables
begin
    -- Drops dbsched's tables and sequences, including the history and the journal and version of the migrations.
    execute immediate 'alter session set ddl_lock_timeout = 30';

    for r in (select o.object_name, o.object_type
              from user_objects o
              where o.object_type in ('TABLE', 'SEQUENCE')
                and o.object_name in ('DS_ADMINISTRATORS', 'DS_ALARMS', 'DS_INSTALL_STEPS', 'DS_LANES', 'DS_LOGS', 'DS_PROCESSES',
                                      'DS_PROCESS_REQUESTS', 'DS_RESOURCES', 'DS_RESOURCE_REQUESTS', 'DS_ROUNDS', 'DS_ROUND_FIRINGS',
                                      'DS_ROUND_MEMBERS', 'DS_SCHEDULES', 'DS_SCHEDULE_FIRINGS', 'DS_SETTINGS', 'DS_TASKS', 'DS_WAKE_SENT',
                                      'DS_ALARM_SEQ', 'DS_FIRING_SEQ', 'DS_LINE_SEQ', 'DS_LOG_SEQ', 'DS_PROCESS_SEQ', 'DS_REQUEST_SEQ',
                                      'DS_RESOURCE_SEQ', 'DS_ROUND_SEQ', 'DS_SCHEDULE_FIRING_SEQ', 'DS_SCHEDULE_SEQ', 'DS_TASK_SEQ',
                                      'DS_SCHEMA_VERSION')
              order by o.object_type, o.object_name)
    loop
        execute immediate 'drop ' || lower(r.object_type) || ' ' || r.object_name || case when r.object_type = 'TABLE' then ' purge' end;
    end loop;
end;
/
prompt step check_gone
declare
    -- Checks that nothing of dbsched is left.
    l_name varchar2(128);
begin
    select min(o.object_name) into l_name
    from user_objects o
    where o.object_name in ('DBSCHED', 'DS_ADMIN', 'DS_ADMINISTRATORS', 'DS_ALARMS', 'DS_ALARM_INFO', 'DS_ALARM_SEQ', 'DS_BASE',
                            'DS_CONTROL', 'DS_DISPATCH', 'DS_DISPATCHER', 'DS_ENQUEUE', 'DS_FIRING_SEQ', 'DS_JSON', 'DS_LANE', 'DS_LANES',
                            'DS_LANE_Q', 'DS_LINE_SEQ', 'DS_LOGS', 'DS_LOG_INFO', 'DS_LOG_SEQ', 'DS_PROCESSES', 'DS_PROCESS_INFO',
                            'DS_PROCESS_REQUESTS', 'DS_PROCESS_SEQ', 'DS_REQUEST_SEQ', 'DS_RESOURCE', 'DS_RESOURCES', 'DS_RESOURCE_INFO',
                            'DS_RESOURCE_REQUESTS', 'DS_RESOURCE_SEQ', 'DS_RIGHTS', 'DS_ROUND', 'DS_ROUNDS', 'DS_ROUND_FIRINGS',
                            'DS_ROUND_INFO', 'DS_ROUND_MEMBERS', 'DS_ROUND_MEMBER_INFO', 'DS_ROUND_SEQ', 'DS_RUN', 'DS_SCHEDULE',
                            'DS_SCHEDULER_INFO', 'DS_SCHEDULES', 'DS_SCHEDULE_FIRINGS', 'DS_SCHEDULE_FIRING_SEQ', 'DS_SCHEDULE_INFO',
                            'DS_SCHEDULE_LOG', 'DS_SCHEDULE_SEQ', 'DS_SETTINGS', 'DS_TASKS', 'DS_TASK_INFO', 'DS_TASK_SEQ', 'DS_VALUES',
                            'DS_WAKE', 'DS_WAKE_Q', 'DS_WAKE_QT', 'DS_WAKE_SENT', 'DS_WORKER', 'DS_WORKER_INFO')
       or regexp_like(o.object_name, '^DS_LANE_[0-9][0-9]$');

    if l_name is not null then
        raise_application_error(-20096, 'dbsched 20096: ' || l_name || ' could not be removed. Uninstall again.');
    end if;
end;
/
