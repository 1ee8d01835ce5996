create or replace package {{.P}}rights authid definer as
    -- Package: {{.PU}}RIGHTS
    -- Purpose: Who calls, and what the caller may do. Where tasks run as a runner, users may do with their own tasks what they
    -- like, and administrators everything; where they run as the owner, whoever may call the packages at all is trusted.
    -- Access: private

    -- Function: submitter
    -- Purpose: The user in whose name the session acts: inside a task the one who enqueued it, else the session's user.
    -- Parameters: none
    -- Errors: none
    -- Example: l_by := {{.P}}rights.submitter;
    function submitter return varchar2;

    -- Function: administrator
    -- Purpose: Y if that user may do everything: the owner, who was granted it, and without a runner whoever calls.
    -- Parameters: none
    -- Errors: none
    -- Example: select {{.P}}rights.administrator from dual
    function administrator return varchar2;

    -- Function: may_administer
    -- Purpose: True for administrators, but not for their tasks: all tasks share the runner, and one that is written to do harm can
    -- take the place of another's. What administrators see, their tasks see.
    -- Parameters: none
    -- Errors: none
    -- Example: if {{.P}}rights.may_administer then ...
    function may_administer return boolean;

    -- Procedure: require_administrator
    -- Purpose: Refuses everybody else.
    -- Parameters:
    --   in_what varchar2 (required): what is asked for, the beginning of a sentence
    -- Errors:
    --   20061: the caller is no administrator
    -- Example: {{.P}}rights.require_administrator('set_workers');
    procedure require_administrator (in_what in varchar2);

    -- Procedure: require_owner
    -- Purpose: Refuses whoever is neither an administrator nor the user whose something is.
    -- Parameters:
    --   in_user varchar2 (required): whose it is
    --   in_number number (required): number of the error, without sign
    --   in_what varchar2 (required): what it is, the beginning of a sentence
    -- Errors:
    --   in_number: it belongs to another user
    -- Example: {{.P}}rights.require_owner(l_created_by, 20006, 'process 7');
    procedure require_owner (in_user in varchar2, in_number in number, in_what in varchar2);
end {{.P}}rights;
