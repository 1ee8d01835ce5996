    -- Refuses users that nothing can be granted to or revoked from.
    procedure check_user (in_user in varchar2, in_gone in boolean default false) is
        l_runner varchar2(128);
        l_count pls_integer;
    begin
        select s.runner into l_runner from {{.P}}settings s where s.settings_id = 1;
        if l_runner is null then
            {{.P}}base.fail(20066, 'dbsched is installed without a runner: tasks run with all rights of {{.Owner}}, so a user who can enqueue tasks can do anything as '
                || '{{.Owner}}. Install with a runner to let others enqueue.');
        end if;

        select count(*) into l_count from all_users u where u.username = in_user;
        if l_count = 0 and in_gone then
            select count(*) into l_count from {{.P}}administrators a where {{.Name "a.user_name"}} = in_user;
        end if;
        if l_count = 0 then
            {{.P}}base.fail(20066, 'there is no user ' || nvl(in_user, 'NULL') || '. Names are case-sensitive here.');
        elsif in_user in ({{.OwnerLit}}, l_runner) then
            {{.P}}base.fail(20066, in_user || ' is ' || case in_user when l_runner then 'the runner: tasks run as this user' else 'the owner of dbsched' end || '. Name another user.');
        end if;
    end check_user;

    procedure run_grant (in_statement in varchar2) is
    begin
        execute immediate in_statement;
    exception
        when others then
            -- 1927: it was not granted; 942: the user has no right on it; 1917: the user was dropped.
            if sqlcode not in (-1927, -942, -1917) then
                raise;
            end if;
    end run_grant;

    procedure on_views (in_statement in varchar2) is
    begin
        for v in (select w.view_name
                  from user_views w
                  where w.view_name in ({{list 40 .ViewNames}})
                  order by w.view_name)
        loop
            run_grant(replace(in_statement, '%', v.view_name));
        end loop;
    end on_views;

    procedure grant_user (in_user in varchar2, in_administrator in varchar2) is
        l_name varchar2(140);
    begin
        check_user(in_user);
        l_name := dbms_assert.enquote_name(in_user, false);
        execute immediate 'grant execute on dbsched to ' || l_name;
        on_views('grant read on % to ' || l_name);

        -- As {{.P}}rights.submitter returns it. An entry of a dropped user of that name goes.
        delete from {{.P}}administrators a where {{.Name "a.user_name"}} = in_user;
        insert into {{.P}}administrators (user_name, granted_at, granted_by)
        select u.username || '#' || u.user_id, systimestamp at time zone '+00:00', sys_context('USERENV', 'SESSION_USER')
        from all_users u
        where u.username = in_user and in_administrator = 'Y';

        commit write immediate wait;
    end grant_user;

    procedure revoke_user (in_user in varchar2, out_schedules out number, out_rounds out number) is
        l_name varchar2(140);
    begin
        check_user(in_user, true);
        l_name := dbms_assert.enquote_name(in_user, false);
        delete from {{.P}}administrators a where {{.Name "a.user_name"}} = in_user;
        commit write immediate wait;

        run_grant('revoke execute on dbsched from ' || l_name);
        on_views('revoke read on % from ' || l_name);

        update {{.P}}schedules s
        set s.status = 'Suspended', s.look_at = null,
            s.reason = 'its owner ' || in_user || ' was revoked. Grant it again, or have another user alter its tasks'
        where {{.Name "s.owner"}} = in_user and s.status = 'Enabled';
        out_schedules := sql%rowcount;
        select count(*) into out_rounds from {{.P}}rounds r where {{.Name "r.defined_by"}} = in_user;
        commit write immediate wait;
    end revoke_user;
