-- CREATE FUNCTION (Transact-SQL), inline table-valued functions; CREATE OR ALTER keeps what hangs on the object.
create table dbo.Orders (Id int primary key, Customer int, Amount int);
insert dbo.Orders values (1, 10, 5), (2, 10, 7), (3, 20, 11);
create user anna without login;
go
create or alter function dbo.OfCustomer (@Customer int)
returns table
as
return (select o.Id, o.Amount from dbo.Orders as o where o.Customer = @Customer);
go
grant select on dbo.OfCustomer to anna;
select f.Id, f.Amount from dbo.OfCustomer(10) as f order by f.Id;
select o.name, o.type from sys.objects as o where o.name = N'OfCustomer';
declare @before int = object_id(N'dbo.OfCustomer');
create table dbo.Kept (Id int);
insert dbo.Kept values (@before);
go
-- Again: the same object with another text; rights stay.
create or alter function dbo.OfCustomer (@Customer int, @Least int = 6)
returns table
as
return (select o.Id, o.Amount, o.Amount * 2 as Twice from dbo.Orders as o where o.Customer = @Customer and o.Amount >= @Least);
go
select iif(object_id(N'dbo.OfCustomer') = k.Id, 'the same', 'another') from dbo.Kept as k;
select f.Id, f.Twice from dbo.OfCustomer(10, default) as f;
select f.Id from dbo.OfCustomer(10, 0) as f order by f.Id;
-- The parameters must all be given.
select f.Id from dbo.OfCustomer(10) as f;
go
execute as user = 'anna';
select f.Id from dbo.OfCustomer(20, 0) as f;
revert;
go
-- One row of arguments at a time.
select o.Customer, f.Id from (values (10), (20)) as o (Customer) cross apply dbo.OfCustomer(o.Customer, 0) as f order by f.Id;
select o.Customer, f.Id from (values (10), (30)) as o (Customer) outer apply dbo.OfCustomer(o.Customer, 7) as f order by o.Customer;
go
-- The catalogue's text has no "or alter".
select left(m.definition, 26) from sys.sql_modules as m where m.object_id = object_id(N'dbo.OfCustomer');
go
-- CREATE of one that is there; CREATE OR ALTER of what is no function of that kind.
create function dbo.OfCustomer (@Customer int) returns table as return (select 1 as A);
go
create or alter function dbo.Orders () returns table as return (select 1 as A);
go
-- A text that does not compile leaves the function as it was.
create or alter function dbo.OfCustomer (@Customer int)
returns table
as
return (select o.Nothing from dbo.Orders as o);
go
select count(*) from dbo.OfCustomer(10, 0) as f;
drop function dbo.OfCustomer;
select f.Id from dbo.OfCustomer(10, 0) as f;
go
