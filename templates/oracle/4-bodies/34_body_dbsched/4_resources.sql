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
    begin
        {{.P}}rights.require_administrator('set_options');
        {{.P}}base.need_settings;
        {{.P}}admin.set_options(in_linger_seconds, in_idle_sweep_seconds, in_retention_days, in_max_retry_delay_seconds, in_max_orphans,
                                 in_outage_seconds, in_max_tasks_per_user, in_default_timeout_seconds);
    end set_options;

    procedure set_alarm_hook (in_procedure in varchar2 default null) is
    begin
        {{.P}}rights.require_administrator('set_alarm_hook');
        {{.P}}base.need_settings;
        {{.P}}admin.set_alarm_hook(in_procedure);
    end set_alarm_hook;

    procedure purge (in_days in number default null) is
    begin
        {{.P}}rights.require_administrator('purge');
        {{.P}}admin.purge(in_days);
    end purge;

