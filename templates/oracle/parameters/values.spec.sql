    -- Package: {{.PU}}VALUES
    -- Purpose: Values that are bound to a task's text. They are a JSON object like {"customer_id integer": 7, "since date":
    -- "2026-01-31", "name": "x"}: the name of a member is the variable without its colon, and its type. Without a type: number for a
    -- number, true (1) and false (0); varchar2 for null and a string; clob for a string longer than 4000 bytes. Invoker's rights:
    -- only the user who parsed a cursor can bind its variables (ORA-29470).
    -- Access: private

    -- Procedure: check_all
    -- Purpose: Checks values, so that binding them cannot fail later.
    -- Parameters:
    --   in_parameters clob (required): the JSON
    --   out_error number OUT: number of the error, NULL = the values are valid
    --   out_problem varchar2 OUT: text of the error
    -- Errors: none raised; in out_error
    --   20031: the parameters are not a JSON object, or too many
    --   20032: a name is not valid, or occurs twice
    --   20033: a type cannot be bound
    --   20034: a value does not match its type
    procedure check_all (in_parameters in clob, out_error out number, out_problem out varchar2);

    -- Procedure: bind_all
    -- Purpose: Binds values by name and type.
    -- Parameters:
    --   in_cursor integer (required): parsed cursor of DBMS_SQL
    --   in_parameters clob (required): the JSON
    -- Errors: ORA-01006 if the text has no such variable
    procedure bind_all (in_cursor in integer, in_parameters in clob);

    -- Function: instant_of
    -- Purpose: The instant in a text like 2026-01-31T04:05:06, with or without a fraction and a zone (+02:00, Z). Without a zone it
    -- is UTC.
    -- Parameters:
    --   in_text varchar2 (required): the text
    -- Errors: any: the text is not such an instant
    function instant_of (in_text in varchar2) return timestamp with time zone;
