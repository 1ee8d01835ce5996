raiserror('%s|%d|%i|%x|%X|%%', 16, 1, 'text', 1, -2, 255, 255)
raiserror('%5d|%-5d|%05d|%10s|%-10s|%.2s', 16, 1, 42, 42, 42, 'ab', 'ab', 'abcdef')
raiserror('%s and %d', 16, 1, null, null)
go
declare @m nvarchar(100) = N'from a variable: %s', @who sysname = N'me', @sev int = 12, @st int = 200
raiserror(@m, @sev, @st, @who)
select @@error as e
go
raiserror('severity 0', 0, 1)
raiserror('severity 10', 10, 9)
select @@error as e
raiserror('set', 10, 1) with seterror
select @@error as e
raiserror('state below 0', 16, -1)
raiserror('too high', 19, 1)
raiserror('at once', 0, 1) with nowait
go
print 'text'
print N'n' + N'text'
print 1 + 2
declare @d datetime2(0) = '2020-02-03T04:05:06'
print @d
go
throw 49999, 'below the range', 1;
go
throw 50000, 'lowest', 1;
go
declare @n int = 60000, @m nvarchar(2048) = N'from variables', @s tinyint = 255;
throw @n, @m, @s;
go
throw;
go
-- CATCH rethrows the original number, state and line.
begin try

    select 1 / 0 as x
end try
begin catch
    print 'caught';
    throw;
end catch
print 'not reached'
go
-- Severity 10 and lower are not caught.
begin try
    raiserror('only a message', 10, 1)
    print 'goes on'
end try
begin catch
    print 'not reached'
end catch
go
-- ERROR_ functions belong to the innermost CATCH, and are NULL outside.
select error_number() as n, error_message() as m
begin try
    raiserror('outer', 16, 1)
end try
begin catch
    select error_message() as m
    begin try
        raiserror('inner', 15, 2)
    end try
    begin catch
        select error_message() as m, error_severity() as sev, error_state() as st
    end catch
    select error_message() as m
end catch
select error_number() as n
go
create procedure dbo.shows as select error_number() as n, error_procedure() as p, error_line() as l, error_message() as m
go
create procedure dbo.fails @how int as
begin
    if @how = 1
        raiserror('from a procedure', 16, 7)
    if @how = 2
        select cast('x' as int);
    if @how = 3
        throw 50003, 'thrown', 3;
    select 'still here' as s
end
go
begin try
    exec dbo.fails 1
end try
begin catch
    exec dbo.shows
end catch
begin try
    exec dbo.fails 2
end try
begin catch
    exec dbo.shows
end catch
begin try
    exec dbo.fails 3
end try
begin catch
    exec dbo.shows
end catch
go
-- Not caught: RAISERROR goes on in the procedure, a conversion error ends the batch, THROW as well.
exec dbo.fails 1
select 'after 1' as s
go
exec dbo.fails 2
select 'after 2' as s
go
exec dbo.fails 3
select 'after 3' as s
go
-- An error in CATCH goes to the next TRY.
begin try
    begin try
        raiserror('first', 16, 1)
    end try
    begin catch
        raiserror('second', 16, 1)
        print 'not reached'
    end catch
end try
begin catch
    select error_message() as m
end catch
go
-- GOTO and RETURN leave TRY and CATCH.
begin try
    goto out_of_it
end try
begin catch
    print 'not reached'
end catch
print 'skipped'
out_of_it:
print 'landed'
begin try
    raiserror('x', 16, 1)
end try
begin catch
    return
end catch
print 'not reached'
go
declare @e int
select 1 / 0 as x
set @e = @@error
select @e as e, @@error as e0, @@rowcount as rc
go
