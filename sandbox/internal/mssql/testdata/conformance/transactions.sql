create table dbo.t (id int not null primary key, v varchar(5) null)
go
begin tran
insert dbo.t values (1, 'a')
begin tran
insert dbo.t values (2, 'b')
select @@trancount as tc
commit
select @@trancount as tc, xact_state() as xs
rollback
select @@trancount as tc, xact_state() as xs, (select count(*) from dbo.t) as n
go
commit
rollback
save tran s
go
-- An error that ends only its statement: the transaction stays, the batch goes on.
begin tran
insert dbo.t values (1, 'a')
insert dbo.t values (1, 'again')
insert dbo.t values (2, 'b')
select @@error as e, @@trancount as tc
commit
select id, v from dbo.t order by id
go
-- XACT_ABORT: the same error rolls the transaction back and ends the batch.
set xact_abort on
begin tran
insert dbo.t values (3, 'c')
insert dbo.t values (1, 'again')
insert dbo.t values (4, 'd')
go
set xact_abort off
select @@trancount as tc, (select count(*) from dbo.t) as n
go
-- RAISERROR is not subject to XACT_ABORT, THROW is.
set xact_abort on
begin tran
raiserror('stays', 16, 1)
select @@trancount as tc
commit
begin tran;
throw 50001, 'goes', 1;
go
set xact_abort off
select @@trancount as tc
go
begin tran;
throw 50001, 'the batch ends, the transaction stays', 1;
go
select @@trancount as tc
rollback
go
-- Doomed: it can read, nothing else.
set xact_abort on
begin try
    begin tran
    insert dbo.t values (5, 'e')
    insert dbo.t values (1, 'again')
end try
begin catch
    select error_number() as n, xact_state() as xs, @@trancount as tc
    select count(*) as n from dbo.t
    begin try
        insert dbo.t values (6, 'f')
    end try
    begin catch
        select error_number() as n
    end catch
    begin try
        commit
    end try
    begin catch
        select error_number() as n
    end catch
    begin try
        save tran x
    end try
    begin catch
        select error_number() as n
    end catch
    rollback
    select xact_state() as xs
end catch
set xact_abort off
go
-- A batch that ends with a doomed transaction has it rolled back: 3998.
set xact_abort on
begin try
    begin tran
    insert dbo.t values (1, 'again')
end try
begin catch
    select xact_state() as xs
end catch
go
set xact_abort off
select @@trancount as tc
go
-- In TRY without XACT_ABORT a constraint violation does not doom.
begin try
    begin tran
    insert dbo.t values (7, 'g')
    insert dbo.t values (1, 'again')
end try
begin catch
    select xact_state() as xs
    commit
end catch
select id from dbo.t order by id
go
-- Savepoints.
begin tran
insert dbo.t values (8, 'h')
save tran here
insert dbo.t values (9, 'i')
save transaction here
insert dbo.t values (10, 'j')
rollback tran here
select count(*) as n from dbo.t where id >= 8
select @@trancount as tc
rollback tran nowhere
select @@trancount as tc
rollback
go
begin tran outermost
begin tran inside
rollback tran inside
select @@trancount as tc
rollback tran outermost
select @@trancount as tc
go
declare @name varchar(32) = 'point'
begin tran
save tran @name
insert dbo.t values (11, 'k')
rollback tran @name
commit
select count(*) as n from dbo.t where id = 11
go
-- A procedure that leaves another @@TRANCOUNT than it found: 266.
create procedure dbo.opens as begin tran
go
create procedure dbo.closes as commit
go
create procedure dbo.undoes as rollback
go
exec dbo.opens
select @@trancount as tc
exec dbo.closes
select @@trancount as tc
go
begin tran
exec dbo.undoes
select @@trancount as tc
go
begin try
    exec dbo.opens
    select 'not reached'
end try
begin catch
    select error_number() as n, @@trancount as tc
    rollback
end catch
go
-- A rollback to a savepoint in a procedure leaves the caller's transaction.
create procedure dbo.tries @id int as
begin
    save tran tries
    begin try
        insert dbo.t values (@id, 'proc')
        insert dbo.t values (1, 'again')
    end try
    begin catch
        if xact_state() = 1 rollback tran tries
    end catch
end
go
begin tran
insert dbo.t values (12, 'l')
exec dbo.tries 13
commit
select id from dbo.t where id >= 12
go
-- Several rows: all or none.
insert dbo.t select x.id, 'm' from (values (20), (21), (1)) as x (id)
select count(*) as n from dbo.t where id >= 20
go
