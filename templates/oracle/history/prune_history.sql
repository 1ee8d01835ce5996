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
