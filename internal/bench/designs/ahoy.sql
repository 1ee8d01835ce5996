create or replace package ahoy_proc as
    -- AHOY, "Light-weight asynchronous adhoc tasks processor" by Ludek Bob Jankovsky (2020), retold: a published design of
    -- worker jobs that poll a task table, reproduced with its holes so that dbsched can be compared with it. Plain Oracle 19c; it
    -- needs CREATE TABLE, CREATE SEQUENCE (of the identity column), CREATE PROCEDURE, CREATE JOB, and room in a tablespace. A
    -- line "/" ends a statement, as in SQL*Plus.
    --
    -- How it is used: insert rows with ATASK_STATE 'TBD' into AHOY_TASK, commit, set AHOY_PAR.APAR_THREADS, commit, and call
    -- threadAsync once. First in, first out. A thread that has taken a task starts one more while threads are missing. TBD becomes
    -- RUN, then OK or ERR. With APAR_THREADS = 0 a thread ends after one task.
    --
    -- What the published page had lost, and is completed here: the ends of both CREATE TABLE and the column APAR_LAST_ERR; the ends
    -- of package and body; every BEGIN, the word LOOP, every EXCEPTION; the parenthesis that ends the WITH clause; the commits
    -- after ERR and after APAR_LAST_ERR. Changed: the job's start is SYSTIMESTAMP (SYSDATE would get the session's zone, which may
    -- put the start hours ahead); names that nothing assigns are constants.
    --
    -- The holes, kept:
    --   * Threads come one at a time, one job start after the other.
    --   * APAR_THREADS and the number of jobs are read when a task is taken and compared when it has ended. So a lower number makes
    --     nobody end before the task after the present one has run, and then all end that took theirs before the first was gone:
    --     with tasks of one length nobody is left, whatever there is to do.
    --   * Two threads that choose a name for a new job at the same time choose the same one: ORA-27477 ends the second, whose
    --     task stays RUN until it counts as an orphan.
    --   * An orphan is a RUN task of which no job has the name; nobody looks before a thread takes its next task, and the task of
    --     a thread called in a session, which is no job, is one from the start.
    --   * What a failed task did is committed with its error; of the error SQLERRM is all that is kept.
    --   * A thread that ends for want of work keeps the table lock until its transaction ends: a job's does at once.

    -- Starts one more thread, as a job.
    procedure threadAsync;

    -- Is a thread: takes tasks until there are none or threads are too many.
    procedure thread (p_job_name varchar2);
end ahoy_proc;
/
create table ahoy_task (
    atask_key integer generated as identity primary key,
    atask_cmd clob,
    atask_state varchar2(20),
    atask_start timestamp,
    atask_end timestamp,
    atask_msg clob,
    atask_job varchar2(100)
)
/
create table ahoy_par (
    apar_threads integer,
    apar_last_err clob
)
/
insert into ahoy_par (apar_threads, apar_last_err) values (0, '')
/
create or replace package body ahoy_proc as
    c_package_name constant varchar2(100) := 'AHOY_PROC';
    c_thread_prefix constant varchar2(100) := 'AHOY_JOB_';

    procedure threadAsync is
        v_name varchar2(100);
        v_cnt integer;
        v_max integer;
    begin
        -- The new job's number is one more than the highest there is.
        select count(1), max(to_number(regexp_substr(job_name, '\d+$')))
        into v_cnt, v_max
        from user_scheduler_jobs
        where regexp_like(job_name, '^' || c_thread_prefix || '\d+$');

        v_name := c_thread_prefix || to_char(nvl(v_max, 0) + 1);

        dbms_scheduler.create_job(
            job_name => v_name,
            job_type => 'PLSQL_BLOCK',
            job_action => 'begin ' || c_package_name || '.thread(''' || v_name || '''); end;',
            number_of_arguments => 0,
            start_date => systimestamp);
        dbms_scheduler.enable(v_name);
    end threadAsync;

    procedure thread (p_job_name varchar2) is
        v_ataskKey integer;
        v_ataskCmd clob;
        v_ataskCnt integer;
        v_err clob;
        v_maxThreads integer;
        v_curThreads integer;
    begin
        loop
            -- One thread at a time looks for a task; the table itself does not matter.
            lock table ahoy_par in exclusive mode;

            -- The oldest that is to be done, and how many are in its state. A task that runs for a job of this name cannot be
            -- running: the job is here.
            with l1 as (
                select a.atask_key,
                       a.atask_cmd,
                       row_number() over (order by a.atask_key) rn,
                       count(1) over (partition by a.atask_state) cnt
                from ahoy_task a
                left join user_scheduler_jobs j on j.job_name = a.atask_job and j.job_name != p_job_name
                where a.atask_state = 'TBD' or (a.atask_state = 'RUN' and j.job_name is null)
            )
            select atask_key, atask_cmd, cnt
            into v_ataskKey, v_ataskCmd, v_ataskCnt
            from l1
            where rn = 1;

            update ahoy_task
            set atask_state = 'RUN', atask_job = p_job_name, atask_start = systimestamp
            where atask_key = v_ataskKey;
            commit;

            -- Read anew for every task, so that the number can be changed while threads run.
            select apar_threads into v_maxThreads from ahoy_par;
            select count(1) into v_curThreads
            from user_scheduler_jobs
            where regexp_like(job_name, '^' || c_thread_prefix || '\d+$');

            -- One more, which does the same in its turn.
            if v_ataskCnt > 1 and v_maxThreads > v_curThreads then
                threadAsync;
            end if;

            begin
                execute immediate v_ataskCmd;
                update ahoy_task set atask_state = 'OK', atask_end = systimestamp where atask_key = v_ataskKey;
                commit;
            exception
                when others then
                    v_err := sqlerrm;
                    update ahoy_task
                    set atask_state = 'ERR', atask_end = systimestamp, atask_msg = v_err
                    where atask_key = v_ataskKey;
                    commit;
            end;

            if v_maxThreads < v_curThreads then
                raise no_data_found;
            end if;
        end loop;
    exception
        -- Nothing to do, or too many threads.
        when no_data_found then
            null;
        when others then
            v_err := sqlerrm;
            update ahoy_par set apar_last_err = v_err;
            commit;
    end thread;
end ahoy_proc;
/
