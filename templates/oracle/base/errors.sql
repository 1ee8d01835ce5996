    procedure fail (in_number in pls_integer, in_text in varchar2) is
    begin
        raise_application_error(0 - in_number, 'dbsched ' || in_number || ': ' || in_text);
    end fail;

    function utc_now return timestamp with time zone is
    begin
        return systimestamp at time zone '+00:00';
    end utc_now;

    function claim_key (in_priority in number, in_expected_seconds in number, in_task_id in number) return number is
    begin
        return in_task_id + ((1000000 - in_priority) * 10000000000 + 9999999999 - in_expected_seconds) * 10000000000000000000;
    end claim_key;
