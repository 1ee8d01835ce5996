-- PL/SQL Language Reference, "PL/SQL Control Statements" and "PL/SQL Subprograms".
declare
  n number := 0;
begin
  <<outer>>
  for i in 1 .. 3 loop
    for j in reverse 1 .. 3 loop
      continue outer when j = 1 and i = 2;
      exit outer when i = 3;
      n := n + 1;
      dbms_output.put_line(i || j);
    end loop;
  end loop outer;
  dbms_output.put_line(n);
  while n > 3 loop n := n - 1; end loop;
  loop
    n := n - 1;
    exit when n < 0;
  end loop;
  dbms_output.put_line(n);
  for i in 5 .. 1 loop dbms_output.put_line('never'); end loop;
  dbms_output.put_line(case when n < 0 then 'negative' when n = 0 then 'zero' end || ' ' || case n when 7 then 'x' else 'other' end);
end;
/
-- The index of a FOR loop cannot be assigned to and hides an outer variable; its bounds are evaluated once.
declare
  i number := 10;
  m number := 2;
begin
  for i in 1 .. m loop
    m := 5;
    dbms_output.put_line(i);
  end loop;
  dbms_output.put_line(i);
end;
/
begin
  for i in 1 .. 2 loop i := 5; end loop;
end;
/
-- Nested subprograms, forward declaration, recursion, overloading, defaults, named notation, IN OUT.
declare
  g number := 1;
  function even(n number) return boolean;
  function odd(n number) return boolean is begin return case when n = 0 then false else even(n - 1) end; end;
  function even(n number) return boolean is begin return case when n = 0 then true else odd(n - 1) end; end;
  procedure p(a number, b number default 2, c varchar2 := 'c') is begin dbms_output.put_line('number ' || a || b || c); end;
  procedure p(a varchar2) is begin dbms_output.put_line('text ' || a); end;
  procedure p(a date) is begin dbms_output.put_line('date'); end;
  procedure q(a in out number, b out number) is
  begin
    dbms_output.put_line(nvl(to_char(b), 'b is null'));
    a := a + g; b := a * 2; g := 100;
  end;
begin
  p(1); p(1, c => 'x'); p(b => 5, a => 4); p('t'); p(sysdate);
  dbms_output.put_line(case when even(4) and not odd(4) then 'even' end);
  declare
    b number := 9;
  begin
    q(g, b);
    dbms_output.put_line(g || ' ' || b);
  end;
end;
/
declare
  procedure p(a number) is begin null; end;
begin
  p;
end;
/
declare
  procedure p(a out number) is begin a := 1; end;
begin
  p(5);
end;
/
-- Constants, NOT NULL, %TYPE, records.
declare
  c constant number := 1;
  n number not null := 1;
begin
  begin
    n := null;
  exception
    when value_error then dbms_output.put_line(sqlerrm);
  end;
end;
/
declare
  c constant number := 1;
begin
  c := 2;
end;
/
-- Evaluation stops when the result is known.
declare
  z number := 0;
begin
  if z <> 0 and 1 / z > 1 then null; end if;
  if z = 0 or 1 / z > 1 then dbms_output.put_line('no division'); end if;
end;
/
