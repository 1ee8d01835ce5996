    procedure begin_work (in_worker_id in varchar2, in_log_id in number) is
    begin
        update {{.P}}logs g
        set g.worker_id = g.worker_id
        where g.log_id = in_log_id and g.worker_id = in_worker_id and g.ended_at is null;

        if sql%rowcount <> 1 then
            raise_application_error(-20099, 'dbsched 20099: attempt ' || in_log_id || ' no longer belongs to this worker.');
        end if;
    end begin_work;
