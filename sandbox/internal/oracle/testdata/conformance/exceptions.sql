-- PL/SQL Language Reference, "PL/SQL Error Handling": propagation, predefined and user-defined exceptions, SQLCODE, SQLERRM.
declare
  e_mine exception;
  e_num exception;
  pragma exception_init(e_num, -20050);
  procedure p(n number) is
  begin
    case n
      when 1 then raise e_mine;
      when 2 then raise_application_error(-20050, 'numbered');
      when 3 then raise no_data_found;
    end case;
  end;
begin
  for i in 1 .. 4 loop
    begin
      p(i);
    exception
      when e_mine then dbms_output.put_line('mine ' || sqlcode || ' ' || sqlerrm);
      when e_num then dbms_output.put_line('numbered ' || sqlcode || ' ' || sqlerrm);
      when no_data_found or too_many_rows then dbms_output.put_line('ndf ' || sqlcode || ' ' || sqlerrm);
      when others then dbms_output.put_line('others ' || sqlcode || ' ' || sqlerrm);
    end;
  end loop;
  dbms_output.put_line('outside ' || sqlcode || ' ' || sqlerrm);
end;
/
-- An unhandled user-defined exception is ORA-06510 for the client.
declare
  e exception;
begin
  raise e;
end;
/
-- An exception in a declaration is not handled in the same block, one in a handler neither.
begin
  declare
    n number(1) := 10;
  begin
    null;
  exception
    when others then dbms_output.put_line('not here');
  end;
exception
  when value_error then dbms_output.put_line('in the enclosing block');
end;
/
begin
  begin
    raise no_data_found;
  exception
    when no_data_found then raise too_many_rows;
    when too_many_rows then dbms_output.put_line('not here');
  end;
exception
  when too_many_rows then dbms_output.put_line('enclosing ' || sqlcode);
end;
/
-- RAISE alone raises the handled exception anew; after the handler SQLCODE is 0 again.
begin
  begin
    raise zero_divide;
  exception
    when others then
      dbms_output.put_line('inner ' || sqlcode);
      raise;
  end;
exception
  when zero_divide then
    dbms_output.put_line('outer ' || sqlcode);
end;
/
-- SQLCODE of NO_DATA_FOUND is +100, its message that of ORA-01403. SQLERRM of any number.
begin
  dbms_output.put_line(sqlerrm(100));
  dbms_output.put_line(sqlerrm(-1403));
  dbms_output.put_line(sqlerrm(0));
  dbms_output.put_line(sqlerrm(1));
  dbms_output.put_line(sqlerrm(-20001));
  dbms_output.put_line(sqlerrm(-54));
end;
/
-- Numbers are from -20999 to -20000.
begin
  raise_application_error(-30000, 'x');
end;
/
-- TRUE keeps the errors before.
begin
  begin
    raise_application_error(-20001, 'first');
  exception
    when others then raise_application_error(-20002, 'second', true);
  end;
end;
/
begin
  begin
    raise_application_error(-20001, 'first');
  exception
    when others then raise_application_error(-20002, 'second');
  end;
end;
/
-- SELECT INTO: no row, more than one; aggregates always give a row.
declare
  n number := 5;
begin
  begin
    select 1 into n from dual where 1 = 0;
  exception
    when no_data_found then dbms_output.put_line('none, n = ' || n);
  end;
  begin
    select level into n from dual connect by level <= 2;
  exception
    when too_many_rows then dbms_output.put_line(sqlerrm);
  end;
  select max(1) into n from dual where 1 = 0;
  dbms_output.put_line('max ' || nvl(to_char(n), 'null'));
end;
/
declare
  n number;
begin
  case n when 1 then null; end case;
end;
/
-- OUT parameters of a failed call keep what they were, unless NOCOPY.
declare
  a number := 1;
  procedure p(x out number) is
  begin
    x := 2;
    raise program_error;
  end;
begin
  p(a);
exception
  when program_error then dbms_output.put_line('a = ' || a);
end;
/
