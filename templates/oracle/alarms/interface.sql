    procedure set_alarm_hook (in_procedure in varchar2 default null) is
    begin
        {{.P}}rights.require_administrator('set_alarm_hook');
        {{.P}}base.need_settings;
        {{.P}}admin.set_alarm_hook(in_procedure);
    end set_alarm_hook;
