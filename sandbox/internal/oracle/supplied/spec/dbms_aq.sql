package dbms_aq authid current_user is
    browse constant binary_integer := 1;
    locked constant binary_integer := 2;
    remove constant binary_integer := 3;
    remove_nodata constant binary_integer := 4;
    first_message constant binary_integer := 1;
    next_transaction constant binary_integer := 2;
    next_message constant binary_integer := 3;
    immediate constant binary_integer := 1;
    on_commit constant binary_integer := 2;
    forever constant binary_integer := -1;
    no_wait constant binary_integer := 0;
    ready constant binary_integer := 0;
    waiting constant binary_integer := 1;
    processed constant binary_integer := 2;
    expired constant binary_integer := 3;
    no_delay constant binary_integer := 0;
    never constant binary_integer := -1;
    before constant binary_integer := 2;
    top constant binary_integer := 3;
    persistent constant binary_integer := 1;
    buffered constant binary_integer := 2;
    persistent_or_buffered constant binary_integer := 3;

    -- Attributes whose types are objects (recipients, sender, signature, user property) are left out.
    type enqueue_options_t is record (
        visibility binary_integer default on_commit,
        relative_msgid raw(16) default null,
        sequence_deviation binary_integer default null,
        transformation varchar2(61) default null,
        delivery_mode pls_integer not null default persistent);
    type dequeue_options_t is record (
        consumer_name varchar2(30) default null,
        dequeue_mode binary_integer default remove,
        navigation binary_integer default next_message,
        visibility binary_integer default on_commit,
        wait binary_integer default forever,
        msgid raw(16) default null,
        correlation varchar2(128) default null,
        deq_condition varchar2(4000) default null,
        transformation varchar2(61) default null,
        delivery_mode pls_integer default persistent);
    type message_properties_t is record (
        priority binary_integer not null default 1,
        delay binary_integer not null default no_delay,
        expiration binary_integer not null default never,
        correlation varchar2(128) default null,
        attempts binary_integer,
        exception_queue varchar2(61) default null,
        enqueue_time date,
        state binary_integer,
        original_msgid raw(16) default null,
        transaction_group varchar2(30) default null,
        delivery_mode pls_integer not null default persistent);

    procedure enqueue (
        queue_name in varchar2, enqueue_options in enqueue_options_t, message_properties in message_properties_t, payload in raw,
        msgid out raw);
    procedure dequeue (
        queue_name in varchar2, dequeue_options in dequeue_options_t, message_properties out message_properties_t, payload out raw,
        msgid out raw);
end;
