package dbms_scheduler authid current_user is
    logging_off constant pls_integer := 32;
    logging_runs constant pls_integer := 64;
    logging_failed_runs constant pls_integer := 128;
    logging_full constant pls_integer := 256;

    procedure create_job (
        job_name in varchar2, job_type in varchar2, job_action in varchar2, number_of_arguments in pls_integer default 0,
        start_date in timestamp with time zone default null, repeat_interval in varchar2 default null,
        end_date in timestamp with time zone default null, job_class in varchar2 default 'DEFAULT_JOB_CLASS',
        enabled in boolean default false, auto_drop in boolean default true, comments in varchar2 default null,
        credential_name in varchar2 default null, destination_name in varchar2 default null);
    -- CREATE_JOB_CLASS is not modeled: all jobs are of DEFAULT_JOB_CLASS.
    -- What a specification leaves out is refused by name. A comment takes its lines,
    -- because error stacks have the line of a subprogram's declaration.
    procedure drop_job (
        job_name in varchar2, force in boolean default false, defer in boolean default false,
        commit_semantics in varchar2 default 'STOP_ON_FIRST_ERROR');
    procedure enable (name in varchar2, commit_semantics in varchar2 default 'STOP_ON_FIRST_ERROR');
    procedure disable (name in varchar2, force in boolean default false, commit_semantics in varchar2 default 'STOP_ON_FIRST_ERROR');
    procedure run_job (job_name in varchar2, use_current_session in boolean default true);
    procedure stop_job (job_name in varchar2, force in boolean default false, commit_semantics in varchar2 default 'STOP_ON_FIRST_ERROR');
    procedure set_attribute (name in varchar2, attribute in varchar2, value in boolean);
    procedure set_attribute (name in varchar2, attribute in varchar2, value in varchar2, value2 in varchar2 default null);
    procedure set_attribute (name in varchar2, attribute in varchar2, value in date);
    procedure set_attribute (name in varchar2, attribute in varchar2, value in timestamp);
    procedure set_attribute (name in varchar2, attribute in varchar2, value in timestamp with time zone);
    procedure set_attribute (name in varchar2, attribute in varchar2, value in interval day to second);
    procedure evaluate_calendar_string (
        calendar_string in varchar2, start_date in timestamp with time zone, return_date_after in timestamp with time zone,
        next_run_date out timestamp with time zone);
    procedure set_scheduler_attribute (attribute in varchar2, value in varchar2);
    procedure create_job (
        job_name in varchar2, program_name in varchar2, schedule_name in varchar2, job_class in varchar2 default 'DEFAULT_JOB_CLASS',
        enabled in boolean default false, auto_drop in boolean default true, comments in varchar2 default null,
        job_style in varchar2 default 'REGULAR', credential_name in varchar2 default null, destination_name in varchar2 default null);
    procedure create_job (
        job_name in varchar2, program_name in varchar2, start_date in timestamp with time zone default null,
        repeat_interval in varchar2 default null, end_date in timestamp with time zone default null,
        job_class in varchar2 default 'DEFAULT_JOB_CLASS', enabled in boolean default false, auto_drop in boolean default true,
        comments in varchar2 default null, job_style in varchar2 default 'REGULAR', credential_name in varchar2 default null,
        destination_name in varchar2 default null);
    procedure create_job (
        job_name in varchar2, schedule_name in varchar2, job_type in varchar2, job_action in varchar2,
        number_of_arguments in pls_integer default 0, job_class in varchar2 default 'DEFAULT_JOB_CLASS', enabled in boolean default false,
        auto_drop in boolean default true, comments in varchar2 default null, credential_name in varchar2 default null,
        destination_name in varchar2 default null);
    procedure create_program (
        program_name in varchar2, program_type in varchar2, program_action in varchar2, number_of_arguments in pls_integer default 0,
        enabled in boolean default false, comments in varchar2 default null);
    procedure create_schedule (
        schedule_name in varchar2, start_date in timestamp with time zone default null, repeat_interval in varchar2,
        end_date in timestamp with time zone default null, comments in varchar2 default null);
    procedure create_chain (
        chain_name in varchar2, rule_set_name in varchar2 default null, evaluation_interval in interval day to second default null,
        comments in varchar2 default null);
    procedure define_chain_step (chain_name in varchar2, step_name in varchar2, program_name in varchar2);
    procedure define_chain_rule (
        chain_name in varchar2, condition in varchar2, action in varchar2, rule_name in varchar2 default null,
        comments in varchar2 default null);
end;
