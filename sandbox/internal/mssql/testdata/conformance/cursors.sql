create table dbo.t (id int not null primary key, v varchar(5) not null)
insert dbo.t values (1, 'a'), (2, 'b'), (3, 'c')
go
-- GLOBAL by default: it lives on after the batch.
declare c cursor for select id, v from dbo.t order by id
open c
fetch next from c
go
declare @id int, @v varchar(5)
fetch next from c into @id, @v
select @id as id, @v as v, @@fetch_status as fs
fetch c into @id, @v
fetch c into @id, @v
select @id as id, @v as v, @@fetch_status as fs
close c
fetch next from c
go
deallocate c
open c
go
declare c cursor for select id from dbo.t;
declare c cursor for select id from dbo.t;
deallocate c
go
-- LOCAL and STATIC: changes after OPEN are not seen.
declare @id int
declare l cursor local static read_only for select id from dbo.t order by id
open l
delete dbo.t where id = 2
fetch next from l into @id
while @@fetch_status = 0
begin
    print @id
    fetch next from l into @id
end
close l
deallocate l
go
open l
go
-- A procedure that lists the cursors of its caller's session.
declare g cursor global static for select id from dbo.t
open g
select cursor_status('global', 'g') as g, cursor_status('local', 'g') as l, cursor_status('global', 'none') as none
declare @list cursor
exec sp_cursor_list @cursor_return = @list output, @cursor_scope = 2
fetch next from @list
close g
deallocate g
go
-- The variables of the query are read when the cursor is opened.
declare @from int = 1, @id int
declare v cursor local static for select id from dbo.t where id > @from
set @from = 2
open v
fetch next from v into @id
select @id as id, @@fetch_status as fs
go
declare w cursor local for select id, v from dbo.t
declare @one int
open w
fetch next from w into @one
go
-- A cursor that is not STATIC would show what changes after OPEN: that is refused.
declare n cursor local for select id from dbo.t
declare @n int
open n
fetch next from n into @n
update dbo.t set v = v
fetch next from n into @n
go
declare n cursor local static for select id from dbo.t
declare @n int
open n
fetch next from n into @n
update dbo.t set v = v
fetch next from n into @n
select @@fetch_status as fs
go
