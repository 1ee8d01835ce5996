    -- Package: {{.PU}}ROUND
    -- Purpose: Rounds: sets of outside jobs, and a successor that is started when all of a set have succeeded. The session that
    -- reports last starts a job, with the rights of {{.Owner}}; no worker is needed, so it starts even while the scheduler is stopped.
    -- Each procedure is one or more short transactions. None may be called inside another transaction.
    -- Access: private

    -- Names of members.
    type t_names is table of varchar2(4000);

    -- Procedure: define
    -- Purpose: Defines a round, changes it, or removes one without members.
    -- Parameters:
    --   in_round varchar2 (required): name of the round
    --   in_members t_names (required): names of its members
    --   in_successor_job varchar2 (required): job to start, or
    --   in_successor_sql clob (required): text to enqueue as a task
    --   in_execution_order number (required): wave of that task
    --   in_process_id number (required): process of that task, NULL = the default process
    --   in_max_age_seconds number (required): seconds that a report counts
    --   in_start_seconds number (required): seconds until the job must be seen running
    -- Errors:
    --   20003, 20004, 20006, 20050, 20053, 20054, 20055, 20056: see dbsched.define_round
    procedure define (
        in_round in varchar2,
        in_members in t_names,
        in_successor_job in varchar2,
        in_successor_sql in clob,
        in_execution_order in number,
        in_process_id in number,
        in_max_age_seconds in number,
        in_start_seconds in number);

    -- Procedure: report
    -- Purpose: Records the report of a round's member. The report that completes a generation ends it and enqueues the task in the
    -- same transaction, or orders the job afterwards and waits until it is seen running.
    -- Parameters:
    --   in_round varchar2 (required): name of the round
    --   in_member varchar2 (required): name of the member
    --   in_succeeded boolean (required): false = the member failed
    --   out_outcome varchar2 OUT: Waiting, Reported, Started, Failed or Unknown
    -- Errors:
    --   20003, 20050, 20051, 20052, 20053: see dbsched.report_round
    procedure report (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean,
        out_outcome out varchar2);

    -- Procedure: sweep
    -- Purpose: Maintains rounds without reporters: reports that became too old, and starts where the reporter ended before it had seen
    -- the job run. A job that was not ordered is ordered; one that may have been ordered is not ordered again.
    procedure sweep;
