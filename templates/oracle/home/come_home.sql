    function is_copy (in_settings in {{.P}}settings%rowtype) return boolean is
        l_place varchar2(5) := {{.P}}base.place(in_settings.home, in_settings.home_guid, in_settings.also_on);
    begin
        if l_place = 'Copy' then
            alarm('Copy', 'This is a copy of ' || in_settings.home || ', where the scheduler was started. If the database moved:'
                || ' dbsched.start_scheduler(in_moved => true) (dbsched start --moved). To run tasks here, too: in_here (dbsched start --here).');
        elsif l_place = 'Moved' then
            alarm('Moved', 'The scheduler moved from ' || in_settings.home || ' to ' || {{.P}}base.home || ', which dbsched start --also-on has'
                || ' named, or whose container has the same GUID. If the other database is still open, both run the same tasks:'
                || ' run dbsched stop in one of them.');
            update {{.P}}settings s set s.home = {{.P}}base.home, s.home_guid = {{.P}}base.container_guid where s.settings_id = 1;
        end if;

        return l_place = 'Copy';
    end is_copy;
