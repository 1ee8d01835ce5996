create procedure dbo.twice @a int, @b int = 5 output, @c varchar(10) = 'none' as
begin
    set @b = @a * isnull(@b, 1)
    if @c = 'fail' return -5
    return 7
end
go
declare @rc int, @x int = 3
exec @rc = dbo.twice 21, @x output
select @rc as rc, @x as x
exec @rc = dbo.twice @a = 1, @b = @x
select @rc as rc, @x as x
exec @rc = dbo.twice @c = 'fail', @a = 2
select @rc as rc
exec @rc = dbo.twice 4, default, 'none'
select @rc as rc
execute dbo.twice @a = 4, @b = @x out
select @x as x
go
exec dbo.twice
go
exec dbo.twice 1, 2, 'x', 4
go
exec dbo.twice 1, @nope = 1
go
exec dbo.twice @a = 1, 2
go
exec dbo.twice 'abc'
go
exec dbo.twice @a = 1, @a = 2
go
declare @x int
exec dbo.twice 1, 2, @x output
go
exec dbo.missing
print 'after'
go
twice 1
go
declare @p nvarchar(100) = N'dbo.twice', @rc int
exec @rc = @p 1
select @rc as rc
set @p = N'[dbo].[twice]'
exec @rc = @p 1
select @rc as rc
go
-- Nesting: @@NESTLEVEL, variables of its own, the limit of 32.
create procedure dbo.deep @n int as
begin
    declare @mine int
    select @@nestlevel as level, @mine as mine
    set @mine = @n
    if @n > 1
    begin
        set @n = @n - 1
        exec dbo.deep @n
    end
end
go
exec dbo.deep 3
go
create procedure dbo.endless as exec dbo.endless
go
exec dbo.endless
print 'not reached'
go
create procedure dbo.nothing as return null
go
declare @rc int = 9
exec @rc = dbo.nothing
select @rc as rc
go
-- ROWCOUNT and NOCOUNT.
create procedure dbo.counts as
begin
    set nocount on
    declare @t table (a int)
    insert @t values (1), (2), (3)
end
go
exec dbo.counts
select @@rowcount as rc
go
declare @t table (a int)
insert @t values (1), (2)
select @@rowcount as rc
update @t set a = a + 1 where a = 1
select @@rowcount as rc
if @@rowcount = 1 print 'IF resets it'
select @@rowcount as rc
declare @x int
set @x = 1
select @@rowcount as rc
go
-- INSERT ... EXEC.
create procedure dbo.two as
begin
    select 1 as a, 'x' as b
    select 2, 'y'
    return 3
end
go
declare @t table (a int, b varchar(5))
insert @t exec dbo.two
select a, b from @t order by a
insert @t exec ('select 3, ''z''')
select count(*) as n from @t
go
declare @t table (a int)
insert @t exec dbo.two
go
create procedure dbo.nests as
begin
    declare @t table (a int, b varchar(5))
    insert @t exec dbo.two
end
go
declare @t table (a int, b varchar(5))
insert @t exec dbo.nests
go
-- Table types.
create type dbo.ids as table (id int not null primary key)
go
create procedure dbo.sums @ids dbo.ids readonly as select sum(id) as s, count(*) as n from @ids
go
declare @i dbo.ids
insert @i values (1), (2), (4)
exec dbo.sums @i
exec dbo.sums
go
