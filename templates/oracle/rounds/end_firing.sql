    -- Records the result of starting a job, with an alarm if it was not seen to run.
    procedure end_firing (in_firing_id in number, in_status in varchar2, in_detail in varchar2) is
    begin
        {{.P}}base.begin_transaction;

        update {{.P}}round_firings f
        set f.status = in_status, f.detail = substrb(in_detail, 1, 1300), f.ended_at = systimestamp at time zone '+00:00'
        where f.firing_id = in_firing_id and f.status = 'Starting';

        if sql%rowcount = 1 and in_status <> 'Started' then
            for r in (select d.name, d.defined_by, f.generation, f.job_owner, f.job_name
                      from {{.P}}round_firings f
                      inner join {{.P}}rounds d on d.round_id = f.round_id
                      where f.firing_id = in_firing_id)
            loop
                {{.P}}worker.alarm('RoundStart', 'Round "' || r.name || '", generation ' || r.generation || ': job "' || r.job_owner || '"."' || r.job_name
                    || case in_status when 'Failed' then '" was not started: ' else '" may not have started, and is not ordered again: ' end
                    || substrb(in_detail, 1, 1300), in_user => r.defined_by);
            end loop;
        end if;

        commit write immediate wait;
    end end_firing;
