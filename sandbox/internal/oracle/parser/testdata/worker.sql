create or replace package ds_worker authid definer as
  -- One step of a lane; the job's action is a thin block that calls these.
  e_lost exception;
  pragma exception_init(e_lost, -20011);
  co_batch constant pls_integer := 100;
  type t_task is record (task_id ds_task.task_id%type, sql_text clob, attempt pls_integer not null := 1);
  type t_tasks is table of t_task index by pls_integer;
  type t_ids is table of number(19);
  type t_cursor is ref cursor return ds_task%rowtype;
  cursor c_ready(p_process number, p_limit in pls_integer default 10) is select * from ds_task;
  function claim(in_lane in pls_integer, out_task out nocopy t_task) return boolean;
  procedure complete(in_task in t_task, in_error in varchar2 default null, io_count in out pls_integer);
  function lane_name(in_lane pls_integer) return varchar2 deterministic;
end ds_worker;
/
create or replace package body ds_worker as
  cursor c_ready(p_process number, p_limit in pls_integer default 10) is
    select * from ds_task where process_id = p_process and rownum <= p_limit for update skip locked;

  procedure note(in_text varchar2);

  function lane_name(in_lane pls_integer) return varchar2 deterministic is
  begin
    return 'DS_LANE_' || to_char(in_lane, 'FM00');
  end lane_name;

  function claim(in_lane in pls_integer, out_task out nocopy t_task) return boolean is
    l_control ds_control%rowtype;
    l_ids     t_ids := t_ids();
  begin
    select * into l_control from ds_control where id = 1 for update wait 10;
    begin
      select task_id, sql_text, attempt into out_task from (
        select t.task_id, t.sql_text, t.attempt from ds_task t where t.claim_order is not null order by t.claim_order
      ) where rownum = 1;
    exception
      when no_data_found then
        commit write immediate wait;
        return false;
    end;
    update ds_task set status = 'Running', attempt = attempt + 1, lane_no = in_lane
     where task_id = out_task.task_id and status = 'Pending' and attempt = out_task.attempt
    returning task_id bulk collect into l_ids;
    if sql%rowcount <> 1 or l_ids.count = 0 then
      rollback;
      raise e_lost;
    elsif l_ids(1) is null then
      null;
    else
      commit write immediate wait;
    end if;
    return true;
  end claim;

  procedure note(in_text varchar2) is
    pragma autonomous_transaction;
  begin
    insert into ds_note (text, unit, line) values (substr(in_text, 1, 4000), 'unit', 1);
    commit;
  end;

  procedure complete(in_task in t_task, in_error in varchar2 default null, io_count in out pls_integer) is
    l_errors pls_integer;
  begin
    update ds_task
       set status = case when in_error is null then 'Succeeded' else 'Failed' end, finished_at = systimestamp
     where task_id = in_task.task_id and attempt = in_task.attempt;
    io_count := nvl(io_count, 0) + sql%rowcount;
    commit write immediate wait;
  exception
    when dup_val_on_index or too_many_rows then
      rollback;
      raise;
    when others then
      l_errors := sqlcode;
      note(dbms_utility.format_error_stack || dbms_utility.format_error_backtrace);
      raise_application_error(-20012, 'cannot complete ' || in_task.task_id || ': ' || sqlerrm, true);
  end complete;
begin
  dbms_application_info.set_module(module_name => 'dbsched', action_name => null);
end ds_worker;
/
create or replace procedure ds_wait(in_seconds in number)
authid current_user
is
begin
  dbms_session.sleep(in_seconds);
end;
/
create function ds_twice(in_n number) return number deterministic as begin return 2 * in_n; end;
