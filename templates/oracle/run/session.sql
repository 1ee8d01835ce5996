    -- Takes a setting back that a task may have made. Releases before 21c do not know READ_ONLY.
    procedure take_back (in_setting in varchar2) is
    begin
        execute immediate 'alter session ' || in_setting;
    exception
        when others then
            null;
    end take_back;

    -- The same session state for every task, independent of earlier tasks and of the job's creator (a job keeps its creator's NLS
    -- environment). Leftovers of the previous task are rolled back.
    procedure reset_session is
    begin
        -- Each would keep dbsched from recording how the task ended (ORA-00034, ORA-28193, ORA-12838).
        take_back('enable commit in procedure');
        rollback;
        take_back('set read_only = false');
        take_back('disable parallel dml');
        -- Each would change what later tasks do.
        take_back('enable parallel query');
        take_back('enable parallel ddl');
        take_back('set constraints = default');
        take_back('set row archival visibility = active');
        take_back('set error_on_overlap_time = false');
        -- Since 23ai. A low one would let other transactions roll back our claims (ORA-63300).
        take_back('set txn_priority = high');
        execute immediate 'alter session set current_schema = ' || dbms_assert.enquote_name(sys_context('USERENV', 'SESSION_USER'), false);
        execute immediate 'alter session set isolation_level = read committed';
        execute immediate 'alter session set time_zone = ''+00:00''';
        -- Language and territory first: they set the other parameters.
        execute immediate 'alter session set nls_language = ''AMERICAN''';
        execute immediate 'alter session set nls_territory = ''AMERICA''';
        execute immediate 'alter session set nls_calendar = ''GREGORIAN'' nls_sort = ''BINARY'' nls_comp = ''BINARY'' nls_numeric_characters = ''.,'''
            || ' nls_date_format = ''YYYY-MM-DD HH24:MI:SS'' nls_timestamp_format = ''YYYY-MM-DD HH24:MI:SS.FF'''
            || ' nls_timestamp_tz_format = ''YYYY-MM-DD HH24:MI:SS.FF TZH:TZM'' nls_length_semantics = ''BYTE'' nls_nchar_conv_excp = ''FALSE'''
            || ' ddl_lock_timeout = 0';
        -- Nobody would read what tasks print once one of them has called ENABLE: the buffer would fill up (ORU-10027).
        dbms_output.disable;
        dbms_application_info.set_client_info(null);
    end reset_session;

    -- Whether packages hold more than 64 MB of what tasks left in them, which only the end of the session frees. Needs no grant, unlike
    -- V$MYSTAT.
    function crowded return boolean is
        l_owners dbms_session.lname_array;
        l_units dbms_session.lname_array;
        l_types dbms_session.integer_array;
        l_used dbms_session.integer_array;
        l_free dbms_session.integer_array;
        l_bytes number := 0;
    begin
        dbms_session.get_package_memory_utilization(l_owners, l_units, l_types, l_used, l_free);
        for i in nvl(l_used.first, 1) .. nvl(l_used.last, 0) loop
            l_bytes := l_bytes + l_used(i) + l_free(i);
        end loop;
        return l_bytes > 64 * 1024 * 1024;
    end crowded;
