    -- Locks a process, unless another session holds it for 50 milliseconds, such as one that halts it with very many tasks: all workers wait
    -- for this claim. A completion can hold it for a moment; later statements see its changes.
    procedure lock_soon (in_process_id in number, out_process out {{.P}}processes%rowtype) is
    begin
        for i in 1 .. 6 loop
            begin
                select p.* into out_process from {{.P}}processes p where p.process_id = in_process_id for update nowait;
                exit;
            exception
                when {{.P}}base.e_busy then
                    if i = 6 then
                        raise;
                    end if;
                    dbms_session.sleep(0.01);
            end;
        end loop;
    end lock_soon;
