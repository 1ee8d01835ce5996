    -- Package: {{.PU}}BASE
    -- Purpose: What all packages with the owner's rights share: errors, the clock, the database's identity, range checks, transactions.
    -- Access: private

    -- A row lock was not granted in time: ORA-30006 of FOR UPDATE WAIT, and ORA-00054.
    e_held exception; pragma exception_init(e_held, -30006);
    e_busy exception; pragma exception_init(e_busy, -54);
    -- A job that is to be started still runs.
    e_running exception; pragma exception_init(e_running, -27478);

    -- Procedure: fail
    -- Purpose: Raises an error of dbsched.
    -- Parameters:
    --   in_number pls_integer (required): its number, without sign
    --   in_text varchar2 (required): its text, without the common prefix
    -- Errors: in_number
    procedure fail (in_number in pls_integer, in_text in varchar2);

    -- Function: utc_now
    -- Purpose: The current time in UTC.
    function utc_now return timestamp with time zone;

    -- Function: claim_key
    -- Purpose: The claim_key of a task: its place in its wave, lower starts first.
    -- Parameters:
    --   in_priority number (required): its priority
    --   in_expected_seconds number (required): its expected duration
    --   in_task_id number (required): its number
    function claim_key (in_priority in number, in_expected_seconds in number, in_task_id in number) return number;

    -- Function: home
    -- Purpose: Identifies this database and schema by names that survive restart and switchover; DB_UNIQUE_NAME does not. In a
    -- pluggable database DB_NAME may be the PDB's own name; CDB_NAME is the container's (SQL Language Reference, SYS_CONTEXT).
    function home return varchar2;

    -- Function: place
    -- Purpose: Where this database is, seen from where the scheduler was started: Home; Moved: it has another name, but the same container GUID,
    -- or is one of those named for it; or Copy. Nothing distinguishes a second copy with a named database's name, or one that was plugged in
    -- without AS CLONE.
    -- Parameters:
    --   in_home varchar2 (required): where it was started, NULL = not started yet
    --   in_home_guid varchar2 (required): GUID of that container, NULL = unknown
    --   in_also_on varchar2 (required): named databases, separated by commas, NULL = none
    function place (in_home in varchar2, in_home_guid in varchar2, in_also_on in varchar2) return varchar2;

    -- Function: container_guid
    -- Purpose: The GUID of this container, which a relocation may keep and a clone never has. NULL if it cannot be read: before 21c that needs
    -- SELECT on SYS.V_$PDBS.
    function container_guid return varchar2;

    -- Procedure: need_whole
    -- Purpose: Raises an error unless a value is a whole number within bounds.
    -- Parameters:
    --   in_name varchar2 (required): name of the value, the start of the error text
    --   in_value number (required): the value
    --   in_from number (required): the minimum
    --   in_to number = 2147483647: the maximum
    --   in_null_too boolean = false: true = NULL is allowed
    -- Errors:
    --   20003: the value is out of range
    procedure need_whole (in_name in varchar2, in_value in number, in_from in number, in_to in number default 2147483647, in_null_too in boolean default false);

    -- Procedure: need_settings
    -- Purpose: Raises an error if the row of the settings is missing: a change of it would change nothing and say nothing.
    -- Errors:
    --   20039: the row is missing
    procedure need_settings;

    -- Procedure: begin_transaction
    -- Purpose: Rolls back, and begins a transaction in which each statement sees what was committed before it: a session that has
    -- waited for a row lock must see the changes of the previous holder. A session can have another isolation level, and would see
    -- one instant throughout its wait, or fail with ORA-08177. Every autonomous unit starts with this call. It needs no handler for a
    -- rollback: an error that leaves it rolls it back (PL/SQL Language Reference, "Autonomous Transactions").
    procedure begin_transaction;

    -- Procedure: lock_process
    -- Purpose: Locks a process that still exists, until the transaction ends.
    -- Parameters:
    --   in_process_id number (required): the process
    --   out_held varchar2 OUT: Y = another session has held it for a second: it halts or cancels very many tasks; do not wait for it
    procedure lock_process (in_process_id in number, out_held out varchar2);
