declare
    -- dbsched: a task scheduler inside the database. How it works:

    --   Tables       {{.P}}tasks, {{.P}}processes, {{.P}}logs, {{.P}}lanes, {{.P}}settings ... are the only truth. Finished and
    --                running, waiting and pending are columns; nothing lives in messages or in memory.
    --   Enqueue      dbsched.exec_async adds a row to {{.P}}tasks in the caller's transaction and sends one wake-up message
    --                per transaction to the queue {{.P}}wake_q, ON_COMMIT: row and message become visible together, or
    --                not at all. It never calls DBMS_SCHEDULER, which would commit the caller's transaction.
    --   Dispatch     The job {{.P}}dispatcher, one session, waits in DBMS_AQ.DEQUEUE, empties the queue, then reads what is
    --                committed and gives lanes to runnable tasks: a session that still waits gets a message, an ended one
    --                is started with RUN_JOB. It never runs tasks. Between messages it is the sweep, too: due retries,
    --                dead workers, retention.
    --   Lanes        One job {{.P}}lane_nn for each worker slot, without a schedule. Standing jobs, because a job per task
    --                would cost a job start each time.
    --   Work         A worker takes its lane's DBMS_LOCK (held = alive), then repeats: claim (under the settings row's
    --                lock: choose a process by policy, take its first pending task of the lowest unfinished order, write
    --                the log row, commit), run (nothing of ours open), complete (fenced by task, attempt and worker).
    --                With nothing to claim it says Idle under that same lock, waits for a message for a while, and ends.
    --   Jobs' text   The jobs are anonymous blocks that call every step by EXECUTE IMMEDIATE: a call from a stored unit,
    --                or a static one, would pin the packages for as long as the job lives, and replacing them would wait.
    --   Lock order   settings, processes, tasks, logs, resources, lanes, queue. Every change of an existing task holds its process
    --                row; enqueuers never do.
    --   Commits      COMMIT WRITE IMMEDIATE WAIT, always: inside PL/SQL a plain COMMIT does not wait for the log
    --                (Database PL/SQL Language Reference, COMMIT Statement), and a worker's call never ends.
    --   Errors       dbsched's own errors are ORA-20001 to ORA-20099, their texts begin with "dbsched 20nnn: "; the list
    --                is in the specification of package dbsched.
    --   Rights       Everything belongs to the schema it is installed into, and tasks run with that schema's rights.

    -- This first batch changes nothing; it refuses databases, users and rights with which the rest could not work.
    l_missing varchar2(4000);
    l_count pls_integer;
    l_name varchar2(128);

    -- Roles do not count inside definer's rights packages, so only direct grants do. USER_SYS_PRIVS shows no others.
    procedure need_privilege (in_privilege in varchar2) is
    begin
        select count(*) into l_count
        from user_sys_privs p
        where p.privilege in (in_privilege, replace(in_privilege, 'CREATE ', 'CREATE ANY '));

        if l_count = 0 then
            l_missing := l_missing || ' grant ' || lower(in_privilege) || ' to {{.Owner}};';
        end if;
    end need_privilege;

    -- PUBLIC has most of these unless somebody has hardened the database.
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
        raise_application_error(-20082, 'dbsched 20082: this is the root container; install dbsched into a pluggable database.');
    end if;

    if sys_context('USERENV', 'DATABASE_ROLE') <> 'PRIMARY' then
        raise_application_error(-20016, 'dbsched 20016: this database is a standby and cannot be written to.');
    end if;

    if sys_context('USERENV', 'SESSION_USER') <> {{.OwnerLit}} or sys_context('USERENV', 'CURRENT_SCHEMA') <> {{.OwnerLit}} then
        raise_application_error(-20085, 'dbsched 20085: this was rendered for the schema {{.Owner}}; connect as that user. You are '
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
        raise_application_error(-20083, 'dbsched 20083: rights are missing, granted directly, not through a role. Have a DBA run:' || substr(l_missing, 1, 1900));
    end if;

    -- By name only now: a block that names a package which may not be executed does not compile.
    execute immediate 'begin :1 := dbms_db_version.version; end;' using out l_count;
    if l_count < 19 then
        raise_application_error(-20080, 'dbsched 20080: this release is too old; dbsched needs Oracle Database 19c or later.');
    end if;

    -- The journal of the migrations is made first: where it is, the names are ours.
    select count(*) into l_count from user_tables t where t.table_name = '{{.PU}}INSTALL_STEPS';
    if l_count = 0 then
        select min(o.object_name) into l_name
        from user_objects o
        where regexp_like(o.object_name, '^{{.PU}}LANE_[0-9][0-9]$') or o.object_name in (
            {{list 12 .ObjectNames}});

        if l_name is not null then
            raise_application_error(-20084, 'dbsched 20084: the schema holds an object ' || l_name || ' that is not dbsched''s; choose another prefix or schema.');
        end if;
    end if;
end;
