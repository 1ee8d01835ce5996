    procedure acknowledge_alarms (in_up_to in number default null, in_alarm_id in number default null) is
        pragma autonomous_transaction;
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('acknowledge_alarms');

        update {{.P}}alarms a
        set a.acknowledged_at = systimestamp at time zone '+00:00', a.acknowledged_by = sys_context('USERENV', 'SESSION_USER')
        where a.acknowledged_at is null and a.alarm_id between nvl(in_alarm_id, 0) and coalesce(in_alarm_id, in_up_to, a.alarm_id);

        commit write immediate wait;
    end acknowledge_alarms;
