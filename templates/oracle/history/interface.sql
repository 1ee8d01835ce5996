    procedure purge (in_days in number default null) is
    begin
        {{.P}}rights.require_administrator('purge');
        {{.P}}admin.purge(in_days);
    end purge;
