    -- Claims delete marks. While none come, thousands would pile up, and a reader would pass over their deleted entries for ever: one stays of those
    -- that are committed. An error is left to the next transaction: this one has nothing to do with it. 1013: the caller was interrupted.
    procedure merge_marks (in_process_id in number) is
        pragma autonomous_transaction;
        type mark_rows is table of rowid;
        l_marks mark_rows;
    begin
        {{.P}}base.begin_transaction;

        select rowid bulk collect into l_marks
        from {{.P}}wake_sent w
        where w.process_id = in_process_id
        order by w.claim_order, w.claim_key
        for update skip locked;

        forall i in 2 .. l_marks.count
            delete from {{.P}}wake_sent where rowid = l_marks(i);
        commit write immediate wait;
    exception
        when others then
            rollback;
            if sqlcode = -1013 then
                raise;
            end if;
    end merge_marks;

    procedure send (in_process_id in number, in_order in number default 9999999999, in_key in number default 0) is
        l_id varchar2(64) := dbms_transaction.local_transaction_id(true);
        l_marks pls_integer;
        l_sent pls_integer;
    begin
        select count(*), count(case w.transaction_id when l_id then 1 end) into l_marks, l_sent
        from {{.P}}wake_sent w
        where w.process_id = in_process_id;

        if l_sent > 0 then
            update {{.P}}wake_sent w
            set w.claim_order = in_order, w.claim_key = in_key
            where w.process_id = in_process_id and w.transaction_id = l_id
              and (w.claim_order > in_order or (w.claim_order = in_order and w.claim_key > in_key));
            return;
        end if;

        -- In this order: a message that cannot be sent leaves no mark behind.
        send_now;
        if l_marks >= 10 then
            merge_marks(in_process_id);
        end if;
        insert into {{.P}}wake_sent (transaction_id, process_id, claim_order, claim_key) values (l_id, in_process_id, in_order, in_key);
    end send;
