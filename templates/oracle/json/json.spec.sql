    -- Package: {{.PU}}JSON
    -- Purpose: Reads JSON text one level at a time. JSON_OBJECT_T is not used: it accepts more than JSON, silently keeps one of two
    -- members with the same name, and does not tell how a number is written.
    -- Access: private

    -- A member of an object, or an element of an array, which has no name. kind: Object, Array, String, Number, Boolean or Null. The
    -- text of a string is decoded; other text is as written. A text of more than 32767 bytes, or an object or array of more than
    -- 8,000 characters, is in long_text, and text is NULL.
    type item is record (
        name varchar2(32767),
        kind varchar2(7),
        text varchar2(32767),
        long_text clob);
    type item_list is table of item index by pls_integer;

    -- Function: parse
    -- Purpose: The members of an object or the elements of an array, in order, including those with the same name.
    -- Parameters:
    --   in_json clob (required): the text
    --   out_members item_list OUT: its members, from 1
    -- Errors: none; returns Object or Array, or NULL if the text is neither, is not JSON (RFC 8259), or is nested more than 50 deep
    function parse (in_json in clob, out_members out item_list) return varchar2;

    -- Function: text_of
    -- Purpose: The text of a member, however long.
    -- Parameters:
    --   in_item item (required): the member
    function text_of (in_item in item) return clob;

    -- Function: value_of
    -- Purpose: The value of a number, independent of the session's decimal character.
    -- Parameters:
    --   in_text varchar2 (required): text of a member of kind Number
    -- Errors: VALUE_ERROR or ORA-01426 if NUMBER cannot hold it
    function value_of (in_text in varchar2) return number;
