select * from dual
/
select t.task_id, t.*, count(*) over (partition by t.status order by t.task_id) as n,
       row_number() over(order by t.execution_order, t.priority desc nulls last) rn,
       max(t.task_id) keep (dense_rank last order by t.created_at) last_id,
       listagg(t.name, ', ') within group (order by t.name) names,
       first_value(t.name) over (order by t.task_id ) "First"
  from ds_task t
/
select /*+ index(t ds_task_claim_ix) */ distinct t.task_id
  from ds_task t
  join ds_process p on p.process_id = t.process_id and p.status in ('Open', 'Closing')
  left outer join ds_lane l using (task_id)
  cross join (select level lane from dual connect by level <= :lanes) n
 where not exists (select null from ds_lane x where x.lane_no = t.lane_no)
   and (t.execution_order, t.priority) in (select execution_order, min(priority) from ds_task group by execution_order having count(*) > 1)
   and (t.status = 'Pending' or t.attempt + 1 < 3 and t.not_before is not null)
   and t.not_before <= systimestamp at time zone 'UTC'
   and t.sql_text not like '%!%%' escape '!'
   and t.priority between -1 and +5
 order by 1, t.task_id desc
 offset 10 rows fetch first 5 rows only
/
with l1 as (
  select a.task_id, row_number() over (order by a.task_id) rn from ds_task a
), l2 (id) as (select task_id from l1 where rn = 1)
select id from l2
union all
(select max(task_id) from l1 minus select 0 from dual)
 order by 1
/
select task_id from ds_task where status = 'Pending' order by task_id for update of status skip locked
/
select 1 from ds_control for update wait 5
/
select case when a > 1 then 'x' else null end, case b when 1 then 'y' end,
       cast(c as timestamp(6) with time zone), extract(day from systimestamp - d),
       trim(e), ltrim(e, '0'), date '2026-01-31', timestamp '2026-01-31 10:00:00.5 +02:00',
       interval '5' minute, interval '1 02:03:04.5' day to second(1), -1.5e-3, .5, 1., q'[it's]', Q'!a'b!', n'ö', nq'{x}',
       "Mixed Case"."x y", 'it''s', sys_context('USERENV', 'SESSION_USER'), ds_seq.nextval, user, rownum
  from (select 1 a from dual) v, lateral (select 2 from dual) w
/
select x from ((select 1 x from dual) union (select 2 from dual)) where ((select 1 from dual) + 1) * 2 = 4
/
select p.id, p.parent_id, level from ds_tree p start with p.parent_id is null connect by nocycle prior p.id = p.parent_id order by p.id
/
select a
  from t where regexp_like(a, '^x\d+$')
