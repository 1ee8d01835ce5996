begin try
    select 1/0 as x
end try
begin catch
    select error_number() as n, error_severity() as sev, error_state() as st, error_line() as line, error_message() as msg, xact_state() as xs
end catch
go
select 1/0 as x
select 2 as y
go
set xact_abort on
begin tran
select 1/0 as x
select 'not reached'
go
select @@trancount as tc
set xact_abort off
go
begin try
    select * from dbo.nowhere
end try
begin catch
    select 'not reached: same level'
end catch
go
begin try
    exec sp_executesql N'select * from dbo.nowhere'
end try
begin catch
    select error_number() as n, error_line() as line
end catch
go
begin try
    exec('select cast(''abc'' as int)')
end try
begin catch
    select error_number() as n, error_message() as msg
end catch
go
begin tran
begin try
    select cast('abc' as int)
end try
begin catch
    select xact_state() as xs
    begin try
        create table dbo.t (a int)
    end try
    begin catch
        select error_number() as n
    end catch
    rollback
end catch
go
begin try
    raiserror('hello %d %s', 16, 3, 42, 'world')
    select 'not reached'
end try
begin catch
    select error_number() as n, error_state() as st, error_message() as msg;
    throw;
end catch
select 'not reached after throw'
go
raiserror('only a message', 10, 1)
raiserror('an error, and on it goes', 16, 1)
print 'after'
go
throw 50123, 'thrown', 7;
print 'not reached'
go
create procedure dbo.p @a int, @b int = 5 output as
begin
    set @b = @a * 2
    return 7
end
go
declare @rc int, @x int
exec @rc = dbo.p 21, @x output
select @rc as rc, @x as x
exec @rc = dbo.p @a = 1
select @rc as rc
go
exec dbo.p
go
exec dbo.p 1, 2, 3
go
exec dbo.p @c = 1
go
exec dbo.nothing
go
declare @i int = 0
while 1 = 1
begin
    set @i += 1
    if @i = 3 continue
    if @i > 5 break
    print @i
end
go
if exists (select 1) goto there
print 'skipped'
there:
print 'landed'
go
