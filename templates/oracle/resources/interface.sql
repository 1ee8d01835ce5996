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
