    -- Package: {{.PU}}RESOURCE
    -- Purpose: Resources: named semaphores, and the lines of tasks and sessions for them. A session that changes a line locks the
    -- resource's row until the commit, and takes its place under that lock: places are in the order of commits.
    -- Access: private

    -- Function: resource_of
    -- Purpose: Id of a resource, NULL = the resource does not exist.
    -- Parameters:
    --   in_name varchar2 (required): its name
    function resource_of (in_name in varchar2) return number;

    -- Procedure: join_line
    -- Purpose: Takes the resource that a task needs, or puts the task into the resource's line. Joins the open transaction, which
    -- holds the locks on the task and its process.
    -- Parameters:
    --   in_process_id number (required): process of the task
    --   in_task_id number (required): the task
    --   in_resource_id number (required): the resource
    --   in_access varchar2 (required): Shared or Exclusive
    --   out_state varchar2 OUT: Granted: the task holds the resource and may start; Waiting: it is in the line; Gone: the resource
    --       was dropped
    procedure join_line (
        in_process_id in number,
        in_task_id in number,
        in_resource_id in number,
        in_access in varchar2,
        out_state out varchar2);

    -- Procedure: leave_line
    -- Purpose: Removes a task, or all tasks of a process that have ended or that an earlier wave keeps from starting, from the lines,
    -- whether they hold or wait, and grants to the next.
    -- Joins the open transaction, which holds the lock on the process row.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_task_id number = null: the task; NULL = all of those
    procedure leave_line (in_process_id in number, in_task_id in number default null);

    -- Procedure: free_stale
    -- Purpose: Removes requests from the lines if their session died, their lease ran out, or they gave up, with an alarm for each one
    -- that held a resource, and grants to the next. A short transaction of its own for each.
    -- Parameters:
    --   in_resource_id number = null: only the line of this resource; NULL = all
    procedure free_stale (in_resource_id in number default null);

    -- Procedure: serve
    -- Purpose: Takes back expired leases, and makes tasks Pending that were granted their resource. A short transaction of its own
    -- for each.
    procedure serve;

    -- Procedure: sweep
    -- Purpose: Cleans the lines up: requests of dead sessions and of ended tasks.
    procedure sweep;

    -- Procedure: define
    -- Purpose: Defines a resource or changes its capacity. A transaction of its own.
    -- Parameters:
    --   in_name varchar2 (required): its name
    --   in_capacity number (required): units that may be held at the same time
    procedure define (in_name in varchar2, in_capacity in number);

    -- Procedure: forget
    -- Purpose: Removes a resource with no holders or waiters. A transaction of its own.
    -- Parameters:
    --   in_name varchar2 (required): its name
    -- Errors:
    --   20040: the resource does not exist
    --   20047: the resource is in use
    procedure forget (in_name in varchar2);

    -- Procedure: acquire
    -- Purpose: Puts the calling session into the line of a resource and waits for its turn. Transactions of its own.
    -- Parameters:
    --   in_name varchar2 (required): the resource
    --   in_access varchar2 (required): Shared or Exclusive
    --   in_requester varchar2 (required): name that the caller gives itself
    --   in_timeout_seconds number (required): longest wait in seconds
    --   in_lease_seconds number (required): seconds that it may be held, NULL = while the session lives
    --   out_request_id number OUT: the request, NULL = nothing was granted
    -- Errors:
    --   20040: the resource does not exist
    --   20042: the session would wait for itself
    --   20043: the session and others would wait for each other
    --   20044: the request was removed from the line
    procedure acquire (
        in_name in varchar2,
        in_access in varchar2,
        in_requester in varchar2,
        in_timeout_seconds in number,
        in_lease_seconds in number,
        out_request_id out number);

    -- Procedure: give_back
    -- Purpose: Ends a request for a resource, and grants to the next. A transaction of its own.
    -- Parameters:
    --   in_request_id number (required): the request
    -- Errors:
    --   20044: the request does not exist, or no longer exists
    --   20045: the request belongs to another user
    --   20046: the request belongs to a task, which releases it when it ends
    procedure give_back (in_request_id in number);
