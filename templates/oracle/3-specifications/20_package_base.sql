create or replace package {{.P}}base authid definer as
    -- Package: {{.PU}}BASE
    -- Purpose: What all packages with the owner's rights share: errors, the clock, where this is, bounds, the beginning of a transaction.
    -- Access: private

    -- A row that is to be locked was not to be had in time: ORA-30006 of FOR UPDATE WAIT, and ORA-00054.
    e_held exception; pragma exception_init(e_held, -30006);
    e_busy exception; pragma exception_init(e_busy, -54);
    -- A job that is to be run runs still.
    e_running exception; pragma exception_init(e_running, -27478);

    -- Procedure: fail
    -- Purpose: Raises an error of dbsched's own.
    -- Parameters:
    --   in_number pls_integer (required): its number, without sign
    --   in_text varchar2 (required): its text, without the beginning that all have
    -- Errors: in_number
    -- Example: {{.P}}base.fail(20024, 'there is no task 7.');
    procedure fail (in_number in pls_integer, in_text in varchar2);

    -- Function: utc_now
    -- Purpose: The time, in UTC.
    -- Parameters: none
    -- Errors: none
    -- Example: l_now := {{.P}}base.utc_now;
    function utc_now return timestamp with time zone;

    -- Function: home
    -- Purpose: Which database and schema this is, in names that restart and switchover leave alone: DB_UNIQUE_NAME is not among them. In a
    -- pluggable database DB_NAME may be that one's own name; CDB_NAME is the container's (SQL Language Reference, SYS_CONTEXT).
    -- Parameters: none
    -- Errors: none
    -- Example: select {{.P}}base.home from dual
    function home return varchar2;

    -- Procedure: need_whole
    -- Purpose: Refuses what is no whole number within bounds.
    -- Parameters:
    --   in_name varchar2 (required): what it is, the beginning of the error's text
    --   in_value number (required): the value
    --   in_from number (required): the least
    --   in_to number = 2147483647: the most
    --   in_null_too boolean = false: true = NULL is all right
    -- Errors:
    --   20003: it is out of range
    -- Example: {{.P}}base.need_whole('in_weight', in_weight, 1, 1000);
    procedure need_whole (in_name in varchar2, in_value in number, in_from in number, in_to in number default 2147483647, in_null_too in boolean default false);

    -- Procedure: begin_transaction
    -- Purpose: Rolls back, and begins a transaction in which each statement sees what was committed before it: whoever has waited for
    -- a row must see what its holder did. A session may ask for another isolation level, and would see one instant for as long
    -- as it waits, or end with ORA-08177. Every autonomous unit begins with it.
    -- Parameters: none
    -- Errors: none
    -- Example: {{.P}}base.begin_transaction;
    procedure begin_transaction;

    -- Procedure: lock_process
    -- Purpose: Locks a process that is not forgotten, until the transaction ends.
    -- Parameters:
    --   in_process_id number (required): the process
    --   out_held varchar2 OUT: Y = somebody has held it for a second, who halts or cancels very many tasks: others must not wait for him, too
    -- Errors: none of its own
    -- Example: {{.P}}base.lock_process(7, l_held);
    procedure lock_process (in_process_id in number, out_held out varchar2);
end {{.P}}base;
