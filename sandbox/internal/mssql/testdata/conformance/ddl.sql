-- DDL rolls back.
begin tran
create table dbo.t (a int)
insert dbo.t values (1)
create index ix on dbo.t (a)
rollback
select object_id('dbo.t') as o
select a from dbo.t
go
create table dbo.t (a int)
go
create table dbo.t (a int)
go
begin tran
alter table dbo.t add b int
insert dbo.t (a, b) values (1, 2)
rollback
select * from dbo.t
go
-- CREATE OR ALTER; sys.sql_modules shows CREATE.
create or alter procedure dbo.p as select 1 as a
go
create or alter procedure dbo.p as select 2 as a
go
exec dbo.p
select count(*) as n from sys.procedures where name = 'p'
go
create procedure dbo.p as return
go
alter procedure dbo.missing as return
go
create or alter view dbo.v as select a from dbo.t
go
create or alter view dbo.p as select 1 as a
go
create view dbo.w as select 1
go
create view dbo.w as select 1 as a order by a
go
-- Deferred name resolution: missing tables are found out at run time, missing columns of tables that are there at once.
create procedure dbo.later as
begin
    select 1 as before
    select x from dbo.comes_later
    select 2 as after
end
go
exec dbo.later
select 'the caller goes on' as s
go
create table dbo.comes_later (x int)
insert dbo.comes_later values (7)
exec dbo.later
go
create procedure dbo.wrong as select nope from dbo.t
go
select object_id('dbo.wrong') as o
go
create procedure dbo.calls as exec dbo.nobody_knows
go
exec dbo.calls
go
begin try
    exec dbo.calls
end try
begin catch
    select error_number() as n, error_procedure() as p
end catch
go
-- The plan of a procedure follows its tables.
create procedure dbo.star as select * from dbo.t
go
insert dbo.t values (1)
exec dbo.star
alter table dbo.t add b int null
exec dbo.star
go
drop table dbo.t
exec dbo.star
go
drop procedure dbo.nope
drop procedure if exists dbo.nope
drop table dbo.nope
drop table if exists dbo.nope, dbo.comes_later
drop view dbo.p
go
create schema app
go
create table app.t (a int)
go
drop schema app
go
drop table app.t
drop schema app
go
create schema app
go
create schema app
go
-- Objects of a schema: an unqualified name is looked up in the default schema, then in dbo.
create user u without login with default_schema = app
create table app.x (a varchar(5))
create table dbo.x (a varchar(5))
create table dbo.y (a varchar(5))
insert app.x values ('app')
insert dbo.x values ('dbo')
insert dbo.y values ('dbo y')
grant select to u
go
select a from x
execute as user = 'u'
exec ('select a from x; select a from y')
revert
go
