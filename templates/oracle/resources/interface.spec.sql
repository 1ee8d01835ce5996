    -- Procedure: define_resource
    -- Purpose: Defines a resource: a named semaphore that tasks and sessions hold. Defining it again changes the capacity: more
    -- capacity is granted at once; less capacity takes nothing away from the holders.
    -- Parameters:
    --   in_name varchar2 (required): its name, at most 128 characters, case-sensitive
    --   in_capacity number = 1: units that may be held at the same time; 1 to 1000000
    -- Errors:
    --   20003: in_capacity is NULL or out of range
    --   20041: in_name is NULL, empty or too long
    --   20061: the caller is not an administrator
    -- Example: dbsched.define_resource('warehouse', 3);
    procedure define_resource (in_name in varchar2, in_capacity in number default 1);

    -- Procedure: drop_resource
    -- Purpose: Removes a resource with no holders or waiters. A task that still names it, because its transaction was not committed yet
    -- or because it is retried later, fails with 20040.
    -- Parameters:
    --   in_name varchar2 (required): its name
    -- Errors:
    --   20040: the resource does not exist
    --   20047: the resource has holders or waiters, or an unfinished task names it
    --   20061: the caller is not an administrator
    -- Example: dbsched.drop_resource('old warehouse');
    procedure drop_resource (in_name in varchar2);

    -- Procedure: acquire_resource
    -- Purpose: Waits in line for a resource, first come, first served. The grant lasts until release_resource, until the lease runs
    -- out, or, without a lease, until the session or its task ends. A pooled session does not end when it returns to its pool: use a
    -- lease. If the call is interrupted, its request remains in line until its timeout. An open transaction remains open and keeps
    -- its locks.
    -- Parameters:
    --   in_name varchar2 (required): the resource
    --   out_request_id number OUT: id for release_resource; NULL = timeout, and the request is withdrawn
    --   in_access varchar2 = 'Shared': Shared takes one unit; Exclusive takes all, after all earlier requests and before all later ones
    --   in_timeout_seconds number = 60: longest wait in seconds; 0 = do not wait; at most 604800
    --   in_lease_seconds number = null: seconds until the grant is taken away; 1 to 604800; NULL = held while the session lives
    --   in_requester varchar2 = null: name that the caller gives itself, at most 128 characters; NULL = the session's user
    -- Errors:
    --   20003: a number is NULL or out of range
    --   20008: in_access is not an allowed value
    --   20040: the resource does not exist
    --   20041: in_name or in_requester is empty or too long
    --   20042: the session would wait for itself
    --   20043: the session and others would wait for each other
    --   20044: the request was removed from the line
    -- Example: dbsched.acquire_resource('warehouse', l_request_id, in_timeout_seconds => 600);
    procedure acquire_resource (
        in_name in varchar2,
        out_request_id out number,
        in_access in varchar2 default 'Shared',
        in_timeout_seconds in number default 60,
        in_lease_seconds in number default null,
        in_requester in varchar2 default null);

    -- Procedure: release_resource
    -- Purpose: Releases what acquire_resource granted; the next in line gets it. An error means that the grant was lost before.
    -- Administrators can end any user's request this way.
    -- Parameters:
    --   in_request_id number (required): the request, from acquire_resource or {{.P}}resource_info
    -- Errors:
    --   20044: the request does not exist, or no longer exists
    --   20045: the request belongs to another user
    --   20046: the request belongs to a task, which releases it when it ends
    -- Example: dbsched.release_resource(12);
    procedure release_resource (in_request_id in number);
