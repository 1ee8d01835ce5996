-- Concepts, "Indexes and Index-Organized Tables": rows whose keys are all NULL have no entry in a B-tree index; SQL Language
-- Reference, "constraint": a unique key of NULLs only is not checked, of a partly NULL key the rest is.
create table t (id number primary key, a number, b number, constraint t_uk unique (a, b))
/
insert into t values (1, null, null)
/
insert into t values (2, null, null)
/
insert into t values (3, 1, null)
/
insert into t values (4, 1, null)
/
insert into t values (5, null, 1)
/
insert into t values (6, null, 1)
/
-- A unique index on an expression: at most one row of a kind.
create table state (id number primary key, running varchar2(1))
/
create unique index state_one on state (case running when 'Y' then 1 end)
/
insert into state values (1, 'N')
/
insert into state values (2, 'N')
/
insert into state values (3, 'Y')
/
update state set running = 'Y' where id = 1
/
select id from state where case running when 'Y' then 1 end = 1
/
-- A NULL key is found without the index.
select id from t where a is null and b is null order by id
/
