    -- Orders the jobs of lanes that are Starting and not yet ordered. RUN_JOB commits, so the caller has no open transaction.
    procedure start_lanes (out_again out varchar2) is
        l_last number := 0;
        l_lane_id number;
        l_job varchar2(160);
        l_error varchar2(1000);
    begin
        out_again := 'N';

        loop
            select min(l.lane_id) into l_lane_id
            from {{.P}}lanes l
            where l.lane_id > l_last and l.state = 'Starting' and l.ordered_at is null;

            exit when l_lane_id is null;
            l_last := l_lane_id;
            l_job := '{{.JobOwner}}.{{.PU}}LANE_' || to_char(l_lane_id, 'FM00');

            begin
                dbms_scheduler.run_job(job_name => l_job, use_current_session => false);

                update {{.P}}lanes l
                set l.ordered_at = systimestamp at time zone '+00:00'
                where l.lane_id = l_lane_id and l.state = 'Starting' and l.ordered_at is null;

                commit write immediate wait;
            exception
                -- The job is just ending.
                when {{.P}}base.e_running then
                    rollback;
                    out_again := 'Y';
                -- 27492: the job queue is off; 27475, 27476: the job is gone.
                when others then
                    l_error := substrb(sqlerrm, 1, 1000);
                    rollback;
                    out_again := 'Y';
                    {{.P}}worker.alarm('LaneNotStarted', 'The job ' || l_job || ' could not be started: ' || l_error, in_lane_id => l_lane_id);
                    commit write immediate wait;
            end;
        end loop;
    end start_lanes;
