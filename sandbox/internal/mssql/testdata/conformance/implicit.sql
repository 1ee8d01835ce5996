create table dbo.t (id int not null primary key);
go
create procedure dbo.adds @id int as insert dbo.t values (@id)
go
create procedure dbo.finds as select count(*) as n from dbo.t
go
create procedure dbo.opens as begin tran
go
create procedure dbo.closes as commit
go
create procedure dbo.turnsoff as
begin
    set implicit_transactions off;
    insert dbo.t values (90);
    select @@trancount as tc, 2 & @@options as o;
end
go
-- What begins a transaction, and what does not.
set implicit_transactions on;
select 2 & @@options as o, @@trancount as tc;
go
select 1 as one;
declare @v int = 1;
set @v = @v + 1;
print 'none';
select @@trancount as tc;
go
select id from dbo.t;
select @@trancount as tc;
commit;
insert dbo.t values (1);
insert dbo.t values (2);
select @@trancount as tc;
rollback;
select @@trancount as tc;
update dbo.t set id = 3 where id = 1;
select @@trancount as tc;
commit;
delete dbo.t where id = 1;
select @@trancount as tc;
commit;
merge dbo.t as t using (select 5 as id) as v on t.id = v.id when matched then delete;
select @@trancount as tc;
commit;
truncate table dbo.t;
select @@trancount as tc;
commit;
grant select on dbo.t to public;
select @@trancount as tc;
commit;
revoke select on dbo.t to public;
select @@trancount as tc;
commit;
alter table dbo.t add v int null;
select @@trancount as tc;
rollback;
create table dbo.u (id int not null);
select @@trancount as tc;
rollback;
select object_id('dbo.u') as u;
select @@trancount as tc;
go
declare c cursor local static for select id from dbo.t;
select @@trancount as tc;
open c;
select @@trancount as tc;
commit;
fetch next from c;
select @@trancount as tc;
commit;
go
-- BEGIN TRANSACTION counts two.
begin tran;
select @@trancount as tc;
commit;
select @@trancount as tc;
rollback;
go
-- The statement fails, its transaction stays.
insert dbo.t values (7), (7);
select @@trancount as tc;
rollback;
go
-- In a procedure, and in dynamic SQL: no error 266 where it was 0 before.
exec dbo.adds 10;
select @@trancount as tc;
commit;
exec dbo.adds 11;
rollback;
exec dbo.finds;
select @@trancount as tc;
commit;
exec dbo.opens;
select @@trancount as tc;
exec dbo.closes;
select @@trancount as tc;
rollback;
exec sys.sp_executesql N'insert dbo.t values (12)';
select @@trancount as tc;
rollback;
go
-- A SET in a procedure is gone when it returns.
exec dbo.turnsoff;
select @@trancount as tc, 2 & @@options as o;
go
select id from dbo.t order by id;
commit;
set implicit_transactions off;
insert dbo.t values (20);
select @@trancount as tc;
go
