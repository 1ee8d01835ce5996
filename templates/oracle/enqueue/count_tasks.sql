{{- if .Runner}}
    -- The user's unfinished tasks with in_new more, at most; an error if they are more than the limit. Each task knows how many there were at
    -- most when it was added, and nothing is added behind the newest unfinished one, so that one's number is enough until it reaches the
    -- limit. Only then they are counted, up to the limit. What other transactions have not committed does not count.
    function count_tasks (in_user in varchar2, in_limit in number, in_new in number) return number is
        l_newest number;
        l_tasks number;
    begin
        select max(t.counted_task_id) into l_newest from {{.P}}tasks t where t.counted_by = standard_hash(in_user);
        select nvl(max(t.user_tasks), 0) + in_new into l_tasks from {{.P}}tasks t where t.task_id = l_newest;
        if l_tasks > in_limit then
            select count(*) + in_new into l_tasks from {{.P}}tasks t where t.counted_by = standard_hash(in_user) and rownum <= in_limit;
        end if;
        if l_tasks > in_limit then
            {{.P}}base.fail(20038, 'you may have ' || in_limit || ' unfinished tasks. Wait until some end, cancel some, or ask an administrator for more.');
        end if;
        return l_tasks;
    end count_tasks;

{{- end}}
