    -- The unfinished task with a key: a committed one, or the caller's own; NULL = none. If another open transaction has one, both
    -- are stored, and the claim skips one.
    function task_of_key (in_row in task_row, in_submitter in varchar2) return number is
        l_task_id number;
    begin
        -- Users and keys are compared by NLSSORT, see {{.P}}rights, in every session. The first comparison uses the index; in a session
        -- with another collation it also finds similar keys.
        select min(t.task_id) into l_task_id
        from {{.P}}tasks t
        where t.unfinished_key = in_row.dedup_key and nlssort(t.unfinished_key, 'NLS_SORT=BINARY') = nlssort(in_row.dedup_key, 'NLS_SORT=BINARY')
          and t.process_id = in_row.process_id
          and nlssort(t.enqueued_by, 'NLS_SORT=BINARY') = nlssort(in_submitter, 'NLS_SORT=BINARY');

        return l_task_id;
    end task_of_key;

    function same_key (in_row in task_row, in_other in task_row) return boolean is
    begin
        return in_row.process_id = in_other.process_id and nlssort(in_row.dedup_key, 'NLS_SORT=BINARY') = nlssort(in_other.dedup_key, 'NLS_SORT=BINARY');
    end same_key;
