    procedure define (in_name in varchar2, in_capacity in number) is
        pragma autonomous_transaction;
        l_resource_id number;
        l_capacity number;
    begin
        {{.P}}base.begin_transaction;

        begin
            insert into {{.P}}resources (resource_id, name, capacity, created_at, changed_at)
            values ({{.P}}resource_seq.nextval, in_name, in_capacity, systimestamp at time zone '+00:00', systimestamp at time zone '+00:00');
        exception
            -- If two sessions define the same name, one waits for the other's commit and then finds it.
            when dup_val_on_index then
                l_resource_id := resource_of(in_name);
                l_capacity := lock_line(l_resource_id);

                update {{.P}}resources s
                set s.capacity = in_capacity, s.changed_at = systimestamp at time zone '+00:00'
                where s.resource_id = l_resource_id;

                grant_turns(l_resource_id, in_capacity);
        end;

        commit write immediate wait;
    end define;
