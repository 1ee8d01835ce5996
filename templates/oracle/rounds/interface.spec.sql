    -- Procedure: define_round
    -- Purpose: Defines a round: a set of outside jobs, and a successor that is started when all of them have reported success. Each job
    -- calls report_round as its last step. Defining a round again changes it, discards its reports, and begins a new generation.
    -- With no members, dbsched.t_names(), it is removed.
    -- Parameters:
    --   in_round varchar2 (required): name of the round, at most 128 characters
    --   in_members t_names (required): names of its members, each at most 128 characters
    --   in_successor_job varchar2 = null: DBMS_SCHEDULER job to start, enabled or not, NAME or SCHEMA.NAME; without a schema it is a job
    --       of {{.Owner}}, which must own the job or have ALTER on it
    --   in_successor_sql clob = null: instead of a job: SQL statement or PL/SQL block to enqueue as a task of the user who defines the round
    --   in_execution_order number = 1: wave of that task
    --   in_process_id number = null: process of that task; NULL = the default process
    --   in_max_age_seconds number = 43200: seconds after which a report no longer counts; 1 to 31536000
    --   in_start_seconds number = 60: seconds that the last reporter waits until the job is seen running; 1 to 3600
    -- Errors:
    --   20003: a number is NULL, out of range or not a whole number
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20050: in_round is NULL, empty or longer than 128 characters
    --   20053: the round belongs to another user
    --   20054: in_members is NULL, or not a list of distinct names of at most 128 characters
    --   20055: not exactly one of in_successor_job and in_successor_sql is given, or the job name is not valid
    --   20056: only {{.Owner}} may define a job as the successor
    -- Example: dbsched.define_round('load', dbsched.t_names('LOAD_A', 'LOAD_B'), in_successor_job => 'REPORT');
    procedure define_round (
        in_round in varchar2,
        in_members in t_names,
        in_successor_job in varchar2 default null,
        in_successor_sql in clob default null,
        in_execution_order in number default 1,
        in_process_id in number default null,
        in_max_age_seconds in number default 43200,
        in_start_seconds in number default 60);

    -- Procedure: report_round
    -- Purpose: Reports that a member of a round has succeeded or failed. Call it as the last step of each job, after the job has
    -- committed its work: the report counts at once, even if the caller rolls back. When all members have succeeded, the successor
    -- is started exactly once, even if two report at the same instant. The session that reports last starts a job and waits until it
    -- is seen running; a job that cannot be started raises an alarm, not an error, because the member has done its work. If a task
    -- cannot be enqueued, the report is refused and can be made again.
    -- Parameters:
    --   in_round varchar2 (required): name of the round
    --   in_member varchar2 (required): name of the member
    --   in_succeeded boolean = true: false = the member failed
    -- Errors: those of exec_async for the task, and
    --   20003: in_succeeded is NULL
    --   20050: in_round or in_member is NULL
    --   20051: the round does not exist
    --   20052: the round does not have this member
    --   20053: the round belongs to another user
    --   20057: the user that defined the round no longer exists, or may no longer enqueue
    -- Example: dbsched.report_round('load', 'LOAD_A');
    procedure report_round (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean default true);

    -- Procedure: report_round
    -- Purpose: Like the first, and returns the outcome. An OUT parameter cannot have a default, so there are two procedures.
    -- Parameters:
    --   in_round varchar2 (required): name of the round
    --   in_member varchar2 (required): name of the member
    --   in_succeeded boolean = true: false = the member failed
    --   out_outcome varchar2 OUT: Waiting (for other members), Started (this was the last report), or, with an alarm: Reported (a
    --       failure), Failed (the successor could not be started), Unknown (the job is not known to run)
    -- Errors:
    --   those of the first
    -- Example: dbsched.report_round('load', 'LOAD_A', out_outcome => l_outcome);
    procedure report_round (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean default true,
        out_outcome out varchar2);
