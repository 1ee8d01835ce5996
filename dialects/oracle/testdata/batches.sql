set define off
set sqlblanklines on
prompt exec_async
declare
    l_task_id number;
begin
    dbsched.exec_async(in_sql => 'begin'
        || chr(10)
        || '/'
        || chr(10)
        || '  x(''a&b'');'
        || chr(10)
        || 'end;', in_execution_order => -5, in_not_before => timestamp '2026-11-20 22:00:00.000 +00:00', out_task_id => l_task_id);
end;
/
set define off
set sqlblanklines on
prompt start_scheduler
begin
    dbsched.start_scheduler;
end;
/
