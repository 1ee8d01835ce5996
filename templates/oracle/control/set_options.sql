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
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('set_options');
        {{.P}}base.need_settings;

        {{.P}}base.need_whole('in_linger_seconds', in_linger_seconds, 0, 3600, true);
        {{.P}}base.need_whole('in_idle_sweep_seconds', in_idle_sweep_seconds, 1, 86400, true);
        {{.P}}base.need_whole('in_retention_days', in_retention_days, 1, 36500, true);
        {{.P}}base.need_whole('in_max_retry_delay_seconds', in_max_retry_delay_seconds, 0, 86400, true);
        {{.P}}base.need_whole('in_max_orphans', in_max_orphans, 0, 100, true);
        {{.P}}base.need_whole('in_outage_seconds', in_outage_seconds, 0, 2592000, true);
        {{.P}}base.need_whole('in_max_tasks_per_user', in_max_tasks_per_user, 0, in_null_too => true);
        {{.P}}base.need_whole('in_default_timeout_seconds', in_default_timeout_seconds, 0, in_null_too => true);
        if coalesce(in_linger_seconds, in_idle_sweep_seconds, in_retention_days, in_max_retry_delay_seconds, in_max_orphans,
                    in_outage_seconds, in_max_tasks_per_user, in_default_timeout_seconds) is null then
            {{.P}}base.fail(20003, 'no option was given; pass at least one.');
        end if;

        select s.settings_id into l_locked from {{.P}}settings s where s.settings_id = 1 for update wait 30;

        -- The next sweep was planned with the old pause.
        update {{.P}}settings s
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

        {{.P}}wake.send_now;
        commit write immediate wait;
    end set_options;
