    -- Procedure: acknowledge_alarms
    -- Purpose: Marks alarms as known, so that status counts only newer ones. They remain in {{.PU}}ALARM_INFO.
    -- Parameters:
    --   in_up_to number = null: id of the last alarm to mark, with all before it; NULL = all
    --   in_alarm_id number = null: the only alarm to mark, whatever in_up_to is; NULL = see in_up_to
    -- Errors:
    --   20061: the caller is not an administrator
    -- Example: dbsched.acknowledge_alarms(17);
    procedure acknowledge_alarms (in_up_to in number default null, in_alarm_id in number default null);
