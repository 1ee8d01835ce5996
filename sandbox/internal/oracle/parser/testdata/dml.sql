insert into ds_task (task_id, sql_text, status) values (default, :1, 'Pending') returning task_id, created_at into :2, :3
/
insert into ds_log select task_id, systimestamp from ds_task t where t.status = 'Running'
/
insert into ds_log (task_id) (select 1 from dual union select 2 from dual)
/
update ds_task t set t.status = 'Running', attempt = attempt + 1, lane_no = (select l.lane_no from ds_lane l where l.lane_no = :lane)
 where t.task_id = :id and t.status = 'Pending'
/
update ds_lane set state = default
/
delete from ds_log where finished_at < systimestamp - interval '30' day and rownum <= 1000 returning count(*) into :n
/
delete ds_marker
/
commit write immediate wait
/
commit work
/
rollback
/
rollback to savepoint before_task
/
savepoint before_task
/
set transaction isolation level serializable
/
set transaction read only
/
lock table ahoy_par, ds_control in row exclusive mode wait 3
/
lock table ahoy_par in exclusive mode nowait
/
call dbsched.start_scheduler(3) into :state
