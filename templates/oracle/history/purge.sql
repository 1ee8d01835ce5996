    procedure purge (in_days in number) is
        pragma autonomous_transaction;
        l_days number;
        l_cutoff timestamp with time zone;
        l_rows number;
        l_full varchar2(1);
    begin
        {{.P}}base.begin_transaction;
        {{.P}}base.need_whole('in_days', in_days, 0, 36500, true);

        select nvl(in_days, s.retention_days) into l_days from {{.P}}settings s where s.settings_id = 1;
        l_cutoff := (systimestamp at time zone '+00:00') - numtodsinterval(l_days, 'DAY');

        -- Stop when nothing was deleted, not when a slice is not full: the oldest 500 attempts may include a running one.
        loop
            prune(l_cutoff, l_rows, l_full);
            exit when l_rows = 0;
        end loop;

        commit write immediate wait;
    end purge;
