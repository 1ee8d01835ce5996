-- SQL Language Reference, "constraint"; Database Error Messages, ORA-00001, ORA-01400, ORA-01407, ORA-02290, ORA-12899, ORA-01438.
create table t (
  id number(4) constraint t_pk primary key,
  name varchar2(5) not null,
  state varchar2(5) default 'NEW' not null constraint t_state check (state in ('NEW', 'RUN')),
  qty number(5,2),
  constraint t_uk unique (name)
)
/
insert into t (id, name) values (1, 'a')
/
insert into t (id, name) values (1, 'b')
/
insert into t (id, name) values (2, 'a')
/
insert into t (id, name) values (null, 'c')
/
insert into t (id, name) values (2, '')
/
update t set name = null
/
insert into t (id, name, state) values (2, 'c', 'OLD')
/
-- A check that is unknown holds.
create table c (n number constraint c_n check (n > 0))
/
insert into c values (null)
/
insert into c values (-1)
/
insert into t (id, name) values (2, 'toolong')
/
insert into t (id, name) values (12345, 'd')
/
insert into t (id, name, qty) values (3, 'e', 999.994)
/
insert into t (id, name, qty) values (4, 'f', 999.995)
/
select id, name, state, qty from t order by id
/
insert into t (id, name) values (5)
/
insert into t values (5, 'g', 'NEW', 1, 2)
/
insert into t (id, nom) values (5, 'g')
/
insert into t (id, id, name) values (5, 5, 'g')
/
-- DEFAULT ON NULL; DEFAULT does not replace an explicit NULL.
create table d (a number default 5, b number default on null 6)
/
insert into d values (null, null)
/
insert into d (a) values (default)
/
select a, b from d order by b, a
/
-- The whole statement is undone.
insert into t (id, name) select level + 9, case level when 3 then 'a' else 'n' || level end from dual connect by level <= 3
/
select count(*) from t
/
alter table t add constraint t_qty check (qty is null)
/
alter table t drop constraint t_uk
/
insert into t (id, name) values (2, 'a')
/
alter table t add constraint t_uk unique (name)
/
