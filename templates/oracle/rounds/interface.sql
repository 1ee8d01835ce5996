    procedure define_round (
        in_round in varchar2,
        in_members in t_names,
        in_successor_job in varchar2 default null,
        in_successor_sql in clob default null,
        in_execution_order in number default 1,
        in_process_id in number default null,
        in_max_age_seconds in number default 43200,
        in_start_seconds in number default 60)
    is
        pragma autonomous_transaction;
        l_members {{.P}}round.t_names;
        l_at pls_integer;
    begin
        {{.P}}base.begin_transaction;
        if in_members is not null then
            l_members := {{.P}}round.t_names();
            l_at := in_members.first;

            while l_at is not null loop
                l_members.extend;
                l_members(l_members.count) := in_members(l_at);
                l_at := in_members.next(l_at);
            end loop;
        end if;

        {{.P}}round.define(in_round, l_members, in_successor_job, in_successor_sql, in_execution_order, in_process_id, in_max_age_seconds, in_start_seconds);
    end define_round;

    procedure report_round (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean default true)
    is
        l_outcome varchar2(10);
    begin
        report_round(in_round, in_member, in_succeeded, l_outcome);
    end report_round;

    procedure report_round (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean default true,
        out_outcome out varchar2)
    is
        pragma autonomous_transaction;
    begin
        {{.P}}base.begin_transaction;
        {{.P}}round.report(in_round, in_member, in_succeeded, out_outcome);
    end report_round;
