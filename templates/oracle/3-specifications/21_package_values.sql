create or replace package {{.P}}values authid current_user as
    -- Package: {{.PU}}VALUES
    -- Purpose: The values that are bound to a task's text. Their JSON is an object like {"customer_id integer": 7, "since date":
    -- "2026-01-31", "name": "x"}: a member's name is that of the variable without its colon, and its type unless it follows from
    -- the value: number of a number, of true (1) and of false (0), varchar2 of null and of a string, clob of one longer than
    -- 4000 bytes. Invoker's rights: a cursor's variables are bound by who has parsed it (ORA-29470).
    -- Access: private

    -- Procedure: check_all
    -- Purpose: Tells what is wrong with values, so that binding them cannot fail later.
    -- Parameters:
    --   in_parameters clob (required): the JSON
    --   out_error number OUT: number of the error, NULL: nothing is wrong
    --   out_problem varchar2 OUT: its text
    -- Errors: none raised; in out_error
    --   20031: the parameters are no JSON object, or too many
    --   20032: a parameter's name is none, or there twice
    --   20033: a parameter's type cannot be bound
    --   20034: a parameter's value is not one of its type
    -- Example: {{.P}}values.check_all('{"day date": "2026-01-31"}', l_error, l_problem);
    procedure check_all (in_parameters in clob, out_error out number, out_problem out varchar2);

    -- Procedure: bind_all
    -- Purpose: Binds them, by name and type.
    -- Parameters:
    --   in_cursor integer (required): cursor of DBMS_SQL that is parsed
    --   in_parameters clob (required): the JSON
    -- Errors: ORA-01006 if the text has no such variable
    -- Example: {{.P}}values.bind_all(l_cursor, '{"day date": "2026-01-31"}');
    procedure bind_all (in_cursor in integer, in_parameters in clob);

    -- Function: instant_of
    -- Purpose: The instant that a text like 2026-01-31T04:05:06, with or without a fraction and a zone (+02:00, Z), names. Without
    -- a zone it is UTC.
    -- Parameters:
    --   in_text varchar2 (required): the text
    -- Errors: any: the text is no such instant
    -- Example: l_at := {{.P}}values.instant_of('2026-01-31T04:05:06Z');
    function instant_of (in_text in varchar2) return timestamp with time zone;
end {{.P}}values;
