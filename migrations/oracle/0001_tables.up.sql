declare
    -- The tables of dbsched, version 1. The tables are the only truth: messages merely say "look again".
    -- Times are UTC instants. Flags are Y or N.
    co_migration constant pls_integer := 1;
{{template "up.tmpl" .}}
begin
    -- The journal comes first, so it cannot be in the journal.
    begin
        execute immediate 'create table {{.P}}install_steps (
            migration number(6) not null,
            step number(6) not null,
            done_at timestamp(6) with time zone not null,
            constraint {{.P}}install_steps_pk primary key (migration, step))';
    exception
        when e_name_in_use then
            null;
    end;

    remark('install_steps', 'steps of migrations that are done');
    remark('install_steps.migration', 'version of the migration');
    remark('install_steps.step', 'number of the step in it');
    remark('install_steps.done_at', 'when it was done');

    step('create sequence {{.P}}process_seq start with 2');
    step('create sequence {{.P}}request_seq');
    step('create sequence {{.P}}task_seq cache 100');
    step('create sequence {{.P}}log_seq cache 100');
    step('create sequence {{.P}}alarm_seq');

    -- One row: what the administrator chose. Its lock is the one short mutex of claims, assignments and settings.
    step('create table {{.P}}settings (
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
        constraint {{.P}}settings_pk primary key (settings_id),
        constraint {{.P}}settings_one_ck check (settings_id = 1),
        constraint {{.P}}settings_started_ck check (started in (''Y'', ''N'')),
        constraint {{.P}}settings_workers_ck check (max_workers >= 0),
        constraint {{.P}}settings_policy_ck check (policy in (''Fifo'', ''Priority'', ''RoundRobin'')),
        constraint {{.P}}settings_linger_ck check (linger_seconds between 0 and 3600),
        constraint {{.P}}settings_sweep_ck check (idle_sweep_seconds between 1 and 86400),
        constraint {{.P}}settings_keep_ck check (retention_days between 1 and 36500),
        constraint {{.P}}settings_delay_ck check (max_retry_delay_seconds between 0 and 86400),
        constraint {{.P}}settings_orphan_ck check (max_orphans between 0 and 100)
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

    -- Row 1 is the default process, which never ends.
    step('create table {{.P}}processes (
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
        constraint {{.P}}processes_pk primary key (process_id),
        constraint {{.P}}processes_status_ck check (status in (''Suspended'', ''Open'', ''Closing'', ''Succeeded'', ''Failed'', ''Cancelled'')),
        constraint {{.P}}processes_close_ck check (close_requested in (''Y'', ''N'')),
        constraint {{.P}}processes_weight_ck check (weight between 1 and 1000),
        constraint {{.P}}processes_parallel_ck check (max_parallel >= 1),
        constraint {{.P}}processes_on_error_ck check (on_error in (''Halt'', ''Continue'')),
        constraint {{.P}}processes_work_ck check (has_work in (''Y'', ''N''))
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
    step('create index {{.P}}processes_work_ix on {{.P}}processes (work_process_id)');
    step('create index {{.P}}processes_open_ix on {{.P}}processes (open_process_id)');
    step('create index {{.P}}processes_finished_ix on {{.P}}processes (finished_at)');

    -- "Release" and "close" are rows of the caller's transaction, applied by the dispatcher after its commit; an update
    -- of the process row instead would hold up every worker until the caller commits.
    step('create table {{.P}}process_requests (
        request_id number(19) not null,
        process_id number(10) not null,
        action varchar2(7) not null,
        requested_at timestamp(6) with time zone not null,
        constraint {{.P}}process_requests_pk primary key (request_id),
        constraint {{.P}}process_requests_act_ck check (action in (''Release'', ''Close''))
    ) initrans 8');
    remark('process_requests', 'releases and closes that the dispatcher has still to carry out');
    remark('process_requests.request_id', 'number of the request, in order of asking');
    remark('process_requests.process_id', 'the process asked about');
    remark('process_requests.action', 'Release (Suspended -> Open or Closing) or Close (Open -> Closing)');
    remark('process_requests.requested_at', 'when it was asked');
    step('create index {{.P}}process_requests_ix on {{.P}}process_requests (process_id)');

    -- One row per task, kept after its end until retention removes it. No foreign key to processes: tasks outlive none,
    -- and an unindexed one would lock. An index entry whose columns are all NULL is not stored, so the indexes on the
    -- virtual columns hold exactly the claimable, the unfinished and the waiting rows.
    step('create table {{.P}}tasks (
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
        constraint {{.P}}tasks_pk primary key (task_id),
        constraint {{.P}}tasks_status_ck check (status in (''Pending'', ''Waiting'', ''Running'', ''Stopping'', ''Succeeded'', ''Failed'', ''TimedOut'', ''Cancelled'', ''Skipped'')),
        constraint {{.P}}tasks_reason_ck check (wait_reason in (''Delay'', ''Retry'', ''Resource'', ''Suspended'')),
        constraint {{.P}}tasks_orphan_ck check (on_orphan in (''Retry'', ''Fail'')),
        constraint {{.P}}tasks_due_ck check (due_at is null or status = ''Waiting''),
        constraint {{.P}}tasks_worker_ck check (worker_id is null or status in (''Running'', ''Stopping''))
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
    step('create index {{.P}}tasks_claim_ix on {{.P}}tasks (claim_process_id, claim_order, claim_priority, claim_expected, claim_task_id) initrans 16');
    step('create index {{.P}}tasks_unfinished_ix on {{.P}}tasks (unfinished_process_id, unfinished_order) initrans 16');
    step('create index {{.P}}tasks_due_ix on {{.P}}tasks (due_utc) initrans 8');
    step('create index {{.P}}tasks_worker_ix on {{.P}}tasks (lane_id) initrans 16');
    step('create index {{.P}}tasks_finished_ix on {{.P}}tasks (finished_at) initrans 8');

    -- One row per attempt, committed before the task runs and completed after.
    step('create table {{.P}}logs (
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
        constraint {{.P}}logs_pk primary key (log_id),
        constraint {{.P}}logs_outcome_ck check (outcome in (''Succeeded'', ''Failed'', ''Orphaned'', ''TimedOut'', ''Cancelled''))
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

    step('create table {{.P}}lanes (
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
        constraint {{.P}}lanes_pk primary key (lane_id),
        constraint {{.P}}lanes_state_ck check (state in (''Off'', ''Starting'', ''Idle'', ''Assigned'', ''Busy''))
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

    step('create table {{.P}}alarms (
        alarm_id number(19) not null,
        raised_at timestamp(6) with time zone not null,
        kind varchar2(20) not null,
        process_id number(10),
        task_id number(19),
        lane_id number(4),
        alarm_text varchar2(2000) not null,
        constraint {{.P}}alarms_pk primary key (alarm_id)
    )');
    remark('alarms', 'what a person should look at');
    remark('alarms.alarm_id', 'number of the alarm');
    remark('alarms.raised_at', 'when it was raised');
    remark('alarms.kind', 'ProcessFailed, LateTask, LostCompletion, DispatchError, WorkerError, LaneNotStarted or LaneHeld');
    remark('alarms.process_id', 'process it is about');
    remark('alarms.task_id', 'task it is about');
    remark('alarms.lane_id', 'lane it is about');
    remark('alarms.alarm_text', 'what happened and what to do');

    -- A row and not a package variable, so that a rollback to a savepoint takes marker and message back together.
    step('create global temporary table {{.P}}wake_sent (
        sent_at timestamp(6) with time zone not null
    ) on commit delete rows');
    remark('wake_sent', 'a row once the transaction that is open has sent its wake-up');
    remark('wake_sent.sent_at', 'when it was sent');

    step('insert into {{.P}}settings (settings_id, changed_at)
          select 1, systimestamp at time zone ''UTC'' from dual
          where not exists (select 1 from {{.P}}settings)');
    step('insert into {{.P}}processes (process_id, name, status, on_error, created_at, created_by)
          select 1, ''default'', ''Open'', ''Continue'', systimestamp at time zone ''UTC'', user from dual
          where not exists (select 1 from {{.P}}processes)');
end;
