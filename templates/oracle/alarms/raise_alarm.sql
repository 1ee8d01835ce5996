    procedure alarm (
        in_kind in varchar2,
        in_text in varchar2,
        in_process_id in number default null,
        in_task_id in number default null,
        in_lane_id in number default null,
        in_user in varchar2 default null)
    is
        l_user varchar2(140) := in_user;
        l_same pls_integer;
{{- if .Runner}}
        l_of_user pls_integer;
{{- end}}
        l_alarm_id number;
        l_text varchar2(2000) := substrb(in_text, 1, 2000);
        l_since timestamp with time zone := {{.P}}base.utc_now - interval '10' minute;
    begin
        if l_user is null then
            select max(t.enqueued_by) into l_user from {{.P}}tasks t where t.task_id = in_task_id;
        end if;
        if l_user is null then
            select max(p.created_by) into l_user from {{.P}}processes p where p.process_id = in_process_id and p.process_id > 1;
        end if;

        -- Failures every few seconds, such as those of each lane, must not bury the other alarms.
        select count(*) into l_same
        from {{.P}}alarms a
        where a.alarm_id > (select max(b.alarm_id) from {{.P}}alarms b) - 100
          and a.kind = in_kind and a.alarm_text = l_text and a.raised_at > l_since;

{{- if .Runner}}

        -- Not those that tell of an attack. The last one says so.
        select count(*) into l_of_user
        from {{.P}}alarms a
        where a.alarm_id > (select max(b.alarm_id) from {{.P}}alarms b) - 100
          and nlssort(a.user_name, 'NLS_SORT=BINARY') = nlssort(l_user, 'NLS_SORT=BINARY') and a.raised_at > {{.P}}base.utc_now - interval '1' hour
          and in_kind <> 'WorkerError' and {{.P}}rights.name_of(l_user) <> {{.OwnerLit}}
          and not exists (select 1 from {{.P}}administrators d where nlssort(d.user_name, 'NLS_SORT=BINARY') = nlssort(l_user, 'NLS_SORT=BINARY'));

        l_same := l_same + greatest(l_of_user - 19, 0);
        if l_of_user = 19 then
            l_text := substrb(l_text, 1, 1800) || ' (This is the 20th alarm in an hour about what belongs to ' || {{.P}}rights.name_of(l_user)
                || '. Further ones are not recorded.)';
        end if;
{{- end}}

        if l_same = 0 then
            l_alarm_id := {{.P}}alarm_seq.nextval;

            insert into {{.P}}alarms (alarm_id, raised_at, kind, process_id, task_id, lane_id, user_name, alarm_text)
            values (l_alarm_id, systimestamp at time zone '+00:00', in_kind, in_process_id, in_task_id, in_lane_id, l_user, l_text);

            -- In a copy, hooks do not run; each call would wait there until start_scheduler.
            if in_kind <> 'Copy' then
                {{.P}}admin.call_hook(l_alarm_id, in_process_id);
            end if;
        end if;
    end alarm;
