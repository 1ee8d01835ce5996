    -- Whether the worker may claim, under the settings row's lock. out_result: NULL = yes, else why not. io_counted: the number of workers
    -- for which the lanes were last counted, and this one has been Busy since; NULL = it is not.
    procedure may_claim (
        in_lane_id in number, in_worker_id in varchar2, in_version in varchar2, in_settings in {{.P}}settings%rowtype, in_succeeded in boolean,
        io_counted in out number, out_result out varchar2)
    is
        l_mine pls_integer;
        l_condemned pls_integer;
        l_others pls_integer;
    begin
        if in_settings.started = 'N' or in_settings.version <> in_version or is_copy(in_settings) then
            out_result := 'Stopped';
        end if;

        -- Who has just ended an attempt that nobody was stopping has its lane, and it is not condemned.
        if in_succeeded and io_counted <= in_settings.max_workers then
            return;
        end if;

        -- A worker that was considered dead but is not no longer has a lane.
        select count(*), count(l.condemned_by) into l_mine, l_condemned
        from {{.P}}lanes l
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

        if l_condemned > 0 then
            -- A STOP_JOB meant for the last attempt may still arrive and would end the next one, so the worker leaves. Leave tells
            -- the dispatcher, which after a stop may be waiting for this session only.
            out_result := 'Limit';
        elsif l_mine = 0 then
            out_result := 'Stopped';
        elsif out_result is null and in_lane_id <= 1000 and (io_counted is null or io_counted > in_settings.max_workers) then
            select count(*) into l_others
            from {{.P}}lanes l
            where l.lane_id <= in_settings.max_lanes and l.lane_id <> in_lane_id and l.state in ('Starting', 'Assigned', 'Busy');

            -- A lane above the installed number must end, whatever the others do.
            if l_others >= in_settings.max_workers or in_lane_id > in_settings.max_lanes then
                out_result := 'Limit';
            end if;
        end if;
        io_counted := in_settings.max_workers;
    end may_claim;
