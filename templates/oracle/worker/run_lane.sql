    -- A session is at most one worker: a running task can neither become another nor give up its lane's lock.
    procedure check_free is
        l_key varchar2(24) := dbms_session.unique_session_id;
        l_count pls_integer;
    begin
        select count(*) into l_count from {{.P}}lanes l where l.session_key = l_key and l.worker_id is not null;
        if l_count > 0 then
            {{.P}}base.fail(20062, 'this session is already a worker.');
        end if;
    end check_free;

    -- Only the block of the lane's job knows the worker's name.
    procedure check_mine (in_lane_id in number, in_worker_id in varchar2) is
        l_key varchar2(24) := dbms_session.unique_session_id;
        l_count pls_integer;
    begin
        select count(*) into l_count
        from {{.P}}lanes l
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
        {{.P}}worker.enter(in_lane_id, 5, out_worker_id);
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
        {{.P}}worker.claim(in_lane_id, in_worker_id, in_version, in_waited, in_rows, io_counted, io_task_id, io_log_id,
                          out_result, out_sql, out_parameters, out_transactional);
    end claim;

    procedure complete (
        in_lane_id in number, in_worker_id in varchar2, in_task_id in number, in_log_id in number, in_outcome in varchar2, in_rows in number,
        in_error_number in number, in_error_message in varchar2, in_error_backtrace in varchar2, out_lost out varchar2)
    is
    begin
        check_mine(in_lane_id, in_worker_id);
        {{.P}}worker.complete(in_worker_id, in_task_id, in_log_id, in_outcome, in_rows,
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
        select s.linger_seconds into l_options.wait from {{.P}}settings s where s.settings_id = 1;

        begin
            dbms_aq.dequeue('{{.Owner}}.{{.PU}}LANE_Q', l_options, l_properties, l_payload, l_message_id);
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
        {{.P}}worker.leave(in_lane_id, in_worker_id, in_again);
    end leave;

    procedure failed (in_lane_id in number, in_worker_id in varchar2, in_text in varchar2) is
    begin
        check_mine(in_lane_id, in_worker_id);
        {{.P}}worker.failed(in_lane_id, in_worker_id, in_text);
    end failed;
