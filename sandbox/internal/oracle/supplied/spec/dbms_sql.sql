package dbms_sql authid current_user is
    v6 constant integer := 0;
    native constant integer := 1;
    v7 constant integer := 2;
    inconsistent_type exception;
    pragma exception_init(inconsistent_type, -6562);

    type desc_rec is record (
        col_type binary_integer := 0,
        col_max_len binary_integer := 0,
        col_name varchar2(32) := '',
        col_name_len binary_integer := 0,
        col_schema_name varchar2(32) := '',
        col_schema_name_len binary_integer := 0,
        col_precision binary_integer := 0,
        col_scale binary_integer := 0,
        col_charsetid binary_integer := 0,
        col_charsetform binary_integer := 0,
        col_null_ok boolean := true);
    type desc_tab is table of desc_rec index by binary_integer;
    type desc_rec2 is record (
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
        col_null_ok boolean := true);
    type desc_tab2 is table of desc_rec2 index by binary_integer;
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
    function execute_and_fetch (c in integer, exact in boolean default false) return integer;
    function fetch_rows (c in integer) return integer;
    function last_error_position return integer;
    procedure describe_columns (c in integer, col_cnt out integer, desc_t out desc_tab);
    procedure describe_columns2 (c in integer, col_cnt out integer, desc_t out desc_tab2);
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
    procedure bind_variable_char (c in integer, name in varchar2, value in char);
    procedure bind_variable_char (c in integer, name in varchar2, value in char, out_value_size in integer);
    procedure bind_variable_raw (c in integer, name in varchar2, value in raw);
    procedure bind_variable_raw (c in integer, name in varchar2, value in raw, out_value_size in integer);

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
    procedure define_column_char (c in integer, position in integer, column in char, column_size in integer);
    procedure define_column_raw (c in integer, position in integer, column in raw, column_size in integer);
    procedure define_column_long (c in integer, position in integer);

    procedure column_value (c in integer, position in integer, value out number);
    procedure column_value (c in integer, position in integer, value out varchar2);
    procedure column_value (c in integer, position in integer, value out date);
    procedure column_value (c in integer, position in integer, value out timestamp);
    procedure column_value (c in integer, position in integer, value out timestamp with time zone);
    procedure column_value (c in integer, position in integer, value out interval day to second);
    procedure column_value (c in integer, position in integer, value out binary_float);
    procedure column_value (c in integer, position in integer, value out binary_double);
    procedure column_value (c in integer, position in integer, value out clob);
    procedure column_value (c in integer, position in integer, value out blob);
    procedure column_value_char (c in integer, position in integer, value out char);
    procedure column_value_raw (c in integer, position in integer, value out raw);

    procedure variable_value (c in integer, name in varchar2, value out number);
    procedure variable_value (c in integer, name in varchar2, value out varchar2);
    procedure variable_value (c in integer, name in varchar2, value out date);
    procedure variable_value (c in integer, name in varchar2, value out timestamp);
    procedure variable_value (c in integer, name in varchar2, value out timestamp with time zone);
    procedure variable_value (c in integer, name in varchar2, value out interval day to second);
    procedure variable_value (c in integer, name in varchar2, value out binary_float);
    procedure variable_value (c in integer, name in varchar2, value out binary_double);
    procedure variable_value (c in integer, name in varchar2, value out clob);
    procedure variable_value (c in integer, name in varchar2, value out blob);
    procedure variable_value_char (c in integer, name in varchar2, value out char);
    procedure variable_value_raw (c in integer, name in varchar2, value out raw);
end;
