--
-- Contents. Each object begins with a header: search for its name.
--   install (274 lines): Checks the server, makes owner and schema, writes the settings, and at the end turns the scheduler's readers on.
--   base (116 lines): What all packages share: errors, the clock, transactions.
--      fail utc_now claim_key need_whole need_settings begin_transaction
--   json (307 lines): Reads JSON text.
--      read_value append next_piece peek place skip_blanks expect hex4 unicode read_string read_members parse text_of value_of
--   rights (270 lines): Who calls, and what each caller may do.
--      same_user submitter name_of gone barred administrator may_administer require_administrator require_owner process_of
--      check_user run_grant on_views grant_user revoke_user
--   wake (150 lines): Wake-ups: one message for each transaction that enqueues.
--      DS_WAKE_QT DS_LANE_Q DS_WAKE_Q enqueue merge_marks send send_now send_lane
--   alarms (234 lines): Tells people and their hook what went wrong.
--      hook_name set_alarm_hook call_hook alarm acknowledge_alarms DS_ALARM_INFO
--   home (51 lines): Whether this is the database in which the scheduler was started, or a copy of it.
--      home container_guid place is_copy
--   parameters (195 lines): Values that are bound to a task's text.
--      classify is_name require instant instant_with_zone instant_of bind_one check_all bind_all
--   enqueue (703 lines): Tasks enter: checks, then one INSERT in the caller's transaction.
--      check_text make_row check_process wake task_of_key same_key count_tasks store add_task add_table of_kind whole text
--      set_member add_batch refuse_transaction own_process exec_async exec_async_table exec_async_batch DS_TASK_INFO
--   processes (257 lines): Processes: create, lock, close, wait for the end.
--      lock_process close_if_done create_process request_process release_process close_process look wait_process DS_PROCESS_INFO
--   claim (519 lines): One commit ends a worker's attempt and claims its next task.
--      find_wave move_wave lock_soon choose_task may_claim choose_process end_wave skip_duplicate wait_in_line admit_task
--      other_submitter refuse_gone head_of start_attempt try_claim claim
--   complete (337 lines): What follows an attempt: the next retry, or the end of the process.
--      succeed_task begin_work locate decide_retry record_end halt_process fail_task lock_attempt try_complete complete_within
--      complete
--   run (403 lines): Runs the text of a task as its user, with no transaction of dbsched's open.
--      current_task blanks next_word kind_of normalize define_columns take_back reset_session crowded transaction_ended
--      not_its_fault judge_error execute_text clean_up run
--   worker (818 lines): A worker's session, from wake-up to end.
--      lock_id lock_free session_gone lane_dead take_lock release_lock enter rest leave failed check_free check_mine claim
--      complete wait task_scheduler DS_WORKER_INFO
--   dispatch (563 lines): Decides how many lanes are needed and starts them. It never runs tasks.
--      enter leave apply_requests release_due runnable_tasks assign start_lanes send_home turn DS_DISPATCHER
--   recover (208 lines): Finds dead workers, lost messages and disabled queues, and gives their tasks back.
--      recover free_dead_lanes sweep
--   cancel (381 lines): Ends tasks that were cancelled or ran out of time.
--      take_process order_cancel cancel_running settle mark_due end_attempt end_attempts cancel_task cancel_process
--   retry (107 lines): Starts failed tasks again, because someone asked for it.
--      order_retry retry_task retry_process
--   history (137 lines): Keeps, shows and deletes the log.
--      prune purge DS_LOG_INFO
--   control (488 lines): Starts and stops the scheduler, and changes its settings.
--      switch_dispatcher run_dispatcher start_scheduler stop_scheduler set_workers set_policy set_options DS_SCHEDULER_INFO
--   resources (770 lines): Named semaphores, and the lines of those who wait for one.
--      lock_line resource_of grant_turns join_line leave_line free_stale serve sweep define forget owner_of waits_for
--      one_before_gone withdraw acquire give_back define_resource drop_resource acquire_resource release_resource DS_RESOURCE_INFO
--   rounds (669 lines): Sets of outside jobs, and what starts when all have succeeded.
--      parse_job define forget_old_reports end_firing look_at_job has_run order_job look record_report report sweep define_round
--      report_round DS_ROUND_INFO DS_ROUND_MEMBER_INFO
--   schedules (951 lines): Calendars, and what becomes of each instant.
--      refuse_calendar read_number take read_field form_of minutes_between zone_offset local_time later next_local_time
--      next_instant last_instants fire_one fire next_firing alter_schedule order_schedule create_schedule set_schedule_enabled
--      run_schedule drop_schedule run_firing next_instants DS_SCHEDULE_INFO DS_SCHEDULE_LOG
--   interface (102 lines): The types and exceptions of the public package.
set define off
set sqlblanklines on
whenever sqlerror exit failure rollback
whenever oserror exit failure rollback
-- A database may have warnings be errors.
alter session set plsql_warnings = 'DISABLE:ALL'
/
prompt check preflight
declare
    -- dbsched: a task scheduler inside the database. How it works:

    --   Tables       ds_tasks, ds_processes, ds_logs, ds_lanes, ds_settings ... hold the whole state. Messages are
    --                only wake-ups, and nothing is kept in memory.
    --   Enqueue      dbsched.exec_async inserts a row into ds_tasks in the caller's transaction and sends one wake-up message
    --                per transaction to the queue ds_wake_q, ON_COMMIT: row and message become visible together or
    --                not at all. It never calls DBMS_SCHEDULER, which would commit the caller's transaction.
    --   Dispatch     The job ds_dispatcher, one session, waits in DBMS_AQ.DEQUEUE, empties the queue, reads the committed
    --                tasks and gives lanes to those that can run: a waiting session gets a message, an ended one is
    --                started with RUN_JOB. It never runs tasks. Between messages it also does the sweep: due retries,
    --                dead workers, retention.
    --   Lanes        One job ds_lane_nn for each worker slot, without a schedule. They are permanent, because a job per
    --                task would cost a job start each time.
    --   Work         A worker takes its lane's DBMS_LOCK (held = alive), then repeats: claim (under the settings row's
    --                lock: choose a process by policy, take its first pending task of the lowest unfinished order, write
    --                the log row, commit), run (no transaction of dbsched's is open), complete (fenced by task, attempt and
    --                worker). Without work it sets Idle under the same lock, waits for a message for a while, and ends.
    --   Jobs' text   The jobs are anonymous blocks that call each step by EXECUTE IMMEDIATE: a static call, or a call from a
    --                stored unit, would pin the packages while the job runs, and replacing them would wait.
    --   Lock order   settings, processes, tasks, logs, resources, lanes, queue. Every change of an existing task holds the row of its
    --                process; enqueuers never do.
    --   Commits      Always COMMIT WRITE IMMEDIATE WAIT: inside PL/SQL a plain COMMIT does not wait for the log until the
    --                call ends (Database PL/SQL Language Reference, COMMIT Statement), and a worker's call goes on.
    --   Errors       dbsched's errors are ORA-20001 to ORA-20099, with texts that begin with "dbsched 20nnn: ". The
    --                specification of package dbsched lists them.
    --   Rights       All objects belong to the schema that dbsched is installed in, and tasks run with that schema's rights.

    -- This first batch changes nothing. It fails if the database, the user or the rights do not allow the installation.
    l_missing varchar2(4000);
    l_count pls_integer;
    l_name varchar2(128);

    -- Only direct grants count, because roles are off inside definer's rights packages. USER_SYS_PRIVS shows only direct grants.
    procedure need_privilege (in_privilege in varchar2) is
    begin
        select count(*) into l_count
        from user_sys_privs p
        where p.privilege in (in_privilege, replace(in_privilege, 'CREATE ', 'CREATE ANY '));

        if l_count = 0 then
            l_missing := l_missing || ' grant ' || lower(in_privilege) || ' to APP;';
        end if;
    end need_privilege;

    -- PUBLIC has most of these, except in a hardened database.
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
        raise_application_error(-20082, 'dbsched 20082: this is the root container. Install dbsched into a pluggable database.');
    end if;

    if sys_context('USERENV', 'DATABASE_ROLE') <> 'PRIMARY' then
        raise_application_error(-20016, 'dbsched 20016: this database is a read-only standby. Connect to the primary database.');
    end if;

    if sys_context('USERENV', 'SESSION_USER') <> 'APP' or sys_context('USERENV', 'CURRENT_SCHEMA') <> 'APP' then
        raise_application_error(-20085, 'dbsched 20085: this script was rendered for the schema APP. Connect as that user. You are '
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
    need_package('DBMS_LOB');
    need_package('DBMS_SESSION');
    need_package('DBMS_OUTPUT');
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
        raise_application_error(-20083, 'dbsched 20083: rights are missing. They must be granted directly, not through a role. Have a DBA run:' || substr(l_missing, 1, 1900));
    end if;

    -- Dynamic, because a block that names a package without the right to execute it does not compile.
    execute immediate 'begin :1 := dbms_db_version.version; end;' using out l_count;
    if l_count < 19 then
        raise_application_error(-20080, 'dbsched 20080: this release is too old. dbsched needs Oracle Database 19c or later.');
    end if;

    -- "Scheduler jobs always use the database default edition" (Administrator's Guide): they would not see what another edition holds. Whether the
    -- schema is enabled for editions, only DBA_USERS says.
    select max(p.property_value) into l_name
    from database_properties p
    where p.property_name = 'DEFAULT_EDITION' and p.property_value <> sys_context('USERENV', 'CURRENT_EDITION_NAME');

    if l_name is not null then
        raise_application_error(-20086, 'dbsched 20086: this session uses the edition ' || sys_context('USERENV', 'CURRENT_EDITION_NAME')
            || ', but jobs use the default one. Run: alter session set edition = ' || l_name || '. Then install again.');
    end if;

    -- The version and the journal of the migrations are created first. If one exists, the names are dbsched's.
    select count(*) into l_count from user_tables t where t.table_name in ('DS_INSTALL_STEPS', 'DS_SCHEMA_VERSION');
    if l_count = 0 then
        select min(o.object_name) into l_name
        from user_objects o
        where regexp_like(o.object_name, '^DS_LANE_[0-9][0-9]$') or o.object_name in (
            'DBSCHED', 'DS_ADMIN', 'DS_ADMINISTRATORS', 'DS_ALARMS', 'DS_ALARM_INFO', 'DS_ALARM_SEQ', 'DS_BASE', 'DS_CONTROL', 'DS_DISPATCH',
            'DS_DISPATCHER', 'DS_ENQUEUE', 'DS_FIRING_SEQ', 'DS_JSON', 'DS_LANE', 'DS_LANES', 'DS_LANE_Q', 'DS_LINE_SEQ', 'DS_LOGS',
            'DS_LOG_INFO', 'DS_LOG_SEQ', 'DS_PROCESSES', 'DS_PROCESS_INFO', 'DS_PROCESS_REQUESTS', 'DS_PROCESS_SEQ', 'DS_REQUEST_SEQ',
            'DS_RESOURCE', 'DS_RESOURCES', 'DS_RESOURCE_INFO', 'DS_RESOURCE_REQUESTS', 'DS_RESOURCE_SEQ', 'DS_RIGHTS', 'DS_ROUND',
            'DS_ROUNDS', 'DS_ROUND_FIRINGS', 'DS_ROUND_INFO', 'DS_ROUND_MEMBERS', 'DS_ROUND_MEMBER_INFO', 'DS_ROUND_SEQ', 'DS_RUN',
            'DS_SCHEDULE', 'DS_SCHEDULER_INFO', 'DS_SCHEDULES', 'DS_SCHEDULE_FIRINGS', 'DS_SCHEDULE_FIRING_SEQ', 'DS_SCHEDULE_INFO',
            'DS_SCHEDULE_LOG', 'DS_SCHEDULE_SEQ', 'DS_SETTINGS', 'DS_TASKS', 'DS_TASK_INFO', 'DS_TASK_SEQ', 'DS_VALUES', 'DS_WAKE',
            'DS_WAKE_Q', 'DS_WAKE_QT', 'DS_WAKE_SENT', 'DS_WORKER', 'DS_WORKER_INFO');

        if l_name is not null then
            raise_application_error(-20084, 'dbsched 20084: the schema contains an object ' || l_name || ' that is not dbsched''s. Rename it, or install into another schema.');
        end if;
    end if;
end;
/
prompt queue-table wake
declare
    -- The table of the wake-up queue: classic queue, single consumer, RAW payload. One reader does not need TxEventQ, which is
    -- not complete in 19c.
    e_exists exception; pragma exception_init(e_exists, -24001);
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
prompt queue lane
declare
    -- The queue of wake-ups for lanes, apart from the dispatcher's: a lane reads only its own messages, and would pass over all of those. The number of
    -- queues in a table does not affect performance (Advanced Queuing User's Guide, "Persistent Messaging Performance Overview").
    e_exists exception; pragma exception_init(e_exists, -24006);
begin
    begin
        dbms_aqadm.create_queue(
            queue_name => 'DS_LANE_Q',
            queue_table => 'DS_WAKE_QT',
            max_retries => 2147483647,
            retry_delay => 0,
            retention_time => 0,
            comment => 'dbsched: wake-ups');
    exception
        when e_exists then
            null;
    end;

    dbms_aqadm.start_queue(queue_name => 'DS_LANE_Q', enqueue => true, dequeue => true);
end;
/
prompt queue wake
declare
    -- The dispatcher's queue of wake-ups. It stays started until uninstall, so that transactions can enqueue tasks while the scheduler is
    -- stopped. max_retries is the maximum, so that rollbacks of the reader never move a message to the exception queue.
    e_exists exception; pragma exception_init(e_exists, -24006);
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
prompt package base
create or replace package ds_base authid definer as
    -- Package: DS_BASE
    -- Purpose: What all packages with the owner's rights share: errors, the clock, the database's identity, range checks, transactions.
    -- Access: private

    -- A row lock was not granted in time: ORA-30006 of FOR UPDATE WAIT, and ORA-00054.
    e_held exception; pragma exception_init(e_held, -30006);
    e_busy exception; pragma exception_init(e_busy, -54);
    -- A job that is to be started still runs.
    e_running exception; pragma exception_init(e_running, -27478);

    -- Procedure: fail
    -- Purpose: Raises an error of dbsched.
    -- Parameters:
    --   in_number pls_integer (required): its number, without sign
    --   in_text varchar2 (required): its text, without the common prefix
    -- Errors: in_number
    procedure fail (in_number in pls_integer, in_text in varchar2);

    -- Function: utc_now
    -- Purpose: The current time in UTC.
    function utc_now return timestamp with time zone;

    -- Function: claim_key
    -- Purpose: The claim_key of a task: its place in its wave, lower starts first.
    -- Parameters:
    --   in_priority number (required): its priority
    --   in_expected_seconds number (required): its expected duration
    --   in_task_id number (required): its number
    function claim_key (in_priority in number, in_expected_seconds in number, in_task_id in number) return number;

    -- Function: home
    -- Purpose: Identifies this database and schema by names that survive restart and switchover; DB_UNIQUE_NAME does not. In a
    -- pluggable database DB_NAME may be the PDB's own name; CDB_NAME is the container's (SQL Language Reference, SYS_CONTEXT).
    function home return varchar2;

    -- Function: place
    -- Purpose: Where this database is, seen from where the scheduler was started: Home; Moved: it has another name, but the same container GUID,
    -- or is one of those named for it; or Copy. Nothing distinguishes a second copy with a named database's name, or one that was plugged in
    -- without AS CLONE.
    -- Parameters:
    --   in_home varchar2 (required): where it was started, NULL = not started yet
    --   in_home_guid varchar2 (required): GUID of that container, NULL = unknown
    --   in_also_on varchar2 (required): named databases, separated by commas, NULL = none
    function place (in_home in varchar2, in_home_guid in varchar2, in_also_on in varchar2) return varchar2;

    -- Function: container_guid
    -- Purpose: The GUID of this container, which a relocation may keep and a clone never has. NULL if it cannot be read: before 21c that needs
    -- SELECT on SYS.V_$PDBS.
    function container_guid return varchar2;

    -- Procedure: need_whole
    -- Purpose: Raises an error unless a value is a whole number within bounds.
    -- Parameters:
    --   in_name varchar2 (required): name of the value, the start of the error text
    --   in_value number (required): the value
    --   in_from number (required): the minimum
    --   in_to number = 2147483647: the maximum
    --   in_null_too boolean = false: true = NULL is allowed
    -- Errors:
    --   20003: the value is out of range
    procedure need_whole (in_name in varchar2, in_value in number, in_from in number, in_to in number default 2147483647, in_null_too in boolean default false);

    -- Procedure: need_settings
    -- Purpose: Raises an error if the row of the settings is missing: a change of it would change nothing and say nothing.
    -- Errors:
    --   20039: the row is missing
    procedure need_settings;

    -- Procedure: begin_transaction
    -- Purpose: Rolls back, and begins a transaction in which each statement sees what was committed before it: a session that has
    -- waited for a row lock must see the changes of the previous holder. A session can have another isolation level, and would see
    -- one instant throughout its wait, or fail with ORA-08177. Every autonomous unit starts with this call. It needs no handler for a
    -- rollback: an error that leaves it rolls it back (PL/SQL Language Reference, "Autonomous Transactions").
    procedure begin_transaction;

    -- Procedure: lock_process
    -- Purpose: Locks a process that still exists, until the transaction ends.
    -- Parameters:
    --   in_process_id number (required): the process
    --   out_held varchar2 OUT: Y = another session has held it for a second: it halts or cancels very many tasks; do not wait for it
    procedure lock_process (in_process_id in number, out_held out varchar2);
end ds_base;
/
prompt package json
create or replace package ds_json authid definer as
    -- Package: DS_JSON
    -- Purpose: Reads JSON text one level at a time. JSON_OBJECT_T is not used: it accepts more than JSON, silently keeps one of two
    -- members with the same name, and does not tell how a number is written.
    -- Access: private

    -- A member of an object, or an element of an array, which has no name. kind: Object, Array, String, Number, Boolean or Null. The
    -- text of a string is decoded; other text is as written. A text of more than 32767 bytes, or an object or array of more than
    -- 8,000 characters, is in long_text, and text is NULL.
    type item is record (
        name varchar2(32767),
        kind varchar2(7),
        text varchar2(32767),
        long_text clob);
    type item_list is table of item index by pls_integer;

    -- Function: parse
    -- Purpose: The members of an object or the elements of an array, in order, including those with the same name.
    -- Parameters:
    --   in_json clob (required): the text
    --   out_members item_list OUT: its members, from 1
    -- Errors: none; returns Object or Array, or NULL if the text is neither, is not JSON (RFC 8259), or is nested more than 50 deep
    function parse (in_json in clob, out_members out item_list) return varchar2;

    -- Function: text_of
    -- Purpose: The text of a member, however long.
    -- Parameters:
    --   in_item item (required): the member
    function text_of (in_item in item) return clob;

    -- Function: value_of
    -- Purpose: The value of a number, independent of the session's decimal character.
    -- Parameters:
    --   in_text varchar2 (required): text of a member of kind Number
    -- Errors: VALUE_ERROR or ORA-01426 if NUMBER cannot hold it
    function value_of (in_text in varchar2) return number;
end ds_json;
/
prompt package rights
create or replace package ds_rights authid definer as
    -- Package: DS_RIGHTS
    -- Purpose: Identifies the caller and its rights. With a runner, users control their own tasks and administrators control
    -- everything. Without a runner tasks run as the owner, and everyone who may call the packages is trusted.
    -- Access: private

    -- Function: current_task
    -- Purpose: The task that the session runs, a record of NULL if it runs none. The task itself cannot change that.
    function current_task return ds_tasks%rowtype;

    -- Function: submitter
    -- Purpose: The user that the session acts for: inside a task the user who enqueued it, otherwise the session's user. It is the
    -- name, # and the number (USER_ID of ALL_USERS): a user that is dropped and created again has another number, and owns nothing of
    -- the first. All tables hold users in this form.
    function submitter return varchar2;

    -- Function: same_user
    -- Purpose: True if two names, or two users as submitter returns them, are the same.
    -- Parameters:
    --   in_user varchar2 (required): the one
    --   in_other varchar2 (required): the other
    function same_user (in_user in varchar2, in_other in varchar2) return boolean;

    -- Function: name_of
    -- Purpose: The name of a user.
    -- Parameters:
    --   in_submitter varchar2 (required): the user, as submitter returns it
    function name_of (in_submitter in varchar2) return varchar2;

    -- Function: gone
    -- Purpose: True if a user was dropped, even if one of that name exists. Without a runner, where all tasks are the owner's, the name is
    -- enough.
    -- Parameters:
    --   in_submitter varchar2 (required): the user, as submitter returns it
    function gone (in_submitter in varchar2) return boolean;

    -- Function: barred
    -- Purpose: Why a user may not enqueue any more: words to follow its name. NULL: it may.
    -- Parameters:
    --   in_submitter varchar2 (required): the user, as submitter returns it
    function barred (in_submitter in varchar2) return varchar2;

    -- Function: administrator
    -- Purpose: Y if a user may do everything: the owner, users granted that right, and without a runner every caller.
    function administrator return varchar2;

    -- Function: may_administer
    -- Purpose: True for administrators, but not inside their tasks: all tasks share the runner, and a malicious task can replace
    -- another user's task. What administrators see, their tasks see.
    function may_administer return boolean;

    -- Procedure: require_administrator
    -- Purpose: Raises an error if the caller is not an administrator.
    -- Parameters:
    --   in_what varchar2 (required): the refused action, the start of a sentence
    -- Errors:
    --   20061: the caller is not an administrator
    procedure require_administrator (in_what in varchar2);

    -- Procedure: require_owner
    -- Purpose: Raises an error unless the caller is an administrator or the given user.
    -- Parameters:
    --   in_user varchar2 (required): the owner of the item
    --   in_number number (required): number of the error, without sign
    --   in_what varchar2 (required): the item, the start of a sentence
    -- Errors:
    --   in_number: the item belongs to another user
    procedure require_owner (in_user in varchar2, in_number in number, in_what in varchar2);

    -- Function: process_of
    -- Purpose: A process that the caller may use: the default process, which belongs to everyone, or its own.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_which varchar2 = null: the start of the error text
    -- Errors:
    --   20004: there is no such process
    --   20006: the process belongs to another user
    function process_of (in_process_id in number, in_which in varchar2 default null) return ds_processes%rowtype;
end ds_rights;
/
prompt package wake
create or replace package ds_wake authid definer as
    -- Package: DS_WAKE
    -- Purpose: Sends wake-ups. They mean "look again" and carry no work: a lost one causes a delay, a duplicate does nothing.
    -- Access: private

    -- Procedure: send
    -- Purpose: Wakes the dispatcher when the caller's transaction commits. Sends one message per transaction and process, however often it is called.
    --   Also leaves a mark for claims, which becomes visible together with the tasks that the transaction adds: see DS_WORKER, find_wave.
    -- Parameters:
    --   in_process_id number (required): the process that the transaction changes
    --   in_order number = 9999999999: wave of the first task that it adds to the process; none has a higher one
    --   in_key number = 0: claim_key of that task
    procedure send (in_process_id in number, in_order in number default 9999999999, in_key in number default 0);

    -- Procedure: send_now
    -- Purpose: Wakes the dispatcher when the open transaction commits.
    procedure send_now;

    -- Procedure: send_lane
    -- Purpose: Wakes the session that waits in a lane when the open transaction commits.
    -- Parameters:
    --   in_lane_id number (required): the lane
    procedure send_lane (in_lane_id in number);
end ds_wake;
/
prompt package run
create or replace package ds_run authid current_user as
    -- Package: DS_RUN
    -- Purpose: Executes the text of tasks, and nothing else, with the rights of the session's user, roles included: lanes call it from
    -- their anonymous block, not from a definer's rights package. It reads no dbsched table.
    -- Access: private

    -- Procedure: run
    -- Purpose: Runs one text in a session that is reset before and after. On success its work is committed, otherwise rolled back. The
    -- work is committed apart from its completion: if both shared a transaction, the process row would be locked while the commit
    -- refreshes materialized views, and for days by an in-doubt distributed transaction. A transactional task accepts this: its
    -- completion is the last step in its transaction before the commit.
    -- Parameters:
    --   in_worker_id varchar2 (required): worker that runs it
    --   in_task_id number (required): the task
    --   in_log_id number (required): the attempt's log row
    --   in_sql clob (required): SQL statement or PL/SQL block; a last line "/" is dropped, a ";" is kept for PL/SQL only
    --   in_parameters clob (required): values to bind, NULL = none
    --   in_transactional varchar2 (required): Y = one transaction with its completion
    --   out_outcome varchar2 OUT: Recorded (nothing left to do), or the outcome to pass to ds_worker.complete
    --   out_rows number OUT: rows of the statement or of the query, NULL for blocks and DDL
    --   out_error_number number OUT: NULL if it succeeded, otherwise the number of the ORA error without sign
    --   out_error_message varchar2 OUT: error stack
    --   out_error_backtrace varchar2 OUT: error backtrace
    --   out_renew varchar2 OUT: Y = the session cannot run another task
    -- Errors: none raised; the task's error is returned. One before its first statement is no fault of the task: the outcome is Outage. Nor is a
    -- full list of open links or a rollback for a higher priority: Outage if nothing of the task remains, else Orphaned. Or
    --   20070: a column of the query has a type that cannot be fetched
    --   20035: a transactional task is DDL, or ended or replaced its transaction
    procedure run (
        in_worker_id in varchar2,
        in_task_id in number,
        in_log_id in number,
        in_sql in clob,
        in_parameters in clob,
        in_transactional in varchar2,
        out_outcome out varchar2,
        out_rows out number,
        out_error_number out number,
        out_error_message out varchar2,
        out_error_backtrace out varchar2,
        out_renew out varchar2);
end ds_run;
/
prompt package values
create or replace package ds_values authid current_user as
    -- Package: DS_VALUES
    -- Purpose: Values that are bound to a task's text. They are a JSON object like {"customer_id integer": 7, "since date":
    -- "2026-01-31", "name": "x"}: the name of a member is the variable without its colon, and its type. Without a type: number for a
    -- number, true (1) and false (0); varchar2 for null and a string; clob for a string longer than 4000 bytes. Invoker's rights:
    -- only the user who parsed a cursor can bind its variables (ORA-29470).
    -- Access: private

    -- Procedure: check_all
    -- Purpose: Checks values, so that binding them cannot fail later.
    -- Parameters:
    --   in_parameters clob (required): the JSON
    --   out_error number OUT: number of the error, NULL = the values are valid
    --   out_problem varchar2 OUT: text of the error
    -- Errors: none raised; in out_error
    --   20031: the parameters are not a JSON object, or too many
    --   20032: a name is not valid, or occurs twice
    --   20033: a type cannot be bound
    --   20034: a value does not match its type
    procedure check_all (in_parameters in clob, out_error out number, out_problem out varchar2);

    -- Procedure: bind_all
    -- Purpose: Binds values by name and type.
    -- Parameters:
    --   in_cursor integer (required): parsed cursor of DBMS_SQL
    --   in_parameters clob (required): the JSON
    -- Errors: ORA-01006 if the text has no such variable
    procedure bind_all (in_cursor in integer, in_parameters in clob);

    -- Function: instant_of
    -- Purpose: The instant in a text like 2026-01-31T04:05:06, with or without a fraction and a zone (+02:00, Z). Without a zone it
    -- is UTC.
    -- Parameters:
    --   in_text varchar2 (required): the text
    -- Errors: any: the text is not such an instant
    function instant_of (in_text in varchar2) return timestamp with time zone;
end ds_values;
/
prompt package admin
create or replace package ds_admin authid definer as
    -- Package: DS_ADMIN
    -- Purpose: What administrators do besides starting and stopping: options, the alarm hook, deletion of history, users.
    -- Access: private

    -- Procedure: prune
    -- Purpose: Deletes a slice of tasks, processes, attempts, alarms and firings that ended before an instant. Commits.
    -- Parameters:
    --   in_cutoff timestamp with time zone (required): the instant
    --   out_rows number OUT: rows deleted
    --   out_full varchar2 OUT: Y = a slice was full, so there is more to delete
    procedure prune (in_cutoff in timestamp with time zone, out_rows out number, out_full out varchar2);

    -- Procedure: purge
    -- Purpose: Deletes everything that ended long ago, slice by slice. Transactions of its own.
    -- Parameters:
    --   in_days number (required): delete what ended more days ago; NULL = the retention setting
    -- Errors:
    --   20003: in_days is out of range
    procedure purge (in_days in number);

    -- Procedure: set_alarm_hook
    -- Purpose: Records the procedure that is called for every alarm and the user who set it, and creates a process for its calls. A
    -- transaction of its own.
    -- Parameters:
    --   in_procedure varchar2 (required): the procedure, NULL = none
    -- Errors:
    --   20060: the procedure does not exist, or has no parameter in_alarm_id
    procedure set_alarm_hook (in_procedure in varchar2);

    -- Procedure: call_hook
    -- Purpose: Enqueues the task that calls the alarm hook, if there is one. A task, because the hook is foreign code: it may fail or
    -- hang, and the session that raises an alarm may hold locks that all workers need. Joins the open transaction, and does not
    -- wait for other sessions.
    -- Parameters:
    --   in_alarm_id number (required): the alarm
    --   in_process_id number (required): process that the alarm is about, NULL = none
    procedure call_hook (in_alarm_id in number, in_process_id in number);

    -- Procedure: grant_user
    -- Purpose: Lets a user enqueue tasks, which run as the runner, and see the user's own tasks; or also makes the user an
    -- administrator. For the owner. GRANT commits.
    -- Parameters:
    --   in_user varchar2 (required): the user, as the dictionary spells it
    --   in_administrator varchar2 (required): Y = administrator; N = administrator rights are removed
    -- Errors:
    --   20066: there is no runner, the user does not exist, or it is the owner or the runner
    procedure grant_user (in_user in varchar2, in_administrator in varchar2);

    -- Procedure: revoke_user
    -- Purpose: Removes a user's access. Tasks already queued still run; schedules are suspended, and rounds enqueue nothing. For a user that was
    -- dropped, its administrator rights. For the owner.
    -- Parameters:
    --   in_user varchar2 (required): the user, as the dictionary spells it
    --   out_schedules number OUT: schedules that were suspended
    --   out_rounds number OUT: the user's rounds
    -- Errors:
    --   20066: there is no runner, the user does not exist, or it is the owner or the runner
    procedure revoke_user (in_user in varchar2, out_schedules out number, out_rounds out number);
end ds_admin;
/
prompt package control
create or replace package ds_control authid definer as
    -- Package: DS_CONTROL
    -- Purpose: Orders given while the scheduler works: cancel, retry, start and stop the dispatcher; and ending attempts that were
    -- cancelled or have run out of time.
    -- Access: private

    -- Procedure: order_cancel
    -- Purpose: Cancels one task, or a process with all its tasks: at once if not started; for running tasks the dispatcher is told to
    -- end the session. What has ended is left as it is. A transaction of its own.
    -- Parameters:
    --   in_task_id number (required): the task; NULL = a whole process
    --   in_process_id number = null: the process; NULL = that of the task
    -- Errors:
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20011: an open transaction has locked the task or process
    --   20015: the scheduler is stopped, and the dispatcher, which ends the session, could not be started
    --   20024: the task does not exist
    --   20025: the task belongs to another user
    procedure order_cancel (in_task_id in number, in_process_id in number default null);

    -- Procedure: order_retry
    -- Purpose: Runs one task again, or all tasks of a process that failed or were skipped. A process that had ended is open again, or
    -- closing if close_process was called. A transaction of its own.
    -- Parameters:
    --   in_task_id number (required): the task; NULL = a whole process
    --   in_process_id number = null: the process; NULL = that of the task
    -- Errors:
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20011: an open transaction has locked the task or process
    --   20024: the task does not exist
    --   20025: the task belongs to another user
    --   20027: it has not failed, or cancelled tasks have not ended yet
    procedure order_retry (in_task_id in number, in_process_id in number default null);

    -- Procedure: cancel_running
    -- Purpose: Cancels all running tasks, as order_cancel does. Called after the scheduler was stopped, so that nothing new starts.
    -- Errors:
    --   20015: the dispatcher, which ends the sessions, could not be started
    procedure cancel_running;

    -- Procedure: switch_dispatcher
    -- Purpose: Enables the dispatcher's job if the scheduler is started or an attempt must end, else disables it. Commits.
    -- Errors: those of DBMS_SCHEDULER
    procedure switch_dispatcher;

    -- Procedure: run_dispatcher
    -- Purpose: Makes sure that a dispatcher sees what the caller has committed, even if only to end sessions while the scheduler is
    -- stopped. Enables its job, as switch_dispatcher does. Commits.
    -- Errors:
    --   20015: its job could not be started
    procedure run_dispatcher;

    -- Procedure: end_attempts
    -- Purpose: Ends attempts that have run out of time or were cancelled: marks the task and the lane, stops the lane's job, and
    -- records the outcome when the session is gone. Called by the dispatcher only, and outside transactions.
    -- Parameters:
    --   out_again varchar2 OUT: Y = a lane has become free, or there is more to end: call it again at once
    -- Errors: none of its own; a session that cannot be ended is an alarm
    procedure end_attempts (out_again out varchar2);
end ds_control;
/
prompt package resource
create or replace package ds_resource authid definer as
    -- Package: DS_RESOURCE
    -- Purpose: Resources: named semaphores, and the lines of tasks and sessions for them. A session that changes a line locks the
    -- resource's row until the commit, and takes its place under that lock: places are in the order of commits.
    -- Access: private

    -- Function: resource_of
    -- Purpose: Id of a resource, NULL = the resource does not exist.
    -- Parameters:
    --   in_name varchar2 (required): its name
    function resource_of (in_name in varchar2) return number;

    -- Procedure: join_line
    -- Purpose: Takes the resource that a task needs, or puts the task into the resource's line. Joins the open transaction, which
    -- holds the locks on the task and its process.
    -- Parameters:
    --   in_process_id number (required): process of the task
    --   in_task_id number (required): the task
    --   in_resource_id number (required): the resource
    --   in_access varchar2 (required): Shared or Exclusive
    --   out_state varchar2 OUT: Granted: the task holds the resource and may start; Waiting: it is in the line; Gone: the resource
    --       was dropped
    procedure join_line (
        in_process_id in number,
        in_task_id in number,
        in_resource_id in number,
        in_access in varchar2,
        out_state out varchar2);

    -- Procedure: leave_line
    -- Purpose: Removes a task, or all tasks of a process that have ended or that an earlier wave keeps from starting, from the lines,
    -- whether they hold or wait, and grants to the next.
    -- Joins the open transaction, which holds the lock on the process row.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_task_id number = null: the task; NULL = all of those
    procedure leave_line (in_process_id in number, in_task_id in number default null);

    -- Procedure: free_stale
    -- Purpose: Removes requests from the lines if their session died, their lease ran out, or they gave up, with an alarm for each one
    -- that held a resource, and grants to the next. A short transaction of its own for each.
    -- Parameters:
    --   in_resource_id number = null: only the line of this resource; NULL = all
    procedure free_stale (in_resource_id in number default null);

    -- Procedure: serve
    -- Purpose: Takes back expired leases, and makes tasks Pending that were granted their resource. A short transaction of its own
    -- for each.
    procedure serve;

    -- Procedure: sweep
    -- Purpose: Cleans the lines up: requests of dead sessions and of ended tasks.
    procedure sweep;

    -- Procedure: define
    -- Purpose: Defines a resource or changes its capacity. A transaction of its own.
    -- Parameters:
    --   in_name varchar2 (required): its name
    --   in_capacity number (required): units that may be held at the same time
    procedure define (in_name in varchar2, in_capacity in number);

    -- Procedure: forget
    -- Purpose: Removes a resource with no holders or waiters. A transaction of its own.
    -- Parameters:
    --   in_name varchar2 (required): its name
    -- Errors:
    --   20040: the resource does not exist
    --   20047: the resource is in use
    procedure forget (in_name in varchar2);

    -- Procedure: acquire
    -- Purpose: Puts the calling session into the line of a resource and waits for its turn. Transactions of its own.
    -- Parameters:
    --   in_name varchar2 (required): the resource
    --   in_access varchar2 (required): Shared or Exclusive
    --   in_requester varchar2 (required): name that the caller gives itself
    --   in_timeout_seconds number (required): longest wait in seconds
    --   in_lease_seconds number (required): seconds that it may be held, NULL = while the session lives
    --   out_request_id number OUT: the request, NULL = nothing was granted
    -- Errors:
    --   20040: the resource does not exist
    --   20042: the session would wait for itself
    --   20043: the session and others would wait for each other
    --   20044: the request was removed from the line
    procedure acquire (
        in_name in varchar2,
        in_access in varchar2,
        in_requester in varchar2,
        in_timeout_seconds in number,
        in_lease_seconds in number,
        out_request_id out number);

    -- Procedure: give_back
    -- Purpose: Ends a request for a resource, and grants to the next. A transaction of its own.
    -- Parameters:
    --   in_request_id number (required): the request
    -- Errors:
    --   20044: the request does not exist, or no longer exists
    --   20045: the request belongs to another user
    --   20046: the request belongs to a task, which releases it when it ends
    procedure give_back (in_request_id in number);
end ds_resource;
/
prompt package round
create or replace package ds_round authid definer as
    -- Package: DS_ROUND
    -- Purpose: Rounds: sets of outside jobs, and a successor that is started when all of a set have succeeded. The session that
    -- reports last starts a job, with the rights of APP; no worker is needed, so it starts even while the scheduler is stopped.
    -- Each procedure is one or more short transactions. None may be called inside another transaction.
    -- Access: private

    -- Names of members.
    type t_names is table of varchar2(4000);

    -- Procedure: define
    -- Purpose: Defines a round, changes it, or removes one without members.
    -- Parameters:
    --   in_round varchar2 (required): name of the round
    --   in_members t_names (required): names of its members
    --   in_successor_job varchar2 (required): job to start, or
    --   in_successor_sql clob (required): text to enqueue as a task
    --   in_execution_order number (required): wave of that task
    --   in_process_id number (required): process of that task, NULL = the default process
    --   in_max_age_seconds number (required): seconds that a report counts
    --   in_start_seconds number (required): seconds until the job must be seen running
    -- Errors:
    --   20003, 20004, 20006, 20050, 20053, 20054, 20055, 20056: see dbsched.define_round
    procedure define (
        in_round in varchar2,
        in_members in t_names,
        in_successor_job in varchar2,
        in_successor_sql in clob,
        in_execution_order in number,
        in_process_id in number,
        in_max_age_seconds in number,
        in_start_seconds in number);

    -- Procedure: report
    -- Purpose: Records the report of a round's member. The report that completes a generation ends it and enqueues the task in the
    -- same transaction, or orders the job afterwards and waits until it is seen running.
    -- Parameters:
    --   in_round varchar2 (required): name of the round
    --   in_member varchar2 (required): name of the member
    --   in_succeeded boolean (required): false = the member failed
    --   out_outcome varchar2 OUT: Waiting, Reported, Started, Failed or Unknown
    -- Errors:
    --   20003, 20050, 20051, 20052, 20053: see dbsched.report_round
    procedure report (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean,
        out_outcome out varchar2);

    -- Procedure: sweep
    -- Purpose: Maintains rounds without reporters: reports that became too old, and starts where the reporter ended before it had seen
    -- the job run. A job that was not ordered is ordered; one that may have been ordered is not ordered again.
    procedure sweep;
end ds_round;
/
prompt package schedule
create or replace package ds_schedule authid definer as
    -- Package: DS_SCHEDULE
    -- Purpose: Schedules: their calendars, and what becomes of each instant.
    -- Access: private

    -- Function: next_instant
    -- Purpose: The first instant of a calendar after another; NULL = none. It goes through the stretches of time in which the zone's offset is
    -- constant. If neither minute nor hour begin with *, a local time that exists twice counts the first time only, and one that does not exist is
    -- the instant at which the clocks are set forward; else every instant counts whose local time matches.
    -- Parameters:
    --   in_form varchar2 (required): the calendar, as form_of returns it
    --   in_zone varchar2 (required): its time zone
    --   in_begin timestamp (required): no instant is before it, and intervals are counted from it, in UTC
    --   in_end timestamp (required): no instant is after it, in UTC; NULL = without end
    --   in_after timestamp (required): an instant, in UTC
    function next_instant (in_form in varchar2, in_zone in varchar2, in_begin in timestamp, in_end in timestamp,
                           in_after in timestamp) return timestamp;

    -- Function: local_time
    -- Purpose: The local time in a time zone at an instant; NULL = the database does not know the zone.
    -- Parameters:
    --   in_at timestamp (required): the instant, in UTC
    --   in_zone varchar2 (required): the time zone
    function local_time (in_at in timestamp, in_zone in varchar2) return timestamp;

    -- Function: form_of
    -- Purpose: Reads a calendar and checks its time zone. Returns the form that next_instant reads: E and an interval in minutes; S and
    -- a calendar string of DBMS_SCHEDULER; or 172 characters:
    --   1: W = every instant that matches fires, because minute or hour begin with *; F = a local time fires once
    --   2: A = the day of the month and the day of the week must match; O = one of them is enough
    --   3 minutes (60), 63 hours (24), 87 days of the month (31 and the last), 119 months (12), 131 days of the week (7, from Sunday), then
    --   138 the same of the first week of the month (7) to the fifth: 1 = it is in the calendar, 0 = it is not
    -- Parameters:
    --   in_calendar varchar2 (required): the calendar
    --   in_zone varchar2 (required): its time zone
    --   in_from timestamp (required): the time from which it must fire, in UTC
    -- Errors:
    --   20074: the calendar cannot be read, or never fires
    --   20075: there is no such time zone
    function form_of (in_calendar in varchar2, in_zone in varchar2, in_from in timestamp) return varchar2;

    -- Procedure: fire
    -- Purpose: Moves on the schedules that are due, in slices: records the instants that have come, decides what becomes of each, and starts
    -- what may start. To start a firing is to enqueue a task, in process 0, that makes the firing's process. What happens to a schedule is
    -- one transaction with its next instant, so no crash loses or doubles a firing.
    procedure fire;

    -- Procedure: next_firing
    -- Purpose: Has the dispatcher start a waiting firing, because a process, or a task that was to make one, has ended. Joins the caller's transaction.
    -- Parameters:
    --   in_process_id number (required): the process; does nothing unless a schedule made it
    --   in_task_id number = null: of process 0, the task
    procedure next_firing (in_process_id in number, in_task_id in number default null);
end ds_schedule;
/
prompt package worker
create or replace package ds_worker authid definer as
    -- Package: DS_WORKER
    -- Purpose: The steps of a worker's life: enter a lane, claim, complete, leave; and the detection of dead workers.
    -- Each step is its own short transaction. None may be called inside another transaction.
    -- Access: private

    -- Procedure: alarm
    -- Purpose: Records an alarm and calls the alarm hook, unless one of the last hundred alarms is the same and less than ten
    -- minutes old. Joins the open transaction.
    -- Parameters:
    --   in_kind varchar2 (required): kind of alarm, see ds_alarms.kind
    --   in_text varchar2 (required): what happened
    --   in_process_id number = null: process it is about
    --   in_task_id number = null: task it is about
    --   in_lane_id number = null: lane it is about
    --   in_user varchar2 = null: user whose round or schedule it is about; NULL = the user of the task or process, if there is one
    procedure alarm (
        in_kind in varchar2,
        in_text in varchar2,
        in_process_id in number default null,
        in_task_id in number default null,
        in_lane_id in number default null,
        in_user in varchar2 default null);

    -- Function: is_copy
    -- Purpose: True in a copy of the database or schema where the scheduler was started; that also raises an alarm. So does a move, which is
    -- recorded. The caller holds the lock on the settings row.
    -- Parameters:
    --   in_settings ds_settings (required): where it was started, home NULL = not started yet
    function is_copy (in_settings in ds_settings%rowtype) return boolean;

    -- Procedure: close_if_done
    -- Purpose: Ends a closing process without unfinished tasks. The caller holds the lock on the process row.
    -- Parameters:
    --   in_process_id number (required): the process
    procedure close_if_done (in_process_id in number);

    -- Procedure: find_wave
    -- Purpose: The wave that a process is in, which is its lowest unfinished order, and where its pending tasks begin. Seeks from the process's
    --   watermark: no unfinished task has a lower order, and none of the wave is Pending up to it. Looks from the beginning without one, and while
    --   a mark of a transaction that added a task before it is there; deleted entries of the indexes make that slow. Exact under the lock on the
    --   process row.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_order number (required): wave_order of its row
    --   in_key number (required): wave_key
    --   in_running number (required): its running tasks
    --   out_order number OUT: the wave, NULL = nothing is unfinished
    --   out_key number OUT: its tasks up to this claim_key are not Pending
    procedure find_wave (
        in_process_id in number, in_order in number, in_key in number, in_running in number, out_order out number, out_key out number);

    -- Function: lane_dead
    -- Purpose: True if no worker is in a lane: its lock is free, and the session that last took it is gone.
    -- Parameters:
    --   in_lane_id number (required): the lane; 0 = the dispatcher
    function lane_dead (in_lane_id in number) return boolean;

    -- Procedure: take_lock
    -- Purpose: Takes the lock of a lane or of the dispatcher. The session keeps it until release_lock or its end.
    -- Parameters:
    --   in_lane_id number (required): the lane; 0 = the dispatcher
    --   in_seconds number (required): seconds to wait
    --   out_held varchar2 OUT: Y = the session has the lock
    procedure take_lock (in_lane_id in number, in_seconds in number, out_held out varchar2);

    -- Procedure: release_lock
    -- Purpose: Releases that lock. Does nothing if the session does not hold it.
    -- Parameters:
    --   in_lane_id number (required): the lane; 0 = the dispatcher
    procedure release_lock (in_lane_id in number);

    -- Procedure: enter
    -- Purpose: Makes the session the worker of a lane: takes the lane's lock, and recovers the work of a dead predecessor.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   in_seconds number (required): seconds to wait for the lock
    --   out_worker_id varchar2 OUT: the new worker, NULL if another session holds the lane
    procedure enter (in_lane_id in number, in_seconds in number, out_worker_id out varchar2);

    -- Procedure: claim
    -- Purpose: Records an attempt that has succeeded and gives the worker the next task, in one transaction: the policy chooses the process,
    -- then the first pending task of its lowest unfinished order is taken and the attempt's log row is written. With nothing to claim the lane
    -- becomes Idle, or Off if the worker has waited in vain, in the same transaction: work that is committed later finds the lane in that state.
    -- Parameters:
    --   in_lane_id number (required): lane of the worker
    --   in_worker_id varchar2 (required): the worker
    --   in_version varchar2 (required): version of the worker's own text
    --   in_waited varchar2 (required): Y = it has waited its full time
    --   in_rows number (required): rows of the statement of the attempt that has succeeded
    --   io_counted number OUT: for how many workers the lanes were last counted, NULL = this one is new. Pass it on
    --   io_task_id number OUT: in: task of an attempt that has succeeded, NULL = none; out: the task to run
    --   io_log_id number OUT: in: log row of that attempt; out: of the attempt to run
    --   out_result varchar2 OUT: Task, Idle (wait for a message), Leave (waited in vain), Stopped, Limit (enough other workers) or Succeeded
    --       (the attempt could not be recorded; call complete)
    --   out_sql clob OUT: the text to run
    --   out_parameters clob OUT: values to bind, NULL = none
    --   out_transactional varchar2 OUT: Y = one transaction with its completion
    -- Errors: none of its own; deadlocks and lock timeouts are retried
    procedure claim (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_version in varchar2,
        in_waited in varchar2,
        in_rows in number,
        io_counted in out number,
        io_task_id in out number,
        io_log_id in out number,
        out_result out varchar2,
        out_sql out clob,
        out_parameters out clob,
        out_transactional out varchar2);

    -- Procedure: complete
    -- Purpose: Records how an attempt ended and decides what follows: retry, end, next wave, halted or finished process.
    -- Only the worker that runs the attempt, or a session that found that worker dead, changes anything.
    -- Parameters:
    --   in_worker_id varchar2 (required): worker that ran it
    --   in_task_id number (required): the task
    --   in_log_id number (required): the attempt's log row
    --   in_outcome varchar2 (required): Succeeded, Failed, Final (failed, no retry), Orphaned, or Outage (the server could not begin it)
    --   in_rows number (required): rows of the statement
    --   in_error_number number (required): error that ended it
    --   in_error_message varchar2 (required): error stack
    --   in_error_backtrace varchar2 (required): error backtrace
    --   out_lost varchar2 OUT: Y = the attempt no longer belongs to this worker, or is an orphan that could not be recorded for half a minute
    -- Errors: none raised; deadlocks, timeouts and the like are retried, with an alarm each minute
    procedure complete (
        in_worker_id in varchar2,
        in_task_id in number,
        in_log_id in number,
        in_outcome in varchar2,
        in_rows in number,
        in_error_number in number,
        in_error_message in varchar2,
        in_error_backtrace in varchar2,
        out_lost out varchar2);

    -- Procedure: begin_work
    -- Purpose: Begins the transaction of a transactional task by changing its attempt's row, which no other session changes meanwhile.
    -- Parameters:
    --   in_worker_id varchar2 (required): worker that runs the attempt
    --   in_log_id number (required): the attempt's log row
    -- Errors:
    --   20099: the attempt belongs to another worker
    procedure begin_work (in_worker_id in varchar2, in_log_id in number);

    -- Procedure: complete_within
    -- Purpose: Does what complete does for a task that succeeded, in the open transaction. The caller commits at once: the process
    -- row is locked until then.
    -- Parameters:
    --   in_worker_id varchar2 (required): worker that ran it
    --   in_task_id number (required): the task
    --   in_log_id number (required): the attempt's log row
    --   in_rows number (required): rows of the statement
    -- Errors: deadlocks, timeouts and the like, after some retries, without ending the transaction
    --   20099: the attempt no longer belongs to this worker
    procedure complete_within (in_worker_id in varchar2, in_task_id in number, in_log_id in number, in_rows in number);

    -- Procedure: recover
    -- Purpose: Ends the attempts that a dead worker left in a lane: each task is run again or fails, according to its on_orphan.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   in_worker_id varchar2 = null: the caller, if it holds the lane's lock and recovers its predecessor; NULL: the caller does
    --       not hold it, and nothing is done while any session does
    procedure recover (in_lane_id in number, in_worker_id in varchar2 default null);

    -- Procedure: leave
    -- Purpose: Ends the session's time as the worker of a lane.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   in_worker_id varchar2 (required): the worker
    --   in_again varchar2 (required): Y = there may be more to do, so wake the dispatcher
    procedure leave (in_lane_id in number, in_worker_id in varchar2, in_again in varchar2);

    -- Procedure: failed
    -- Purpose: The exit of a worker that met an error of dbsched itself: an alarm, then leave.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   in_worker_id varchar2 (required): the worker, NULL if it has not entered
    --   in_text varchar2 (required): the error
    procedure failed (in_lane_id in number, in_worker_id in varchar2, in_text in varchar2);
end ds_worker;
/
prompt package dispatch
create or replace package ds_dispatch authid definer as
    -- Package: DS_DISPATCH
    -- Purpose: What the dispatcher's job does between two messages: requests, due tasks, lanes for runnable tasks, the sweep.
    -- Each step is its own short transaction.
    -- Access: private

    -- Procedure: enter
    -- Purpose: Makes the session the dispatcher, unless another session is.
    -- Parameters:
    --   out_state varchar2 OUT: Go, or Stop when another session is the dispatcher
    procedure enter (out_state out varchar2);

    -- Procedure: turn
    -- Purpose: Processes everything that is committed. While the scheduler is stopped, it ends waiting workers instead.
    -- Parameters:
    --   in_version varchar2 (required): version of the job's own text
    --   out_wait number OUT: seconds to wait for a message, at most 60
    --   out_state varchar2 OUT: Go; Quiet: nothing is due for a minute; or Stop when the scheduler is stopped, another version is installed or
    --       this is a copy
    -- Errors: none raised; an error becomes an alarm, and the next turn follows in five seconds
    procedure turn (in_version in varchar2, out_wait out number, out_state out varchar2);

    -- Procedure: leave
    -- Purpose: Ends the session's time as the dispatcher.
    procedure leave;

    -- Procedure: assign
    -- Purpose: Gives free lanes to runnable tasks, all at once: as many as there are tasks, lanes and allowed workers.
    -- Parameters:
    --   out_given varchar2 OUT: Y = there is work, so there may be Starting lanes with jobs not ordered yet
    --   out_later varchar2 OUT: Y = another session held a process row; call it again soon
    procedure assign (out_given out varchar2, out_later out varchar2);

    -- Procedure: sweep
    -- Purpose: Periodic work, one slice at a time: dead workers, processes left to end, tasks committed too late for their process,
    -- and the pruning of history.
    -- Parameters:
    --   out_more varchar2 OUT: Y = a slice was full, so there is more to do
    procedure sweep (out_more out varchar2);
end ds_dispatch;
/
prompt package lane
create or replace package ds_lane authid definer as
    -- Package: DS_LANE
    -- Purpose: The steps of a worker's life, as the jobs of the lanes call them. Their sessions also run the text of tasks; a call
    -- from a task is refused because it does not know its worker's name, which cannot be guessed and is shown to administrators
    -- only. DS_WORKER does the work, and is for definer's rights packages only.
    -- Access: private

    -- Procedure: enter
    -- Purpose: Makes the session the worker of a lane, see ds_worker.enter.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   out_worker_id varchar2 OUT: the new worker, NULL if another session holds the lane
    -- Errors:
    --   20062: the session is already a worker
    procedure enter (in_lane_id in number, out_worker_id out varchar2);

    -- Procedure: claim
    -- Purpose: Records a success and gives the worker the next task, see ds_worker.claim.
    -- Parameters:
    --   in_lane_id number (required): lane of the worker
    --   in_worker_id varchar2 (required): the worker
    --   in_version varchar2 (required): version of the worker's own text
    --   in_waited varchar2 (required): Y = it has waited its full time
    --   in_rows number (required): rows of the statement of the attempt that has succeeded
    --   io_counted number OUT: for how many workers the lanes were last counted, NULL = this one is new. Pass it on
    --   io_task_id number OUT: in: task of an attempt that has succeeded, NULL = none; out: the task to run
    --   io_log_id number OUT: in: log row of that attempt; out: of the attempt to run
    --   out_result varchar2 OUT: Task, Idle (call wait), Leave, Stopped, Limit or Succeeded (call complete)
    --   out_sql clob OUT: the text to run
    --   out_parameters clob OUT: values to bind, NULL = none
    --   out_transactional varchar2 OUT: Y = one transaction with its completion
    -- Errors:
    --   20062: the session is not this worker's
    procedure claim (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_version in varchar2,
        in_waited in varchar2,
        in_rows in number,
        io_counted in out number,
        io_task_id in out number,
        io_log_id in out number,
        out_result out varchar2,
        out_sql out clob,
        out_parameters out clob,
        out_transactional out varchar2);

    -- Procedure: complete
    -- Purpose: Records how an attempt of the worker ended, see ds_worker.complete.
    -- Parameters:
    --   in_lane_id number (required): lane that ran it
    --   in_worker_id varchar2 (required): worker that ran it
    --   in_task_id number (required): the task
    --   in_log_id number (required): the attempt's log row
    --   in_outcome varchar2 (required): Succeeded, Failed, Final or Orphaned
    --   in_rows number (required): rows of the statement
    --   in_error_number number (required): error that ended it
    --   in_error_message varchar2 (required): error stack
    --   in_error_backtrace varchar2 (required): error backtrace
    --   out_lost varchar2 OUT: Y = the attempt no longer belongs to this worker, or could not be recorded
    -- Errors:
    --   20062: the session is not this worker's
    procedure complete (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_task_id in number,
        in_log_id in number,
        in_outcome in varchar2,
        in_rows in number,
        in_error_number in number,
        in_error_message in varchar2,
        in_error_backtrace in varchar2,
        out_lost out varchar2);

    -- Procedure: wait
    -- Purpose: Waits for the lane's wake-up, for linger_seconds at most. Inside this package, so that the user of the tasks needs no right
    -- on the queue.
    -- Parameters:
    --   in_lane_id number (required): lane of the worker
    --   in_worker_id varchar2 (required): the worker
    --   out_waited varchar2 OUT: Y = no message came
    -- Errors:
    --   20062: the session is not this worker's
    procedure wait (in_lane_id in number, in_worker_id in varchar2, out_waited out varchar2);

    -- Procedure: leave
    -- Purpose: Ends the session's time as the worker of a lane, see ds_worker.leave.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   in_worker_id varchar2 (required): the worker
    --   in_again varchar2 (required): Y = there may be more to do, so wake the dispatcher
    -- Errors:
    --   20062: the session is not this worker's
    procedure leave (in_lane_id in number, in_worker_id in varchar2, in_again in varchar2);

    -- Procedure: failed
    -- Purpose: The exit of a worker that met an error of dbsched itself, see ds_worker.failed.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   in_worker_id varchar2 (required): the worker, NULL if it has not entered
    --   in_text varchar2 (required): the error
    -- Errors:
    --   20062: the session is not this worker's, or is another worker's
    procedure failed (in_lane_id in number, in_worker_id in varchar2, in_text in varchar2);
end ds_lane;
/
prompt package dbsched
create or replace package dbsched authid definer as
    -- Package: DBSCHED
    -- Purpose: The public interface of the task scheduler.
    -- Access: public

    -- The exec_async procedures, create_process, release_process and close_process join the caller's transaction: their work exists
    -- only after it commits, and they neither commit nor roll back. All others run in a transaction of their own.

    -- Errors (ORA-20nnn, message texts begin with "dbsched 20nnn: "). These have no exception:
    --   20035: a transactional task is DDL, or ended or replaced its transaction (in logs)
    --   20062: only the worker of a lane may do this
    --   20063: only the runner can create the job of a lane
    --   20064: installed with another runner, or with no runner
    --   20065: the runner has more rights than tasks should have
    --   20066: nothing can be granted to that user
    --   20080-20086: refused before installing (release, container, rights, names, user, edition)
    --   20096: an uninstallation left something behind
    --   20097: an object of dbsched does not compile
    --   20098: a step of a migration failed
    --   20099: an internal check failed
    -- In logs only: 20023 the worker died while it ran the task; 20028 the task was cancelled while it ran;
    -- 20029 the task ran longer than its timeout; 20070 a column of a query cannot be fetched.
    -- 20029 it ran for longer than its timeout; 20070 a query's column cannot be fetched.
    e_sql_empty exception; pragma exception_init(e_sql_empty, -20001); -- in_sql is NULL, empty, or what only SQL*Plus understands
    e_order_null exception; pragma exception_init(e_order_null, -20002); -- in_execution_order is NULL
    e_out_of_range exception; pragma exception_init(e_out_of_range, -20003); -- a number is NULL or out of range
    e_no_such_process exception; pragma exception_init(e_no_such_process, -20004); -- the process does not exist
    e_process_closed exception; pragma exception_init(e_process_closed, -20005); -- the process no longer accepts tasks
    e_not_your_process exception; pragma exception_init(e_not_your_process, -20006); -- the process belongs to another user
    e_unknown_word exception; pragma exception_init(e_unknown_word, -20008); -- a word is not an allowed value
    e_too_few_lanes exception; pragma exception_init(e_too_few_lanes, -20009); -- more workers than installed lanes
    e_in_transaction exception; pragma exception_init(e_in_transaction, -20010); -- called inside a transaction
    e_held exception; pragma exception_init(e_held, -20011); -- an open transaction has locked it
    e_process_name exception; pragma exception_init(e_process_name, -20012); -- in_name is NULL, empty or longer than 128 characters
    e_default_process exception; pragma exception_init(e_default_process, -20013); -- the default process is always open
    e_scheduler_stopped exception; pragma exception_init(e_scheduler_stopped, -20014); -- the scheduler is stopped
    e_cannot_start exception; pragma exception_init(e_cannot_start, -20015); -- the job queue of the database or the wake-up queue does not work
    e_standby exception; pragma exception_init(e_standby, -20016); -- the database is a standby
    e_inside_task exception; pragma exception_init(e_inside_task, -20017); -- called from inside a task
    e_too_many_sessions exception; pragma exception_init(e_too_many_sessions, -20018); -- 64 sessions already run task_scheduler
    e_copy exception; pragma exception_init(e_copy, -20019); -- the database is a copy of the one in which the scheduler was started
    e_no_such_task exception; pragma exception_init(e_no_such_task, -20024); -- the task does not exist
    e_not_your_task exception; pragma exception_init(e_not_your_task, -20025); -- the task belongs to another user
    e_not_failed exception; pragma exception_init(e_not_failed, -20027); -- the task or process has not failed, or has not ended yet
    e_dedup_key exception; pragma exception_init(e_dedup_key, -20030); -- in_dedup_key is blank or longer than 200 characters
    e_parameters exception; pragma exception_init(e_parameters, -20031); -- in_parameters is not a JSON object, or has too many members
    e_parameter_name exception; pragma exception_init(e_parameter_name, -20032); -- a name in in_parameters is not valid, or occurs twice
    e_parameter_type exception; pragma exception_init(e_parameter_type, -20033); -- a type in in_parameters cannot be bound
    e_parameter_value exception; pragma exception_init(e_parameter_value, -20034); -- a value in in_parameters does not match its type
    e_tasks exception; pragma exception_init(e_tasks, -20036); -- many tasks: in_tasks is not a JSON array of objects, or a member is not an exec_async parameter
    e_too_many_tasks exception; pragma exception_init(e_too_many_tasks, -20038); -- you would have more unfinished tasks than max_tasks_per_user
    e_no_settings exception; pragma exception_init(e_no_settings, -20039); -- the row of the settings is missing
    e_no_such_resource exception; pragma exception_init(e_no_such_resource, -20040); -- the resource does not exist
    e_resource_name exception; pragma exception_init(e_resource_name, -20041); -- the name of a resource or requester is NULL, empty or too long, or in_access was passed without in_resource
    e_would_wait_for_itself exception; pragma exception_init(e_would_wait_for_itself, -20042); -- the session would wait for itself
    e_would_wait_for_each_other exception; pragma exception_init(e_would_wait_for_each_other, -20043); -- the session and others would wait for each other
    e_no_such_request exception; pragma exception_init(e_no_such_request, -20044); -- the resource request does not exist, or no longer exists
    e_not_your_request exception; pragma exception_init(e_not_your_request, -20045); -- the resource request belongs to another user
    e_request_of_task exception; pragma exception_init(e_request_of_task, -20046); -- the resource request belongs to a task
    e_resource_in_use exception; pragma exception_init(e_resource_in_use, -20047); -- the resource has holders or waiters, or an unfinished task names it
    e_not_owner exception; pragma exception_init(e_not_owner, -20048); -- only the schema owner may do this
    e_round_name exception; pragma exception_init(e_round_name, -20050); -- the name of the round or of the reporting member is NULL or too long
    e_no_such_round exception; pragma exception_init(e_no_such_round, -20051); -- the round does not exist
    e_no_such_member exception; pragma exception_init(e_no_such_member, -20052); -- the round does not have this member
    e_not_your_round exception; pragma exception_init(e_not_your_round, -20053); -- the round belongs to another user
    e_round_members exception; pragma exception_init(e_round_members, -20054); -- the members are not a list of distinct names
    e_round_successor exception; pragma exception_init(e_round_successor, -20055); -- a round needs either a job or a task as its successor
    e_round_job exception; pragma exception_init(e_round_job, -20056); -- only APP may define a job as the successor
    e_round_user exception; pragma exception_init(e_round_user, -20057); -- the user that defined the round is gone or may no longer enqueue
    e_task_name exception; pragma exception_init(e_task_name, -20059); -- in_name is blank or longer than 128 characters
    e_no_such_hook exception; pragma exception_init(e_no_such_hook, -20060); -- the alarm hook procedure does not exist
    e_not_admin exception; pragma exception_init(e_not_admin, -20061); -- only an administrator may do this
    e_no_such_schedule exception; pragma exception_init(e_no_such_schedule, -20071); -- the schedule does not exist
    e_not_your_schedule exception; pragma exception_init(e_not_your_schedule, -20072); -- the schedule belongs to another user
    e_schedule_name exception; pragma exception_init(e_schedule_name, -20073); -- the name is not valid, or there is a schedule of that name
    e_calendar exception; pragma exception_init(e_calendar, -20074); -- the calendar cannot be read, or never fires
    e_time_zone exception; pragma exception_init(e_time_zone, -20075); -- there is no such time zone
    e_schedule_tasks exception; pragma exception_init(e_schedule_tasks, -20076); -- not exactly one of in_sql and in_tasks, or a task names a process or not_before
    e_not_its_task exception; pragma exception_init(e_not_its_task, -20078); -- run_firing was called outside the task of its firing

    -- One task for exec_async_table. The fields are the parameters of exec_async.
    type t_task is record (
        sql_text clob,
        execution_order number,
        process_id number,
        priority number := 0,
        max_attempts number := 1,
        retry_delay_seconds number := 10,
        timeout_seconds number,
        not_before timestamp with time zone,
        expected_seconds number := 0,
        resource_name varchar2(32767),
        access_mode varchar2(32767),
        transactional boolean := false,
        on_orphan varchar2(32767) := 'Retry',
        dedup_key varchar2(32767),
        parameters clob,
        name varchar2(32767));
    type t_tasks is table of t_task index by pls_integer;
    type t_task_ids is table of number index by pls_integer;

    -- Names of the members of a round.
    type t_names is table of varchar2(4000);

    -- Procedure: exec_async
    -- Purpose: Enqueues one task. The task exists once the caller's transaction commits. It runs with the rights of the runner if
    -- dbsched is installed with one, otherwise with those of the schema owner.
    -- Parameters:
    --   in_sql clob (required): SQL statement or PL/SQL block
    --   in_execution_order number (required): wave; the task starts when its process has no unfinished task of a lower order
    --   in_process_id number = null: process of the task; NULL = the default process
    --   in_priority number = 0: tasks of the same wave start in descending priority; -1000000 to 1000000
    --   in_max_attempts number = 1: total attempts before a failure is final; 1 to 100
    --   in_retry_delay_seconds number = 10: seconds before the first retry, doubled for each further one; 0 to 86400
    --   in_timeout_seconds number = null: seconds an attempt may run; then it is ended as TimedOut; NULL = default_timeout_seconds, see set_options
    --   in_not_before timestamp with time zone = null: earliest start; NULL = at once
    --   in_expected_seconds number = 0: expected run time in seconds; within a priority the longest task starts first; 0 = unknown
    --   in_resource varchar2 = null: resource that the task holds while it runs (see define_resource); a task that waits for its
    --       resource does not occupy a worker
    --   in_access varchar2 = null: use of the resource: Shared (NULL) takes one unit, Exclusive takes all
    --   in_transactional boolean = false: true = the task and its completion commit in one transaction, both or neither; the task
    --       must not end that transaction, and must not run DDL
    --   in_on_orphan varchar2 = 'Retry': what happens when the task's worker dies: Retry or Fail
    --   in_dedup_key varchar2 = null: at most 200 characters; if the caller has an unfinished task with this key in the process,
    --       nothing is enqueued
    --   in_parameters clob = null: JSON object of values to bind, like {"id integer": 7, "since date": "2026-01-31", "name": "x"} for
    --       :id, :since and :name; the type may be omitted if the value implies it; types are number, integer, binary_double,
    --       varchar2, clob, raw (hexadecimal), date, timestamp and timestamp with time zone
    --   in_name varchar2 = null: what people call the task, at most 128 characters; need not be unique
    -- Errors:
    --   20001: in_sql is NULL or empty
    --   20002: in_execution_order is NULL
    --   20003: a number is NULL or out of range
    --   20004: the process does not exist
    --   20005: the process is closed or finished
    --   20006: the process belongs to another user
    --   20008: in_on_orphan or in_access is not an allowed value
    --   20040: the resource does not exist
    --   20030: in_dedup_key is blank or longer than 200 characters
    --   20031: in_parameters is not a JSON object, or has more than 1000 members
    --   20032: a name in in_parameters is not valid, or occurs twice
    --   20033: a type in in_parameters cannot be bound
    --   20034: a value in in_parameters does not match its type
    --   20038: you would have more unfinished tasks than max_tasks_per_user, see set_options
    --   20041: in_access was passed without in_resource
    --   20059: in_name is blank or longer than 128 characters
    -- Example: dbsched.exec_async('begin load_orders; end;', 100);
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
        in_name in varchar2 default null);

    -- Procedure: exec_async
    -- Purpose: Like the first, and returns the id of the task. An OUT parameter cannot have a default, so there are two procedures.
    -- Parameters:
    --   in_sql clob (required): SQL statement or PL/SQL block
    --   in_execution_order number (required): wave
    --   in_process_id number = null: process of the task
    --   in_priority number = 0: tasks of the same wave start in descending priority
    --   in_max_attempts number = 1: total attempts
    --   in_retry_delay_seconds number = 10: seconds before the first retry
    --   in_timeout_seconds number = null: seconds an attempt may run; NULL = default_timeout_seconds
    --   in_not_before timestamp with time zone = null: earliest start
    --   in_expected_seconds number = 0: expected run time in seconds
    --   in_resource varchar2 = null: resource that the task holds while it runs (see define_resource)
    --   in_access varchar2 = null: use of the resource: Shared (NULL) takes one unit, Exclusive takes all
    --   in_transactional boolean = false: the task and its completion commit in one transaction
    --   in_on_orphan varchar2 = 'Retry': what happens when the task's worker dies: Retry or Fail
    --   in_dedup_key varchar2 = null: key that one unfinished task at most may have
    --   in_parameters clob = null: values to bind
    --   in_name varchar2 = null: what people call the task
    --   out_task_id number OUT: id of the new task, or of the unfinished task with the same key
    -- Errors:
    --   those of the first
    -- Example: dbsched.exec_async('begin load_orders; end;', 100, out_task_id => l_task_id);
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
        in_name in varchar2 default null,
        out_task_id out number);

    -- Procedure: exec_async_table
    -- Purpose: Enqueues many tasks, all or none, at a much lower cost than one call of exec_async each. Joins the caller's transaction.
    -- Parameters:
    --   in_tasks t_tasks (required): the tasks; the subscripts need not be consecutive
    -- Errors: those of exec_async, with the subscript of the first wrong task
    -- Example: l_tasks(1).sql_text := 'begin load_orders; end;'; l_tasks(1).execution_order := 100; dbsched.exec_async_table(l_tasks);
    procedure exec_async_table (in_tasks in t_tasks);

    -- Procedure: exec_async_table
    -- Purpose: Like the first, and returns the ids of the tasks.
    -- Parameters:
    --   in_tasks t_tasks (required): the tasks
    --   out_task_ids t_task_ids OUT: their ids, under the same subscripts
    -- Errors:
    --   those of the first
    -- Example: l_tasks(7).sql_text := 'begin load_orders; end;'; l_tasks(7).execution_order := 100;
    -- dbsched.exec_async_table(l_tasks, l_task_ids);
    procedure exec_async_table (in_tasks in t_tasks, out_task_ids out t_task_ids);

    -- Procedure: exec_async_batch
    -- Purpose: Enqueues many tasks given as JSON, all or none. Joins the caller's transaction.
    -- Parameters:
    --   in_tasks clob (required): array of objects; their members are the parameters of exec_async, in lower case and without in_; a
    --       missing or null member has its default; not_before is text like 2026-01-31T04:00:00+02:00, in UTC if it has no zone;
    --       transactional is true or false; parameters is an object
    -- Errors: those of exec_async, with the position of the first wrong task, and
    --   20036: in_tasks is not a JSON array of objects, or a member is not an exec_async parameter or has the wrong type
    -- Example: dbsched.exec_async_batch('[{"sql": "begin load_orders; end;", "execution_order": 100}]');
    procedure exec_async_batch (in_tasks in clob);

    -- Procedure: exec_async_batch
    -- Purpose: Like the first, and returns the ids of the tasks.
    -- Parameters:
    --   in_tasks clob (required): the tasks
    --   out_task_ids clob OUT: JSON array of their ids
    -- Errors:
    --   those of the first
    -- Example: dbsched.exec_async_batch('[{"sql": "begin load_orders; end;", "execution_order": 100}]', l_task_ids);
    procedure exec_async_batch (in_tasks in clob, out_task_ids out clob);

    -- Procedure: create_process
    -- Purpose: Creates a process: a named group of tasks. Its waves run in ascending order. Processes run side by side.
    -- Parameters:
    --   in_name varchar2 (required): display name, at most 128 characters; need not be unique
    --   out_process_id number OUT: id of the new process
    --   in_suspended boolean = false: true = its tasks wait until release_process is called
    --   in_on_error varchar2 = 'Halt': after a failed task: Halt (skip tasks that have not started) or Continue
    --   in_priority number = 0: under policy Priority, the highest is served first; -1000000 to 1000000; above 0: administrators only
    --   in_weight number = 1: share of the process under policy RoundRobin; 1 to 1000; above 1: administrators only
    --   in_max_parallel number = null: most tasks of the process that run at the same time; NULL = no limit of its own
    -- Errors:
    --   20003: a number is NULL or out of range
    --   20008: in_on_error is not an allowed value
    --   20012: in_name is NULL, empty or longer than 128 characters
    --   20061: in_priority is above 0 or in_weight above 1, and the caller is not an administrator
    -- Example: dbsched.create_process('nightly load', l_process_id);
    procedure create_process (
        in_name in varchar2,
        out_process_id out number,
        in_suspended in boolean default false,
        in_on_error in varchar2 default 'Halt',
        in_priority in number default 0,
        in_weight in number default 1,
        in_max_parallel in number default null);

    -- Procedure: release_process
    -- Purpose: Lets the tasks of a suspended process run once the caller's transaction commits. Does nothing if the process is not
    -- suspended.
    -- Parameters:
    --   in_process_id number (required): the process
    -- Errors:
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20013: the default process is always open
    -- Example: dbsched.release_process(7);
    procedure release_process (in_process_id in number);

    -- Procedure: close_process
    -- Purpose: Declares that the process gets no more tasks. It ends with its last task. A suspended process closes when it is
    -- released; a failed or cancelled one when it is retried. Does nothing if the process is closing or Succeeded.
    -- Parameters:
    --   in_process_id number (required): the process
    -- Errors:
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20013: the default process is always open
    -- Example: dbsched.close_process(7);
    procedure close_process (in_process_id in number);

    -- Procedure: wait_process
    -- Purpose: Waits until a process has ended, or until an open process has no unfinished task.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_timeout_seconds number (required): longest wait in seconds; 0 to 604800
    --   out_result number OUT: 0 = Succeeded, or nothing left to do; 1 = Failed or Cancelled; 2 = timeout
    --   out_status varchar2 OUT: final status of the process
    -- Errors:
    --   20003: in_timeout_seconds is NULL or out of range
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20010: called inside a transaction: tasks that it enqueued could not start
    --   20017: called by a task of the same process: it would wait for its own end
    -- Example: dbsched.wait_process(7, 600, l_result, l_status);
    procedure wait_process (
        in_process_id in number,
        in_timeout_seconds in number,
        out_result out number,
        out_status out varchar2);

    -- Procedure: wait_process
    -- Purpose: Waits like wait_process above, for callers that need no result.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_timeout_seconds number (required): longest wait in seconds; 0 to 604800
    -- Errors:
    --   20003: in_timeout_seconds is NULL or out of range
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20010: called inside a transaction: tasks that it enqueued could not start
    --   20017: called by a task of the same process: it would wait for its own end
    -- Example: dbsched.wait_process(7, 600);
    procedure wait_process (in_process_id in number, in_timeout_seconds in number);

    -- Procedure: start_scheduler
    -- Purpose: Starts the scheduler: workers start for all tasks, including those enqueued earlier. Harmless if it is started already; a
    -- missing dispatcher is started.
    -- Parameters:
    --   in_here boolean = false: true = start although this database is a copy (a clone, an import) of the one where it was started, and suspend
    --       its schedules
    --   in_moved boolean = false: true = start in the database itself, which moved or has another name; schedules stay as they are
    --   in_also_on varchar2 = null: names of other databases (CDB_NAME), separated by commas, in which this pluggable database goes on under its
    --       own name without a new start. They replace earlier ones; '-' = none, NULL = no change. A second copy there cannot be told apart
    -- Errors:
    --   20015: the job queue of the database or the wake-up queue does not work
    --   20016: the database is a standby
    --   20019: the database is a copy of the one in which the scheduler was started
    --   20039: the row of the settings is missing
    --   20061: the caller is not an administrator
    -- Example: dbsched.start_scheduler;
    procedure start_scheduler (in_here in boolean default false, in_moved in boolean default false, in_also_on in varchar2 default null);

    -- Procedure: stop_scheduler
    -- Purpose: Stops the scheduler: once it returns, no further task starts. Tasks can still be enqueued; they run after
    -- start_scheduler. Harmless if it is stopped already.
    -- Parameters:
    --   in_mode varchar2 = 'Drain': Drain: running tasks finish. Now: running tasks are cancelled as by cancel_task, and not retried
    -- Errors:
    --   20008: in_mode is not an allowed value
    --   20015: the dispatcher, which ends running tasks, could not be started
    --   20061: the caller is not an administrator
    -- Example: dbsched.stop_scheduler;
    procedure stop_scheduler (in_mode in varchar2 default 'Drain');

    -- Procedure: cancel_task
    -- Purpose: Cancels a task. A task that has not started becomes Cancelled at once. A running task is Stopping until its session has
    -- ended: the session is interrupted, and five seconds later ended by force if the owner has MANAGE SCHEDULER. Without that right,
    -- or in a session that called task_scheduler, a task that handles the interrupt runs to its end. A task that has ended is left
    -- as it is.
    -- Parameters:
    --   in_task_id number (required): the task
    -- Errors:
    --   20011: an open transaction has locked the task
    --   20015: the scheduler is stopped, and the dispatcher, which ends the session, could not be started
    --   20024: the task does not exist
    --   20025: the task belongs to another user
    -- Example: for t in (select task_id from ds_task_info where status = 'Waiting') loop dbsched.cancel_task(t.task_id); end loop;
    procedure cancel_task (in_task_id in number);

    -- Procedure: cancel_process
    -- Purpose: Cancels a process: tasks that have not started become Cancelled at once, running tasks are cancelled as by cancel_task.
    -- If the process has ended, this only cancels its running tasks.
    -- Parameters:
    --   in_process_id number (required): the process
    -- Errors:
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20011: an open transaction has locked the process
    --   20013: the default process never ends
    --   20015: the scheduler is stopped, and the dispatcher, which ends sessions, could not be started
    -- Example: dbsched.cancel_process(7);
    procedure cancel_process (in_process_id in number);

    -- Procedure: retry_task
    -- Purpose: Runs a Failed, TimedOut, Cancelled or Skipped task again, with all its attempts. If its process had ended, the process
    -- is open again, or closing if close_process was called.
    -- Parameters:
    --   in_task_id number (required): the task
    -- Errors:
    --   20011: an open transaction has locked the task
    --   20024: the task does not exist
    --   20025: the task belongs to another user
    --   20027: the task has not failed, its process was cancelled and has tasks that have not ended yet, or it makes the process of a
    --       firing: call run_schedule
    -- Example: for t in (select task_id from ds_task_info where status = 'Failed' and process_id > 0) loop dbsched.retry_task(t.task_id); end loop;
    procedure retry_task (in_task_id in number);

    -- Procedure: retry_process
    -- Purpose: Resumes a process where it failed: its Failed, TimedOut and Skipped tasks run again, in a cancelled process also its
    -- Cancelled ones. The process is open again, or closing if close_process was called. If some of these tasks are another user's, only
    -- an administrator can do it.
    -- Parameters:
    --   in_process_id number (required): the process
    -- Errors:
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20011: an open transaction has locked the process
    --   20025: tasks of another user failed or were skipped in it
    --   20027: no task failed or was skipped, or cancelled tasks have not ended yet
    -- Example: dbsched.retry_process(7);
    procedure retry_process (in_process_id in number);

    -- Procedure: set_workers
    -- Purpose: Sets how many workers may run at the same time. It can be changed while tasks run: more workers start if there is work
    -- for them; surplus workers leave after their task.
    -- Parameters:
    --   in_max_workers number (required): number of workers; 0 = pause; at most the number of installed lanes
    -- Errors:
    --   20003: in_max_workers is NULL, negative or not a whole number
    --   20009: more workers than installed lanes
    --   20039: the row of the settings is missing
    --   20061: the caller is not an administrator
    -- Example: dbsched.set_workers(8);
    procedure set_workers (in_max_workers in number);

    -- Procedure: set_policy
    -- Purpose: Sets which process is served first, from the next claim on.
    -- Parameters:
    --   in_policy varchar2 (required): Fifo (oldest process first), Priority (highest first, ties oldest first) or RoundRobin
    --       (fewest running tasks relative to its weight, then least recently served)
    -- Errors:
    --   20008: in_policy is not an allowed value
    --   20039: the row of the settings is missing
    --   20061: the caller is not an administrator
    -- Example: dbsched.set_policy('RoundRobin');
    procedure set_policy (in_policy in varchar2);

    -- Procedure: define_resource
    -- Purpose: Defines a resource: a named semaphore that tasks and sessions hold. Defining it again changes the capacity: more
    -- capacity is granted at once; less capacity takes nothing away from the holders.
    -- Parameters:
    --   in_name varchar2 (required): its name, at most 128 characters, case-sensitive
    --   in_capacity number = 1: units that may be held at the same time; 1 to 1000000
    -- Errors:
    --   20003: in_capacity is NULL or out of range
    --   20041: in_name is NULL, empty or too long
    --   20061: the caller is not an administrator
    -- Example: dbsched.define_resource('warehouse', 3);
    procedure define_resource (in_name in varchar2, in_capacity in number default 1);

    -- Procedure: drop_resource
    -- Purpose: Removes a resource with no holders or waiters. A task that still names it, because its transaction was not committed yet
    -- or because it is retried later, fails with 20040.
    -- Parameters:
    --   in_name varchar2 (required): its name
    -- Errors:
    --   20040: the resource does not exist
    --   20047: the resource has holders or waiters, or an unfinished task names it
    --   20061: the caller is not an administrator
    -- Example: dbsched.drop_resource('old warehouse');
    procedure drop_resource (in_name in varchar2);

    -- Procedure: acquire_resource
    -- Purpose: Waits in line for a resource, first come, first served. The grant lasts until release_resource, until the lease runs
    -- out, or, without a lease, until the session or its task ends. A pooled session does not end when it returns to its pool: use a
    -- lease. If the call is interrupted, its request remains in line until its timeout. An open transaction remains open and keeps
    -- its locks.
    -- Parameters:
    --   in_name varchar2 (required): the resource
    --   out_request_id number OUT: id for release_resource; NULL = timeout, and the request is withdrawn
    --   in_access varchar2 = 'Shared': Shared takes one unit; Exclusive takes all, after all earlier requests and before all later ones
    --   in_timeout_seconds number = 60: longest wait in seconds; 0 = do not wait; at most 604800
    --   in_lease_seconds number = null: seconds until the grant is taken away; 1 to 604800; NULL = held while the session lives
    --   in_requester varchar2 = null: name that the caller gives itself, at most 128 characters; NULL = the session's user
    -- Errors:
    --   20003: a number is NULL or out of range
    --   20008: in_access is not an allowed value
    --   20040: the resource does not exist
    --   20041: in_name or in_requester is empty or too long
    --   20042: the session would wait for itself
    --   20043: the session and others would wait for each other
    --   20044: the request was removed from the line
    -- Example: dbsched.acquire_resource('warehouse', l_request_id, in_timeout_seconds => 600);
    procedure acquire_resource (
        in_name in varchar2,
        out_request_id out number,
        in_access in varchar2 default 'Shared',
        in_timeout_seconds in number default 60,
        in_lease_seconds in number default null,
        in_requester in varchar2 default null);

    -- Procedure: release_resource
    -- Purpose: Releases what acquire_resource granted; the next in line gets it. An error means that the grant was lost before.
    -- Administrators can end any user's request this way.
    -- Parameters:
    --   in_request_id number (required): the request, from acquire_resource or ds_resource_info
    -- Errors:
    --   20044: the request does not exist, or no longer exists
    --   20045: the request belongs to another user
    --   20046: the request belongs to a task, which releases it when it ends
    -- Example: dbsched.release_resource(12);
    procedure release_resource (in_request_id in number);

    -- Procedure: define_round
    -- Purpose: Defines a round: a set of outside jobs, and a successor that is started when all of them have reported success. Each job
    -- calls report_round as its last step. Defining a round again changes it, discards its reports, and begins a new generation.
    -- With no members, dbsched.t_names(), it is removed.
    -- Parameters:
    --   in_round varchar2 (required): name of the round, at most 128 characters
    --   in_members t_names (required): names of its members, each at most 128 characters
    --   in_successor_job varchar2 = null: DBMS_SCHEDULER job to start, enabled or not, NAME or SCHEMA.NAME; without a schema it is a job
    --       of APP, which must own the job or have ALTER on it
    --   in_successor_sql clob = null: instead of a job: SQL statement or PL/SQL block to enqueue as a task of the user who defines the round
    --   in_execution_order number = 1: wave of that task
    --   in_process_id number = null: process of that task; NULL = the default process
    --   in_max_age_seconds number = 43200: seconds after which a report no longer counts; 1 to 31536000
    --   in_start_seconds number = 60: seconds that the last reporter waits until the job is seen running; 1 to 3600
    -- Errors:
    --   20003: a number is NULL, out of range or not a whole number
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20050: in_round is NULL, empty or longer than 128 characters
    --   20053: the round belongs to another user
    --   20054: in_members is NULL, or not a list of distinct names of at most 128 characters
    --   20055: not exactly one of in_successor_job and in_successor_sql is given, or the job name is not valid
    --   20056: only APP may define a job as the successor
    -- Example: dbsched.define_round('load', dbsched.t_names('LOAD_A', 'LOAD_B'), in_successor_job => 'REPORT');
    procedure define_round (
        in_round in varchar2,
        in_members in t_names,
        in_successor_job in varchar2 default null,
        in_successor_sql in clob default null,
        in_execution_order in number default 1,
        in_process_id in number default null,
        in_max_age_seconds in number default 43200,
        in_start_seconds in number default 60);

    -- Procedure: report_round
    -- Purpose: Reports that a member of a round has succeeded or failed. Call it as the last step of each job, after the job has
    -- committed its work: the report counts at once, even if the caller rolls back. When all members have succeeded, the successor
    -- is started exactly once, even if two report at the same instant. The session that reports last starts a job and waits until it
    -- is seen running; a job that cannot be started raises an alarm, not an error, because the member has done its work. If a task
    -- cannot be enqueued, the report is refused and can be made again.
    -- Parameters:
    --   in_round varchar2 (required): name of the round
    --   in_member varchar2 (required): name of the member
    --   in_succeeded boolean = true: false = the member failed
    -- Errors: those of exec_async for the task, and
    --   20003: in_succeeded is NULL
    --   20050: in_round or in_member is NULL
    --   20051: the round does not exist
    --   20052: the round does not have this member
    --   20053: the round belongs to another user
    --   20057: the user that defined the round no longer exists, or may no longer enqueue
    -- Example: dbsched.report_round('load', 'LOAD_A');
    procedure report_round (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean default true);

    -- Procedure: report_round
    -- Purpose: Like the first, and returns the outcome. An OUT parameter cannot have a default, so there are two procedures.
    -- Parameters:
    --   in_round varchar2 (required): name of the round
    --   in_member varchar2 (required): name of the member
    --   in_succeeded boolean = true: false = the member failed
    --   out_outcome varchar2 OUT: Waiting (for other members), Started (this was the last report), or, with an alarm: Reported (a
    --       failure), Failed (the successor could not be started), Unknown (the job is not known to run)
    -- Errors:
    --   those of the first
    -- Example: dbsched.report_round('load', 'LOAD_A', out_outcome => l_outcome);
    procedure report_round (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean default true,
        out_outcome out varchar2);

    -- Procedure: set_options
    -- Purpose: Sets rarely changed options. An omitted or NULL option is not changed. All options are changed or none. They count from
    -- their next use; no restart is needed. DS_SCHEDULER_INFO shows them.
    -- Parameters:
    --   in_linger_seconds number = null: seconds that an idle worker waits for work before it ends; 0 to 3600
    --   in_idle_sweep_seconds number = null: seconds between two sweeps; 1 to 86400
    --   in_retention_days number = null: days that finished tasks and processes, attempts and alarms are kept; 1 to 36500
    --   in_max_retry_delay_seconds number = null: longest delay before a retry, in seconds; 0 to 86400
    --   in_max_orphans number = null: how often a task runs again after its worker died; 0 to 100
    --   in_outage_seconds number = null: seconds for which a task is tried again that the server cannot begin; 0 to 2592000
    --   in_max_tasks_per_user number = null: with a runner: unfinished tasks that a user may have who is no administrator; 0 = no limit. Counts
    --       tasks added while it is set, those of schedules and rounds too. Retries, and calls of the same moment, can exceed it
    --   in_default_timeout_seconds number = null: in_timeout_seconds of new tasks that name none; 0 = no limit
    -- Errors:
    --   20003: a number is out of range, or none is given
    --   20039: the row of the settings is missing
    --   20061: the caller is not an administrator
    -- Example: dbsched.set_options(in_retention_days => 90, in_linger_seconds => 5);
    procedure set_options (
        in_linger_seconds in number default null,
        in_idle_sweep_seconds in number default null,
        in_retention_days in number default null,
        in_max_retry_delay_seconds in number default null,
        in_max_orphans in number default null,
        in_outage_seconds in number default null,
        in_max_tasks_per_user in number default null,
        in_default_timeout_seconds in number default null);

    -- Procedure: create_schedule
    -- Purpose: Creates a schedule: at each instant of its calendar it makes a process, named after it and the local time, with the given
    -- tasks, as tasks of the user who created it.
    -- Parameters:
    --   in_name varchar2 (required): its name, at most 100 characters
    --   in_calendar varchar2 (required): five fields as in cron: minute, hour, day of the month (also L, the last), month, day of the week
    --       (also 5#2, the second Friday), with lists, ranges, steps and English names; or @hourly, @daily, @weekly, @monthly, @yearly;
    --       or every N minutes, hours or days; or a calendar string of DBMS_SCHEDULER, whose own rules count then
    --   in_sql clob = null: its only task: SQL statement or PL/SQL block; or
    --   in_tasks clob = null: its tasks, as for exec_async_batch, without process_id and not_before
    --   in_zone varchar2 = 'UTC': time zone of the calendar, a name in V$TIMEZONE_NAMES
    --   in_overlap varchar2 = 'Skip': if its last process still runs: Skip the firing, Queue it (at most one waits) or Allow both
    --   in_missed varchar2 = 'Once': firings missed while the scheduler was stopped or down, or the schedule was not enabled: Once fires the last
    --       for all, None fires none, All fires the last 100, the oldest first
    --   in_on_error varchar2 = 'Halt': see create_process
    --   in_weight number = 1: see create_process
    --   in_max_parallel number = null: see create_process
    --   in_enabled boolean = true: false = it fires only after set_schedule_enabled
    --   in_begin_at timestamp with time zone = null: no firing before it; every N minutes, hours or days, and what a calendar string
    --       takes from its start date, is counted from it, even if it lies in the past; NULL = now
    --   in_end_at timestamp with time zone = null: no firing after it; NULL = without end
    -- Errors: those of alter_schedule but 20071
    -- Example: dbsched.create_schedule('weekly load', '0 2 * * SUN', in_sql => 'begin load; end;', in_zone => 'Europe/Warsaw');
    procedure create_schedule (
        in_name in varchar2,
        in_calendar in varchar2,
        in_sql in clob default null,
        in_tasks in clob default null,
        in_zone in varchar2 default 'UTC',
        in_overlap in varchar2 default 'Skip',
        in_missed in varchar2 default 'Once',
        in_on_error in varchar2 default 'Halt',
        in_weight in number default 1,
        in_max_parallel in number default null,
        in_enabled in boolean default true,
        in_begin_at in timestamp with time zone default null,
        in_end_at in timestamp with time zone default null);

    -- Procedure: alter_schedule
    -- Purpose: Changes a schedule. What is NULL stays. A new calendar or time zone counts from now on. New tasks make the caller the owner of
    -- the schedule; what has fired for the former owner, but has no process yet, fails. Existing processes stay as they are.
    -- Parameters:
    --   in_name varchar2 (required): name of the schedule
    --   in_calendar varchar2 = null: when it fires; see create_schedule, as for all that follow
    --   in_sql clob = null: its only task, or
    --   in_tasks clob = null: its tasks
    --   in_zone varchar2 = null: time zone of the calendar
    --   in_overlap varchar2 = null: Skip, Queue or Allow
    --   in_missed varchar2 = null: Once, None or All
    --   in_on_error varchar2 = null: Halt or Continue
    --   in_weight number = null: weight of its processes
    --   in_max_parallel number = null: most tasks of a process that run at once; 0 = no limit
    --   in_create boolean = false: true = create it, as create_schedule does
    --   in_enabled boolean = true: of a new schedule: false = it fires only after set_schedule_enabled
    --   in_begin_at timestamp with time zone = null: no firing before it; every N minutes, hours or days is counted from it
    --   in_end_at timestamp with time zone = null: no firing after it; 9999-12-31 = without end
    -- Errors: those of exec_async_batch and create_process, and
    --   20008: in_overlap or in_missed is not an allowed value
    --   20071: the schedule does not exist
    --   20072: the schedule belongs to another user
    --   20073: the name is not valid, or there is a schedule of that name
    --   20074: the calendar cannot be read, or never fires between in_begin_at and in_end_at
    --   20075: there is no such time zone
    --   20076: not exactly one of in_sql and in_tasks, or a task names a process or not_before
    -- Example: dbsched.alter_schedule('nightly load', '30 1 * * MON-FRI');
    procedure alter_schedule (
        in_name in varchar2,
        in_calendar in varchar2 default null,
        in_sql in clob default null,
        in_tasks in clob default null,
        in_zone in varchar2 default null,
        in_overlap in varchar2 default null,
        in_missed in varchar2 default null,
        in_on_error in varchar2 default null,
        in_weight in number default null,
        in_max_parallel in number default null,
        in_create in boolean default false,
        in_enabled in boolean default true,
        in_begin_at in timestamp with time zone default null,
        in_end_at in timestamp with time zone default null);

    -- Procedure: set_schedule_enabled
    -- Purpose: Enables a schedule, Suspended ones too, or disables it. What it misses then is made up for as its in_missed says.
    -- Parameters:
    --   in_name varchar2 (required): name of the schedule
    --   in_enabled boolean (required): true = enable
    -- Errors:
    --   20003: in_enabled is NULL
    --   20071: the schedule does not exist
    --   20072: the schedule belongs to another user
    -- Example: dbsched.set_schedule_enabled('nightly load', false);
    procedure set_schedule_enabled (in_name in varchar2, in_enabled in boolean);

    -- Procedure: run_schedule
    -- Purpose: Fires a schedule now, also if it is disabled. Unless its in_overlap is Allow, this waits until its last process has ended.
    -- Parameters:
    --   in_name varchar2 (required): name of the schedule
    -- Errors:
    --   20071: the schedule does not exist
    --   20072: the schedule belongs to another user
    -- Example: dbsched.run_schedule('nightly load');
    procedure run_schedule (in_name in varchar2);

    -- Procedure: drop_schedule
    -- Purpose: Removes a schedule. Its processes run to their end, and its history stays for retention_days.
    -- Parameters:
    --   in_name varchar2 (required): name of the schedule
    -- Errors:
    --   20071: the schedule does not exist
    --   20072: the schedule belongs to another user
    -- Example: dbsched.drop_schedule('old load');
    procedure drop_schedule (in_name in varchar2);

    -- Procedure: run_firing
    -- Purpose: Makes the process of a schedule's firing and its tasks. Only the task that dbsched enqueues for the firing may call it.
    -- Parameters:
    --   in_firing_id number (required): the firing
    -- Errors: those of create_process and exec_async_batch, and
    --   20072: the schedule has another owner than when it fired
    --   20078: called outside the task of the firing
    -- Example: none; a task of process 0 calls it
    procedure run_firing (in_firing_id in number);

    -- Function: next_instants
    -- Purpose: The next instants of a calendar in a time zone, in UTC, as a JSON array like ["2026-01-31T01:00:00"].
    -- Parameters:
    --   in_calendar varchar2 (required): the calendar, see create_schedule
    --   in_zone varchar2 = 'UTC': its time zone
    --   in_after timestamp = null: list instants after this time, in UTC; NULL = now
    --   in_count number = 10: how many; 1 to 100
    --   in_begin_at timestamp with time zone = null: list none before it, and count intervals from it; NULL = in_after
    --   in_end_at timestamp with time zone = null: list none after it; NULL = without end
    -- Errors:
    --   20003: in_count is out of range
    --   20074: the calendar cannot be read, or never fires
    --   20075: there is no such time zone
    -- Example: select dbsched.next_instants('0 2 * * MON-FRI', 'Europe/Warsaw') from dual
    function next_instants (
        in_calendar in varchar2,
        in_zone in varchar2 default 'UTC',
        in_after in timestamp default null,
        in_count in number default 10,
        in_begin_at in timestamp with time zone default null,
        in_end_at in timestamp with time zone default null) return varchar2;

    -- Procedure: set_alarm_hook
    -- Purpose: Names a procedure of yours that is called for every new alarm, or NULL for none. Each call is a task: it runs with the
    -- rights of tasks, in a process called "alarm hook", one at a time, for at most 300 seconds, with three attempts. It cannot harm
    -- the scheduler, and runs only while the scheduler is started. Its errors are in DS_LOG_INFO. Installations and upgrades
    -- keep the hook. The procedure must have a parameter in_alarm_id, the alarm's id in DS_ALARM_INFO.
    -- Parameters:
    --   in_procedure varchar2 = null: name of the procedure, with its schema if tasks run as a runner; NULL = no hook
    -- Errors:
    --   20039: the row of the settings is missing
    --   20060: the procedure does not exist, or has no parameter in_alarm_id
    --   20061: the caller is not an administrator
    -- Example: dbsched.set_alarm_hook('on_alarm');
    procedure set_alarm_hook (in_procedure in varchar2 default null);

    -- Procedure: purge
    -- Purpose: Deletes old finished tasks and processes, attempts and alarms, in small steps that do not block other sessions. The sweep
    -- deletes what is older than retention_days in the same way. Unfinished tasks and processes remain, however old.
    -- Parameters:
    --   in_days number = null: delete what ended more days ago; 0 = all that has ended; NULL = retention_days; 0 to 36500
    -- Errors:
    --   20003: in_days is out of range
    --   20061: the caller is not an administrator
    -- Example: dbsched.purge(7);
    procedure purge (in_days in number default null);

    -- Procedure: acknowledge_alarms
    -- Purpose: Marks alarms as known, so that status counts only newer ones. They remain in DS_ALARM_INFO.
    -- Parameters:
    --   in_up_to number = null: id of the last alarm to mark, with all before it; NULL = all
    --   in_alarm_id number = null: the only alarm to mark, whatever in_up_to is; NULL = see in_up_to
    -- Errors:
    --   20061: the caller is not an administrator
    -- Example: dbsched.acknowledge_alarms(17);
    procedure acknowledge_alarms (in_up_to in number default null, in_alarm_id in number default null);

    -- Procedure: task_scheduler
    -- Purpose: Turns the calling session into an additional worker, beside those of set_workers, until it has had no work for a while.
    -- Meanwhile the session has the settings of tasks: time zone UTC, ISO dates. NLS settings, time zone, module, action, client info and
    -- client identifier are restored; the current schema is the owner's, isolation is READ COMMITTED, and DBMS_OUTPUT is off afterwards.
    -- Roles do not count in its tasks, and the packages cannot be replaced while it runs.
    -- Parameters:
    --   in_waiting_time number = 30: seconds without work after which it returns; 0 to 86400
    -- Errors:
    --   20003: in_waiting_time is NULL or out of range
    --   20010: called inside a transaction
    --   20014: the scheduler is stopped
    --   20017: called by a task
    --   20018: 64 sessions already do so
    --   20048: the session is not the owner's: tasks would run as another user
    -- Example: dbsched.task_scheduler(60);
    procedure task_scheduler (in_waiting_time in number default 30);

    -- Procedure: sweep
    -- Purpose: Does at once what the dispatcher does periodically: cleans up after dead workers, prunes, starts lanes.
    -- Parameters: none
    -- Errors:
    --   20061: the caller is not an administrator
    -- Example: dbsched.sweep;
    procedure sweep;
end dbsched;
/
prompt package enqueue
create or replace package ds_enqueue authid definer as
    -- Package: DS_ENQUEUE
    -- Purpose: Adds tasks. Joins the caller's transaction: checks come before the first write, and nothing is rolled back.
    -- Access: private

    -- Procedure: add_task
    -- Purpose: Adds one task and wakes the dispatcher when the caller's transaction commits.
    -- Parameters:
    --   in_task dbsched.t_task (required): the task
    --   out_task_id number OUT: id of the new task, or of the unfinished task with the same key
    -- Errors:
    --   20001, 20002, 20003, 20004, 20005, 20008, 20030, 20031, 20032, 20033, 20034, 20040, 20041, 20059: see dbsched.exec_async
    procedure add_task (in_task in dbsched.t_task, out_task_id out number);

    -- Procedure: add_table
    -- Purpose: Adds many tasks, all or none, and wakes the dispatcher once.
    -- Parameters:
    --   in_tasks dbsched.t_tasks (required): the tasks
    --   out_task_ids dbsched.t_task_ids OUT: their ids, under the same subscripts
    -- Errors: those of add_task, with the subscript of the first wrong task
    procedure add_table (in_tasks in dbsched.t_tasks, out_task_ids out dbsched.t_task_ids);

    -- Procedure: add_batch
    -- Purpose: Does the same for a JSON array.
    -- Parameters:
    --   in_tasks clob (required): array of objects
    --   in_process_id number (required): process of all tasks, which name neither it nor not_before; NULL = as each task says
    --   out_task_ids clob OUT: array of their ids
    -- Errors: those of add_task, with the position of the first wrong task, and
    --   20036: in_tasks is not a JSON array of objects, or a member is not an exec_async parameter or has the wrong type
    --   20076: a task names a process or not_before
    procedure add_batch (in_tasks in clob, in_process_id in number, out_task_ids out clob);
end ds_enqueue;
/
prompt body base
create or replace package body ds_base as
    procedure fail (in_number in pls_integer, in_text in varchar2) is
    begin
        raise_application_error(0 - in_number, 'dbsched ' || in_number || ': ' || in_text);
    end fail;

    function utc_now return timestamp with time zone is
    begin
        return systimestamp at time zone '+00:00';
    end utc_now;

    function claim_key (in_priority in number, in_expected_seconds in number, in_task_id in number) return number is
    begin
        return in_task_id + ((1000000 - in_priority) * 10000000000 + 9999999999 - in_expected_seconds) * 10000000000000000000;
    end claim_key;

    function home return varchar2 is
    begin
        -- Upper case: parameter files may use any case. The role is added because a snapshot standby has all names of its primary.
        return upper(nvl(sys_context('USERENV', 'CDB_NAME'), sys_context('USERENV', 'DB_NAME')) || '/' || sys_context('USERENV', 'CON_NAME'))
            || nullif(' ' || sys_context('USERENV', 'DATABASE_ROLE'), ' PRIMARY')
            || ', schema ' || sys_context('USERENV', 'CURRENT_USER') || ' (user ' || sys_context('USERENV', 'CURRENT_USERID') || ')';
    end home;

    function container_guid return varchar2 is
        l_guid varchar2(100);
    begin
        begin
            execute immediate 'select rawtohex(p.guid) from sys.v_$pdbs p where p.con_id = sys_context(''USERENV'', ''CON_ID'')' into l_guid;
        exception
            -- Since 21c everybody has a function for it (SQL Language Reference).
            when others then
                execute immediate 'select con_id_to_guid(sys_context(''USERENV'', ''CON_ID'')) from dual' into l_guid;
        end;
        return l_guid;
    exception
        when others then
            return null;
    end container_guid;

    function place (in_home in varchar2, in_home_guid in varchar2, in_also_on in varchar2) return varchar2 is
        l_here varchar2(400) := home;
    begin
        return case
            when in_home is null or in_home = l_here then 'Home'
            when regexp_substr(in_home, '/.*') = regexp_substr(l_here, '/.*')
                 and instr(',' || in_also_on || ',', ',' || regexp_substr(l_here, '[^/]+') || ',') > 0 then 'Moved'
            -- A snapshot standby has the same GUID.
            when regexp_substr(in_home, ', schema .*') = regexp_substr(l_here, ', schema .*')
                 and sys_context('USERENV', 'DATABASE_ROLE') = 'PRIMARY' and in_home_guid = container_guid then 'Moved'
            else 'Copy' end;
    end place;

    procedure need_whole (in_name in varchar2, in_value in number, in_from in number, in_to in number default 2147483647, in_null_too in boolean default false) is
    begin
        if (in_value is null and not in_null_too) or in_value <> trunc(in_value) or in_value not between in_from and in_to then
            fail(20003, in_name || ' must be a whole number from ' || in_from || ' to ' || in_to || '.');
        end if;
    end need_whole;

    procedure need_settings is
        l_count pls_integer;
    begin
        select count(*) into l_count from ds_settings s;
        if l_count = 0 then
            fail(20039, 'the row of DS_SETTINGS is missing, so no task runs. To bring it back with default values, run: dbsched install.');
        end if;
    end need_settings;

    procedure begin_transaction is
    begin
        rollback;
        set transaction isolation level read committed;
    end begin_transaction;

    procedure lock_process (in_process_id in number, out_held out varchar2) is
        l_process_id number;
    begin
        out_held := 'N';
        select p.process_id into l_process_id from ds_processes p where p.process_id = in_process_id for update wait 1;
    exception
        when no_data_found then
            null;
        when ds_base.e_held or ds_base.e_busy then
            out_held := 'Y';
    end lock_process;
end ds_base;
/
prompt body json
create or replace package body ds_json as
    -- The reading position. The text is read in pieces that fit into a VARCHAR2: reading single characters of a CLOB is slow.
    type reader is record (
        doc clob,
        total number,
        next_at number := 1,
        piece varchar2(32767),
        size_of pls_integer := 0,
        pos pls_integer := 1);

    procedure read_value (io in out nocopy reader, in_depth in pls_integer, io_item in out nocopy item);

    -- Appends to a text. When it no longer fits, the text goes to the CLOB.
    procedure append (io_text in out nocopy varchar2, io_long in out nocopy clob, in_piece in varchar2) is
    begin
        if nvl(lengthb(io_text), 0) + nvl(lengthb(in_piece), 0) > 32767 then
            io_long := io_long || io_text;
            io_text := in_piece;
        else
            io_text := io_text || in_piece;
        end if;
    end append;

    procedure next_piece (io in out nocopy reader) is
        co_amount constant pls_integer := 1000;
        e_boundary exception; pragma exception_init(e_boundary, -22831);
    begin
        -- In a CLOB a supplementary character counts as two (LENGTH2). A piece that ends between the two is an error or has a wrong
        -- last character, so the last character of each piece but the last is left to the next one.
        begin
            io.piece := dbms_lob.substr(io.doc, co_amount, io.next_at);
        exception
            when e_boundary then
                io.piece := dbms_lob.substr(io.doc, co_amount - 1, io.next_at);
        end;

        if io.next_at + co_amount <= io.total then
            io.piece := substr(io.piece, 1, length(io.piece) - 1);
            io.next_at := io.next_at + length2(io.piece);
        else
            io.next_at := io.total + 1;
        end if;

        io.size_of := length(io.piece);
        io.pos := 1;
    end next_piece;

    -- The next character, NULL at the end.
    function peek (io in out nocopy reader) return varchar2 is
    begin
        if io.pos > io.size_of and io.next_at <= io.total then
            next_piece(io);
        end if;
        return substr(io.piece, io.pos, 1);
    end peek;

    -- The position of the next character in the text.
    function place (io in reader) return number is
    begin
        return io.next_at - nvl(length2(substr(io.piece, io.pos)), 0);
    end place;

    procedure skip_blanks (io in out nocopy reader) is
    begin
        while instr(' ' || chr(9) || chr(10) || chr(13), peek(io)) > 0 loop
            io.pos := io.pos + 1;
        end loop;
    end skip_blanks;

    -- Consumes a required character.
    procedure expect (io in out nocopy reader, in_char in varchar2) is
    begin
        if nvl(peek(io), ' ') <> in_char then
            raise value_error;
        end if;
        io.pos := io.pos + 1;
    end expect;

    function hex4 (io in out nocopy reader) return varchar2 is
        l_digits varchar2(4 char);
    begin
        for i in 1 .. 4 loop
            if nvl(instr('0123456789abcdefABCDEF', peek(io)), 0) = 0 then
                raise value_error;
            end if;
            l_digits := l_digits || peek(io);
            io.pos := io.pos + 1;
        end loop;
        return l_digits;
    end hex4;

    -- The character of \uXXXX, or of two of them that form a surrogate pair. The first \u has been consumed.
    function unicode (io in out nocopy reader) return varchar2 is
        l_digits varchar2(20 char) := hex4(io);
        l_code pls_integer := to_number(l_digits, 'XXXX');
    begin
        if l_code between 56320 and 57343 then
            raise value_error;
        elsif l_code between 55296 and 56319 then
            expect(io, '\');
            expect(io, 'u');
            l_digits := l_digits || '\' || hex4(io);
            if to_number(substr(l_digits, 6), 'XXXX') not between 56320 and 57343 then
                raise value_error;
            end if;
        end if;
        return to_char(unistr('\' || l_digits));
    end unicode;

    procedure read_string (io in out nocopy reader, out_text out nocopy varchar2, out_long out nocopy clob) is
        l_quote pls_integer;
        l_slash pls_integer;
        l_end pls_integer;
        l_char varchar2(4 char);
        l_text varchar2(32767);
        l_long clob;
    begin
        expect(io, '"');
        loop
            if peek(io) is null then
                raise value_error;
            end if;

            l_quote := instr(io.piece, '"', io.pos);
            l_slash := instr(io.piece, '\', io.pos);
            l_end := case when l_slash > 0 and (l_quote = 0 or l_slash < l_quote) then l_slash when l_quote > 0 then l_quote else io.size_of + 1 end;
            append(l_text, l_long, substr(io.piece, io.pos, l_end - io.pos));
            io.pos := l_end + 1;

            exit when l_end = l_quote;

            if l_end = l_slash then
                l_char := peek(io);
                io.pos := io.pos + 1;
                l_char := case l_char
                    when '"' then '"'
                    when '\' then '\'
                    when '/' then '/'
                    when 'b' then chr(8)
                    when 'f' then chr(12)
                    when 'n' then chr(10)
                    when 'r' then chr(13)
                    when 't' then chr(9)
                    when 'u' then unicode(io)
                end;
                if l_char is null then
                    raise value_error;
                end if;
                append(l_text, l_long, l_char);
            else
                io.pos := l_end;
            end if;
        end loop;

        if l_long is null then
            out_text := l_text;
        else
            out_long := l_long || l_text;
        end if;
    end read_string;

    -- The members after { or [; those of the first level are kept.
    procedure read_members (io in out nocopy reader, in_depth in pls_integer, io_members in out nocopy item_list) is
        l_close varchar2(1) := case peek(io) when '{' then '}' else ']' end;
        l_member item;
        l_none item;
        l_long clob;
    begin
        if in_depth > 50 then
            raise value_error;
        end if;

        io.pos := io.pos + 1;
        skip_blanks(io);
        if peek(io) = l_close then
            io.pos := io.pos + 1;
            return;
        end if;

        loop
            l_member := l_none;
            if l_close = '}' then
                skip_blanks(io);
                read_string(io, l_member.name, l_long);
                if l_long is not null then
                    raise value_error;
                end if;
                skip_blanks(io);
                expect(io, ':');
            end if;

            skip_blanks(io);
            read_value(io, in_depth, l_member);
            if in_depth = 1 then
                io_members(io_members.count + 1) := l_member;
            end if;

            skip_blanks(io);
            exit when peek(io) = l_close;
            expect(io, ',');
        end loop;
        io.pos := io.pos + 1;
    end read_members;

    procedure read_value (io in out nocopy reader, in_depth in pls_integer, io_item in out nocopy item) is
        l_char varchar2(1 char) := peek(io);
        l_nested item_list;
        l_from number;
    begin
        if l_char = '"' then
            io_item.kind := 'String';
            read_string(io, io_item.text, io_item.long_text);
        elsif l_char in ('{', '[') then
            io_item.kind := case l_char when '{' then 'Object' else 'Array' end;
            l_from := place(io);
            read_members(io, in_depth + 1, l_nested);

            if in_depth = 1 and place(io) - l_from <= 8000 then
                io_item.text := dbms_lob.substr(io.doc, place(io) - l_from, l_from);
            elsif in_depth = 1 then
                io_item.long_text := substr(io.doc, l_from, place(io) - l_from);
            end if;
        else
            while instr('+-.0123456789Eabcdefghijklmnopqrstuvwxyz', peek(io)) > 0 loop
                io_item.text := io_item.text || peek(io);
                io.pos := io.pos + 1;
            end loop;

            io_item.kind := case
                when io_item.text in ('true', 'false') then 'Boolean'
                when io_item.text = 'null' then 'Null'
                when regexp_like(io_item.text, '^-?(0|[123456789][0123456789]*)([.][0123456789]+)?([eE][-+]?[0123456789]+)?$') then 'Number'
            end;
            if io_item.kind is null then
                raise value_error;
            end if;
        end if;
    end read_value;

    function parse (in_json in clob, out_members out item_list) return varchar2 is
        l_reader reader;
        l_kind varchar2(6);
    begin
        l_reader.doc := in_json;
        l_reader.total := nvl(dbms_lob.getlength(in_json), 0);
        skip_blanks(l_reader);
        l_kind := case peek(l_reader) when '{' then 'Object' when '[' then 'Array' end;

        if l_kind is not null then
            read_members(l_reader, 1, out_members);
            skip_blanks(l_reader);
            if peek(l_reader) is not null then
                raise value_error;
            end if;
        end if;

        return l_kind;
    exception
        -- Invalid text also raises this.
        when value_error then
            out_members.delete;
            return null;
    end parse;

    function text_of (in_item in item) return clob is
    begin
        return nvl(in_item.long_text, to_clob(in_item.text));
    end text_of;

    function value_of (in_text in varchar2) return number is
    begin
        return to_number(replace(in_text, '.', substr(to_char(0.5, 'FM0D0'), 2, 1)));
    end value_of;
end ds_json;
/
prompt body rights
create or replace package body ds_rights as
    -- True if two names are the same user's. Not by =, which treats A_B as AB or ab if the caller's session uses such a collation
    -- (NLS_COMP, NLS_SORT; Globalization Support Guide, "Linguistic Sorting and Matching").
    function same_user (in_user in varchar2, in_other in varchar2) return boolean is
    begin
        return nlssort(in_user, 'NLS_SORT=BINARY') = nlssort(in_other, 'NLS_SORT=BINARY');
    end same_user;

    function current_task return ds_tasks%rowtype is
        l_key varchar2(24) := dbms_session.unique_session_id;
        l_task ds_tasks%rowtype;
    begin
        -- Not a join, for which all tasks might be read. The lane may still have a task of a dead worker.
        select /*+ index(t (lane_id)) */ t.* into l_task
        from ds_tasks t
        where t.lane_id = (select max(l.lane_id) from ds_lanes l where l.session_key = l_key)
          and t.worker_id = (select max(l.worker_id) from ds_lanes l where l.session_key = l_key);

        return l_task;
    exception
        when no_data_found then
            return l_task;
    end current_task;

    function submitter return varchar2 is
        l_task ds_tasks%rowtype := current_task;
    begin
        return nvl(l_task.enqueued_by, sys_context('USERENV', 'SESSION_USER') || '#' || sys_context('USERENV', 'SESSION_USERID'));
    end submitter;

    function name_of (in_submitter in varchar2) return varchar2 is
    begin
        return substr(in_submitter, 1, instr(in_submitter, '#', -1) - 1);
    end name_of;

    function gone (in_submitter in varchar2) return boolean is
        l_name varchar2(128) := name_of(in_submitter);
        l_count pls_integer;
    begin
        if same_user(l_name, 'APP') then
            return false; -- the packages are the owner's
        end if;

        select count(*) into l_count
        from all_users u
        where nlssort(u.username, 'NLS_SORT=BINARY') = nlssort(l_name, 'NLS_SORT=BINARY');
        return l_count = 0;
    end gone;

    function barred (in_submitter in varchar2) return varchar2 is
    begin
        if gone(in_submitter) then
            return 'no longer exists';
        end if;
        return null;
    end barred;

    function administrator return varchar2 is
    begin
        -- Tasks run as the owner, so every caller of the packages can do everything.
        return 'Y';
    end administrator;

    function may_administer return boolean is
    begin
        return administrator = 'Y';
    end may_administer;

    procedure require_administrator (in_what in varchar2) is
    begin
        if not may_administer then
            raise_application_error(-20061, 'dbsched 20061: ' || in_what || ' needs a dbsched administrator, outside a task; you are '
                || name_of(submitter) || '. The owner can run: dbsched grant USER --admin.');
        end if;
    end require_administrator;

    procedure require_owner (in_user in varchar2, in_number in number, in_what in varchar2) is
    begin
        if not may_administer and not same_user(submitter, in_user) then
            raise_application_error(0 - in_number, 'dbsched ' || in_number || ': ' || in_what || ' belongs to another user.');
        end if;
    end require_owner;

    function process_of (in_process_id in number, in_which in varchar2 default null) return ds_processes%rowtype is
        l_process ds_processes%rowtype;
    begin
        -- Nobody uses process 0, that of schedules.
        select p.* into l_process from ds_processes p where p.process_id = in_process_id and p.process_id > 0;

        if in_process_id <> 1 then
            require_owner(l_process.created_by, 20006, in_which || 'process ' || in_process_id);
        end if;
        return l_process;
    exception
        when no_data_found then
            ds_base.fail(20004, in_which || 'there is no process ' || nvl(to_char(in_process_id), 'NULL') || '.');
    end process_of;
end ds_rights;
/
prompt body wake
create or replace package body ds_wake as
    procedure enqueue (in_queue in varchar2, in_correlation in varchar2) is
        l_options dbms_aq.enqueue_options_t;
        l_properties dbms_aq.message_properties_t;
        l_message_id raw(16);
    begin
        l_options.visibility := dbms_aq.on_commit;
        l_properties.correlation := in_correlation;

        dbms_aq.enqueue(
            queue_name => 'APP.DS_' || in_queue,
            enqueue_options => l_options,
            message_properties => l_properties,
            payload => hextoraw('01'),
            msgid => l_message_id);
    end enqueue;

    -- Claims delete marks. While none come, thousands would pile up, and a reader would pass over their deleted entries for ever: one stays of those
    -- that are committed. An error is left to the next transaction: this one has nothing to do with it. 1013: the caller was interrupted.
    procedure merge_marks (in_process_id in number) is
        pragma autonomous_transaction;
        type mark_rows is table of rowid;
        l_marks mark_rows;
    begin
        ds_base.begin_transaction;

        select rowid bulk collect into l_marks
        from ds_wake_sent w
        where w.process_id = in_process_id
        order by w.claim_order, w.claim_key
        for update skip locked;

        forall i in 2 .. l_marks.count
            delete from ds_wake_sent where rowid = l_marks(i);
        commit write immediate wait;
    exception
        when others then
            rollback;
            if sqlcode = -1013 then
                raise;
            end if;
    end merge_marks;

    procedure send (in_process_id in number, in_order in number default 9999999999, in_key in number default 0) is
        l_id varchar2(64) := dbms_transaction.local_transaction_id(true);
        l_marks pls_integer;
        l_sent pls_integer;
    begin
        select count(*), count(case w.transaction_id when l_id then 1 end) into l_marks, l_sent
        from ds_wake_sent w
        where w.process_id = in_process_id;

        if l_sent > 0 then
            update ds_wake_sent w
            set w.claim_order = in_order, w.claim_key = in_key
            where w.process_id = in_process_id and w.transaction_id = l_id
              and (w.claim_order > in_order or (w.claim_order = in_order and w.claim_key > in_key));
            return;
        end if;

        -- In this order: a message that cannot be sent leaves no mark behind.
        send_now;
        if l_marks >= 10 then
            merge_marks(in_process_id);
        end if;
        insert into ds_wake_sent (transaction_id, process_id, claim_order, claim_key) values (l_id, in_process_id, in_order, in_key);
    end send;

    procedure send_now is
    begin
        enqueue('WAKE_Q', null);
    end send_now;

    procedure send_lane (in_lane_id in number) is
    begin
        enqueue('LANE_Q', 'L' || to_char(in_lane_id));
    end send_lane;
end ds_wake;
/
prompt body run
create or replace package body ds_run as
    -- Characters treated as blanks around statements.
    function blanks return varchar2 is
    begin
        return ' ' || chr(9) || chr(10) || chr(13);
    end blanks;

    -- The next word at or after a position, in upper case, after blanks and comments. A label and a parenthesis count as words.
    -- NULL = no word. io_at is set to the position after it.
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

    -- The kind of a text: Query, Block (PL/SQL), Unit (CREATE of stored PL/SQL), Ddl or Other.
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

    -- The text as the server needs it: without SQL*Plus's last line "/", and without ";" unless it is PL/SQL.
    procedure normalize (in_sql in clob, out_text out clob, out_kind out varchar2) is
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
    end normalize;

    -- DBMS_SQL fetches into a buffer for each column, defined in advance. Scalars are converted to text, which works for all of
    -- them; the text is not read. Codes: DBMS_SQL, "Data Type Codes"; 252 is BOOLEAN, since 23ai.
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
                raise_application_error(-20070, 'dbsched 20070: column ' || i || ' of the query has a type that cannot be fetched (code '
                    || l_type || '); write a PL/SQL block.');
            end if;
        end loop;
    end define_columns;

    -- Takes a setting back that a task may have made. Releases before 21c do not know READ_ONLY.
    procedure take_back (in_setting in varchar2) is
    begin
        execute immediate 'alter session ' || in_setting;
    exception
        when others then
            null;
    end take_back;

    -- The same session state for every task, independent of earlier tasks and of the job's creator (a job keeps its creator's NLS
    -- environment). Leftovers of the previous task are rolled back.
    procedure reset_session is
    begin
        -- Each would keep dbsched from recording how the task ended (ORA-00034, ORA-28193, ORA-12838).
        take_back('enable commit in procedure');
        rollback;
        take_back('set read_only = false');
        take_back('disable parallel dml');
        -- Each would change what later tasks do.
        take_back('enable parallel query');
        take_back('enable parallel ddl');
        take_back('set constraints = default');
        take_back('set row archival visibility = active');
        take_back('set error_on_overlap_time = false');
        -- Since 23ai. A low one would let other transactions roll back our claims (ORA-63300).
        take_back('set txn_priority = high');
        execute immediate 'alter session set current_schema = ' || dbms_assert.enquote_name(sys_context('USERENV', 'SESSION_USER'), false);
        execute immediate 'alter session set isolation_level = read committed';
        execute immediate 'alter session set time_zone = ''+00:00''';
        -- Language and territory first: they set the other parameters.
        execute immediate 'alter session set nls_language = ''AMERICAN''';
        execute immediate 'alter session set nls_territory = ''AMERICA''';
        execute immediate 'alter session set nls_calendar = ''GREGORIAN'' nls_sort = ''BINARY'' nls_comp = ''BINARY'' nls_numeric_characters = ''.,'''
            || ' nls_date_format = ''YYYY-MM-DD HH24:MI:SS'' nls_timestamp_format = ''YYYY-MM-DD HH24:MI:SS.FF'''
            || ' nls_timestamp_tz_format = ''YYYY-MM-DD HH24:MI:SS.FF TZH:TZM'' nls_length_semantics = ''BYTE'' nls_nchar_conv_excp = ''FALSE'''
            || ' ddl_lock_timeout = 0';
        -- Nobody would read what tasks print once one of them has called ENABLE: the buffer would fill up (ORU-10027).
        dbms_output.disable;
        dbms_application_info.set_client_info(null);
    end reset_session;

    -- Whether packages hold more than 64 MB of what tasks left in them, which only the end of the session frees. Needs no grant, unlike
    -- V$MYSTAT.
    function crowded return boolean is
        l_owners dbms_session.lname_array;
        l_units dbms_session.lname_array;
        l_types dbms_session.integer_array;
        l_used dbms_session.integer_array;
        l_free dbms_session.integer_array;
        l_bytes number := 0;
    begin
        dbms_session.get_package_memory_utilization(l_owners, l_units, l_types, l_used, l_free);
        for i in nvl(l_used.first, 1) .. nvl(l_used.last, 0) loop
            l_bytes := l_bytes + l_used(i) + l_free(i);
        end loop;
        return l_bytes > 64 * 1024 * 1024;
    end crowded;

    function transaction_ended (in_transaction in varchar2) return boolean is
    begin
        return nvl(dbms_transaction.local_transaction_id, 'none') <> in_transaction;
    end transaction_ended;

    -- Whether the server, not the task, caused an error. 63300 and 63302: rolled back for a transaction of higher priority. 2020: too many
    -- database links are open, those of earlier tasks too, unless this task is the first of its session: in_module. Before the first statement
    -- also no free session or process, a start or shutdown of the database, no memory (Error Help).
    function not_its_fault (in_stack in varchar2, in_module in varchar2, in_step in varchar2) return boolean is
    begin
        return regexp_like(in_stack, 'ORA-6330(0|2)') or (instr(in_stack, 'ORA-02020') > 0 and in_module = 'dbsched')
            or (in_step = 'Parse' and regexp_like(in_stack, 'ORA-(00018|00020|01033|01089|04030|04031)'));
    end not_its_fault;

    -- What an error means for the attempt, before anything is rolled back. io_renew: Y = the session cannot run another task.
    procedure judge_error (
        in_step in varchar2, in_transactional in varchar2, in_transaction in varchar2, in_module in varchar2,
        io_number in out number, io_message in out varchar2, out_outcome out varchar2, io_renew in out varchar2) is
    begin
        out_outcome := 'Failed';

        if in_step = 'Start' or not_its_fault(io_message, in_module, in_step) then
            out_outcome := case when in_step in ('Start', 'Parse') or in_transactional = 'Y' then 'Outage' else 'Orphaned' end;
            io_renew := 'Y';
        elsif in_step = 'Refuse' then
            out_outcome := 'Final';
        elsif in_step = 'Run' and transaction_ended(in_transaction) then
            out_outcome := 'Final';
            io_number := 20035;
            io_message := substrb('dbsched 20035: a transactional task must neither end nor replace its transaction. It ended with: '
                || io_message, 1, 4000);
        elsif in_step = 'Complete' then
            -- Not the task's fault, and nothing of the task remains: handled as if its worker had died.
            out_outcome := 'Orphaned';
        end if;

        -- The state of packages was discarded: a new session has new state.
        if io_number in (4061, 4065, 4068, 6508) then
            io_renew := 'Y';
        end if;
    end judge_error;

    -- Executes a text that has been parsed. out_rows: NULL for blocks, and for DDL, which the parse has run already.
    procedure execute_text (in_cursor in integer, in_kind in varchar2, in_parameters in clob, out_rows out number) is
    begin
        if in_kind in ('Ddl', 'Unit') then
            return;
        end if;

        if in_parameters is not null then
            ds_values.bind_all(in_cursor, in_parameters);
        end if;

        if in_kind = 'Query' then
            define_columns(in_cursor);
        end if;
        out_rows := dbms_sql.execute(in_cursor);

        if in_kind = 'Block' then
            out_rows := null;
        elsif in_kind = 'Query' then
            out_rows := 0;
            while dbms_sql.fetch_rows(in_cursor) > 0 loop
                out_rows := out_rows + 1;
            end loop;
        end if;
    end execute_text;

    -- Resets the session, and says whether it can run another task. The task has run: errors here must not look like its failure. Code that
    -- uses the number of a cursor that is not open locks DBMS_SQL for the session (ORA-29471), even if the task has handled that error.
    procedure clean_up (io_cursor in out integer, in_log_id in number, io_renew in out varchar2) is
    begin
        reset_session;
        dbms_session.clear_identifier;
        dbms_application_info.set_module('dbsched', null);
        if io_cursor is not null then
            dbms_sql.close_cursor(io_cursor);
        end if;
        if mod(in_log_id, 64) = 0 and crowded then
            io_renew := 'Y';
        end if;
    exception
        when others then
            io_renew := 'Y';
    end clean_up;

    procedure run (
        in_worker_id in varchar2, in_task_id in number, in_log_id in number, in_sql in clob, in_parameters in clob, in_transactional in varchar2,
        out_outcome out varchar2, out_rows out number, out_error_number out number, out_error_message out varchar2,
        out_error_backtrace out varchar2, out_renew out varchar2)
    is
        l_step varchar2(10) := 'Start';
        l_transaction varchar2(60);
        l_text clob;
        l_kind varchar2(5);
        l_cursor integer;
        l_rows number;
        l_module varchar2(64);
        l_action varchar2(64);
    begin
        out_renew := 'N';

        -- One handler that sees the error first: raising it again would lose the backtrace.
        begin
            -- A session that has run a task has this module; the claim has set the action.
            dbms_application_info.read_module(l_module, l_action);
            reset_session;
            dbms_application_info.set_module('dbsched', l_action);

            l_step := 'Text';
            normalize(in_sql, l_text, l_kind);
            l_step := 'Start';

            if in_transactional = 'Y' then
                if l_kind in ('Ddl', 'Unit') then
                    l_step := 'Refuse';
                    raise_application_error(-20035, 'dbsched 20035: DDL commits, so it cannot be a transactional task.'
                        || ' Enqueue it with in_transactional => false.');
                end if;

                ds_worker.begin_work(in_worker_id, in_log_id);
                l_transaction := dbms_transaction.local_transaction_id;
            end if;

            l_cursor := dbms_sql.open_cursor;
            -- The parse already runs DDL.
            l_step := case when l_kind in ('Ddl', 'Unit') then 'Run' else 'Parse' end;
            dbms_sql.parse(l_cursor, l_text, dbms_sql.native);
            l_step := 'Run';
            execute_text(l_cursor, l_kind, in_parameters, l_rows);

            if in_transactional = 'Y' then
                if transaction_ended(l_transaction) then
                    l_step := 'Refuse';
                    raise_application_error(-20035, 'dbsched 20035: a transactional task must neither end nor replace its transaction.');
                end if;

                -- Deferred constraints are checked before the process row is locked.
                execute immediate 'set constraints all immediate';
                l_step := 'Complete';
                ds_worker.complete_within(in_worker_id, in_task_id, in_log_id, l_rows);
                l_step := 'Commit';
            end if;

            -- A failed commit has undone everything, including the completion: the attempt has failed like any other.
            commit write immediate wait;
            out_outcome := case in_transactional when 'Y' then 'Recorded' else 'Succeeded' end;
            out_rows := l_rows;
        exception
            when others then
                out_error_message := substrb(dbms_utility.format_error_stack, 1, 4000);
                out_error_backtrace := substrb(dbms_utility.format_error_backtrace, 1, 4000);
                -- SQLCODE of NO_DATA_FOUND is 100, of a user-defined exception 1.
                out_error_number := case sqlcode when 100 then 1403 when 1 then 6510 else abs(sqlcode) end;
                judge_error(l_step, in_transactional, l_transaction, l_module, out_error_number, out_error_message, out_outcome, out_renew);
                take_back('enable commit in procedure');
                rollback;
        end;

        clean_up(l_cursor, in_log_id, out_renew);
    end run;
end ds_run;
/
prompt body values
create or replace package body ds_values as
    type name_set is table of varchar2(1) index by varchar2(32767);

    -- Name and type of a member, from {"name type": value} or implied by the value.
    procedure classify (in_item in ds_json.item, out_name out varchar2, out_type out varchar2) is
        l_blank pls_integer := instr(in_item.name || ' ', ' ');
    begin
        out_name := substr(in_item.name, 1, l_blank - 1);
        out_type := replace(lower(substr(in_item.name, l_blank + 1, 100)), ' ');

        if out_type is null then
            out_type := case
                when in_item.kind in ('Number', 'Boolean') then 'number'
                when in_item.long_text is not null or lengthb(in_item.text) > 4000 then 'clob'
                else 'varchar2'
            end;
        end if;
    end classify;

    -- ASCII letters only. Names had at most 30 bytes before release 12.2.
    function is_name (in_name in varchar2) return boolean is
        co_letters constant varchar2(52) := 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    begin
        return length(in_name) <= 30
            and instr(co_letters, substr(in_name, 1, 1)) > 0
            and rtrim(in_name, co_letters || '0123456789_') is null;
    end is_name;

    procedure require (in_condition in boolean) is
    begin
        if in_condition is null or not in_condition then
            raise value_error;
        end if;
    end require;

    -- Instants look like 2026-01-31T04:05:06, optionally with a fraction.
    function instant (in_text in varchar2) return varchar2 is
        l_shape varchar2(40) := translate(in_text, '123456789', '000000000');
    begin
        require(l_shape = '0000-00-00T00:00:00' or (l_shape like '0000-00-00T00:00:00.0%' and rtrim(substr(l_shape, 21), '0') is null and length(l_shape) <= 29));
        return case when length(l_shape) = 19 then in_text || '.0' else in_text end;
    end instant;

    function instant_with_zone (in_text in varchar2) return timestamp with time zone is
        l_text varchar2(40) := case when substr(in_text, -1) = 'Z' then substr(in_text, 1, length(in_text) - 1) || '+00:00' else in_text end;
        l_zone varchar2(6) := substr(l_text, -6);
    begin
        require(translate(l_zone, '-123456789', '+000000000') = '+00:00');
        return to_timestamp_tz(instant(substr(l_text, 1, length(l_text) - 6)) || l_zone, 'YYYY-MM-DD"T"HH24:MI:SS.FFTZH:TZM');
    end instant_with_zone;

    function instant_of (in_text in varchar2) return timestamp with time zone is
    begin
        return instant_with_zone(case when regexp_like(in_text, '(Z|[-+]..:..)$') then in_text else in_text || 'Z' end);
    end instant_of;

    -- Binds a value, or only tries to if there is no cursor. Any error means that the value does not match its type.
    procedure bind_one (in_cursor in integer, in_name in varchar2, in_type in varchar2, in_item in ds_json.item) is
        l_number number;
        l_double binary_double;
        l_clob clob;
        l_raw raw(2000);
        l_date date;
        l_timestamp timestamp(9);
        l_instant timestamp(9) with time zone;
    begin
        if in_item.kind <> 'Null' then
            require(in_item.kind = case
                when in_type in ('number', 'integer', 'int') and in_item.kind = 'Boolean' then 'Boolean'
                when in_type in ('number', 'integer', 'int', 'binary_double') then 'Number'
                else 'String'
            end);
        end if;

        if in_type in ('number', 'integer', 'int') then
            l_number := case in_item.kind when 'Boolean' then case in_item.text when 'true' then 1 else 0 end when 'Number' then ds_json.value_of(in_item.text) end;
            require(in_type = 'number' or nvl(l_number, 0) = trunc(nvl(l_number, 0)));
        elsif in_type = 'varchar2' then
            require(in_item.long_text is null and nvl(lengthb(in_item.text), 0) <= 4000);
        elsif in_item.kind = 'Null' then
            null;
        elsif in_type = 'binary_double' then
            l_double := to_binary_double(ds_json.value_of(in_item.text));
        elsif in_type = 'clob' then
            l_clob := ds_json.text_of(in_item);
        elsif in_type = 'raw' then
            require(in_item.long_text is null and rtrim(in_item.text, '0123456789abcdefABCDEF') is null and mod(nvl(length(in_item.text), 0), 2) = 0);
            l_raw := hextoraw(in_item.text);
        elsif in_type = 'date' then
            l_timestamp := to_timestamp(instant(case when length(in_item.text) = 10 then in_item.text || 'T00:00:00' else in_item.text end), 'YYYY-MM-DD"T"HH24:MI:SS.FF');
            require(l_timestamp = cast(l_timestamp as timestamp(0)));
            l_date := cast(l_timestamp as date);
        elsif in_type = 'timestamp' then
            l_timestamp := to_timestamp(instant(in_item.text), 'YYYY-MM-DD"T"HH24:MI:SS.FF');
        else
            l_instant := instant_with_zone(in_item.text);
        end if;

        if in_cursor is not null then
            case in_type
                when 'binary_double' then dbms_sql.bind_variable(in_cursor, in_name, l_double);
                when 'varchar2' then dbms_sql.bind_variable(in_cursor, in_name, case when in_item.kind = 'String' then in_item.text end);
                when 'clob' then dbms_sql.bind_variable(in_cursor, in_name, l_clob);
                when 'raw' then dbms_sql.bind_variable_raw(in_cursor, in_name, l_raw);
                when 'date' then dbms_sql.bind_variable(in_cursor, in_name, l_date);
                when 'timestamp' then dbms_sql.bind_variable(in_cursor, in_name, l_timestamp);
                when 'timestampwithtimezone' then dbms_sql.bind_variable(in_cursor, in_name, l_instant);
                else dbms_sql.bind_variable(in_cursor, in_name, l_number);
            end case;
        end if;
    end bind_one;

    procedure check_all (in_parameters in clob, out_error out number, out_problem out varchar2) is
        l_items ds_json.item_list;
        l_seen name_set;
        l_name varchar2(32767);
        l_type varchar2(100);
    begin
        if nvl(ds_json.parse(in_parameters, l_items), 'Array') <> 'Object' or l_items.count > 1000 then
            out_error := 20031;
            out_problem := 'in_parameters is not a JSON object, or has more than 1000 members';
            return;
        end if;

        for i in 1 .. l_items.count loop
            classify(l_items(i), l_name, l_type);

            if l_name is null or not is_name(l_name) or l_seen.exists(upper(l_name)) then
                out_error := 20032;
                out_problem := 'is not a valid parameter name, or is used twice. A name is a letter, then letters, digits and _, at most 30 characters, without a colon';
            elsif l_type not in ('number', 'integer', 'int', 'binary_double', 'varchar2', 'clob', 'raw', 'date', 'timestamp', 'timestampwithtimezone') then
                out_error := 20033;
                out_problem := 'has a type that is not supported. Use number, integer, binary_double, varchar2, clob, raw, date, timestamp or timestamp with time zone';
            else
                begin
                    l_seen(upper(l_name)) := 'Y';
                    bind_one(null, l_name, l_type, l_items(i));
                exception
                    when others then
                        out_error := 20034;
                        out_problem := 'needs a single value of type ' || l_type || ', or null';
                end;
            end if;

            if out_error is not null then
                out_problem := '"' || substr(l_items(i).name, 1, 100) || '" ' || out_problem;
                return;
            end if;
        end loop;
    end check_all;

    procedure bind_all (in_cursor in integer, in_parameters in clob) is
        l_items ds_json.item_list;
        l_name varchar2(32767);
        l_type varchar2(100);
    begin
        if ds_json.parse(in_parameters, l_items) = 'Object' then
            for i in 1 .. l_items.count loop
                classify(l_items(i), l_name, l_type);
                bind_one(in_cursor, l_name, l_type, l_items(i));
            end loop;
        end if;
    end bind_all;
end ds_values;
/
prompt body admin
create or replace package body ds_admin as
    procedure prune (in_cutoff in timestamp with time zone, out_rows out number, out_full out varchar2) is
        type t_ids is table of number;
        l_ids t_ids;
        l_at timestamp with time zone;

        -- Small slices keep locks and undo small.
        procedure count_slice (in_rows in number) is
        begin
            out_rows := out_rows + in_rows;
            if in_rows >= 400 then -- among the oldest 500 some may not have ended
                out_full := 'Y';
            end if;
            commit write immediate wait;
            ds_base.begin_transaction;
        end count_slice;
    begin
        ds_base.begin_transaction;
        out_rows := 0;
        out_full := 'N';

        -- Tasks that are being retried are skipped: retry_process locks tasks in another order (ORA-00060).
        select t.task_id bulk collect into l_ids
        from ds_tasks t
        where t.finished_at < in_cutoff and rownum <= 500
        for update skip locked;

        forall i in 1 .. l_ids.count
            delete from ds_tasks t where t.task_id = l_ids(i) and t.finished_at < in_cutoff;

        count_slice(sql%rowcount);

        delete from ds_processes p
        where p.finished_at < in_cutoff and p.process_id <> 1 and p.running = 0
          and not exists (select 1 from ds_tasks t where t.unfinished_process_id = p.process_id)
          and rownum <= 500;
        count_slice(sql%rowcount);

        -- Ids rise with time: if the oldest row is young, there is nothing to delete. Running attempts among the oldest rows never fill
        -- a slice.
        select max(g.started_at) into l_at from ds_logs g where g.log_id = (select min(i.log_id) from ds_logs i);
        if l_at < in_cutoff then
            delete from ds_logs g
            where g.ended_at < in_cutoff
              and g.log_id in (select o.log_id from (select i.log_id from ds_logs i order by i.log_id) o where rownum <= 500);
            count_slice(sql%rowcount);
        end if;

        select max(a.raised_at) into l_at from ds_alarms a where a.alarm_id = (select min(i.alarm_id) from ds_alarms i);
        if l_at < in_cutoff then
            delete from ds_alarms a
            where a.raised_at < in_cutoff
              and a.alarm_id in (select o.alarm_id from (select i.alarm_id from ds_alarms i order by i.alarm_id) o where rownum <= 500);
            count_slice(sql%rowcount);
        end if;

        select max(f.logged_at) into l_at from ds_schedule_firings f where f.firing_id = (select min(i.firing_id) from ds_schedule_firings i);
        if l_at < in_cutoff then
            delete from ds_schedule_firings f
            where f.logged_at < in_cutoff and f.status <> 'Waiting'
              and f.firing_id in (select o.firing_id from (select i.firing_id from ds_schedule_firings i order by i.firing_id) o where rownum <= 500);
            count_slice(sql%rowcount);
        end if;

        -- Keep the last firing of each round: round_info shows it.
        delete from ds_round_firings f
        where f.fired_at < in_cutoff and f.status <> 'Starting'
          and f.firing_id in (select o.firing_id
                              from (select i.firing_id from ds_round_firings i
                                    where exists (select 1 from ds_round_firings n where n.round_id = i.round_id and n.generation > i.generation)
                                    order by i.firing_id) o
                              where rownum <= 500);
        count_slice(sql%rowcount);
    end prune;

    procedure purge (in_days in number) is
        pragma autonomous_transaction;
        l_days number;
        l_cutoff timestamp with time zone;
        l_rows number;
        l_full varchar2(1);
    begin
        ds_base.begin_transaction;
        ds_base.need_whole('in_days', in_days, 0, 36500, true);

        select nvl(in_days, s.retention_days) into l_days from ds_settings s where s.settings_id = 1;
        l_cutoff := (systimestamp at time zone '+00:00') - numtodsinterval(l_days, 'DAY');

        -- Stop when nothing was deleted, not when a slice is not full: the oldest 500 attempts may include a running one.
        loop
            prune(l_cutoff, l_rows, l_full);
            exit when l_rows = 0;
        end loop;

        commit write immediate wait;
    end purge;

    -- The hook's name for use in a block, checked by parsing a call; parsing does not run a block. QUALIFIED_SQL_NAME accepts only
    -- a name.
    function hook_name (in_procedure in varchar2) return varchar2 is
        l_cursor integer;
        l_name varchar2(400);
    begin
        l_name := dbms_assert.qualified_sql_name(trim(in_procedure));
        if instr(l_name, '@') > 0 then
            ds_base.fail(20060, 'in_procedure names a procedure in another database; name a local one.');
        end if;

        l_cursor := dbms_sql.open_cursor;
        dbms_sql.parse(l_cursor, 'begin ' || l_name || '(in_alarm_id => 1); end;', dbms_sql.native);
        dbms_sql.close_cursor(l_cursor);
        return l_name;
    exception
        when others then
            if sqlcode = -20060 then
                raise;
            end if;
            if l_cursor is not null and dbms_sql.is_open(l_cursor) then
                dbms_sql.close_cursor(l_cursor);
            end if;
            ds_base.fail(20060, 'in_procedure must be a procedure that APP may execute and that has a parameter in_alarm_id: '
                            || substrb(sqlerrm, 1, 500));
    end hook_name;

    procedure set_alarm_hook (in_procedure in varchar2) is
        pragma autonomous_transaction;
        l_hook varchar2(400);
        l_submitter varchar2(140) := ds_rights.submitter;
        l_os_user varchar2(128) := substrb(sys_context('USERENV', 'OS_USER'), 1, 128);
        l_client varchar2(64) := substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64);
        l_old_hook varchar2(400);
        l_old_by varchar2(140);
        l_old_process number;
        l_process_id number;
        l_open pls_integer;
        l_unfinished pls_integer;
        l_now timestamp with time zone := systimestamp at time zone '+00:00';
    begin
        ds_base.begin_transaction;
        if in_procedure is not null then
            l_hook := hook_name(in_procedure);
        end if;

        select s.alarm_hook, s.alarm_hook_by, s.alarm_hook_process_id into l_old_hook, l_old_by, l_old_process
        from ds_settings s
        where s.settings_id = 1
        for update wait 30;

        select count(case when p.status = 'Open' and p.close_requested = 'N' then 1 end), count(case when p.finished_at is null then 1 end)
        into l_open, l_unfinished
        from ds_processes p
        where p.process_id = l_old_process;

        -- Setting the same hook again changes nothing, unless its process has ended.
        if l_hook = l_old_hook and l_old_by = l_submitter and l_open = 1 then
            commit write immediate wait;
            return;
        end if;

        -- One call at a time: a hook that hangs blocks only one worker.
        if l_hook is not null then
            l_process_id := ds_process_seq.nextval;

            insert into ds_processes
                (process_id, name, status, priority, weight, max_parallel, on_error, created_at, created_by, created_by_os_user, created_by_client)
            values
                (l_process_id, 'alarm hook', 'Open', 1000000, 1, 1, 'Continue', l_now, l_submitter, l_os_user, l_client);
        end if;

        update ds_settings s
        set s.alarm_hook = l_hook,
            s.alarm_hook_process_id = l_process_id,
            s.alarm_hook_by = case when l_hook is not null then l_submitter end,
            s.alarm_hook_by_os_user = case when l_hook is not null then l_os_user end,
            s.alarm_hook_by_client = case when l_hook is not null then l_client end,
            s.changed_at = l_now
        where s.settings_id = 1;

        -- Pending calls of the previous hook still run.
        if l_unfinished = 1 then
            insert into ds_process_requests (request_id, process_id, action, requested_at)
            values (ds_request_seq.nextval, l_old_process, 'Close', l_now);
            ds_wake.send_now;
        end if;

        commit write immediate wait;
    end set_alarm_hook;

    procedure call_hook (in_alarm_id in number, in_process_id in number) is
        l_task_id number;
    begin
        -- An alarm about the hook's own tasks must not call it again, and a closed process accepts no tasks.
        for h in (
            select p.process_id, s.alarm_hook, s.alarm_hook_by, s.alarm_hook_by_os_user, s.alarm_hook_by_client
            from ds_settings s
            inner join ds_processes p on p.process_id = s.alarm_hook_process_id
            where s.settings_id = 1 and s.alarm_hook is not null and p.status = 'Open' and (in_process_id is null or p.process_id <> in_process_id)
        ) loop
            l_task_id := ds_task_seq.nextval;
            ds_wake.send(h.process_id, 0, ds_base.claim_key(0, 0, l_task_id));

            insert into ds_tasks
                (task_id, process_id, execution_order, priority, expected_seconds, status, sql_text, max_attempts, retry_delay_seconds, timeout_seconds,
                 on_orphan, enqueued_at, enqueued_by, enqueued_by_os_user, enqueued_by_client)
            values
                (l_task_id, h.process_id, 0, 0, 0, 'Pending', 'begin ' || h.alarm_hook || '(in_alarm_id => ' || in_alarm_id || '); end;', 3, 60, 300,
                 'Retry', systimestamp at time zone '+00:00', h.alarm_hook_by, h.alarm_hook_by_os_user, h.alarm_hook_by_client);
        end loop;
    exception
        -- The alarm itself remains. 1013: the caller was interrupted.
        when others then
            if sqlcode = -1013 then
                raise;
            end if;
    end call_hook;

    -- Refuses users that nothing can be granted to or revoked from.
    procedure check_user (in_user in varchar2, in_gone in boolean default false) is
        l_runner varchar2(128);
        l_count pls_integer;
    begin
        select s.runner into l_runner from ds_settings s where s.settings_id = 1;
        if l_runner is null then
            ds_base.fail(20066, 'dbsched is installed without a runner: tasks run with all rights of APP, so a user who can enqueue tasks can do anything as '
                || 'APP. Install with a runner to let others enqueue.');
        end if;

        select count(*) into l_count from all_users u where u.username = in_user;
        if l_count = 0 and in_gone then
            select count(*) into l_count from ds_administrators a where substr(a.user_name, 1, instr(a.user_name, '#', -1) - 1) = in_user;
        end if;
        if l_count = 0 then
            ds_base.fail(20066, 'there is no user ' || nvl(in_user, 'NULL') || '. Names are case-sensitive here.');
        elsif in_user in ('APP', l_runner) then
            ds_base.fail(20066, in_user || ' is ' || case in_user when l_runner then 'the runner: tasks run as this user' else 'the owner of dbsched' end || '. Name another user.');
        end if;
    end check_user;

    procedure run_grant (in_statement in varchar2) is
    begin
        execute immediate in_statement;
    exception
        when others then
            -- 1927: it was not granted; 942: the user has no right on it; 1917: the user was dropped.
            if sqlcode not in (-1927, -942, -1917) then
                raise;
            end if;
    end run_grant;

    procedure on_views (in_statement in varchar2) is
    begin
        for v in (select w.view_name
                  from user_views w
                  where w.view_name in ('DS_ALARM_INFO', 'DS_LOG_INFO', 'DS_PROCESS_INFO', 'DS_RESOURCE_INFO', 'DS_ROUND_INFO',
                                        'DS_ROUND_MEMBER_INFO', 'DS_SCHEDULE_INFO', 'DS_SCHEDULE_LOG', 'DS_SCHEDULER_INFO', 'DS_TASK_INFO',
                                        'DS_WORKER_INFO')
                  order by w.view_name)
        loop
            run_grant(replace(in_statement, '%', v.view_name));
        end loop;
    end on_views;

    procedure grant_user (in_user in varchar2, in_administrator in varchar2) is
        l_name varchar2(140);
    begin
        check_user(in_user);
        l_name := dbms_assert.enquote_name(in_user, false);
        execute immediate 'grant execute on dbsched to ' || l_name;
        on_views('grant read on % to ' || l_name);

        -- As ds_rights.submitter returns it. An entry of a dropped user of that name goes.
        delete from ds_administrators a where substr(a.user_name, 1, instr(a.user_name, '#', -1) - 1) = in_user;
        insert into ds_administrators (user_name, granted_at, granted_by)
        select u.username || '#' || u.user_id, systimestamp at time zone '+00:00', sys_context('USERENV', 'SESSION_USER')
        from all_users u
        where u.username = in_user and in_administrator = 'Y';

        commit write immediate wait;
    end grant_user;

    procedure revoke_user (in_user in varchar2, out_schedules out number, out_rounds out number) is
        l_name varchar2(140);
    begin
        check_user(in_user, true);
        l_name := dbms_assert.enquote_name(in_user, false);
        delete from ds_administrators a where substr(a.user_name, 1, instr(a.user_name, '#', -1) - 1) = in_user;
        commit write immediate wait;

        run_grant('revoke execute on dbsched from ' || l_name);
        on_views('revoke read on % from ' || l_name);

        update ds_schedules s
        set s.status = 'Suspended', s.look_at = null,
            s.reason = 'its owner ' || in_user || ' was revoked. Grant it again, or have another user alter its tasks'
        where substr(s.owner, 1, instr(s.owner, '#', -1) - 1) = in_user and s.status = 'Enabled';
        out_schedules := sql%rowcount;
        select count(*) into out_rounds from ds_rounds r where substr(r.defined_by, 1, instr(r.defined_by, '#', -1) - 1) = in_user;
        commit write immediate wait;
    end revoke_user;
end ds_admin;
/
prompt body control
create or replace package body ds_control as
    -- Finds the process, checks its owner before it locks anything that workers need, and locks it.
    procedure take_process (in_task_id in number, in_process_id in number, out_process_id out number, out_status out varchar2) is
        l_by varchar2(140);
    begin
        out_process_id := in_process_id;

        if in_task_id is not null then
            select max(t.process_id), max(t.enqueued_by) into out_process_id, l_by from ds_tasks t where t.task_id = in_task_id;
            if out_process_id is null then
                ds_base.fail(20024, 'there is no task ' || in_task_id || '.');
            end if;
            ds_rights.require_owner(l_by, 20025, 'task ' || in_task_id);
        else
            select max(p.created_by) into l_by from ds_processes p where p.process_id = in_process_id;
            if l_by is null or in_process_id = 0 then
                ds_base.fail(20004, 'there is no process ' || nvl(to_char(in_process_id), 'NULL') || '.');
            end if;
            ds_rights.require_owner(l_by, 20006, 'process ' || in_process_id);
        end if;

        select p.status into out_status from ds_processes p where p.process_id = out_process_id for update wait 5;
    exception
        -- It ended so long ago that it was deleted.
        when no_data_found then
            out_status := null;
        when ds_base.e_held or ds_base.e_busy then
            ds_base.fail(20011, 'an open transaction has locked the process; try again when it has ended.');
    end take_process;

    procedure order_cancel (in_task_id in number, in_process_id in number default null) is
        pragma autonomous_transaction;
        l_process_id number;
        l_status varchar2(10);
        l_started varchar2(1);
        l_running pls_integer := 0;
        l_now timestamp with time zone := ds_base.utc_now;
    begin
        ds_base.begin_transaction;
        take_process(in_task_id, in_process_id, l_process_id, l_status);

        -- Waiting requests of the process no longer matter.
        if in_task_id is null then
            update ds_processes p
            set p.status = 'Cancelled', p.finished_at = l_now, p.has_work = 'N'
            where p.process_id = l_process_id and p.finished_at is null;
        end if;

        -- Due now: the dispatcher ends the sessions. Cancelled overrides a timeout, which might be retried. By the index of running
        -- tasks: as many rows as there are workers, whatever the number of tasks.
        for r in (select /*+ index(t (lane_id)) */ t.task_id
                  from ds_tasks t
                  where t.lane_id > 0 and t.process_id = l_process_id and (in_task_id is null or t.task_id = in_task_id))
        loop
            update ds_tasks t
            set t.status = 'Stopping', t.stop_outcome = 'Cancelled', t.stop_at = case when t.status = 'Running' then l_now else t.stop_at end
            where t.task_id = r.task_id and t.status in ('Running', 'Stopping');
            l_running := l_running + sql%rowcount;
        end loop;

        -- Uncommitted tasks are not visible yet; the sweep skips them if their process has ended by then.
        if in_task_id is null then
            update ds_tasks t
            set t.status = 'Cancelled', t.wait_reason = null, t.due_at = null, t.finished_at = l_now
            where t.unfinished_process_id = l_process_id and t.status in ('Pending', 'Waiting');
        else
            update ds_tasks t
            set t.status = 'Cancelled', t.wait_reason = null, t.due_at = null, t.finished_at = l_now
            where t.task_id = in_task_id and t.status in ('Pending', 'Waiting');
        end if;

        ds_resource.leave_line(l_process_id);
        ds_schedule.next_firing(case when in_task_id is null then l_process_id else 0 end, in_task_id); -- schedules after resources, as at an end

        -- The next wave may begin, or the process may be finished.
        if in_task_id is not null and l_status in ('Open', 'Closing') then
            update ds_processes p set p.has_work = 'Y' where p.process_id = l_process_id;
            ds_worker.close_if_done(l_process_id);
        end if;

        ds_wake.send_now;
        commit write immediate wait;

        -- A stopped scheduler has no dispatcher for the message to wake.
        if l_running > 0 then
            select s.started into l_started from ds_settings s where s.settings_id = 1;
            if l_started = 'N' then
                run_dispatcher;
            end if;
        end if;
    end order_cancel;

    procedure order_retry (in_task_id in number, in_process_id in number default null) is
        pragma autonomous_transaction;
        l_process_id number;
        l_status varchar2(10);
        l_stopping pls_integer;
        l_rows pls_integer;
        l_failed pls_integer;
        l_others pls_integer := 0;
        l_by varchar2(140) := ds_rights.submitter;
    begin
        ds_base.begin_transaction;
        take_process(in_task_id, in_process_id, l_process_id, l_status);

        if l_process_id = 0 then
            ds_base.fail(20027, 'the task of a firing cannot be retried. To start the schedule now, call run_schedule.');
        end if;

        if l_status is null then
            ds_base.fail(20027, 'its process was deleted after its retention time; enqueue the task again.');
        end if;

        select count(*) into l_stopping from ds_tasks t where t.unfinished_process_id = l_process_id and t.status = 'Stopping' and rownum <= 1;
        if l_status = 'Cancelled' and l_stopping > 0 then
            ds_base.fail(20027, 'tasks of the cancelled process have not ended yet; try again.');
        end if;

        -- The process row's lock keeps these tasks unchanged. For a process: failed tasks, tasks skipped because of them (but not as
        -- duplicates of other tasks), and in a cancelled process the tasks cancelled with it.
        if in_task_id is not null then
            select count(*), count(case when t.status in ('Failed', 'TimedOut') then 1 end) into l_rows, l_failed
            from ds_tasks t
            where t.task_id = in_task_id and t.status in ('Failed', 'TimedOut', 'Cancelled', 'Skipped');

            update ds_tasks t
            set t.status = 'Pending', t.failures = 0, t.orphans = 0, t.outage_since = null, t.finished_at = null
            where t.task_id = in_task_id and t.status in ('Failed', 'TimedOut', 'Cancelled', 'Skipped');
        else
            select count(*), count(case when t.status in ('Failed', 'TimedOut') then 1 end),
                   count(case when nlssort(t.enqueued_by, 'NLS_SORT=BINARY') <> nlssort(l_by, 'NLS_SORT=BINARY') then 1 end)
            into l_rows, l_failed, l_others
            from ds_tasks t
            where t.unwell_process_id = l_process_id and t.duplicate_of is null and (t.status <> 'Cancelled' or l_status = 'Cancelled');

            -- Others' tasks are theirs. Without them the process could not go on where it failed.
            if l_others > 0 and not ds_rights.may_administer then
                ds_base.fail(20025, 'tasks of another user failed or were skipped in the process. Ask an administrator, or call retry_task.');
            end if;

            update ds_tasks t
            set t.status = 'Pending', t.failures = 0, t.orphans = 0, t.outage_since = null, t.finished_at = null
            where t.unwell_process_id = l_process_id and t.duplicate_of is null and (t.status <> 'Cancelled' or l_status = 'Cancelled');
        end if;

        if l_rows = 0 and (in_task_id is not null or l_status not in ('Failed', 'Cancelled')) then
            ds_base.fail(20027, 'there is nothing to retry: only Failed, TimedOut, Cancelled and Skipped tasks can be retried.');
        end if;

        update ds_processes p
        set p.status = case when p.status = 'Suspended' then 'Suspended' when p.close_requested = 'Y' then 'Closing' else 'Open' end,
            p.finished_at = null,
            p.has_work = 'Y',
            p.wave_order = null,
            p.tasks_failed = greatest(p.tasks_failed - l_failed, 0)
        where p.process_id = l_process_id;

        ds_wake.send_now;
        commit write immediate wait;
    end order_retry;

    procedure cancel_running is
        l_last number := 0;
        l_task_id number;
        l_marked pls_integer := 0;
    begin
        loop
            select /*+ index(t (lane_id)) */ min(t.task_id) into l_task_id from ds_tasks t where t.lane_id > 0 and t.task_id > l_last;
            exit when l_task_id is null;
            l_last := l_task_id;

            ds_base.begin_transaction;
            for k in (select p.process_id from ds_processes p
                      where p.process_id = (select t.process_id from ds_tasks t where t.task_id = l_task_id) for update wait 30) loop
                update ds_tasks t
                set t.status = 'Stopping', t.stop_outcome = 'Cancelled', t.stop_at = systimestamp at time zone '+00:00'
                where t.task_id = l_task_id and t.status in ('Running', 'Stopping');

                l_marked := l_marked + sql%rowcount;
            end loop;
            commit write immediate wait;
        end loop;

        -- The dispatcher ends their sessions, even if the scheduler is stopped.
        if l_marked > 0 then
            ds_wake.send_now;
            commit write immediate wait;
            run_dispatcher;
        end if;
    end cancel_running;

    procedure switch_dispatcher is
        l_before varchar2(1);

        e_no_job exception; pragma exception_init(e_no_job, -27475);
        e_no_such_job exception; pragma exception_init(e_no_such_job, -27476);

        -- Y = the engine must start the dispatcher again if its session dies: after a stop as long as it has attempts to end.
        function wanted return varchar2 is
            l_wanted varchar2(1);
        begin
            select case when exists (select 1 from ds_settings s where s.settings_id = 1 and s.started = 'Y')
                             or exists (select /*+ index(t (stop_utc)) */ 1 from ds_tasks t where t.stop_utc is not null and t.status = 'Stopping')
                        then 'Y' else 'N' end
            into l_wanted from dual;
            return l_wanted;
        end wanted;
    begin
        -- ENABLE and DISABLE commit, so a lock of ours cannot order a concurrent start and stop. Instead, the session that changed the
        -- job last checks again.
        loop
            l_before := wanted;

            if l_before = 'Y' then
                dbms_scheduler.enable(name => 'APP.DS_DISPATCHER');
            else
                -- The current run continues; no further one is planned. Disabling a disabled job does nothing.
                begin
                    dbms_scheduler.disable(name => 'APP.DS_DISPATCHER', force => true);
                exception
                    -- The job was dropped: there is nothing to stop. The error number depends on the release.
                    when e_no_job or e_no_such_job then
                        null;
                end;
            end if;

            exit when wanted = l_before;
        end loop;
    end switch_dispatcher;

    procedure run_dispatcher is
        l_session varchar2(24);
        l_text varchar2(1000);
    begin
        -- While the job is enabled, the engine restarts it after a crash.
        switch_dispatcher;

        for i in 1 .. 50 loop
            ds_base.begin_transaction;
            -- Under the lock: a dispatcher that ends has recorded it by now, or will see what the caller has committed.
            select s.dispatcher_session into l_session from ds_settings s where s.settings_id = 1 for update wait 30;
            commit write immediate wait;
            exit when l_session is not null and not ds_worker.lane_dead(0);

            begin
                -- RUN_JOB starts it without waiting for its next minute, and even if it is disabled. RUN_JOB commits.
                dbms_scheduler.run_job(job_name => 'APP.DS_DISPATCHER', use_current_session => false);
                exit;
            exception
                -- The last run is just ending, or the engine was faster.
                when ds_base.e_running then
                    dbms_session.sleep(0.1);
            end;
        end loop;
    exception
        when others then
            l_text := substrb(sqlerrm, 1, 1000);
            rollback;
            ds_base.fail(20015, 'the dispatcher''s job could not be started. It starts once the database''s job queue works: check parameter job_queue_processes and scheduler attribute SCHEDULER_DISABLED. ' || l_text);
    end run_dispatcher;

    -- Takes a condemned lane back when its session is gone: records the outcome of its attempt, and frees the lane. Only the session
    -- that condemned it may do so, because its STOP_JOB, which names a job and not a run, has returned; or any if that one is gone.
    procedure settle (in_lane_id in number, out_done out varchar2) is
        l_by varchar2(24);
        l_locked number;
    begin
        out_done := 'N';
        select max(l.condemned_by) into l_by from ds_lanes l where l.lane_id = in_lane_id;

        if l_by is null then
            out_done := 'Y';
            return;
        end if;

        if (l_by <> dbms_session.unique_session_id and dbms_session.is_session_alive(l_by)) or not ds_worker.lane_dead(in_lane_id) then
            return;
        end if;

        ds_worker.recover(in_lane_id);

        select s.settings_id into l_locked from ds_settings s where s.settings_id = 1 for update wait 10;

        update ds_lanes l
        set l.condemned_by = null, l.state = 'Off', l.state_at = systimestamp at time zone '+00:00', l.ordered_at = null, l.worker_id = null,
            l.session_id = null,
            l.session_key = null, l.entered_at = null
        where l.lane_id = in_lane_id and l.condemned_by = l_by;

        commit write immediate wait;
        out_done := 'Y';
    end settle;

    -- Marks every attempt that has run out of time, before any job is stopped: stopping may take time, and attempts that fail
    -- meanwhile have timed out.
    procedure mark_due (in_now in timestamp) is
        l_last number := 0;
        l_task_id number;
        l_process_id number;
        l_held varchar2(1);
    begin
        loop
            select /*+ index(t (stop_utc)) */ min(t.task_id) into l_task_id
            from ds_tasks t
            where t.stop_utc <= in_now and t.status = 'Running' and t.task_id > l_last;

            exit when l_task_id is null;
            l_last := l_task_id;

            select max(t.process_id) into l_process_id from ds_tasks t where t.task_id = l_task_id;
            ds_base.lock_process(l_process_id, l_held);

            update ds_tasks t
            set t.status = 'Stopping', t.stop_outcome = 'TimedOut'
            where t.task_id = l_task_id and t.status = 'Running' and t.stop_utc <= in_now and l_held = 'N';

            commit write immediate wait;
        end loop;
    end mark_due;

    -- One try to end a due attempt. out_freed: Y = its lane is free again; out_slow: Y = STOP_JOB has waited in vain, H = another session
    -- holds its process.
    procedure end_attempt (in_task_id in number, in_now in timestamp, out_freed out varchar2, out_slow out varchar2) is
        l_me varchar2(24) := dbms_session.unique_session_id;
        l_process_id number;
        l_attempt number;
        l_lane_id number;
        l_worker_id varchar2(32);
        l_session_id number;
        l_instance_id number;
        l_tries number;
        l_held varchar2(1);
        l_condemned boolean;
        l_job varchar2(200);
        l_error varchar2(1000);
    begin
        out_freed := 'N';
        out_slow := 'N';

        select max(t.process_id), max(t.attempt), max(t.lane_id), max(t.worker_id), max(t.stop_tries)
        into l_process_id, l_attempt, l_lane_id, l_worker_id, l_tries
        from ds_tasks t
        where t.task_id = in_task_id and t.stop_utc <= in_now;

        if l_process_id is null then
            return;
        end if;

        -- Completions lock process and task: a session that still runs the attempt completes it now, claims again after the commit, and
        -- finds its lane condemned. The process is locked first, because an UPDATE would wait for a task without limit.
        ds_base.lock_process(l_process_id, l_held);
        if l_held = 'Y' then
            out_slow := 'H';
            return;
        end if;

        -- First an interrupt, after five seconds of grace force. Rollback may take time, so look again.
        update ds_tasks t
        set t.stop_tries = t.stop_tries + 1,
            t.stop_at = case when l_lane_id <= 1000 then (systimestamp at time zone '+00:00')
                + numtodsinterval(case when l_tries = 0 then 5 when l_tries < 5 then 2 else 60 end, 'SECOND') end
        where t.task_id = in_task_id and t.attempt = l_attempt and t.worker_id = l_worker_id and t.status = 'Stopping' and t.stop_utc <= in_now;

        if sql%rowcount = 0 then
            rollback;
            return;
        end if;

        select max(l.session_id), max(l.instance_id) into l_session_id, l_instance_id
        from ds_lanes l
        where l.lane_id = l_lane_id and l.worker_id = l_worker_id;

        if l_lane_id > 1000 then
            ds_worker.alarm('CannotEnd', 'Task ' || in_task_id || ' must end, but session ' || l_session_id || ' of instance ' || l_instance_id
                || ' runs it by task_scheduler, so there is no job to stop.'
                || ' It runs until the task ends by itself or you end the session.', l_process_id, in_task_id, l_lane_id);
            commit write immediate wait;
            return;
        end if;

        update ds_lanes l set l.condemned_by = l_me where l.lane_id = l_lane_id and l.worker_id = l_worker_id;
        l_condemned := sql%rowcount = 1;
        commit write immediate wait;

        if not l_condemned then
            -- Its session has already ended: only the outcome must be recorded.
            ds_worker.recover(l_lane_id);
            return;
        end if;

        l_job := 'APP.DS_LANE_' || to_char(l_lane_id, 'FM00');

        begin
            dbms_scheduler.stop_job(job_name => l_job, force => l_tries > 0);
        exception
            when others then
                if sqlcode = -1013 then
                    raise;
                elsif sqlcode = -27365 then
                    -- It has been told to stop, but has not stopped yet.
                    out_slow := 'Y';
                elsif sqlcode <> -27366 then
                    -- 27366: it no longer runs. Other errors, above all 27486: force needs MANAGE SCHEDULER.
                    l_error := substrb(sqlerrm, 1, 1000);
                end if;
        end;

        for i in 1 .. 5 loop
            settle(l_lane_id, out_freed);
            exit when out_freed = 'Y' or out_slow = 'Y' or l_error is not null;
            dbms_session.sleep(0.1);
        end loop;

        -- It is tried again, but reported once; twice the same, should a dispatcher die here, is one alarm.
        if out_freed = 'N' and ((l_tries in (1, 2) and l_error is not null) or (l_tries in (5, 6) and l_error is null)) then
            ds_worker.alarm('CannotEnd', 'Task ' || in_task_id || ' must end, but its session ' || l_session_id || ' of instance ' || l_instance_id
                || ' still runs after STOP_JOB of ' || l_job
                || '. With MANAGE SCHEDULER granted directly to APP, dbsched can end it by force. Or end it with ALTER SYSTEM KILL SESSION'
                || ' ''sid,serial#,@inst_id'': select s.sid, s.serial#, s.inst_id from gv$session s where s.sid = ' || l_session_id
                || ' and s.inst_id = ' || l_instance_id || '. '
                || l_error, l_process_id, in_task_id, l_lane_id);
            commit write immediate wait;
        end if;
    end end_attempt;

    procedure end_attempts (out_again out varchar2) is
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_due timestamp(6);
        l_passed timestamp(6) := timestamp '2000-01-01 00:00:00';
        l_task_id number;
        l_last number := 0;
        l_lane_id number;
        l_freed varchar2(1);
        l_slow varchar2(1);
    begin
        out_again := 'N';

        -- Lanes that took their time to end, and lanes left by a dead dispatcher.
        loop
            select /*+ index(l (condemned_by)) */ min(l.lane_id) into l_lane_id
            from ds_lanes l
            where l.condemned_by is not null and l.lane_id > l_last;

            exit when l_lane_id is null;
            l_last := l_lane_id;

            settle(l_lane_id, l_freed);
            if l_freed = 'Y' then
                out_again := 'Y';
            end if;
        end loop;

        select min(t.stop_utc) into l_due from ds_tasks t;
        if l_due is null or l_due > l_now then
            return;
        end if;

        mark_due(l_now);

        -- Each try postpones its own next one, so the loop ends; the bound is for rows changed by other sessions.
        for i in 1 .. 200 loop
            select min(t.stop_utc) into l_due from ds_tasks t where t.stop_utc > l_passed;
            exit when l_due is null or l_due > l_now;

            select min(t.task_id) into l_task_id from ds_tasks t where t.stop_utc = l_due;
            continue when l_task_id is null;

            end_attempt(l_task_id, l_now, l_freed, l_slow);

            if l_freed = 'Y' or l_slow <> 'N' then
                out_again := 'Y';
            end if;
            if l_slow = 'H' then
                l_passed := l_due;
            end if;

            -- Between two slow ones, other tasks get their lanes.
            exit when l_slow = 'Y';
        end loop;
    end end_attempts;
end ds_control;
/
prompt body enqueue
create or replace package body ds_enqueue as
    -- A row of ds_tasks, without the values that all tasks of a call share.
    type task_row is record (
        task_id number,
        process_id number,
        execution_order number,
        priority number,
        expected_seconds number,
        status varchar2(10),
        wait_reason varchar2(10),
        due_at timestamp with time zone,
        name varchar2(128 char),
        sql_text clob,
        max_attempts number,
        retry_delay_seconds number,
        timeout_seconds number,
        on_orphan varchar2(5),
        resource_id number,
        access_mode varchar2(9),
        transactional varchar2(1),
        dedup_key varchar2(200 char),
        parameters clob);
    type task_rows is table of task_row index by pls_integer;
    type rows_by_hash is table of pls_integer index by pls_integer;

    -- Refuses what people copy from SQL*Plus, which would fail only when it runs: EXEC, and a COMMIT after a statement.
    procedure check_text (in_sql in clob, in_which in varchar2) is
        co_blanks constant varchar2(4) := ' ' || chr(9) || chr(10) || chr(13);
        l_first varchar2(8 char) := lower(substr(ltrim(in_sql, co_blanks), 1, 8));
        l_last varchar2(40 char) := rtrim(lower(substr(in_sql, greatest(length(in_sql) - 39, 1))), co_blanks || ';/');
    begin
        if nvl(length(ltrim(in_sql, co_blanks)), 0) = 0 then
            ds_base.fail(20001, in_which || 'in_sql is NULL or empty; pass a statement or block.');
        elsif substr(l_first, 1, 5) = 'exec ' or l_first = 'execute ' then
            ds_base.fail(20001, in_which || 'in_sql begins with EXEC, a command of SQL*Plus; write: begin my_procedure; end;');
        elsif instr(l_last, ';') > 0 and ltrim(substr(l_last, instr(l_last, ';', -1) + 1), co_blanks) = 'commit' and instr(in_sql, '--') = 0 then
            ds_base.fail(20001, in_which || 'in_sql has COMMIT after a statement; remove it, since each task is committed, or write: begin ...; end;');
        end if;
    end check_text;

    -- Makes the row of a task, or refuses the task; in_which starts the error text. The process is not checked here.
    procedure make_row (in_task in dbsched.t_task, in_which in varchar2, out_row out task_row) is
        l_now timestamp with time zone := systimestamp at time zone '+00:00';
        l_error number;
        l_problem varchar2(1000);
    begin
        check_text(in_task.sql_text, in_which);

        if in_task.execution_order is null then
            ds_base.fail(20002, in_which || 'in_execution_order is NULL; pass the number of a wave.');
        end if;

        ds_base.need_whole(in_which || 'in_execution_order', in_task.execution_order, -2147483648);
        ds_base.need_whole(in_which || 'in_priority', in_task.priority, -1000000, 1000000);
        ds_base.need_whole(in_which || 'in_max_attempts', in_task.max_attempts, 1, 100);
        ds_base.need_whole(in_which || 'in_retry_delay_seconds', in_task.retry_delay_seconds, 0, 86400);
        ds_base.need_whole(in_which || 'in_expected_seconds', in_task.expected_seconds, 0);
        ds_base.need_whole(in_which || 'in_timeout_seconds', in_task.timeout_seconds, 1, in_null_too => true);

        out_row.on_orphan := case lower(in_task.on_orphan) when 'retry' then 'Retry' when 'fail' then 'Fail' end;
        if out_row.on_orphan is null then
            ds_base.fail(20008, in_which || 'in_on_orphan must be Retry or Fail.');
        end if;

        out_row.access_mode := case lower(nvl(in_task.access_mode, 'Shared')) when 'shared' then 'Shared' when 'exclusive' then 'Exclusive' end;
        if out_row.access_mode is null then
            ds_base.fail(20008, in_which || 'in_access must be Shared or Exclusive.');
        end if;

        if in_task.resource_name is null then
            if in_task.access_mode is not null then
                ds_base.fail(20041, in_which || 'in_access needs in_resource, which is NULL.');
            end if;
            out_row.access_mode := null;
        else
            out_row.resource_id := ds_resource.resource_of(in_task.resource_name);
            if out_row.resource_id is null then
                ds_base.fail(20040, in_which || 'there is no resource "' || substrb(in_task.resource_name, 1, 500) || '"; an administrator creates it with define_resource.');
            end if;
        end if;

        if in_task.dedup_key is not null and (trim(in_task.dedup_key) is null or length(in_task.dedup_key) > 200) then
            ds_base.fail(20030, in_which || 'in_dedup_key is blank or longer than 200 characters.');
        end if;

        if in_task.name is not null and (trim(in_task.name) is null or length(in_task.name) > 128) then
            ds_base.fail(20059, in_which || 'in_name is blank or longer than 128 characters.');
        end if;

        if in_task.parameters is not null then
            ds_values.check_all(in_task.parameters, l_error, l_problem);
            if l_error is not null then
                ds_base.fail(l_error, in_which || l_problem || '.');
            end if;
        end if;

        out_row.process_id := nvl(in_task.process_id, 1);
        out_row.execution_order := in_task.execution_order;
        out_row.priority := in_task.priority;
        out_row.expected_seconds := in_task.expected_seconds;
        out_row.status := case when in_task.not_before > l_now then 'Waiting' else 'Pending' end;
        out_row.wait_reason := case when in_task.not_before > l_now then 'Delay' end;
        out_row.due_at := case when in_task.not_before > l_now then in_task.not_before at time zone '+00:00' end;
        out_row.name := in_task.name;
        out_row.sql_text := in_task.sql_text;
        out_row.max_attempts := in_task.max_attempts;
        out_row.retry_delay_seconds := in_task.retry_delay_seconds;
        out_row.timeout_seconds := in_task.timeout_seconds;
        out_row.transactional := case when in_task.transactional then 'Y' else 'N' end;
        out_row.dedup_key := in_task.dedup_key;
        out_row.parameters := in_task.parameters;
    end make_row;

    -- Refuses a process that does not accept tasks. Reading takes no lock: a process that another transaction has not committed does
    -- not exist yet.
    procedure check_process (in_process_id in number, in_which in varchar2) is
        l_process ds_processes%rowtype;
        l_closing pls_integer;
    begin
        -- Orders to close first: one that is applied between the two reads has changed the process before the second.
        select count(*) into l_closing
        from ds_process_requests r
        where r.process_id = in_process_id and r.action = 'Close';

        l_process := ds_rights.process_of(in_process_id, in_which);

        if l_process.status not in ('Open', 'Suspended') or l_process.close_requested = 'Y' or l_closing > 0 then
            ds_base.fail(20005, in_which || 'process ' || in_process_id || ' is closed or finished and accepts no more tasks.');
        end if;
    end check_process;

    -- Wakes the dispatcher, with a mark of the first new task of each process: of each that may be before the one above it, send takes the first.
    procedure wake (in_new in task_rows) is
    begin
        for i in 1 .. in_new.count loop
            if i = 1 or in_new(i).process_id <> in_new(i - 1).process_id or in_new(i).execution_order < in_new(i - 1).execution_order
               or in_new(i).priority > in_new(i - 1).priority or in_new(i).expected_seconds > in_new(i - 1).expected_seconds then
                ds_wake.send(in_new(i).process_id, in_new(i).execution_order,
                    ds_base.claim_key(in_new(i).priority, in_new(i).expected_seconds, in_new(i).task_id));
            end if;
        end loop;
    end wake;

    -- The unfinished task with a key: a committed one, or the caller's own; NULL = none. If another open transaction has one, both
    -- are stored, and the claim skips one.
    function task_of_key (in_row in task_row, in_submitter in varchar2) return number is
        l_task_id number;
    begin
        -- Users and keys are compared by NLSSORT, see ds_rights, in every session. The first comparison uses the index; in a session
        -- with another collation it also finds similar keys.
        select min(t.task_id) into l_task_id
        from ds_tasks t
        where t.unfinished_key = in_row.dedup_key and nlssort(t.unfinished_key, 'NLS_SORT=BINARY') = nlssort(in_row.dedup_key, 'NLS_SORT=BINARY')
          and t.process_id = in_row.process_id
          and nlssort(t.enqueued_by, 'NLS_SORT=BINARY') = nlssort(in_submitter, 'NLS_SORT=BINARY');

        return l_task_id;
    end task_of_key;

    function same_key (in_row in task_row, in_other in task_row) return boolean is
    begin
        return in_row.process_id = in_other.process_id and nlssort(in_row.dedup_key, 'NLS_SORT=BINARY') = nlssort(in_other.dedup_key, 'NLS_SORT=BINARY');
    end same_key;

    -- Stores checked rows, except those with the key of an existing task, and wakes the dispatcher.
    procedure store (io_rows in out nocopy task_rows) is
        l_new task_rows;
        l_seen rows_by_hash;
        l_hash pls_integer;
        l_i pls_integer := io_rows.first;
        l_now timestamp with time zone := systimestamp at time zone '+00:00';
        l_submitter varchar2(140) := ds_rights.submitter;
        l_limit number;
        l_timeout number;
        l_user_tasks number;
        l_os_user varchar2(128) := substrb(sys_context('USERENV', 'OS_USER'), 1, 128);
        l_client varchar2(64) := substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64);
    begin
        while l_i is not null loop
            if io_rows(l_i).dedup_key is not null then
                -- By a hash: a text as an index is compared with the session's collation.
                l_hash := dbms_utility.get_hash_value(io_rows(l_i).process_id || ':' || io_rows(l_i).dedup_key, 1, 1073741824);
                while l_seen.exists(l_hash) and not same_key(io_rows(l_seen(l_hash)), io_rows(l_i)) loop
                    l_hash := l_hash + 1;
                end loop;

                if l_seen.exists(l_hash) then
                    io_rows(l_i).task_id := io_rows(l_seen(l_hash)).task_id;
                else
                    io_rows(l_i).task_id := task_of_key(io_rows(l_i), l_submitter);
                    l_seen(l_hash) := l_i;
                end if;
            end if;

            if io_rows(l_i).task_id is null then
                -- Not INSERT ... RETURNING: some drivers take this word in a package's text for a clause of their own.
                io_rows(l_i).task_id := ds_task_seq.nextval;
                l_new(l_new.count + 1) := io_rows(l_i);
            end if;

            l_i := io_rows.next(l_i);
        end loop;

        if l_new.count = 0 then
            return;
        end if;

        -- MAX: without the row, there are no limits.
        select nullif(max(s.max_tasks_per_user), 0), nullif(max(s.default_timeout_seconds), 0) into l_limit, l_timeout
        from ds_settings s
        where s.settings_id = 1;

        -- Before the first write: a stopped queue must not leave a task behind in the transaction of a caller that handles the error.
        -- Message and task become visible together in either order.
        wake(l_new);

        forall i in 1 .. l_new.count
            insert into ds_tasks
                (task_id, process_id, execution_order, priority, expected_seconds, status, wait_reason, due_at, name, sql_text,
                 max_attempts, retry_delay_seconds, on_orphan, enqueued_at, enqueued_by, enqueued_by_os_user, enqueued_by_client,
                 resource_id, access_mode, timeout_seconds, transactional, dedup_key, parameters, user_tasks)
            values
                (l_new(i).task_id, l_new(i).process_id, l_new(i).execution_order, l_new(i).priority, l_new(i).expected_seconds,
                 l_new(i).status, l_new(i).wait_reason, l_new(i).due_at, l_new(i).name, l_new(i).sql_text,
                 l_new(i).max_attempts, l_new(i).retry_delay_seconds, l_new(i).on_orphan, l_now, l_submitter, l_os_user, l_client,
                 l_new(i).resource_id, l_new(i).access_mode, nvl(l_new(i).timeout_seconds, l_timeout), l_new(i).transactional, l_new(i).dedup_key,
                 l_new(i).parameters, l_user_tasks);
    end store;

    procedure add_task (in_task in dbsched.t_task, out_task_id out number) is
        l_row task_row;
        l_rows task_rows;
    begin
        -- All checks come before the first write.
        make_row(in_task, null, l_row);
        l_rows(1) := l_row;
        check_process(l_rows(1).process_id, null);
        store(l_rows);
        out_task_id := l_rows(1).task_id;
    end add_task;

    procedure add_table (in_tasks in dbsched.t_tasks, out_task_ids out dbsched.t_task_ids) is
        l_row task_row;
        l_rows task_rows;
        l_checked number;
        l_i pls_integer := in_tasks.first;
    begin
        while l_i is not null loop
            make_row(in_tasks(l_i), 'task ' || l_i || ': ', l_row);
            l_rows(l_i) := l_row;

            if l_checked is null or l_checked <> l_row.process_id then
                check_process(l_row.process_id, 'task ' || l_i || ': ');
                l_checked := l_row.process_id;
            end if;
            l_i := in_tasks.next(l_i);
        end loop;

        store(l_rows);

        l_i := l_rows.first;
        while l_i is not null loop
            out_task_ids(l_i) := l_rows(l_i).task_id;
            l_i := l_rows.next(l_i);
        end loop;
    end add_table;

    -- Returns the member if it has the given kind; raises an error otherwise.
    function of_kind (in_kind in varchar2, in_item in ds_json.item) return ds_json.item is
    begin
        if in_item.kind <> in_kind then
            raise value_error;
        end if;
        return in_item;
    end of_kind;

    -- Returns the number in a member.
    function whole (in_item in ds_json.item) return number is
        l_number number := case when in_item.kind = 'Number' then ds_json.value_of(in_item.text) end;
    begin
        ds_base.need_whole('it', l_number, -2147483648);
        return l_number;
    end whole;

    -- Returns the text in a member. An empty text is blank, but not NULL.
    function text (in_item in ds_json.item, in_length in pls_integer) return varchar2 is
    begin
        if in_item.kind <> 'String' or in_item.long_text is not null or length(in_item.text) > in_length then
            raise value_error;
        end if;
        return nvl(in_item.text, ' ');
    end text;

    -- Sets a task's field from a member; null means the default. VALUE_ERROR: the field does not exist, or the value has the wrong type.
    procedure set_member (io_task in out nocopy dbsched.t_task, in_item in ds_json.item) is
    begin
        if in_item.name not in ('sql', 'execution_order', 'process_id', 'priority', 'max_attempts', 'retry_delay_seconds', 'timeout_seconds', 'not_before',
                                'expected_seconds', 'resource', 'access', 'transactional', 'on_orphan', 'dedup_key', 'parameters', 'name') or in_item.name is null then
            raise value_error;
        elsif in_item.kind = 'Null' then
            return;
        end if;

        case in_item.name
            when 'sql' then io_task.sql_text := ds_json.text_of(of_kind('String', in_item));
            when 'execution_order' then io_task.execution_order := whole(in_item);
            when 'process_id' then io_task.process_id := whole(in_item);
            when 'priority' then io_task.priority := whole(in_item);
            when 'max_attempts' then io_task.max_attempts := whole(in_item);
            when 'retry_delay_seconds' then io_task.retry_delay_seconds := whole(in_item);
            when 'timeout_seconds' then io_task.timeout_seconds := whole(in_item);
            when 'expected_seconds' then io_task.expected_seconds := whole(in_item);
            when 'not_before' then io_task.not_before := ds_values.instant_of(text(in_item, 40));
            when 'resource' then io_task.resource_name := text(in_item, 128);
            when 'access' then io_task.access_mode := text(in_item, 30);
            when 'transactional' then io_task.transactional := ds_json.text_of(of_kind('Boolean', in_item)) = 'true';
            when 'on_orphan' then io_task.on_orphan := text(in_item, 30);
            when 'dedup_key' then io_task.dedup_key := text(in_item, 4000);
            when 'name' then io_task.name := text(in_item, 4000);
            when 'parameters' then io_task.parameters := ds_json.text_of(of_kind('Object', in_item));
            else raise value_error;
        end case;
    end set_member;

    procedure add_batch (in_tasks in clob, in_process_id in number, out_task_ids out clob) is
        l_items ds_json.item_list;
        l_members ds_json.item_list;
        l_tasks dbsched.t_tasks;
        l_task dbsched.t_task;
        l_empty dbsched.t_task;
        l_ids dbsched.t_task_ids;
        l_text varchar2(32767);
    begin
        if nvl(ds_json.parse(in_tasks, l_items), 'Object') <> 'Array' then
            ds_base.fail(20036, 'in_tasks is not a JSON array.');
        end if;

        for i in 1 .. l_items.count loop
            if l_items(i).kind <> 'Object' or ds_json.parse(ds_json.text_of(l_items(i)), l_members) is null then
                ds_base.fail(20036, 'task ' || i || ': it is not a JSON object.');
            end if;

            l_task := l_empty;
            l_task.process_id := in_process_id;
            for m in 1 .. l_members.count loop
                if in_process_id is not null and l_members(m).name in ('process_id', 'not_before') and l_members(m).kind <> 'Null' then
                    ds_base.fail(20076, 'task ' || i || ': tasks of a schedule have no process_id and no not_before: each firing is a process of its own.');
                end if;
                begin
                    set_member(l_task, l_members(m));
                exception
                    when others then
                        ds_base.fail(20036, 'task ' || i || ': "' || substr(l_members(m).name, 1, 100) || '" is not a parameter of exec_async, or its value has the wrong type.');
                end;
            end loop;
            l_tasks(i) := l_task;
        end loop;

        add_table(l_tasks, l_ids);

        for i in 1 .. l_ids.count loop
            l_text := l_text || case when i > 1 then ',' end || l_ids(i);
            if length(l_text) > 30000 then
                out_task_ids := out_task_ids || l_text;
                l_text := null;
            end if;
        end loop;
        out_task_ids := '[' || out_task_ids || l_text || ']';
    end add_batch;
end ds_enqueue;
/
prompt body resource
create or replace package body ds_resource as
    -- Owners already visited in the search for a circle of waiting sessions and tasks.
    type t_met is table of pls_integer index by varchar2(64);

    -- Locks a line until the end of the transaction; NULL = the resource was dropped. Every change of a line starts with it,
    -- and each statement after it sees what the last holder has committed.
    function lock_line (in_resource_id in number) return number is
        l_capacity number;
    begin
        select s.capacity into l_capacity
        from ds_resources s
        where s.resource_id = in_resource_id
        for update wait 10;

        return l_capacity;
    exception
        when no_data_found then
            return null;
    end lock_line;

    function resource_of (in_name in varchar2) return number is
        l_resource_id number;
    begin
        select max(s.resource_id) into l_resource_id from ds_resources s where s.name = in_name;
        return l_resource_id;
    end resource_of;

    -- Grants to the next in line, first come, first served. A request for all units waits until none is held, and blocks all later
    -- ones. Waiting requests of dead sessions are removed. The caller holds the line's lock.
    -- in_own: the caller's own request; the caller checks itself whether it was granted.
    procedure grant_turns (in_resource_id in number, in_capacity in number, in_own in number default null) is
        l_request_id number;
        l_access varchar2(9);
        l_key varchar2(24);
        l_give_up timestamp with time zone;
        l_held pls_integer;
        l_exclusive pls_integer;
        l_now timestamp with time zone := ds_base.utc_now;
        l_wake boolean := false;
    begin
        loop
            select min(r.request_id) into l_request_id
            from ds_resource_requests r
            where r.resource_id = in_resource_id and r.status = 'Waiting';

            exit when l_request_id is null;

            select r.access_mode, r.session_key, r.give_up_at into l_access, l_key, l_give_up
            from ds_resource_requests r
            where r.request_id = l_request_id;

            -- All holders come before the first waiter, so only they count.
            select count(*), count(case when r.access_mode = 'Exclusive' then 1 end) into l_held, l_exclusive
            from ds_resource_requests r
            where r.resource_id = in_resource_id and r.status in ('Granted', 'Reserved');

            exit when l_exclusive > 0 or l_held >= in_capacity or (l_access = 'Exclusive' and l_held > 0);

            if l_key is not null and l_request_id <> nvl(in_own, 0) and (l_give_up <= l_now or not dbms_session.is_session_alive(l_key)) then
                delete from ds_resource_requests r where r.request_id = l_request_id;
            else
                update ds_resource_requests r
                set r.status = case when r.request_id = in_own then 'Granted' else 'Reserved' end,
                    r.granted_at = l_now,
                    -- The lease of a session that has not been told yet does not start here: acquire starts it.
                    r.lease_until = case when r.request_id = in_own then l_now + numtodsinterval(r.lease_seconds, 'SECOND') end
                where r.request_id = l_request_id;

                -- The dispatcher makes the task Pending: this session can no longer lock the task's process.
                l_wake := l_wake or (l_key is null and l_request_id <> nvl(in_own, 0));
            end if;
        end loop;

        if l_wake then
            ds_wake.send_now;
        end if;
    end grant_turns;

    procedure join_line (
        in_process_id in number,
        in_task_id in number,
        in_resource_id in number,
        in_access in varchar2,
        out_state out varchar2)
    is
        l_capacity number := lock_line(in_resource_id);
        l_request_id number;
    begin
        if l_capacity is null then
            out_state := 'Gone';
            return;
        end if;

        select max(r.request_id), max(r.status) into l_request_id, out_state
        from ds_resource_requests r
        where r.process_id = in_process_id and r.task_id = in_task_id and r.session_key is null;

        if l_request_id is null then
            l_request_id := ds_line_seq.nextval;

            insert into ds_resource_requests
                (resource_id, request_id, status, access_mode, requester, process_id, task_id, requested_at, requested_by, requested_by_os_user, requested_by_client)
            select in_resource_id, l_request_id, 'Waiting', in_access, 'task ' || t.task_id, t.process_id, t.task_id,
                systimestamp at time zone '+00:00',
                   t.enqueued_by, t.enqueued_by_os_user, t.enqueued_by_client
            from ds_tasks t
            where t.task_id = in_task_id;

            grant_turns(in_resource_id, l_capacity, l_request_id);

            select max(r.status) into out_state from ds_resource_requests r where r.request_id = l_request_id;
        end if;
    end join_line;

    procedure leave_line (in_process_id in number, in_task_id in number default null) is
        co_last_id constant number := 9999999999999999999;
        l_last number := 0;
        l_resource_id number;
        l_capacity number;
    begin
        -- Most tasks name no resource: they cost one index lookup. Bounds instead of OR keep it a lookup for a given task: thousands of
        -- tasks of its process may be in lines.
        loop
            select min(r.resource_id) into l_resource_id
            from ds_resource_requests r
            where r.process_id = in_process_id and r.resource_id > l_last
              and r.task_id between nvl(in_task_id, 0) and nvl(in_task_id, co_last_id)
              and (in_task_id is not null
                   or exists (select 1 from ds_tasks t
                              where t.task_id = r.task_id
                                and (t.finished_at is not null
                                     or (t.status = 'Pending'
                                         and t.execution_order > (select min(e.unfinished_order) from ds_tasks e where e.unfinished_process_id = in_process_id)))));

            exit when l_resource_id is null;
            l_last := l_resource_id;
            l_capacity := lock_line(l_resource_id);

            delete from ds_resource_requests r
            where r.resource_id = l_resource_id and r.process_id = in_process_id
              and r.task_id between nvl(in_task_id, 0) and nvl(in_task_id, co_last_id)
              and (in_task_id is not null
                   or exists (select 1 from ds_tasks t
                              where t.task_id = r.task_id
                                and (t.finished_at is not null
                                     or (t.status = 'Pending'
                                         and t.execution_order > (select min(e.unfinished_order) from ds_tasks e where e.unfinished_process_id = in_process_id)))));

            grant_turns(l_resource_id, l_capacity);
        end loop;
    end leave_line;

    procedure free_stale (in_resource_id in number default null) is
        l_last number := 0;
        l_request_id number;
        l_capacity number;
        l_name varchar2(128 char);
        l_why varchar2(100);
    begin
        loop
            select min(r.session_request_id) into l_request_id
            from ds_resource_requests r
            where r.session_request_id > l_last and (in_resource_id is null or r.resource_id = in_resource_id);

            exit when l_request_id is null;
            l_last := l_request_id;
            ds_base.begin_transaction;

            -- No row: released a moment ago.
            for l_row in (select r.* from ds_resource_requests r where r.request_id = l_request_id) loop
                -- With a lease, the session no longer matters once it knows of the grant.
                l_why := case
                    when l_row.lease_until <= ds_base.utc_now then 'its lease ran out'
                    when l_row.status <> 'Granted' and l_row.give_up_at <= ds_base.utc_now then 'it gave up'
                    when (l_row.status <> 'Granted' or l_row.lease_seconds is null) and not dbms_session.is_session_alive(l_row.session_key)
                        then 'its session ' || l_row.session_id || ' ended'
                end;

                if l_why is not null then
                    l_capacity := lock_line(l_row.resource_id);

                    delete from ds_resource_requests r where r.request_id = l_request_id and r.status = l_row.status;

                    if sql%rowcount = 1 then
                        grant_turns(l_row.resource_id, l_capacity);

                        if l_row.status = 'Granted' then
                            select s.name into l_name from ds_resources s where s.resource_id = l_row.resource_id;
                            ds_worker.alarm('StaleResource', 'The resource "' || l_name || '" was taken from "' || l_row.requester
                                || '" (request ' || l_request_id || '), which had not released it: ' || l_why || '.',
                                l_row.process_id, l_row.task_id);
                        end if;
                    end if;

                    commit write immediate wait;
                end if;
            end loop;
        end loop;
    end free_stale;

    procedure serve is
        l_last number := 0;
        l_request_id number;
        l_resource_id number;
        l_process_id number;
        l_task_id number;
        l_capacity number;
        l_held varchar2(1);
        l_passed number := 0;
        l_lease timestamp(6);
    begin
        select min(r.lease_utc) into l_lease from ds_resource_requests r;
        if l_lease <= sys_extract_utc(systimestamp) then
            free_stale;
        end if;

        for i in 1 .. 500 loop
            select min(r.reserved_request_id) into l_request_id
            from ds_resource_requests r
            where r.reserved_request_id > l_last;

            exit when l_request_id is null;
            l_last := l_request_id;

            select max(r.resource_id), max(r.process_id), max(r.task_id) into l_resource_id, l_process_id, l_task_id
            from ds_resource_requests r
            where r.request_id = l_request_id;

            continue when l_process_id is null or l_process_id = l_passed;

            -- A session that halts or cancels very many tasks holds their process for long: other tasks do not wait for it.
            ds_base.lock_process(l_process_id, l_held);
            if l_held = 'Y' then
                l_passed := l_process_id;
                continue;
            end if;

            update ds_tasks t
            set t.status = 'Pending', t.wait_reason = null
            where t.task_id = l_task_id and t.status = 'Waiting' and t.wait_reason = 'Resource';

            if sql%rowcount = 1 then
                update ds_processes p set p.has_work = 'Y', p.wave_order = null where p.process_id = l_process_id and p.finished_at is null;

                -- Under the line's lock, like every change of a line: a count of holders must not miss one that changes.
                l_capacity := lock_line(l_resource_id);
                update ds_resource_requests r set r.status = 'Granted' where r.request_id = l_request_id and r.status = 'Reserved';
            end if;

            commit write immediate wait;
        end loop;

        -- A full slice, or a locked process: the rest follows in the next turn, at once.
        if l_request_id is not null or l_passed > 0 then
            ds_wake.send_now;
            commit write immediate wait;
        end if;
    end serve;

    procedure sweep is
        l_last number := 0;
        l_process_id number;
        l_held varchar2(1);
    begin
        free_stale;

        -- Requests of tasks that have ended; normally there are none. And of tasks that hold their resource, but cannot start because an
        -- earlier wave got tasks meanwhile, which may need it: they line up again.
        loop
            select min(r.process_id) into l_process_id
            from ds_resource_requests r
            inner join ds_tasks t on t.task_id = r.task_id
            where r.process_id > l_last
              and (t.finished_at is not null
                   or (t.status = 'Pending'
                       and t.execution_order > (select min(e.unfinished_order) from ds_tasks e where e.unfinished_process_id = r.process_id)));

            exit when l_process_id is null;
            l_last := l_process_id;

            ds_base.begin_transaction;
            ds_base.lock_process(l_process_id, l_held);
            if l_held = 'N' then
                leave_line(l_process_id);
            end if;
            commit write immediate wait;
        end loop;
    end sweep;

    procedure define (in_name in varchar2, in_capacity in number) is
        pragma autonomous_transaction;
        l_resource_id number;
        l_capacity number;
    begin
        ds_base.begin_transaction;

        begin
            insert into ds_resources (resource_id, name, capacity, created_at, changed_at)
            values (ds_resource_seq.nextval, in_name, in_capacity, systimestamp at time zone '+00:00', systimestamp at time zone '+00:00');
        exception
            -- If two sessions define the same name, one waits for the other's commit and then finds it.
            when dup_val_on_index then
                l_resource_id := resource_of(in_name);
                l_capacity := lock_line(l_resource_id);

                update ds_resources s
                set s.capacity = in_capacity, s.changed_at = systimestamp at time zone '+00:00'
                where s.resource_id = l_resource_id;

                grant_turns(l_resource_id, in_capacity);
        end;

        commit write immediate wait;
    end define;

    procedure forget (in_name in varchar2) is
        pragma autonomous_transaction;
        l_resource_id number := resource_of(in_name);
        l_wanted pls_integer;
    begin
        ds_base.begin_transaction;

        if l_resource_id is null or lock_line(l_resource_id) is null then
            ds_base.fail(20040, 'there is no such resource; see ds_resource_info.');
        end if;

        select count(*) into l_wanted from ds_resource_requests r where r.resource_id = l_resource_id and rownum <= 1;
        if l_wanted = 0 then
            select count(*) into l_wanted
            from ds_tasks t
            where t.unfinished_process_id > 0 and t.resource_id = l_resource_id and rownum <= 1;
        end if;

        if l_wanted > 0 then
            ds_base.fail(20047, 'the resource has holders or waiters, or an unfinished task names it; see ds_resource_info and ds_task_info.');
        end if;

        delete from ds_resources s where s.resource_id = l_resource_id;
        commit write immediate wait;
    end forget;

    -- The owner of a request in the search for a circle: its task, otherwise its session.
    function owner_of (in_task_id in number, in_session_key in varchar2) return varchar2 is
    begin
        return case when in_task_id is not null then 'task ' || in_task_id else in_session_key end;
    end owner_of;

    -- True if an owner that must release before this request's turn is in_owner, or waits for it. The session that closes a circle
    -- commits last, and so sees all of it. Leases expire and form no circle.
    function waits_for (in_request_id in number, in_owner in varchar2, io_met in out nocopy t_met) return boolean is
        l_owner varchar2(64);
        l_next number;
    begin
        -- With one unit, or if one of the two requests or one between them is exclusive, every holder must release.
        for r in (
            select h.task_id, h.session_key
            from ds_resource_requests w
            inner join ds_resources s on s.resource_id = w.resource_id
            inner join ds_resource_requests h on h.resource_id = w.resource_id
            where w.request_id = in_request_id
              and h.status in ('Granted', 'Reserved')
              and (h.session_key is null or h.lease_seconds is null)
              and (s.capacity = 1 or w.access_mode = 'Exclusive' or h.access_mode = 'Exclusive'
                   or exists (select 1 from ds_resource_requests x
                              where x.resource_id = w.resource_id and x.status = 'Waiting' and x.access_mode = 'Exclusive' and x.request_id < w.request_id))
        ) loop
            l_owner := owner_of(r.task_id, r.session_key);

            if l_owner = in_owner then
                return true;
            elsif not io_met.exists(l_owner) then
                io_met(l_owner) := 1;

                select min(x.request_id) into l_next
                from ds_resource_requests x
                where x.status = 'Waiting' and x.session_key is not null and (x.task_id = r.task_id or (r.task_id is null and x.session_key = r.session_key));

                if l_next is not null and waits_for(l_next, in_owner, io_met) then
                    return true;
                end if;
            end if;
        end loop;

        return false;
    end waits_for;

    -- True if the nearest session before a request is gone: it may have held the resource.
    function one_before_gone (in_resource_id in number, in_request_id in number) return boolean is
        l_before number;
        l_key varchar2(24);
    begin
        select max(r.session_request_id) into l_before
        from ds_resource_requests r
        where r.resource_id = in_resource_id and r.session_request_id < in_request_id
          and (r.lease_seconds is null or r.status <> 'Granted');

        select max(r.session_key) into l_key from ds_resource_requests r where r.request_id = l_before;
        return l_key is not null and not dbms_session.is_session_alive(l_key);
    end one_before_gone;

    -- Removes a request from its line.
    procedure withdraw (in_resource_id in number, in_request_id in number, out_rows out number) is
        l_capacity number := lock_line(in_resource_id);
    begin
        delete from ds_resource_requests r where r.request_id = in_request_id;
        out_rows := sql%rowcount;
        grant_turns(in_resource_id, l_capacity);
    end withdraw;

    procedure acquire (
        in_name in varchar2,
        in_access in varchar2,
        in_requester in varchar2,
        in_timeout_seconds in number,
        in_lease_seconds in number,
        out_request_id out number)
    is
        pragma autonomous_transaction;
        l_me varchar2(24) := dbms_session.unique_session_id;
        l_until timestamp with time zone := ds_base.utc_now + numtodsinterval(in_timeout_seconds, 'SECOND');
        l_checked timestamp with time zone := ds_base.utc_now;
        l_resource_id number := resource_of(in_name);
        l_capacity number;
        l_task ds_tasks%rowtype := ds_rights.current_task;
        l_request_id number;
        l_status varchar2(8);
        l_met t_met;
        l_polls pls_integer := 0;
        l_rows number;
    begin
        ds_base.begin_transaction;
        l_capacity := lock_line(l_resource_id);
        if l_capacity is null then
            ds_base.fail(20040, 'there is no such resource; an administrator creates it with define_resource.');
        end if;

        -- With its task: acquired inside one, it is released when the task ends, if not before.
        l_request_id := ds_line_seq.nextval;

        insert into ds_resource_requests
            (resource_id, request_id, status, access_mode, requester, process_id, task_id, session_id, session_key, lease_seconds, give_up_at,
             requested_at, requested_by, requested_by_os_user, requested_by_client)
        values
            (l_resource_id, l_request_id, 'Waiting', in_access, in_requester, l_task.process_id, l_task.task_id, to_number(sys_context('USERENV', 'SID')), l_me,
             in_lease_seconds, l_until + interval '30' second, systimestamp at time zone '+00:00', ds_rights.submitter,
             substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));

        grant_turns(l_resource_id, l_capacity, l_request_id);
        commit write immediate wait;

        loop
            ds_base.begin_transaction;
            select max(r.status) into l_status from ds_resource_requests r where r.request_id = l_request_id;

            if l_status is null then
                ds_base.fail(20044, 'the request was removed from the line; an administrator may have ended it.');
            end if;

            exit when l_status = 'Granted';

            if l_status = 'Reserved' or ds_base.utc_now >= l_until then
                l_capacity := lock_line(l_resource_id);

                update ds_resource_requests r
                set r.status = 'Granted', r.lease_until = (systimestamp at time zone '+00:00') + numtodsinterval(r.lease_seconds, 'SECOND')
                where r.request_id = l_request_id and r.status = 'Reserved';

                if sql%rowcount = 0 then
                    -- Nothing is left of the request, and requests that it blocked no longer wait for it.
                    delete from ds_resource_requests r where r.request_id = l_request_id;
                    grant_turns(l_resource_id, l_capacity);
                    commit write immediate wait;
                    return;
                end if;

                commit write immediate wait;
                exit;
            end if;

            if l_polls = 0 and waits_for(l_request_id, owner_of(l_task.task_id, l_me), l_met) then
                select count(*) into l_rows
                from ds_resource_requests r
                where r.resource_id = l_resource_id and r.status in ('Granted', 'Reserved') and (r.session_key = l_me or r.task_id = l_task.task_id);

                if l_rows > 0 then
                    ds_base.fail(20042, 'this session already holds the resource and would wait for itself; release it first.');
                end if;
                ds_base.fail(20043, 'this session and others waited for each other''s resources; its request was withdrawn. Release what it holds, and acquire in the same order everywhere.');
            end if;

            -- The dispatcher may be stopped. A dead session just before this one is noticed at once, others after a while.
            if ds_base.utc_now >= l_checked + interval '5' second or one_before_gone(l_resource_id, l_request_id) then
                free_stale(l_resource_id);
                l_checked := ds_base.utc_now;
            end if;

            l_polls := l_polls + 1;
            dbms_session.sleep(case when l_polls <= 10 then 0.1 else 0.5 end);
        end loop;

        if in_lease_seconds is not null then
            ds_wake.send_now; -- the dispatcher must know when the lease expires
        end if;

        commit write immediate wait;
        out_request_id := l_request_id;
    exception
        when others then
            ds_base.begin_transaction;

            begin
                withdraw(l_resource_id, l_request_id, l_rows);
                commit write immediate wait;
            exception
                -- It then gives up at its timeout.
                when others then
                    rollback;
            end;

            raise;
    end acquire;

    procedure give_back (in_request_id in number) is
        pragma autonomous_transaction;
        l_rows number := 0;
    begin
        ds_base.begin_transaction;

        for r in (select q.* from ds_resource_requests q where q.request_id = in_request_id) loop
            ds_rights.require_owner(r.requested_by, 20045, 'request ' || in_request_id);

            if r.session_key is null then
                ds_base.fail(20046, 'the request belongs to a task, which releases it when it ends; end the task with cancel_task.');
            end if;

            withdraw(r.resource_id, in_request_id, l_rows);
            commit write immediate wait;
        end loop;

        if l_rows = 0 then
            ds_base.fail(20044, 'there is no such request: it was released before, or taken away because its session ended or its lease ran out.');
        end if;
    end give_back;
end ds_resource;
/
prompt body round
create or replace package body ds_round as
    -- A job as the dictionary shows it: whether it exists and runs, its number of runs, and when the last one began.
    type job_state is record (jobs pls_integer, running pls_integer, runs number, started_at timestamp with time zone);

    -- Schema and name of a job, spelled as DBMS_SCHEDULER takes them.
    procedure parse_job (in_job in varchar2, out_owner out varchar2, out_name out varchar2) is
        l_first varchar2(4000);
        l_second varchar2(4000);
        l_third varchar2(4000);
        l_link varchar2(4000);
        l_end pls_integer;
        l_bad boolean := false;
    begin
        begin
            dbms_utility.name_tokenize(in_job, l_first, l_second, l_third, l_link, l_end);
        exception
            when others then
                l_bad := true;
        end;

        if l_bad or l_third is not null or l_link is not null or l_end < lengthb(in_job) or lengthb(l_first) > 128 or lengthb(l_second) > 128 then
            ds_base.fail(20055, 'in_successor_job is not a job name such as REPORT, APP.REPORT or "Report".');
        end if;

        out_owner := case when l_second is null then 'APP' else l_first end;
        out_name := nvl(l_second, l_first);
    end parse_job;

    procedure define (
        in_round in varchar2,
        in_members in t_names,
        in_successor_job in varchar2,
        in_successor_sql in clob,
        in_execution_order in number,
        in_process_id in number,
        in_max_age_seconds in number,
        in_start_seconds in number)
    is
        l_by varchar2(140) := ds_rights.submitter;
        l_text boolean := nvl(length(ltrim(in_successor_sql, ' ' || chr(9) || chr(10) || chr(13))), 0) > 0;
        l_process_id number := nvl(in_process_id, 1);
        l_owner varchar2(128);
        l_job varchar2(128);
        l_sql clob;
        l_process ds_processes%rowtype;
        l_round_id number;
    begin
        if in_round is null or length(in_round) > 128 then
            ds_base.fail(20050, 'in_round is NULL, empty or longer than 128 characters.');
        end if;

        if in_members is null then
            ds_base.fail(20054, 'in_members is NULL; an empty list removes the round.');
        end if;

        for i in 1 .. in_members.count loop
            if in_members(i) is null or length(in_members(i)) > 128 then
                ds_base.fail(20054, 'in_members must be names of 1 to 128 characters.');
            end if;

            for j in 1 .. i - 1 loop
                if in_members(j) = in_members(i) then
                    ds_base.fail(20054, 'in_members contains "' || in_members(i) || '" twice; each name must occur once.');
                end if;
            end loop;
        end loop;

        ds_base.need_whole('in_execution_order', in_execution_order, -2147483648);
        ds_base.need_whole('in_max_age_seconds', in_max_age_seconds, 1, 31536000);
        ds_base.need_whole('in_start_seconds', in_start_seconds, 1, 3600);

        if in_members.count > 0 then
            if (in_successor_job is not null) = l_text then
                ds_base.fail(20055, 'pass either in_successor_job or in_successor_sql.');
            end if;

            if l_text then
                l_sql := in_successor_sql;
            else
                parse_job(in_successor_job, l_owner, l_job);
            end if;

            l_process := ds_rights.process_of(l_process_id);
        end if;

        ds_base.begin_transaction;

        for r in (select d.round_id, d.defined_by from ds_rounds d where d.name = in_round for update wait 30) loop
            ds_rights.require_owner(r.defined_by, 20053, 'round "' || in_round || '"');
            l_round_id := r.round_id;
        end loop;

        delete from ds_round_members m where m.round_id = l_round_id;

        if in_members.count = 0 then
            delete from ds_round_firings f where f.round_id = l_round_id;
            delete from ds_rounds r where r.round_id = l_round_id;
        elsif l_round_id is null then
            l_round_id := ds_round_seq.nextval;

            insert into ds_rounds
                (round_id, name, job_owner, job_name, successor_sql, successor_order, successor_process_id, max_age_seconds, start_seconds,
                 defined_at, defined_by, defined_by_os_user, defined_by_client)
            values
                (l_round_id, in_round, l_owner, l_job, l_sql, in_execution_order, l_process_id, in_max_age_seconds, in_start_seconds,
                 systimestamp at time zone '+00:00', l_by, substrb(sys_context('USERENV', 'OS_USER'), 1, 128),
                 substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));
        else
            -- If the members change, a new generation begins, because earlier reports were for other members. One that has fired stays.
            update ds_rounds r
            set r.job_owner = l_owner, r.job_name = l_job, r.successor_sql = l_sql, r.successor_order = in_execution_order,
                r.successor_process_id = l_process_id, r.max_age_seconds = in_max_age_seconds, r.start_seconds = in_start_seconds,
                r.generation = r.generation + 1, r.defined_at = systimestamp at time zone '+00:00', r.defined_by = l_by,
                r.defined_by_os_user = substrb(sys_context('USERENV', 'OS_USER'), 1, 128),
                r.defined_by_client = substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64)
            where r.round_id = l_round_id;
        end if;

        for i in 1 .. in_members.count loop
            insert into ds_round_members (round_id, member) values (l_round_id, in_members(i));
        end loop;

        commit write immediate wait;
    end define;

    -- Withdraws reports that are older than the round allows, with an alarm if they were successes: another member has failed
    -- or has not reported. The caller holds the round's row.
    procedure forget_old_reports (in_round_id in number) is
        l_name varchar2(128 char);
        l_user varchar2(140);
        l_age number;
        l_cutoff timestamp with time zone;
        l_old varchar2(700);
        l_missing varchar2(700);
    begin
        select r.name, r.max_age_seconds, r.defined_by into l_name, l_age, l_user from ds_rounds r where r.round_id = in_round_id;
        l_cutoff := ds_base.utc_now - numtodsinterval(l_age, 'SECOND');

        -- Longer lists are cut off.
        for m in (select m.member, m.reported_at, m.succeeded from ds_round_members m where m.round_id = in_round_id order by m.member) loop
            if m.reported_at is null or m.succeeded = 'N' then
                l_missing := substrb(l_missing || ', "' || m.member || '"', 1, 700);
            elsif m.reported_at < l_cutoff then
                l_old := substrb(l_old || ', "' || m.member || '"', 1, 700);
            end if;
        end loop;

        update ds_round_members m
        set m.reported_at = null, m.succeeded = null
        where m.round_id = in_round_id and m.reported_at < l_cutoff;

        if l_old is not null then
            ds_worker.alarm('RoundLate', 'Round "' || l_name || '" did not start its successor: more than ' || l_age || ' seconds after the success of ' || substr(l_old, 3)
                || ', no success was reported by ' || substr(l_missing, 3)
                || '. The old reports no longer count, so those members must run again, too.', in_user => l_user);
        end if;
    end forget_old_reports;

    -- Records the result of starting a job, with an alarm if it was not seen to run.
    procedure end_firing (in_firing_id in number, in_status in varchar2, in_detail in varchar2) is
    begin
        ds_base.begin_transaction;

        update ds_round_firings f
        set f.status = in_status, f.detail = substrb(in_detail, 1, 1300), f.ended_at = systimestamp at time zone '+00:00'
        where f.firing_id = in_firing_id and f.status = 'Starting';

        if sql%rowcount = 1 and in_status <> 'Started' then
            for r in (select d.name, d.defined_by, f.generation, f.job_owner, f.job_name
                      from ds_round_firings f
                      inner join ds_rounds d on d.round_id = f.round_id
                      where f.firing_id = in_firing_id)
            loop
                ds_worker.alarm('RoundStart', 'Round "' || r.name || '", generation ' || r.generation || ': job "' || r.job_owner || '"."' || r.job_name
                    || case in_status when 'Failed' then '" was not started: ' else '" may not have started, and is not ordered again: ' end
                    || substrb(in_detail, 1, 1300), in_user => r.defined_by);
            end loop;
        end if;

        commit write immediate wait;
    end end_firing;

    -- Reads a job's state from the dictionary. A job of another schema is visible to users that can alter it.
    procedure look_at_job (in_owner in varchar2, in_name in varchar2, out_job out job_state) is
    begin
        select count(*), count(case when j.state = 'RUNNING' then 1 end), max(j.run_count), max(j.last_start_date)
        into out_job
        from all_scheduler_jobs j
        where j.owner = in_owner and j.job_name = in_name;
    end look_at_job;

    -- Whether the job of a firing has run since it was ordered: it runs, its run count is higher, or it is gone (auto_drop) and its
    -- log shows the run.
    function has_run (in_firing in ds_round_firings%rowtype) return boolean is
        l_job job_state;
        l_logged pls_integer;
    begin
        look_at_job(in_firing.job_owner, in_firing.job_name, l_job);

        if l_job.jobs > 0 then
            return l_job.running > 0 or l_job.runs > in_firing.runs_before
                or (l_job.started_at is not null and in_firing.started_before is null) or l_job.started_at > in_firing.started_before;
        end if;

        select count(*) into l_logged
        from all_scheduler_job_run_details e
        where e.owner = in_firing.job_owner and e.job_name = in_firing.job_name and e.actual_start_date >= in_firing.ordered_at and rownum <= 1;

        return l_logged > 0;
    end has_run;

    -- Orders the job of a firing, unless another session has. The intention is committed first: a session that finds it does not
    -- order the job again, but looks whether the job has run.
    procedure order_job (in_firing_id in number) is
        l_owner varchar2(128);
        l_name varchar2(128);
        l_job job_state;
    begin
        select max(f.job_owner), max(f.job_name) into l_owner, l_name
        from ds_round_firings f
        where f.starting_id = in_firing_id and f.ordered_at is null;

        if l_name is null then
            return;
        end if;

        look_at_job(l_owner, l_name, l_job);

        if l_job.jobs = 0 or l_job.running > 0 then
            end_firing(in_firing_id, 'Failed', case when l_job.running > 0 then 'it was already running.'
                else 'there is no such job, or APP is not allowed to see it. If it exists, run: grant alter on "' || l_owner || '"."' || l_name
                    || '" to APP.' end);
            return;
        end if;

        ds_base.begin_transaction;

        update ds_round_firings f
        set f.ordered_at = systimestamp at time zone '+00:00', f.runs_before = l_job.runs, f.started_before = l_job.started_at at time zone '+00:00'
        where f.firing_id = in_firing_id and f.status = 'Starting' and f.ordered_at is null;

        if sql%rowcount = 0 then
            rollback;
            return;
        end if;

        commit write immediate wait;

        begin
            dbms_scheduler.run_job(job_name => '"' || l_owner || '"."' || l_name || '"', use_current_session => false);
        exception
            when ds_base.e_running then
                end_firing(in_firing_id, 'Failed', 'it was already running.');
            -- 27475, 27476: it was dropped; 27486: missing right; 27492: the database does not start jobs now.
            when others then
                -- If this session is interrupted, its progress is unknown.
                if sqlcode = -1013 then
                    raise;
                end if;
                end_firing(in_firing_id, 'Failed', sqlerrm);
        end;
    end order_job;

    -- Checks whether the job of a firing has run and records it; after a while, records that it may not have run.
    procedure look (in_firing_id in number, in_patience in number, in_detail in varchar2) is
    begin
        for f in (select f.* from ds_round_firings f where f.starting_id = in_firing_id and f.ordered_at is not null) loop
            if has_run(f) then
                end_firing(in_firing_id, 'Started', null);
            elsif systimestamp >= f.ordered_at + numtodsinterval(f.start_seconds + in_patience, 'SECOND') then
                end_firing(in_firing_id, 'Unknown', in_detail || 'it was ordered, but was not seen to run within ' || f.start_seconds || ' seconds. Check whether it ran; if not, start it.');
            end if;
        end loop;
    end look;

    -- Records the report; out_firing_id is set if the caller must now start a job.
    procedure record_report (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in varchar2,
        out_outcome out varchar2,
        out_firing_id out number)
    is
        l_round ds_rounds%rowtype;
        l_missing pls_integer;
        l_firing_id number;
        l_task_id number;
        l_error varchar2(1000);
        l_barred varchar2(100);
    begin
        ds_base.begin_transaction;

        -- Reports of a round are serialized, so that only one of two simultaneous reports is the last.
        begin
            select r.* into l_round
            from ds_rounds r
            where r.name = in_round
            for update wait 30;
        exception
            when no_data_found then
                ds_base.fail(20051, 'there is no round "' || in_round || '".');
        end;

        ds_rights.require_owner(l_round.defined_by, 20053, 'round "' || in_round || '"');
        forget_old_reports(l_round.round_id);

        update ds_round_members m
        set m.reported_at = systimestamp at time zone '+00:00', m.succeeded = in_succeeded
        where m.round_id = l_round.round_id and m.member = in_member;

        if sql%rowcount = 0 then
            ds_base.fail(20052, 'round "' || in_round || '" has no member "' || in_member || '".');
        end if;

        if in_succeeded = 'N' then
            out_outcome := 'Reported';
            ds_worker.alarm('RoundFailed', 'Round "' || in_round || '" does not start its successor: member "' || in_member
                || '" failed. Fix it and run it again; its success then counts.', in_user => l_round.defined_by);
            commit write immediate wait;
            return;
        end if;

        -- A separate statement from the one that waited for the row: it sees what the last holder committed.
        select count(*) into l_missing
        from ds_round_members m
        where m.round_id = l_round.round_id and (m.succeeded is null or m.succeeded = 'N');

        if l_missing > 0 then
            out_outcome := 'Waiting';
            commit write immediate wait;
            return;
        end if;

        l_firing_id := ds_firing_seq.nextval;

        insert into ds_round_firings (firing_id, round_id, generation, fired_at, fired_by, job_owner, job_name, start_seconds)
        values (l_firing_id, l_round.round_id, l_round.generation, systimestamp at time zone '+00:00', in_member, l_round.job_owner, l_round.job_name,
                l_round.start_seconds);

        update ds_rounds r set r.generation = r.generation + 1 where r.round_id = l_round.round_id;
        update ds_round_members m set m.reported_at = null, m.succeeded = null where m.round_id = l_round.round_id;

        if l_round.job_name is null then
            begin
                -- The task is the definer's: what counts is what that user may do now, whoever reports.
                l_barred := ds_rights.barred(l_round.defined_by);
                if l_barred is not null then
                    ds_base.fail(20057, ds_rights.name_of(l_round.defined_by) || ', who defined the round, ' || l_barred
                        || '. Have another user define it again.');
                end if;
                dbsched.exec_async(in_sql => l_round.successor_sql, in_execution_order => l_round.successor_order, in_process_id => l_round.successor_process_id, out_task_id => l_task_id);
            exception
                when others then
                    l_error := substrb(sqlerrm, 1, 1000);
                    rollback;
                    ds_worker.alarm('RoundStart', 'Round "' || in_round || '": the last report, by member "' || in_member
                        || '", was rolled back because the task cannot be enqueued. Report again after fixing this: '
                        || l_error, in_user => l_round.defined_by);
                    commit write immediate wait;
                    raise;
            end;

            -- The task belongs to the user that defined the round, not to the last reporter.
            update ds_tasks t set t.enqueued_by = l_round.defined_by where t.task_id = l_task_id;

            update ds_round_firings f
            set f.status = 'Started', f.task_id = l_task_id, f.ended_at = systimestamp at time zone '+00:00'
            where f.firing_id = l_firing_id;

            out_outcome := 'Started';
        else
            out_outcome := 'Starting';
            out_firing_id := l_firing_id;
        end if;

        commit write immediate wait;
    end record_report;

    procedure report (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean,
        out_outcome out varchar2)
    is
        l_firing_id number;
    begin
        if in_round is null or in_member is null then
            ds_base.fail(20050, 'in_round or in_member is NULL.');
        end if;

        if in_succeeded is null then
            ds_base.fail(20003, 'in_succeeded must be true or false.');
        end if;

        record_report(in_round, in_member, case when in_succeeded then 'Y' else 'N' end, out_outcome, l_firing_id);

        if out_outcome <> 'Starting' then
            return;
        end if;

        order_job(l_firing_id);

        loop
            ds_base.begin_transaction;
            look(l_firing_id, 0, null);
            -- NULL: the round was removed in the meantime.
            select nvl(max(f.status), 'Unknown') into out_outcome from ds_round_firings f where f.firing_id = l_firing_id;
            exit when out_outcome <> 'Starting';
            dbms_session.sleep(0.5);
        end loop;

        rollback;
    end report;

    procedure sweep is
        l_abandoned timestamp with time zone := ds_base.utc_now - interval '30' second;
        l_last number := 0;
        l_id number;
    begin
        loop
            select min(m.reported_round_id) into l_id from ds_round_members m where m.reported_round_id > l_last;
            exit when l_id is null;
            l_last := l_id;

            ds_base.begin_transaction;
            for r in (select d.round_id from ds_rounds d where d.round_id = l_last for update wait 10) loop
                forget_old_reports(r.round_id);
            end loop;
            commit write immediate wait;
        end loop;

        l_last := 0;
        loop
            select min(f.starting_id) into l_id from ds_round_firings f where f.starting_id > l_last;
            exit when l_id is null;
            l_last := l_id;

            -- Its reporter orders it at once, if it is alive.
            for f in (select f.firing_id from ds_round_firings f where f.starting_id = l_last and f.ordered_at is null and f.fired_at < l_abandoned) loop
                order_job(f.firing_id);
            end loop;

            look(l_last, 30, 'its last member reported, but ended before it had seen the job run; ');
        end loop;
    end sweep;
end ds_round;
/
prompt body schedule
create or replace package body ds_schedule as
    procedure refuse_calendar (in_calendar in varchar2, in_problem in varchar2) is
    begin
        ds_base.fail(20074, 'the calendar "' || substrb(in_calendar, 1, 400) || '" cannot be read: ' || in_problem || '.');
    end refuse_calendar;

    -- One number of a field, or the name of one: in_names has the names, three letters each, of the numbers from in_first. NULL: neither.
    function read_number (in_text in varchar2, in_names in varchar2, in_first in number) return number is
        l_at number := instr(in_names, in_text);
    begin
        return case when length(in_text) <= 2 and ltrim(in_text, '0123456789') is null then to_number(in_text)
                    when length(in_text) = 3 and mod(l_at, 3) = 1 then trunc(l_at / 3) + in_first end;
    end read_number;

    -- Takes the first part of a text, up to a character, away from it.
    procedure take (io_text in out varchar2, in_end in varchar2, out_part out varchar2) is
        l_at pls_integer := instr(io_text || in_end, in_end);
    begin
        out_part := substr(io_text, 1, l_at - 1);
        io_text := ltrim(substr(io_text, l_at + 1));
    end take;

    -- One field of five.
    function read_field (in_calendar in varchar2, in_field in pls_integer, in_word in varchar2) return varchar2 is
        l_word varchar2(201 char) := in_word || ',';
        l_low number := case when in_field in (3, 4) then 1 else 0 end;
        l_high number := case in_field when 1 then 59 when 2 then 23 when 3 then 31 when 4 then 12 else 7 end;
        l_names varchar2(40) := case in_field when 4 then 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC' when 5 then 'SUNMONTUEWEDTHUFRISAT' end;
        l_what varchar2(30) := case in_field when 1 then 'minute' when 2 then 'hour' when 3 then 'day of the month' when 4 then 'month' else 'day of the week' end;
        l_map varchar2(60) := rpad('0', case in_field when 1 then 60 when 2 then 24 when 3 then 32 when 4 then 12 else 42 end, '0');
        l_part varchar2(200 char);
        l_range varchar2(200 char);
        l_from number;
        l_to number;
        l_step number;
        l_week number;
        l_at pls_integer;
    begin
        if in_word is null then
            refuse_calendar(in_calendar, 'field ' || in_field || ' of 5 (' || l_what || ') is missing');
        end if;
        while l_word is not null loop
            take(l_word, ',', l_part);
            l_range := l_part;
            l_step := 1;
            l_week := 0;

            -- 5#2: the second Friday. A step follows * or a range.
            if in_field = 5 and l_part like '_%#_' and instr('12345', substr(l_part, -1)) > 0 then
                l_week := to_number(substr(l_part, -1));
                l_range := substr(l_part, 1, length(l_part) - 2);
            elsif l_part like '*/%' or l_part like '%-%/%' then
                l_range := substr(l_part, 1, instr(l_part, '/') - 1);
                l_step := read_number(substr(l_part, instr(l_part, '/') + 1), null, 0);
            end if;
            if l_range = '*' then
                l_from := l_low;
                l_to := case in_field when 5 then 6 else l_high end;
            else
                l_from := read_number(substr(l_range, 1, instr(l_range || '-', '-') - 1), l_names, l_low);
                l_to := read_number(substr(l_range, instr(l_range, '-') + 1), l_names, l_low);
                -- FRI-SUN
                l_to := case when in_field = 5 and l_to = 0 and l_from > 0 then 7 else l_to end;
            end if;
            if in_field = 3 and l_part = 'L' then
                l_from := 32;
                l_to := 32;
            elsif l_from is null or l_to is null or nvl(l_step, 0) = 0 or l_from < l_low or l_from > l_to or l_to > l_high or (l_week > 0 and l_from <> l_to) then
                refuse_calendar(in_calendar, 'field ' || in_field || ' (' || l_what || '), "' || l_part || '": it must be from ' || l_low || ' to ' || l_high
                    || case in_field when 3 then ' or L' when 4 then ' or JAN to DEC' when 5 then ', SUN to SAT, or one of these with #1 to #5' end
                    || '; also a range 1-5, or a range or * with a step */2');
            end if;
            while l_from <= l_to loop
                l_at := case in_field when 5 then mod(l_from, 7) + 7 * l_week else l_from - l_low end;
                l_map := substr(l_map, 1, l_at) || '1' || substr(l_map, l_at + 2);
                l_from := l_from + l_step;
            end loop;
        end loop;
        return l_map;
    end read_field;

    function form_of (in_calendar in varchar2, in_zone in varchar2, in_from in timestamp) return varchar2 is
        l_text varchar2(200 char) := trim(translate(upper(substr(in_calendar, 1, 200)), chr(9) || chr(10) || chr(13), '   '));
        l_form varchar2(1000);
        l_part varchar2(200 char);
        l_kind varchar2(1) := 'F';
        l_rule varchar2(1) := 'O';
        l_step number;
        l_next timestamp(0);
    begin
        begin
            l_next := cast(from_tz(in_from, '+00:00') at time zone in_zone as timestamp);
        exception
            when others then
                ds_base.fail(20075, 'there is no time zone "' || substrb(in_zone, 1, 100) || '": ' || sqlerrm || '. See V$TIMEZONE_NAMES.');
        end;
        if l_text is null or length(in_calendar) > 200 then
            refuse_calendar(in_calendar, 'it must have 1 to 200 characters');
        end if;
        if l_text like 'EVERY %' then
            take(l_text, ' ', l_part);
            l_part := '1';
            if instr('0123456789', substr(l_text, 1, 1)) > 0 then
                take(l_text, ' ', l_part);
            end if;
            l_step := case when length(l_part) <= 6 and ltrim(l_part, '0123456789') is null then to_number(l_part) end
                    * case when l_text in ('MINUTE', 'MINUTES') then 1 when l_text in ('HOUR', 'HOURS') then 60
                           when l_text in ('DAY', 'DAYS') then 1440 end;
            if nvl(l_step, 0) not between 1 and 527040 then
                refuse_calendar(in_calendar, 'after every must come a number of minutes, hours or days, from 1 minute to 366 days');
            end if;
            return 'E' || l_step;
        end if;
        if instr(l_text, '=') > 0 then
            l_form := 'S' || in_calendar;
        else
            if substr(l_text, 1, 1) = '@' then
                l_text := case l_text when '@YEARLY' then '0 0 1 1 *' when '@ANNUALLY' then '0 0 1 1 *' when '@MONTHLY' then '0 0 1 * *' when '@WEEKLY' then '0 0 * * 0'
                                      when '@DAILY' then '0 0 * * *' when '@MIDNIGHT' then '0 0 * * *' when '@HOURLY' then '0 * * * *' end;
                if l_text is null then
                    refuse_calendar(in_calendar, 'of the names with @ there are yearly, annually, monthly, weekly, daily, midnight and hourly');
                end if;
            end if;
            for i in 1 .. 5 loop
                take(l_text, ' ', l_part);
                -- As in Vixie's cron, */2 counts as a star: days and weekdays must both match.
                if l_part like '*%' and i <= 2 then
                    l_kind := 'W';
                elsif l_part like '*%' and i in (3, 5) then
                    l_rule := 'A';
                end if;
                l_form := l_form || read_field(in_calendar, i, l_part);
            end loop;
            if l_text is not null then
                refuse_calendar(in_calendar, 'after field 5 comes "' || l_text || '", but there are only five fields');
            end if;
            l_form := l_kind || l_rule || l_form;
        end if;
        begin
            l_next := next_instant(l_form, in_zone, in_from, null, in_from);
        exception
            when others then
                refuse_calendar(in_calendar, sqlerrm);
        end;
        if l_next is null then
            refuse_calendar(in_calendar, 'it never fires: no such day exists');
        end if;
        return l_form;
    end form_of;

    -- Whole minutes from one time to another.
    function minutes_between (in_from in timestamp, in_to in timestamp) return number is
        l_ahead interval day(7) to second(6) := in_to - in_from;
    begin
        return extract(day from l_ahead) * 1440 + extract(hour from l_ahead) * 60 + extract(minute from l_ahead);
    end minutes_between;

    -- Minutes by which a time zone is ahead of UTC at an instant. From UTC to local time there is one answer; the way back raises ORA-01878 in
    -- the gap, and has two in the overlap, so next_instant derives it from these offsets.
    function zone_offset (in_zone in varchar2, in_at in timestamp) return number is
    begin
        return minutes_between(in_at, cast(from_tz(in_at, '+00:00') at time zone in_zone as timestamp));
    end zone_offset;

    function local_time (in_at in timestamp, in_zone in varchar2) return timestamp is
    begin
        return cast(from_tz(in_at, '+00:00') at time zone in_zone as timestamp);
    exception
        when others then
            return null;
    end local_time;

    function later (in_at in timestamp, in_minutes in number) return timestamp is
    begin
        return in_at + numtodsinterval(in_minutes, 'MINUTE');
    end later;

    -- The first local time of a calendar at or after another, whatever summer time does to it; NULL: none within forty years.
    function next_local_time (in_form in varchar2, in_from in timestamp) return timestamp is
        l_minutes varchar2(60) := substr(in_form, 3, 60);
        l_hours varchar2(24) := substr(in_form, 63, 24);
        l_hour pls_integer := extract(hour from in_from);
        l_minute pls_integer := 0;
        l_month date := trunc(cast(in_from as date), 'MM');
        l_first pls_integer := extract(day from in_from);
        l_last pls_integer;
        l_weekday pls_integer;
        l_matches pls_integer;
        l_day date;
    begin
        -- The time of day: in this hour, or else in a later one.
        if substr(l_hours, l_hour + 1, 1) = '1' then
            l_minute := instr(l_minutes, '1', extract(minute from in_from) + 1);
        end if;
        if l_minute = 0 then
            l_hour := instr(l_hours, '1', l_hour + 2) - 1;
            l_minute := instr(l_minutes, '1');
        end if;
        if l_hour < 0 then
            l_first := l_first + 1;
        end if;
        for i in 1 .. 480 loop
            l_last := extract(day from last_day(l_month));
            for d in l_first .. l_last loop
                -- 1900-01-07 was a Sunday.
                l_weekday := mod(l_month - date '1900-01-07' + d - 1, 7);
                l_matches := case when substr(in_form, 86 + d, 1) = '1' or (d = l_last and substr(in_form, 118, 1) = '1') then 1 else 0 end
                           + case when substr(in_form, 131 + l_weekday, 1) = '1' or substr(in_form, 138 + trunc((d - 1) / 7) * 7 + l_weekday, 1) = '1' then 1 else 0 end;
                if l_matches >= case substr(in_form, 2, 1) when 'A' then 2 else 1 end and substr(in_form, 118 + extract(month from l_month), 1) = '1' then
                    l_day := l_month + d - 1;
                    exit;
                end if;
            end loop;
            exit when l_day is not null;
            l_month := add_months(l_month, 1);
            l_first := 1;
        end loop;

        -- On another day, the first time of the day.
        if l_day > trunc(cast(in_from as date)) then
            l_hour := instr(l_hours, '1') - 1;
            l_minute := instr(l_minutes, '1');
        end if;
        return later(cast(l_day as timestamp), l_hour * 60 + l_minute - 1);
    end next_local_time;

    function next_instant (in_form in varchar2, in_zone in varchar2, in_begin in timestamp, in_end in timestamp,
                           in_after in timestamp) return timestamp is
        l_after timestamp(6) := greatest(in_after, in_begin - interval '1' second);
        l_from timestamp(0) := l_after + numtodsinterval(60 - extract(second from l_after), 'SECOND');
        l_local timestamp(0);
        l_at timestamp(0);
        l_ahead timestamp(0);
        l_middle timestamp(0);
        l_offset number;
        l_moved number;
        l_step number;
        l_next timestamp with time zone;

        function unless_ended (in_at in timestamp) return timestamp is
        begin
            return case when in_at <= nvl(in_end, in_at) then in_at end;
        end unless_ended;
    begin
        if substr(in_form, 1, 1) = 'E' then
            l_step := to_number(substr(in_form, 2));
            return unless_ended(case when l_after < in_begin then in_begin
                else later(in_begin, (trunc(minutes_between(in_begin, l_after) / l_step) + 1) * l_step) end);
        elsif substr(in_form, 1, 1) = 'S' then
            dbms_scheduler.evaluate_calendar_string(
                calendar_string => substr(in_form, 2),
                start_date => from_tz(in_begin, '+00:00') at time zone in_zone,
                return_date_after => from_tz(l_after, '+00:00') at time zone in_zone,
                next_run_date => l_next);
            return unless_ended(sys_extract_utc(l_next));
        end if;
        l_offset := zone_offset(in_zone, l_from);
        -- The clocks were set back a moment ago: which local times have fired already?
        if substr(in_form, 1, 1) = 'F' and zone_offset(in_zone, later(l_from, -1440)) > l_offset then
            l_from := later(l_from, -1440);
            l_offset := zone_offset(in_zone, l_from);
        end if;
        loop
            l_local := next_local_time(in_form, later(l_from, l_offset));
            if l_local is null then
                return null;
            end if;

            -- Does the offset change before that, within a day?
            l_at := later(l_local, -l_offset);
            l_ahead := least(l_at, later(l_from, 1440));
            l_moved := zone_offset(in_zone, l_ahead) - l_offset;
            if l_moved = 0 and l_at = l_ahead and l_at > l_after then
                return unless_ended(l_at);
            elsif l_moved = 0 then
                -- No local time before it matches: go on a day before it.
                l_from := case when l_at = l_ahead then later(l_at, 1) else greatest(l_ahead, later(l_at, -1440)) end;
            else
                -- l_ahead becomes the first minute with the new offset.
                while l_ahead > later(l_from, 1) loop
                    l_middle := l_from + numtodsinterval(trunc((cast(l_ahead as date) - cast(l_from as date)) * 720 + 0.01), 'MINUTE');
                    if zone_offset(in_zone, l_middle) = l_offset then
                        l_from := l_middle;
                    else
                        l_ahead := l_middle;
                    end if;
                end loop;

                -- Set forward past the local time.
                if substr(in_form, 1, 1) = 'F' and l_local < later(l_ahead, l_offset + l_moved) and l_ahead > l_after then
                    return unless_ended(l_ahead);
                end if;
                -- Set back: local times that come again do not count.
                l_from := later(l_ahead, case when substr(in_form, 1, 1) = 'F' then greatest(0, -l_moved) else 0 end);
            end if;
            l_offset := zone_offset(in_zone, l_from);
        end loop;
    end next_instant;

    -- The earliest time, from in_from, after which a schedule has at most in_most instants until in_now, however many came before: a search in
    -- halves.
    function last_instants (in_row in ds_schedules%rowtype, in_from in timestamp, in_now in timestamp,
                            in_most in pls_integer) return timestamp is
        l_from timestamp(0) := in_from;
        l_until timestamp(0) := in_now;
        l_middle timestamp(0);
        l_at timestamp(0);
        l_count pls_integer;
    begin
        while l_from < l_until loop
            l_middle := l_from + numtodsinterval(trunc((cast(l_until as date) - cast(l_from as date)) * 43200 + 0.01), 'SECOND');
            l_at := next_instant(in_row.form, in_row.zone, in_row.begin_at, in_row.end_at, l_middle);
            l_count := 0;
            while l_at <= in_now and l_count < in_most loop
                l_at := next_instant(in_row.form, in_row.zone, in_row.begin_at, in_row.end_at, l_at);
                l_count := l_count + 1;
            end loop;
            if l_at <= in_now then
                l_from := l_middle + interval '1' second;
            else
                l_until := l_middle;
            end if;
        end loop;
        return l_from;
    end last_instants;

    -- Deals with one schedule that is due; the caller has locked process 0 and the schedule, and commits.
    procedure fire_one (in_row in ds_schedules%rowtype, in_now in timestamp) is
        type t_due is record (due_at timestamp(6), fires boolean, late boolean, detail varchar2(200));
        type t_dues is table of t_due index by pls_integer;
        l_dues t_dues;
        l_next timestamp(0) := in_row.next_at;
        l_last timestamp(0) := in_row.last_at;
        l_waiting number := in_row.waiting;
        l_last_firing number := in_row.last_firing_id;
        l_busy pls_integer;
        l_barred varchar2(100) := ds_rights.barred(in_row.owner);
        l_fires boolean := false;
        l_nth pls_integer := 0;
        l_status varchar2(7);
        l_starts number;
        l_firing_id number;
        l_task_id number;

        procedure suspend (in_reason in varchar2) is
        begin
            update ds_schedules s set s.status = 'Suspended', s.reason = in_reason,
                s.look_at = case when l_barred is null and s.waiting > 0 then in_now end
            where s.schedule_id = in_row.schedule_id;
            ds_worker.alarm('ScheduleSuspended', 'The schedule "' || in_row.name || '" is suspended: ' || in_reason || ', then enable it.',
                in_user => in_row.owner);
        end suspend;
    begin
        if l_barred is not null then
            suspend('its owner ' || ds_rights.name_of(in_row.owner) || ' ' || l_barred || '. Have another user alter its tasks');
            return;
        end if;

        begin
            -- The rules of a time zone may have changed since the instant was found; hence look_at is at most a day ahead.
            if in_row.status = 'Enabled' and l_next > in_now then
                l_next := next_instant(in_row.form, in_row.zone, in_row.begin_at, in_row.end_at, greatest(in_now, nvl(l_last, in_now)));
            end if;

            -- A firing is late after a minute: the scheduler was stopped or down, or the schedule was not enabled.
            while in_row.status = 'Enabled' and l_next <= in_now loop
                l_nth := l_dues.count + 1;
                l_dues(l_nth).due_at := l_next;
                l_dues(l_nth).late := l_next < in_now - interval '60' second;
                l_dues(l_nth).fires := not l_dues(l_nth).late or in_row.missed = 'All';
                l_last := l_next;
                l_next := next_instant(in_row.form, in_row.zone, in_row.begin_at, in_row.end_at, l_last);

                -- More than 100: the last ones count, and one row stands for the others.
                if l_nth = 100 and l_next <= in_now and l_dues(1).detail is null then
                    l_last := last_instants(in_row, l_dues(1).due_at, in_now, case in_row.missed when 'All' then 100 else 1 end);
                    l_dues.delete(2, 100);
                    l_dues(1).fires := false;
                    l_dues(1).detail := 'and all others until ' || to_char(l_last, 'YYYY-MM-DD HH24:MI:SS') || ' UTC';
                    l_next := next_instant(in_row.form, in_row.zone, in_row.begin_at, in_row.end_at, l_last);
                end if;
            end loop;
        exception
            when others then
                if sqlcode <> -1882 then
                    raise;
                end if;
                -- A time zone that the database no longer knows.
                suspend(substrb(sqlerrm, 1, 300) || '. Alter its calendar or time zone');
                return;
        end;
        for i in 1 .. l_dues.count loop
            l_fires := l_fires or l_dues(i).fires;
        end loop;

        -- Once: the last of the missed firings, unless another fires now.
        if in_row.missed = 'Once' and l_dues.count > 0 and not l_fires then
            l_dues(l_dues.count).fires := true;
            l_dues(l_dues.count).detail := case when l_dues.count > 1 then 'for all that were missed' end;
        end if;

        -- A process, and the end of the task that makes it, are one transaction, and a query sees all of it or nothing.
        select count(*) into l_busy
        from (select p.process_id from ds_processes p where p.open_schedule_id = in_row.schedule_id union all
              select t.task_id from ds_tasks t where t.unfinished_key between in_row.schedule_id || '@' and in_row.schedule_id || '@9999999999999999999' and t.unfinished_key like in_row.schedule_id || '@%' and t.process_id = 0)
        where rownum <= 1;

        -- Skip has room for one firing, Queue for two; what All makes up for waits in any case.
        l_nth := 0;
        for i in 1 .. l_dues.count loop
            if not l_dues(i).fires then
                l_status := 'Missed';
            else
                l_nth := l_nth + 1;
                l_status := case when in_row.overlap = 'Allow' or (l_dues(i).late and in_row.missed = 'All')
                                      or in_row.waiting + l_busy + l_nth <= case in_row.overlap when 'Queue' then 2 else 1 end then 'Waiting' else 'Skipped' end;
            end if;
            l_waiting := l_waiting + case l_status when 'Waiting' then 1 else 0 end;
            insert into ds_schedule_firings (firing_id, schedule_id, name, due_at, manual, status, detail, logged_at, owner)
            values (ds_schedule_firing_seq.nextval, in_row.schedule_id, in_row.name, l_dues(i).due_at, 'N', l_status, l_dues(i).detail,
                    systimestamp at time zone '+00:00', in_row.owner);
        end loop;
        l_starts := case when in_row.overlap = 'Allow' then l_waiting when l_busy = 1 or l_waiting = 0 then 0 else 1 end;
        for i in 1 .. l_starts loop
            select f.firing_id into l_firing_id from ds_schedule_firings f
            where f.schedule_id = in_row.schedule_id and f.status = 'Waiting' order by f.firing_id fetch first 1 row only;
            l_task_id := ds_task_seq.nextval;
            update ds_schedule_firings f set f.status = 'Started', f.task_id = l_task_id where f.firing_id = l_firing_id;
            insert into ds_tasks
                (task_id, process_id, execution_order, priority, expected_seconds, status, sql_text, max_attempts, retry_delay_seconds, on_orphan, transactional,
                 dedup_key, enqueued_at, enqueued_by)
            values
                (l_task_id, 0, 0, 0, 0, 'Pending', 'begin dbsched.run_firing(' || l_firing_id || '); end;',
                 3, 10, 'Retry', 'Y', in_row.schedule_id || '@' || l_firing_id, systimestamp at time zone '+00:00', in_row.owner);
            l_waiting := l_waiting - 1;
            l_last_firing := l_firing_id;
        end loop;
        update ds_schedules s
        set s.next_at = l_next, s.look_at = case when s.status = 'Enabled' then least(l_next, in_now + interval '1' day) end, s.last_at = l_last,
            s.waiting = l_waiting, s.last_firing_id = l_last_firing
        where s.schedule_id = in_row.schedule_id;
        update ds_processes p set p.has_work = 'Y' where p.process_id = 0 and l_starts > 0;
    end fire_one;

    procedure fire is
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_look timestamp(6);
        l_id number;
        l_held varchar2(1);
        l_text varchar2(2000);
    begin
        -- What is left is due, so the next turn follows at once.
        for i in 1 .. 100 loop
            select min(s.look_at) into l_look from ds_schedules s where s.look_at <= l_now;
            exit when l_look is null;
            select min(s.schedule_id) into l_id from ds_schedules s where s.look_at = l_look;

            -- Process 0 before the schedule: the lock order.
            ds_base.begin_transaction;
            ds_base.lock_process(0, l_held);
            exit when l_held = 'Y';
            begin
                for r in (select s.* from ds_schedules s where s.schedule_id = l_id and s.look_at <= l_now for update wait 5) loop
                    fire_one(r, l_now);
                end loop;
            exception
                when ds_base.e_held or ds_base.e_busy then
                    rollback;
                    l_held := 'Y';
                when others then -- one schedule must not keep the dispatcher from the rest
                    l_text := substrb('Schedule ' || l_id || ' cannot fire, and is tried again in a minute: ' || sqlerrm, 1, 2000);
                    rollback;
                    update ds_schedules s set s.look_at = l_now + interval '1' minute where s.schedule_id = l_id and s.look_at <= l_now;
                    ds_worker.alarm('ScheduleFailed', l_text);
            end;
            commit write immediate wait;
            exit when l_held = 'Y';
        end loop;
    end fire;

    procedure next_firing (in_process_id in number, in_task_id in number default null) is
    begin
        update ds_schedules s set s.look_at = sys_extract_utc(systimestamp)
        where s.schedule_id = nvl((select p.schedule_id from ds_processes p where p.process_id = in_process_id), -- the key: see fire_one
                                  (select to_number(regexp_substr(t.dedup_key, '^([0-9]{1,10})@', 1, 1, 'c', 1)) from ds_tasks t where t.task_id = in_task_id and t.process_id = 0))
          and s.waiting > 0;
        if sql%rowcount = 1 then
            ds_wake.send_now;
        end if;
    end next_firing;
end ds_schedule;
/
prompt body worker
create or replace package body ds_worker as
    -- An attempt that has succeeded, to be recorded by the claim of the next task. The worker knows the first three fields; succeed_task finds
    -- the others.
    type attempt is record (
        task_id number, log_id number, row_count number,
        process_id number, execution_order number, had_work varchar2(1), recorded boolean);

    -- How an attempt ended, as its worker or finder reports it; below what becomes of it, see decide_retry.
    type ending is record (
        outcome varchar2(10), row_count number, error_number number, error_message varchar2(4000), error_backtrace varchar2(4000),
        error_procedure varchar2(300), error_line number,
        ended_at timestamp with time zone, log_outcome varchar2(10), new_status varchar2(10), delay_seconds number);

    procedure alarm (
        in_kind in varchar2,
        in_text in varchar2,
        in_process_id in number default null,
        in_task_id in number default null,
        in_lane_id in number default null,
        in_user in varchar2 default null)
    is
        l_user varchar2(140) := in_user;
        l_same pls_integer;
        l_alarm_id number;
        l_text varchar2(2000) := substrb(in_text, 1, 2000);
        l_since timestamp with time zone := ds_base.utc_now - interval '10' minute;
    begin
        if l_user is null then
            select max(t.enqueued_by) into l_user from ds_tasks t where t.task_id = in_task_id;
        end if;
        if l_user is null then
            select max(p.created_by) into l_user from ds_processes p where p.process_id = in_process_id and p.process_id > 1;
        end if;

        -- Failures every few seconds, such as those of each lane, must not bury the other alarms.
        select count(*) into l_same
        from ds_alarms a
        where a.alarm_id > (select max(b.alarm_id) from ds_alarms b) - 100
          and a.kind = in_kind and a.alarm_text = l_text and a.raised_at > l_since;

        if l_same = 0 then
            l_alarm_id := ds_alarm_seq.nextval;

            insert into ds_alarms (alarm_id, raised_at, kind, process_id, task_id, lane_id, user_name, alarm_text)
            values (l_alarm_id, systimestamp at time zone '+00:00', in_kind, in_process_id, in_task_id, in_lane_id, l_user, l_text);

            -- In a copy, hooks do not run; each call would wait there until start_scheduler.
            if in_kind <> 'Copy' then
                ds_admin.call_hook(l_alarm_id, in_process_id);
            end if;
        end if;
    end alarm;

    function is_copy (in_settings in ds_settings%rowtype) return boolean is
        l_place varchar2(5) := ds_base.place(in_settings.home, in_settings.home_guid, in_settings.also_on);
    begin
        if l_place = 'Copy' then
            alarm('Copy', 'This is a copy of ' || in_settings.home || ', where the scheduler was started. If the database moved:'
                || ' dbsched.start_scheduler(in_moved => true) (dbsched start --moved). To run tasks here, too: in_here (dbsched start --here).');
        elsif l_place = 'Moved' then
            alarm('Moved', 'The scheduler moved from ' || in_settings.home || ' to ' || ds_base.home || ', which dbsched start --also-on has'
                || ' named, or whose container has the same GUID. If the other database is still open, both run the same tasks:'
                || ' run dbsched stop in one of them.');
            update ds_settings s set s.home = ds_base.home, s.home_guid = ds_base.container_guid where s.settings_id = 1;
        end if;

        return l_place = 'Copy';
    end is_copy;

    procedure close_if_done (in_process_id in number) is
    begin
        -- An uncommitted task is not visible here. If it is committed late, the sweep skips it with an alarm.
        update ds_processes p
        set p.status = case when p.tasks_failed > 0 then 'Failed' else 'Succeeded' end,
            p.finished_at = systimestamp at time zone '+00:00',
            p.has_work = 'N'
        where p.process_id = in_process_id
          and p.status = 'Closing'
          and not exists (select 1 from ds_tasks t where t.unfinished_process_id = in_process_id);

        if sql%rowcount = 1 then
            ds_schedule.next_firing(in_process_id);
        end if;
    end close_if_done;

    function lock_id (in_lane_id in number) return integer is
        l_base number;
    begin
        select s.lock_base into l_base from ds_settings s where s.settings_id = 1;
        return l_base + in_lane_id;
    end lock_id;

    -- Requests SS mode, which conflicts only with X, so that two checks do not block each other and a starting lane hardly waits.
    function lock_free (in_lane_id in number) return boolean is
        l_id integer := lock_id(in_lane_id);
        l_result integer;
    begin
        l_result := dbms_lock.request(id => l_id, lockmode => dbms_lock.ss_mode, timeout => 0, release_on_commit => false);

        if l_result = 0 then
            l_result := dbms_lock.release(id => l_id);
            return true;
        end if;

        -- 1: another session has it; 4: this session has it; anything else does not prove that the worker is dead.
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

        -- A task can release the lock by its number; its session would still exist.
        return session_gone(l_key);
    end lane_dead;

    procedure take_lock (in_lane_id in number, in_seconds in number, out_held out varchar2) is
        l_result integer;
    begin
        l_result := dbms_lock.request(id => lock_id(in_lane_id), lockmode => dbms_lock.x_mode, timeout => in_seconds, release_on_commit => false);
        -- 4: this session already has it.
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
            alarm('LaneHeld', 'The worker of lane ' || in_lane_id || ' lost its lock, but its session still exists.'
                || ' No other worker uses the lane until that session ends.', in_lane_id => in_lane_id);
            commit write immediate wait;
            release_lock(in_lane_id);
            return;
        end if;

        -- A task could guess a plain SYS_GUID, because it can create its own.
        select substr(rawtohex(standard_hash(s.salt || rawtohex(sys_guid()), 'SHA256')), 1, 32) into l_worker_id
        from ds_settings s
        where s.settings_id = 1;

        recover(in_lane_id, l_worker_id);

        update ds_lanes l
        set l.worker_id = l_worker_id,
            l.session_id = to_number(sys_context('USERENV', 'SID')),
            l.instance_id = to_number(sys_context('USERENV', 'INSTANCE')),
            l.session_key = l_me,
            l.entered_at = systimestamp at time zone '+00:00',
            l.submitter = null
        where l.lane_id = in_lane_id;

        if sql%rowcount = 0 then
            -- The lane was taken away in the meantime, or its last session, which called task_scheduler, has just removed the row.
            rollback;
            release_lock(in_lane_id);
            return;
        end if;

        commit write immediate wait;
        out_worker_id := l_worker_id;
    end enter;

    procedure find_wave (
        in_process_id in number, in_order in number, in_key in number, in_running in number, out_order out number, out_key out number) is
        l_looks pls_integer;
    begin
        -- One statement: what it returns was so at one moment.
        select f.looks,
               case when f.looks = 1 then (select min(t.unfinished_order) from ds_tasks t where t.unfinished_process_id = in_process_id)
                    when in_running > 0
                         or exists (select 1 from ds_tasks t
                                    where t.claim_process_id = in_process_id and t.claim_order = in_order and t.claim_key > in_key)
                         or (select max(t.waiting_order) from ds_tasks t
                             where t.waiting_process_id = in_process_id and t.waiting_order <= in_order) is not null
                    then in_order
                    else (select min(t.unfinished_order) from ds_tasks t
                          where t.unfinished_process_id = in_process_id and t.unfinished_order > in_order) end
        into l_looks, out_order
        from (select case when in_order is null
                               or exists (select 1
                                          from ds_wake_sent w
                                          where w.process_id = in_process_id
                                            and (w.claim_order < in_order or (w.claim_order = in_order and w.claim_key <= in_key)))
                          then 1 else 0 end as looks
              from dual) f;

        out_key := case when l_looks = 0 and out_order = in_order then in_key else 0 end;
    end find_wave;

    -- Takes the marks of transactions that added tasks to a process, whose row is locked, and moves its watermark to the wave that it is in.
    -- in_ended: 1 = it still counts an attempt as running that has ended.
    procedure move_wave (in_process_id in number, in_ended in number, out_order out number, out_key out number) is
        l_order number;
        l_key number;
        l_running number;
        l_marks pls_integer;
    begin
        select p.wave_order, p.wave_key, p.running - in_ended, (select count(*) from ds_wake_sent w where w.process_id = p.process_id)
        into l_order, l_key, l_running, l_marks
        from ds_processes p
        where p.process_id = in_process_id;

        -- Before it looks: a mark that is committed later stays, and is seen. Most transactions add beyond the watermark.
        if l_marks > 0 then
            delete from ds_wake_sent w
            where w.process_id = in_process_id and (w.claim_order > l_order or (w.claim_order = l_order and w.claim_key > l_key));

            delete from ds_wake_sent w where w.process_id = in_process_id;
            l_order := case sql%rowcount when 0 then l_order end;
        end if;

        find_wave(in_process_id, l_order, l_key, l_running, out_order, out_key);

        -- Without a watermark, or if the wave is an earlier one, running tasks of later waves would look like tasks of this one.
        if (l_order is null and out_order is not null) or out_order <> l_order then
            update ds_processes p
            set p.wave_order = case when out_order > l_order
                                         or not exists (select 1 from ds_tasks t
                                                        where t.lane_id > 0 and t.process_id = in_process_id and t.execution_order > out_order)
                                    then out_order end,
                p.wave_key = 0
            where p.process_id = in_process_id;
        end if;
    end move_wave;

    -- Locks a process, unless another session holds it for 50 milliseconds, such as one that halts it with very many tasks: all workers wait
    -- for this claim. A completion can hold it for a moment; later statements see its changes.
    procedure lock_soon (in_process_id in number, out_process out ds_processes%rowtype) is
    begin
        for i in 1 .. 6 loop
            begin
                select p.* into out_process from ds_processes p where p.process_id = in_process_id for update nowait;
                exit;
            exception
                when ds_base.e_busy then
                    if i = 6 then
                        raise;
                    end if;
                    dbms_session.sleep(0.01);
            end;
        end loop;
    end lock_soon;

    -- The first claimable task of a process, whose row is locked, by the claim's index: no sort, whatever the number of tasks. The hint is needed:
    -- the optimizer assumes that all rows are fetched, where a scan and a sort cost less, and statistics of a queue are stale.
    -- Marks and tasks of a transaction become visible together, so without marks nothing is before the watermark. Those beyond it are deleted first,
    -- so that they do not pile up; one that comes after that may stay.
    procedure choose_task (in_process_id in number, in_order in number, in_key in number, in_ended in number, out_task out ds_tasks%rowtype) is
        l_order number := in_order;
        l_key number := in_key;

        cursor c_first (in_look in number) is
            select /*+ index(t (claim_process_id claim_order claim_key)) */ t.*
            from ds_tasks t
            where t.claim_process_id = in_process_id and t.claim_order = l_order and t.claim_key > l_key
              and not exists (select 1 from ds_wake_sent w
                              where w.process_id = in_process_id
                                and (in_look = 1 or w.claim_order < l_order or (w.claim_order = l_order and w.claim_key <= l_key)))
            order by t.claim_key;
    begin
        for i in 1 .. 2 loop
            open c_first(i);
            fetch c_first into out_task;
            close c_first;
            exit when i = 2 or out_task.task_id is not null;
            move_wave(in_process_id, in_ended, l_order, l_key);
        end loop;
    end choose_task;

    -- Whether the worker may claim, under the settings row's lock. out_result: NULL = yes, else why not. io_counted: the number of workers
    -- for which the lanes were last counted, and this one has been Busy since; NULL = it is not.
    procedure may_claim (
        in_lane_id in number, in_worker_id in varchar2, in_version in varchar2, in_settings in ds_settings%rowtype, in_succeeded in boolean,
        io_counted in out number, out_result out varchar2)
    is
        l_mine pls_integer;
        l_condemned pls_integer;
        l_others pls_integer;
    begin
        if in_settings.started = 'N' or in_settings.version <> in_version or is_copy(in_settings) then
            out_result := 'Stopped';
        end if;

        -- Who has just ended an attempt that nobody was stopping has its lane, and it is not condemned.
        if in_succeeded and io_counted <= in_settings.max_workers then
            return;
        end if;

        -- A worker that was considered dead but is not no longer has a lane.
        select count(*), count(l.condemned_by) into l_mine, l_condemned
        from ds_lanes l
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

        if l_condemned > 0 then
            -- A STOP_JOB meant for the last attempt may still arrive and would end the next one, so the worker leaves. Leave tells
            -- the dispatcher, which after a stop may be waiting for this session only.
            out_result := 'Limit';
        elsif l_mine = 0 then
            out_result := 'Stopped';
        elsif out_result is null and in_lane_id <= 1000 and (io_counted is null or io_counted > in_settings.max_workers) then
            select count(*) into l_others
            from ds_lanes l
            where l.lane_id <= in_settings.max_lanes and l.lane_id <> in_lane_id and l.state in ('Starting', 'Assigned', 'Busy');

            -- A lane above the installed number must end, whatever the others do.
            if l_others >= in_settings.max_workers or in_lane_id > in_settings.max_lanes then
                out_result := 'Limit';
            end if;
        end if;
        io_counted := in_settings.max_workers;
    end may_claim;

    -- The next task by policy; its process is locked. in_locked: the process of an attempt that has ended, which is locked already and still
    -- counts it; no other is locked beside it, because two workers could hold what the other waits for. out_passed: a process was skipped
    -- for that, or because another session held its row.
    procedure choose_process (in_policy in varchar2, in_locked in number, out_task out ds_tasks%rowtype, out_passed out boolean) is
        l_process ds_processes%rowtype;

        -- Under the settings row's lock there is no other claim, so the order does not change while the rows are read.
        cursor c_processes is
            select p.process_id, p.wave_order, p.wave_key
            from ds_processes p
            where p.work_process_id >= 0
              and p.status in ('Open', 'Closing')
              and (p.max_parallel is null or p.running - case p.process_id when in_locked then 1 else 0 end < p.max_parallel)
            order by case when in_policy = 'RoundRobin' then (p.running - case p.process_id when in_locked then 1 else 0 end) / p.weight else 0 end,
                     case when in_policy = 'RoundRobin' then p.last_served_at end nulls first,
                     case when in_policy = 'Priority' then 0 - p.priority else 0 end,
                     p.process_id;
    begin
        out_passed := false;

        -- Each pick is a separate statement: it sees what the last holder of the settings row's lock committed.
        for r in c_processes loop
            if r.process_id <> in_locked then
                out_passed := true;
                exit;
            end if;

            begin
                if in_locked is null then
                    lock_soon(r.process_id, l_process);
                    continue when l_process.status not in ('Open', 'Closing') or l_process.running >= l_process.max_parallel;
                    choose_task(r.process_id, l_process.wave_order, l_process.wave_key, 0, out_task);
                else
                    choose_task(r.process_id, r.wave_order, r.wave_key, 1, out_task);
                end if;

                exit when out_task.task_id is not null;
                update ds_processes p set p.has_work = 'N' where p.process_id = r.process_id;
            exception
                when no_data_found then
                    null;
                when ds_base.e_held or ds_base.e_busy then
                    out_passed := true;
            end;
        end loop;
    end choose_process;

    -- What follows the end of an attempt: marks the process's work, ends it if it is closing and has none, and wakes the dispatcher if the
    -- next wave needs more workers than the in_taken that go on with it, or the task of a dead worker needs one.
    -- in_ended: 1 = the process still counts the attempt as running.
    procedure end_wave (
        in_process_id in number, in_order in number, in_ended in number, in_taken in pls_integer, in_orphaned in boolean default false) is
        l_lowest number;
        l_key number;
        l_pending pls_integer;
    begin
        move_wave(in_process_id, in_ended, l_lowest, l_key);

        select count(*) into l_pending
        from ds_tasks t
        where t.claim_process_id = in_process_id and t.claim_order = l_lowest and t.claim_key > l_key and rownum <= 2;

        if l_pending > 0 then
            update ds_processes p set p.has_work = 'Y' where p.process_id = in_process_id and p.has_work = 'N' and p.status in ('Open', 'Closing');
        elsif l_lowest is null then
            close_if_done(in_process_id);
        end if;

        if (l_lowest > in_order and l_pending > in_taken) or (in_orphaned and l_pending > 0) then
            ds_wake.send_now;
        end if;
    end end_wave;

    -- Of two tasks with the same key that were enqueued at the same time, the one that runs or has run stays, else the older one.
    -- Skips this one if it is the other. The settings row and the process are locked.
    procedure skip_duplicate (in_task in ds_tasks%rowtype, out_skipped out boolean) is
        l_other number;
    begin
        out_skipped := false;
        if in_task.dedup_key is null then
            return;
        end if;

        select min(d.task_id) into l_other
        from ds_tasks d
        where d.unfinished_key = in_task.dedup_key
          and nlssort(d.unfinished_key, 'NLS_SORT=BINARY') = nlssort(in_task.dedup_key, 'NLS_SORT=BINARY')
          and d.process_id = in_task.process_id
          and nlssort(d.enqueued_by, 'NLS_SORT=BINARY') = nlssort(in_task.enqueued_by, 'NLS_SORT=BINARY')
          and d.task_id <> in_task.task_id
          and (d.status in ('Running', 'Stopping')
               or (d.attempt > 0 and in_task.attempt = 0)
               or (d.task_id < in_task.task_id and (d.attempt > 0 or in_task.attempt = 0)));

        if l_other is null then
            return;
        end if;
        out_skipped := true;

        update ds_tasks t
        set t.status = 'Skipped', t.duplicate_of = l_other, t.finished_at = ds_base.utc_now
        where t.task_id = in_task.task_id and t.status = 'Pending';

        -- Leave the resource's line, and end the process if nothing else was left. If a wave ended with this task, the next one
        -- may need more workers than this one, which looks again.
        if in_task.resource_id is not null then
            ds_resource.leave_line(in_task.process_id, in_task.task_id);
        end if;
        close_if_done(in_task.process_id);
        ds_wake.send_now;
    end skip_duplicate;

    -- Takes the resource that a task names. If it is not free, the task waits in the resource's line, hidden from workers.
    procedure wait_in_line (io_task in out nocopy ds_tasks%rowtype, out_waits out boolean) is
        l_line varchar2(8);
    begin
        out_waits := false;
        if io_task.resource_id is null then
            return;
        end if;

        ds_resource.join_line(io_task.process_id, io_task.task_id, io_task.resource_id, io_task.access_mode, l_line);

        if l_line = 'Gone' then
            io_task.sql_text := 'begin raise_application_error(-20040, ''dbsched 20040: the resource of the task was dropped.'
                || ' Create it again with define_resource, then enqueue the task again.''); end;';
        elsif l_line <> 'Granted' then
            out_waits := true;
            update ds_tasks t
            set t.status = 'Waiting', t.wait_reason = 'Resource'
            where t.task_id = io_task.task_id and t.status = 'Pending';
        end if;
    end wait_in_line;

    -- Whether the chosen task may start now. If not, the claim commits what it has found, and looks again: one transaction each, because a
    -- wave may have many such tasks, and all workers wait for the settings row.
    procedure admit_task (in_ended in attempt, io_task in out nocopy ds_tasks%rowtype, out_admitted out boolean) is
        l_passed boolean;
    begin
        out_admitted := false;

        -- The ended attempt may have left a resource, and who holds the lock on one must not wait for that of another.
        if in_ended.task_id is not null and io_task.resource_id is not null then
            end_wave(in_ended.process_id, in_ended.execution_order, 1, 1);
            return;
        end if;

        skip_duplicate(io_task, l_passed);
        if not l_passed then
            wait_in_line(io_task, l_passed);
        end if;

        -- It is no longer Pending, so the watermark may pass it.
        if l_passed then
            update ds_processes p
            set p.wave_key = io_task.claim_key
            where p.process_id = io_task.process_id and p.wave_order = io_task.execution_order;
        end if;
        out_admitted := not l_passed;
    end admit_task;

    -- The beginning of a text, for its log row. A character beyond the basic plane is two units in a CLOB; it must not be cut.
    function head_of (in_sql in clob) return varchar2 is
        e_boundary exception; pragma exception_init(e_boundary, -22831);
    begin
        return substr(in_sql, 1, 1000);
    exception
        when e_boundary then
            return substr(in_sql, 1, 999);
    end head_of;

    -- Records that the worker runs the task, before it runs: the log row survives a crash. in_busy: the lane's row says Busy already.
    procedure start_attempt (
        in_lane_id in number, in_worker_id in varchar2, in_busy in boolean, in_ended in attempt, io_task in out nocopy ds_tasks%rowtype)
    is
        l_now timestamp with time zone := ds_base.utc_now;
        l_head varchar2(4000) := head_of(io_task.sql_text);
        l_ended number := case when in_ended.task_id is null then 0 else 1 end;
    begin
        io_task.log_id := ds_log_seq.nextval;

        -- The ended attempt is of the same process, see choose_process, and still counts as running.
        update ds_processes p
        set p.running = p.running + 1 - l_ended, p.tasks_succeeded = p.tasks_succeeded + l_ended, p.last_served_at = l_now,
            p.wave_key = case p.wave_order when io_task.execution_order then io_task.claim_key else p.wave_key end
        where p.process_id = io_task.process_id;

        insert into ds_logs
            (log_id, task_id, process_id, execution_order, attempt, task_name, sql_text, enqueued_by,
             lane_id, worker_id, session_id, session_key, started_at)
        values
            (io_task.log_id, io_task.task_id, io_task.process_id, io_task.execution_order, io_task.attempt + 1, io_task.name, l_head,
             io_task.enqueued_by, in_lane_id, in_worker_id, to_number(sys_context('USERENV', 'SID')), dbms_session.unique_session_id, l_now);

        update ds_tasks t
        set t.status = 'Running', t.attempt = t.attempt + 1, t.lane_id = in_lane_id, t.worker_id = in_worker_id, t.log_id = io_task.log_id,
            t.started_at = l_now, t.stop_at = l_now + numtodsinterval(io_task.timeout_seconds, 'SECOND'), t.stop_outcome = null, t.stop_tries = 0
        where t.task_id = io_task.task_id and t.status = 'Pending' and t.attempt = io_task.attempt;

        if sql%rowcount <> 1 then
            ds_base.fail(20099, 'task ' || io_task.task_id || ' was changed without the lock of its process.');
        end if;

        if not in_busy then
            update ds_lanes l
            set l.state = 'Busy', l.state_at = l_now, l.ordered_at = null, l.submitter = io_task.enqueued_by
            where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        end if;

        -- The dispatcher checks at least once a minute, so it finds later deadlines by itself.
        if io_task.timeout_seconds <= 60 then
            ds_wake.send_now;
        end if;

        -- A new wave may need more workers than this one. If the ended attempt had left no work, its end has said so already.
        if io_task.execution_order > in_ended.execution_order and in_ended.had_work = 'Y' then
            end_wave(in_ended.process_id, in_ended.execution_order, 0, 0);
        end if;
    end start_attempt;

    -- Records that a lane has nothing to do, under the lock: from now on the dispatcher sends it a message or orders its job.
    -- io_result: why; NULL = there was no task.
    procedure rest (in_lane_id in number, in_worker_id in varchar2, in_waited in varchar2, io_result in out varchar2) is
        l_state varchar2(8);
    begin
        if io_result is null then
            select max(l.state) into l_state from ds_lanes l where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

            -- Assigned: the dispatcher sent a message, but another worker was faster. Keep waiting; the message is harmless.
            io_result := case when in_waited = 'Y' and l_state = 'Idle' then 'Leave' else 'Idle' end;
        end if;

        update ds_lanes l
        set l.state = case io_result when 'Idle' then 'Idle' else 'Off' end, l.state_at = systimestamp at time zone '+00:00', l.ordered_at = null
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
    end rest;

    -- Records a success in task and log; the process still counts it as running. Completions of a process are serialized: the last one of a
    -- wave must see that it is the last. recorded is false if the attempt is being stopped, or is not this session's.
    procedure succeed_task (in_worker_id in varchar2, io_ended in out attempt) is
        l_key varchar2(24) := dbms_session.unique_session_id;
        l_process ds_processes%rowtype;
    begin
        io_ended.recorded := false;

        -- Read before the lock that it names: neither ever changes.
        select t.process_id, t.execution_order into io_ended.process_id, io_ended.execution_order
        from ds_tasks t
        where t.task_id = io_ended.task_id;

        lock_soon(io_ended.process_id, l_process);
        io_ended.had_work := l_process.has_work;

        update ds_tasks t
        set t.status = 'Succeeded', t.lane_id = null, t.worker_id = null, t.stop_at = null, t.finished_at = systimestamp at time zone '+00:00'
        where t.task_id = io_ended.task_id and t.log_id = io_ended.log_id and t.worker_id = in_worker_id and t.status = 'Running';

        if sql%rowcount = 1 then
            update ds_logs g
            set g.ended_at = systimestamp at time zone '+00:00', g.outcome = 'Succeeded', g.rows_affected = io_ended.row_count
            where g.log_id = io_ended.log_id and g.session_key = l_key;

            io_ended.recorded := sql%rowcount = 1;
        end if;

        -- Release its resource, and those that it acquired itself.
        if io_ended.recorded then
            ds_resource.leave_line(io_ended.process_id, io_ended.task_id);
        end if;
    exception
        when no_data_found then
            io_ended.recorded := false;
    end succeed_task;

    -- One attempt of claim, in one transaction: settings, process, task, resource, log and lane, in this order. out_result Again: release the
    -- settings row to others, then look again; Held: after a moment, because another session holds what may be claimed.
    procedure try_claim (
        in_lane_id in number, in_worker_id in varchar2, in_version in varchar2, in_waited in varchar2, in_ended in attempt,
        io_counted in out number, out_result out varchar2, out_task out ds_tasks%rowtype)
    is
        l_settings ds_settings%rowtype;
        l_ended attempt := in_ended;
        l_busy boolean := io_counted is not null;
        l_passed boolean := false;
        l_admitted boolean := false;
    begin
        -- Claims come one at a time: each sees what the last one committed, and none is in progress once stop_scheduler has changed the row.
        select s.* into l_settings from ds_settings s where s.settings_id = 1 for update wait 10;

        -- The last attempt ends first: it may free what the next task needs.
        if l_ended.task_id is not null then
            succeed_task(in_worker_id, l_ended);

            if not l_ended.recorded then
                out_result := 'Succeeded';
                rollback;
                return;
            end if;

            -- Without this mark the claim would pass the process.
            if l_ended.had_work = 'N' then
                end_wave(l_ended.process_id, l_ended.execution_order, 1, 1);
            end if;
        end if;

        may_claim(in_lane_id, in_worker_id, in_version, l_settings, l_ended.task_id is not null, io_counted, out_result);

        if out_result is null then
            choose_process(l_settings.policy, l_ended.process_id, out_task, l_passed);
        end if;

        if out_task.task_id is not null then
            admit_task(l_ended, out_task, l_admitted);
            out_result := case when l_admitted then 'Task' else 'Again' end;
        else
            -- The worker leaves all of the next wave to others.
            if l_ended.task_id is not null then
                end_wave(l_ended.process_id, l_ended.execution_order, 1, 0);
            end if;

            if l_passed and out_result is null then
                out_result := case when l_ended.task_id is null then 'Held' else 'Again' end;
            else
                rest(in_lane_id, in_worker_id, in_waited, out_result);
            end if;
        end if;

        if l_admitted then
            start_attempt(in_lane_id, in_worker_id, l_busy, l_ended, out_task);
        elsif l_ended.task_id is not null then
            update ds_processes p
            set p.running = greatest(p.running - 1, 0), p.tasks_succeeded = p.tasks_succeeded + 1
            where p.process_id = l_ended.process_id;
        end if;

        -- Lanes are counted again for a worker that is not Busy.
        if out_result <> 'Task' and (out_result not in ('Again', 'Held') or not l_busy) then
            io_counted := null;
        end if;

        commit write immediate wait;
    end try_claim;

    procedure claim (
        in_lane_id in number, in_worker_id in varchar2, in_version in varchar2, in_waited in varchar2, in_rows in number,
        io_counted in out number, io_task_id in out number, io_log_id in out number,
        out_result out varchar2, out_sql out clob, out_parameters out clob, out_transactional out varchar2)
    is
        l_none attempt;
        l_ended attempt;
        l_task ds_tasks%rowtype;
        l_tries pls_integer := 0;
    begin
        l_ended.task_id := io_task_id;
        l_ended.log_id := io_log_id;
        l_ended.row_count := in_rows;

        loop
            begin
                rollback;
                try_claim(in_lane_id, in_worker_id, in_version, in_waited, l_ended, io_counted, out_result, l_task);
                exit when out_result not in ('Again', 'Held');
                l_ended := l_none;
                if out_result = 'Held' then
                    dbms_session.sleep(0.05);
                end if;
            exception
                when others then
                    rollback;
                    -- The work is done: it is recorded alone, whatever keeps this worker from claiming.
                    if l_ended.task_id is not null then
                        out_result := 'Succeeded';
                        return;
                    end if;
                    -- 60: deadlock; 54 and 30006: the lock was not free in time; 63300 and 63302: for a transaction of higher priority.
                    l_tries := l_tries + 1;
                    if l_tries >= 10 or sqlcode not in (-60, -54, -30006, -63300, -63302) then
                        raise;
                    end if;
                    dbms_session.sleep(0.05);
            end;
        end loop;

        -- Succeeded: complete needs to know which attempt.
        if out_result <> 'Succeeded' then
            io_task_id := l_task.task_id;
            io_log_id := l_task.log_id;
        end if;

        if out_result = 'Task' then
            out_sql := l_task.sql_text;
            out_parameters := l_task.parameters;
            out_transactional := l_task.transactional;
            -- For audit trails and for those who watch sessions: the user that the session acts for, and the task.
            dbms_session.set_identifier(substrb(ds_rights.name_of(l_task.enqueued_by), 1, 40) || ' T' || l_task.task_id);
            dbms_application_info.set_action('P' || l_task.process_id || ' T' || l_task.task_id);
        end if;
    end claim;

    procedure begin_work (in_worker_id in varchar2, in_log_id in number) is
    begin
        update ds_logs g
        set g.worker_id = g.worker_id
        where g.log_id = in_log_id and g.worker_id = in_worker_id and g.ended_at is null;

        if sql%rowcount <> 1 then
            raise_application_error(-20099, 'dbsched 20099: attempt ' || in_log_id || ' no longer belongs to this worker.');
        end if;
    end begin_work;

    -- Unit and line of an error. The backtrace begins with the innermost unit. If that is DBMS_SQL, the statement itself failed, and
    -- the stack names the line if PL/SQL could not be compiled (ORA-06550: line n, column m).
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
        -- A backtrace of another form: number and texts are still recorded.
        when value_error then
            out_procedure := null;
            out_line := null;
    end locate;

    -- Decides the task's new status, the outcome in its log, and how long a retry waits. io_task gets the new counts.
    procedure decide_retry (
        in_settings in ds_settings%rowtype, in_process in ds_processes%rowtype, io_task in out nocopy ds_tasks%rowtype,
        io_end in out ending)
    is
        l_lives boolean := in_process.status in ('Open', 'Closing');
        l_stopping boolean := io_task.status = 'Stopping';
        l_lasts number;
    begin
        io_end.log_outcome := case when io_end.outcome in ('Final', 'Outage') then 'Failed' else io_end.outcome end;
        io_end.delay_seconds := 0;

        -- For how long the server has not been able to begin it.
        io_task.outage_since := case io_end.outcome when 'Outage' then nvl(io_task.outage_since, io_end.ended_at) end;
        l_lasts := (cast(sys_extract_utc(io_end.ended_at) as date) - cast(sys_extract_utc(io_task.outage_since) as date)) * 86400;

        if io_end.outcome = 'Succeeded' then
            io_end.new_status := 'Succeeded';
        elsif l_stopping and nvl(io_task.stop_outcome, 'Cancelled') = 'Cancelled' then
            io_end.new_status := 'Cancelled';
            io_end.log_outcome := 'Cancelled';
        elsif not l_stopping and io_end.outcome = 'Orphaned' then
            io_task.orphans := io_task.orphans + 1;
            io_end.new_status := case when io_task.on_orphan = 'Retry' and io_task.orphans <= in_settings.max_orphans and l_lives
                                      then 'Pending' else 'Failed' end;
        -- Not the task's fault: it waits a minute, then as long as it has waited, at most ten minutes.
        elsif not l_stopping and io_end.outcome = 'Outage' and l_lives and l_lasts < in_settings.outage_seconds then
            io_end.delay_seconds := least(greatest(round(l_lasts), 60), 600);
            io_end.new_status := 'Waiting';
            io_end.log_outcome := 'Outage';
        else
            -- A timeout is a failure, however the attempt ended after it.
            io_task.failures := io_task.failures + 1;
            io_end.new_status := 'Failed';
            if l_stopping then
                io_end.new_status := 'TimedOut';
                io_end.log_outcome := 'TimedOut';
            end if;
            if io_task.failures < io_task.max_attempts and io_end.outcome <> 'Final' and l_lives then
                io_end.delay_seconds := least(io_task.retry_delay_seconds * power(2, least(io_task.failures - 1, 19)),
                                              in_settings.max_retry_delay_seconds);
                io_end.new_status := case when io_end.delay_seconds > 0 then 'Waiting' else 'Pending' end;
            end if;
        end if;

        -- Record the reason, not that the session died or was interrupted (1013).
        if l_stopping and io_end.outcome <> 'Succeeded' and (io_end.outcome = 'Orphaned' or io_end.error_number = 1013) then
            if io_end.log_outcome = 'Cancelled' then
                io_end.error_number := 20028;
                io_end.error_message := 'dbsched 20028: the task was cancelled while it ran.';
            else
                io_end.error_number := 20029;
                io_end.error_message := 'dbsched 20029: the task ran for longer than its ' || io_task.timeout_seconds || ' seconds.';
            end if;
        end if;
    end decide_retry;

    -- Writes down what decide_retry has decided.
    procedure record_end (in_task in ds_tasks%rowtype, in_end in ending) is
    begin
        update ds_tasks t
        set t.status = in_end.new_status,
            t.wait_reason = case when in_end.log_outcome = 'Outage' then 'Outage' when in_end.new_status = 'Waiting' then 'Retry' end,
            t.due_at = case when in_end.new_status = 'Waiting' then in_end.ended_at + numtodsinterval(in_end.delay_seconds, 'SECOND') end,
            t.failures = in_task.failures, t.orphans = in_task.orphans, t.outage_since = in_task.outage_since,
            t.lane_id = null, t.worker_id = null, t.stop_at = null, t.stop_outcome = null,
            t.finished_at = case when in_end.new_status in ('Pending', 'Waiting') then null else in_end.ended_at end
        where t.task_id = in_task.task_id;

        update ds_logs g
        set g.ended_at = in_end.ended_at, g.outcome = in_end.log_outcome, g.rows_affected = in_end.row_count,
            g.error_number = in_end.error_number, g.error_message = in_end.error_message, g.error_backtrace = in_end.error_backtrace,
            g.error_procedure = in_end.error_procedure, g.error_line = in_end.error_line
        where g.log_id = in_task.log_id;
    end record_end;

    -- Ends a process after a task failed: in the same transaction, tasks that have not started are skipped.
    procedure halt_process (in_task in ds_tasks%rowtype, in_end in ending) is
    begin
        update ds_processes p
        set p.status = 'Failed', p.finished_at = in_end.ended_at
        where p.process_id = in_task.process_id;

        update ds_tasks t
        set t.status = 'Skipped', t.wait_reason = null, t.due_at = null, t.finished_at = in_end.ended_at
        where t.unfinished_process_id = in_task.process_id and t.status in ('Pending', 'Waiting');

        ds_resource.leave_line(in_task.process_id);
        alarm('ProcessFailed', 'Task ' || in_task.task_id || ' failed, so its process was halted. Tasks that had not started were skipped.'
            || ' Fix the cause, then call retry_process. ' || substrb(in_end.error_message, 1, 1500),
              in_task.process_id, in_task.task_id, in_task.lane_id);
        ds_schedule.next_firing(in_task.process_id);
    end halt_process;

    -- What a task that has not succeeded means to its process, to its schedule, and to people. in_process: as it was before.
    procedure fail_task (in_process in ds_processes%rowtype, in_task in ds_tasks%rowtype, in_end in ending) is
        l_failed boolean := in_end.new_status in ('Failed', 'TimedOut');
        l_text varchar2(1500) := substrb(in_end.error_message, 1, 1500);
    begin
        if l_failed and in_process.on_error = 'Halt' and in_process.status in ('Open', 'Closing') then
            halt_process(in_task, in_end);
        elsif l_failed and in_task.process_id = 0 then
            alarm('ScheduleFailed', 'A schedule fired, but its process could not be made, see DS_SCHEDULE_LOG. ' || l_text,
                  0, in_task.task_id, in_task.lane_id);
        end if;

        if (l_failed or in_end.new_status = 'Cancelled') and in_task.process_id = 0 then
            ds_schedule.next_firing(0, in_task.task_id);
        end if;

        -- Without the task's number: one alarm for all tasks with the same trouble.
        if in_end.log_outcome = 'Outage' then
            alarm('Outage', 'The server could not begin a task, which is not the task''s fault. Such tasks wait (wait_reason Outage) and'
                || ' are tried again, for outage_seconds at most. ' || l_text, in_task.process_id, in_task.task_id, in_task.lane_id);
        end if;
    end fail_task;

    -- Locks the process of an attempt and its task: completions of a process are serialized, because the last one of a wave must see that it is
    -- the last. out_lost: Y = the task is in another attempt or another worker's, or has ended.
    procedure lock_attempt (
        in_worker_id in varchar2, in_task_id in number, in_log_id in number,
        out_process out ds_processes%rowtype, out_task out ds_tasks%rowtype, out_lost out varchar2)
    is
        l_process_id number;
    begin
        out_lost := 'N';
        select t.process_id into l_process_id from ds_tasks t where t.task_id = in_task_id;
        select p.* into out_process from ds_processes p where p.process_id = l_process_id for update wait 10;

        select t.* into out_task
        from ds_tasks t
        where t.task_id = in_task_id and t.log_id = in_log_id and t.worker_id = in_worker_id and t.status in ('Running', 'Stopping')
        for update wait 10;
    exception
        when no_data_found then
            out_lost := 'Y';
    end lock_attempt;

    -- One attempt of complete; the caller commits.
    procedure try_complete (in_worker_id in varchar2, in_task_id in number, in_log_id in number, in_end in ending, out_lost out varchar2) is
        l_settings ds_settings%rowtype;
        l_process ds_processes%rowtype;
        l_task ds_tasks%rowtype;
        l_end ending := in_end;
    begin
        l_end.ended_at := ds_base.utc_now;
        select s.* into l_settings from ds_settings s where s.settings_id = 1;

        lock_attempt(in_worker_id, in_task_id, in_log_id, l_process, l_task, out_lost);
        if out_lost = 'Y' then
            return;
        end if;

        decide_retry(l_settings, l_process, l_task, l_end);
        record_end(l_task, l_end);
        fail_task(l_process, l_task, l_end);

        -- Release its resource, and those that it acquired itself. A retry gets in line again.
        ds_resource.leave_line(l_process.process_id, in_task_id);

        -- A task that is Pending again may be before the watermark.
        update ds_processes p
        set p.running = greatest(p.running - 1, 0),
            p.tasks_succeeded = p.tasks_succeeded + case when l_end.new_status = 'Succeeded' then 1 else 0 end,
            p.tasks_failed = p.tasks_failed + case when l_end.new_status in ('Failed', 'TimedOut') then 1 else 0 end,
            p.has_work = case when p.status in ('Open', 'Closing') then p.has_work else 'N' end,
            p.wave_order = case when l_end.new_status <> 'Pending' then p.wave_order end
        where p.process_id = l_process.process_id;

        end_wave(l_process.process_id, l_task.execution_order, 0, 1, l_end.outcome = 'Orphaned');

        -- A retry needs the dispatcher's clock.
        if l_end.new_status = 'Waiting' then
            ds_wake.send_now;
        end if;
    end try_complete;

    procedure complete_within (in_worker_id in varchar2, in_task_id in number, in_log_id in number, in_rows in number) is
        l_end ending;
        l_tries pls_integer := 0;
        l_lost varchar2(1);
    begin
        l_end.outcome := 'Succeeded';
        l_end.row_count := in_rows;

        savepoint work_done;
        loop
            begin
                try_complete(in_worker_id, in_task_id, in_log_id, l_end, l_lost);
                exit;
            exception
                when others then
                    rollback to savepoint work_done;
                    l_tries := l_tries + 1;
                    if l_tries > 5 then
                        raise;
                    end if;
            end;
            dbms_session.sleep(0.05);
        end loop;

        if l_lost = 'Y' then
            raise_application_error(-20099, 'dbsched 20099: task ' || in_task_id || ' no longer belongs to this worker.');
        end if;
    end complete_within;

    procedure complete (
        in_worker_id in varchar2, in_task_id in number, in_log_id in number, in_outcome in varchar2, in_rows in number, in_error_number in number,
        in_error_message in varchar2, in_error_backtrace in varchar2, out_lost out varchar2)
    is
        l_end ending;
        l_tries pls_integer := 0;
        l_held boolean;
        l_text varchar2(2000);
    begin
        l_end.outcome := in_outcome;
        l_end.row_count := in_rows;
        l_end.error_number := in_error_number;
        l_end.error_message := in_error_message;
        l_end.error_backtrace := in_error_backtrace;
        if in_error_message is not null then
            locate(in_error_message, in_error_backtrace, l_end.error_procedure, l_end.error_line);
        end if;

        loop
            begin
                rollback;
                try_complete(in_worker_id, in_task_id, in_log_id, l_end, out_lost);
                if out_lost = 'Y' then
                    rollback;
                else
                    commit write immediate wait;
                end if;
                return;
            exception
                when others then
                    l_text := substrb(sqlerrm, 1, 1500);
                    l_held := sqlcode in (-54, -30006);
                    rollback;
                    l_tries := l_tries + 1;
            end;

            -- The work is done and must not be done twice, so its worker never gives up. A session that only reports a dead worker
            -- gives up, at once if another one holds the process; the next sweep, or worker in its lane, tries again.
            if mod(l_tries, 20) = 16 then
                begin
                    alarm('LostCompletion', 'The end of an attempt cannot be recorded, and is retried: ' || l_text, in_task_id => in_task_id);
                    commit write immediate wait;
                exception
                    when others then
                        rollback;
                end;
            end if;
            if in_outcome = 'Orphaned' and (l_tries = 16 or (l_held and in_error_number = 20023)) then -- 20023: see recover
                out_lost := 'Y';
                return;
            end if;
            dbms_session.sleep(case when l_tries <= 5 then 0.05 else 3 end);
        end loop;
    end complete;

    procedure recover (in_lane_id in number, in_worker_id in varchar2 default null) is
        l_last number := 0;
        l_task_id number;
        l_log_id number;
        l_worker_id varchar2(32);
        l_lost varchar2(1);
        l_held varchar2(1) := 'N';
        l_process_id number;
    begin
        loop
            -- The hint: if the table is empty, or was when statistics were gathered, the primary key seems as cheap, and all of it
            -- would be read from then on.
            select /*+ index(t (lane_id)) */ min(t.task_id) into l_task_id
            from ds_tasks t
            where t.lane_id = in_lane_id and t.task_id > l_last;

            exit when l_task_id is null;

            select max(t.log_id), max(t.worker_id), max(t.process_id) into l_log_id, l_worker_id, l_process_id
            from ds_tasks t
            where t.task_id = l_task_id and t.lane_id = in_lane_id;

            -- Tested after reading the row: if there is no worker now, the one in the row is dead.
            exit when in_worker_id is null and not lane_dead(in_lane_id);

            if in_worker_id is null then -- the dispatcher must not wait for a process that another session holds
                ds_base.lock_process(l_process_id, l_held);
                rollback;
            end if;
            if l_held = 'N' and l_worker_id <> nvl(in_worker_id, 'none') then
                complete(l_worker_id, l_task_id, l_log_id, 'Orphaned', null, 20023, 'dbsched 20023: the worker died while it ran this task.', null, l_lost);
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
            -- Starting stays: the dispatcher has already ordered the next session.
            update ds_lanes l
            set l.state = case when l.state = 'Starting' then l.state else 'Off' end,
                l.state_at = case when l.state in ('Starting', 'Off') then l.state_at else systimestamp at time zone '+00:00' end,
                l.worker_id = null, l.session_id = null, l.session_key = null, l.entered_at = null
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
        l_condemned pls_integer;
    begin
        rollback;

        begin
            -- Interrupted because its attempt must end, but not while it ran the task: not a failure.
            select count(l.condemned_by) into l_condemned from ds_lanes l where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

            if l_condemned = 0 or in_text not like 'ORA-01013%' then
                alarm('WorkerError', 'A worker failed: ' || in_text, in_lane_id => in_lane_id);
                commit write immediate wait;
            end if;
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
prompt body dispatch
create or replace package body ds_dispatch as
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

    -- Applies committed requests of release_process and close_process. out_later: Y = some are left.
    procedure apply_requests (out_later out varchar2) is
        l_last number := 0;
        l_request_id number;
        l_process_id number;
        l_action varchar2(7);
        l_passed number := 0;
        l_held varchar2(1);
    begin
        out_later := 'N';

        for i in 1 .. 500 loop
            select min(r.request_id) into l_request_id
            from ds_process_requests r
            where r.request_id > l_last;

            exit when l_request_id is null;

            select max(r.process_id), max(r.action) into l_process_id, l_action
            from ds_process_requests r
            where r.request_id = l_request_id;

            l_last := l_request_id;
            continue when l_process_id = l_passed;
            ds_base.lock_process(l_process_id, l_held);

            if l_held = 'Y' then
                l_passed := l_process_id;
                out_later := 'Y';
                continue;
            end if;

            update ds_processes p
            set p.status = case
                    when l_action = 'Release' and p.status = 'Suspended' then case when p.close_requested = 'Y' then 'Closing' else 'Open' end
                    when l_action = 'Close' and p.status = 'Open' then 'Closing'
                    else p.status
                end,
                p.close_requested = case when l_action = 'Close' then 'Y' else p.close_requested end,
                p.has_work = case when p.finished_at is null then 'Y' else p.has_work end
            -- A process that failed before its close was applied closes when it is retried.
            where p.process_id = l_process_id and (p.finished_at is null or l_action = 'Close');

            delete from ds_process_requests r where r.request_id = l_request_id;
            ds_worker.close_if_done(l_process_id);

            commit write immediate wait;
        end loop;

        -- A full slice: the next turn follows at once and takes the rest.
        if l_request_id is not null then
            ds_wake.send_now;
            commit write immediate wait;
        end if;
    end apply_requests;

    -- Makes due delayed tasks and retries claimable, in slices. If some are left they are due, so the next turn follows at once.
    procedure release_due is
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_last timestamp(6) := timestamp '1900-01-01 00:00:00';
        l_due timestamp(6);
        l_process_id number;
        l_passed number := -1;
        l_held varchar2(1);
    begin
        for i in 1 .. 50 loop
            select min(t.due_utc) into l_due from ds_tasks t where t.due_utc > l_last;
            exit when l_due is null or l_due > l_now;

            select min(t.process_id) into l_process_id from ds_tasks t where t.due_utc = l_due;
            continue when l_process_id is null;

            if l_process_id <> l_passed then
                ds_base.lock_process(l_process_id, l_held);
            end if;

            if l_process_id = l_passed or l_held = 'Y' then
                l_passed := l_process_id;
                l_last := l_due;
                continue;
            end if;

            update ds_tasks t
            set t.status = 'Pending', t.wait_reason = null, t.due_at = null
            where t.due_utc <= l_now and t.process_id = l_process_id and t.status = 'Waiting' and rownum <= 500;

            update ds_processes p
            set p.has_work = 'Y', p.wave_order = null
            where p.process_id = l_process_id and p.finished_at is null;

            commit write immediate wait;
        end loop;
    end release_due;

    -- Finds lanes whose worker is gone (killed, or the instance ended), recovers their tasks and marks them Off.
    procedure free_dead_lanes is
        l_last number := 0;
        l_lane_id number;
        l_state varchar2(8);
        l_state_at timestamp with time zone;
        l_ordered_at timestamp with time zone;
        l_worker_id varchar2(32);
        l_since timestamp with time zone := ds_base.utc_now - interval '30' second;
        l_locked number;
    begin
        loop
            select min(l.lane_id) into l_lane_id
            from ds_lanes l
            where l.lane_id > l_last
              and (l.state in ('Idle', 'Assigned', 'Busy') or (l.state = 'Starting' and l.ordered_at < l_since));

            exit when l_lane_id is null;
            l_last := l_lane_id;

            -- The row of a session that has just ended is gone; MAX returns NULL instead of an error.
            select max(l.state), max(l.state_at), max(l.ordered_at), max(l.worker_id)
            into l_state, l_state_at, l_ordered_at, l_worker_id
            from ds_lanes l
            where l.lane_id = l_lane_id;

            continue when l_state is null;

            if ds_worker.lane_dead(l_lane_id) then
                ds_worker.recover(l_lane_id);

                ds_base.begin_transaction;
                select s.settings_id into l_locked from ds_settings s where s.settings_id = 1 for update wait 10;

                if l_state = 'Starting' and l_worker_id is null then
                    -- Ordered half a minute ago, but not started: order it again.
                    update ds_lanes l
                    set l.ordered_at = null
                    where l.lane_id = l_lane_id and l.state = 'Starting' and l.ordered_at = l_ordered_at and l.worker_id is null;

                    if sql%rowcount = 1 then
                        ds_worker.alarm('LaneNotStarted', 'The job APP.DS_LANE_' || to_char(l_lane_id, 'FM00')
                            || ' was ordered but did not start within 30 seconds. It is ordered again. Check USER_SCHEDULER_JOB_RUN_DETAILS and the parameter job_queue_processes.', in_lane_id => l_lane_id);
                    end if;
                elsif l_lane_id > 1000 then
                    delete from ds_lanes l where l.lane_id = l_lane_id and l.worker_id = l_worker_id;
                else
                    update ds_lanes l
                    set l.state = 'Off', l.state_at = systimestamp at time zone '+00:00', l.ordered_at = null, l.worker_id = null,
                        l.session_id = null,
                        l.session_key = null, l.entered_at = null
                    where l.lane_id = l_lane_id and l.state = l_state and l.state_at = l_state_at
                      and (l.worker_id = l_worker_id or (l.worker_id is null and l_worker_id is null));
                end if;

                commit write immediate wait;
            end if;
        end loop;
    end free_dead_lanes;

    -- Counts the Pending tasks of each process's wave, up to the number that matters. The settings row is locked.
    function runnable_tasks (in_enough in number) return number is
        l_runnable number := 0;
        l_order number;
        l_key number;
        l_pending number;
    begin
        for r in (select p.process_id, p.max_parallel, p.running, p.wave_order, p.wave_key
                  from ds_processes p
                  where p.work_process_id >= 0
                    and p.status in ('Open', 'Closing')
                    and (p.max_parallel is null or p.running < p.max_parallel))
        loop
            ds_worker.find_wave(r.process_id, r.wave_order, r.wave_key, r.running, l_order, l_key);

            select count(*) into l_pending
            from ds_tasks t
            where t.claim_process_id = r.process_id and t.claim_order = l_order and t.claim_key > l_key and rownum <= in_enough;

            l_runnable := l_runnable + least(l_pending, nvl(r.max_parallel - r.running, l_pending));
            exit when l_runnable >= in_enough;
        end loop;

        return l_runnable;
    end runnable_tasks;

    procedure assign (out_given out varchar2, out_later out varchar2) is
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
        l_held varchar2(1);
    begin
        rollback;
        out_given := 'N';
        out_later := 'N';

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

            -- Enqueuers cannot mark processes: they would hold the row until they commit. Halting or canceling a process with
            -- very many tasks holds its row for long; it is then marked a turn later, because all claims wait for
            -- this session.
            for r in (select p.process_id
                      from ds_processes p
                      where p.open_process_id > 0
                        and p.has_work = 'N'
                        and p.status in ('Open', 'Closing')
                        and (exists (select 1 from ds_wake_sent w where w.process_id = p.process_id)
                             or exists (select 1 from ds_tasks t
                                        where t.claim_process_id = p.process_id and t.claim_order = p.wave_order and t.claim_key > p.wave_key)
                             or exists (select 1 from ds_tasks t
                                        where t.claim_process_id = p.process_id and t.claim_order > nvl(p.wave_order, -2147483649))))
            loop
                ds_base.lock_process(r.process_id, l_held);
                if l_held = 'Y' then
                    out_later := 'Y';
                else
                    update ds_processes p set p.has_work = 'Y' where p.process_id = r.process_id and p.status in ('Open', 'Closing');
                end if;
            end loop;

            l_runnable := runnable_tasks(l_max_workers);

            -- There is no work, so idle lanes need not be read.
            if l_runnable = 0 then
                commit write immediate wait;
                return;
            end if;

            -- Lanes that were just assigned or ordered will take some of these tasks.
            l_now := ds_base.utc_now;

            select count(*), count(case when (l.state = 'Assigned' and l.state_at > l_now - interval '2' second)
                                          or (l.state = 'Starting' and l.state_at > l_now - interval '10' second) then 1 end)
            into l_active, l_coming
            from ds_lanes l
            where l.lane_id <= l_max_lanes and l.state in ('Starting', 'Assigned', 'Busy');

            l_wanted := least(l_runnable - l_coming, l_max_workers - l_active);
            exit when l_checked;

            -- A waiting session may have been killed, and its task would wait for the sweep. So the lanes to be given are checked.
            l_dead := false;
            for r in (
                select i.lane_id
                from (select l.lane_id from ds_lanes l where l.lane_id <= l_max_lanes and l.state = 'Idle' order by l.lane_id) i
                where rownum <= l_wanted
            ) loop
                l_dead := l_dead or ds_worker.lane_dead(r.lane_id);
            end loop;

            exit when l_runnable <= l_max_workers - l_active and not l_dead;

            -- Too few lanes: check whether the busy ones are alive. These checks need none of dbsched's locks.
            commit write immediate wait;
            free_dead_lanes;
            l_checked := true;
        end loop;

        out_given := 'Y';

        while l_wanted > 0 loop
            -- A session that still waits needs a message, not a job start.
            select min(l.lane_id) into l_lane_id
            from ds_lanes l
            where l.lane_id <= l_max_lanes and l.state = 'Idle';

            if l_lane_id is not null then
                update ds_lanes l set l.state = 'Assigned', l.state_at = l_now where l.lane_id = l_lane_id;
                ds_wake.send_lane(l_lane_id);
            else
                -- A job that was just turned off may still be ending; RUN_JOB would then fail and be retried.
                select nvl(min(case when l.state_at < l_now - interval '2' second then l.lane_id end), min(l.lane_id)) into l_lane_id
                from ds_lanes l
                where l.lane_id <= l_max_lanes and l.state = 'Off' and l.condemned_by is null;

                exit when l_lane_id is null;

                update ds_lanes l set l.state = 'Starting', l.state_at = l_now, l.ordered_at = null where l.lane_id = l_lane_id;
            end if;

            l_wanted := l_wanted - 1;
        end loop;

        commit write immediate wait;
    end assign;

    -- Orders the jobs of lanes that are Starting and not yet ordered. RUN_JOB commits, so the caller has no open transaction.
    procedure start_lanes (out_again out varchar2) is
        l_last number := 0;
        l_lane_id number;
        l_job varchar2(160);
        l_error varchar2(1000);
    begin
        out_again := 'N';

        loop
            select min(l.lane_id) into l_lane_id
            from ds_lanes l
            where l.lane_id > l_last and l.state = 'Starting' and l.ordered_at is null;

            exit when l_lane_id is null;
            l_last := l_lane_id;
            l_job := 'APP.DS_LANE_' || to_char(l_lane_id, 'FM00');

            begin
                dbms_scheduler.run_job(job_name => l_job, use_current_session => false);

                update ds_lanes l
                set l.ordered_at = systimestamp at time zone '+00:00'
                where l.lane_id = l_lane_id and l.state = 'Starting' and l.ordered_at is null;

                commit write immediate wait;
            exception
                -- The job is just ending.
                when ds_base.e_running then
                    rollback;
                    out_again := 'Y';
                -- 27492: the job queue is off; 27475, 27476: the job is gone.
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
        l_last number;
        l_id number;
        l_locked number;
        l_open number;
        l_held varchar2(1);
        l_rows pls_integer;
        l_full varchar2(1);
    begin
        rollback;
        out_more := 'N';

        select s.retention_days into l_retention from ds_settings s where s.settings_id = 1;
        l_cutoff := ds_base.utc_now - numtodsinterval(l_retention, 'DAY');

        free_dead_lanes;
        ds_resource.sweep;

        -- Attempts in lanes that are Off now, whose workers ended without recording the result.
        l_last := 0;
        loop
            select min(t.lane_id) into l_id from ds_tasks t where t.lane_id > l_last;
            exit when l_id is null;
            ds_worker.recover(l_id);
            l_last := l_id;
        end loop;

        -- Closing processes whose last enqueuer rolled back, and tasks that were enqueued while their process was ending.
        l_last := 0;
        loop
            select min(p.process_id) into l_id
            from ds_processes p
            where p.process_id > l_last and p.open_process_id > l_last and p.status = 'Closing';

            exit when l_id is null;
            l_last := l_id;

            ds_base.begin_transaction;
            ds_base.lock_process(l_id, l_held);
            if l_held = 'N' then
                ds_worker.close_if_done(l_id);
            end if;
            commit write immediate wait;
        end loop;

        -- Their transactions may have been open for any time, so the search starts from the tasks.
        l_last := 0;
        loop
            select min(t.unfinished_process_id) into l_id from ds_tasks t where t.unfinished_process_id > l_last;
            exit when l_id is null;
            l_last := l_id;

            -- If the process is gone, it ended and was purged before the task became visible.
            select max(p.process_id) into l_open from ds_processes p where p.process_id = l_id and p.finished_at is null;
            continue when l_open is not null;

            select max(t.task_id) into l_locked from ds_tasks t where t.unfinished_process_id = l_id and t.status in ('Pending', 'Waiting');
            continue when l_locked is null;

            -- It may have been reopened in the meantime.
            ds_base.begin_transaction;
            ds_base.lock_process(l_id, l_held);
            select max(p.process_id) into l_open from ds_processes p where p.process_id = l_id and p.finished_at is null;

            update ds_tasks t
            set t.status = 'Skipped', t.wait_reason = null, t.due_at = null, t.finished_at = systimestamp at time zone '+00:00'
            where t.unfinished_process_id = l_id and l_open is null and l_held = 'N' and t.status in ('Pending', 'Waiting') and rownum <= 500;

            l_rows := sql%rowcount;
            if l_rows = 500 then
                out_more := 'Y';
            end if;

            if l_rows > 0 then
                ds_worker.alarm('LateTask', l_rows || ' tasks were committed after their process had ended; they were skipped.', in_process_id => l_id);
            end if;
            commit write immediate wait;
        end loop;

        -- Marks of transactions that added to a process that has ended.
        delete from ds_wake_sent w
        where rownum <= 5000 and not exists (select 1 from ds_processes p where p.process_id = w.process_id and p.finished_at is null);
        commit write immediate wait;

        ds_round.sweep;

        ds_admin.prune(l_cutoff, l_rows, l_full);
        if l_full = 'Y' then
            out_more := 'Y';
        end if;
    end sweep;

    -- The scheduler is stopped: waiting workers end, and so does the dispatcher unless it has sessions to end. Sessions in
    -- task_scheduler do not read messages; they notice the stop by themselves.
    procedure send_home (in_stay in boolean) is
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

        -- Ordered but not started: withdraw the order. If the job still starts, it finds the scheduler stopped.
        update ds_lanes l
        set l.state = 'Off', l.ordered_at = null, l.state_at = systimestamp at time zone '+00:00'
        where l.state = 'Starting' and l.worker_id is null;

        if not in_stay then
            update ds_settings s
            set s.dispatcher_session = null, s.next_sweep_at = null
            where s.settings_id = 1;
        end if;
    end send_home;

    procedure turn (in_version in varchar2, out_wait out number, out_state out varchar2) is
        l_settings ds_settings%rowtype;
        l_next_sweep timestamp with time zone;
        l_due timestamp(6);
        l_lease timestamp(6);
        l_stop timestamp(6);
        l_given varchar2(1);
        l_later varchar2(1);
        l_requests varchar2(1);
        l_again varchar2(1) := 'N';
        l_ended varchar2(1);
        l_more varchar2(1);
        l_look timestamp(6);
        l_text varchar2(2000);

        -- Seconds until a time in UTC, at most a minute, rounded up so that the item is due then. NULL: a minute.
        function seconds_until (in_at in timestamp) return number is
            l_left interval day(9) to second(6) := in_at - sys_extract_utc(systimestamp);
        begin
            return least(60, nvl(ceil(extract(day from l_left) * 86400 + extract(hour from l_left) * 3600 + extract(minute from l_left) * 60 + extract(second from l_left)), 60));
        end seconds_until;
    begin
        rollback;
        out_state := 'Go';

        -- Under the lock, stop_scheduler and start_scheduler see either a dispatcher that will look again or none.
        select s.* into l_settings from ds_settings s where s.settings_id = 1 for update wait 10;
        l_next_sweep := l_settings.next_sweep_at;

        if l_settings.started = 'N' or l_settings.version <> in_version then
            -- After a stop it still ends the attempts that must end. It counts them under the lock; a session that adds another one
            -- checks under the lock whether there is a dispatcher.
            if l_settings.version = in_version then
                select /*+ index(t (stop_utc)) */ min(t.stop_utc) into l_stop from ds_tasks t where t.stop_utc is not null and t.status = 'Stopping';
            end if;
            send_home(in_stay => l_stop is not null);
            commit write immediate wait;

            if l_stop is null then
                ds_control.switch_dispatcher;
                out_state := 'Stop';
                out_wait := 0;
            else
                ds_control.end_attempts(l_again);
                select /*+ index(t (stop_utc)) */ min(t.stop_utc) into l_stop from ds_tasks t where t.stop_utc is not null and t.status = 'Stopping';
                out_wait := case when l_again = 'Y' or l_stop is null then 0 else greatest(0, seconds_until(l_stop)) end;
                rollback;
            end if;
            return;
        end if;

        -- In a copy its rows describe the lanes and sessions of the original.
        if l_settings.home <> ds_base.home then
            out_wait := 0;
            out_state := case when ds_worker.is_copy(l_settings) then 'Stop' else 'Go' end;
            commit write immediate wait;
            if out_state = 'Stop' then
                return;
            end if;
        end if;

        rollback;
        apply_requests(l_requests);
        release_due;
        ds_schedule.fire;
        ds_resource.serve;
        assign(l_given, l_later);
        if l_given = 'Y' then
            start_lanes(l_again);
        end if;

        -- After the lanes are given, because stopping a job may take long.
        ds_control.end_attempts(l_ended);

        -- Too far in the future: the clock was set back.
        if l_next_sweep is null or l_next_sweep <= systimestamp
           or l_next_sweep > systimestamp + numtodsinterval(l_settings.idle_sweep_seconds, 'SECOND') then
            l_next_sweep := ds_base.utc_now + numtodsinterval(l_settings.idle_sweep_seconds, 'SECOND');

            update ds_settings s set s.next_sweep_at = l_next_sweep where s.settings_id = 1;
            commit write immediate wait;

            sweep(l_more);
            -- A slice was full: the next one follows in a second, otherwise history could grow faster than it is pruned.
            if l_more = 'Y' then
                l_next_sweep := ds_base.utc_now + interval '1' second;
                update ds_settings s set s.next_sweep_at = l_next_sweep where s.settings_id = 1;
                commit write immediate wait;
            end if;
            assign(l_given, l_later);
            if l_given = 'Y' then
                start_lanes(l_again);
            end if;
        end if;

        select min(t.due_utc) into l_due from ds_tasks t;

        select min(r.lease_utc) into l_lease from ds_resource_requests r;
        select min(t.stop_utc) into l_stop from ds_tasks t;
        -- Later ones can wait for the sweep: a thousand schedules cost an idle installation nothing.
        select min(s.look_at) into l_look from ds_schedules s where s.look_at <= sys_extract_utc(l_next_sweep);
        out_wait := least(seconds_until(l_due), seconds_until(l_lease), seconds_until(l_stop), seconds_until(l_look));
        if 'Y' in (l_again, l_later, l_requests) then
            out_wait := least(out_wait, 1);
        end if;
        out_state := case when out_wait >= 60 and l_ended = 'N' then 'Quiet' else 'Go' end;
        out_wait := case when l_ended = 'Y' then 0 else greatest(least(out_wait, seconds_until(sys_extract_utc(l_next_sweep))), 0) end;
        rollback;
    exception
        when others then
            l_text := substrb('The dispatcher failed and tries again in five seconds: ' || dbms_utility.format_error_stack || dbms_utility.format_error_backtrace, 1, 2000);
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
prompt body lane
create or replace package body ds_lane as
    -- A session is at most one worker: a running task can neither become another nor give up its lane's lock.
    procedure check_free is
        l_key varchar2(24) := dbms_session.unique_session_id;
        l_count pls_integer;
    begin
        select count(*) into l_count from ds_lanes l where l.session_key = l_key and l.worker_id is not null;
        if l_count > 0 then
            ds_base.fail(20062, 'this session is already a worker.');
        end if;
    end check_free;

    -- Only the block of the lane's job knows the worker's name.
    procedure check_mine (in_lane_id in number, in_worker_id in varchar2) is
        l_key varchar2(24) := dbms_session.unique_session_id;
        l_count pls_integer;
    begin
        select count(*) into l_count
        from ds_lanes l
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id and l.session_key = l_key;

        -- A worker that was considered dead but is not no longer has a row: the steps find that out and do nothing. A session
        -- that is another worker than the one it names, or that names none, is refused.
        if l_count = 0 then
            check_free;
        end if;
    end check_mine;

    procedure enter (in_lane_id in number, out_worker_id out varchar2) is
    begin
        check_free;
        ds_worker.enter(in_lane_id, 5, out_worker_id);
    end enter;

    procedure claim (
        in_lane_id in number, in_worker_id in varchar2, in_version in varchar2, in_waited in varchar2, in_rows in number,
        io_counted in out number, io_task_id in out number, io_log_id in out number,
        out_result out varchar2, out_sql out clob, out_parameters out clob, out_transactional out varchar2)
    is
    begin
        -- An attempt is known by its session.
        if io_task_id is null then
            check_mine(in_lane_id, in_worker_id);
        end if;
        ds_worker.claim(in_lane_id, in_worker_id, in_version, in_waited, in_rows, io_counted, io_task_id, io_log_id,
                          out_result, out_sql, out_parameters, out_transactional);
    end claim;

    procedure complete (
        in_lane_id in number, in_worker_id in varchar2, in_task_id in number, in_log_id in number, in_outcome in varchar2, in_rows in number,
        in_error_number in number, in_error_message in varchar2, in_error_backtrace in varchar2, out_lost out varchar2)
    is
    begin
        check_mine(in_lane_id, in_worker_id);
        ds_worker.complete(in_worker_id, in_task_id, in_log_id, in_outcome, in_rows,
                             in_error_number, in_error_message, in_error_backtrace, out_lost);
    end complete;

    procedure wait (in_lane_id in number, in_worker_id in varchar2, out_waited out varchar2) is
        l_options dbms_aq.dequeue_options_t;
        l_properties dbms_aq.message_properties_t;
        l_payload raw(32);
        l_message_id raw(16);

        e_no_message exception; pragma exception_init(e_no_message, -25228);
    begin
        check_mine(in_lane_id, in_worker_id);
        l_options.dequeue_mode := dbms_aq.remove;
        l_options.navigation := dbms_aq.first_message;
        l_options.visibility := dbms_aq.on_commit;
        l_options.correlation := 'L' || to_char(in_lane_id);
        select s.linger_seconds into l_options.wait from ds_settings s where s.settings_id = 1;

        begin
            dbms_aq.dequeue('APP.DS_LANE_Q', l_options, l_properties, l_payload, l_message_id);
            out_waited := 'N';
        exception
            when e_no_message then
                out_waited := 'Y';
        end;

        commit write immediate wait;
    end wait;

    procedure leave (in_lane_id in number, in_worker_id in varchar2, in_again in varchar2) is
    begin
        check_mine(in_lane_id, in_worker_id);
        ds_worker.leave(in_lane_id, in_worker_id, in_again);
    end leave;

    procedure failed (in_lane_id in number, in_worker_id in varchar2, in_text in varchar2) is
    begin
        check_mine(in_lane_id, in_worker_id);
        ds_worker.failed(in_lane_id, in_worker_id, in_text);
    end failed;
end ds_lane;
/
prompt body dbsched
create or replace package body dbsched as
    procedure refuse_transaction (in_what in varchar2) is
    begin
        if dbms_transaction.local_transaction_id is not null then
            ds_base.fail(20010, in_what || ' cannot be called inside a transaction, because its tasks could not start. Commit first.');
        end if;
    end refuse_transaction;

    -- Process of the task that this session runs; NULL outside tasks.
    function own_process return number is
        l_task ds_tasks%rowtype := ds_rights.current_task;
    begin
        return l_task.process_id;
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
        in_parameters in clob default null,
        in_name in varchar2 default null)
    is
        l_task_id number;
    begin
        exec_async(in_sql, in_execution_order, in_process_id, in_priority, in_max_attempts, in_retry_delay_seconds, in_timeout_seconds, in_not_before,
                   in_expected_seconds, in_resource, in_access, in_transactional, in_on_orphan, in_dedup_key, in_parameters, in_name, l_task_id);
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
        in_name in varchar2 default null,
        out_task_id out number)
    is
        l_task t_task;
    begin
        l_task.sql_text := in_sql;
        l_task.execution_order := in_execution_order;
        l_task.process_id := in_process_id;
        l_task.priority := in_priority;
        l_task.max_attempts := in_max_attempts;
        l_task.retry_delay_seconds := in_retry_delay_seconds;
        l_task.timeout_seconds := in_timeout_seconds;
        l_task.not_before := in_not_before;
        l_task.expected_seconds := in_expected_seconds;
        l_task.resource_name := in_resource;
        l_task.access_mode := in_access;
        l_task.transactional := in_transactional;
        l_task.on_orphan := in_on_orphan;
        l_task.dedup_key := in_dedup_key;
        l_task.parameters := in_parameters;
        l_task.name := in_name;
        ds_enqueue.add_task(l_task, out_task_id);
    end exec_async;

    procedure exec_async_table (in_tasks in t_tasks) is
        l_task_ids t_task_ids;
    begin
        ds_enqueue.add_table(in_tasks, l_task_ids);
    end exec_async_table;

    procedure exec_async_table (in_tasks in t_tasks, out_task_ids out t_task_ids) is
    begin
        ds_enqueue.add_table(in_tasks, out_task_ids);
    end exec_async_table;

    procedure exec_async_batch (in_tasks in clob) is
        l_task_ids clob;
    begin
        ds_enqueue.add_batch(in_tasks, null, l_task_ids);
    end exec_async_batch;

    procedure exec_async_batch (in_tasks in clob, out_task_ids out clob) is
    begin
        ds_enqueue.add_batch(in_tasks, null, out_task_ids);
    end exec_async_batch;

    procedure create_process (
        in_name in varchar2,
        out_process_id out number,
        in_suspended in boolean default false,
        in_on_error in varchar2 default 'Halt',
        in_priority in number default 0,
        in_weight in number default 1,
        in_max_parallel in number default null)
    is
        l_on_error varchar2(8);
        l_status varchar2(10) := case when in_suspended then 'Suspended' else 'Open' end;
    begin
        if in_name is null or length(in_name) > 128 then
            ds_base.fail(20012, 'in_name is NULL, empty or longer than 128 characters.');
        end if;

        ds_base.need_whole('in_priority', in_priority, -1000000, 1000000);
        ds_base.need_whole('in_weight', in_weight, 1, 1000);
        ds_base.need_whole('in_max_parallel', in_max_parallel, 1, in_null_too => true);

        if in_priority > 0 or in_weight > 1 then
            ds_rights.require_administrator('a process with a priority above 0 or a weight above 1, for which others wait,');
        end if;

        l_on_error := case lower(in_on_error) when 'halt' then 'Halt' when 'continue' then 'Continue' end;
        if l_on_error is null then
            ds_base.fail(20008, 'in_on_error must be Halt or Continue.');
        end if;

        out_process_id := ds_process_seq.nextval;

        insert into ds_processes
            (process_id, name, status, priority, weight, max_parallel, on_error, created_at, created_by, created_by_os_user, created_by_client)
        values
            (out_process_id, in_name, l_status, in_priority, in_weight, in_max_parallel, l_on_error, systimestamp at time zone '+00:00',
             ds_rights.submitter, substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));
    end create_process;

    -- Records a request to release or close a process, which applies when the caller's transaction commits.
    procedure request_process (in_process_id in number, in_action in varchar2) is
        l_process ds_processes%rowtype;
    begin
        if in_process_id in (0, 1) then
            ds_base.fail(20013, 'processes 0 (of schedules) and 1 (the default process) are always open.');
        end if;

        l_process := ds_rights.process_of(in_process_id);

        -- Already so, or ended: nothing to request. A failed or canceled process may be retried, and closes then.
        if l_process.status = 'Succeeded'
           or (in_action = 'Release' and l_process.status <> 'Suspended')
           or (in_action = 'Close' and l_process.status = 'Closing')
        then
            return;
        end if;

        ds_wake.send(in_process_id);

        insert into ds_process_requests (request_id, process_id, action, requested_at)
        values (ds_request_seq.nextval, in_process_id, in_action, systimestamp at time zone '+00:00');
    end request_process;

    procedure release_process (in_process_id in number) is
    begin
        request_process(in_process_id, 'Release');
    end release_process;

    procedure close_process (in_process_id in number) is
    begin
        request_process(in_process_id, 'Close');
    end close_process;

    -- What is left of a process. A separate transaction, because a serializable or read-only transaction would see the same
    -- instant as long as it waits.
    procedure look (in_process_id in number, out_requests out number, out_tasks out number, out_status out varchar2) is
        pragma autonomous_transaction;
    begin
        ds_base.begin_transaction;
        -- Requests first: one that is applied between the two reads has changed the status before the second.
        select count(*) into out_requests from ds_process_requests r where r.process_id = in_process_id;
        select count(*) into out_tasks from ds_tasks t where t.unfinished_process_id = in_process_id and rownum <= 1;
        select max(p.status) into out_status from ds_processes p where p.process_id = in_process_id;
        rollback;
    end look;

    procedure wait_process (
        in_process_id in number,
        in_timeout_seconds in number,
        out_result out number,
        out_status out varchar2)
    is
        l_process ds_processes%rowtype;
        l_until timestamp with time zone;
        l_tasks number;
        l_requests number;
        l_polls pls_integer := 0;
    begin
        refuse_transaction('wait_process');

        ds_base.need_whole('in_timeout_seconds', in_timeout_seconds, 0, 604800);

        l_process := ds_rights.process_of(in_process_id);

        if own_process = in_process_id then
            ds_base.fail(20017, 'a task cannot wait for its own process.');
        end if;

        l_until := systimestamp + numtodsinterval(in_timeout_seconds, 'SECOND');

        loop
            look(in_process_id, l_requests, l_tasks, out_status);

            if out_status is null then
                -- It finished and was purged in the meantime.
                ds_base.fail(20004, 'process ' || in_process_id || ' no longer exists: it finished and was purged.');
            end if;
            out_result := case when out_status = 'Succeeded' or (out_status = 'Open' and l_tasks = 0 and l_requests = 0) then 0
                               when out_status in ('Failed', 'Cancelled') then 1
                               when systimestamp >= l_until then 2 end;
            exit when out_result is not null;
            l_polls := l_polls + 1;
            dbms_session.sleep(case when l_polls <= 10 then 0.1 else 0.5 end);
        end loop;
    end wait_process;

    procedure wait_process (in_process_id in number, in_timeout_seconds in number) is
        l_result number;
        l_status varchar2(10);
    begin
        wait_process(in_process_id, in_timeout_seconds, l_result, l_status);
    end wait_process;

    -- An exception that leaves an autonomous transaction rolls it back.
    procedure start_scheduler (in_here in boolean default false, in_moved in boolean default false, in_also_on in varchar2 default null) is
        pragma autonomous_transaction;
        l_settings ds_settings%rowtype;
        l_home varchar2(400) := ds_base.home;
        l_enabled pls_integer;
        l_copy boolean;
    begin
        ds_base.begin_transaction;
        ds_rights.require_administrator('start_scheduler');
        ds_base.need_settings;

        if sys_context('USERENV', 'DATABASE_ROLE') <> 'PRIMARY' then
            ds_base.fail(20016, 'this database is a read-only standby. Connect to the primary database.');
        end if;

        select count(*) into l_enabled
        from user_queues q
        where q.name in ('DS_WAKE_Q', 'DS_LANE_Q') and trim(q.enqueue_enabled) = 'YES' and trim(q.dequeue_enabled) = 'YES';

        if l_enabled < 2 then
            ds_base.fail(20015, 'the queue DS_WAKE_Q or DS_LANE_Q is missing or stopped. Start it with dbms_aqadm.start_queue, or install again.');
        end if;

        select s.* into l_settings from ds_settings s where s.settings_id = 1 for update wait 30;

        if ds_base.place(l_settings.home, l_settings.home_guid, l_settings.also_on) <> 'Copy' then
            l_copy := ds_worker.is_copy(l_settings); -- raises the alarm of a move
        elsif not nvl(in_moved, false) then
            if not nvl(in_here, false) then
                ds_base.fail(20019, 'this is a copy of the database or schema in which the scheduler was started, and would run its tasks a'
                    || ' second time. If it moved: dbsched.start_scheduler(in_moved => true) (dbsched start --moved).'
                    || ' To run them here, too: dbsched.start_scheduler(in_here => true) (dbsched start --here).');
            end if;

            -- The original's schedules do not fire in a copy until somebody enables them.
            l_settings.also_on := null;
            update ds_schedules c
            set c.status = 'Suspended', c.reason = 'the scheduler was started in this copy of the database', c.look_at = null
            where c.status = 'Enabled';
        end if;

        -- With this database, so that the way back is open, too.
        if in_also_on is not null then
            l_settings.also_on := case when in_also_on <> '-' then
                regexp_substr(l_home, '[^/]+') || ',' || upper(replace(in_also_on, ' ')) end;
        end if;

        update ds_settings s
        set s.changed_at = case when s.started = 'Y' then s.changed_at else systimestamp at time zone '+00:00' end,
            s.started = 'Y',
            s.home = l_home, s.home_guid = ds_base.container_guid, s.also_on = l_settings.also_on,
            s.next_sweep_at = null
        where s.settings_id = 1;

        ds_wake.send_now;
        commit write immediate wait;

        ds_control.run_dispatcher;
        commit write immediate wait;
    end start_scheduler;

    procedure stop_scheduler (in_mode in varchar2 default 'Drain') is
        pragma autonomous_transaction;
        l_mode varchar2(5) := case lower(in_mode) when 'drain' then 'Drain' when 'now' then 'Now' end;
    begin
        ds_base.begin_transaction;
        ds_rights.require_administrator('stop_scheduler');

        if l_mode is null then
            ds_base.fail(20008, 'in_mode must be Drain or Now.');
        end if;

        -- Claims hold this row: this waits for a running claim, and later claims read N.
        for k in (select s.settings_id from ds_settings s where s.settings_id = 1 for update wait 30) loop
            update ds_settings s
            set s.started = 'N', s.changed_at = systimestamp at time zone '+00:00'
            where s.settings_id = k.settings_id and s.started = 'Y';
        end loop;

        -- The dispatcher ends idle workers, then itself.
        ds_wake.send_now;
        commit write immediate wait;

        if l_mode = 'Now' then
            ds_control.cancel_running;
        end if;

        ds_control.switch_dispatcher;
        commit write immediate wait;
    end stop_scheduler;

    procedure cancel_task (in_task_id in number) is
    begin
        if in_task_id is null then
            ds_base.fail(20024, 'in_task_id is NULL.');
        end if;

        ds_control.order_cancel(in_task_id);
    end cancel_task;

    procedure cancel_process (in_process_id in number) is
    begin
        if in_process_id in (0, 1) then
            ds_base.fail(20013, 'processes 0 (of schedules) and 1 (the default process) never end.');
        end if;

        ds_control.order_cancel(null, in_process_id);
    end cancel_process;

    procedure retry_task (in_task_id in number) is
    begin
        if in_task_id is null then
            ds_base.fail(20024, 'in_task_id is NULL.');
        end if;

        ds_control.order_retry(in_task_id);
    end retry_task;

    procedure retry_process (in_process_id in number) is
    begin
        ds_control.order_retry(null, in_process_id);
    end retry_process;

    procedure set_workers (in_max_workers in number) is
        pragma autonomous_transaction;
        l_max_lanes number;
    begin
        ds_base.begin_transaction;
        ds_rights.require_administrator('set_workers');
        ds_base.need_settings;

        ds_base.need_whole('in_max_workers', in_max_workers, 0, 9999);

        select s.max_lanes into l_max_lanes from ds_settings s where s.settings_id = 1 for update wait 30;

        if in_max_workers > l_max_lanes then
            ds_base.fail(20009, in_max_workers || ' workers need as many lanes, but ' || l_max_lanes || ' are installed. Install again with more lanes.');
        end if;

        update ds_settings s
        set s.max_workers = in_max_workers, s.changed_at = systimestamp at time zone '+00:00'
        where s.settings_id = 1;

        ds_wake.send_now;
        commit write immediate wait;
    end set_workers;

    procedure set_policy (in_policy in varchar2) is
        pragma autonomous_transaction;
        l_policy varchar2(10) := case lower(in_policy) when 'fifo' then 'Fifo' when 'priority' then 'Priority' when 'roundrobin' then 'RoundRobin' end;
    begin
        ds_base.begin_transaction;
        ds_rights.require_administrator('set_policy');
        ds_base.need_settings;

        if l_policy is null then
            ds_base.fail(20008, 'in_policy must be Fifo, Priority or RoundRobin.');
        end if;

        update ds_settings s
        set s.policy = l_policy, s.changed_at = systimestamp at time zone '+00:00'
        where s.settings_id = 1;

        commit write immediate wait;
    end set_policy;

    procedure acknowledge_alarms (in_up_to in number default null, in_alarm_id in number default null) is
        pragma autonomous_transaction;
    begin
        ds_base.begin_transaction;
        ds_rights.require_administrator('acknowledge_alarms');

        update ds_alarms a
        set a.acknowledged_at = systimestamp at time zone '+00:00', a.acknowledged_by = sys_context('USERENV', 'SESSION_USER')
        where a.acknowledged_at is null and a.alarm_id between nvl(in_alarm_id, 0) and coalesce(in_alarm_id, in_up_to, a.alarm_id);

        commit write immediate wait;
    end acknowledge_alarms;

    procedure sweep is
        pragma autonomous_transaction;
        l_more varchar2(1);
    begin
        ds_base.begin_transaction;
        ds_rights.require_administrator('sweep');

        ds_dispatch.sweep(l_more);
        -- A slice was full: the dispatcher goes on.
        update ds_settings s set s.next_sweep_at = null where s.settings_id = 1 and l_more = 'Y';
        ds_wake.send_now;
        commit write immediate wait;
    end sweep;

    procedure define_resource (in_name in varchar2, in_capacity in number default 1) is
    begin
        ds_rights.require_administrator('define_resource');

        if in_name is null or length(in_name) > 128 then
            ds_base.fail(20041, 'in_name is NULL, empty or longer than 128 characters.');
        end if;

        ds_base.need_whole('in_capacity', in_capacity, 1, 1000000);

        ds_resource.define(in_name, in_capacity);
    end define_resource;

    procedure drop_resource (in_name in varchar2) is
    begin
        ds_rights.require_administrator('drop_resource');
        ds_resource.forget(in_name);
    end drop_resource;

    procedure acquire_resource (
        in_name in varchar2,
        out_request_id out number,
        in_access in varchar2 default 'Shared',
        in_timeout_seconds in number default 60,
        in_lease_seconds in number default null,
        in_requester in varchar2 default null)
    is
        l_access varchar2(9) := case lower(in_access) when 'shared' then 'Shared' when 'exclusive' then 'Exclusive' end;
    begin
        if in_name is null or length(in_name) > 128 or length(in_requester) > 128 then
            ds_base.fail(20041, 'in_name must have 1 to 128 characters, in_requester at most 128.');
        end if;

        if l_access is null then
            ds_base.fail(20008, 'in_access must be Shared or Exclusive.');
        end if;

        ds_base.need_whole('in_timeout_seconds', in_timeout_seconds, 0, 604800);

        ds_base.need_whole('in_lease_seconds', in_lease_seconds, 1, 604800, true);

        ds_resource.acquire(in_name, l_access, nvl(in_requester, sys_context('USERENV', 'SESSION_USER')), in_timeout_seconds, in_lease_seconds, out_request_id);
    end acquire_resource;

    procedure release_resource (in_request_id in number) is
    begin
        ds_resource.give_back(in_request_id);
    end release_resource;

    procedure define_round (
        in_round in varchar2,
        in_members in t_names,
        in_successor_job in varchar2 default null,
        in_successor_sql in clob default null,
        in_execution_order in number default 1,
        in_process_id in number default null,
        in_max_age_seconds in number default 43200,
        in_start_seconds in number default 60)
    is
        pragma autonomous_transaction;
        l_members ds_round.t_names;
        l_at pls_integer;
    begin
        ds_base.begin_transaction;
        if in_members is not null then
            l_members := ds_round.t_names();
            l_at := in_members.first;

            while l_at is not null loop
                l_members.extend;
                l_members(l_members.count) := in_members(l_at);
                l_at := in_members.next(l_at);
            end loop;
        end if;

        ds_round.define(in_round, l_members, in_successor_job, in_successor_sql, in_execution_order, in_process_id, in_max_age_seconds, in_start_seconds);
    end define_round;

    procedure report_round (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean default true)
    is
        l_outcome varchar2(10);
    begin
        report_round(in_round, in_member, in_succeeded, l_outcome);
    end report_round;

    procedure report_round (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean default true,
        out_outcome out varchar2)
    is
        pragma autonomous_transaction;
    begin
        ds_base.begin_transaction;
        ds_round.report(in_round, in_member, in_succeeded, out_outcome);
    end report_round;

    procedure set_options (
        in_linger_seconds in number default null,
        in_idle_sweep_seconds in number default null,
        in_retention_days in number default null,
        in_max_retry_delay_seconds in number default null,
        in_max_orphans in number default null,
        in_outage_seconds in number default null,
        in_max_tasks_per_user in number default null,
        in_default_timeout_seconds in number default null)
    is
        pragma autonomous_transaction;
        l_locked number;
        l_now timestamp with time zone := systimestamp at time zone '+00:00';
    begin
        ds_base.begin_transaction;
        ds_rights.require_administrator('set_options');
        ds_base.need_settings;

        ds_base.need_whole('in_linger_seconds', in_linger_seconds, 0, 3600, true);
        ds_base.need_whole('in_idle_sweep_seconds', in_idle_sweep_seconds, 1, 86400, true);
        ds_base.need_whole('in_retention_days', in_retention_days, 1, 36500, true);
        ds_base.need_whole('in_max_retry_delay_seconds', in_max_retry_delay_seconds, 0, 86400, true);
        ds_base.need_whole('in_max_orphans', in_max_orphans, 0, 100, true);
        ds_base.need_whole('in_outage_seconds', in_outage_seconds, 0, 2592000, true);
        ds_base.need_whole('in_max_tasks_per_user', in_max_tasks_per_user, 0, in_null_too => true);
        ds_base.need_whole('in_default_timeout_seconds', in_default_timeout_seconds, 0, in_null_too => true);
        if coalesce(in_linger_seconds, in_idle_sweep_seconds, in_retention_days, in_max_retry_delay_seconds, in_max_orphans,
                    in_outage_seconds, in_max_tasks_per_user, in_default_timeout_seconds) is null then
            ds_base.fail(20003, 'no option was given; pass at least one.');
        end if;

        select s.settings_id into l_locked from ds_settings s where s.settings_id = 1 for update wait 30;

        -- The next sweep was planned with the old pause.
        update ds_settings s
        set s.linger_seconds = nvl(in_linger_seconds, s.linger_seconds),
            s.idle_sweep_seconds = nvl(in_idle_sweep_seconds, s.idle_sweep_seconds),
            s.retention_days = nvl(in_retention_days, s.retention_days),
            s.max_retry_delay_seconds = nvl(in_max_retry_delay_seconds, s.max_retry_delay_seconds),
            s.max_orphans = nvl(in_max_orphans, s.max_orphans),
            s.outage_seconds = nvl(in_outage_seconds, s.outage_seconds),
            s.max_tasks_per_user = nvl(in_max_tasks_per_user, s.max_tasks_per_user),
            s.default_timeout_seconds = nvl(in_default_timeout_seconds, s.default_timeout_seconds),
            s.next_sweep_at = least(s.next_sweep_at, l_now + numtodsinterval(nvl(in_idle_sweep_seconds, s.idle_sweep_seconds), 'SECOND')),
            s.changed_at = l_now
        where s.settings_id = 1;

        ds_wake.send_now;
        commit write immediate wait;
    end set_options;

    procedure set_alarm_hook (in_procedure in varchar2 default null) is
    begin
        ds_rights.require_administrator('set_alarm_hook');
        ds_base.need_settings;
        ds_admin.set_alarm_hook(in_procedure);
    end set_alarm_hook;

    procedure purge (in_days in number default null) is
    begin
        ds_rights.require_administrator('purge');
        ds_admin.purge(in_days);
    end purge;

    procedure alter_schedule (
        in_name in varchar2, in_calendar in varchar2 default null, in_sql in clob default null, in_tasks in clob default null, in_zone in varchar2 default null,
        in_overlap in varchar2 default null, in_missed in varchar2 default null, in_on_error in varchar2 default null, in_weight in number default null,
        in_max_parallel in number default null, in_create in boolean default false, in_enabled in boolean default true,
        in_begin_at in timestamp with time zone default null, in_end_at in timestamp with time zone default null)
    is
        pragma autonomous_transaction;
        l_row ds_schedules%rowtype;
        l_old ds_schedules%rowtype;
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_by varchar2(140) := ds_rights.submitter;
        l_new boolean := in_sql is not null or in_tasks is not null;
        l_changed boolean := in_calendar is not null or in_zone is not null or in_begin_at is not null or in_end_at is not null;
        l_status varchar2(9) := case when in_enabled then 'Enabled' else 'Disabled' end;
        l_process_id number;
        l_ids clob;
    begin
        ds_base.begin_transaction;
        if in_name is null or length(in_name) > 100 then
            ds_base.fail(20073, 'in_name is NULL, empty or longer than 100 characters.');
        end if;
        if (in_sql is not null and in_tasks is not null) or (in_create and not l_new) then
            ds_base.fail(20076, 'pass either in_sql, or in_tasks: a JSON array as for exec_async_batch.');
        end if;
        l_row.overlap := case lower(in_overlap) when 'skip' then 'Skip' when 'queue' then 'Queue' when 'allow' then 'Allow' end;
        l_row.missed := case lower(in_missed) when 'once' then 'Once' when 'none' then 'None' when 'all' then 'All' end;
        if (l_row.overlap is null and in_overlap is not null) or (l_row.missed is null and in_missed is not null) then
            ds_base.fail(20008, 'in_overlap must be Skip, Queue or Allow, and in_missed must be Once, None or All.');
        end if;
        begin
            select s.* into l_old from ds_schedules s where s.name = in_name for update wait 30;
            if in_create then
                ds_base.fail(20073, 'there is a schedule "' || in_name || '". Change it with alter_schedule.');
            end if;
            ds_rights.require_owner(l_old.owner, 20072, 'schedule "' || in_name || '"');
        exception
            when no_data_found then
                if not in_create then
                    ds_base.fail(20071, 'there is no schedule "' || substrb(in_name, 1, 400) || '".');
                end if;
        end;
        l_row.tasks := case when in_sql is not null
                            then '[{"sql":"' || replace(replace(replace(replace(replace(in_sql, '\', '\\'), '"', '\"'), chr(10), '\n'), chr(13), '\r'), chr(9), '\t') || '","execution_order":1}' || chr(93)
                            when l_new then in_tasks else l_old.tasks end;
        l_row.form := l_old.form;
        if l_changed then
            l_row.form := ds_schedule.form_of(nvl(in_calendar, l_old.calendar), coalesce(in_zone, l_old.zone, 'UTC'), l_now);
        end if;

        -- The tasks are checked by enqueuing them, and rolling that back.
        savepoint checked;
        create_process(in_name, l_process_id, in_on_error => coalesce(in_on_error, l_old.on_error, 'Halt'), in_weight => nvl(in_weight, 1),
            in_max_parallel => nullif(nvl(in_max_parallel, l_old.max_parallel), 0));
        if l_new then
            ds_enqueue.add_batch(l_row.tasks, l_process_id, l_ids);
            if dbms_lob.substr(l_ids, 1, 2) = chr(93) then
                ds_base.fail(20076, 'a schedule has at least one task.');
            end if;
        end if;
        rollback to checked;

        -- Only now is each known to fit its column.
        l_row.calendar := nvl(in_calendar, l_old.calendar);
        l_row.owner := case when l_new then l_by else l_old.owner end;
        l_row.zone := coalesce(in_zone, l_old.zone, 'UTC');
        l_row.on_error := coalesce(case lower(in_on_error) when 'halt' then 'Halt' when 'continue' then 'Continue' end, l_old.on_error, 'Halt');
        l_row.weight := coalesce(in_weight, l_old.weight, 1);
        l_row.max_parallel := nullif(nvl(in_max_parallel, l_old.max_parallel), 0);
        l_row.overlap := coalesce(l_row.overlap, l_old.overlap, 'Skip');
        l_row.missed := coalesce(l_row.missed, l_old.missed, 'Once');
        l_row.begin_at := coalesce(sys_extract_utc(in_begin_at), l_old.begin_at, l_now - interval '0.5' second); -- the column rounds
        l_row.end_at := nvl(sys_extract_utc(in_end_at), l_old.end_at);
        l_row.next_at := l_old.next_at;
        if l_changed then
            -- An instant that has passed does not come again, even if the clock was set back.
            l_row.next_at := ds_schedule.next_instant(l_row.form, l_row.zone, l_row.begin_at, l_row.end_at,
                                                         greatest(l_now, nvl(l_old.last_at, l_now)));
            if l_row.next_at is null then
                ds_base.fail(20074, 'the calendar never fires between in_begin_at and in_end_at.');
            end if;
        end if;

        -- Who decides what runs is who it runs as.
        if in_create then
            insert into ds_schedules
                (schedule_id, name, calendar, form, zone, begin_at, end_at, tasks, on_error, weight, max_parallel, overlap, missed, status, next_at,
                 look_at, owner)
            values
                (ds_schedule_seq.nextval, in_name, l_row.calendar, l_row.form, l_row.zone, l_row.begin_at, l_row.end_at, l_row.tasks,
                 l_row.on_error, l_row.weight,
                 l_row.max_parallel, l_row.overlap, l_row.missed, l_status, l_row.next_at, case when l_status = 'Enabled' then l_now end, l_by);
        else
            update ds_schedules s
            set s.calendar = l_row.calendar, s.form = l_row.form, s.zone = l_row.zone, s.begin_at = l_row.begin_at, s.end_at = l_row.end_at,
                s.on_error = l_row.on_error, s.weight = l_row.weight, s.max_parallel = l_row.max_parallel,
                s.overlap = l_row.overlap, s.missed = l_row.missed, s.next_at = l_row.next_at,
                s.look_at = case s.status when 'Enabled' then l_now else s.look_at end, s.tasks = l_row.tasks, s.owner = l_row.owner
            where s.schedule_id = l_old.schedule_id;
        end if;

        -- The dispatcher counts the time until then.
        ds_wake.send_now;
        commit write immediate wait;
    exception
        when dup_val_on_index then -- somebody has just made it
            ds_base.fail(20073, 'there is a schedule "' || in_name || '". Change it with alter_schedule.');
    end alter_schedule;

    -- Enable, Disable, Run or Drop.
    procedure order_schedule (in_name in varchar2, in_order in varchar2) is
        pragma autonomous_transaction;
        l_row ds_schedules%rowtype;
        l_now timestamp(6) := sys_extract_utc(systimestamp);
    begin
        ds_base.begin_transaction;
        begin
            select s.* into l_row from ds_schedules s where s.name = in_name for update wait 30;
        exception
            when no_data_found then
                ds_base.fail(20071, 'there is no schedule "' || substrb(in_name, 1, 400) || '".');
        end;
        ds_rights.require_owner(l_row.owner, 20072, 'schedule "' || in_name || '"');
        if in_order = 'Run' then
            insert into ds_schedule_firings (firing_id, schedule_id, name, due_at, manual, status, logged_at, owner)
            values (ds_schedule_firing_seq.nextval, l_row.schedule_id, in_name, sys_extract_utc(systimestamp), 'Y', 'Waiting',
                    systimestamp at time zone '+00:00', l_row.owner);
            update ds_schedules s set s.waiting = s.waiting + 1, s.look_at = l_now where s.schedule_id = l_row.schedule_id;
        elsif in_order = 'Enable' then
            update ds_schedules s set s.status = 'Enabled', s.reason = null, s.look_at = l_now
            where s.schedule_id = l_row.schedule_id and s.status <> 'Enabled';
        else
            update ds_schedule_firings f
            set f.status = 'Skipped', f.detail = case in_order when 'Drop' then 'the schedule was dropped' else 'the schedule was disabled' end
            where f.schedule_id = l_row.schedule_id and f.status = 'Waiting';
            if in_order = 'Drop' then
                delete from ds_schedules s where s.schedule_id = l_row.schedule_id;
            else
                update ds_schedules s set s.status = case s.status when 'Enabled' then 'Disabled' else s.status end, s.look_at = null, s.waiting = 0
                where s.schedule_id = l_row.schedule_id;
            end if;
        end if;
        ds_wake.send_now;
        commit write immediate wait;
    end order_schedule;

    procedure create_schedule (
        in_name in varchar2, in_calendar in varchar2, in_sql in clob default null, in_tasks in clob default null, in_zone in varchar2 default 'UTC',
        in_overlap in varchar2 default 'Skip', in_missed in varchar2 default 'Once', in_on_error in varchar2 default 'Halt', in_weight in number default 1,
        in_max_parallel in number default null, in_enabled in boolean default true,
        in_begin_at in timestamp with time zone default null, in_end_at in timestamp with time zone default null)
    is
    begin
        alter_schedule(in_name, in_calendar, in_sql, in_tasks, in_zone, in_overlap, in_missed, in_on_error, in_weight, in_max_parallel, true,
                       in_enabled, in_begin_at, in_end_at);
    end create_schedule;

    procedure set_schedule_enabled (in_name in varchar2, in_enabled in boolean) is
    begin
        if in_enabled is null then
            ds_base.fail(20003, 'in_enabled is NULL.');
        end if;
        order_schedule(in_name, case when in_enabled then 'Enable' else 'Disable' end);
    end set_schedule_enabled;

    procedure run_schedule (in_name in varchar2) is
    begin
        order_schedule(in_name, 'Run');
    end run_schedule;

    procedure drop_schedule (in_name in varchar2) is
    begin
        order_schedule(in_name, 'Drop');
    end drop_schedule;

    procedure run_firing (in_firing_id in number) is
        l_task ds_tasks%rowtype := ds_rights.current_task;
        l_row ds_schedules%rowtype;
        l_firing ds_schedule_firings%rowtype;
        l_process_id number;
        l_ids clob;
    begin
        begin
            select f.* into l_firing from ds_schedule_firings f where f.firing_id = in_firing_id and f.task_id = l_task.task_id;
        exception
            when no_data_found then
                ds_base.fail(20078, 'run_firing is for the task of a firing. To start a schedule now, call run_schedule.');
        end;
        begin
            select s.* into l_row from ds_schedules s where s.schedule_id = l_firing.schedule_id;
        exception
            when no_data_found then
                return; -- it was dropped
        end;
        -- What its new owner wrote must not run in the name of the old one.
        if not ds_rights.same_user(l_row.owner, l_task.enqueued_by) then
            ds_base.fail(20072, 'the schedule has another owner since it fired. To start it now, as the new owner, call run_schedule.');
        end if;
        create_process(
            l_firing.name || ' ' || to_char(nvl(ds_schedule.local_time(l_firing.due_at, l_row.zone), l_firing.due_at), 'YYYY-MM-DD HH24:MI'),
            l_process_id, in_on_error => l_row.on_error, in_max_parallel => l_row.max_parallel);
        ds_enqueue.add_batch(l_row.tasks, l_process_id, l_ids);
        -- The weight was allowed when the schedule was made or changed, maybe by an administrator.
        update ds_processes p
        set p.weight = l_row.weight, p.status = 'Closing', p.close_requested = 'Y', p.schedule_id = l_row.schedule_id, p.firing_id = in_firing_id
        where p.process_id = l_process_id;
    end run_firing;

    function next_instants (
        in_calendar in varchar2, in_zone in varchar2 default 'UTC', in_after in timestamp default null, in_count in number default 10,
        in_begin_at in timestamp with time zone default null, in_end_at in timestamp with time zone default null) return varchar2
    is
        l_at timestamp(6) := nvl(in_after, sys_extract_utc(systimestamp));
        l_begin timestamp(0) := nvl(sys_extract_utc(in_begin_at), l_at - interval '0.5' second);
        l_form varchar2(1000) := ds_schedule.form_of(in_calendar, in_zone, l_begin);
        l_list varchar2(4000);
    begin
        ds_base.need_whole('in_count', in_count, 1, 100);
        for i in 1 .. in_count loop
            l_at := ds_schedule.next_instant(l_form, in_zone, l_begin, sys_extract_utc(in_end_at), l_at);
            exit when l_at is null;
            l_list := l_list || case when i > 1 then ',' end || chr(34) || to_char(l_at, 'YYYY-MM-DD') || 'T' || to_char(l_at, 'HH24:MI:SS') || chr(34);
        end loop;
        return '[' || l_list || chr(93);
    end next_instants;

    procedure task_scheduler (in_waiting_time in number default 30) is
        l_started varchar2(1);

        -- The worker.
        l_lane_id number := 1000;
        l_worker_id varchar2(32);
        l_counted number;
        l_result varchar2(10);
        l_renew varchar2(1);
        l_lost varchar2(1) := 'N';
        l_idle_since timestamp with time zone := systimestamp;

        -- Its attempt, and how that ended.
        l_task_id number;
        l_log_id number;
        l_sql clob;
        l_parameters clob;
        l_transactional varchar2(1);
        l_rows number;
        l_error number;
        l_message varchar2(4000);
        l_backtrace varchar2(4000);

        -- What the session had set.
        l_language varchar2(200);
        l_formats varchar2(2000);
        l_identifier varchar2(64) := sys_context('USERENV', 'CLIENT_IDENTIFIER');
        l_module varchar2(64);
        l_action varchar2(64);
        l_info varchar2(64);

        -- Undoes what tasks set, as far as it can be read. Language and territory first: they set the others.
        procedure restore_session is
        begin
            execute immediate 'alter session set' || l_language;
            execute immediate 'alter session set' || l_formats;
            dbms_session.set_identifier(l_identifier);
            dbms_application_info.set_module(l_module, l_action);
            dbms_application_info.set_client_info(l_info);
        end restore_session;
    begin
        if sys_context('USERENV', 'SESSION_USER') <> sys_context('USERENV', 'CURRENT_USER') then
            ds_base.fail(20048, 'task_scheduler runs tasks in the calling session, so only APP can call it.');
        end if;

        refuse_transaction('task_scheduler');

        ds_base.need_whole('in_waiting_time', in_waiting_time, 0, 86400);

        if own_process is not null then
            ds_base.fail(20017, 'a task cannot become a worker.');
        end if;

        select s.started into l_started from ds_settings s where s.settings_id = 1;
        if l_started = 'N' then
            ds_base.fail(20014, 'the scheduler is stopped. Call start_scheduler first'
                || ' (and set_workers(0) if this session should be the only worker).');
        end if;

        for x in (select n.parameter, ' ' || n.parameter || ' = ''' || replace(n.value, '''', '''''') || '''' as setting
                  from nls_session_parameters n where n.parameter not in ('NLS_TIME_FORMAT', 'NLS_TIME_TZ_FORMAT') order by n.parameter) loop
            l_language := l_language || case when x.parameter in ('NLS_LANGUAGE', 'NLS_TERRITORY') then x.setting end;
            l_formats := l_formats || case when x.parameter not in ('NLS_LANGUAGE', 'NLS_TERRITORY') then x.setting end;
        end loop;
        l_formats := l_formats || ' time_zone = ''' || sessiontimezone || '''';
        dbms_application_info.read_module(l_module, l_action);
        dbms_application_info.read_client_info(l_info);

        -- As before each task: after waiting for the settings row, the session must see what its holder did.
        execute immediate 'alter session set isolation_level = read committed';

        while l_worker_id is null loop
            l_lane_id := l_lane_id + 1;
            if l_lane_id > 1064 then
                ds_base.fail(20018, '64 sessions already run task_scheduler.');
            end if;

            -- Two sessions may try the same number; the one that gets its lock has it.
            begin
                insert into ds_lanes (lane_id, state, state_at) values (l_lane_id, 'Off', systimestamp at time zone '+00:00');
            exception
                when dup_val_on_index then
                    null;
            end;
            commit write immediate wait;

            ds_worker.enter(l_lane_id, 0, l_worker_id);
        end loop;

        begin
            loop
                ds_worker.claim(l_lane_id, l_worker_id, '0.1.0', 'N', l_rows, l_counted, l_task_id, l_log_id,
                                   l_result, l_sql, l_parameters, l_transactional);

                if l_result = 'Task' then
                    ds_run.run(l_worker_id, l_task_id, l_log_id, l_sql, l_parameters, l_transactional,
                                  l_result, l_rows, l_error, l_message, l_backtrace, l_renew);
                    l_idle_since := systimestamp;
                    continue when l_result = 'Succeeded' and l_renew = 'N';
                end if;
                if l_result not in ('Idle', 'Leave', 'Stopped', 'Limit') then
                    if l_result <> 'Recorded' then
                        ds_worker.complete(l_worker_id, l_task_id, l_log_id, l_result, l_rows, l_error, l_message, l_backtrace, l_lost);
                    end if;
                    exit when l_lost = 'Y' or l_renew = 'Y';
                    l_task_id := null;
                elsif l_result = 'Idle' then
                    exit when systimestamp >= l_idle_since + numtodsinterval(in_waiting_time, 'SECOND');
                    dbms_session.sleep(0.2);
                else
                    exit;
                end if;
            end loop;

            ds_worker.leave(l_lane_id, l_worker_id, nvl(l_renew, 'N'));
        exception
            when others then
                l_message := substrb(sqlerrm, 1, 1500);
                ds_worker.failed(l_lane_id, l_worker_id, l_message);
                restore_session;
                raise;
        end;
        restore_session;
    end task_scheduler;
end dbsched;
/
prompt view alarm_info
create or replace view ds_alarm_info as
-- View: DS_ALARM_INFO
-- Purpose: Alarms: conditions that need a person.
-- Access: public: read
-- Columns: alarm_id, raised_at, kind, process_id, task_id, lane_id, alarm_text, acknowledged_at, acknowledged_by (see acknowledge_alarms), task_name
-- Example: select * from ds_alarm_info order by alarm_id desc
select a.alarm_id,
       a.raised_at as raised_at,
       a.kind as kind,
       a.process_id as process_id,
       a.task_id as task_id,
       a.lane_id as lane_id,
       a.alarm_text as alarm_text,
       a.acknowledged_at as acknowledged_at,
       a.acknowledged_by as acknowledged_by,
       t.name as task_name
from ds_alarms a
left outer join ds_tasks t on t.task_id = a.task_id
/
prompt view log_info
create or replace view ds_log_info as
-- View: DS_LOG_INFO
-- Purpose: Attempts: one row for each.
-- Access: public: read
-- Columns: log_id, task_id, process_id, execution_order, task_body, session_id, start_time, end_time, attempt, lane_id, worker_id, outcome,
--   rows_affected, error_number, error_message, error_backtrace, error_procedure, error_line, enqueued_by, task_name
-- Example: select * from ds_log_info order by log_id
select g.log_id,
       g.task_id as task_id,
       g.process_id as process_id,
       g.execution_order as execution_order,
       g.sql_text as task_body,
       g.session_id as session_id,
       g.started_at as start_time,
       g.ended_at as end_time,
       g.attempt as attempt,
       g.lane_id as lane_id,
       g.worker_id as worker_id,
       nvl(g.outcome, 'Running') as outcome,
       g.rows_affected as rows_affected,
       g.error_number as error_number,
       g.error_message as error_message,
       g.error_backtrace as error_backtrace,
       g.error_procedure as error_procedure,
       g.error_line as error_line,
       substr(g.enqueued_by, 1, instr(g.enqueued_by, '#', -1) - 1) as enqueued_by,
       g.task_name as task_name
from ds_logs g
/
prompt view process_info
create or replace view ds_process_info as
-- View: DS_PROCESS_INFO
-- Purpose: Processes, with their unfinished work.
-- Access: public: read
-- Columns: process_id, name, status, on_error, priority, weight, max_parallel, running, unfinished, lowest_order, tasks_succeeded,
--   tasks_failed, created_at, finished_at, last_served_at, created_by
-- Example: select * from ds_process_info where finished_at is null
select p.process_id,
       p.name as name,
       p.status as status,
       p.on_error as on_error,
       p.priority as priority,
       p.weight as weight,
       p.max_parallel as max_parallel,
       p.running as running,
       (select count(*) from ds_tasks t where t.unfinished_process_id = p.process_id) as unfinished,
       (select min(t.unfinished_order) from ds_tasks t where t.unfinished_process_id = p.process_id) as lowest_order,
       p.tasks_succeeded as tasks_succeeded,
       p.tasks_failed as tasks_failed,
       p.created_at as created_at,
       p.finished_at as finished_at,
       p.last_served_at as last_served_at,
       substr(p.created_by, 1, instr(p.created_by, '#', -1) - 1) as created_by
from ds_processes p
where p.process_id > 0
/
prompt view resource_info
create or replace view ds_resource_info as
-- View: DS_RESOURCE_INFO
-- Purpose: Resources and their lines: one row for each request, and one row for a resource with no requests.
-- Access: public: read
-- Columns: resource_name, capacity, held, waiting (numbers of requests), request_id (also the order of the line),
--   status (Waiting, Reserved: granted, but not yet noticed by the requester, or Granted), access_mode, requester,
--   requested_by, requested_by_os_user, requested_by_client, process_id, task_id, session_id, requested_at, granted_at, lease_until
-- Example: select * from ds_resource_info order by resource_name, request_id
select s.name as resource_name,
       s.capacity,
       (select count(*) from ds_resource_requests h where h.resource_id = s.resource_id and h.status in ('Granted', 'Reserved')) as held,
       (select count(*) from ds_resource_requests w where w.resource_id = s.resource_id and w.status = 'Waiting') as waiting,
       r.request_id,
       r.status,
       r.access_mode,
       r.requester as requester,
       substr(r.requested_by, 1, instr(r.requested_by, '#', -1) - 1) as requested_by,
       r.requested_by_os_user as requested_by_os_user,
       r.requested_by_client as requested_by_client,
       r.process_id as process_id,
       r.task_id as task_id,
       r.session_id as session_id,
       r.requested_at,
       r.granted_at,
       r.lease_until as lease_until
from ds_resources s
left outer join ds_resource_requests r on r.resource_id = s.resource_id
/
prompt view round_info
create or replace view ds_round_info as
-- View: DS_ROUND_INFO
-- Purpose: Rounds, the reports of the current generation, and the outcome of the last one.
-- Access: public: read
-- Columns: round_id, name, generation, members, succeeded, failed, first_report_at, successor_job, successor_sql, successor_order,
--   successor_process_id, max_age_seconds, start_seconds, last_generation, last_status, last_fired_at, last_fired_by, last_task_id,
--   last_detail, defined_by
-- Example: select * from ds_round_info where succeeded < members and first_report_at < systimestamp - interval '1' hour
select r.round_id as round_id,
       r.name as name,
       r.generation as generation,
       (select count(*) from ds_round_members m where m.round_id = r.round_id) as members,
       (select count(*) from ds_round_members m where m.round_id = r.round_id and m.succeeded = 'Y') as succeeded,
       (select count(*) from ds_round_members m where m.round_id = r.round_id and m.succeeded = 'N') as failed,
       (select min(m.reported_at) from ds_round_members m where m.round_id = r.round_id) as first_report_at,
       nvl2(r.job_name, '"' || r.job_owner || '"."' || r.job_name || '"', null) as successor_job,
       r.successor_sql as successor_sql,
       r.successor_order as successor_order,
       r.successor_process_id as successor_process_id,
       r.max_age_seconds as max_age_seconds,
       r.start_seconds as start_seconds,
       f.generation as last_generation,
       f.status as last_status,
       f.fired_at as last_fired_at,
       f.fired_by as last_fired_by,
       f.task_id as last_task_id,
       f.detail as last_detail,
       substr(r.defined_by, 1, instr(r.defined_by, '#', -1) - 1) as defined_by
from ds_rounds r
left outer join (select x.round_id, max(x.firing_id) as firing_id from ds_round_firings x group by x.round_id) l on l.round_id = r.round_id
left outer join ds_round_firings f on f.firing_id = l.firing_id
/
prompt view round_member_info
create or replace view ds_round_member_info as
-- View: DS_ROUND_MEMBER_INFO
-- Purpose: Members of rounds, and the report of each for the current generation.
-- Access: public: read
-- Columns: round_id, round, member, succeeded (Y, N, NULL: no report yet), reported_at
-- Example: select m.member from ds_round_member_info m where m.round = 'load' and m.succeeded is null
select r.round_id as round_id,
       r.name as round,
       m.member as member,
       m.succeeded as succeeded,
       m.reported_at as reported_at
from ds_rounds r
inner join ds_round_members m on m.round_id = r.round_id
/
prompt view schedule_info
create or replace view ds_schedule_info as
-- View: DS_SCHEDULE_INFO
-- Purpose: Schedules, their next instant, and what became of the last firing.
-- Access: public: read
-- Columns: schedule_id, name, calendar, zone, status, reason, next_at, next_local (next_at in zone; NULL: the database does not know it),
--   begin_at, end_at, last_due_at, last_process_id, last_status (of the last process; Starting = it is being made), last_finished_at,
--   running, waiting, fired, skipped, missed (in retention_days), overlap, missed_policy, tasks, on_error, weight, max_parallel, owned_by
-- Example: select name, next_local, last_status from ds_schedule_info order by next_at
select s.schedule_id as schedule_id,
       s.name as name,
       s.calendar as calendar,
       s.zone as zone,
       s.status as status,
       s.reason as reason,
       from_tz(s.next_at, '+00:00') as next_at,
       cast(ds_schedule.local_time(s.next_at, s.zone) as timestamp(0)) as next_local,
       from_tz(s.begin_at, '+00:00') as begin_at,
       from_tz(s.end_at, '+00:00') as end_at,
       from_tz(f.due_at, '+00:00') as last_due_at,
       p.process_id as last_process_id,
       case when p.process_id is null and t.finished_at is null and f.firing_id is not null then 'Starting'
            else nvl(p.status, t.status) end as last_status,
       p.finished_at as last_finished_at,
       (select count(*) from ds_processes r where r.open_schedule_id = s.schedule_id) as running,
       s.waiting as waiting,
       (select count(*) from ds_schedule_firings x where x.schedule_id = s.schedule_id and x.status = 'Started') as fired,
       (select count(*) from ds_schedule_firings x where x.schedule_id = s.schedule_id and x.status = 'Skipped') as skipped,
       (select count(*) from ds_schedule_firings x where x.schedule_id = s.schedule_id and x.status = 'Missed') as missed,
       s.overlap as overlap,
       s.missed as missed_policy,
       s.tasks as tasks,
       s.on_error as on_error,
       s.weight as weight,
       s.max_parallel as max_parallel,
       substr(s.owner, 1, instr(s.owner, '#', -1) - 1) as owned_by
from ds_schedules s
left outer join ds_schedule_firings f on f.firing_id = s.last_firing_id
left outer join ds_tasks t on t.task_id = f.task_id
left outer join ds_processes p on p.firing_id = s.last_firing_id
/
prompt view schedule_log
create or replace view ds_schedule_log as
-- View: DS_SCHEDULE_LOG
-- Purpose: The history of schedules: one row per firing, also of those that were skipped or missed.
-- Access: public: read
-- Columns: firing_id, schedule_id, name, due_at, manual, status (Waiting, Skipped, Missed; Starting; then that of the process, or Failed if
--   it could not be made), detail, logged_at, task_id, process_id, finished_at
-- Example: select * from ds_schedule_log where name = 'nightly load' order by firing_id desc
select f.firing_id,
       f.schedule_id as schedule_id,
       f.name as name,
       from_tz(f.due_at, '+00:00') as due_at,
       f.manual as manual,
       case when f.status <> 'Started' then f.status when p.process_id is null and t.finished_at is null then 'Starting'
            else nvl(p.status, replace(t.status, 'Succeeded', 'Skipped')) end as status,
       f.detail as detail,
       f.logged_at as logged_at,
       f.task_id as task_id,
       p.process_id as process_id,
       p.finished_at as finished_at
from ds_schedule_firings f
left outer join ds_tasks t on t.task_id = f.task_id
left outer join ds_processes p on p.firing_id = f.firing_id
/
prompt view scheduler_info
create or replace view ds_scheduler_info as
-- View: DS_SCHEDULER_INFO
-- Purpose: The scheduler in one row: its state, its settings and its amount of work.
-- Access: public: read
-- Columns: version, started, policy, max_workers, max_lanes, workers (sessions that hold a lane), running, unfinished, linger_seconds,
--   idle_sweep_seconds, retention_days, max_retry_delay_seconds, max_orphans, outage_seconds, max_tasks_per_user,
--   default_timeout_seconds (0 = no limit, see set_options), dispatcher_session, next_sweep_at, changed_at,
--   alarm_hook, alarm_hook_by, runner (user that tasks run as, NULL: the owner),
--   copy_of (in a copy: the database and schema where the scheduler was started; otherwise NULL),
--   also_on (names of databases on which it also goes on, see start_scheduler),
--   alarms (not acknowledged), blocked (why no task can run: Copy, Stopped, NoWorkers, NoDispatcher; otherwise NULL)
-- Example: select * from ds_scheduler_info
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
       s.outage_seconds,
       s.max_tasks_per_user,
       s.default_timeout_seconds,
       s.dispatcher_session,
       s.next_sweep_at,
       s.changed_at,
       s.alarm_hook,
       substr(s.alarm_hook_by, 1, instr(s.alarm_hook_by, '#', -1) - 1) as alarm_hook_by,
       s.runner,
       case s.place when 'Copy' then s.home end as copy_of,
       s.also_on,
       (select count(*) from ds_alarms a where a.acknowledged_at is null) as alarms,
       case when s.place = 'Copy' then 'Copy'
            when s.started = 'N' then 'Stopped'
            when s.max_workers = 0 then 'NoWorkers'
            when s.next_sweep_at < systimestamp - numtodsinterval(2 * s.idle_sweep_seconds + 60, 'SECOND') then 'NoDispatcher' end as blocked
from (select a.*, ds_base.place(a.home, a.home_guid, a.also_on) as place from ds_settings a) s
/
prompt view task_info
create or replace view ds_task_info as
-- View: DS_TASK_INFO
-- Purpose: Tasks, with their last attempt. Reading never waits for other sessions.
-- Access: public: read
-- Columns: task_id, process_id, execution_order, priority, expected_seconds, status, wait_reason, due_at, name, sql_text, attempt, max_attempts,
--   failures, orphans, on_orphan, enqueued_at, enqueued_by, enqueued_by_os_user, enqueued_by_client, lane_id, session_id, started_at,
--   finished_at, error_number, error_message, parameters, transactional, dedup_key, duplicate_of (for a Skipped
--   duplicate, the task with the same key), timeout_seconds, stop_outcome (of a Stopping task: its final status unless it still succeeds),
--   resource_name, access_mode
-- Example: select * from ds_task_info where status = 'Failed'
select t.task_id,
       t.process_id as process_id,
       t.execution_order as execution_order,
       t.priority as priority,
       t.expected_seconds as expected_seconds,
       case when t.status = 'Pending' and p.status = 'Suspended' then 'Waiting' else t.status end as status,
       case when t.status = 'Pending' and p.status = 'Suspended' then 'Suspended' else t.wait_reason end as wait_reason,
       t.due_at as due_at,
       t.name as name,
       t.sql_text as sql_text,
       t.attempt as attempt,
       t.max_attempts as max_attempts,
       t.failures as failures,
       t.orphans as orphans,
       t.on_orphan as on_orphan,
       t.enqueued_at as enqueued_at,
       substr(t.enqueued_by, 1, instr(t.enqueued_by, '#', -1) - 1) as enqueued_by,
       t.enqueued_by_os_user as enqueued_by_os_user,
       t.enqueued_by_client as enqueued_by_client,
       g.lane_id as lane_id,
       g.session_id as session_id,
       t.started_at as started_at,
       t.finished_at as finished_at,
       g.error_number as error_number,
       g.error_message as error_message,
       t.parameters as parameters,
       t.transactional as transactional,
       t.dedup_key as dedup_key,
       t.duplicate_of as duplicate_of,
       t.timeout_seconds as timeout_seconds,
       case when t.status = 'Stopping' then nvl(t.stop_outcome, 'Cancelled') end as stop_outcome,
       s.name as resource_name,
       t.access_mode as access_mode
from ds_tasks t
left outer join ds_processes p on p.process_id = t.process_id
left outer join ds_logs g on g.log_id = t.log_id
left outer join ds_resources s on s.resource_id = t.resource_id
/
prompt view worker_info
create or replace view ds_worker_info as
-- View: DS_WORKER_INFO
-- Purpose: The lanes, and the sessions in them.
-- Access: public: read
-- Columns: lane_id, kind (Lane, or Session for a session that called task_scheduler), state, state_at, worker_id, session_id, instance_id,
--   entered_at, task_id, process_id, execution_order, attempt, task_started_at
-- Example: select * from ds_worker_info where state <> 'Off'
select l.lane_id,
       case when l.lane_id > 1000 then 'Session' else 'Lane' end as kind,
       l.state,
       l.state_at,
       l.worker_id as worker_id,
       l.session_id,
       case when l.session_id is not null then l.instance_id end as instance_id,
       l.entered_at,
       t.task_id as task_id,
       t.process_id as process_id,
       t.execution_order as execution_order,
       t.attempt as attempt,
       t.started_at as task_started_at
from (select a.*,
             (select /*+ index(k (lane_id)) */ max(k.task_id) from ds_tasks k where k.lane_id = a.lane_id and k.worker_id = a.worker_id) as task_id
      from ds_lanes a) l
left outer join ds_tasks t on t.task_id = l.task_id
/
prompt check-valid check_valid
declare
    -- CREATE of a unit that does not compile only returns a warning (ORA-24344), which drivers drop, and leaves the unit
    -- invalid. This batch fails the installation instead.
    l_text varchar2(2000);
begin
    for r in (select e.name, e.type, e.line, e.position, e.text
              from user_errors e
              where e.attribute = 'ERROR'
                and e.name in ('DBSCHED', 'DS_ADMIN', 'DS_ALARM_INFO', 'DS_BASE', 'DS_CONTROL', 'DS_DISPATCH', 'DS_ENQUEUE', 'DS_JSON',
                               'DS_LANE', 'DS_LOG_INFO', 'DS_PROCESS_INFO', 'DS_RESOURCE', 'DS_RESOURCE_INFO', 'DS_RIGHTS', 'DS_ROUND',
                               'DS_ROUND_INFO', 'DS_ROUND_MEMBER_INFO', 'DS_RUN', 'DS_SCHEDULE', 'DS_SCHEDULER_INFO', 'DS_SCHEDULE_INFO',
                               'DS_SCHEDULE_LOG', 'DS_TASK_INFO', 'DS_VALUES', 'DS_WAKE', 'DS_WORKER', 'DS_WORKER_INFO')
              order by e.name, e.type, e.sequence)
    loop
        -- In bytes: RAISE_APPLICATION_ERROR takes 2,048, and messages are in the session's language.
        l_text := substrb(l_text || ' ' || r.type || ' ' || r.name || ', line ' || r.line || ', column ' || r.position || ': ' || r.text || ';', 1, 1900);
    end loop;

    if l_text is not null then
        raise_application_error(-20097, 'dbsched 20097: these objects do not compile:' || l_text);
    end if;
end;
/
prompt data surplus
declare
    -- Removes lanes above the installed number. A job that still runs is dropped by the next installation after its end.
    co_lanes constant pls_integer := 2;
    l_job varchar2(160);
    l_jobs pls_integer;

    e_running exception; pragma exception_init(e_running, -27478);
begin
    for i in co_lanes + 1 .. 99 loop
        l_job := 'DS_LANE_' || to_char(i, 'FM00');
        select count(*) into l_jobs from all_scheduler_jobs j where j.owner = 'APP' and j.job_name = l_job;

        if l_jobs > 0 then
            begin
                dbms_scheduler.drop_job(job_name => 'APP.' || l_job, force => false);
            exception
                when e_running then
                    null;
            end;
        end if;
    end loop;

    -- A Starting lane no longer has a job: the dispatcher would try to run it every second forever.
    delete from ds_lanes l where l.lane_id > co_lanes and l.lane_id <= 99 and l.state in ('Off', 'Starting') and l.worker_id is null;
    commit write immediate wait;
end;
/
prompt data locks
declare
    -- The whole database shares the DBMS_LOCK ids. Names are not an alternative: ALLOCATE_UNIQUE commits. So the installation
    -- chooses a random block of ids, and checks that none of them is in use.
    l_base number;
    l_free boolean;
    l_result integer;
begin
    -- The rows that must exist. What was lost comes back: the settings with default values, a process with the tasks that it has. 1 is the
    -- default process. 0 has the tasks that make the processes of schedules; nobody else adds to it.
    insert into ds_settings (settings_id, changed_at)
    select 1, systimestamp at time zone '+00:00' from dual where not exists (select 1 from ds_settings s);

    insert into ds_processes (process_id, name, status, priority, weight, on_error, has_work, running, created_at, created_by)
    select n.id, case n.id when 1 then 'default' else 'schedules' end, 'Open', case n.id when 1 then 0 else 1000000 end, case n.id when 1 then 1 else 1000 end,
           'Continue', (select case when count(*) > 0 then 'Y' else 'N' end from ds_tasks t where t.unfinished_process_id = n.id),
           (select count(*) from ds_tasks t where t.unfinished_process_id = n.id and t.lane_id > 0), systimestamp at time zone '+00:00', user || '#' || uid
    from (select level - 1 as id from dual connect by level <= 2) n where not exists (select 1 from ds_processes p where p.process_id = n.id);

    select s.lock_base into l_base from ds_settings s where s.settings_id = 1 for update wait 30;

    while l_base is null loop
        -- Ids end at 1073741823; the block has 4096. GET_HASH_VALUE spreads what SYS_GUID makes unique.
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
prompt data settings
declare
    -- Sets the installed version and number of lanes. From now on the dispatcher and workers of other versions leave.
    co_version constant varchar2(30) := '0.1.0';
    co_lanes constant pls_integer := 2;
    co_runner constant varchar2(128) := null;
    l_runner varchar2(128);
    l_installed varchar2(30);
begin
    select s.runner, s.version into l_runner, l_installed from ds_settings s where s.settings_id = 1 for update wait 30;

    -- Without a settings row, the lanes' jobs tell who the runner was.
    if l_installed is null then
        select max(j.owner), max(j.owner) into l_runner, l_installed
        from all_scheduler_jobs j
        where j.owner <> user and j.comments like 'dbsched: worker slot % of ' || user;
    end if;

    -- Waiting tasks must run as the user that their enqueuer expected.
    if l_installed is not null and nvl(l_runner, '(nobody)') <> nvl(co_runner, '(nobody)') then
        raise_application_error(-20064, 'dbsched 20064: dbsched is installed ' || case when l_runner is null then 'without a runner' else 'with the runner ' || l_runner end
            || ', which cannot be changed. Uninstall first.');
    end if;

    update ds_settings s
    set s.version = co_version,
        s.max_lanes = co_lanes,
        s.runner = co_runner,
        s.max_workers = least(s.max_workers, co_lanes),
        -- It is secret, and so are the names of workers, which only the owner sees: it could be computed from them.
        s.salt = nvl(s.salt, rawtohex(standard_hash(rawtohex(sys_guid()) || to_char(systimestamp, 'J SSSSS FF9')
            || sys_context('USERENV', 'SESSIONID') || dbms_session.unique_session_id || to_char(s.lock_base), 'SHA256')))
    where s.settings_id = 1 and (s.version is null or s.version <> co_version or s.max_lanes <> co_lanes);

    insert into ds_lanes (lane_id, state, state_at)
    select n.lane_id, 'Off', systimestamp at time zone '+00:00'
    from (select level as lane_id from dual connect by level <= co_lanes) n
    where not exists (select 1 from ds_lanes l where l.lane_id = n.lane_id);

    commit write immediate wait;
end;
/
prompt job dispatcher
declare
    -- The dispatcher's job. Disabled until start_scheduler; then it repeats every minute, so that the engine restarts it after a
    -- crash. A run lasts until the scheduler is stopped, or for twelve hours and until nothing is due: what the engine keeps for a call
    -- is given back only at its end. A turn takes 200 messages, or 10,000 while there are more: each
    -- transaction that enqueued while the scheduler was stopped left one.
    co_job constant varchar2(30) := 'DS_DISPATCHER';
    co_action constant varchar2(4000) := q'[declare
    l_state varchar2(5);
    l_wait number;
    l_taken pls_integer := 0;
    l_most pls_integer := 200;
    l_until timestamp with time zone := systimestamp + interval '12' hour;
    l_options dbms_aq.dequeue_options_t;
    l_properties dbms_aq.message_properties_t;
    l_payload raw(32);
    l_message_id raw(16);
    e_no_message exception; pragma exception_init(e_no_message, -25228);
    e_no_more exception; pragma exception_init(e_no_more, -25237);
begin
    execute immediate 'alter session set current_schema = APP';
    execute immediate 'begin ds_dispatch.enter(:1); end;' using out l_state;
    l_options.dequeue_mode := dbms_aq.remove;
    l_options.visibility := dbms_aq.on_commit;
    while l_state <> 'Stop' loop
        execute immediate 'begin ds_dispatch.turn(:1, :2, :3); end;' using in '0.1.0', out l_wait, out l_state;
        exit when l_state = 'Stop' or (l_state = 'Quiet' and l_taken = 0 and systimestamp > l_until);
        l_options.wait := l_wait;
        l_options.navigation := dbms_aq.first_message;
        l_most := case when l_taken < l_most then 200 else 10000 end;
        l_taken := 0;
        begin
            loop
                dbms_aq.dequeue('APP.DS_WAKE_Q', l_options, l_properties, l_payload, l_message_id);
                l_taken := l_taken + 1;
                exit when l_taken >= l_most;
                l_options.wait := dbms_aq.no_wait;
                l_options.navigation := dbms_aq.next_message;
            end loop;
        exception
            when e_no_message or e_no_more then null;
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
        -- For its next run; a current run ends when it reads the new version.
        dbms_scheduler.set_attribute(name => co_job, attribute => 'job_action', value => co_action);
    end if;
end;
/
prompt jobs lanes
declare
    -- The jobs of the worker slots, one for each lane. They have no schedule and stay disabled: the dispatcher runs them with RUN_JOB.
    -- A job with the same text is not changed; install/surplus drops jobs of higher numbers.
    co_lanes constant pls_integer := 2;
    -- -1 is replaced by the number of the lane.
    co_action constant varchar2(4000) := q'[declare
    co_lane constant pls_integer := -1;
    co_do constant varchar2(140) := 'begin ds_';
    l_worker varchar2(32);
    l_counted number;
    l_result varchar2(10);
    l_waited varchar2(1) := 'N';
    l_again varchar2(1) := 'N';
    l_renew varchar2(1);
    l_lost varchar2(1);
    l_until timestamp with time zone := systimestamp + interval '1' hour;
    -- The attempt, and how it ended.
    l_task number;
    l_log number;
    l_sql clob;
    l_values clob;
    l_transactional varchar2(1);
    l_rows number;
    l_error number;
    l_text varchar2(4000);
    l_trace varchar2(4000);
begin
    execute immediate 'alter session set current_schema = APP';
    execute immediate co_do || 'lane.enter(:1, :2); end;' using in co_lane, out l_worker;
    if l_worker is null then return; end if;
    loop
        execute immediate co_do || 'lane.claim(:1, :2, :3, :4, :5, :6, :7, :8, :9, :10, :11, :12); end;'
            using in co_lane, in l_worker, in '0.1.0', in l_waited, in l_rows, in out l_counted, in out l_task, in out l_log,
                  out l_result, out l_sql, out l_values, out l_transactional;
        if l_result = 'Task' then
            execute immediate co_do || 'run.run(:1, :2, :3, :4, :5, :6, :7, :8, :9, :10, :11, :12); end;'
                using in l_worker, in l_task, in l_log, in l_sql, in l_values, in l_transactional,
                      out l_result, out l_rows, out l_error, out l_text, out l_trace, out l_renew;
            l_waited := 'N';
            l_again := case when l_renew = 'Y' or systimestamp > l_until then 'Y' else 'N' end;
            continue when l_result = 'Succeeded' and l_again = 'N';
        end if;
        if l_result not in ('Idle', 'Leave', 'Stopped', 'Limit') then
            if l_result <> 'Recorded' then
                execute immediate co_do || 'lane.complete(:1, :2, :3, :4, :5, :6, :7, :8, :9, :10); end;'
                    using in co_lane, in l_worker, in l_task, in l_log, in l_result, in l_rows, in l_error, in l_text, in l_trace, out l_lost;
                if l_lost = 'Y' then l_again := 'Y'; end if;
            end if;
            exit when l_again = 'Y';
            l_task := null;
        elsif l_result = 'Idle' then
            execute immediate co_do || 'lane.wait(:1, :2, :3); end;' using in co_lane, in l_worker, out l_waited;
        else
            if l_result = 'Limit' then l_again := 'Y'; end if;
            exit;
        end if;
    end loop;
    execute immediate co_do || 'lane.leave(:1, :2, :3); end;' using in co_lane, in l_worker, in l_again;
exception
    when others then
        l_text := substrb(dbms_utility.format_error_stack || dbms_utility.format_error_backtrace, 1, 1500);
        execute immediate co_do || 'lane.failed(:1, :2, :3); end;' using in co_lane, in l_worker, in l_text;
end;]';
    l_job varchar2(30);
    l_action varchar2(4000);
    l_installed varchar2(4000);
begin
    for i in 1 .. co_lanes loop
        l_job := 'DS_LANE_' || to_char(i, 'FM00');
        l_action := replace(co_action, ':= -1;', ':= ' || i || ';');
        select max(j.job_action) into l_installed from all_scheduler_jobs j where j.owner = 'APP' and j.job_name = l_job;

        if l_installed is null then
            -- auto_drop false: otherwise a job without a schedule is dropped after its run. Not restartable: dbsched decides about retries.
            dbms_scheduler.create_job(
                job_name => 'APP.' || l_job,
                job_type => 'PLSQL_BLOCK',
                job_action => l_action,
                enabled => false,
                auto_drop => false,
                comments => 'dbsched: worker slot ' || i);
        elsif l_installed <> l_action then
            dbms_scheduler.set_attribute(name => 'APP.' || l_job, attribute => 'job_action', value => l_action);
        end if;
    end loop;
end;
/
