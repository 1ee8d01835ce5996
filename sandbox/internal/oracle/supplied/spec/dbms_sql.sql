package dbms_sql authid current_user is
    native constant integer := 1;

    type desc_rec3 is record (
        col_type binary_integer := 0,
        col_max_len binary_integer := 0,
        col_name varchar2(32767) := '',
        col_name_len binary_integer := 0,
        col_schema_name varchar2(128) := '',
        col_schema_name_len binary_integer := 0,
        col_precision binary_integer := 0,
        col_scale binary_integer := 0,
        col_charsetid binary_integer := 0,
        col_charsetform binary_integer := 0,
        col_null_ok boolean := true,
        col_type_name varchar2(128) := '',
        col_type_name_len binary_integer := 0);
    type desc_tab3 is table of desc_rec3 index by binary_integer;

    function open_cursor return integer;
    function is_open (c in integer) return boolean;
    procedure close_cursor (c in out integer);
    procedure parse (c in integer, statement in varchar2, language_flag in integer);
    procedure parse (c in integer, statement in clob, language_flag in integer);
    function execute (c in integer) return integer;
    function fetch_rows (c in integer) return integer;
    procedure describe_columns3 (c in integer, col_cnt out integer, desc_t out desc_tab3);

    procedure bind_variable (c in integer, name in varchar2, value in number);
    procedure bind_variable (c in integer, name in varchar2, value in varchar2);
    procedure bind_variable (c in integer, name in varchar2, value in varchar2, out_value_size in integer);
    procedure bind_variable (c in integer, name in varchar2, value in date);
    procedure bind_variable (c in integer, name in varchar2, value in timestamp);
    procedure bind_variable (c in integer, name in varchar2, value in timestamp with time zone);
    procedure bind_variable (c in integer, name in varchar2, value in interval day to second);
    procedure bind_variable (c in integer, name in varchar2, value in binary_float);
    procedure bind_variable (c in integer, name in varchar2, value in binary_double);
    procedure bind_variable (c in integer, name in varchar2, value in clob);
    procedure bind_variable (c in integer, name in varchar2, value in blob);
    procedure bind_variable_raw (c in integer, name in varchar2, value in raw);

    procedure define_column (c in integer, position in integer, column in number);
    procedure define_column (c in integer, position in integer, column in varchar2, column_size in integer);
    procedure define_column (c in integer, position in integer, column in date);
    procedure define_column (c in integer, position in integer, column in timestamp);
    procedure define_column (c in integer, position in integer, column in timestamp with time zone);
    procedure define_column (c in integer, position in integer, column in interval day to second);
    procedure define_column (c in integer, position in integer, column in binary_float);
    procedure define_column (c in integer, position in integer, column in binary_double);
    procedure define_column (c in integer, position in integer, column in clob);
    procedure define_column (c in integer, position in integer, column in blob);
    procedure define_column_raw (c in integer, position in integer, column in raw, column_size in integer);
    procedure define_column_long (c in integer, position in integer);
end;
