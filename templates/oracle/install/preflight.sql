declare
    -- dbsched: a task scheduler inside the database. How it works:

    --   Tables       {{.P}}tasks, {{.P}}processes, {{.P}}logs, {{.P}}lanes, {{.P}}settings ... hold the whole state. Messages are
    --                only wake-ups, and nothing is kept in memory.
    --   Enqueue      dbsched.exec_async inserts a row into {{.P}}tasks in the caller's transaction and sends one wake-up message
    --                per transaction to the queue {{.P}}wake_q, ON_COMMIT: row and message become visible together or
    --                not at all. It never calls DBMS_SCHEDULER, which would commit the caller's transaction.
    --   Dispatch     The job {{.P}}dispatcher, one session, waits in DBMS_AQ.DEQUEUE, empties the queue, reads the committed
    --                tasks and gives lanes to those that can run: a waiting session gets a message, an ended one is
    --                started with RUN_JOB. It never runs tasks. Between messages it also does the sweep: due retries,
    --                dead workers, retention.
    --   Lanes        One job {{.P}}lane_nn for each worker slot, without a schedule. They are permanent, because a job per
    --                task would cost a job start each time.
    --   Work         A worker takes its lane's DBMS_LOCK (held = alive), then repeats: claim (under the settings row's
    --                lock: choose a process by policy, take its first pending task of the lowest unfinished order, write
    --                the log row, commit), run (no transaction of dbsched's is open), complete (fenced by task, attempt and
    --                worker). Without work it sets Idle under the same lock, waits for a message for a while, and ends.
    --   Jobs' text   The jobs are anonymous blocks that call each step by EXECUTE IMMEDIATE: a static call, or a call from a
    --                stored unit, would pin the packages while the job runs, and replacing them would wait.
    --   Lock order   settings, processes, tasks, logs, resources, lanes, queue. Every change of an existing task holds the row of its
    --                process; enqueuers never do.
    --   Commits      Always COMMIT WRITE IMMEDIATE WAIT: inside PL/SQL a plain COMMIT does not wait for the log until the
    --                call ends (Database PL/SQL Language Reference, COMMIT Statement), and a worker's call goes on.
    --   Errors       dbsched's errors are ORA-20001 to ORA-20099, with texts that begin with "dbsched 20nnn: ". The
    --                specification of package dbsched lists them.
    --   Rights       All objects belong to the schema that dbsched is installed in, and tasks run with that schema's rights.

    -- This first batch changes nothing. It fails if the database, the user or the rights do not allow the installation.
    l_missing varchar2(4000);
    l_count pls_integer;
    l_name varchar2(128);

    -- Only direct grants count, because roles are off inside definer's rights packages. USER_SYS_PRIVS shows only direct grants.
    procedure need_privilege (in_privilege in varchar2) is
    begin
        select count(*) into l_count
        from user_sys_privs p
        where p.privilege in (in_privilege, replace(in_privilege, 'CREATE ', 'CREATE ANY '));

        if l_count = 0 then
            l_missing := l_missing || ' grant ' || lower(in_privilege) || ' to {{.Owner}};';
        end if;
    end need_privilege;

    -- PUBLIC has most of these, except in a hardened database.
    procedure need_package (in_package in varchar2) is
    begin
        select count(*) into l_count
        from all_tab_privs p
        where p.table_schema = 'SYS' and p.table_name = in_package and p.privilege = 'EXECUTE'
          and p.grantee in ({{.OwnerLit}}, 'PUBLIC');

        if l_count = 0 then
            l_missing := l_missing || ' grant execute on sys.' || lower(in_package) || ' to {{.Owner}};';
        end if;
    end need_package;
begin
    if sys_context('USERENV', 'CON_NAME') = 'CDB$ROOT' then
        raise_application_error(-20082, 'dbsched 20082: this is the root container. Install dbsched into a pluggable database.');
    end if;

    if sys_context('USERENV', 'DATABASE_ROLE') <> 'PRIMARY' then
        raise_application_error(-20016, 'dbsched 20016: this database is a read-only standby. Connect to the primary database.');
    end if;

    if sys_context('USERENV', 'SESSION_USER') <> {{.OwnerLit}} or sys_context('USERENV', 'CURRENT_SCHEMA') <> {{.OwnerLit}} then
        raise_application_error(-20085, 'dbsched 20085: this script was rendered for the schema {{.Owner}}. Connect as that user. You are '
            || sys_context('USERENV', 'SESSION_USER') || ' in schema ' || sys_context('USERENV', 'CURRENT_SCHEMA') || '.');
    end if;

{{- range .Grants}}
{{- if .Package}}
    need_package('{{.Package}}');
{{- else if .Checked}}
    need_privilege('{{.Privilege}}');
{{- end}}
{{- end}}

    select count(*) into l_count from session_privs p where p.privilege = 'UNLIMITED TABLESPACE';
    if l_count = 0 then
        select count(*) into l_count
        from user_users u
        inner join user_ts_quotas q on q.tablespace_name = u.default_tablespace
        where q.max_bytes = -1 or q.bytes < q.max_bytes;

        if l_count = 0 then
            select u.default_tablespace into l_name from user_users u;
            l_missing := l_missing || ' alter user {{.Owner}} quota unlimited on ' || lower(l_name) || ';';
        end if;
    end if;

    if l_missing is not null then
        raise_application_error(-20083, 'dbsched 20083: rights are missing. They must be granted directly, not through a role. Have a DBA run:' || substr(l_missing, 1, 1900));
    end if;

    -- Dynamic, because a block that names a package without the right to execute it does not compile.
    execute immediate 'begin :1 := dbms_db_version.version; end;' using out l_count;
    if l_count < 19 then
        raise_application_error(-20080, 'dbsched 20080: this release is too old. dbsched needs Oracle Database 19c or later.');
    end if;

    -- "Scheduler jobs always use the database default edition" (Administrator's Guide): they would not see what another edition holds. Whether the
    -- schema is enabled for editions, only DBA_USERS says.
    select max(p.property_value) into l_name
    from database_properties p
    where p.property_name = 'DEFAULT_EDITION' and p.property_value <> sys_context('USERENV', 'CURRENT_EDITION_NAME');

    if l_name is not null then
        raise_application_error(-20086, 'dbsched 20086: this session uses the edition ' || sys_context('USERENV', 'CURRENT_EDITION_NAME')
            || ', but jobs use the default one. Run: alter session set edition = ' || l_name || '. Then install again.');
    end if;

    -- The version and the journal of the migrations are created first. If one exists, the names are dbsched's.
    select count(*) into l_count from user_tables t where t.table_name in ('{{.PU}}INSTALL_STEPS', '{{.PU}}SCHEMA_VERSION');
    if l_count = 0 then
        select min(o.object_name) into l_name
        from user_objects o
        where regexp_like(o.object_name, '^{{.PU}}LANE_[0-9][0-9]$') or o.object_name in (
            {{list 12 .ObjectNames}});

        if l_name is not null then
            raise_application_error(-20084, 'dbsched 20084: the schema contains an object ' || l_name || ' that is not dbsched''s. Rename it, or install into another schema.');
        end if;
    end if;
end;
