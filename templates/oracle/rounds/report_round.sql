    procedure report (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean,
        out_outcome out varchar2)
    is
        l_firing_id number;
    begin
        if in_round is null or in_member is null then
            {{.P}}base.fail(20050, 'in_round or in_member is NULL.');
        end if;

        if in_succeeded is null then
            {{.P}}base.fail(20003, 'in_succeeded must be true or false.');
        end if;

        record_report(in_round, in_member, case when in_succeeded then 'Y' else 'N' end, out_outcome, l_firing_id);

        if out_outcome <> 'Starting' then
            return;
        end if;

        order_job(l_firing_id);

        loop
            {{.P}}base.begin_transaction;
            look(l_firing_id, 0, null);
            -- NULL: the round was removed in the meantime.
            select nvl(max(f.status), 'Unknown') into out_outcome from {{.P}}round_firings f where f.firing_id = l_firing_id;
            exit when out_outcome <> 'Starting';
            dbms_session.sleep(0.5);
        end loop;

        rollback;
    end report;
