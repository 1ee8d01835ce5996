    -- Enable, Disable, Run or Drop.
    procedure order_schedule (in_name in varchar2, in_order in varchar2) is
        pragma autonomous_transaction;
        l_row {{.P}}schedules%rowtype;
        l_now timestamp(6) := sys_extract_utc(systimestamp);
    begin
        {{.P}}base.begin_transaction;
        begin
            select s.* into l_row from {{.P}}schedules s where s.name = in_name for update wait 30;
        exception
            when no_data_found then
                {{.P}}base.fail(20071, 'there is no schedule "' || substrb(in_name, 1, 400) || '".');
        end;
        {{.P}}rights.require_owner(l_row.owner, 20072, 'schedule "' || in_name || '"');
        if in_order = 'Run' then
            insert into {{.P}}schedule_firings (firing_id, schedule_id, name, due_at, manual, status, logged_at, owner)
            values ({{.P}}schedule_firing_seq.nextval, l_row.schedule_id, in_name, sys_extract_utc(systimestamp), 'Y', 'Waiting',
                    systimestamp at time zone '+00:00', l_row.owner);
            update {{.P}}schedules s set s.waiting = s.waiting + 1, s.look_at = l_now where s.schedule_id = l_row.schedule_id;
        elsif in_order = 'Enable' then
            update {{.P}}schedules s set s.status = 'Enabled', s.reason = null, s.look_at = l_now
            where s.schedule_id = l_row.schedule_id and s.status <> 'Enabled';
        else
            update {{.P}}schedule_firings f
            set f.status = 'Skipped', f.detail = case in_order when 'Drop' then 'the schedule was dropped' else 'the schedule was disabled' end
            where f.schedule_id = l_row.schedule_id and f.status = 'Waiting';
            if in_order = 'Drop' then
                delete from {{.P}}schedules s where s.schedule_id = l_row.schedule_id;
            else
                update {{.P}}schedules s set s.status = case s.status when 'Enabled' then 'Disabled' else s.status end, s.look_at = null, s.waiting = 0
                where s.schedule_id = l_row.schedule_id;
            end if;
        end if;
        {{.P}}wake.send_now;
        commit write immediate wait;
    end order_schedule;
