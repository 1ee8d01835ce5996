create table dbo.t (a int)
go
create procedure dbo.p @end varchar(10) as
begin
    select 1 as a
    if @end = 'commit' commit
    if @end = 'rollback' rollback
    if @end = 'pair'
    begin
        begin tran
        commit
    end
    select 2 as a
end
go
insert into dbo.t exec dbo.p 'nothing'
select a from dbo.t
go
insert into dbo.t exec dbo.p 'commit'
go
insert into dbo.t exec dbo.p 'rollback'
go
insert into dbo.t exec dbo.p 'pair'
select count(*) as n, @@trancount as tc from dbo.t
go
