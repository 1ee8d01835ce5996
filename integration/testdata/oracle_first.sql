declare
    l_missing varchar2(4000);
    l_count pls_integer;
    l_name varchar2(128);
    procedure need_privilege (in_privilege in varchar2) is
    begin
        select count(*) into l_count
        from user_sys_privs p
        where p.privilege in (in_privilege, replace(in_privilege, 'CREATE ', 'CREATE ANY '));
        if l_count = 0 then
            l_missing := l_missing || ' grant ' || lower(in_privilege) || ' to APP;';
        end if;
    end need_privilege;
    procedure need_package (in_package in varchar2) is
    begin
        select count(*) into l_count
        from all_tab_privs p
        where p.table_schema = 'SYS' and p.table_name = in_package and p.privilege = 'EXECUTE'
          and p.grantee in ('APP', 'PUBLIC');
        if l_count = 0 then
            l_missing := l_missing || ' grant execute on sys.' || lower(in_package) || ' to APP;';
        end if;
    end need_package;
begin
    if sys_context('USERENV', 'CON_NAME') = 'CDB$ROOT' then
        raise_application_error(-20082, 'dbsched 20082: this is the root container; install dbsched into a pluggable database.');
    end if;
    if sys_context('USERENV', 'DATABASE_ROLE') <> 'PRIMARY' then
        raise_application_error(-20016, 'dbsched 20016: this database is a standby and cannot be written to.');
    end if;
    if sys_context('USERENV', 'SESSION_USER') <> 'APP' or sys_context('USERENV', 'CURRENT_SCHEMA') <> 'APP' then
        raise_application_error(-20085, 'dbsched 20085: this was rendered for the schema APP; connect as that user. You are '
            || sys_context('USERENV', 'SESSION_USER') || ' in schema ' || sys_context('USERENV', 'CURRENT_SCHEMA') || '.');
    end if;
    need_privilege('CREATE TABLE');
    need_privilege('CREATE SEQUENCE');
    need_privilege('CREATE VIEW');
    need_privilege('CREATE PROCEDURE');
    need_privilege('CREATE JOB');
    need_package('DBMS_AQADM');
    need_package('DBMS_AQ');
    need_package('DBMS_LOCK');
    need_package('DBMS_SCHEDULER');
    need_package('DBMS_SQL');
    need_package('DBMS_SESSION');
    need_package('DBMS_UTILITY');
    need_package('DBMS_TRANSACTION');
    need_package('DBMS_APPLICATION_INFO');
    need_package('DBMS_ASSERT');
    need_package('DBMS_DB_VERSION');
    select count(*) into l_count from session_privs p where p.privilege = 'UNLIMITED TABLESPACE';
    if l_count = 0 then
        select count(*) into l_count
        from user_users u
        inner join user_ts_quotas q on q.tablespace_name = u.default_tablespace
        where q.max_bytes = -1 or q.bytes < q.max_bytes;
        if l_count = 0 then
            select u.default_tablespace into l_name from user_users u;
            l_missing := l_missing || ' alter user APP quota unlimited on ' || lower(l_name) || ';';
        end if;
    end if;
    if l_missing is not null then
        raise_application_error(-20083, 'dbsched 20083: rights are missing, granted directly, not through a role. Have a DBA run:' || substr(l_missing, 1, 1900));
    end if;
    execute immediate 'begin :1 := dbms_db_version.version; end;' using out l_count;
    if l_count < 19 then
        raise_application_error(-20080, 'dbsched 20080: this release is too old; dbsched needs Oracle Database 19c or later.');
    end if;
    select count(*) into l_count from user_tables t where t.table_name = 'DS_INSTALL_STEPS';
    if l_count = 0 then
        select min(o.object_name) into l_name
        from user_objects o
        where o.object_name in (
            'DBSCHED',
            'DS_ALARMS',
            'DS_ALARM_INFO',
            'DS_ALARM_SEQ',
            'DS_DISPATCH',
            'DS_DISPATCHER',
            'DS_ENQUEUE',
            'DS_LANES',
            'DS_LANE_01',
            'DS_LANE_02',
            'DS_LOGS',
            'DS_LOG_INFO',
            'DS_LOG_SEQ',
            'DS_PROCESSES',
            'DS_PROCESS_INFO',
            'DS_PROCESS_REQUESTS',
            'DS_PROCESS_SEQ',
            'DS_REQUEST_SEQ',
            'DS_RUN',
            'DS_SCHEDULER_INFO',
            'DS_SETTINGS',
            'DS_TASKS',
            'DS_TASK_INFO',
            'DS_TASK_SEQ',
            'DS_WAKE',
            'DS_WAKE_Q',
            'DS_WAKE_QT',
            'DS_WAKE_SENT',
            'DS_WORKER',
            'DS_WORKER_INFO');
        if l_name is not null then
            raise_application_error(-20084, 'dbsched 20084: the schema holds an object ' || l_name || ' that is not dbsched''s; choose another prefix or schema.');
        end if;
    end if;
end;
/
create table ds_schema_version (version number(19) constraint ds_schema_version_pk primary key, dirty number(1) not null)
/
declare
    co_migration constant pls_integer := 1;
    l_step pls_integer := 0;
    e_name_in_use exception;
    pragma exception_init(e_name_in_use, -955);
    procedure step (in_sql in varchar2) is
        l_done pls_integer;
    begin
        l_step := l_step + 1;
        execute immediate 'select count(*) from ds_install_steps where migration = :1 and step = :2'
            into l_done using co_migration, l_step;
        if l_done > 0 then
            return;
        end if;
        begin
            execute immediate in_sql;
        exception
            when e_name_in_use then
                null;
        end;
        execute immediate 'insert into ds_install_steps (migration, step, done_at) values (:1, :2, systimestamp at time zone ''UTC'')'
            using co_migration, l_step;
        commit write immediate wait;
    exception
        when others then
            raise_application_error(-20098, 'dbsched 20098: migration ' || co_migration || ', step ' || l_step || ' failed; run it again when the cause is mended.', true);
    end step;
    procedure remark (in_name in varchar2, in_text in varchar2) is
    begin
        step('comment on ' || case when instr(in_name, '.') > 0 then 'column ' else 'table ' end
             || 'ds_' || in_name || ' is ''' || replace(in_text, '''', '''''') || '''');
    end remark;
begin
    begin
        execute immediate 'create table ds_install_steps (
            migration number(6) not null,
            step number(6) not null,
            done_at timestamp(6) with time zone not null,
            constraint ds_install_steps_pk primary key (migration, step))';
    exception
        when e_name_in_use then
            null;
    end;
    remark('install_steps', 'steps of migrations that are done');
    remark('install_steps.migration', 'version of the migration');
    remark('install_steps.step', 'number of the step in it');
    remark('install_steps.done_at', 'when it was done');
    step('create sequence ds_process_seq start with 2');
    step('create sequence ds_request_seq');
    step('create sequence ds_task_seq cache 100');
    step('create sequence ds_log_seq cache 100');
    step('create sequence ds_alarm_seq');
    step('create table ds_settings (
        settings_id number(1) not null,
        version varchar2(30),
        started varchar2(1) default ''N'' not null,
        max_workers number(4) default 4 not null,
        max_lanes number(4) default 0 not null,
        policy varchar2(10) default ''Fifo'' not null,
        linger_seconds number(4) default 15 not null,
        idle_sweep_seconds number(5) default 60 not null,
        retention_days number(5) default 30 not null,
        max_retry_delay_seconds number(5) default 3600 not null,
        max_orphans number(3) default 3 not null,
        lock_base number(10),
        dispatcher_session varchar2(24),
        next_sweep_at timestamp(6) with time zone,
        changed_at timestamp(6) with time zone not null,
        constraint ds_settings_pk primary key (settings_id),
        constraint ds_settings_one_ck check (settings_id = 1),
        constraint ds_settings_started_ck check (started in (''Y'', ''N'')),
        constraint ds_settings_workers_ck check (max_workers >= 0),
        constraint ds_settings_policy_ck check (policy in (''Fifo'', ''Priority'', ''RoundRobin'')),
        constraint ds_settings_linger_ck check (linger_seconds between 0 and 3600),
        constraint ds_settings_sweep_ck check (idle_sweep_seconds between 1 and 86400),
        constraint ds_settings_keep_ck check (retention_days between 1 and 36500),
        constraint ds_settings_delay_ck check (max_retry_delay_seconds between 0 and 86400),
        constraint ds_settings_orphan_ck check (max_orphans between 0 and 100)
    ) initrans 16');
    remark('settings', 'one row: what the administrator chose; its row lock orders claims, assignments and settings');
    remark('settings.settings_id', 'always 1: the table has one row');
    remark('settings.version', 'version of the installed packages; a worker of another version leaves');
    remark('settings.started', 'Y between start_scheduler and stop_scheduler');
    remark('settings.max_workers', 'workers that may run at once, 0 = paused');
    remark('settings.max_lanes', 'lanes that are installed, the ceiling of max_workers');
    remark('settings.policy', 'which process is served first: Fifo, Priority or RoundRobin');
    remark('settings.linger_seconds', 'seconds an idle worker waits for work before it ends');
    remark('settings.idle_sweep_seconds', 'seconds between two sweeps');
    remark('settings.retention_days', 'days that finished tasks, processes, logs and alarms are kept');
    remark('settings.max_retry_delay_seconds', 'the longest pause before a retry, in seconds');
    remark('settings.max_orphans', 'how often a task is run again after its worker died');
    remark('settings.lock_base', 'first of the DBMS_LOCK ids of this installation: it is the dispatcher''s, lane n has lock_base + n');
    remark('settings.dispatcher_session', 'unique session id of the dispatcher, NULL: none runs');
    remark('settings.next_sweep_at', 'when the next sweep is due');
    remark('settings.changed_at', 'last start, stop or change of a setting');
    step('create table ds_processes (
        process_id number(10) not null,
        name varchar2(128 char) not null,
        status varchar2(10) not null,
        close_requested varchar2(1) default ''N'' not null,
        priority number(8) default 0 not null,
        weight number(4) default 1 not null,
        max_parallel number(10),
        on_error varchar2(8) not null,
        running number(10) default 0 not null,
        has_work varchar2(1) default ''N'' not null,
        last_served_at timestamp(6) with time zone,
        tasks_succeeded number(19) default 0 not null,
        tasks_failed number(19) default 0 not null,
        created_at timestamp(6) with time zone not null,
        finished_at timestamp(6) with time zone,
        created_by varchar2(128) not null,
        created_by_os_user varchar2(128),
        created_by_client varchar2(64),
        work_process_id number generated always as (case when has_work = ''Y'' then process_id end) virtual,
        open_process_id number generated always as (case when finished_at is null then process_id end) virtual,
        constraint ds_processes_pk primary key (process_id),
        constraint ds_processes_status_ck check (status in (''Suspended'', ''Open'', ''Closing'', ''Succeeded'', ''Failed'', ''Cancelled'')),
        constraint ds_processes_close_ck check (close_requested in (''Y'', ''N'')),
        constraint ds_processes_weight_ck check (weight between 1 and 1000),
        constraint ds_processes_parallel_ck check (max_parallel >= 1),
        constraint ds_processes_on_error_ck check (on_error in (''Halt'', ''Continue'')),
        constraint ds_processes_work_ck check (has_work in (''Y'', ''N''))
    ) initrans 16');
    remark('processes', 'named groups of tasks; row 1 is the default process, which never ends');
    remark('processes.process_id', 'number of the process; older processes have lower numbers');
    remark('processes.name', 'for people; need not be unique');
    remark('processes.status', 'Suspended, Open, Closing, Succeeded, Failed or Cancelled');
    remark('processes.close_requested', 'Y: no more tasks come; a suspended process closes when it is released');
    remark('processes.priority', 'higher is served first under policy Priority');
    remark('processes.weight', 'share under policy RoundRobin, at least 1');
    remark('processes.max_parallel', 'tasks of this process that may run at once, NULL = no limit of its own');
    remark('processes.on_error', 'Halt: a failed task ends the process; Continue: it does not');
    remark('processes.running', 'tasks that run now; kept by claim and completion under this row''s lock');
    remark('processes.has_work', 'Y: look here; N only when nothing was claimable; kept by dispatcher, claim and completion');
    remark('processes.last_served_at', 'when a task of this process was last claimed');
    remark('processes.tasks_succeeded', 'tasks that ended well');
    remark('processes.tasks_failed', 'tasks that failed for good');
    remark('processes.created_at', 'when it was created');
    remark('processes.finished_at', 'when it became Succeeded, Failed or Cancelled');
    remark('processes.created_by', 'session user who created it');
    remark('processes.created_by_os_user', 'operating system user of that session');
    remark('processes.created_by_client', 'client identifier of that session');
    remark('processes.work_process_id', 'process_id while has_work is Y, else NULL: the index of processes to claim from holds nothing else');
    remark('processes.open_process_id', 'process_id while unfinished, else NULL: the index of unfinished processes holds nothing else');
    step('create index ds_processes_work_ix on ds_processes (work_process_id)');
    step('create index ds_processes_open_ix on ds_processes (open_process_id)');
    step('create index ds_processes_finished_ix on ds_processes (finished_at)');
    step('create table ds_process_requests (
        request_id number(19) not null,
        process_id number(10) not null,
        action varchar2(7) not null,
        requested_at timestamp(6) with time zone not null,
        constraint ds_process_requests_pk primary key (request_id),
        constraint ds_process_requests_act_ck check (action in (''Release'', ''Close''))
    ) initrans 8');
    remark('process_requests', 'releases and closes that the dispatcher has still to carry out');
    remark('process_requests.request_id', 'number of the request, in order of asking');
    remark('process_requests.process_id', 'the process asked about');
    remark('process_requests.action', 'Release (Suspended -> Open or Closing) or Close (Open -> Closing)');
    remark('process_requests.requested_at', 'when it was asked');
    step('create index ds_process_requests_ix on ds_process_requests (process_id)');
    step('create table ds_tasks (
        task_id number(19) not null,
        process_id number(10) not null,
        execution_order number(10) not null,
        priority number(8) not null,
        expected_seconds number(10) not null,
        status varchar2(10) not null,
        wait_reason varchar2(10),
        due_at timestamp(6) with time zone,
        sql_text clob not null,
        max_attempts number(3) not null,
        retry_delay_seconds number(5) not null,
        on_orphan varchar2(5) not null,
        attempt number(10) default 0 not null,
        failures number(10) default 0 not null,
        orphans number(10) default 0 not null,
        enqueued_at timestamp(6) with time zone not null,
        enqueued_by varchar2(128) not null,
        enqueued_by_os_user varchar2(128),
        enqueued_by_client varchar2(64),
        lane_id number(4),
        worker_id varchar2(32),
        log_id number(19),
        started_at timestamp(6) with time zone,
        finished_at timestamp(6) with time zone,
        claim_process_id number generated always as (case when status = ''Pending'' then process_id end) virtual,
        claim_order number generated always as (case when status = ''Pending'' then execution_order end) virtual,
        claim_priority number generated always as (case when status = ''Pending'' then 0 - priority end) virtual,
        claim_expected number generated always as (case when status = ''Pending'' then 0 - expected_seconds end) virtual,
        claim_task_id number generated always as (case when status = ''Pending'' then task_id end) virtual,
        unfinished_process_id number generated always as (case when finished_at is null then process_id end) virtual,
        unfinished_order number generated always as (case when finished_at is null then execution_order end) virtual,
        due_utc timestamp(6) generated always as (sys_extract_utc(due_at)) virtual,
        constraint ds_tasks_pk primary key (task_id),
        constraint ds_tasks_status_ck check (status in (''Pending'', ''Waiting'', ''Running'', ''Stopping'', ''Succeeded'', ''Failed'', ''TimedOut'', ''Cancelled'', ''Skipped'')),
        constraint ds_tasks_reason_ck check (wait_reason in (''Delay'', ''Retry'', ''Resource'', ''Suspended'')),
        constraint ds_tasks_orphan_ck check (on_orphan in (''Retry'', ''Fail'')),
        constraint ds_tasks_due_ck check (due_at is null or status = ''Waiting''),
        constraint ds_tasks_worker_ck check (worker_id is null or status in (''Running'', ''Stopping''))
    ) initrans 16');
    remark('tasks', 'one row per task, kept after its end until retention removes it');
    remark('tasks.task_id', 'number of the task, in order of enqueueing');
    remark('tasks.process_id', 'process it belongs to');
    remark('tasks.execution_order', 'its wave: lower orders end before it starts');
    remark('tasks.priority', 'within the wave, higher first');
    remark('tasks.expected_seconds', 'within the priority, longer first; 0 = unknown');
    remark('tasks.status', 'Pending, Waiting, Running, Stopping, Succeeded, Failed, TimedOut, Cancelled or Skipped');
    remark('tasks.wait_reason', 'why it is Waiting: Delay or Retry');
    remark('tasks.due_at', 'when a Waiting task becomes Pending');
    remark('tasks.sql_text', 'the SQL statement or PL/SQL block to run');
    remark('tasks.max_attempts', 'attempts in all before a failure is final');
    remark('tasks.retry_delay_seconds', 'pause before the first retry, doubled for each further one');
    remark('tasks.on_orphan', 'after its worker died: Retry or Fail');
    remark('tasks.attempt', 'number of the current or last attempt, 0 = never started');
    remark('tasks.failures', 'attempts that failed');
    remark('tasks.orphans', 'attempts whose worker died');
    remark('tasks.enqueued_at', 'when it was enqueued');
    remark('tasks.enqueued_by', 'session user who enqueued it');
    remark('tasks.enqueued_by_os_user', 'operating system user of that session');
    remark('tasks.enqueued_by_client', 'client identifier of that session');
    remark('tasks.lane_id', 'lane that runs it, NULL unless Running or Stopping');
    remark('tasks.worker_id', 'worker that runs it, NULL unless Running or Stopping');
    remark('tasks.log_id', 'log row of the current or last attempt');
    remark('tasks.started_at', 'start of the current or last attempt');
    remark('tasks.finished_at', 'when it reached a final status');
    remark('tasks.claim_process_id', 'process_id while Pending, else NULL: first column of the claim''s index');
    remark('tasks.claim_order', 'execution_order while Pending, else NULL');
    remark('tasks.claim_priority', 'priority, negated, while Pending, else NULL: ascending order is the claim''s order');
    remark('tasks.claim_expected', 'expected_seconds, negated, while Pending, else NULL');
    remark('tasks.claim_task_id', 'task_id while Pending, else NULL');
    remark('tasks.unfinished_process_id', 'process_id while unfinished, else NULL: first column of the barrier''s index');
    remark('tasks.unfinished_order', 'execution_order while unfinished, else NULL');
    remark('tasks.due_utc', 'due_at without its zone: an index on a TIMESTAMP WITH TIME ZONE column is one on an expression, which min() cannot use');
    step('create index ds_tasks_claim_ix on ds_tasks (claim_process_id, claim_order, claim_priority, claim_expected, claim_task_id) initrans 16');
    step('create index ds_tasks_unfinished_ix on ds_tasks (unfinished_process_id, unfinished_order) initrans 16');
    step('create index ds_tasks_due_ix on ds_tasks (due_utc) initrans 8');
    step('create index ds_tasks_worker_ix on ds_tasks (lane_id) initrans 16');
    step('create index ds_tasks_finished_ix on ds_tasks (finished_at) initrans 8');
    step('create table ds_logs (
        log_id number(19) not null,
        task_id number(19) not null,
        process_id number(10) not null,
        execution_order number(10) not null,
        attempt number(10) not null,
        sql_text varchar2(4000) not null,
        enqueued_by varchar2(128) not null,
        lane_id number(4) not null,
        worker_id varchar2(32) not null,
        session_id number(10) not null,
        session_key varchar2(24) not null,
        started_at timestamp(6) with time zone not null,
        ended_at timestamp(6) with time zone,
        outcome varchar2(10),
        error_number number(10),
        error_message varchar2(4000),
        error_backtrace varchar2(4000),
        error_procedure varchar2(300),
        error_line number(10),
        rows_affected number(19),
        constraint ds_logs_pk primary key (log_id),
        constraint ds_logs_outcome_ck check (outcome in (''Succeeded'', ''Failed'', ''Orphaned'', ''TimedOut'', ''Cancelled''))
    ) initrans 16');
    remark('logs', 'one row per attempt, committed before the task runs and completed after');
    remark('logs.log_id', 'number of the attempt, in order of start');
    remark('logs.task_id', 'the task');
    remark('logs.process_id', 'its process');
    remark('logs.execution_order', 'its wave');
    remark('logs.attempt', 'number of this attempt, from 1');
    remark('logs.sql_text', 'first 1,000 characters of the text, kept when the task is forgotten');
    remark('logs.enqueued_by', 'session user who enqueued it');
    remark('logs.lane_id', 'lane that ran it; above 1000: a session that called task_scheduler');
    remark('logs.worker_id', 'worker (one run of the lane''s job) that ran it');
    remark('logs.session_id', 'SID of the session that ran it');
    remark('logs.session_key', 'unique session id (DBMS_SESSION.UNIQUE_SESSION_ID) of that session');
    remark('logs.started_at', 'start of the attempt');
    remark('logs.ended_at', 'end of the attempt, NULL while it runs');
    remark('logs.outcome', 'Succeeded, Failed, Orphaned, TimedOut or Cancelled, NULL while it runs');
    remark('logs.error_number', 'number of the ORA error that ended it, without sign');
    remark('logs.error_message', 'error stack');
    remark('logs.error_backtrace', 'error backtrace, the innermost unit first');
    remark('logs.error_procedure', 'unit the error came from, NULL: the task''s own text');
    remark('logs.error_line', 'line in that unit or text');
    remark('logs.rows_affected', 'rows of the statement, or rows fetched by the query');
    step('create table ds_lanes (
        lane_id number(4) not null,
        state varchar2(8) default ''Off'' not null,
        state_at timestamp(6) with time zone not null,
        ordered_at timestamp(6) with time zone,
        worker_id varchar2(32),
        session_id number(10),
        session_key varchar2(24),
        entered_at timestamp(6) with time zone,
        task_id number(19),
        attempt number(10),
        constraint ds_lanes_pk primary key (lane_id),
        constraint ds_lanes_state_ck check (state in (''Off'', ''Starting'', ''Idle'', ''Assigned'', ''Busy''))
    ) initrans 16');
    remark('lanes', 'the slots that workers run in; lanes above 1000 are sessions that called task_scheduler');
    remark('lanes.lane_id', 'number of the lane');
    remark('lanes.state', 'Off (no session), Starting (its job is ordered), Idle (its session waits), Assigned (a wake-up is on its way) or Busy');
    remark('lanes.state_at', 'when the state last changed');
    remark('lanes.ordered_at', 'while Starting: when RUN_JOB accepted the order, NULL: it has not yet');
    remark('lanes.worker_id', 'worker that holds the lane, NULL: no session');
    remark('lanes.session_id', 'SID of its session');
    remark('lanes.session_key', 'unique session id (DBMS_SESSION.UNIQUE_SESSION_ID) of its session');
    remark('lanes.entered_at', 'when it took the lane');
    remark('lanes.task_id', 'task it runs now');
    remark('lanes.attempt', 'attempt of that task');
    step('create table ds_alarms (
        alarm_id number(19) not null,
        raised_at timestamp(6) with time zone not null,
        kind varchar2(20) not null,
        process_id number(10),
        task_id number(19),
        lane_id number(4),
        alarm_text varchar2(2000) not null,
        constraint ds_alarms_pk primary key (alarm_id)
    )');
    remark('alarms', 'what a person should look at');
    remark('alarms.alarm_id', 'number of the alarm');
    remark('alarms.raised_at', 'when it was raised');
    remark('alarms.kind', 'ProcessFailed, LateTask, LostCompletion, DispatchError, WorkerError, LaneNotStarted or LaneHeld');
    remark('alarms.process_id', 'process it is about');
    remark('alarms.task_id', 'task it is about');
    remark('alarms.lane_id', 'lane it is about');
    remark('alarms.alarm_text', 'what happened and what to do');
    step('create global temporary table ds_wake_sent (
        sent_at timestamp(6) with time zone not null
    ) on commit delete rows');
    remark('wake_sent', 'a row once the transaction that is open has sent its wake-up');
    remark('wake_sent.sent_at', 'when it was sent');
    step('insert into ds_settings (settings_id, changed_at)
          select 1, systimestamp at time zone ''UTC'' from dual
          where not exists (select 1 from ds_settings)');
    step('insert into ds_processes (process_id, name, status, on_error, created_at, created_by)
          select 1, ''default'', ''Open'', ''Continue'', systimestamp at time zone ''UTC'', user from dual
          where not exists (select 1 from ds_processes)');
end;
/
begin
    insert into ds_schema_version (version, dirty) values (1, 0);
    commit;
end;
/
declare
    e_exists exception;
    pragma exception_init(e_exists, -24001);
begin
    dbms_aqadm.create_queue_table(
        queue_table => 'DS_WAKE_QT',
        queue_payload_type => 'RAW',
        multiple_consumers => false,
        comment => 'dbsched: wake-ups');
exception
    when e_exists then
        null;
end;
/
declare
    e_exists exception;
    pragma exception_init(e_exists, -24006);
begin
    begin
        dbms_aqadm.create_queue(
            queue_name => 'DS_WAKE_Q',
            queue_table => 'DS_WAKE_QT',
            max_retries => 2147483647,
            retry_delay => 0,
            retention_time => 0,
            comment => 'dbsched: wake-ups');
    exception
        when e_exists then
            null;
    end;
    dbms_aqadm.start_queue(queue_name => 'DS_WAKE_Q', enqueue => true, dequeue => true);
end;
/
create or replace package ds_wake authid definer as
    procedure send;
    procedure send_now;
    procedure send_lane (in_lane_id in number);
end ds_wake;
/
create or replace package ds_run authid current_user as
    procedure run (
        in_task_id in number,
        in_process_id in number,
        in_sql in clob,
        out_rows out number,
        out_error_number out number,
        out_error_message out varchar2,
        out_error_backtrace out varchar2,
        out_error_procedure out varchar2,
        out_error_line out number,
        out_renew out varchar2);
end ds_run;
/
create or replace package ds_enqueue authid definer as
    procedure add_task (
        in_sql in clob,
        in_execution_order in number,
        in_process_id in number,
        in_priority in number,
        in_max_attempts in number,
        in_retry_delay_seconds in number,
        in_timeout_seconds in number,
        in_not_before in timestamp with time zone,
        in_expected_seconds in number,
        in_resource in varchar2,
        in_access in varchar2,
        in_transactional in boolean,
        in_on_orphan in varchar2,
        in_dedup_key in varchar2,
        in_parameters in clob,
        out_task_id out number);
end ds_enqueue;
/
create or replace package ds_worker authid definer as
    procedure alarm (
        in_kind in varchar2,
        in_text in varchar2,
        in_process_id in number default null,
        in_task_id in number default null,
        in_lane_id in number default null);
    procedure close_if_done (in_process_id in number);
    function lane_dead (in_lane_id in number) return boolean;
    procedure take_lock (in_lane_id in number, in_seconds in number, out_held out varchar2);
    procedure release_lock (in_lane_id in number);
    procedure enter (in_lane_id in number, in_seconds in number, out_worker_id out varchar2);
    procedure claim (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_version in varchar2,
        in_waited in varchar2,
        out_result out varchar2,
        out_linger out number,
        out_task_id out number,
        out_attempt out number,
        out_process_id out number,
        out_log_id out number,
        out_sql out clob);
    procedure complete (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_task_id in number,
        in_attempt in number,
        in_process_id in number,
        in_log_id in number,
        in_outcome in varchar2,
        in_rows in number,
        in_error_number in number,
        in_error_message in varchar2,
        in_error_backtrace in varchar2,
        in_error_procedure in varchar2,
        in_error_line in number,
        out_lost out varchar2);
    procedure recover (in_lane_id in number, in_worker_id in varchar2 default null);
    procedure leave (in_lane_id in number, in_worker_id in varchar2, in_again in varchar2);
    procedure failed (in_lane_id in number, in_worker_id in varchar2, in_text in varchar2);
end ds_worker;
/
create or replace package ds_dispatch authid definer as
    procedure enter (out_state out varchar2);
    procedure turn (in_version in varchar2, out_wait out number, out_state out varchar2);
    procedure leave;
    procedure assign (out_given out varchar2);
    procedure sweep (out_more out varchar2);
end ds_dispatch;
/
create or replace package dbsched authid definer as
    e_sql_empty exception;
    pragma exception_init(e_sql_empty, -20001);
    e_order_null exception;
    pragma exception_init(e_order_null, -20002);
    e_out_of_range exception;
    pragma exception_init(e_out_of_range, -20003);
    e_no_such_process exception;
    pragma exception_init(e_no_such_process, -20004);
    e_process_closed exception;
    pragma exception_init(e_process_closed, -20005);
    e_unknown_word exception;
    pragma exception_init(e_unknown_word, -20008);
    e_in_transaction exception;
    pragma exception_init(e_in_transaction, -20010);
    procedure exec_async (
        in_sql in clob,
        in_execution_order in number,
        in_process_id in number default null,
        in_priority in number default 0,
        in_max_attempts in number default 1,
        in_retry_delay_seconds in number default 10,
        in_timeout_seconds in number default null,
        in_not_before in timestamp with time zone default null,
        in_expected_seconds in number default 0,
        in_resource in varchar2 default null,
        in_access in varchar2 default null,
        in_transactional in boolean default false,
        in_on_orphan in varchar2 default 'Retry',
        in_dedup_key in varchar2 default null,
        in_parameters in clob default null);
    procedure exec_async (
        in_sql in clob,
        in_execution_order in number,
        in_process_id in number default null,
        in_priority in number default 0,
        in_max_attempts in number default 1,
        in_retry_delay_seconds in number default 10,
        in_timeout_seconds in number default null,
        in_not_before in timestamp with time zone default null,
        in_expected_seconds in number default 0,
        in_resource in varchar2 default null,
        in_access in varchar2 default null,
        in_transactional in boolean default false,
        in_on_orphan in varchar2 default 'Retry',
        in_dedup_key in varchar2 default null,
        in_parameters in clob default null,
        out_task_id out number);
    procedure create_process (
        in_name in varchar2,
        out_process_id out number,
        in_suspended in boolean default false,
        in_on_error in varchar2 default 'Halt',
        in_priority in number default 0,
        in_weight in number default 1,
        in_max_parallel in number default null);
    procedure release_process (in_process_id in number);
    procedure close_process (in_process_id in number);
    procedure wait_process (
        in_process_id in number,
        in_timeout_seconds in number,
        out_result out number,
        out_status out varchar2);
    procedure start_scheduler;
    procedure stop_scheduler (in_mode in varchar2 default 'Drain');
    procedure set_workers (in_max_workers in number);
    procedure set_policy (in_policy in varchar2);
    procedure task_scheduler (in_waiting_time in number default 30);
    procedure sweep;
end dbsched;
/
create or replace package body ds_wake as
    procedure enqueue (in_correlation in varchar2) is
        l_options dbms_aq.enqueue_options_t;
        l_properties dbms_aq.message_properties_t;
        l_message_id raw(16);
    begin
        l_options.visibility := dbms_aq.on_commit;
        l_properties.correlation := in_correlation;
        dbms_aq.enqueue(
            queue_name => 'APP.DS_WAKE_Q',
            enqueue_options => l_options,
            message_properties => l_properties,
            payload => hextoraw('01'),
            msgid => l_message_id);
    end enqueue;
    function sent return boolean is
        l_sent pls_integer;
    begin
        select count(*) into l_sent from ds_wake_sent;
        return l_sent > 0;
    exception
        when others then
            if sqlcode = -1013 then
                raise;
            end if;
            return false;
    end sent;
    procedure mark_sent is
    begin
        insert into ds_wake_sent (sent_at) values (systimestamp at time zone 'UTC');
    exception
        when others then
            if sqlcode = -1013 then
                raise;
            end if;
    end mark_sent;
    procedure send is
    begin
        if not sent then
            enqueue('D');
            mark_sent;
        end if;
    end send;
    procedure send_now is
    begin
        enqueue('D');
    end send_now;
    procedure send_lane (in_lane_id in number) is
    begin
        enqueue('L' || to_char(in_lane_id));
    end send_lane;
end ds_wake;
/
create or replace package body ds_run as
    function blanks return varchar2 is
    begin
        return ' ' || chr(9) || chr(10) || chr(13);
    end blanks;
    procedure next_word (in_text in clob, io_at in out pls_integer, out_word out varchar2) is
        l_char varchar2(1 char);
    begin
        loop
            l_char := substr(in_text, io_at, 1);
            if l_char is null then
                return;
            elsif instr(blanks, l_char) > 0 then
                io_at := io_at + 1;
            elsif substr(in_text, io_at, 2) = '--' then
                io_at := instr(in_text, chr(10), io_at);
                if io_at = 0 then
                    return;
                end if;
            elsif substr(in_text, io_at, 2) = '/*' then
                io_at := instr(in_text, '*/', io_at + 2);
                if io_at = 0 then
                    return;
                end if;
                io_at := io_at + 2;
            else
                exit;
            end if;
        end loop;
        if l_char in ('(', '<') then
            io_at := io_at + 1;
            out_word := l_char;
            return;
        end if;
        loop
            l_char := upper(substr(in_text, io_at, 1));
            exit when l_char is null or instr('ABCDEFGHIJKLMNOPQRSTUVWXYZ_', l_char) = 0 or length(out_word) >= 30;
            out_word := out_word || l_char;
            io_at := io_at + 1;
        end loop;
    end next_word;
    function kind_of (in_text in clob) return varchar2 is
        l_at pls_integer := 1;
        l_word varchar2(30 char);
    begin
        next_word(in_text, l_at, l_word);
        if l_word in ('SELECT', 'WITH', '(') then
            return 'Query';
        elsif l_word in ('BEGIN', 'DECLARE', '<') then
            return 'Block';
        elsif l_word = 'CREATE' then
            for i in 1 .. 4 loop
                next_word(in_text, l_at, l_word);
                if l_word in ('PROCEDURE', 'FUNCTION', 'PACKAGE', 'TRIGGER', 'TYPE', 'LIBRARY') then
                    return 'Unit';
                end if;
                exit when l_word is null or l_word not in ('OR', 'REPLACE', 'EDITIONABLE', 'NONEDITIONABLE');
            end loop;
            return 'Ddl';
        elsif l_word = 'ALTER' then
            next_word(in_text, l_at, l_word);
            return case when l_word in ('SESSION', 'SYSTEM') then 'Other' else 'Ddl' end;
        elsif l_word in ('DROP', 'TRUNCATE', 'GRANT', 'REVOKE', 'COMMENT', 'RENAME', 'ANALYZE', 'AUDIT', 'NOAUDIT', 'PURGE', 'FLASHBACK') then
            return 'Ddl';
        end if;
        return 'Other';
    end kind_of;
    procedure normalise (in_sql in clob, out_text out clob, out_kind out varchar2) is
        l_length pls_integer;
        l_head clob;
    begin
        out_text := rtrim(in_sql, blanks);
        l_length := length(out_text);
        if l_length > 1 and substr(out_text, l_length, 1) = '/' then
            l_head := rtrim(substr(out_text, 1, l_length - 1), ' ' || chr(9));
            if substr(l_head, length(l_head), 1) in (chr(10), chr(13)) then
                out_text := rtrim(l_head, blanks);
            end if;
        end if;
        out_kind := kind_of(out_text);
        if out_kind in ('Query', 'Ddl', 'Other') then
            out_text := rtrim(out_text, blanks || ';');
        end if;
    end normalise;
    procedure define_columns (in_cursor in integer) is
        l_columns dbms_sql.desc_tab3;
        l_count integer;
        l_type pls_integer;
        l_text varchar2(32767);
        l_raw raw(32767);
        l_clob clob;
        l_blob blob;
    begin
        dbms_sql.describe_columns3(in_cursor, l_count, l_columns);
        for i in 1 .. l_count loop
            l_type := l_columns(i).col_type;
            if l_type in (1, 2, 11, 12, 96, 100, 101, 180, 181, 182, 183, 208, 231, 252) then
                dbms_sql.define_column(in_cursor, i, l_text, 32767);
            elsif l_type = 23 then
                dbms_sql.define_column_raw(in_cursor, i, l_raw, 32767);
            elsif l_type = 112 then
                dbms_sql.define_column(in_cursor, i, l_clob);
            elsif l_type = 113 then
                dbms_sql.define_column(in_cursor, i, l_blob);
            elsif l_type = 8 then
                dbms_sql.define_column_long(in_cursor, i);
            else
                raise_application_error(-20024, 'dbsched 20024: column ' || i || ' of the query is of a type that cannot be fetched (code '
                    || l_type || '); write a PL/SQL block.');
            end if;
        end loop;
    end define_columns;
    procedure reset_session is
    begin
        rollback;
        execute immediate 'alter session set current_schema = ' || dbms_assert.enquote_name(sys_context('USERENV', 'SESSION_USER'), false);
        execute immediate 'alter session set isolation_level = read committed';
        execute immediate 'alter session set time_zone = ''+00:00''';
        execute immediate 'alter session set nls_language = ''AMERICAN''';
        execute immediate 'alter session set nls_territory = ''AMERICA''';
        execute immediate 'alter session set nls_calendar = ''GREGORIAN''';
        execute immediate 'alter session set nls_sort = ''BINARY''';
        execute immediate 'alter session set nls_comp = ''BINARY''';
        execute immediate 'alter session set nls_numeric_characters = ''.,''';
        execute immediate 'alter session set nls_date_format = ''YYYY-MM-DD HH24:MI:SS''';
        execute immediate 'alter session set nls_timestamp_format = ''YYYY-MM-DD HH24:MI:SS.FF''';
        execute immediate 'alter session set nls_timestamp_tz_format = ''YYYY-MM-DD HH24:MI:SS.FF TZH:TZM''';
        execute immediate 'alter session set nls_length_semantics = ''BYTE''';
        execute immediate 'alter session set nls_nchar_conv_excp = ''FALSE''';
        execute immediate 'alter session set ddl_lock_timeout = 0';
        dbms_session.clear_identifier;
        dbms_application_info.set_client_info(null);
    end reset_session;
    procedure locate (in_stack in varchar2, in_backtrace in varchar2, out_procedure out varchar2, out_line out number) is
        l_first varchar2(2000);
        l_from pls_integer;
        l_to pls_integer;
    begin
        l_first := rtrim(substr(in_backtrace, 1, instr(in_backtrace || chr(10), chr(10)) - 1), ' ' || chr(13));
        if l_first is null or instr(l_first, '"SYS.DBMS_SQL"') > 0 or instr(l_first, '.DS_RUN"') > 0 then
            l_from := instr(in_stack, 'ORA-06550: line ');
            if l_from > 0 then
                l_from := l_from + length('ORA-06550: line ');
                l_to := instr(in_stack, ',', l_from);
                out_line := to_number(substr(in_stack, l_from, l_to - l_from));
            end if;
            return;
        end if;
        l_from := instr(l_first, '"');
        l_to := instr(l_first, '"', -1);
        if l_to > l_from then
            out_procedure := substrb(substr(l_first, l_from + 1, l_to - l_from - 1), 1, 300);
        end if;
        l_from := instr(l_first, 'line ', -1);
        if l_from > 0 then
            out_line := to_number(substr(l_first, l_from + 5));
        end if;
    exception
        when value_error then
            out_procedure := null;
            out_line := null;
    end locate;
    procedure run (
        in_task_id in number,
        in_process_id in number,
        in_sql in clob,
        out_rows out number,
        out_error_number out number,
        out_error_message out varchar2,
        out_error_backtrace out varchar2,
        out_error_procedure out varchar2,
        out_error_line out number,
        out_renew out varchar2)
    is
        l_cursor integer;
        l_text clob;
        l_kind varchar2(5);
        l_rows number;
    begin
        out_renew := 'N';
        begin
            reset_session;
            dbms_application_info.set_module('dbsched', 'P' || in_process_id || ' T' || in_task_id);
            normalise(in_sql, l_text, l_kind);
            l_cursor := dbms_sql.open_cursor;
            dbms_sql.parse(l_cursor, l_text, dbms_sql.native);
            if l_kind = 'Query' then
                define_columns(l_cursor);
                l_rows := dbms_sql.execute(l_cursor);
                l_rows := 0;
                while dbms_sql.fetch_rows(l_cursor) > 0 loop
                    l_rows := l_rows + 1;
                end loop;
            elsif l_kind in ('Block', 'Other') then
                l_rows := dbms_sql.execute(l_cursor);
                if l_kind = 'Block' then
                    l_rows := null;
                end if;
            end if;
            dbms_sql.close_cursor(l_cursor);
            commit write immediate wait;
            out_rows := l_rows;
        exception
            when others then
                out_error_message := substrb(dbms_utility.format_error_stack, 1, 4000);
                out_error_backtrace := substrb(dbms_utility.format_error_backtrace, 1, 4000);
                out_error_number := case sqlcode when 100 then 1403 when 1 then 6510 else abs(sqlcode) end;
                rollback;
                if l_cursor is not null and dbms_sql.is_open(l_cursor) then
                    dbms_sql.close_cursor(l_cursor);
                end if;
                locate(out_error_message, out_error_backtrace, out_error_procedure, out_error_line);
                if out_error_number in (4061, 4065, 4068, 6508) then
                    out_renew := 'Y';
                end if;
        end;
        begin
            reset_session;
            dbms_application_info.set_module('dbsched', null);
        exception
            when others then
                out_renew := 'Y';
        end;
    end run;
end ds_run;
/
create or replace package body ds_enqueue as
    procedure fail (in_number in pls_integer, in_text in varchar2) is
    begin
        raise_application_error(0 - in_number, 'dbsched ' || in_number || ': ' || in_text);
    end fail;
    function whole_within (in_value in number, in_from in number, in_to in number) return boolean is
    begin
        return in_value is not null and in_value = trunc(in_value) and in_value between in_from and in_to;
    end whole_within;
    procedure add_task (
        in_sql in clob,
        in_execution_order in number,
        in_process_id in number,
        in_priority in number,
        in_max_attempts in number,
        in_retry_delay_seconds in number,
        in_timeout_seconds in number,
        in_not_before in timestamp with time zone,
        in_expected_seconds in number,
        in_resource in varchar2,
        in_access in varchar2,
        in_transactional in boolean,
        in_on_orphan in varchar2,
        in_dedup_key in varchar2,
        in_parameters in clob,
        out_task_id out number)
    is
        l_process_id number := nvl(in_process_id, 1);
        l_bad varchar2(200);
        l_on_orphan varchar2(5);
        l_status varchar2(10);
        l_closed varchar2(1);
        l_closing pls_integer;
        l_now timestamp with time zone := systimestamp at time zone 'UTC';
        l_task_id number;
    begin
        if nvl(length(ltrim(in_sql, ' ' || chr(9) || chr(10) || chr(13))), 0) = 0 then
            fail(20001, 'in_sql is NULL or empty.');
        end if;
        if in_execution_order is null then
            fail(20002, 'in_execution_order is NULL.');
        end if;
        l_bad := case
            when not whole_within(in_execution_order, -2147483648, 2147483647) then 'in_execution_order must be a whole number from -2147483648 to 2147483647'
            when not whole_within(in_priority, -1000000, 1000000) then 'in_priority must be a whole number from -1000000 to 1000000'
            when not whole_within(in_max_attempts, 1, 100) then 'in_max_attempts must be a whole number from 1 to 100'
            when not whole_within(in_retry_delay_seconds, 0, 86400) then 'in_retry_delay_seconds must be a whole number from 0 to 86400'
            when not whole_within(in_expected_seconds, 0, 2147483647) then 'in_expected_seconds must be a whole number, 0 or more'
            when in_timeout_seconds < 1 then 'in_timeout_seconds must be 1 or more'
        end;
        if l_bad is not null then
            fail(20003, l_bad || '.');
        end if;
        l_on_orphan := case lower(in_on_orphan) when 'retry' then 'Retry' when 'fail' then 'Fail' end;
        if l_on_orphan is null then
            fail(20008, 'in_on_orphan must be Retry or Fail.');
        end if;
        l_bad := case
            when in_timeout_seconds is not null then 'in_timeout_seconds'
            when in_resource is not null then 'in_resource'
            when in_access is not null then 'in_access'
            when in_transactional then 'in_transactional'
            when in_dedup_key is not null then 'in_dedup_key'
            when in_parameters is not null then 'in_parameters'
        end;
        if l_bad is not null then
            fail(20090, l_bad || ' is not available in this version.');
        end if;
        select max(p.status), max(p.close_requested) into l_status, l_closed
        from ds_processes p
        where p.process_id = l_process_id;
        if l_status is null then
            fail(20004, 'there is no process ' || l_process_id || '.');
        end if;
        select count(*) into l_closing
        from ds_process_requests r
        where r.process_id = l_process_id and r.action = 'Close';
        if l_status not in ('Open', 'Suspended') or l_closed = 'Y' or l_closing > 0 then
            fail(20005, 'process ' || l_process_id || ' is closed or finished and takes no more tasks.');
        end if;
        ds_wake.send;
        l_task_id := ds_task_seq.nextval;
        insert into ds_tasks
            (task_id, process_id, execution_order, priority, expected_seconds, status, wait_reason, due_at, sql_text,
             max_attempts, retry_delay_seconds, on_orphan, enqueued_at, enqueued_by, enqueued_by_os_user, enqueued_by_client)
        values
            (l_task_id, l_process_id, in_execution_order, in_priority, in_expected_seconds,
             case when in_not_before > l_now then 'Waiting' else 'Pending' end,
             case when in_not_before > l_now then 'Delay' end,
             case when in_not_before > l_now then in_not_before at time zone 'UTC' end,
             in_sql, in_max_attempts, in_retry_delay_seconds, l_on_orphan, l_now,
             sys_context('USERENV', 'SESSION_USER'), substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));
        out_task_id := l_task_id;
    end add_task;
end ds_enqueue;
/
create or replace package body ds_worker as
    function utc_now return timestamp with time zone is
    begin
        return systimestamp at time zone 'UTC';
    end utc_now;
    procedure alarm (
        in_kind in varchar2,
        in_text in varchar2,
        in_process_id in number default null,
        in_task_id in number default null,
        in_lane_id in number default null)
    is
        l_same pls_integer;
        l_text varchar2(2000) := substrb(in_text, 1, 2000);
        l_since timestamp with time zone := utc_now - interval '10' minute;
    begin
        select count(*) into l_same
        from ds_alarms a
        where a.alarm_id = (select max(b.alarm_id) from ds_alarms b)
          and a.kind = in_kind and a.alarm_text = l_text and a.raised_at > l_since;
        if l_same = 0 then
            insert into ds_alarms (alarm_id, raised_at, kind, process_id, task_id, lane_id, alarm_text)
            values (ds_alarm_seq.nextval, systimestamp at time zone 'UTC', in_kind, in_process_id, in_task_id, in_lane_id, l_text);
        end if;
    end alarm;
    procedure close_if_done (in_process_id in number) is
    begin
        update ds_processes p
        set p.status = case when p.tasks_failed > 0 then 'Failed' else 'Succeeded' end,
            p.finished_at = systimestamp at time zone 'UTC',
            p.has_work = 'N'
        where p.process_id = in_process_id
          and p.status = 'Closing'
          and not exists (select 1 from ds_tasks t where t.unfinished_process_id = in_process_id);
    end close_if_done;
    function lock_id (in_lane_id in number) return integer is
        l_base number;
    begin
        select s.lock_base into l_base from ds_settings s where s.settings_id = 1;
        return l_base + in_lane_id;
    end lock_id;
    function lock_free (in_lane_id in number) return boolean is
        l_id integer := lock_id(in_lane_id);
        l_result integer;
    begin
        l_result := dbms_lock.request(id => l_id, lockmode => dbms_lock.ss_mode, timeout => 0, release_on_commit => false);
        if l_result = 0 then
            l_result := dbms_lock.release(id => l_id);
            return true;
        end if;
        return false;
    end lock_free;
    function session_gone (in_session_key in varchar2) return boolean is
    begin
        return in_session_key is null or not dbms_session.is_session_alive(in_session_key);
    end session_gone;
    function lane_dead (in_lane_id in number) return boolean is
        l_key varchar2(24);
    begin
        if not lock_free(in_lane_id) then
            return false;
        end if;
        if in_lane_id = 0 then
            select max(s.dispatcher_session) into l_key from ds_settings s where s.settings_id = 1;
        else
            select max(l.session_key) into l_key from ds_lanes l where l.lane_id = in_lane_id;
        end if;
        return session_gone(l_key);
    end lane_dead;
    procedure take_lock (in_lane_id in number, in_seconds in number, out_held out varchar2) is
        l_result integer;
    begin
        l_result := dbms_lock.request(id => lock_id(in_lane_id), lockmode => dbms_lock.x_mode, timeout => in_seconds, release_on_commit => false);
        out_held := case when l_result in (0, 4) then 'Y' else 'N' end;
    end take_lock;
    procedure release_lock (in_lane_id in number) is
        l_result integer;
    begin
        l_result := dbms_lock.release(id => lock_id(in_lane_id));
    end release_lock;
    procedure enter (in_lane_id in number, in_seconds in number, out_worker_id out varchar2) is
        l_held varchar2(1);
        l_key varchar2(24);
        l_me varchar2(24) := dbms_session.unique_session_id;
        l_worker_id varchar2(32);
    begin
        rollback;
        take_lock(in_lane_id, in_seconds, l_held);
        if l_held = 'N' then
            return;
        end if;
        select max(l.session_key) into l_key from ds_lanes l where l.lane_id = in_lane_id;
        if l_key <> l_me and not session_gone(l_key) then
            alarm('LaneHeld', 'The worker of lane ' || in_lane_id || ' has lost its lock, but its session is still there; no other worker takes the lane until it has ended.', in_lane_id => in_lane_id);
            commit write immediate wait;
            release_lock(in_lane_id);
            return;
        end if;
        l_worker_id := rawtohex(sys_guid());
        recover(in_lane_id, l_worker_id);
        update ds_lanes l
        set l.worker_id = l_worker_id,
            l.session_id = to_number(sys_context('USERENV', 'SID')),
            l.session_key = l_me,
            l.entered_at = systimestamp at time zone 'UTC',
            l.task_id = null,
            l.attempt = null
        where l.lane_id = in_lane_id;
        if sql%rowcount = 0 then
            rollback;
            release_lock(in_lane_id);
            return;
        end if;
        commit write immediate wait;
        out_worker_id := l_worker_id;
    end enter;
    procedure pick (
        in_process_id in number,
        out_task_id out number,
        out_order out number,
        out_attempt out number,
        out_sql out clob,
        out_enqueued_by out varchar2)
    is
        cursor c_first (in_order in number) is
            select /*+ index(t (claim_process_id claim_order claim_priority claim_expected claim_task_id)) */
                t.task_id, t.execution_order, t.attempt + 1, t.sql_text, t.enqueued_by
            from ds_tasks t
            where t.claim_process_id = in_process_id and t.claim_order = in_order
            order by t.claim_priority, t.claim_expected, t.claim_task_id;
        l_lowest number;
    begin
        select min(t.unfinished_order) into l_lowest
        from ds_tasks t
        where t.unfinished_process_id = in_process_id;
        if l_lowest is null then
            return;
        end if;
        open c_first(l_lowest);
        fetch c_first into out_task_id, out_order, out_attempt, out_sql, out_enqueued_by;
        close c_first;
    end pick;
    procedure try_claim (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_version in varchar2,
        in_waited in varchar2,
        out_result out varchar2,
        out_linger out number,
        out_task_id out number,
        out_attempt out number,
        out_process_id out number,
        out_log_id out number,
        out_sql out clob)
    is
        l_started varchar2(1);
        l_version varchar2(30);
        l_policy varchar2(10);
        l_max_workers number;
        l_max_lanes number;
        l_others pls_integer;
        l_mine pls_integer;
        l_order number;
        l_enqueued_by varchar2(128);
        l_state varchar2(8);
        l_now timestamp with time zone;
        cursor c_processes is
            select p.process_id
            from ds_processes p
            where p.work_process_id > 0
              and p.status in ('Open', 'Closing')
              and (p.max_parallel is null or p.running < p.max_parallel)
            order by case when l_policy = 'RoundRobin' then p.running / p.weight else 0 end,
                     case when l_policy = 'RoundRobin' then p.last_served_at end nulls first,
                     case when l_policy = 'Priority' then 0 - p.priority else 0 end,
                     p.process_id;
    begin
        select s.started, s.version, s.policy, s.max_workers, s.max_lanes, s.linger_seconds
        into l_started, l_version, l_policy, l_max_workers, l_max_lanes, out_linger
        from ds_settings s
        where s.settings_id = 1
        for update wait 10;
        select count(*) into l_mine
        from ds_lanes l
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        if l_started = 'N' or l_version <> in_version or l_mine = 0 then
            out_result := 'Stopped';
        elsif in_lane_id <= 1000 then
            select count(*) into l_others
            from ds_lanes l
            where l.lane_id <= l_max_lanes and l.lane_id <> in_lane_id and l.state in ('Starting', 'Assigned', 'Busy');
            if l_others >= l_max_workers or in_lane_id > l_max_lanes then
                out_result := 'Limit';
            end if;
        end if;
        if out_result is null then
            for r in c_processes loop
                update ds_processes p
                set p.has_work = 'Y'
                where p.process_id = r.process_id
                  and p.status in ('Open', 'Closing')
                  and (p.max_parallel is null or p.running < p.max_parallel);
                if sql%rowcount = 1 then
                    pick(r.process_id, out_task_id, l_order, out_attempt, out_sql, l_enqueued_by);
                    if out_task_id is not null then
                        out_process_id := r.process_id;
                        exit;
                    end if;
                    update ds_processes p set p.has_work = 'N' where p.process_id = r.process_id;
                end if;
            end loop;
        end if;
        l_now := utc_now;
        if out_task_id is not null then
            out_log_id := ds_log_seq.nextval;
            update ds_processes p
            set p.running = p.running + 1, p.last_served_at = l_now
            where p.process_id = out_process_id;
            update ds_tasks t
            set t.status = 'Running', t.attempt = out_attempt, t.lane_id = in_lane_id, t.worker_id = in_worker_id, t.log_id = out_log_id, t.started_at = l_now
            where t.task_id = out_task_id and t.status = 'Pending' and t.attempt = out_attempt - 1;
            if sql%rowcount <> 1 then
                raise_application_error(-20099, 'dbsched 20099: task ' || out_task_id || ' changed without its process''s lock.');
            end if;
            insert into ds_logs
                (log_id, task_id, process_id, execution_order, attempt, sql_text, enqueued_by, lane_id, worker_id, session_id, session_key, started_at)
            values
                (out_log_id, out_task_id, out_process_id, l_order, out_attempt, to_char(substr(out_sql, 1, 1000)), l_enqueued_by, in_lane_id, in_worker_id,
                 to_number(sys_context('USERENV', 'SID')), dbms_session.unique_session_id, l_now);
            update ds_lanes l
            set l.state = 'Busy', l.state_at = l_now, l.ordered_at = null, l.task_id = out_task_id, l.attempt = out_attempt
            where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
            out_result := 'Task';
        elsif out_result is null then
            select max(l.state) into l_state
            from ds_lanes l
            where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
            out_result := case when in_waited = 'Y' and l_state = 'Idle' then 'Leave' else 'Idle' end;
        end if;
        if out_result = 'Idle' then
            update ds_lanes l
            set l.state = 'Idle', l.state_at = l_now, l.ordered_at = null
            where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        elsif out_result in ('Leave', 'Limit', 'Stopped') then
            update ds_lanes l
            set l.state = 'Off', l.state_at = l_now, l.ordered_at = null
            where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        end if;
        commit write immediate wait;
    end try_claim;
    procedure claim (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_version in varchar2,
        in_waited in varchar2,
        out_result out varchar2,
        out_linger out number,
        out_task_id out number,
        out_attempt out number,
        out_process_id out number,
        out_log_id out number,
        out_sql out clob)
    is
        l_tries pls_integer := 0;
    begin
        loop
            begin
                rollback;
                try_claim(in_lane_id, in_worker_id, in_version, in_waited, out_result, out_linger, out_task_id, out_attempt, out_process_id, out_log_id, out_sql);
                return;
            exception
                when others then
                    l_tries := l_tries + 1;
                    if l_tries >= 10 or sqlcode not in (-60, -54, -30006) then
                        raise;
                    end if;
                    rollback;
                    dbms_session.sleep(0.05);
            end;
        end loop;
    end claim;
    procedure try_complete (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_task_id in number,
        in_attempt in number,
        in_process_id in number,
        in_log_id in number,
        in_outcome in varchar2,
        in_rows in number,
        in_error_number in number,
        in_error_message in varchar2,
        in_error_backtrace in varchar2,
        in_error_procedure in varchar2,
        in_error_line in number,
        out_lost out varchar2)
    is
        l_now timestamp with time zone := utc_now;
        l_max_delay number;
        l_max_orphans number;
        l_on_error varchar2(8);
        l_process_status varchar2(10);
        l_status varchar2(10);
        l_new_status varchar2(10);
        l_log_outcome varchar2(10) := in_outcome;
        l_order number;
        l_failures number;
        l_orphans number;
        l_max_attempts number;
        l_retry_delay number;
        l_on_orphan varchar2(5);
        l_delay number := 0;
        l_lowest number;
        l_pending pls_integer;
    begin
        out_lost := 'N';
        select s.max_retry_delay_seconds, s.max_orphans into l_max_delay, l_max_orphans
        from ds_settings s
        where s.settings_id = 1;
        begin
            select p.on_error, p.status into l_on_error, l_process_status
            from ds_processes p
            where p.process_id = in_process_id
            for update wait 10;
            select t.status, t.execution_order, t.failures, t.orphans, t.max_attempts, t.retry_delay_seconds, t.on_orphan
            into l_status, l_order, l_failures, l_orphans, l_max_attempts, l_retry_delay, l_on_orphan
            from ds_tasks t
            where t.task_id = in_task_id and t.attempt = in_attempt and t.worker_id = in_worker_id and t.status in ('Running', 'Stopping')
            for update wait 10;
        exception
            when no_data_found then
                rollback;
                out_lost := 'Y';
                return;
        end;
        if in_outcome = 'Succeeded' then
            l_new_status := 'Succeeded';
        elsif l_status = 'Stopping' then
            l_new_status := 'Cancelled';
            l_log_outcome := 'Cancelled';
        elsif in_outcome = 'Orphaned' then
            l_orphans := l_orphans + 1;
            l_new_status := case when l_on_orphan = 'Retry' and l_orphans <= l_max_orphans and l_process_status in ('Open', 'Closing') then 'Pending' else 'Failed' end;
        else
            l_failures := l_failures + 1;
            l_new_status := 'Failed';
            if l_failures < l_max_attempts and l_process_status in ('Open', 'Closing') then
                l_delay := least(l_retry_delay * power(2, least(l_failures - 1, 19)), l_max_delay);
                l_new_status := case when l_delay > 0 then 'Waiting' else 'Pending' end;
            end if;
        end if;
        update ds_tasks t
        set t.status = l_new_status,
            t.wait_reason = case when l_new_status = 'Waiting' then 'Retry' end,
            t.due_at = case when l_new_status = 'Waiting' then l_now + numtodsinterval(l_delay, 'SECOND') end,
            t.failures = l_failures,
            t.orphans = l_orphans,
            t.lane_id = null,
            t.worker_id = null,
            t.finished_at = case when l_new_status in ('Pending', 'Waiting') then null else l_now end
        where t.task_id = in_task_id;
        update ds_logs g
        set g.ended_at = l_now, g.outcome = l_log_outcome, g.rows_affected = in_rows,
            g.error_number = in_error_number, g.error_message = in_error_message, g.error_backtrace = in_error_backtrace,
            g.error_procedure = in_error_procedure, g.error_line = in_error_line
        where g.log_id = in_log_id;
        if l_new_status = 'Failed' and l_on_error = 'Halt' and l_process_status in ('Open', 'Closing') then
            update ds_tasks t
            set t.status = 'Skipped', t.wait_reason = null, t.due_at = null, t.finished_at = l_now
            where t.unfinished_process_id = in_process_id and t.status in ('Pending', 'Waiting');
            l_process_status := 'Failed';
            alarm('ProcessFailed', 'Task ' || in_task_id || ' failed and its process was halted; tasks that had not started were skipped. ' || substrb(in_error_message, 1, 1500),
                  in_process_id, in_task_id, in_lane_id);
        end if;
        select min(t.unfinished_order) into l_lowest
        from ds_tasks t
        where t.unfinished_process_id = in_process_id;
        select count(*) into l_pending
        from ds_tasks t
        where t.claim_process_id = in_process_id and t.claim_order = l_lowest and rownum <= 2;
        update ds_processes p
        set p.running = greatest(p.running - 1, 0),
            p.tasks_succeeded = p.tasks_succeeded + case when l_new_status = 'Succeeded' then 1 else 0 end,
            p.tasks_failed = p.tasks_failed + case when l_new_status = 'Failed' then 1 else 0 end,
            p.has_work = case when l_process_status not in ('Open', 'Closing') then 'N' when l_pending > 0 then 'Y' else p.has_work end,
            p.status = case when p.status in ('Open', 'Closing') then l_process_status else p.status end,
            p.finished_at = case when p.finished_at is null and l_process_status = 'Failed' then l_now else p.finished_at end
        where p.process_id = in_process_id;
        if l_process_status = 'Closing' and l_lowest is null then
            close_if_done(in_process_id);
        end if;
        update ds_lanes l
        set l.task_id = null, l.attempt = null
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        if (l_lowest > l_order and l_pending >= 2) or l_new_status = 'Waiting' or (in_outcome = 'Orphaned' and l_pending > 0) then
            ds_wake.send_now;
        end if;
        commit write immediate wait;
    end try_complete;
    procedure complete (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_task_id in number,
        in_attempt in number,
        in_process_id in number,
        in_log_id in number,
        in_outcome in varchar2,
        in_rows in number,
        in_error_number in number,
        in_error_message in varchar2,
        in_error_backtrace in varchar2,
        in_error_procedure in varchar2,
        in_error_line in number,
        out_lost out varchar2)
    is
        l_tries pls_integer := 0;
        l_text varchar2(2000);
    begin
        loop
            begin
                rollback;
                try_complete(in_lane_id, in_worker_id, in_task_id, in_attempt, in_process_id, in_log_id, in_outcome, in_rows,
                             in_error_number, in_error_message, in_error_backtrace, in_error_procedure, in_error_line, out_lost);
                return;
            exception
                when others then
                    l_text := substrb(sqlerrm, 1, 1500);
                    rollback;
                    l_tries := l_tries + 1;
            end;
            if l_tries > 15 then
                out_lost := 'Y';
                exit;
            end if;
            dbms_session.sleep(case when l_tries <= 5 then 0.05 else 3 end);
        end loop;
        begin
            alarm('LostCompletion', 'The end of an attempt could not be recorded: ' || l_text, in_process_id, in_task_id, in_lane_id);
            commit write immediate wait;
        exception
            when others then
                rollback;
        end;
    end complete;
    procedure recover (in_lane_id in number, in_worker_id in varchar2 default null) is
        l_last number := 0;
        l_task_id number;
        l_attempt number;
        l_process_id number;
        l_log_id number;
        l_worker_id varchar2(32);
        l_lost varchar2(1);
    begin
        loop
            select /*+ index(t (lane_id)) */ min(t.task_id) into l_task_id
            from ds_tasks t
            where t.lane_id = in_lane_id and t.task_id > l_last;
            exit when l_task_id is null;
            select max(t.attempt), max(t.process_id), max(t.log_id), max(t.worker_id)
            into l_attempt, l_process_id, l_log_id, l_worker_id
            from ds_tasks t
            where t.task_id = l_task_id and t.lane_id = in_lane_id;
            exit when in_worker_id is null and not lane_dead(in_lane_id);
            if l_worker_id <> nvl(in_worker_id, 'none') then
                complete(in_lane_id, l_worker_id, l_task_id, l_attempt, l_process_id, l_log_id, 'Orphaned', null,
                         20023, 'dbsched 20023: the worker died while it ran this task.', null, null, null, l_lost);
            end if;
            l_last := l_task_id;
        end loop;
    end recover;
    procedure leave (in_lane_id in number, in_worker_id in varchar2, in_again in varchar2) is
    begin
        rollback;
        if in_lane_id > 1000 then
            delete from ds_lanes l where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        else
            update ds_lanes l
            set l.state = case when l.state = 'Starting' then l.state else 'Off' end,
                l.state_at = case when l.state in ('Starting', 'Off') then l.state_at else systimestamp at time zone 'UTC' end,
                l.worker_id = null, l.session_id = null, l.session_key = null, l.entered_at = null, l.task_id = null, l.attempt = null
            where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        end if;
        if in_again = 'Y' then
            ds_wake.send_now;
        end if;
        commit write immediate wait;
        release_lock(in_lane_id);
    exception
        when others then
            rollback;
            release_lock(in_lane_id);
            raise;
    end leave;
    procedure failed (in_lane_id in number, in_worker_id in varchar2, in_text in varchar2) is
    begin
        rollback;
        begin
            alarm('WorkerError', 'A worker failed: ' || in_text, in_lane_id => in_lane_id);
            commit write immediate wait;
        exception
            when others then
                rollback;
        end;
        if in_worker_id is null then
            release_lock(in_lane_id);
        else
            leave(in_lane_id, in_worker_id, 'Y');
        end if;
    end failed;
end ds_worker;
/
create or replace package body ds_dispatch as
    function utc_now return timestamp with time zone is
    begin
        return systimestamp at time zone 'UTC';
    end utc_now;
    procedure enter (out_state out varchar2) is
        l_held varchar2(1);
        l_me varchar2(24) := dbms_session.unique_session_id;
    begin
        rollback;
        ds_worker.take_lock(0, 5, l_held);
        if l_held = 'N' then
            out_state := 'Stop';
            return;
        end if;
        update ds_settings s
        set s.dispatcher_session = l_me, s.next_sweep_at = null
        where s.settings_id = 1;
        commit write immediate wait;
        out_state := 'Go';
    end enter;
    procedure leave is
        l_me varchar2(24) := dbms_session.unique_session_id;
    begin
        rollback;
        update ds_settings s
        set s.dispatcher_session = null
        where s.settings_id = 1 and s.dispatcher_session = l_me;
        commit write immediate wait;
        ds_worker.release_lock(0);
    end leave;
    procedure apply_requests is
        l_last number := 0;
        l_request_id number;
        l_process_id number;
        l_action varchar2(7);
    begin
        for i in 1 .. 500 loop
            select min(r.request_id) into l_request_id
            from ds_process_requests r
            where r.request_id > l_last;
            exit when l_request_id is null;
            select max(r.process_id), max(r.action) into l_process_id, l_action
            from ds_process_requests r
            where r.request_id = l_request_id;
            update ds_processes p
            set p.status = case
                    when l_action = 'Release' and p.status = 'Suspended' then case when p.close_requested = 'Y' then 'Closing' else 'Open' end
                    when l_action = 'Close' and p.status = 'Open' then 'Closing'
                    else p.status
                end,
                p.close_requested = case when l_action = 'Close' then 'Y' else p.close_requested end,
                p.has_work = 'Y'
            where p.process_id = l_process_id and p.finished_at is null;
            delete from ds_process_requests r where r.request_id = l_request_id;
            ds_worker.close_if_done(l_process_id);
            commit write immediate wait;
            l_last := l_request_id;
        end loop;
    end apply_requests;
    procedure release_due is
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_due timestamp(6);
        l_process_id number;
        l_locked number;
    begin
        for i in 1 .. 50 loop
            select min(t.due_utc) into l_due from ds_tasks t;
            exit when l_due is null or l_due > l_now;
            select min(t.process_id) into l_process_id from ds_tasks t where t.due_utc = l_due;
            continue when l_process_id is null;
            select max(p.process_id) into l_locked from ds_processes p where p.process_id = l_process_id;
            if l_locked is not null then
                select p.process_id into l_locked
                from ds_processes p
                where p.process_id = l_process_id
                for update wait 10;
            end if;
            update ds_tasks t
            set t.status = 'Pending', t.wait_reason = null, t.due_at = null
            where t.due_utc <= l_now and t.process_id = l_process_id and t.status = 'Waiting' and rownum <= 500;
            update ds_processes p
            set p.has_work = 'Y'
            where p.process_id = l_process_id and p.finished_at is null;
            commit write immediate wait;
        end loop;
    end release_due;
    procedure free_dead_lanes is
        l_last number := 0;
        l_lane_id number;
        l_state varchar2(8);
        l_state_at timestamp with time zone;
        l_ordered_at timestamp with time zone;
        l_worker_id varchar2(32);
        l_since timestamp with time zone := utc_now - interval '30' second;
        l_locked number;
    begin
        loop
            select min(l.lane_id) into l_lane_id
            from ds_lanes l
            where l.lane_id > l_last
              and (l.state in ('Idle', 'Assigned', 'Busy') or l.worker_id is not null or (l.state = 'Starting' and l.ordered_at < l_since));
            exit when l_lane_id is null;
            l_last := l_lane_id;
            select max(l.state), max(l.state_at), max(l.ordered_at), max(l.worker_id)
            into l_state, l_state_at, l_ordered_at, l_worker_id
            from ds_lanes l
            where l.lane_id = l_lane_id;
            continue when l_state is null;
            if ds_worker.lane_dead(l_lane_id) then
                ds_worker.recover(l_lane_id);
                select s.settings_id into l_locked from ds_settings s where s.settings_id = 1 for update wait 10;
                if l_state = 'Starting' and l_worker_id is null then
                    update ds_lanes l
                    set l.ordered_at = null
                    where l.lane_id = l_lane_id and l.state = 'Starting' and l.ordered_at = l_ordered_at and l.worker_id is null;
                    if sql%rowcount = 1 then
                        ds_worker.alarm('LaneNotStarted', 'The job DS_LANE_' || to_char(l_lane_id, 'FM00')
                            || ' was ordered and did not start within 30 seconds; it is ordered again. See USER_SCHEDULER_JOB_RUN_DETAILS and the parameter job_queue_processes.', in_lane_id => l_lane_id);
                    end if;
                elsif l_lane_id > 1000 then
                    delete from ds_lanes l where l.lane_id = l_lane_id and l.worker_id = l_worker_id;
                else
                    update ds_lanes l
                    set l.state = 'Off', l.state_at = systimestamp at time zone 'UTC', l.ordered_at = null, l.worker_id = null, l.session_id = null,
                        l.session_key = null, l.entered_at = null, l.task_id = null, l.attempt = null
                    where l.lane_id = l_lane_id and l.state = l_state and l.state_at = l_state_at
                      and (l.worker_id = l_worker_id or (l.worker_id is null and l_worker_id is null));
                end if;
                commit write immediate wait;
            end if;
        end loop;
    end free_dead_lanes;
    function runnable_tasks (in_enough in number) return number is
        l_runnable number := 0;
        l_order number;
        l_pending number;
    begin
        for r in (select p.process_id, p.max_parallel, p.running
                  from ds_processes p
                  where p.work_process_id > 0
                    and p.status in ('Open', 'Closing')
                    and (p.max_parallel is null or p.running < p.max_parallel))
        loop
            select min(t.unfinished_order) into l_order
            from ds_tasks t
            where t.unfinished_process_id = r.process_id;
            select count(*) into l_pending
            from ds_tasks t
            where t.claim_process_id = r.process_id and t.claim_order = l_order and rownum <= in_enough;
            l_runnable := l_runnable + least(l_pending, nvl(r.max_parallel - r.running, l_pending));
            exit when l_runnable >= in_enough;
        end loop;
        return l_runnable;
    end runnable_tasks;
    procedure assign (out_given out varchar2) is
        l_started varchar2(1);
        l_max_workers number;
        l_max_lanes number;
        l_runnable number;
        l_active pls_integer;
        l_coming pls_integer;
        l_wanted number;
        l_lane_id number;
        l_checked boolean := false;
        l_dead boolean;
        l_now timestamp with time zone;
    begin
        rollback;
        out_given := 'N';
        loop
            select s.started, s.max_workers, s.max_lanes
            into l_started, l_max_workers, l_max_lanes
            from ds_settings s
            where s.settings_id = 1
            for update wait 10;
            if l_started = 'N' then
                rollback;
                return;
            end if;
            update ds_processes p
            set p.has_work = 'Y'
            where p.open_process_id > 0
              and p.has_work = 'N'
              and p.status in ('Open', 'Closing')
              and exists (select 1 from ds_tasks t where t.claim_process_id = p.process_id);
            l_runnable := runnable_tasks(l_max_workers);
            if l_runnable = 0 then
                commit write immediate wait;
                return;
            end if;
            l_now := utc_now;
            select count(*), count(case when (l.state = 'Assigned' and l.state_at > l_now - interval '2' second)
                                          or (l.state = 'Starting' and l.state_at > l_now - interval '10' second) then 1 end)
            into l_active, l_coming
            from ds_lanes l
            where l.lane_id <= l_max_lanes and l.state in ('Starting', 'Assigned', 'Busy');
            l_wanted := least(l_runnable - l_coming, l_max_workers - l_active);
            exit when l_checked;
            l_dead := false;
            for r in (
                select i.lane_id
                from (select l.lane_id from ds_lanes l where l.lane_id <= l_max_lanes and l.state = 'Idle' order by l.lane_id) i
                where rownum <= l_wanted
            ) loop
                l_dead := l_dead or ds_worker.lane_dead(r.lane_id);
            end loop;
            exit when l_runnable <= l_max_workers - l_active and not l_dead;
            commit write immediate wait;
            free_dead_lanes;
            l_checked := true;
        end loop;
        out_given := 'Y';
        while l_wanted > 0 loop
            select min(l.lane_id) into l_lane_id
            from ds_lanes l
            where l.lane_id <= l_max_lanes and l.state = 'Idle';
            if l_lane_id is not null then
                update ds_lanes l set l.state = 'Assigned', l.state_at = l_now where l.lane_id = l_lane_id;
                ds_wake.send_lane(l_lane_id);
            else
                select nvl(min(case when l.state_at < l_now - interval '2' second then l.lane_id end), min(l.lane_id)) into l_lane_id
                from ds_lanes l
                where l.lane_id <= l_max_lanes and l.state = 'Off';
                exit when l_lane_id is null;
                update ds_lanes l set l.state = 'Starting', l.state_at = l_now, l.ordered_at = null where l.lane_id = l_lane_id;
            end if;
            l_wanted := l_wanted - 1;
        end loop;
        commit write immediate wait;
    end assign;
    procedure start_lanes (out_again out varchar2) is
        l_last number := 0;
        l_lane_id number;
        l_job varchar2(30);
        l_error varchar2(1000);
        e_running exception;
        pragma exception_init(e_running, -27478);
    begin
        out_again := 'N';
        loop
            select min(l.lane_id) into l_lane_id
            from ds_lanes l
            where l.lane_id > l_last and l.state = 'Starting' and l.ordered_at is null;
            exit when l_lane_id is null;
            l_last := l_lane_id;
            l_job := 'DS_LANE_' || to_char(l_lane_id, 'FM00');
            begin
                dbms_scheduler.run_job(job_name => l_job, use_current_session => false);
                update ds_lanes l
                set l.ordered_at = systimestamp at time zone 'UTC'
                where l.lane_id = l_lane_id and l.state = 'Starting' and l.ordered_at is null;
                commit write immediate wait;
            exception
                when e_running then
                    rollback;
                    out_again := 'Y';
                when others then
                    l_error := substrb(sqlerrm, 1, 1000);
                    rollback;
                    out_again := 'Y';
                    ds_worker.alarm('LaneNotStarted', 'The job ' || l_job || ' could not be started: ' || l_error, in_lane_id => l_lane_id);
                    commit write immediate wait;
            end;
        end loop;
    end start_lanes;
    procedure sweep (out_more out varchar2) is
        l_retention number;
        l_cutoff timestamp with time zone;
        l_recent timestamp with time zone := utc_now - interval '1' hour;
        l_last number;
        l_id number;
        l_locked number;
        l_rows pls_integer;
        l_at timestamp with time zone;
    begin
        rollback;
        out_more := 'N';
        select s.retention_days into l_retention from ds_settings s where s.settings_id = 1;
        l_cutoff := utc_now - numtodsinterval(l_retention, 'DAY');
        free_dead_lanes;
        l_last := 0;
        loop
            select min(t.lane_id) into l_id from ds_tasks t where t.lane_id > l_last;
            exit when l_id is null;
            ds_worker.recover(l_id);
            l_last := l_id;
        end loop;
        l_last := 0;
        loop
            select min(p.process_id) into l_id
            from ds_processes p
            where p.process_id > l_last and p.open_process_id > l_last and p.status = 'Closing';
            exit when l_id is null;
            l_last := l_id;
            select p.process_id into l_locked from ds_processes p where p.process_id = l_id for update wait 10;
            ds_worker.close_if_done(l_id);
            commit write immediate wait;
        end loop;
        l_last := 0;
        loop
            select min(p.process_id) into l_id
            from ds_processes p
            where p.process_id > l_last and p.finished_at > l_recent
              and exists (select 1 from ds_tasks t where t.unfinished_process_id = p.process_id and t.status in ('Pending', 'Waiting'));
            exit when l_id is null;
            l_last := l_id;
            select p.process_id into l_locked from ds_processes p where p.process_id = l_id for update wait 10;
            update ds_tasks t
            set t.status = 'Skipped', t.wait_reason = null, t.due_at = null, t.finished_at = systimestamp at time zone 'UTC'
            where t.unfinished_process_id = l_id and t.status in ('Pending', 'Waiting') and rownum <= 500;
            l_rows := sql%rowcount;
            if l_rows = 500 then
                out_more := 'Y';
            end if;
            ds_worker.alarm('LateTask', l_rows || ' tasks were committed after their process had ended; they were skipped.', in_process_id => l_id);
            commit write immediate wait;
        end loop;
        delete from ds_tasks t where t.finished_at < l_cutoff and rownum <= 500;
        if sql%rowcount = 500 then
            out_more := 'Y';
        end if;
        commit write immediate wait;
        delete from ds_processes p
        where p.finished_at < l_cutoff and p.process_id <> 1 and p.running = 0
          and not exists (select 1 from ds_tasks t where t.unfinished_process_id = p.process_id)
          and rownum <= 500;
        commit write immediate wait;
        select min(g.log_id) into l_id from ds_logs g;
        select max(g.started_at) into l_at from ds_logs g where g.log_id = l_id;
        if l_at < l_cutoff then
            delete from ds_logs g where g.log_id between l_id and l_id + 2000 and g.ended_at < l_cutoff and rownum <= 500;
            if sql%rowcount = 500 then
                out_more := 'Y';
            end if;
            commit write immediate wait;
        end if;
        select min(a.alarm_id) into l_id from ds_alarms a;
        select max(a.raised_at) into l_at from ds_alarms a where a.alarm_id = l_id;
        if l_at < l_cutoff then
            delete from ds_alarms a where a.alarm_id between l_id and l_id + 2000 and a.raised_at < l_cutoff and rownum <= 500;
            commit write immediate wait;
        end if;
    end sweep;
    procedure send_home is
        l_last number := 0;
        l_lane_id number;
    begin
        loop
            select min(l.lane_id) into l_lane_id
            from ds_lanes l
            where l.lane_id > l_last and l.lane_id <= 1000 and l.state = 'Idle';
            exit when l_lane_id is null;
            l_last := l_lane_id;
            ds_wake.send_lane(l_lane_id);
        end loop;
        update ds_lanes l
        set l.state = 'Off', l.ordered_at = null, l.state_at = systimestamp at time zone 'UTC'
        where l.state = 'Starting' and l.worker_id is null;
        update ds_settings s
        set s.dispatcher_session = null, s.next_sweep_at = null
        where s.settings_id = 1;
    end send_home;
    procedure turn (in_version in varchar2, out_wait out number, out_state out varchar2) is
        l_started varchar2(1);
        l_version varchar2(30);
        l_sweep_seconds number;
        l_next_sweep timestamp with time zone;
        l_due timestamp(6);
        l_given varchar2(1);
        l_again varchar2(1) := 'N';
        l_more varchar2(1) := 'N';
        l_text varchar2(2000);
        function seconds_until (in_at in timestamp) return number is
            l_left interval day(9) to second(6) := in_at - sys_extract_utc(systimestamp);
        begin
            return ceil(extract(day from l_left) * 86400 + extract(hour from l_left) * 3600 + extract(minute from l_left) * 60 + extract(second from l_left));
        end seconds_until;
    begin
        rollback;
        out_state := 'Go';
        select s.started, s.version, s.idle_sweep_seconds, s.next_sweep_at
        into l_started, l_version, l_sweep_seconds, l_next_sweep
        from ds_settings s
        where s.settings_id = 1
        for update wait 10;
        if l_started = 'N' or l_version <> in_version then
            send_home;
            commit write immediate wait;
            out_state := 'Stop';
            out_wait := 0;
            return;
        end if;
        rollback;
        apply_requests;
        release_due;
        assign(l_given);
        if l_given = 'Y' then
            start_lanes(l_again);
        end if;
        if l_next_sweep is null or l_next_sweep <= systimestamp then
            l_next_sweep := utc_now + numtodsinterval(l_sweep_seconds, 'SECOND');
            update ds_settings s set s.next_sweep_at = l_next_sweep where s.settings_id = 1;
            commit write immediate wait;
            sweep(l_more);
            assign(l_given);
            if l_given = 'Y' then
                start_lanes(l_again);
            end if;
        end if;
        select min(t.due_utc) into l_due from ds_tasks t;
        out_wait := least(60, seconds_until(sys_extract_utc(l_next_sweep)));
        if l_due is not null then
            out_wait := least(out_wait, seconds_until(l_due));
        end if;
        if l_again = 'Y' or l_more = 'Y' then
            out_wait := least(out_wait, 1);
        end if;
        out_wait := greatest(out_wait, 0);
        rollback;
    exception
        when others then
            l_text := substrb('The dispatcher failed and will try again: ' || dbms_utility.format_error_stack || dbms_utility.format_error_backtrace, 1, 2000);
            rollback;
            out_wait := 5;
            out_state := 'Go';
            begin
                ds_worker.alarm('DispatchError', l_text);
                commit write immediate wait;
            exception
                when others then
                    rollback;
            end;
    end turn;
end ds_dispatch;
/
create or replace package body dbsched as
    procedure fail (in_number in pls_integer, in_text in varchar2) is
    begin
        raise_application_error(0 - in_number, 'dbsched ' || in_number || ': ' || in_text);
    end fail;
    procedure refuse_transaction (in_what in varchar2) is
    begin
        if dbms_transaction.local_transaction_id is not null then
            fail(20010, in_what || ' cannot be called inside a transaction: tasks that it enqueued could not start.');
        end if;
    end refuse_transaction;
    function whole_within (in_value in number, in_from in number, in_to in number) return boolean is
    begin
        return in_value is not null and in_value = trunc(in_value) and in_value between in_from and in_to;
    end whole_within;
    function own_process return number is
        l_key varchar2(24) := dbms_session.unique_session_id;
        l_process_id number;
    begin
        select max(t.process_id) into l_process_id
        from ds_lanes l
        inner join ds_tasks t on t.task_id = l.task_id
        where l.session_key = l_key and l.task_id is not null and t.worker_id = l.worker_id;
        return l_process_id;
    end own_process;
    procedure exec_async (
        in_sql in clob,
        in_execution_order in number,
        in_process_id in number default null,
        in_priority in number default 0,
        in_max_attempts in number default 1,
        in_retry_delay_seconds in number default 10,
        in_timeout_seconds in number default null,
        in_not_before in timestamp with time zone default null,
        in_expected_seconds in number default 0,
        in_resource in varchar2 default null,
        in_access in varchar2 default null,
        in_transactional in boolean default false,
        in_on_orphan in varchar2 default 'Retry',
        in_dedup_key in varchar2 default null,
        in_parameters in clob default null)
    is
        l_task_id number;
    begin
        ds_enqueue.add_task(in_sql, in_execution_order, in_process_id, in_priority, in_max_attempts, in_retry_delay_seconds, in_timeout_seconds, in_not_before,
                               in_expected_seconds, in_resource, in_access, in_transactional, in_on_orphan, in_dedup_key, in_parameters, l_task_id);
    end exec_async;
    procedure exec_async (
        in_sql in clob,
        in_execution_order in number,
        in_process_id in number default null,
        in_priority in number default 0,
        in_max_attempts in number default 1,
        in_retry_delay_seconds in number default 10,
        in_timeout_seconds in number default null,
        in_not_before in timestamp with time zone default null,
        in_expected_seconds in number default 0,
        in_resource in varchar2 default null,
        in_access in varchar2 default null,
        in_transactional in boolean default false,
        in_on_orphan in varchar2 default 'Retry',
        in_dedup_key in varchar2 default null,
        in_parameters in clob default null,
        out_task_id out number)
    is
    begin
        ds_enqueue.add_task(in_sql, in_execution_order, in_process_id, in_priority, in_max_attempts, in_retry_delay_seconds, in_timeout_seconds, in_not_before,
                               in_expected_seconds, in_resource, in_access, in_transactional, in_on_orphan, in_dedup_key, in_parameters, out_task_id);
    end exec_async;
    procedure create_process (
        in_name in varchar2,
        out_process_id out number,
        in_suspended in boolean default false,
        in_on_error in varchar2 default 'Halt',
        in_priority in number default 0,
        in_weight in number default 1,
        in_max_parallel in number default null)
    is
        l_bad varchar2(200);
        l_on_error varchar2(8);
        l_status varchar2(10) := case when in_suspended then 'Suspended' else 'Open' end;
        l_process_id number;
    begin
        if in_name is null or length(in_name) > 128 then
            fail(20012, 'in_name is NULL, empty or longer than 128 characters.');
        end if;
        l_bad := case
            when not whole_within(in_priority, -1000000, 1000000) then 'in_priority must be a whole number from -1000000 to 1000000'
            when not whole_within(in_weight, 1, 1000) then 'in_weight must be a whole number from 1 to 1000'
            when in_max_parallel is not null and not whole_within(in_max_parallel, 1, 2147483647) then 'in_max_parallel must be a whole number, 1 or more'
        end;
        if l_bad is not null then
            fail(20003, l_bad || '.');
        end if;
        l_on_error := case lower(in_on_error) when 'halt' then 'Halt' when 'continue' then 'Continue' end;
        if l_on_error is null then
            fail(20008, 'in_on_error must be Halt or Continue.');
        end if;
        l_process_id := ds_process_seq.nextval;
        insert into ds_processes
            (process_id, name, status, priority, weight, max_parallel, on_error, created_at, created_by, created_by_os_user, created_by_client)
        values
            (l_process_id, in_name, l_status, in_priority, in_weight, in_max_parallel, l_on_error, systimestamp at time zone 'UTC',
             sys_context('USERENV', 'SESSION_USER'), substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));
        out_process_id := l_process_id;
    end create_process;
    procedure request_process (in_process_id in number, in_action in varchar2) is
        l_status varchar2(10);
    begin
        if in_process_id = 1 then
            fail(20013, 'process 1 is the default process, which is always open.');
        end if;
        select max(p.status) into l_status from ds_processes p where p.process_id = in_process_id;
        if l_status is null then
            fail(20004, 'there is no process ' || nvl(to_char(in_process_id), 'NULL') || '.');
        end if;
        if l_status in ('Succeeded', 'Failed', 'Cancelled')
           or (in_action = 'Release' and l_status <> 'Suspended')
           or (in_action = 'Close' and l_status = 'Closing')
        then
            return;
        end if;
        ds_wake.send;
        insert into ds_process_requests (request_id, process_id, action, requested_at)
        values (ds_request_seq.nextval, in_process_id, in_action, systimestamp at time zone 'UTC');
    end request_process;
    procedure release_process (in_process_id in number) is
    begin
        request_process(in_process_id, 'Release');
    end release_process;
    procedure close_process (in_process_id in number) is
    begin
        request_process(in_process_id, 'Close');
    end close_process;
    procedure wait_process (
        in_process_id in number,
        in_timeout_seconds in number,
        out_result out number,
        out_status out varchar2)
    is
        l_until timestamp with time zone;
        l_tasks pls_integer;
        l_requests pls_integer;
        l_polls pls_integer := 0;
    begin
        refuse_transaction('wait_process');
        if not whole_within(in_timeout_seconds, 0, 604800) then
            fail(20003, 'in_timeout_seconds must be a whole number from 0 to 604800.');
        end if;
        select max(p.status) into out_status from ds_processes p where p.process_id = in_process_id;
        if out_status is null then
            fail(20004, 'there is no process ' || nvl(to_char(in_process_id), 'NULL') || '.');
        end if;
        if own_process = in_process_id then
            fail(20017, 'a task cannot wait for its own process.');
        end if;
        l_until := systimestamp + numtodsinterval(in_timeout_seconds, 'SECOND');
        loop
            select count(*) into l_requests from ds_process_requests r where r.process_id = in_process_id;
            select count(*) into l_tasks from ds_tasks t where t.unfinished_process_id = in_process_id and rownum <= 1;
            select max(p.status) into out_status from ds_processes p where p.process_id = in_process_id;
            if out_status = 'Succeeded' or (out_status = 'Open' and l_tasks = 0 and l_requests = 0) then
                out_result := 0;
                return;
            elsif out_status in ('Failed', 'Cancelled') then
                out_result := 1;
                return;
            elsif out_status is null then
                fail(20004, 'there is no process ' || in_process_id || ' any more.');
            elsif systimestamp >= l_until then
                out_result := 2;
                return;
            end if;
            l_polls := l_polls + 1;
            dbms_session.sleep(case when l_polls <= 10 then 0.1 else 0.5 end);
        end loop;
    end wait_process;
    procedure switch_dispatcher is
        l_before varchar2(1);
        l_after varchar2(1);
        e_no_job exception;
        pragma exception_init(e_no_job, -27475);
        e_no_such_job exception;
        pragma exception_init(e_no_such_job, -27476);
    begin
        loop
            select s.started into l_before from ds_settings s where s.settings_id = 1;
            if l_before = 'Y' then
                dbms_scheduler.enable(name => 'DS_DISPATCHER');
            else
                begin
                    dbms_scheduler.disable(name => 'DS_DISPATCHER', force => true);
                exception
                    when e_no_job or e_no_such_job then
                        null;
                end;
            end if;
            select s.started into l_after from ds_settings s where s.settings_id = 1;
            exit when l_after = l_before;
        end loop;
    end switch_dispatcher;
    procedure run_dispatcher is
        l_session varchar2(24);
        l_tries pls_integer := 0;
        e_running exception;
        pragma exception_init(e_running, -27478);
    begin
        switch_dispatcher;
        loop
            select s.dispatcher_session into l_session from ds_settings s where s.settings_id = 1;
            exit when l_session is not null and not ds_worker.lane_dead(0);
            begin
                dbms_scheduler.run_job(job_name => 'DS_DISPATCHER', use_current_session => false);
                exit;
            exception
                when e_running then
                    null;
            end;
            l_tries := l_tries + 1;
            exit when l_tries >= 50;
            dbms_session.sleep(0.1);
        end loop;
    end run_dispatcher;
    procedure start_scheduler is
        pragma autonomous_transaction;
        l_enabled pls_integer;
        l_text varchar2(1000);
    begin
        if sys_context('USERENV', 'DATABASE_ROLE') <> 'PRIMARY' then
            fail(20016, 'this database is a standby and cannot be written to.');
        end if;
        select count(*) into l_enabled
        from user_queues q
        where q.name = 'DS_WAKE_Q' and trim(q.enqueue_enabled) = 'YES' and trim(q.dequeue_enabled) = 'YES';
        if l_enabled = 0 then
            fail(20015, 'the queue DS_WAKE_Q is missing or stopped; start it with dbms_aqadm.start_queue(''DS_WAKE_Q''), or install again.');
        end if;
        update ds_settings s
        set s.changed_at = case when s.started = 'Y' then s.changed_at else systimestamp at time zone 'UTC' end,
            s.started = 'Y',
            s.next_sweep_at = null
        where s.settings_id = 1;
        ds_wake.send_now;
        commit write immediate wait;
        begin
            run_dispatcher;
        exception
            when others then
                l_text := substrb(sqlerrm, 1, 1000);
                rollback;
                fail(20015, 'the dispatcher''s job could not be started; it will be when the database''s job queue works (parameter job_queue_processes, scheduler attribute SCHEDULER_DISABLED). ' || l_text);
        end;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end start_scheduler;
    procedure stop_scheduler (in_mode in varchar2 default 'Drain') is
        pragma autonomous_transaction;
        l_mode varchar2(5) := case lower(in_mode) when 'drain' then 'Drain' when 'now' then 'Now' end;
        l_started varchar2(1);
        l_last number := 0;
        l_task_id number;
        l_process_id number;
        l_locked number;
    begin
        if l_mode is null then
            fail(20008, 'in_mode must be Drain or Now.');
        end if;
        select s.started into l_started from ds_settings s where s.settings_id = 1 for update wait 30;
        if l_started = 'Y' then
            update ds_settings s
            set s.started = 'N', s.changed_at = systimestamp at time zone 'UTC'
            where s.settings_id = 1;
        end if;
        ds_wake.send_now;
        commit write immediate wait;
        switch_dispatcher;
        while l_mode = 'Now' loop
            select /*+ index(t (lane_id)) */ min(t.task_id) into l_task_id from ds_tasks t where t.lane_id > 0 and t.task_id > l_last;
            exit when l_task_id is null;
            l_last := l_task_id;
            select max(t.process_id) into l_process_id from ds_tasks t where t.task_id = l_task_id;
            select max(p.process_id) into l_locked from ds_processes p where p.process_id = l_process_id;
            if l_locked is not null then
                select p.process_id into l_locked from ds_processes p where p.process_id = l_process_id for update wait 30;
                update ds_tasks t set t.status = 'Stopping' where t.task_id = l_task_id and t.status = 'Running';
                commit write immediate wait;
            end if;
        end loop;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end stop_scheduler;
    procedure set_workers (in_max_workers in number) is
        pragma autonomous_transaction;
        l_max_lanes number;
    begin
        if not whole_within(in_max_workers, 0, 9999) then
            fail(20003, 'in_max_workers must be a whole number, 0 or more.');
        end if;
        select s.max_lanes into l_max_lanes from ds_settings s where s.settings_id = 1 for update wait 30;
        if in_max_workers > l_max_lanes then
            fail(20009, in_max_workers || ' workers need as many lanes, and ' || l_max_lanes || ' are installed; install again with more.');
        end if;
        update ds_settings s
        set s.max_workers = in_max_workers, s.changed_at = systimestamp at time zone 'UTC'
        where s.settings_id = 1;
        ds_wake.send_now;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end set_workers;
    procedure set_policy (in_policy in varchar2) is
        pragma autonomous_transaction;
        l_policy varchar2(10) := case lower(in_policy) when 'fifo' then 'Fifo' when 'priority' then 'Priority' when 'roundrobin' then 'RoundRobin' end;
    begin
        if l_policy is null then
            fail(20008, 'in_policy must be Fifo, Priority or RoundRobin.');
        end if;
        update ds_settings s
        set s.policy = l_policy, s.changed_at = systimestamp at time zone 'UTC'
        where s.settings_id = 1;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end set_policy;
    procedure sweep is
        pragma autonomous_transaction;
        l_more varchar2(1);
    begin
        ds_dispatch.sweep(l_more);
        ds_wake.send_now;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end sweep;
    procedure task_scheduler (in_waiting_time in number default 30) is
        l_started varchar2(1);
        l_lane_id number := 1000;
        l_worker_id varchar2(32);
        l_idle_since timestamp with time zone := systimestamp;
        l_result varchar2(10);
        l_linger number;
        l_task_id number;
        l_attempt number;
        l_process_id number;
        l_log_id number;
        l_sql clob;
        l_rows number;
        l_error number;
        l_message varchar2(4000);
        l_backtrace varchar2(4000);
        l_unit varchar2(300);
        l_line number;
        l_renew varchar2(1);
        l_lost varchar2(1) := 'N';
    begin
        if sys_context('USERENV', 'SESSION_USER') <> sys_context('USERENV', 'CURRENT_USER') then
            fail(20019, 'task_scheduler runs tasks in the calling session, so only APP may call it.');
        end if;
        refuse_transaction('task_scheduler');
        if not whole_within(in_waiting_time, 0, 86400) then
            fail(20003, 'in_waiting_time must be a whole number from 0 to 86400.');
        end if;
        if own_process is not null then
            fail(20017, 'a task cannot become a worker.');
        end if;
        select s.started into l_started from ds_settings s where s.settings_id = 1;
        if l_started = 'N' then
            fail(20014, 'the scheduler is stopped; call start_scheduler first (and set_workers(0) if no other workers shall run).');
        end if;
        while l_worker_id is null loop
            l_lane_id := l_lane_id + 1;
            if l_lane_id > 1064 then
                fail(20018, '64 sessions run task_scheduler already.');
            end if;
            begin
                insert into ds_lanes (lane_id, state, state_at) values (l_lane_id, 'Off', systimestamp at time zone 'UTC');
            exception
                when dup_val_on_index then
                    null;
            end;
            commit write immediate wait;
            ds_worker.enter(l_lane_id, 0, l_worker_id);
        end loop;
        begin
            loop
                ds_worker.claim(l_lane_id, l_worker_id, '0.1.0', 'N', l_result, l_linger, l_task_id, l_attempt, l_process_id, l_log_id, l_sql);
                if l_result = 'Task' then
                    ds_run.run(l_task_id, l_process_id, l_sql, l_rows, l_error, l_message, l_backtrace, l_unit, l_line, l_renew);
                    ds_worker.complete(l_lane_id, l_worker_id, l_task_id, l_attempt, l_process_id, l_log_id, case when l_error is null then 'Succeeded' else 'Failed' end,
                                          l_rows, l_error, l_message, l_backtrace, l_unit, l_line, l_lost);
                    exit when l_lost = 'Y';
                    l_idle_since := systimestamp;
                elsif l_result = 'Idle' then
                    exit when systimestamp >= l_idle_since + numtodsinterval(in_waiting_time, 'SECOND');
                    dbms_session.sleep(0.2);
                else
                    exit;
                end if;
            end loop;
            ds_worker.leave(l_lane_id, l_worker_id, 'N');
        exception
            when others then
                l_message := substrb(sqlerrm, 1, 1500);
                ds_worker.failed(l_lane_id, l_worker_id, l_message);
                raise;
        end;
    end task_scheduler;
end dbsched;
/
create or replace view ds_alarm_info as
select a.alarm_id,
       a.raised_at,
       a.kind,
       a.process_id,
       a.task_id,
       a.lane_id,
       a.alarm_text
from ds_alarms a
/
create or replace view ds_log_info as
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
       g.worker_id,
       nvl(g.outcome, 'Running') as outcome,
       g.rows_affected,
       g.error_number,
       g.error_message,
       g.error_backtrace,
       g.error_procedure,
       g.error_line,
       g.enqueued_by
from ds_logs g
/
create or replace view ds_process_info as
select p.process_id,
       p.name,
       p.status,
       p.on_error,
       p.priority,
       p.weight,
       p.max_parallel,
       p.running,
       (select count(*) from ds_tasks t where t.unfinished_process_id = p.process_id) as unfinished,
       (select min(t.unfinished_order) from ds_tasks t where t.unfinished_process_id = p.process_id) as lowest_order,
       p.tasks_succeeded,
       p.tasks_failed,
       p.created_at,
       p.finished_at,
       p.last_served_at,
       p.created_by
from ds_processes p
/
create or replace view ds_scheduler_info as
select s.version,
       s.started,
       s.policy,
       s.max_workers,
       s.max_lanes,
       (select count(*) from ds_lanes l where l.worker_id is not null) as workers,
       (select count(*) from ds_tasks t where t.lane_id > 0) as running,
       (select count(*) from ds_tasks t where t.unfinished_process_id > 0) as unfinished,
       s.linger_seconds,
       s.idle_sweep_seconds,
       s.retention_days,
       s.max_retry_delay_seconds,
       s.max_orphans,
       s.dispatcher_session,
       s.next_sweep_at,
       s.changed_at
from ds_settings s
/
create or replace view ds_task_info as
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
       t.enqueued_by,
       t.enqueued_by_os_user,
       t.enqueued_by_client,
       g.lane_id,
       g.session_id,
       t.started_at,
       t.finished_at,
       g.error_number,
       g.error_message
from ds_tasks t
left outer join ds_processes p on p.process_id = t.process_id
left outer join ds_logs g on g.log_id = t.log_id
/
create or replace view ds_worker_info as
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
from ds_lanes l
left outer join ds_tasks t on t.task_id = l.task_id
/
declare
    l_text varchar2(2000);
begin
    for r in (select e.name, e.type, e.line, e.position, e.text
              from user_errors e
              where e.attribute = 'ERROR'
                and e.name in ('DBSCHED', 'DS_ALARM_INFO', 'DS_DISPATCH', 'DS_ENQUEUE', 'DS_LOG_INFO', 'DS_PROCESS_INFO', 'DS_RUN', 'DS_SCHEDULER_INFO', 'DS_TASK_INFO', 'DS_WAKE', 'DS_WORKER', 'DS_WORKER_INFO')
              order by e.name, e.type, e.sequence)
    loop
        l_text := substrb(l_text || ' ' || r.type || ' ' || r.name || ', line ' || r.line || ', column ' || r.position || ': ' || r.text || ';', 1, 1900);
    end loop;
    if l_text is not null then
        raise_application_error(-20097, 'dbsched 20097: something does not compile:' || l_text);
    end if;
end;
/
declare
    co_lanes constant pls_integer := 2;
    l_job varchar2(30);
    l_jobs pls_integer;
    e_running exception;
    pragma exception_init(e_running, -27478);
begin
    for i in co_lanes + 1 .. 99 loop
        l_job := 'DS_LANE_' || to_char(i, 'FM00');
        select count(*) into l_jobs from user_scheduler_jobs j where j.job_name = l_job;
        if l_jobs > 0 then
            begin
                dbms_scheduler.drop_job(job_name => l_job, force => false);
            exception
                when e_running then
                    null;
            end;
        end if;
    end loop;
    delete from ds_lanes l where l.lane_id > co_lanes and l.lane_id <= 99 and l.state in ('Off', 'Starting') and l.worker_id is null;
    commit write immediate wait;
end;
/
declare
    l_base number;
    l_free boolean;
    l_result integer;
begin
    select s.lock_base into l_base from ds_settings s where s.settings_id = 1 for update wait 30;
    while l_base is null loop
        l_base := dbms_utility.get_hash_value(rawtohex(sys_guid()) || to_char(systimestamp, 'FF6'), 0, 262144) * 4096;
        l_free := l_base + 4095 <= 1073741823;
        for i in 0 .. 1064 loop
            exit when not l_free;
            l_result := dbms_lock.request(id => l_base + i, lockmode => dbms_lock.x_mode, timeout => 0, release_on_commit => false);
            l_free := l_result = 0;
            if l_free then
                l_result := dbms_lock.release(id => l_base + i);
            end if;
        end loop;
        if l_free then
            update ds_settings s set s.lock_base = l_base where s.settings_id = 1;
        else
            l_base := null;
        end if;
    end loop;
    commit write immediate wait;
end;
/
declare
    co_version constant varchar2(30) := '0.1.0';
    co_lanes constant pls_integer := 2;
    l_locked number;
begin
    select s.settings_id into l_locked from ds_settings s where s.settings_id = 1 for update wait 30;
    update ds_settings s
    set s.version = co_version,
        s.max_lanes = co_lanes,
        s.max_workers = least(s.max_workers, co_lanes)
    where s.settings_id = 1 and (s.version is null or s.version <> co_version or s.max_lanes <> co_lanes);
    for i in 1 .. co_lanes loop
        insert into ds_lanes (lane_id, state, state_at)
        select i, 'Off', systimestamp at time zone 'UTC' from dual
        where not exists (select 1 from ds_lanes l where l.lane_id = i);
    end loop;
    commit write immediate wait;
end;
/
declare
    co_job constant varchar2(30) := 'DS_DISPATCHER';
    co_action constant varchar2(4000) := q'[declare
    l_state varchar2(4);
    l_wait number;
    l_taken pls_integer;
    l_options dbms_aq.dequeue_options_t;
    l_properties dbms_aq.message_properties_t;
    l_payload raw(32);
    l_message_id raw(16);
    e_no_message exception;
    pragma exception_init(e_no_message, -25228);
begin
    execute immediate 'alter session set current_schema = APP';
    execute immediate 'begin ds_dispatch.enter(:1); end;' using out l_state;
    l_options.dequeue_mode := dbms_aq.remove;
    l_options.navigation := dbms_aq.first_message;
    l_options.visibility := dbms_aq.on_commit;
    l_options.correlation := 'D';
    while l_state = 'Go' loop
        execute immediate 'begin ds_dispatch.turn(:1, :2, :3); end;' using in '0.1.0', out l_wait, out l_state;
        exit when l_state <> 'Go';
        l_options.wait := l_wait;
        l_taken := 0;
        begin
            loop
                dbms_aq.dequeue('APP.DS_WAKE_Q', l_options, l_properties, l_payload, l_message_id);
                l_taken := l_taken + 1;
                exit when l_taken >= 200;
                l_options.wait := dbms_aq.no_wait;
            end loop;
        exception
            when e_no_message then null;
        end;
        commit write immediate wait;
    end loop;
    execute immediate 'begin ds_dispatch.leave; end;';
exception
    when others then
        execute immediate 'begin ds_dispatch.leave; end;';
        raise;
end;]';
    l_action varchar2(4000);
begin
    select max(j.job_action) into l_action from user_scheduler_jobs j where j.job_name = co_job;
    if l_action is null then
        dbms_scheduler.create_job(
            job_name => co_job,
            job_type => 'PLSQL_BLOCK',
            job_action => co_action,
            repeat_interval => 'FREQ=MINUTELY',
            enabled => false,
            auto_drop => false,
            comments => 'dbsched: reads wake-ups and gives lanes to runnable tasks');
    elsif l_action <> co_action then
        dbms_scheduler.set_attribute(name => co_job, attribute => 'job_action', value => co_action);
    end if;
end;
/
declare
    co_job constant varchar2(30) := 'DS_LANE_01';
    co_action constant varchar2(4000) := q'[declare
    co_lane constant pls_integer := 1;
    l_worker varchar2(32);
    l_result varchar2(10);
    l_waited varchar2(1) := 'N';
    l_again varchar2(1) := 'N';
    l_lost varchar2(1);
    l_renew varchar2(1);
    l_linger number;
    l_task number;
    l_attempt number;
    l_process number;
    l_log number;
    l_sql clob;
    l_rows number;
    l_error number;
    l_text varchar2(4000);
    l_trace varchar2(4000);
    l_unit varchar2(300);
    l_line number;
    l_count pls_integer := 0;
    l_until timestamp with time zone := systimestamp + interval '1' hour;
    l_options dbms_aq.dequeue_options_t;
    l_properties dbms_aq.message_properties_t;
    l_payload raw(32);
    l_message_id raw(16);
    e_no_message exception;
    pragma exception_init(e_no_message, -25228);
begin
    execute immediate 'alter session set current_schema = APP';
    execute immediate 'begin ds_worker.enter(:1, 5, :2); end;' using in co_lane, out l_worker;
    if l_worker is null then return; end if;
    l_options.dequeue_mode := dbms_aq.remove;
    l_options.navigation := dbms_aq.first_message;
    l_options.visibility := dbms_aq.on_commit;
    l_options.correlation := 'L1';
    loop
        execute immediate 'begin ds_worker.claim(:1, :2, :3, :4, :5, :6, :7, :8, :9, :10, :11); end;'
            using in co_lane, in l_worker, in '0.1.0', in l_waited, out l_result, out l_linger,
                  out l_task, out l_attempt, out l_process, out l_log, out l_sql;
        if l_result = 'Task' then
            execute immediate 'begin ds_run.run(:1, :2, :3, :4, :5, :6, :7, :8, :9, :10); end;'
                using in l_task, in l_process, in l_sql, out l_rows, out l_error, out l_text, out l_trace, out l_unit, out l_line, out l_renew;
            l_result := case when l_error is null then 'Succeeded' else 'Failed' end;
            execute immediate 'begin ds_worker.complete(:1, :2, :3, :4, :5, :6, :7, :8, :9, :10, :11, :12, :13, :14); end;'
                using in co_lane, in l_worker, in l_task, in l_attempt, in l_process, in l_log, in l_result,
                      in l_rows, in l_error, in l_text, in l_trace, in l_unit, in l_line, out l_lost;
            l_count := l_count + 1;
            l_waited := 'N';
            if l_lost = 'Y' or l_renew = 'Y' or l_count >= 100 or systimestamp > l_until then
                l_again := 'Y';
                exit;
            end if;
        elsif l_result = 'Idle' then
            l_options.wait := l_linger;
            begin
                dbms_aq.dequeue('APP.DS_WAKE_Q', l_options, l_properties, l_payload, l_message_id);
                l_waited := 'N';
            exception
                when e_no_message then l_waited := 'Y';
            end;
            commit write immediate wait;
        else
            if l_result = 'Limit' then l_again := 'Y'; end if;
            exit;
        end if;
    end loop;
    execute immediate 'begin ds_worker.leave(:1, :2, :3); end;' using in co_lane, in l_worker, in l_again;
exception
    when others then
        l_text := substrb(dbms_utility.format_error_stack || dbms_utility.format_error_backtrace, 1, 1500);
        execute immediate 'begin ds_worker.failed(:1, :2, :3); end;' using in co_lane, in l_worker, in l_text;
end;]';
    l_action varchar2(4000);
begin
    select max(j.job_action) into l_action from user_scheduler_jobs j where j.job_name = co_job;
    if l_action is null then
        dbms_scheduler.create_job(
            job_name => co_job,
            job_type => 'PLSQL_BLOCK',
            job_action => co_action,
            enabled => false,
            auto_drop => false,
            comments => 'dbsched: worker slot 1');
    elsif l_action <> co_action then
        dbms_scheduler.set_attribute(name => co_job, attribute => 'job_action', value => co_action);
    end if;
end;
/
declare
    co_job constant varchar2(30) := 'DS_LANE_02';
    co_action constant varchar2(4000) := q'[declare
    co_lane constant pls_integer := 2;
    l_worker varchar2(32);
    l_result varchar2(10);
    l_waited varchar2(1) := 'N';
    l_again varchar2(1) := 'N';
    l_lost varchar2(1);
    l_renew varchar2(1);
    l_linger number;
    l_task number;
    l_attempt number;
    l_process number;
    l_log number;
    l_sql clob;
    l_rows number;
    l_error number;
    l_text varchar2(4000);
    l_trace varchar2(4000);
    l_unit varchar2(300);
    l_line number;
    l_count pls_integer := 0;
    l_until timestamp with time zone := systimestamp + interval '1' hour;
    l_options dbms_aq.dequeue_options_t;
    l_properties dbms_aq.message_properties_t;
    l_payload raw(32);
    l_message_id raw(16);
    e_no_message exception;
    pragma exception_init(e_no_message, -25228);
begin
    execute immediate 'alter session set current_schema = APP';
    execute immediate 'begin ds_worker.enter(:1, 5, :2); end;' using in co_lane, out l_worker;
    if l_worker is null then return; end if;
    l_options.dequeue_mode := dbms_aq.remove;
    l_options.navigation := dbms_aq.first_message;
    l_options.visibility := dbms_aq.on_commit;
    l_options.correlation := 'L2';
    loop
        execute immediate 'begin ds_worker.claim(:1, :2, :3, :4, :5, :6, :7, :8, :9, :10, :11); end;'
            using in co_lane, in l_worker, in '0.1.0', in l_waited, out l_result, out l_linger,
                  out l_task, out l_attempt, out l_process, out l_log, out l_sql;
        if l_result = 'Task' then
            execute immediate 'begin ds_run.run(:1, :2, :3, :4, :5, :6, :7, :8, :9, :10); end;'
                using in l_task, in l_process, in l_sql, out l_rows, out l_error, out l_text, out l_trace, out l_unit, out l_line, out l_renew;
            l_result := case when l_error is null then 'Succeeded' else 'Failed' end;
            execute immediate 'begin ds_worker.complete(:1, :2, :3, :4, :5, :6, :7, :8, :9, :10, :11, :12, :13, :14); end;'
                using in co_lane, in l_worker, in l_task, in l_attempt, in l_process, in l_log, in l_result,
                      in l_rows, in l_error, in l_text, in l_trace, in l_unit, in l_line, out l_lost;
            l_count := l_count + 1;
            l_waited := 'N';
            if l_lost = 'Y' or l_renew = 'Y' or l_count >= 100 or systimestamp > l_until then
                l_again := 'Y';
                exit;
            end if;
        elsif l_result = 'Idle' then
            l_options.wait := l_linger;
            begin
                dbms_aq.dequeue('APP.DS_WAKE_Q', l_options, l_properties, l_payload, l_message_id);
                l_waited := 'N';
            exception
                when e_no_message then l_waited := 'Y';
            end;
            commit write immediate wait;
        else
            if l_result = 'Limit' then l_again := 'Y'; end if;
            exit;
        end if;
    end loop;
    execute immediate 'begin ds_worker.leave(:1, :2, :3); end;' using in co_lane, in l_worker, in l_again;
exception
    when others then
        l_text := substrb(dbms_utility.format_error_stack || dbms_utility.format_error_backtrace, 1, 1500);
        execute immediate 'begin ds_worker.failed(:1, :2, :3); end;' using in co_lane, in l_worker, in l_text;
end;]';
    l_action varchar2(4000);
begin
    select max(j.job_action) into l_action from user_scheduler_jobs j where j.job_name = co_job;
    if l_action is null then
        dbms_scheduler.create_job(
            job_name => co_job,
            job_type => 'PLSQL_BLOCK',
            job_action => co_action,
            enabled => false,
            auto_drop => false,
            comments => 'dbsched: worker slot 2');
    elsif l_action <> co_action then
        dbms_scheduler.set_attribute(name => co_job, attribute => 'job_action', value => co_action);
    end if;
end;
/
