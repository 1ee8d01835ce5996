package dbms_stats authid current_user is
    auto_sample_size constant number := 0;
    auto_cascade constant boolean := null;
    auto_degree constant number := 32768;
    auto_invalidate constant boolean := null;
    procedure gather_table_stats (
        ownname in varchar2, tabname in varchar2, partname in varchar2 default null, estimate_percent in number default null,
        block_sample in boolean default false, method_opt in varchar2 default null, degree in number default null,
        granularity in varchar2 default null, cascade in boolean default null, stattab in varchar2 default null,
        statid in varchar2 default null, statown in varchar2 default null, no_invalidate in boolean default null,
        stattype in varchar2 default 'DATA', force in boolean default false);
    procedure gather_schema_stats (
        ownname in varchar2, estimate_percent in number default null, block_sample in boolean default false,
        method_opt in varchar2 default null, degree in number default null, granularity in varchar2 default null,
        cascade in boolean default null, stattab in varchar2 default null, statid in varchar2 default null,
        options in varchar2 default 'GATHER', statown in varchar2 default null, no_invalidate in boolean default null,
        force in boolean default false);
end;
