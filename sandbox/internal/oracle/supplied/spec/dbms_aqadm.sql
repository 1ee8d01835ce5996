package dbms_aqadm authid current_user is
    normal_queue constant binary_integer := 0;
    exception_queue constant binary_integer := 1;
    non_persistent_queue constant binary_integer := 2;
    none constant binary_integer := 0;
    transactional constant binary_integer := 1;
    infinite constant binary_integer := -1;

    procedure create_queue_table (
        queue_table in varchar2, queue_payload_type in varchar2, storage_clause in varchar2 default null, sort_list in varchar2 default null,
        multiple_consumers in boolean default false, message_grouping in binary_integer default none, comment in varchar2 default null,
        auto_commit in boolean default true, primary_instance in binary_integer default 0, secondary_instance in binary_integer default 0,
        compatible in varchar2 default null, secure in boolean default false, replication_mode in binary_integer default none);
    procedure drop_queue_table (queue_table in varchar2, force in boolean default false, auto_commit in boolean default true);
    procedure create_queue (
        queue_name in varchar2, queue_table in varchar2, queue_type in binary_integer default normal_queue,
        max_retries in number default null, retry_delay in number default 0, retention_time in number default 0,
        dependency_tracking in boolean default false, comment in varchar2 default null, auto_commit in boolean default true);
    procedure drop_queue (queue_name in varchar2, auto_commit in boolean default true);
    procedure start_queue (queue_name in varchar2, enqueue in boolean default true, dequeue in boolean default true);
    procedure stop_queue (
        queue_name in varchar2, enqueue in boolean default true, dequeue in boolean default true, wait in boolean default true);
end;
