create or replace package body dbsched as
    procedure refuse_transaction (in_what in varchar2) is
    begin
        if dbms_transaction.local_transaction_id is not null then
            {{.P}}base.fail(20010, in_what || ' cannot be called inside a transaction: tasks that it enqueued could not start.');
        end if;
    end refuse_transaction;

    -- Process of the task that this session runs, NULL outside tasks.
    function own_process return number is
        l_key varchar2(24) := dbms_session.unique_session_id;
        l_process_id number;
    begin
        select max(t.process_id) into l_process_id
        from {{.P}}lanes l
        inner join {{.P}}tasks t on t.task_id = l.task_id
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
        exec_async(in_sql, in_execution_order, in_process_id, in_priority, in_max_attempts, in_retry_delay_seconds, in_timeout_seconds, in_not_before,
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
        {{.P}}enqueue.add_task(l_task, out_task_id);
    end exec_async;

    procedure exec_async_table (in_tasks in t_tasks) is
        l_task_ids t_task_ids;
    begin
        {{.P}}enqueue.add_table(in_tasks, l_task_ids);
    end exec_async_table;

    procedure exec_async_table (in_tasks in t_tasks, out_task_ids out t_task_ids) is
    begin
        {{.P}}enqueue.add_table(in_tasks, out_task_ids);
    end exec_async_table;

    procedure exec_async_batch (in_tasks in clob) is
        l_task_ids clob;
    begin
        {{.P}}enqueue.add_batch(in_tasks, l_task_ids);
    end exec_async_batch;

    procedure exec_async_batch (in_tasks in clob, out_task_ids out clob) is
    begin
        {{.P}}enqueue.add_batch(in_tasks, out_task_ids);
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
        l_submitter varchar2(128);
        l_on_error varchar2(8);
        l_status varchar2(10) := case when in_suspended then 'Suspended' else 'Open' end;
        l_process_id number;
    begin
        if in_name is null or length(in_name) > 128 then
            {{.P}}base.fail(20012, 'in_name is NULL, empty or longer than 128 characters.');
        end if;

        {{.P}}base.need_whole('in_priority', in_priority, -1000000, 1000000);
        {{.P}}base.need_whole('in_weight', in_weight, 1, 1000);
        {{.P}}base.need_whole('in_max_parallel', in_max_parallel, 1, in_null_too => true);

        l_on_error := case lower(in_on_error) when 'halt' then 'Halt' when 'continue' then 'Continue' end;
        if l_on_error is null then
            {{.P}}base.fail(20008, 'in_on_error must be Halt or Continue.');
        end if;

        l_process_id := {{.P}}process_seq.nextval;
        l_submitter := {{.P}}rights.submitter;

        insert into {{.P}}processes
            (process_id, name, status, priority, weight, max_parallel, on_error, created_at, created_by, created_by_os_user, created_by_client)
        values
            (l_process_id, in_name, l_status, in_priority, in_weight, in_max_parallel, l_on_error, systimestamp at time zone 'UTC',
             l_submitter, substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));

        out_process_id := l_process_id;
    end create_process;

    -- Records that a process is to be released or closed when the caller's transaction commits.
    procedure request_process (in_process_id in number, in_action in varchar2) is
        l_status varchar2(10);
        l_creator varchar2(128);
    begin
        if in_process_id = 1 then
            {{.P}}base.fail(20013, 'process 1 is the default process, which is always open.');
        end if;

        select max(p.status), max(p.created_by) into l_status, l_creator from {{.P}}processes p where p.process_id = in_process_id;

        if l_status is null then
            {{.P}}base.fail(20004, 'there is no process ' || nvl(to_char(in_process_id), 'NULL') || '.');
        end if;

        {{.P}}rights.require_owner(l_creator, 20006, 'process ' || in_process_id);

        -- Already so, or over: nothing to ask for. One that failed or was cancelled may be tried again, and closes then.
        if l_status = 'Succeeded'
           or (in_action = 'Release' and l_status <> 'Suspended')
           or (in_action = 'Close' and l_status = 'Closing')
        then
            return;
        end if;

        {{.P}}wake.send;

        insert into {{.P}}process_requests (request_id, process_id, action, requested_at)
        values ({{.P}}request_seq.nextval, in_process_id, in_action, systimestamp at time zone 'UTC');
    end request_process;

    procedure release_process (in_process_id in number) is
    begin
        request_process(in_process_id, 'Release');
    end release_process;

    procedure close_process (in_process_id in number) is
    begin
        request_process(in_process_id, 'Close');
    end close_process;

    -- What is left of a process. A transaction of its own, since a session whose transactions are serializable, or read only, would
    -- see one instant for as long as it waits.
    procedure look (in_process_id in number, out_requests out number, out_tasks out number, out_status out varchar2) is
        pragma autonomous_transaction;
    begin
        {{.P}}base.begin_transaction;
        -- Requests first: one that is carried out between the two reads has changed the status by the second.
        select count(*) into out_requests from {{.P}}process_requests r where r.process_id = in_process_id;
        select count(*) into out_tasks from {{.P}}tasks t where t.unfinished_process_id = in_process_id and rownum <= 1;
        select max(p.status) into out_status from {{.P}}processes p where p.process_id = in_process_id;
        rollback;
    end look;

    procedure wait_process (
        in_process_id in number,
        in_timeout_seconds in number,
        out_result out number,
        out_status out varchar2)
    is
        l_creator varchar2(128);
        l_until timestamp with time zone;
        l_tasks number;
        l_requests number;
        l_polls pls_integer := 0;
    begin
        refuse_transaction('wait_process');

        {{.P}}base.need_whole('in_timeout_seconds', in_timeout_seconds, 0, 604800);

        select max(p.status), max(p.created_by) into out_status, l_creator from {{.P}}processes p where p.process_id = in_process_id;
        if out_status is null then
            {{.P}}base.fail(20004, 'there is no process ' || nvl(to_char(in_process_id), 'NULL') || '.');
        end if;

        if in_process_id <> 1 then
            {{.P}}rights.require_owner(l_creator, 20006, 'process ' || in_process_id);
        end if;

        if own_process = in_process_id then
            {{.P}}base.fail(20017, 'a task cannot wait for its own process.');
        end if;

        l_until := systimestamp + numtodsinterval(in_timeout_seconds, 'SECOND');

        loop
            look(in_process_id, l_requests, l_tasks, out_status);

            if out_status = 'Succeeded' or (out_status = 'Open' and l_tasks = 0 and l_requests = 0) then
                out_result := 0;
                return;
            elsif out_status in ('Failed', 'Cancelled') then
                out_result := 1;
                return;
            elsif out_status is null then
                -- Finished so long ago that it was forgotten meanwhile.
                {{.P}}base.fail(20004, 'there is no process ' || in_process_id || ' any more.');
            elsif systimestamp >= l_until then
                out_result := 2;
                return;
            end if;

            l_polls := l_polls + 1;
            dbms_session.sleep(case when l_polls <= 10 then 0.1 else 0.5 end);
        end loop;
    end wait_process;

    procedure start_scheduler is
        pragma autonomous_transaction;
        l_enabled pls_integer;
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('start_scheduler');

        if sys_context('USERENV', 'DATABASE_ROLE') <> 'PRIMARY' then
            {{.P}}base.fail(20016, 'this database is a standby and cannot be written to.');
        end if;

        select count(*) into l_enabled
        from user_queues q
        where q.name = '{{.PU}}WAKE_Q' and trim(q.enqueue_enabled) = 'YES' and trim(q.dequeue_enabled) = 'YES';

        if l_enabled = 0 then
            {{.P}}base.fail(20015, 'the queue {{.PU}}WAKE_Q is missing or stopped; start it with dbms_aqadm.start_queue(''{{.PU}}WAKE_Q''), or install again.');
        end if;

        update {{.P}}settings s
        set s.changed_at = case when s.started = 'Y' then s.changed_at else systimestamp at time zone 'UTC' end,
            s.started = 'Y',
            s.next_sweep_at = null
        where s.settings_id = 1;

        {{.P}}wake.send_now;
        commit write immediate wait;

        {{.P}}control.run_dispatcher;
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
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('stop_scheduler');

        if l_mode is null then
            {{.P}}base.fail(20008, 'in_mode must be Drain or Now.');
        end if;

        -- Claims hold this row while they claim: this waits for the one under way, and the next ones read N.
        select s.started into l_started from {{.P}}settings s where s.settings_id = 1 for update wait 30;

        if l_started = 'Y' then
            update {{.P}}settings s
            set s.started = 'N', s.changed_at = systimestamp at time zone 'UTC'
            where s.settings_id = 1;
        end if;

        -- The dispatcher sends idle workers home and ends.
        {{.P}}wake.send_now;
        commit write immediate wait;

        {{.P}}control.switch_dispatcher;

        if l_mode = 'Now' then
            {{.P}}control.cancel_running;
        end if;

        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end stop_scheduler;

    procedure cancel_task (in_task_id in number) is
    begin
        if in_task_id is null then
            {{.P}}base.fail(20024, 'in_task_id is NULL.');
        end if;

        {{.P}}control.order_cancel(in_task_id);
    end cancel_task;

    procedure cancel_process (in_process_id in number) is
    begin
        if in_process_id = 1 then
            {{.P}}base.fail(20013, 'process 1 is the default process, which is always open.');
        end if;

        {{.P}}control.order_cancel(null, in_process_id);
    end cancel_process;

    procedure retry_task (in_task_id in number) is
    begin
        if in_task_id is null then
            {{.P}}base.fail(20024, 'in_task_id is NULL.');
        end if;

        {{.P}}control.order_retry(in_task_id);
    end retry_task;

    procedure retry_process (in_process_id in number) is
    begin
        {{.P}}control.order_retry(null, in_process_id);
    end retry_process;

    procedure set_workers (in_max_workers in number) is
        pragma autonomous_transaction;
        l_max_lanes number;
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('set_workers');

        {{.P}}base.need_whole('in_max_workers', in_max_workers, 0, 9999);

        select s.max_lanes into l_max_lanes from {{.P}}settings s where s.settings_id = 1 for update wait 30;

        if in_max_workers > l_max_lanes then
            {{.P}}base.fail(20009, in_max_workers || ' workers need as many lanes, and ' || l_max_lanes || ' are installed; install again with more.');
        end if;

        update {{.P}}settings s
        set s.max_workers = in_max_workers, s.changed_at = systimestamp at time zone 'UTC'
        where s.settings_id = 1;

        {{.P}}wake.send_now;
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
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('set_policy');

        if l_policy is null then
            {{.P}}base.fail(20008, 'in_policy must be Fifo, Priority or RoundRobin.');
        end if;

        update {{.P}}settings s
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
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('sweep');

        {{.P}}dispatch.sweep(l_more);
        {{.P}}wake.send_now;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end sweep;

    procedure define_resource (in_name in varchar2, in_capacity in number default 1) is
    begin
        {{.P}}rights.require_administrator('define_resource');

        if in_name is null or length(in_name) > 128 then
            {{.P}}base.fail(20041, 'in_name is NULL, empty or longer than 128 characters.');
        end if;

        {{.P}}base.need_whole('in_capacity', in_capacity, 1, 1000000);

        {{.P}}resource.define(in_name, in_capacity);
    end define_resource;

    procedure drop_resource (in_name in varchar2) is
    begin
        {{.P}}rights.require_administrator('drop_resource');
        {{.P}}resource.forget(in_name);
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
            {{.P}}base.fail(20041, 'in_name must have 1 to 128 characters, in_requester at most 128.');
        end if;

        if l_access is null then
            {{.P}}base.fail(20008, 'in_access must be Shared or Exclusive.');
        end if;

        {{.P}}base.need_whole('in_timeout_seconds', in_timeout_seconds, 0, 604800);

        {{.P}}base.need_whole('in_lease_seconds', in_lease_seconds, 1, 604800, true);

        {{.P}}resource.acquire(in_name, l_access, nvl(in_requester, sys_context('USERENV', 'SESSION_USER')), in_timeout_seconds, in_lease_seconds, out_request_id);
    end acquire_resource;

    procedure release_resource (in_request_id in number) is
    begin
        {{.P}}resource.give_back(in_request_id);
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
        l_members {{.P}}round.t_names;
        l_at pls_integer;
    begin
        {{.P}}base.begin_transaction;
        if in_members is not null then
            l_members := {{.P}}round.t_names();
            l_at := in_members.first;

            while l_at is not null loop
                l_members.extend;
                l_members(l_members.count) := in_members(l_at);
                l_at := in_members.next(l_at);
            end loop;
        end if;

        {{.P}}round.define(in_round, l_members, in_successor_job, in_successor_sql, in_execution_order, in_process_id, in_max_age_seconds, in_start_seconds);
    exception
        when others then
            rollback;
            raise;
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
        {{.P}}base.begin_transaction;
        {{.P}}round.report(in_round, in_member, in_succeeded, out_outcome);
    exception
        when others then
            rollback;
            raise;
    end report_round;

    procedure set_options (
        in_linger_seconds in number default null,
        in_idle_sweep_seconds in number default null,
        in_retention_days in number default null,
        in_max_retry_delay_seconds in number default null,
        in_max_orphans in number default null)
    is
    begin
        {{.P}}rights.require_administrator('set_options');
        {{.P}}admin.set_options(in_linger_seconds, in_idle_sweep_seconds, in_retention_days, in_max_retry_delay_seconds, in_max_orphans);
    end set_options;

    procedure set_alarm_hook (in_procedure in varchar2 default null) is
    begin
        {{.P}}rights.require_administrator('set_alarm_hook');
        {{.P}}admin.set_alarm_hook(in_procedure);
    end set_alarm_hook;

    procedure purge (in_days in number default null) is
        l_rows number;
    begin
        {{.P}}rights.require_administrator('purge');
        {{.P}}admin.purge(in_days, l_rows);
    end purge;

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
        l_parameters clob;
        l_transactional varchar2(1);
        l_rows number;
        l_error number;
        l_message varchar2(4000);
        l_backtrace varchar2(4000);
        l_unit varchar2(300);
        l_line number;
        l_renew varchar2(1);
        l_lost varchar2(1) := 'N';
    begin
{{- if .Runner}}
        -- From in here DS_RUN would have the rights of the owner, whoever calls.
        {{.P}}base.fail(20019, 'tasks run as {{.Runner}}, and task_scheduler would run them in this session.');
{{- else}}
        if sys_context('USERENV', 'SESSION_USER') <> sys_context('USERENV', 'CURRENT_USER') then
            {{.P}}base.fail(20019, 'task_scheduler runs tasks in the calling session, so only {{.Owner}} may call it.');
        end if;
{{- end}}

        refuse_transaction('task_scheduler');

        {{.P}}base.need_whole('in_waiting_time', in_waiting_time, 0, 86400);

        if own_process is not null then
            {{.P}}base.fail(20017, 'a task cannot become a worker.');
        end if;

        select s.started into l_started from {{.P}}settings s where s.settings_id = 1;
        if l_started = 'N' then
            {{.P}}base.fail(20014, 'the scheduler is stopped; call start_scheduler first (and set_workers(0) if no other workers shall run).');
        end if;

        -- As before each task: who waits for the settings row must see what its holder did.
        execute immediate 'alter session set isolation_level = read committed';

        while l_worker_id is null loop
            l_lane_id := l_lane_id + 1;
            if l_lane_id > 1064 then
                {{.P}}base.fail(20018, '64 sessions run task_scheduler already.');
            end if;

            -- Two sessions may try the same number; whoever gets its lock has it.
            begin
                insert into {{.P}}lanes (lane_id, state, state_at) values (l_lane_id, 'Off', systimestamp at time zone 'UTC');
            exception
                when dup_val_on_index then
                    null;
            end;
            commit write immediate wait;

            {{.P}}worker.enter(l_lane_id, 0, l_worker_id);
        end loop;

        begin
            loop
                {{.P}}worker.claim(l_lane_id, l_worker_id, {{.VersionLit}}, 'N', l_result, l_linger, l_task_id, l_attempt, l_process_id, l_log_id, l_sql,
                                       l_parameters, l_transactional);

                if l_result = 'Task' then
                    {{.P}}run.run(l_lane_id, l_worker_id, l_task_id, l_attempt, l_process_id, l_log_id, l_sql, l_parameters, l_transactional,
                                  l_result, l_rows, l_error, l_message, l_backtrace, l_unit, l_line, l_renew);
                    if l_result <> 'Recorded' then
                        {{.P}}worker.complete(l_lane_id, l_worker_id, l_task_id, l_attempt, l_process_id, l_log_id, l_result,
                                              l_rows, l_error, l_message, l_backtrace, l_unit, l_line, l_lost);
                    end if;
                    exit when l_lost = 'Y' or l_renew = 'Y';
                    l_idle_since := systimestamp;
                elsif l_result = 'Idle' then
                    exit when systimestamp >= l_idle_since + numtodsinterval(in_waiting_time, 'SECOND');
                    dbms_session.sleep(0.2);
                else
                    exit;
                end if;
            end loop;

            {{.P}}worker.leave(l_lane_id, l_worker_id, nvl(l_renew, 'N'));
        exception
            when others then
                l_message := substrb(sqlerrm, 1, 1500);
                {{.P}}worker.failed(l_lane_id, l_worker_id, l_message);
                raise;
        end;
    end task_scheduler;
end dbsched;
