create or replace package {{.P}}resource authid definer as
    -- Package: {{.PU}}RESOURCE
    -- Purpose: Resources: named semaphores, and the lines of the tasks and sessions that want them. Who changes a line holds the
    -- lock on its resource's row until the commit, and takes its place under it: so places are in the order of commits.
    -- Access: private

    -- Function: resource_of
    -- Purpose: Number of a resource, NULL: there is none of that name.
    -- Parameters:
    --   in_name varchar2 (required): its name
    -- Errors: none of its own
    -- Example: l_resource_id := {{.P}}resource.resource_of(in_resource);
    function resource_of (in_name in varchar2) return number;

    -- Procedure: join_line
    -- Purpose: Takes the resource that a task needs, or puts the task into the resource's line. Joins the transaction that is
    -- open, which holds the locks on the task and its process.
    -- Parameters:
    --   in_process_id number (required): process of the task
    --   in_task_id number (required): the task
    --   in_resource_id number (required): the resource
    --   in_access varchar2 (required): Shared or Exclusive
    --   out_state varchar2 OUT: Granted: the task holds the resource and may start; Waiting: it stands in the line; Gone: the
    --       resource was dropped
    -- Errors: none of its own
    -- Example: see {{.P}}worker.claim
    procedure join_line (
        in_process_id in number,
        in_task_id in number,
        in_resource_id in number,
        in_access in varchar2,
        out_state out varchar2);

    -- Procedure: leave_line
    -- Purpose: Takes a task, or all tasks of a process that have ended, out of the lines, where they hold and where they wait,
    -- and grants to those whose turn it is now. Joins the transaction that is open, which holds the process row's lock.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_task_id number = null: the task; NULL = all tasks of the process that have ended
    -- Errors: none of its own
    -- Example: {{.P}}resource.leave_line(7);
    procedure leave_line (in_process_id in number, in_task_id in number default null);

    -- Procedure: free_stale
    -- Purpose: Takes out of the lines those whose session died, whose lease ran out, or who gave up, with an alarm for each that
    -- held a resource, and grants to the next. A short transaction of its own for each.
    -- Parameters:
    --   in_resource_id number = null: only the line of this resource; NULL = all
    -- Errors: none of its own
    -- Example: {{.P}}resource.free_stale;
    procedure free_stale (in_resource_id in number default null);

    -- Procedure: serve
    -- Purpose: Takes back leases that have run out, and makes tasks Pending that were granted what they waited for. A short
    -- transaction of its own for each.
    -- Parameters: none
    -- Errors: none of its own
    -- Example: {{.P}}resource.serve;
    procedure serve;

    -- Procedure: sweep
    -- Purpose: What the sweep does about lines: those of dead sessions, and of tasks that have ended.
    -- Parameters: none
    -- Errors: none of its own
    -- Example: {{.P}}resource.sweep;
    procedure sweep;

    -- Procedure: define
    -- Purpose: Defines a resource or changes its capacity. A transaction of its own.
    -- Parameters:
    --   in_name varchar2 (required): its name
    --   in_capacity number (required): units that may be held at once
    -- Errors: none of its own
    -- Example: see dbsched.define_resource
    procedure define (in_name in varchar2, in_capacity in number);

    -- Procedure: forget
    -- Purpose: Removes a resource that nobody wants. A transaction of its own.
    -- Parameters:
    --   in_name varchar2 (required): its name
    -- Errors:
    --   20040: there is no such resource
    --   20047: somebody wants it
    -- Example: see dbsched.drop_resource
    procedure forget (in_name in varchar2);

    -- Procedure: acquire
    -- Purpose: Puts the calling session into the line of a resource and waits for its turn. Transactions of its own.
    -- Parameters:
    --   in_name varchar2 (required): the resource
    --   in_access varchar2 (required): Shared or Exclusive
    --   in_requester varchar2 (required): what the caller calls itself
    --   in_timeout_seconds number (required): longest wait
    --   in_lease_seconds number (required): how long it may be held, NULL = as long as the session lives
    --   out_request_id number OUT: the request, NULL if nothing was granted
    -- Errors:
    --   20040: there is no such resource
    --   20042: the session would wait for itself
    --   20043: the session and others would wait for each other
    --   20044: the request was taken out of the line
    -- Example: see dbsched.acquire_resource
    procedure acquire (
        in_name in varchar2,
        in_access in varchar2,
        in_requester in varchar2,
        in_timeout_seconds in number,
        in_lease_seconds in number,
        out_request_id out number);

    -- Procedure: give_back
    -- Purpose: Ends a request for a resource, and grants to those whose turn it is now. A transaction of its own.
    -- Parameters:
    --   in_request_id number (required): the request
    -- Errors:
    --   20044: there is no such request (any more)
    --   20045: the request is another user's
    --   20046: the request is a task's, which gives it back when it ends
    -- Example: see dbsched.release_resource
    procedure give_back (in_request_id in number);
end {{.P}}resource;
