    procedure need_whole (in_name in varchar2, in_value in number, in_from in number, in_to in number default 2147483647, in_null_too in boolean default false) is
    begin
        if (in_value is null and not in_null_too) or in_value <> trunc(in_value) or in_value not between in_from and in_to then
            fail(20003, in_name || ' must be a whole number from ' || in_from || ' to ' || in_to || '.');
        end if;
    end need_whole;

    procedure need_settings is
        l_count pls_integer;
    begin
        select count(*) into l_count from {{.P}}settings s;
        if l_count = 0 then
            fail(20039, 'the row of {{.PU}}SETTINGS is missing, so no task runs. To bring it back with default values, run: dbsched install.');
        end if;
    end need_settings;

    procedure begin_transaction is
    begin
        rollback;
        set transaction isolation level read committed;
    end begin_transaction;
