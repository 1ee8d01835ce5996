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
            {{.P}}base.fail(20012, 'in_name is NULL, empty or longer than 128 characters.');
        end if;

        {{.P}}base.need_whole('in_priority', in_priority, -1000000, 1000000);
        {{.P}}base.need_whole('in_weight', in_weight, 1, 1000);
        {{.P}}base.need_whole('in_max_parallel', in_max_parallel, 1, in_null_too => true);

        if in_priority > 0 or in_weight > 1 then
            {{.P}}rights.require_administrator('a process with a priority above 0 or a weight above 1, for which others wait,');
        end if;

        l_on_error := case lower(in_on_error) when 'halt' then 'Halt' when 'continue' then 'Continue' end;
        if l_on_error is null then
            {{.P}}base.fail(20008, 'in_on_error must be Halt or Continue.');
        end if;

        out_process_id := {{.P}}process_seq.nextval;

        insert into {{.P}}processes
            (process_id, name, status, priority, weight, max_parallel, on_error, created_at, created_by, created_by_os_user, created_by_client)
        values
            (out_process_id, in_name, l_status, in_priority, in_weight, in_max_parallel, l_on_error, systimestamp at time zone '+00:00',
             {{.P}}rights.submitter, substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));
    end create_process;
