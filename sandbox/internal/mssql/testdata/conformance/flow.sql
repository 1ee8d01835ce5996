declare @i int = 0
again:
set @i += 1
if @i < 3 goto again
print @i
go
goto nowhere
go
declare @i int = 0
while @i < 10
begin
    set @i += 1
    if @i % 2 = 0 continue
    if @i > 7 break
    declare @j int = 0
    while 1 = 1
    begin
        set @j += 1
        if @j = 2 break
    end
    print @i
end
go
if exists (select 1 where 1 = 0) print 'yes' else print 'no'
if (select 1) = 1 print 'one'
if null = null print 'yes' else print 'unknown is not true'
if not (null = 1) print 'yes' else print 'not unknown is not true'
go
-- WAITFOR.
declare @from datetime2 = sysdatetime()
waitfor delay '00:00:02'
select datediff(millisecond, @from, sysdatetime()) / 100 as tenths
declare @d char(12) = '00:00:00.500'
set @from = sysdatetime()
waitfor delay @d
select datediff(millisecond, @from, sysdatetime()) / 100 as tenths
go
-- @join
waitfor delay 'soon'
go
-- RETURN ends the batch.
print 'a'
return
print 'b'
go
return 5
go
-- The scope of a variable is the whole batch; its declaration is executed where it stands.
if 1 = 0
    declare @late int = 5
select @late as late
go
declare @a int
declare @a int
go
select @undeclared
go
print 'a' print 'b'; print 'c'
begin begin print 'd' end end
go
-- A table variable is read outside of transactions, too.
DECLARE @t TABLE (n int);
INSERT INTO @t (n) VALUES (1), (2);
DECLARE @sum int = (SELECT SUM(n) FROM @t);
IF EXISTS (SELECT 1 FROM @t WHERE n = 2) OR EXISTS (SELECT 1 FROM @t WHERE n = 3) PRINT @sum;
go
