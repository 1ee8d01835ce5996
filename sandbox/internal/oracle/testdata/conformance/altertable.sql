-- SQL Language Reference, "ALTER TABLE", "COMMENT", "RENAME"; Database Reference, "USER_TAB_COLUMNS", "USER_CONSTRAINTS".
create table t (id number constraint t_pk primary key, v varchar2(5))
/
insert into t values (1, 'a')
/
commit
/
alter table t add (n number default 7 not null, d date)
/
select id, v, n, d from t
/
alter table t add (n number)
/
update t set v = 'longer'
/
alter table t add (m number not null)
/
alter table t add (twice number generated always as (n * 2) virtual)
/
select n, twice from t
/
insert into t (id, twice) values (2, 1)
/
comment on column t.v is 'the value'
/
select column_name, data_type, data_length, nullable from user_tab_columns where table_name = 'T' order by column_id
/
select column_name, comments from user_col_comments where table_name = 'T' and comments is not null
/
select constraint_name, constraint_type, status from user_constraints where table_name = 'T' and constraint_name not like 'SYS%' order by 1
/
alter table t drop constraint t_pk
/
insert into t (id) values (1)
/
create table x (a number, a number)
/
create table x (a varchar2(4001))
/
create table x (a number, primary key (b))
/
create table x (a number primary key, b number primary key)
/
create table select (a number)
/
create table "select" ("from" number, "Mixed" number)
/
select "from", "Mixed" from "select"
/
select mixed from "select"
/
create table y as select id, v from t
/
select column_name, data_type, nullable from user_tab_columns where table_name = 'Y' order by column_id
/
create table a234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890 (a number)
/
