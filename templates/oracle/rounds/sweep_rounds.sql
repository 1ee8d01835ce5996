    procedure sweep is
        l_abandoned timestamp with time zone := {{.P}}base.utc_now - interval '30' second;
        l_last number := 0;
        l_id number;
    begin
        loop
            select min(m.reported_round_id) into l_id from {{.P}}round_members m where m.reported_round_id > l_last;
            exit when l_id is null;
            l_last := l_id;

            {{.P}}base.begin_transaction;
            for r in (select d.round_id from {{.P}}rounds d where d.round_id = l_last for update wait 10) loop
                forget_old_reports(r.round_id);
            end loop;
            commit write immediate wait;
        end loop;

        l_last := 0;
        loop
            select min(f.starting_id) into l_id from {{.P}}round_firings f where f.starting_id > l_last;
            exit when l_id is null;
            l_last := l_id;

            -- Its reporter orders it at once, if it is alive.
            for f in (select f.firing_id from {{.P}}round_firings f where f.starting_id = l_last and f.ordered_at is null and f.fired_at < l_abandoned) loop
                order_job(f.firing_id);
            end loop;

            look(l_last, 30, 'its last member reported, but ended before it had seen the job run; ');
        end loop;
    end sweep;
