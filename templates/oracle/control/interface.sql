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
