declare
    -- The tables of dbsched, version 5: rounds, the sets of outside jobs after which something is started.
    co_migration constant pls_integer := 5;
{{template "up.tmpl" .}}
begin
    step('create sequence {{.P}}round_seq');
    step('create sequence {{.P}}firing_seq');

    -- What is started when all members have succeeded. Reports lock the round's row first.
    step('create table {{.P}}rounds (
        round_id number(10) not null,
        name varchar2(128 char) not null,
        generation number(19) default 1 not null,
        job_owner varchar2(128),
        job_name varchar2(128),
        successor_sql clob,
        successor_order number(10),
        successor_process_id number(10),
        max_age_seconds number(8) not null,
        start_seconds number(4) not null,
        defined_at timestamp(6) with time zone not null,
        defined_by varchar2(128) not null,
        defined_by_os_user varchar2(128),
        defined_by_client varchar2(64),
        constraint {{.P}}rounds_pk primary key (round_id),
        constraint {{.P}}rounds_name_uk unique (name),
        constraint {{.P}}rounds_age_ck check (max_age_seconds between 1 and 31536000),
        constraint {{.P}}rounds_start_ck check (start_seconds between 1 and 3600),
        constraint {{.P}}rounds_successor_ck check ((job_name is null and successor_sql is not null) or (job_name is not null and job_owner is not null and successor_sql is null))
    ) initrans 8');
    remark('rounds', 'sets of outside jobs, and what is started when all of a set have succeeded');
    remark('rounds.round_id', 'number of the round');
    remark('rounds.name', 'its name, by which jobs report');
    remark('rounds.generation', 'the generation that reports count for, from 1; firing ends it');
    remark('rounds.job_owner', 'schema of the job of DBMS_SCHEDULER that is started');
    remark('rounds.job_name', 'name of that job; or');
    remark('rounds.successor_sql', 'text to enqueue as a task');
    remark('rounds.successor_order', 'wave of that task');
    remark('rounds.successor_process_id', 'process of that task');
    remark('rounds.max_age_seconds', 'a report older than this, in seconds, does not count');
    remark('rounds.start_seconds', 'seconds in which the job must be seen to run');
    remark('rounds.defined_at', 'when it was last defined');
    remark('rounds.defined_by', 'session user who defined it, may report, and for whom the task is enqueued');
    remark('rounds.defined_by_os_user', 'operating system user of that session');
    remark('rounds.defined_by_client', 'client identifier of that session');

    step('create table {{.P}}round_members (
        round_id number(10) not null,
        member varchar2(128 char) not null,
        reported_at timestamp(6) with time zone,
        succeeded varchar2(1),
        reported_round_id number generated always as (case when reported_at is not null then round_id end) virtual,
        constraint {{.P}}round_members_pk primary key (round_id, member),
        constraint {{.P}}round_members_good_ck check (succeeded in (''Y'', ''N''))
    ) initrans 8');
    remark('round_members', 'who has to report, and what it reported for the current generation');
    remark('round_members.round_id', 'the round');
    remark('round_members.member', 'name of the member, of a job usually');
    remark('round_members.reported_at', 'when it last reported for this generation, NULL = not yet');
    remark('round_members.succeeded', 'what it reported: Y or N, NULL = nothing');
    remark('round_members.reported_round_id', 'round_id once it has reported, else NULL: the index of reports that wait for others holds nothing else');
    step('create index {{.P}}round_members_seen_ix on {{.P}}round_members (reported_round_id)');

    -- One row per generation that came to its end; the constraint makes twice impossible.
    step('create table {{.P}}round_firings (
        firing_id number(19) not null,
        round_id number(10) not null,
        generation number(19) not null,
        status varchar2(10) default ''Starting'' not null,
        fired_at timestamp(6) with time zone not null,
        fired_by varchar2(128 char) not null,
        job_owner varchar2(128),
        job_name varchar2(128),
        start_seconds number(4) not null,
        ordered_at timestamp(6) with time zone,
        runs_before number(19),
        started_before timestamp(6) with time zone,
        ended_at timestamp(6) with time zone,
        task_id number(19),
        detail varchar2(2000),
        starting_id number generated always as (case when status = ''Starting'' then firing_id end) virtual,
        constraint {{.P}}round_firings_pk primary key (firing_id),
        constraint {{.P}}round_firings_gen_uk unique (round_id, generation),
        constraint {{.P}}round_firings_status_ck check (status in (''Starting'', ''Started'', ''Failed'', ''Unknown''))
    ) initrans 8');
    remark('round_firings', 'one row per generation that came to its end');
    remark('round_firings.firing_id', 'number of the firing');
    remark('round_firings.round_id', 'the round');
    remark('round_firings.generation', 'the generation that it ended');
    remark('round_firings.status', 'Starting, Started, Failed (it did not start) or Unknown (ordered and not seen to run)');
    remark('round_firings.fired_at', 'when the last member reported');
    remark('round_firings.fired_by', 'that member');
    remark('round_firings.job_owner', 'schema of the job to start');
    remark('round_firings.job_name', 'name of that job, NULL = a task');
    remark('round_firings.start_seconds', 'seconds in which that job must be seen to run');
    remark('round_firings.ordered_at', 'when it was written that the job is ordered next, NULL = nobody has ordered it');
    remark('round_firings.runs_before', 'RUN_COUNT of the job before that');
    remark('round_firings.started_before', 'LAST_START_DATE of the job before that');
    remark('round_firings.ended_at', 'when the status became what it is, NULL while Starting');
    remark('round_firings.task_id', 'the task that was enqueued');
    remark('round_firings.detail', 'why it did not start');
    remark('round_firings.starting_id', 'firing_id while Starting, else NULL: the index of what nobody has brought to its end holds nothing else');
    step('create index {{.P}}round_firings_start_ix on {{.P}}round_firings (starting_id)');
end;
