create table dbo.t (id int not null)
insert dbo.t values (1), (2)
go
-- Variables do not go in or out; parameters do.
declare @n int, @max int = 2
exec sp_executesql N'select @n = count(*) from dbo.t where id <= @max', N'@n int output, @max int', @n output, @max
select @n as n
exec sp_executesql N'select @n = count(*) from dbo.t where id <= @max', N'@n int output, @max int', @max = 1, @n = @n output
select @n as n
exec sp_executesql @stmt = N'select @a + @b as c', @params = N'@a int, @b int = 5', @a = 2
exec sp_executesql N'select @max'
go
declare @max int = 1
exec ('select @max')
go
exec sp_executesql 'select 1'
go
exec sp_executesql N'select @a as a', N'@a int'
go
-- SET options and the isolation level come back, the database option as well; #tables go, outer #tables are seen.
set nocount off
create table #outer (a int)
exec sp_executesql N'set nocount on; set xact_abort on; set transaction isolation level serializable; set lock_timeout 5; insert #outer values (1); create table #inner (a int); insert #inner values (2)'
select a from #outer
select @@lock_timeout as lt, @@options as options
select transaction_isolation_level as til from sys.dm_exec_sessions where session_id = @@spid
go
select * from #inner
go
drop table #outer
go
-- A #table of the same name hides the outer one.
create table #t (a int)
insert #t values (1)
exec ('create table #t (a int); insert #t values (2); select a from #t')
select a from #t
drop table #t
go
-- Transactions are the session's, not the text's.
exec ('begin tran')
select @@trancount as tc
exec ('rollback')
select @@trancount as tc
go
-- Errors: the line is the dynamic text's.
begin try
    exec sp_executesql N'
select 1

select 1 / 0'
end try
begin catch
    select error_number() as n, error_line() as l, error_procedure() as p
end catch
go
exec ('select 1 as a
selec 2')
print 'a syntax error ends the dynamic batch only'
go
begin try
    exec ('select ''a')
end try
begin catch
    select error_number() as n, error_message() as m
end catch
go
-- RETURN ends the dynamic text.
exec ('print ''a''; return; print ''b''')
print 'c'
go
declare @rc int = 5
exec @rc = sp_executesql N'return'
select @rc as rc
go
declare @a nvarchar(20) = N'select ', @b nvarchar(20) = N'42 as x'
exec (@a + @b)
exec (N'select ' + N'43 as x')
go
-- USE in dynamic SQL lasts as long as it.
exec ('use master; select db_name() as d')
select db_name() as d
go
exec sp_executesql N''
exec ('')
print 'nothing happened'
go
