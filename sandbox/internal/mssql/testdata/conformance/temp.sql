-- Temp tables are transactional, table variables and identities are not.
create table #t (id int identity primary key, v varchar(10) not null)
declare @t table (id int identity, v varchar(10))
begin tran
insert #t (v) values ('a')
insert @t (v) values ('a')
rollback
insert #t (v) values ('b')
insert @t (v) values ('b')
select id, v from #t
select id, v from @t order by id
go
begin tran
create table #u (a int)
insert #u values (1)
rollback
select a from #u
go
begin tran
drop table #t
rollback
select id, v from #t
go
-- A statement that fails undoes its rows in a table variable, too.
declare @t table (id int primary key)
insert @t values (1)
begin try
    insert @t values (2), (1)
end try
begin catch
    select error_number() as n
end catch
select id from @t
go
-- A table of a procedure goes with it; the caller's is seen and changed.
create procedure dbo.uses as
begin
    insert #t (v) values ('proc')
    create table #mine (a int)
    select count(*) as n from #mine
end
go
exec dbo.uses
select v from #t order by id
select a from #mine
go
create table #t (a int)
go
-- Each session has its own.
-- @B
select v from #t
go
-- @B
create table #t (b int)
insert #t values (42)
select b from #t
go
select v from #t where id = 2
select object_id('tempdb..#t') - object_id('tempdb..#t') as zero, object_id('tempdb..#none') as none
go
-- Table variables keep their rows in a loop: the declaration is not executed.
declare @i int = 0
while @i < 3
begin
    declare @loop table (i int)
    insert @loop values (@i)
    set @i += 1
end
select count(*) as n from @loop
go
-- SELECT INTO.
select 1 as a, cast('x' as varchar(5)) as b, cast(null as datetime2(3)) as c into #into
select a, b, c from #into
begin try
    insert #into values (null, 'toolong', null)
end try
begin catch
    select error_number() as n
end catch
go
drop table #into
drop table #into
go
