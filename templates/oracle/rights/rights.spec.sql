    -- Package: {{.PU}}RIGHTS
    -- Purpose: Identifies the caller and its rights. With a runner, users control their own tasks and administrators control
    -- everything. Without a runner tasks run as the owner, and everyone who may call the packages is trusted.
    -- Access: private

    -- Function: current_task
    -- Purpose: The task that the session runs, a record of NULL if it runs none. The task itself cannot change that.
    function current_task return {{.P}}tasks%rowtype;

    -- Function: submitter
    -- Purpose: The user that the session acts for: inside a task the user who enqueued it, otherwise the session's user. It is the
    -- name, # and the number (USER_ID of ALL_USERS): a user that is dropped and created again has another number, and owns nothing of
    -- the first. All tables hold users in this form.
    function submitter return varchar2;

    -- Function: same_user
    -- Purpose: True if two names, or two users as submitter returns them, are the same.
    -- Parameters:
    --   in_user varchar2 (required): the one
    --   in_other varchar2 (required): the other
    function same_user (in_user in varchar2, in_other in varchar2) return boolean;

    -- Function: name_of
    -- Purpose: The name of a user.
    -- Parameters:
    --   in_submitter varchar2 (required): the user, as submitter returns it
    function name_of (in_submitter in varchar2) return varchar2;

    -- Function: gone
    -- Purpose: True if a user was dropped, even if one of that name exists. Without a runner, where all tasks are the owner's, the name is
    -- enough.
    -- Parameters:
    --   in_submitter varchar2 (required): the user, as submitter returns it
    function gone (in_submitter in varchar2) return boolean;

    -- Function: barred
    -- Purpose: Why a user may not enqueue any more: words to follow its name. NULL: it may.
    -- Parameters:
    --   in_submitter varchar2 (required): the user, as submitter returns it
    function barred (in_submitter in varchar2) return varchar2;

    -- Function: administrator
    -- Purpose: Y if a user may do everything: the owner, users granted that right, and without a runner every caller.
{{- if .Runner}}
    -- Parameters:
    --   in_submitter varchar2 = null: the user, as submitter returns it; NULL = submitter
{{- end}}
    function administrator{{if .Runner}} (in_submitter in varchar2 default null){{end}} return varchar2;

    -- Function: may_administer
    -- Purpose: True for administrators, but not inside their tasks: all tasks share the runner, and a malicious task can replace
    -- another user's task. What administrators see, their tasks see.
    function may_administer return boolean;

    -- Procedure: require_administrator
    -- Purpose: Raises an error if the caller is not an administrator.
    -- Parameters:
    --   in_what varchar2 (required): the refused action, the start of a sentence
    -- Errors:
    --   20061: the caller is not an administrator
    procedure require_administrator (in_what in varchar2);

    -- Procedure: require_owner
    -- Purpose: Raises an error unless the caller is an administrator or the given user.
    -- Parameters:
    --   in_user varchar2 (required): the owner of the item
    --   in_number number (required): number of the error, without sign
    --   in_what varchar2 (required): the item, the start of a sentence
    -- Errors:
    --   in_number: the item belongs to another user
    procedure require_owner (in_user in varchar2, in_number in number, in_what in varchar2);

    -- Function: process_of
    -- Purpose: A process that the caller may use: the default process, which belongs to everyone, or its own.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_which varchar2 = null: the start of the error text
    -- Errors:
    --   20004: there is no such process
    --   20006: the process belongs to another user
    function process_of (in_process_id in number, in_which in varchar2 default null) return {{.P}}processes%rowtype;
