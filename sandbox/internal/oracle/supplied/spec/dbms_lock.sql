package dbms_lock authid current_user is
    nl_mode constant integer := 1;
    ss_mode constant integer := 2;
    sx_mode constant integer := 3;
    s_mode constant integer := 4;
    ssx_mode constant integer := 5;
    x_mode constant integer := 6;
    maxwait constant integer := 32767;
    badseconds_num constant number := -38148;
    badseconds exception;
    pragma exception_init(badseconds, -38148);

    -- ALLOCATE_UNIQUE is not modeled.
    function request (
        id in integer, lockmode in integer default x_mode, timeout in integer default maxwait, release_on_commit in boolean default false)
        return integer;
    function request (
        lockhandle in varchar2, lockmode in integer default x_mode, timeout in integer default maxwait,
        release_on_commit in boolean default false)
        return integer;
    -- CONVERT is not modeled,
    -- with a number or with a handle.
    function release (id in integer) return integer;
    function release (lockhandle in varchar2) return integer;
    procedure sleep (seconds in number);
end;
