    -- Procedure: create_process
    -- Purpose: Creates a process: a named group of tasks. Its waves run in ascending order. Processes run side by side.
    -- Parameters:
    --   in_name varchar2 (required): display name, at most 128 characters; need not be unique
    --   out_process_id number OUT: id of the new process
    --   in_suspended boolean = false: true = its tasks wait until release_process is called
    --   in_on_error varchar2 = 'Halt': after a failed task: Halt (skip tasks that have not started) or Continue
    --   in_priority number = 0: under policy Priority, the highest is served first; -1000000 to 1000000; above 0: administrators only
    --   in_weight number = 1: share of the process under policy RoundRobin; 1 to 1000; above 1: administrators only
    --   in_max_parallel number = null: most tasks of the process that run at the same time; NULL = no limit of its own
    -- Errors:
    --   20003: a number is NULL or out of range
    --   20008: in_on_error is not an allowed value
    --   20012: in_name is NULL, empty or longer than 128 characters
    --   20061: in_priority is above 0 or in_weight above 1, and the caller is not an administrator
    -- Example: dbsched.create_process('nightly load', l_process_id);
    procedure create_process (
        in_name in varchar2,
        out_process_id out number,
        in_suspended in boolean default false,
        in_on_error in varchar2 default 'Halt',
        in_priority in number default 0,
        in_weight in number default 1,
        in_max_parallel in number default null);
