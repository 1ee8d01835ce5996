create table ahoy_task (
   atask_key   integer generated as identity primary key
  ,atask_cmd   clob
  ,atask_state varchar2(20)
  ,atask_start timestamp
  ,atask_end   timestamp
  ,atask_msg   clob
  ,atask_job   varchar2(100)
)
/
create table ahoy_par (apar_threads integer, apar_last_err clob)
/
insert into ahoy_par (apar_threads, apar_last_err) values (0, '')
/
create or replace package ahoy_proc as
  procedure thread_async;
  procedure thread(p_job_name varchar2);
end;
/
create or replace package body ahoy_proc as
  c_prefix constant varchar2(100) := 'AHOY_JOB_';

  -- Starts one more thread.
  procedure thread_async is
    l_name varchar2(100);
    l_max  integer;
  begin
    select max(to_number(regexp_substr(job_name, '\d+$'))) into l_max
      from user_scheduler_jobs where regexp_like(job_name, '^' || c_prefix || '\d+$');
    l_name := c_prefix || to_char(nvl(l_max, 0) + 1);
    dbms_scheduler.create_job(job_name => l_name, job_type => 'PLSQL_BLOCK',
      job_action => 'begin ahoy_proc.thread(''' || l_name || '''); end;', number_of_arguments => 0, start_date => sysdate);
    dbms_scheduler.enable(l_name);
  end thread_async;

  -- Works until nothing is left; one pick at a time, behind the lock of the parameter table.
  procedure thread(p_job_name varchar2) is
    l_key integer;
    l_cmd clob;
    l_cnt integer;
    l_err clob;
    l_max integer;
    l_now integer;
  begin
    loop
      lock table ahoy_par in exclusive mode;
      with ready as (
        select a.atask_key, a.atask_cmd, row_number() over (order by a.atask_key) rn, count(1) over (partition by a.atask_state) cnt
          from ahoy_task a
          left join user_scheduler_jobs j on j.job_name = a.atask_job and j.job_name != p_job_name
         where a.atask_state = 'TBD' or (a.atask_state = 'RUN' and j.job_name is null)
      )
      select atask_key, atask_cmd, cnt into l_key, l_cmd, l_cnt from ready where rn = 1;
      update ahoy_task set atask_state = 'RUN', atask_job = p_job_name, atask_start = systimestamp where atask_key = l_key;
      commit;
      select apar_threads into l_max from ahoy_par;
      select count(1) into l_now from user_scheduler_jobs where regexp_like(job_name, '^' || c_prefix || '\d+$');
      if l_cnt > 1 and l_max > l_now then
        thread_async;
      end if;
      begin
        execute immediate l_cmd;
        update ahoy_task set atask_state = 'OK', atask_end = systimestamp where atask_key = l_key;
        commit;
      exception
        when others then
          l_err := sqlerrm;
          rollback;
          update ahoy_task set atask_state = 'ERR', atask_end = systimestamp, atask_msg = l_err where atask_key = l_key;
          commit;
      end;
      select apar_threads into l_max from ahoy_par;
      if l_max < l_now then
        raise no_data_found;
      end if;
    end loop;
  exception
    when no_data_found then
      commit;
    when others then
      l_err := sqlerrm;
      rollback;
      update ahoy_par set apar_last_err = l_err;
      commit;
  end thread;
end ahoy_proc;
/
begin
  for i in 1..50 loop
    insert into ahoy_task (atask_cmd, atask_state) values ('begin dbms_session.sleep(100); end;', 'TBD');
  end loop;
  commit;
end;
/
select * from user_scheduler_jobs where regexp_like(job_name, '^AHOY_JOB_\d+$')
