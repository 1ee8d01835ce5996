    procedure set_policy (in_policy in varchar2) is
        pragma autonomous_transaction;
        l_policy varchar2(10) := case lower(in_policy) when 'fifo' then 'Fifo' when 'priority' then 'Priority' when 'roundrobin' then 'RoundRobin' end;
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('set_policy');
        {{.P}}base.need_settings;

        if l_policy is null then
            {{.P}}base.fail(20008, 'in_policy must be Fifo, Priority or RoundRobin.');
        end if;

        update {{.P}}settings s
        set s.policy = l_policy, s.changed_at = systimestamp at time zone '+00:00'
        where s.settings_id = 1;

        commit write immediate wait;
    end set_policy;
