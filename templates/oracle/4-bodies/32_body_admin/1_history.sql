create or replace package body {{.P}}admin as
    procedure set_options (
        in_linger_seconds in number,
        in_idle_sweep_seconds in number,
        in_retention_days in number,
        in_max_retry_delay_seconds in number,
        in_max_orphans in number,
        in_outage_seconds in number,
        in_max_tasks_per_user in number,
        in_default_timeout_seconds in number)
    is
        pragma autonomous_transaction;
        l_locked number;
        l_now timestamp with time zone := systimestamp at time zone '+00:00';
    begin
        {{.P}}base.begin_transaction;
        {{.P}}base.need_whole('in_linger_seconds', in_linger_seconds, 0, 3600, true);
        {{.P}}base.need_whole('in_idle_sweep_seconds', in_idle_sweep_seconds, 1, 86400, true);
        {{.P}}base.need_whole('in_retention_days', in_retention_days, 1, 36500, true);
        {{.P}}base.need_whole('in_max_retry_delay_seconds', in_max_retry_delay_seconds, 0, 86400, true);
        {{.P}}base.need_whole('in_max_orphans', in_max_orphans, 0, 100, true);
        {{.P}}base.need_whole('in_outage_seconds', in_outage_seconds, 0, 2592000, true);
        {{.P}}base.need_whole('in_max_tasks_per_user', in_max_tasks_per_user, 0, in_null_too => true);
        {{.P}}base.need_whole('in_default_timeout_seconds', in_default_timeout_seconds, 0, in_null_too => true);
        if coalesce(in_linger_seconds, in_idle_sweep_seconds, in_retention_days, in_max_retry_delay_seconds, in_max_orphans,
                    in_outage_seconds, in_max_tasks_per_user, in_default_timeout_seconds) is null then
            {{.P}}base.fail(20003, 'no option was given; pass at least one.');
        end if;

        select s.settings_id into l_locked from {{.P}}settings s where s.settings_id = 1 for update wait 30;

        -- The next sweep was planned with the old pause.
        update {{.P}}settings s
        set s.linger_seconds = nvl(in_linger_seconds, s.linger_seconds),
            s.idle_sweep_seconds = nvl(in_idle_sweep_seconds, s.idle_sweep_seconds),
            s.retention_days = nvl(in_retention_days, s.retention_days),
            s.max_retry_delay_seconds = nvl(in_max_retry_delay_seconds, s.max_retry_delay_seconds),
            s.max_orphans = nvl(in_max_orphans, s.max_orphans),
            s.outage_seconds = nvl(in_outage_seconds, s.outage_seconds),
            s.max_tasks_per_user = nvl(in_max_tasks_per_user, s.max_tasks_per_user),
            s.default_timeout_seconds = nvl(in_default_timeout_seconds, s.default_timeout_seconds),
            s.next_sweep_at = least(s.next_sweep_at, l_now + numtodsinterval(nvl(in_idle_sweep_seconds, s.idle_sweep_seconds), 'SECOND')),
            s.changed_at = l_now
        where s.settings_id = 1;

        {{.P}}wake.send_now;
        commit write immediate wait;
    end set_options;

    procedure prune (in_cutoff in timestamp with time zone, out_rows out number, out_full out varchar2) is
        type t_ids is table of number;
        l_ids t_ids;
        l_at timestamp with time zone;

        -- Small slices keep locks and undo small.
        procedure count_slice (in_rows in number) is
        begin
            out_rows := out_rows + in_rows;
            if in_rows >= 400 then -- among the oldest 500 some may not have ended
                out_full := 'Y';
            end if;
            commit write immediate wait;
            {{.P}}base.begin_transaction;
        end count_slice;
    begin
        {{.P}}base.begin_transaction;
        out_rows := 0;
        out_full := 'N';

        -- Tasks that are being retried are skipped: retry_process locks tasks in another order (ORA-00060).
        select t.task_id bulk collect into l_ids
        from {{.P}}tasks t
        where t.finished_at < in_cutoff and rownum <= 500
        for update skip locked;

        forall i in 1 .. l_ids.count
            delete from {{.P}}tasks t where t.task_id = l_ids(i) and t.finished_at < in_cutoff;

        count_slice(sql%rowcount);

        delete from {{.P}}processes p
        where p.finished_at < in_cutoff and p.process_id <> 1 and p.running = 0
          and not exists (select 1 from {{.P}}tasks t where t.unfinished_process_id = p.process_id)
          and rownum <= 500;
        count_slice(sql%rowcount);

        -- Ids rise with time: if the oldest row is young, there is nothing to delete. Running attempts among the oldest rows never fill
        -- a slice.
        select max(g.started_at) into l_at from {{.P}}logs g where g.log_id = (select min(i.log_id) from {{.P}}logs i);
        if l_at < in_cutoff then
            delete from {{.P}}logs g
            where g.ended_at < in_cutoff
              and g.log_id in (select o.log_id from (select i.log_id from {{.P}}logs i order by i.log_id) o where rownum <= 500);
            count_slice(sql%rowcount);
        end if;

        select max(a.raised_at) into l_at from {{.P}}alarms a where a.alarm_id = (select min(i.alarm_id) from {{.P}}alarms i);
        if l_at < in_cutoff then
            delete from {{.P}}alarms a
            where a.raised_at < in_cutoff
              and a.alarm_id in (select o.alarm_id from (select i.alarm_id from {{.P}}alarms i order by i.alarm_id) o where rownum <= 500);
            count_slice(sql%rowcount);
        end if;

        select max(f.logged_at) into l_at from {{.P}}schedule_firings f where f.firing_id = (select min(i.firing_id) from {{.P}}schedule_firings i);
        if l_at < in_cutoff then
            delete from {{.P}}schedule_firings f
            where f.logged_at < in_cutoff and f.status <> 'Waiting'
              and f.firing_id in (select o.firing_id from (select i.firing_id from {{.P}}schedule_firings i order by i.firing_id) o where rownum <= 500);
            count_slice(sql%rowcount);
        end if;

        -- Keep the last firing of each round: round_info shows it.
        delete from {{.P}}round_firings f
        where f.fired_at < in_cutoff and f.status <> 'Starting'
          and f.firing_id in (select o.firing_id
                              from (select i.firing_id from {{.P}}round_firings i
                                    where exists (select 1 from {{.P}}round_firings n where n.round_id = i.round_id and n.generation > i.generation)
                                    order by i.firing_id) o
                              where rownum <= 500);
        count_slice(sql%rowcount);
    end prune;

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

