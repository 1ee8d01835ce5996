declare
    -- The tables of dbsched. They hold the whole state: messages are only wake-ups. All times are UTC. Flags are Y or N.
    -- INITRANS 64: a full leaf block cannot add transaction slots. If open enqueuers hold all of them, the next session waits
    -- until one of them ends, even a worker that holds the lock on the settings row (Performance Tuning Guide,
    -- enq: TX - allocate ITL entry). PCTFREE 30: rows of tasks and logs grow when they end. PCTFREE 50, for
    -- marks: so few rows fit into a block that each may be of another open transaction. (An index uses PCTFREE only while it is built.)
    co_migration constant pls_integer := 1;
{{template "up.tmpl" .}}
begin
    -- The journal is created first, so it cannot record itself.
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

    remark('install_steps', 'completed steps of migrations');
    remark('install_steps.migration', 'version of the migration');
    remark('install_steps.step', 'number of the step in it');
    remark('install_steps.done_at', 'when it was done');

    -- Ordered, where numbers tell the order in time: on a cluster, each instance would otherwise use its own block of them.
    step('create sequence {{.P}}process_seq start with 2 order');
    step('create sequence {{.P}}request_seq order');
    step('create sequence {{.P}}task_seq cache 100 order');
    step('create sequence {{.P}}log_seq cache 100 order');
    step('create sequence {{.P}}alarm_seq order');
    step('create sequence {{.P}}resource_seq');
    step('create sequence {{.P}}line_seq cache 100 order');
    step('create sequence {{.P}}round_seq');
    step('create sequence {{.P}}firing_seq order');
    step('create sequence {{.P}}schedule_seq');
    step('create sequence {{.P}}schedule_firing_seq order');

    -- Settings: one row with the administrator's settings. Its lock is the only short mutex of claims, assignments and settings.
    step('create table {{.P}}settings (
        settings_id number(1) not null,
        version varchar2(30),
        started varchar2(1) default ''N'' not null,
        max_workers number(4) default 4 not null,
        max_lanes number(4) default 0 not null,
        policy varchar2(10) default ''RoundRobin'' not null,
        linger_seconds number(4) default 15 not null,
        idle_sweep_seconds number(5) default 60 not null,
        retention_days number(5) default 30 not null,
        max_retry_delay_seconds number(5) default 3600 not null,
        max_orphans number(3) default 3 not null,
        outage_seconds number(7) default 86400 not null,
        max_tasks_per_user number(10) default 0 not null constraint {{.P}}settings_tasks_ck check (max_tasks_per_user >= 0),
        default_timeout_seconds number(10) default 0 not null constraint {{.P}}settings_timeout_ck check (default_timeout_seconds >= 0),
        alarm_hook varchar2(400),
        alarm_hook_process_id number(10),
        alarm_hook_by varchar2(140),
        alarm_hook_by_os_user varchar2(128),
        alarm_hook_by_client varchar2(64),
        runner varchar2(128),
        salt varchar2(64),
        lock_base number(10),
        home varchar2(400),
        home_guid varchar2(100),
        also_on varchar2(1200),
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
        constraint {{.P}}settings_orphan_ck check (max_orphans between 0 and 100),
        constraint {{.P}}settings_outage_ck check (outage_seconds between 0 and 2592000)
    ) initrans 16');
    remark('settings', 'one row with the administrator''s settings; its lock orders claims, assignments and changes of settings');
    remark('settings.settings_id', 'always 1: the table has one row');
    remark('settings.version', 'version of the installed packages; workers of other versions leave');
    remark('settings.started', 'Y between start_scheduler and stop_scheduler');
    remark('settings.max_workers', 'workers that may run at once, 0 = paused');
    remark('settings.max_lanes', 'installed lanes, the upper limit of max_workers');
    remark('settings.policy', 'which process is served first: Fifo, Priority or RoundRobin');
    remark('settings.linger_seconds', 'seconds that an idle worker waits for work before it ends');
    remark('settings.idle_sweep_seconds', 'seconds between two sweeps');
    remark('settings.retention_days', 'days to keep ended tasks, processes, logs and alarms');
    remark('settings.max_retry_delay_seconds', 'longest delay before a retry, in seconds');
    remark('settings.max_orphans', 'how often a task is run again after its worker died');
    remark('settings.outage_seconds', 'seconds for which a task is tried that the server cannot begin');
    remark('settings.max_tasks_per_user', 'unfinished tasks that a user may have who is no administrator; 0 = no limit');
    remark('settings.default_timeout_seconds', 'time limit of new tasks that name none, in seconds; 0 = none');
    remark('settings.lock_base', 'first DBMS_LOCK id of this installation: the dispatcher''s; lane n has lock_base + n');
    remark('settings.home', 'database and schema in which the scheduler was started; NULL = never; tasks run nowhere else');
    remark('settings.home_guid', 'GUID of its container; NULL = could not be read');
    remark('settings.also_on', 'names of databases to which it may move, separated by commas; NULL = none');
    remark('settings.dispatcher_session', 'unique session id of the dispatcher; NULL = not running');
    remark('settings.next_sweep_at', 'when the next sweep is due');
    remark('settings.changed_at', 'last start, stop or change of a setting');
    remark('settings.alarm_hook', 'procedure called for each alarm, as written in a block; NULL = none');
    remark('settings.alarm_hook_process_id', 'process of the tasks that call it');
    remark('settings.alarm_hook_by', 'user that set the hook and owns those tasks, as {{.PU}}RIGHTS.SUBMITTER returns it: name, # and USER_ID');
    remark('settings.alarm_hook_by_os_user', 'operating system user of that session');
    remark('settings.alarm_hook_by_client', 'client identifier of that session');
    remark('settings.runner', 'user that owns the lanes'' jobs and runs tasks; NULL = the owner');
    remark('settings.salt', 'secret in the names of workers, so that tasks cannot guess one');

    -- Processes: named groups of tasks. Row 1 is the default process, which never ends.
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
        wave_order number(10),
        wave_key number default 0 not null,
        last_served_at timestamp(6) with time zone,
        tasks_succeeded number(19) default 0 not null,
        tasks_failed number(19) default 0 not null,
        created_at timestamp(6) with time zone not null,
        finished_at timestamp(6) with time zone,
        created_by varchar2(140) not null,
        created_by_os_user varchar2(128),
        created_by_client varchar2(64),
        schedule_id number(10),
        firing_id number(19),
        open_schedule_id number generated always as (case when finished_at is null then schedule_id end) virtual,
        work_process_id number generated always as (case when has_work = ''Y'' then process_id end) virtual,
        open_process_id number generated always as (case when finished_at is null then process_id end) virtual,
        constraint {{.P}}processes_pk primary key (process_id) using index (create unique index {{.P}}processes_pk on {{.P}}processes (process_id) initrans 64),
        constraint {{.P}}processes_status_ck check (status in (''Suspended'', ''Open'', ''Closing'', ''Succeeded'', ''Failed'', ''Cancelled'')),
        constraint {{.P}}processes_close_ck check (close_requested in (''Y'', ''N'')),
        constraint {{.P}}processes_weight_ck check (weight between 1 and 1000),
        constraint {{.P}}processes_parallel_ck check (max_parallel >= 1),
        constraint {{.P}}processes_on_error_ck check (on_error in (''Halt'', ''Continue'')),
        constraint {{.P}}processes_work_ck check (has_work in (''Y'', ''N''))
    ) initrans 16');
    remark('processes', 'named groups of tasks; row 1 is the default process and row 0 that of schedules; both never end');
    remark('processes.process_id', 'number of the process; older processes have lower numbers');
    remark('processes.name', 'display name; need not be unique');
    remark('processes.status', 'Suspended, Open, Closing, Succeeded, Failed or Cancelled');
    remark('processes.close_requested', 'Y = no more tasks; a suspended process closes when it is released');
    remark('processes.priority', 'higher is served first under policy Priority');
    remark('processes.weight', 'share under policy RoundRobin, at least 1');
    remark('processes.max_parallel', 'most tasks of this process that run at once; NULL = no limit');
    remark('processes.on_error', 'Halt: a failed task ends the process; Continue: it does not');
    remark('processes.running', 'running tasks; maintained by claim and completion under this row''s lock');
    remark('processes.has_work', 'Y = may have claimable tasks; N only when there were none; maintained by dispatcher, claim and completion');
    remark('processes.wave_order', 'wave that claims are in: none of its process with a lower order is unfinished; NULL = look from the beginning');
    remark('processes.wave_key', 'claim_key of the last task that they have passed in that wave, the watermark: none up to it is Pending');
    remark('processes.last_served_at', 'when a task of this process was last claimed');
    remark('processes.tasks_succeeded', 'tasks that succeeded');
    remark('processes.tasks_failed', 'tasks that finally failed');
    remark('processes.created_at', 'when it was created');
    remark('processes.finished_at', 'when it became Succeeded, Failed or Cancelled');
    remark('processes.created_by', 'user that created it and may add tasks: name, # and USER_ID');
    remark('processes.created_by_os_user', 'operating system user of that session');
    remark('processes.created_by_client', 'client identifier of that session');
    remark('processes.schedule_id', 'schedule that made it; NULL = a user did');
    remark('processes.firing_id', 'firing of that schedule');
    remark('processes.open_schedule_id', 'schedule_id while unfinished, else NULL, so that the index of a schedule''s unfinished processes has only those rows');
    remark('processes.work_process_id', 'process_id while has_work is Y, else NULL, so that the index for claims has only those rows');
    remark('processes.open_process_id', 'process_id while unfinished, else NULL, so that the index of unfinished processes has only those rows');
    step('create index {{.P}}processes_work_ix on {{.P}}processes (work_process_id) initrans 64');
    step('create index {{.P}}processes_open_ix on {{.P}}processes (open_process_id) initrans 64');
    step('create index {{.P}}processes_schedule_ix on {{.P}}processes (open_schedule_id) initrans 64');
    step('create index {{.P}}processes_firing_ix on {{.P}}processes (firing_id) initrans 64');
    step('create index {{.P}}processes_finished_ix on {{.P}}processes (finished_at) initrans 64');

    -- Requests: "release" and "close" are rows of the caller's transaction, which the dispatcher applies after the commit. An
    -- UPDATE of the process row would instead block all workers until the caller commits.
    step('create table {{.P}}process_requests (
        request_id number(19) not null,
        process_id number(10) not null,
        action varchar2(7) not null,
        requested_at timestamp(6) with time zone not null,
        constraint {{.P}}process_requests_pk primary key (request_id) using index (create unique index {{.P}}process_requests_pk on {{.P}}process_requests (request_id) initrans 64),
        constraint {{.P}}process_requests_act_ck check (action in (''Release'', ''Close''))
    ) initrans 8');
    remark('process_requests', 'requests to release or close a process that the dispatcher has not applied yet');
    remark('process_requests.request_id', 'order of the requests');
    remark('process_requests.process_id', 'the process');
    remark('process_requests.action', 'Release (Suspended -> Open or Closing) or Close (Open -> Closing)');
    remark('process_requests.requested_at', 'when it was requested');
    step('create index {{.P}}process_requests_ix on {{.P}}process_requests (process_id) initrans 64');

    -- Tasks: one row per task, kept after its end for retention_days. No foreign key to processes: without an index of its own
    -- it would lock the table. Indexes do not store entries with only NULLs, so the indexes on the virtual columns contain
    -- exactly the claimable, the unfinished and the waiting rows.
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
        outage_since timestamp(6) with time zone,
        timeout_seconds number(10) constraint {{.P}}tasks_timeout_ck check (timeout_seconds >= 1),
        stop_outcome varchar2(10) constraint {{.P}}tasks_stop_ck check (stop_outcome in (''TimedOut'', ''Cancelled'')),
        stop_at timestamp(6) with time zone,
        stop_tries number(10) default 0 not null,
        dedup_key varchar2(200 char),
        duplicate_of number(19),
        parameters clob,
        transactional varchar2(1) default ''N'' not null constraint {{.P}}tasks_transactional_ck check (transactional in (''Y'', ''N'')),
        resource_id number(10),
        access_mode varchar2(9) constraint {{.P}}tasks_access_ck check (access_mode in (''Shared'', ''Exclusive'')),
        enqueued_at timestamp(6) with time zone not null,
        enqueued_by varchar2(140) not null,
        enqueued_by_os_user varchar2(128),
        enqueued_by_client varchar2(64),
        user_tasks number(10),
        lane_id number(4),
        worker_id varchar2(32),
        log_id number(19),
        started_at timestamp(6) with time zone,
        finished_at timestamp(6) with time zone,
        name varchar2(128 char),
        claim_process_id number generated always as (case when status = ''Pending'' then process_id end) virtual,
        claim_order number generated always as (case when status = ''Pending'' then execution_order end) virtual,
        claim_key number generated always as
            (case when status = ''Pending'' then task_id + ((1000000 - priority) * 10000000000 + 9999999999 - expected_seconds) * 10000000000000000000 end) virtual,
        waiting_process_id number generated always as (case when status = ''Waiting'' then process_id end) virtual,
        waiting_order number generated always as (case when status = ''Waiting'' then execution_order end) virtual,
        unfinished_process_id number generated always as (case when finished_at is null then process_id end) virtual,
        unfinished_order number generated always as (case when finished_at is null then execution_order end) virtual,
        due_utc timestamp(6) generated always as (sys_extract_utc(due_at)) virtual,
        stop_utc timestamp(6) generated always as (sys_extract_utc(stop_at)) virtual,
        unwell_process_id number generated always as (case when status in (''Failed'', ''TimedOut'', ''Cancelled'', ''Skipped'') then process_id end) virtual,
        unfinished_key varchar2(200 char) generated always as (case when finished_at is null then dedup_key end) virtual,
        counted_by generated always as (case when finished_at is null and user_tasks > 0 then standard_hash(enqueued_by) end) virtual,
        counted_task_id number generated always as (case when finished_at is null and user_tasks > 0 then task_id end) virtual,
        constraint {{.P}}tasks_pk primary key (task_id) using index (create unique index {{.P}}tasks_pk on {{.P}}tasks (task_id) initrans 64),
        constraint {{.P}}tasks_status_ck check (status in (''Pending'', ''Waiting'', ''Running'', ''Stopping'', ''Succeeded'', ''Failed'', ''TimedOut'', ''Cancelled'', ''Skipped'')),
        constraint {{.P}}tasks_reason_ck check (wait_reason in (''Delay'', ''Retry'', ''Outage'', ''Resource'', ''Suspended'')),
        constraint {{.P}}tasks_orphan_ck check (on_orphan in (''Retry'', ''Fail'')),
        constraint {{.P}}tasks_due_ck check (due_at is null or status = ''Waiting''),
        constraint {{.P}}tasks_worker_ck check (worker_id is null or status in (''Running'', ''Stopping''))
    ) pctfree 30 initrans 16');
    remark('tasks', 'one row per task, kept after its end for retention_days');
    remark('tasks.task_id', 'number of the task, in order of enqueueing');
    remark('tasks.process_id', 'process it belongs to');
    remark('tasks.execution_order', 'its wave: all lower orders end before it starts');
    remark('tasks.priority', 'within the wave, higher starts first');
    remark('tasks.expected_seconds', 'within the priority, longer starts first; 0 = unknown');
    remark('tasks.status', 'Pending, Waiting, Running, Stopping, Succeeded, Failed, TimedOut, Cancelled or Skipped');
    remark('tasks.wait_reason', 'why it is Waiting: Delay, Retry, Outage, Suspended or Resource');
    remark('tasks.due_at', 'when a Waiting task becomes Pending');
    remark('tasks.name', 'what people call it; need not be unique');
    remark('tasks.sql_text', 'the SQL statement or PL/SQL block to run');
    remark('tasks.max_attempts', 'most attempts, the first included');
    remark('tasks.retry_delay_seconds', 'delay before the first retry, doubled for each further retry');
    remark('tasks.on_orphan', 'if its worker dies: Retry or Fail');
    remark('tasks.attempt', 'number of the current or last attempt; 0 = never started');
    remark('tasks.failures', 'attempts that failed');
    remark('tasks.orphans', 'attempts whose worker died');
    remark('tasks.outage_since', 'since when the server cannot begin it; NULL = its last attempt began');
    remark('tasks.enqueued_at', 'when it was enqueued');
    remark('tasks.enqueued_by', 'user that enqueued it: name, # and USER_ID');
    remark('tasks.enqueued_by_os_user', 'operating system user of that session');
    remark('tasks.enqueued_by_client', 'client identifier of that session');
    remark('tasks.lane_id', 'lane that runs it; NULL unless Running or Stopping');
    remark('tasks.worker_id', 'worker that runs it; NULL unless Running or Stopping');
    remark('tasks.log_id', 'log row of the current or last attempt');
    remark('tasks.started_at', 'start of the current or last attempt');
    remark('tasks.finished_at', 'when it reached a final status');
    remark('tasks.claim_process_id', 'process_id while Pending, else NULL: first column of the claim''s index');
    remark('tasks.claim_order', 'execution_order while Pending, else NULL');
    remark('tasks.claim_key', 'priority, expected_seconds and task_id in one number while Pending, else NULL: ascending order is the claim''s order');
    remark('tasks.waiting_process_id', 'process_id while Waiting, else NULL: the wave of waiting tasks is not over');
    remark('tasks.waiting_order', 'execution_order while Waiting, else NULL');
    remark('tasks.unfinished_process_id', 'process_id while unfinished, else NULL: first column of the barrier''s index');
    remark('tasks.unfinished_order', 'execution_order while unfinished, else NULL');
    remark('tasks.due_utc', 'due_at without its zone: an index on a TIMESTAMP WITH TIME ZONE column is on an expression, which min() cannot use');
    remark('tasks.timeout_seconds', 'seconds that an attempt may run; NULL = no limit');
    remark('tasks.stop_outcome', 'while Stopping: its outcome unless it still succeeds; NULL = Cancelled');
    remark('tasks.stop_at', 'when the dispatcher ends the attempt''s session, or checks again whether it has ended');
    remark('tasks.stop_tries', 'how often it has tried for this attempt');
    remark('tasks.stop_utc', 'stop_at without its zone, so that min() can use the index, which has only running attempts');
    remark('tasks.unwell_process_id', 'process_id if the task did not succeed, else NULL; for a retry of its process');
    remark('tasks.dedup_key', 'a user has one unfinished task per key in a process; duplicates are skipped');
    remark('tasks.duplicate_of', 'of a Skipped duplicate: the task with the same key');
    remark('tasks.parameters', 'values bound to the text, a JSON object');
    remark('tasks.transactional', 'Y = task and completion are one transaction');
    remark('tasks.unfinished_key', 'dedup_key while unfinished, else NULL, so that the index of keys has only those rows');
    remark('tasks.user_tasks', 'unfinished tasks of its user when it was added, at most, itself included; NULL = not counted');
    remark('tasks.counted_by', 'hash of enqueued_by while unfinished and counted, else NULL: compared the same way in every session');
    remark('tasks.counted_task_id', 'task_id while unfinished and counted, else NULL');
    remark('tasks.resource_id', 'resource that an attempt needs; NULL = none');
    remark('tasks.access_mode', 'how it uses the resource: Shared or Exclusive');
    step('create index {{.P}}tasks_claim_ix on {{.P}}tasks (claim_process_id, claim_order, claim_key) initrans 64');
    step('create index {{.P}}tasks_waiting_ix on {{.P}}tasks (waiting_process_id, waiting_order) initrans 64');
    step('create index {{.P}}tasks_unfinished_ix on {{.P}}tasks (unfinished_process_id, unfinished_order) initrans 64');
    step('create index {{.P}}tasks_due_ix on {{.P}}tasks (due_utc) initrans 64');
    step('create index {{.P}}tasks_worker_ix on {{.P}}tasks (lane_id) initrans 64');
    step('create index {{.P}}tasks_finished_ix on {{.P}}tasks (finished_at) initrans 64');
    step('create index {{.P}}tasks_stop_ix on {{.P}}tasks (stop_utc) initrans 64');
    step('create index {{.P}}tasks_unwell_ix on {{.P}}tasks (unwell_process_id) initrans 64');
    step('create index {{.P}}tasks_user_ix on {{.P}}tasks (counted_by, counted_task_id) initrans 64');
    step('create index {{.P}}tasks_key_ix on {{.P}}tasks (unfinished_key) initrans 64');

    -- Logs: one row per attempt, committed before the task runs and completed afterwards.
    step('create table {{.P}}logs (
        log_id number(19) not null,
        task_id number(19) not null,
        process_id number(10) not null,
        execution_order number(10) not null,
        attempt number(10) not null,
        sql_text varchar2(4000) not null,
        enqueued_by varchar2(140) not null,
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
        task_name varchar2(128 char),
        constraint {{.P}}logs_pk primary key (log_id) using index (create unique index {{.P}}logs_pk on {{.P}}logs (log_id) initrans 64),
        constraint {{.P}}logs_outcome_ck check (outcome in (''Succeeded'', ''Failed'', ''Orphaned'', ''TimedOut'', ''Cancelled'', ''Outage''))
    ) pctfree 30 initrans 16');
    remark('logs', 'one row per attempt, committed before the task runs and completed afterwards');
    remark('logs.log_id', 'number of the attempt, in order of start');
    remark('logs.task_id', 'the task');
    remark('logs.process_id', 'its process');
    remark('logs.execution_order', 'its wave');
    remark('logs.attempt', 'number of this attempt, from 1');
    remark('logs.task_name', 'the task''s name');
    remark('logs.sql_text', 'first 1,000 characters of the text, kept after the task is purged');
    remark('logs.enqueued_by', 'user that enqueued it: name, # and USER_ID');
    remark('logs.lane_id', 'lane that ran it; above 1000: a session that called task_scheduler');
    remark('logs.worker_id', 'worker (one run of the lane''s job) that ran it');
    remark('logs.session_id', 'SID of the session that ran it');
    remark('logs.session_key', 'unique session id (DBMS_SESSION.UNIQUE_SESSION_ID) of that session');
    remark('logs.started_at', 'start of the attempt');
    remark('logs.ended_at', 'end of the attempt; NULL while it runs');
    remark('logs.outcome', 'Succeeded, Failed, Orphaned, TimedOut, Cancelled or Outage; NULL while it runs');
    remark('logs.error_number', 'number of the ORA error that ended it, without sign');
    remark('logs.error_message', 'error stack');
    remark('logs.error_backtrace', 'error backtrace, the innermost unit first');
    remark('logs.error_procedure', 'unit that raised it; NULL = the task''s text');
    remark('logs.error_line', 'line in that unit or text');
    remark('logs.rows_affected', 'rows of the statement, or rows fetched by the query');

    step('create table {{.P}}lanes (
        lane_id number(4) not null,
        state varchar2(8) default ''Off'' not null,
        state_at timestamp(6) with time zone not null,
        ordered_at timestamp(6) with time zone,
        worker_id varchar2(32),
        session_id number(10),
        instance_id number(5),
        session_key varchar2(24),
        condemned_by varchar2(24),
        entered_at timestamp(6) with time zone,
        submitter varchar2(140),
        constraint {{.P}}lanes_pk primary key (lane_id),
        constraint {{.P}}lanes_state_ck check (state in (''Off'', ''Starting'', ''Idle'', ''Assigned'', ''Busy''))
    ) initrans 16');
    remark('lanes', 'slots in which workers run; lanes above 1000 are sessions in task_scheduler');
    remark('lanes.lane_id', 'number of the lane');
    remark('lanes.state', 'Off (no session), Starting (its job is ordered), Idle (its session waits), Assigned (a wake-up is on its way) or Busy');
    remark('lanes.state_at', 'when the state last changed');
    remark('lanes.ordered_at', 'while Starting: when RUN_JOB accepted the order; NULL = not yet');
    remark('lanes.worker_id', 'worker that holds the lane; NULL = none');
    remark('lanes.session_id', 'SID of its session');
    remark('lanes.instance_id', 'number of the instance that its session is or was on');
    remark('lanes.session_key', 'unique session id (DBMS_SESSION.UNIQUE_SESSION_ID) of its session');
    remark('lanes.entered_at', 'when it took the lane');
    remark('lanes.submitter', 'enqueuer of the last task that its session ran: name, # and USER_ID; NULL = none yet');
    remark('lanes.condemned_by', 'unique session id of the dispatcher that is ending the lane''s session; until it has recorded the outcome, the lane does not claim and is not started');
    step('create index {{.P}}lanes_condemned_ix on {{.P}}lanes (condemned_by)');
    step('create index {{.P}}lanes_session_ix on {{.P}}lanes (session_key) initrans 8');

    -- Resources: named semaphores. A change of a resource's line holds the lock on its row here.
    step('create table {{.P}}resources (
        resource_id number(10) not null,
        name varchar2(128 char) not null,
        capacity number(7) not null,
        created_at timestamp(6) with time zone not null,
        changed_at timestamp(6) with time zone not null,
        constraint {{.P}}resources_pk primary key (resource_id),
        constraint {{.P}}resources_name_uk unique (name),
        constraint {{.P}}resources_capacity_ck check (capacity >= 1)
    ) initrans 8');
    remark('resources', 'named semaphores; a change of a resource''s line holds the lock on its row');
    remark('resources.resource_id', 'number of the resource; to lock several, lock lower numbers first');
    remark('resources.name', 'its name, case-sensitive');
    remark('resources.capacity', 'units that may be held at once');
    remark('resources.created_at', 'when it was defined');
    remark('resources.changed_at', 'when its capacity was last set');

    -- Requests: the lines of resources. A row exists from request to release; holders come before waiting requests.
    step('create table {{.P}}resource_requests (
        resource_id number(10) not null,
        request_id number(19) not null,
        status varchar2(8) not null,
        access_mode varchar2(9) not null,
        requester varchar2(128 char) not null,
        process_id number(10),
        task_id number(19),
        session_id number(10),
        session_key varchar2(24),
        lease_seconds number(6),
        lease_until timestamp(6) with time zone,
        give_up_at timestamp(6) with time zone,
        requested_at timestamp(6) with time zone not null,
        granted_at timestamp(6) with time zone,
        requested_by varchar2(140) not null,
        requested_by_os_user varchar2(128),
        requested_by_client varchar2(64),
        session_request_id number generated always as (case when session_key is not null then request_id end) virtual,
        reserved_request_id number generated always as (case when status = ''Reserved'' and session_key is null then request_id end) virtual,
        lease_utc timestamp(6) generated always as (sys_extract_utc(lease_until)) virtual,
        constraint {{.P}}line_pk primary key (request_id),
        constraint {{.P}}line_status_ck check (status in (''Waiting'', ''Reserved'', ''Granted'')),
        constraint {{.P}}line_access_ck check (access_mode in (''Shared'', ''Exclusive'')),
        constraint {{.P}}line_lease_ck check (lease_seconds >= 1),
        constraint {{.P}}line_whose_ck check (task_id is not null or session_key is not null)
    ) initrans 8');
    remark('resource_requests', 'the lines of resources; a row exists from request to release');
    remark('resource_requests.resource_id', 'the resource');
    remark('resource_requests.request_id', 'place in the line: assigned under the lock on the resource''s row, held until the commit');
    remark('resource_requests.status', 'Waiting; Reserved: granted, but the requester has not been told yet; Granted');
    remark('resource_requests.access_mode', 'Shared: one unit; Exclusive: all units');
    remark('resource_requests.requester', 'name of the requester');
    remark('resource_requests.process_id', 'process of the task; NULL outside tasks');
    remark('resource_requests.task_id', 'task that names the resource, or that called acquire_resource');
    remark('resource_requests.session_id', 'SID of the session that called acquire_resource; NULL for a task that names the resource');
    remark('resource_requests.session_key', 'unique session id (DBMS_SESSION.UNIQUE_SESSION_ID) of that session');
    remark('resource_requests.lease_seconds', 'seconds that it may be held; NULL = until the session or the task ends');
    remark('resource_requests.lease_until', 'when the lease runs out; NULL until it is granted');
    remark('resource_requests.give_up_at', 'when a session that still waits is considered gone');
    remark('resource_requests.requested_at', 'when it was requested');
    remark('resource_requests.granted_at', 'when it was granted');
    remark('resource_requests.requested_by', 'user that requested it: name, # and USER_ID');
    remark('resource_requests.requested_by_os_user', 'operating system user of that session');
    remark('resource_requests.requested_by_client', 'client identifier of that session');
    remark('resource_requests.session_request_id', 'request_id of sessions, else NULL, so that the index for finding dead ones has only those rows');
    remark('resource_requests.reserved_request_id', 'request_id of tasks that are granted but not Pending yet, else NULL');
    remark('resource_requests.lease_utc', 'lease_until without its zone, so that min() can use the index');
    step('create index {{.P}}line_order_ix on {{.P}}resource_requests (resource_id, status, request_id) initrans 8');
    step('create index {{.P}}line_task_ix on {{.P}}resource_requests (process_id, task_id) initrans 8');
    step('create index {{.P}}line_session_ix on {{.P}}resource_requests (session_request_id) initrans 8');
    step('create index {{.P}}line_reserved_ix on {{.P}}resource_requests (reserved_request_id) initrans 8');
    step('create index {{.P}}line_lease_ix on {{.P}}resource_requests (lease_utc) initrans 8');

    -- Rounds: the successor starts when all members have succeeded. Reports lock the round's row first.
    step('create table {{.P}}rounds (
        round_id number(10) not null,
        name varchar2(128 char) not null,
        generation number(19) default 1 not null,
        job_owner varchar2(128),
        job_name varchar2(128),
        successor_sql clob,
        successor_order number(10),
        successor_process_id number(10),
        max_age_seconds number(8) not null,
        start_seconds number(4) not null,
        defined_at timestamp(6) with time zone not null,
        defined_by varchar2(140) not null,
        defined_by_os_user varchar2(128),
        defined_by_client varchar2(64),
        constraint {{.P}}rounds_pk primary key (round_id),
        constraint {{.P}}rounds_name_uk unique (name),
        constraint {{.P}}rounds_age_ck check (max_age_seconds between 1 and 31536000),
        constraint {{.P}}rounds_start_ck check (start_seconds between 1 and 3600),
        constraint {{.P}}rounds_successor_ck check ((job_name is null and successor_sql is not null) or (job_name is not null and job_owner is not null and successor_sql is null))
    ) initrans 8');
    remark('rounds', 'sets of jobs, and the successor that starts when all of them have succeeded');
    remark('rounds.round_id', 'number of the round');
    remark('rounds.name', 'its name, for reports');
    remark('rounds.generation', 'the generation for which reports count, from 1; firing ends it');
    remark('rounds.job_owner', 'schema of the DBMS_SCHEDULER job to start');
    remark('rounds.job_name', 'name of that job, or');
    remark('rounds.successor_sql', 'text to enqueue as a task');
    remark('rounds.successor_order', 'wave of that task');
    remark('rounds.successor_process_id', 'process of that task');
    remark('rounds.max_age_seconds', 'seconds after which a report no longer counts');
    remark('rounds.start_seconds', 'seconds in which the job must be seen to run');
    remark('rounds.defined_at', 'when it was last defined');
    remark('rounds.defined_by', 'user that defined it, may report, and owns the task: name, # and USER_ID');
    remark('rounds.defined_by_os_user', 'operating system user of that session');
    remark('rounds.defined_by_client', 'client identifier of that session');

    step('create table {{.P}}round_members (
        round_id number(10) not null,
        member varchar2(128 char) not null,
        reported_at timestamp(6) with time zone,
        succeeded varchar2(1),
        reported_round_id number generated always as (case when reported_at is not null then round_id end) virtual,
        constraint {{.P}}round_members_pk primary key (round_id, member),
        constraint {{.P}}round_members_good_ck check (succeeded in (''Y'', ''N''))
    ) initrans 8');
    remark('round_members', 'the members that must report, and their reports for the current generation');
    remark('round_members.round_id', 'the round');
    remark('round_members.member', 'name of the member, usually of a job');
    remark('round_members.reported_at', 'when it last reported for this generation; NULL = not yet');
    remark('round_members.succeeded', 'what it reported, Y or N; NULL = nothing');
    remark('round_members.reported_round_id', 'round_id once it has reported, else NULL, so that the index for the sweep has only those rows');
    step('create index {{.P}}round_members_seen_ix on {{.P}}round_members (reported_round_id)');

    -- Firings: one row per completed generation; the constraint prevents a second one.
    step('create table {{.P}}round_firings (
        firing_id number(19) not null,
        round_id number(10) not null,
        generation number(19) not null,
        status varchar2(10) default ''Starting'' not null,
        fired_at timestamp(6) with time zone not null,
        fired_by varchar2(128 char) not null,
        job_owner varchar2(128),
        job_name varchar2(128),
        start_seconds number(4) not null,
        ordered_at timestamp(6) with time zone,
        runs_before number(19),
        started_before timestamp(6) with time zone,
        ended_at timestamp(6) with time zone,
        task_id number(19),
        detail varchar2(2000),
        starting_id number generated always as (case when status = ''Starting'' then firing_id end) virtual,
        constraint {{.P}}round_firings_pk primary key (firing_id),
        constraint {{.P}}round_firings_gen_uk unique (round_id, generation),
        constraint {{.P}}round_firings_status_ck check (status in (''Starting'', ''Started'', ''Failed'', ''Unknown''))
    ) initrans 8');
    remark('round_firings', 'one row per completed generation');
    remark('round_firings.firing_id', 'number of the firing');
    remark('round_firings.round_id', 'the round');
    remark('round_firings.generation', 'the completed generation');
    remark('round_firings.status', 'Starting, Started, Failed (it did not start) or Unknown (ordered, but not seen to run)');
    remark('round_firings.fired_at', 'when the last member reported');
    remark('round_firings.fired_by', 'that member');
    remark('round_firings.job_owner', 'schema of the job to start');
    remark('round_firings.job_name', 'name of that job; NULL = a task');
    remark('round_firings.start_seconds', 'seconds in which that job must be seen to run');
    remark('round_firings.ordered_at', 'when the intention to order the job was recorded; NULL = not yet');
    remark('round_firings.runs_before', 'RUN_COUNT of the job before that');
    remark('round_firings.started_before', 'LAST_START_DATE of the job before that');
    remark('round_firings.ended_at', 'when it got its final status; NULL while Starting');
    remark('round_firings.task_id', 'the task that was enqueued');
    remark('round_firings.detail', 'why it did not start');
    remark('round_firings.starting_id', 'firing_id while Starting, else NULL, so that the index of firings without a result has only those rows');
    step('create index {{.P}}round_firings_start_ix on {{.P}}round_firings (starting_id)');

    -- Schedules: calendars that start a process at each of their instants. Times without a zone are UTC.
    step('create table {{.P}}schedules (
        schedule_id number(10) not null,
        name varchar2(100 char) not null,
        calendar varchar2(200 char) not null,
        form varchar2(1000) not null,
        zone varchar2(64) not null,
        begin_at timestamp(0) not null,
        end_at timestamp(0),
        tasks clob not null,
        on_error varchar2(8) not null,
        weight number(10) not null,
        max_parallel number(10),
        overlap varchar2(5) not null,
        missed varchar2(4) not null,
        status varchar2(9) not null,
        reason varchar2(400),
        next_at timestamp(0),
        look_at timestamp(6),
        last_at timestamp(0),
        waiting number(10) default 0 not null,
        last_firing_id number(19),
        owner varchar2(140) not null,
        constraint {{.P}}schedules_pk primary key (schedule_id), constraint {{.P}}schedules_name_uk unique (name),
        constraint {{.P}}schedules_overlap_ck check (overlap in (''Skip'', ''Queue'', ''Allow'')),
        constraint {{.P}}schedules_missed_ck check (missed in (''Once'', ''None'', ''All'')),
        constraint {{.P}}schedules_status_ck check (status in (''Enabled'', ''Disabled'', ''Suspended''))
    ) initrans 8');
    remark('schedules', 'calendars that start a process at each of their instants; times without a zone are UTC');
    remark('schedules.schedule_id', 'number of the schedule');
    remark('schedules.name', 'its name; its processes have it and the local time');
    remark('schedules.calendar', 'when it fires, as its owner wrote it');
    remark('schedules.form', 'the same in the form of {{.PU}}SCHEDULE.FORM_OF');
    remark('schedules.zone', 'time zone of the calendar');
    remark('schedules.begin_at', 'no instant is before it, and intervals are counted from it; when it was created unless the owner chose');
    remark('schedules.end_at', 'no instant is after it; NULL = without end');
    remark('schedules.tasks', 'tasks of each process: the JSON array of exec_async_batch');
    remark('schedules.on_error', 'Halt or Continue, of each process');
    remark('schedules.weight', 'weight of each process');
    remark('schedules.max_parallel', 'most tasks of a process that run at once; NULL = no limit');
    remark('schedules.overlap', 'while its last process runs: Skip the firing, Queue one, or Allow both');
    remark('schedules.missed', 'firings that were missed: Once (one for all), None or All (the last 100)');
    remark('schedules.status', 'Enabled, Disabled (by a user) or Suspended (by dbsched)');
    remark('schedules.reason', 'why it is Suspended');
    remark('schedules.next_at', 'the next instant; it passes while the schedule is not Enabled; NULL = there is none');
    remark('schedules.look_at', 'when the dispatcher looks at it: at next_at, after a change, once a day; NULL unless Enabled');
    remark('schedules.last_at', 'the last instant that the dispatcher has dealt with');
    remark('schedules.waiting', 'firings that wait until the last process ends');
    remark('schedules.last_firing_id', 'the last firing that started');
    remark('schedules.owner', 'user that owns it, and that its tasks act for: name, # and USER_ID');
    step('create index {{.P}}schedules_look_ix on {{.P}}schedules (look_at)');

    step('create table {{.P}}schedule_firings (
        firing_id number(19) not null,
        schedule_id number(10) not null,
        name varchar2(100 char) not null,
        due_at timestamp(6) not null,
        manual varchar2(1) not null,
        status varchar2(7) not null,
        detail varchar2(200),
        logged_at timestamp(6) with time zone not null,
        task_id number(19),
        owner varchar2(140) not null,
        manual_id number generated always as (case when manual = ''Y'' then firing_id else 0 end) virtual,
        constraint {{.P}}schedule_firings_pk primary key (firing_id), constraint {{.P}}schedule_firings_due_uk unique (schedule_id, due_at, manual_id),
        constraint {{.P}}schedule_firings_ck check (status in (''Waiting'', ''Started'', ''Skipped'', ''Missed''))
    ) initrans 8 pctfree 30');
    remark('schedule_firings', 'one row per firing, whatever became of it');
    remark('schedule_firings.firing_id', 'number of the firing');
    remark('schedule_firings.schedule_id', 'the schedule');
    remark('schedule_firings.name', 'its name at the time');
    remark('schedule_firings.due_at', 'the instant of the calendar, or of run_schedule');
    remark('schedule_firings.manual', 'Y = by run_schedule');
    remark('schedule_firings.status', 'Waiting (for the last process), Started, Skipped (because of overlap) or Missed');
    remark('schedule_firings.detail', 'more about it');
    remark('schedule_firings.logged_at', 'when this row was written');
    remark('schedule_firings.task_id', 'the task that makes the process');
    remark('schedule_firings.owner', 'owner of the schedule, who may see this row: name, # and USER_ID');
    remark('schedule_firings.manual_id', 'firing_id if manual, else 0: of a calendar there is one firing per instant');
    step('create index {{.P}}schedule_firings_ix on {{.P}}schedule_firings (schedule_id, status, firing_id)');

    step('create table {{.P}}administrators (
        user_name varchar2(140) not null,
        granted_at timestamp(6) with time zone not null,
        granted_by varchar2(128) not null,
        constraint {{.P}}administrators_pk primary key (user_name)
    )');
    remark('administrators', 'with a runner: users besides the owner that may do everything');
    remark('administrators.user_name', 'the user: name, as the dictionary spells it, # and USER_ID');
    remark('administrators.granted_at', 'when it was granted');
    remark('administrators.granted_by', 'session user that granted it');

    step('create table {{.P}}alarms (
        alarm_id number(19) not null,
        raised_at timestamp(6) with time zone not null,
        kind varchar2(20) not null,
        process_id number(10),
        task_id number(19),
        lane_id number(4),
        user_name varchar2(140),
        alarm_text varchar2(2000) not null,
        acknowledged_at timestamp(6) with time zone,
        acknowledged_by varchar2(128),
        constraint {{.P}}alarms_pk primary key (alarm_id)
    )');
    remark('alarms', 'problems that an administrator should look at');
    remark('alarms.alarm_id', 'number of the alarm');
    remark('alarms.raised_at', 'when it was raised');
    remark('alarms.kind', 'ProcessFailed, LateTask and so on; errors.md lists all');
    remark('alarms.process_id', 'its process');
    remark('alarms.task_id', 'its task');
    remark('alarms.lane_id', 'its lane');
    remark('alarms.user_name', 'user whose task, process, round or schedule it is about: name, # and USER_ID; NULL = none');
    remark('alarms.alarm_text', 'what happened and what to do');
    remark('alarms.acknowledged_at', 'when it was acknowledged; NULL = not yet');
    remark('alarms.acknowledged_by', 'user that acknowledged it');

    -- Rows, not package variables, so that a rollback to a savepoint undoes marks and message together.
    step('create table {{.P}}wake_sent (
        transaction_id varchar2(64) not null,
        process_id number(10) not null,
        claim_order number(10) not null,
        claim_key number not null
    ) pctfree 50 initrans 64');
    remark('wake_sent', 'transactions that have sent their wake-up, and the first task that each added to a process; claims delete them');
    remark('wake_sent.transaction_id', 'DBMS_TRANSACTION.LOCAL_TRANSACTION_ID');
    remark('wake_sent.process_id', 'the process');
    remark('wake_sent.claim_order', 'wave of the task');
    remark('wake_sent.claim_key', 'its claim_key');
    step('create index {{.P}}wake_sent_process_ix on {{.P}}wake_sent (process_id) initrans 64');
end;
