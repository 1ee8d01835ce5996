declare
    -- The tables of dbsched, version 4: resources, and the lines of those who want them.
    co_migration constant pls_integer := 4;
{{template "up.tmpl" .}}
begin
    -- A lane, a dispatcher or a caller that has the tables open is waited for.
    execute immediate 'alter session set ddl_lock_timeout = 30';

    step('create sequence {{.P}}resource_seq');
    -- Ordered: on a cluster each instance would hand out numbers of its own block.
    step('create sequence {{.P}}line_seq cache 100 order');

    -- Named semaphores. Who changes the line of one holds the lock on its row here.
    step('create table {{.P}}resources (
        resource_id number(10) not null,
        name varchar2(128 char) not null,
        capacity number(7) not null,
        created_at timestamp(6) with time zone not null,
        changed_at timestamp(6) with time zone not null,
        constraint {{.P}}resources_pk primary key (resource_id),
        constraint {{.P}}resources_name_uk unique (name),
        constraint {{.P}}resources_capacity_ck check (capacity >= 1)
    ) initrans 8');
    remark('resources', 'named semaphores; who changes the line of one holds the lock on its row');
    remark('resources.resource_id', 'number of the resource; those that lock several take lower numbers first');
    remark('resources.name', 'its name; capitals and small letters differ');
    remark('resources.capacity', 'units that may be held at once');
    remark('resources.created_at', 'when it was defined');
    remark('resources.changed_at', 'when its capacity was last set');

    -- A row is there from asking to releasing, and holders stand before those who wait.
    step('create table {{.P}}resource_requests (
        resource_id number(10) not null,
        request_id number(19) not null,
        status varchar2(8) not null,
        access_mode varchar2(9) not null,
        requester varchar2(128 char) not null,
        process_id number(10),
        task_id number(19),
        session_id number(10),
        session_key varchar2(24),
        lease_seconds number(6),
        lease_until timestamp(6) with time zone,
        give_up_at timestamp(6) with time zone,
        requested_at timestamp(6) with time zone not null,
        granted_at timestamp(6) with time zone,
        requested_by varchar2(128) not null,
        requested_by_os_user varchar2(128),
        requested_by_client varchar2(64),
        session_request_id number generated always as (case when session_key is not null then request_id end) virtual,
        reserved_request_id number generated always as (case when status = ''Reserved'' and session_key is null then request_id end) virtual,
        lease_utc timestamp(6) generated always as (sys_extract_utc(lease_until)) virtual,
        constraint {{.P}}line_pk primary key (request_id),
        constraint {{.P}}line_status_ck check (status in (''Waiting'', ''Reserved'', ''Granted'')),
        constraint {{.P}}line_access_ck check (access_mode in (''Shared'', ''Exclusive'')),
        constraint {{.P}}line_lease_ck check (lease_seconds >= 1),
        constraint {{.P}}line_whose_ck check (task_id is not null or session_key is not null)
    ) initrans 8');
    remark('resource_requests', 'the lines of resources: a row is there from asking to releasing');
    remark('resource_requests.resource_id', 'the resource');
    remark('resource_requests.request_id', 'place in the line: given under the resource row''s lock, which is held until the commit');
    remark('resource_requests.status', 'Waiting; Reserved: granted, and whom it was granted to does not know yet; Granted');
    remark('resource_requests.access_mode', 'Shared takes one unit, Exclusive all');
    remark('resource_requests.requester', 'what the requester calls itself');
    remark('resource_requests.process_id', 'process of the task, NULL outside tasks');
    remark('resource_requests.task_id', 'task that names the resource, or that called acquire_resource');
    remark('resource_requests.session_id', 'SID of the session that called acquire_resource, NULL for a task that names the resource');
    remark('resource_requests.session_key', 'unique session id (DBMS_SESSION.UNIQUE_SESSION_ID) of that session');
    remark('resource_requests.lease_seconds', 'seconds that it may be held; NULL: for as long as the session or the task lives');
    remark('resource_requests.lease_until', 'when the lease runs out, NULL until it is granted');
    remark('resource_requests.give_up_at', 'when a session that still waits must be taken for gone');
    remark('resource_requests.requested_at', 'when it was asked for');
    remark('resource_requests.granted_at', 'when it was granted');
    remark('resource_requests.requested_by', 'session user who asked');
    remark('resource_requests.requested_by_os_user', 'operating system user of that session');
    remark('resource_requests.requested_by_client', 'client identifier of that session');
    remark('resource_requests.session_request_id', 'request_id of sessions, else NULL: the index of those who may have died holds nothing else');
    remark('resource_requests.reserved_request_id', 'request_id of tasks that are still to be made Pending, else NULL');
    remark('resource_requests.lease_utc', 'lease_until without its zone, so that min() can use the index');
    step('create index {{.P}}line_order_ix on {{.P}}resource_requests (resource_id, status, request_id) initrans 8');
    step('create index {{.P}}line_task_ix on {{.P}}resource_requests (process_id, task_id) initrans 8');
    step('create index {{.P}}line_session_ix on {{.P}}resource_requests (session_request_id) initrans 8');
    step('create index {{.P}}line_reserved_ix on {{.P}}resource_requests (reserved_request_id) initrans 8');
    step('create index {{.P}}line_lease_ix on {{.P}}resource_requests (lease_utc) initrans 8');

    step('alter table {{.P}}tasks add (
        resource_id number(10),
        access_mode varchar2(9) constraint {{.P}}tasks_access_ck check (access_mode in (''Shared'', ''Exclusive''))
    )');
    remark('tasks.resource_id', 'resource that an attempt needs, NULL = none');
    remark('tasks.access_mode', 'how it uses the resource: Shared or Exclusive');
end;
