create table t (a int identity(1,1) constraint PK_t primary key, b varchar(10) not null default('x'), c int null constraint CK_t check (c > 0), d as (c + 1), e datetime2(3) not null default sysutcdatetime())
insert t (c) values (1), (null)
select a, b, c, d from t
go
alter table t add f int not null constraint DF_f default 7, g as (a * 2) persisted
select a, b, c, d, f, g from t
select name, definition from sys.check_constraints; select name, definition from sys.default_constraints where name = 'DF_f'; select name, definition, is_persisted from sys.computed_columns
go
select * from t where a = 1 and e is null
go
create unique index ux on t (b)
go
create index ix on t (c desc) include (b) where c = 1
select i.name, i.index_id, i.type_desc, i.is_unique, i.filter_definition, c.name col, ic.key_ordinal, ic.is_descending_key, ic.is_included_column
from sys.indexes i join sys.index_columns ic on ic.object_id = i.object_id and ic.index_id = i.index_id join sys.columns c on c.object_id = i.object_id and c.column_id = ic.column_id
where i.object_id = object_id('t') order by i.index_id, ic.index_column_id
go
begin tran
create table u (a int)
insert u values (1)
exec('create view v as select a from u')
select * from v
rollback
select object_id('u') u, object_id('v') v
go
create procedure p as select 1 as x
go
create or alter procedure p as select 2 as x
go
exec p
select definition from sys.sql_modules where object_id = object_id('p')
go
create function dbo.f(@x int) returns int as begin return @x * 2 end
go
create function dbo.g(@x int) returns table as return (select a, b from t where a = @x)
go
create view dbo.w as select a, c from t where c is not null
go
select dbo.f(21) x; select * from dbo.g(1); select * from dbo.w
select name, column_id, user_type_id from sys.columns where object_id = object_id('dbo.w') order by column_id
go
create type ids as table (id int primary key)
go
declare @i ids; insert @i values (1), (2); select count(*) n from @i
go
create sequence s start with 5; select next value for s a; select next value for s b
go
create user bob without login; grant select on w to bob
execute as user = 'bob'
select * from w
select name from sys.objects order by name
select * from t
revert
go
execute as user = 'bob'
create table x (a int)
revert
go
truncate table t; insert t default values; select a from t
go
IF NOT EXISTS
	(SELECT * FROM sysobjects WHERE id = object_id(N'[dbo].[schema_migrations]'))
	CREATE TABLE [dbo].[schema_migrations] ( version BIGINT PRIMARY KEY NOT NULL, dirty BIT NOT NULL );
select name from sys.tables order by name
select TABLE_NAME, COLUMN_NAME, DATA_TYPE, IS_NULLABLE from INFORMATION_SCHEMA.COLUMNS where TABLE_NAME = 'schema_migrations'
go
select name, database_id, is_broker_enabled, snapshot_isolation_state_desc from sys.databases order by database_id
select name from master.sys.tables
go
drop table nosuch
go
declare @t table (a int primary key, b int default 3); insert @t (a) values (1); select * from @t
create table #x (a int primary key, b int); insert #x values (1,2); alter table #x add c int; create index i on #x (b); select * from #x; drop table #x
go
alter table t add constraint FK foreign key (c) references nosuch (id)
go
create message type m validation = none; create contract k authorization dbo (m sent by any); create queue q; create service sv on queue q (k)
declare @h uniqueidentifier
begin dialog conversation @h from service sv to service 'sv' on contract k with encryption = off;
send on conversation @h message type m (0x01)
select state, is_initiator, far_service from sys.conversation_endpoints order by is_initiator
select message_type_name, message_body from q
select name, is_receive_enabled, is_poison_message_handling_enabled, max_readers from sys.service_queues where is_ms_shipped = 0
select s.name, c.name contract from sys.services s join sys.service_contract_usages u on u.service_id = s.service_id join sys.service_contracts c on c.service_contract_id = u.service_contract_id where s.name = 'sv'
go
drop queue q
go
select name, type_desc, authentication_type_desc from sys.database_principals where name in ('dbo', 'bob', 'public', 'db_owner') order by name
select p.permission_name, p.state_desc, p.class_desc, u.name from sys.database_permissions p join sys.database_principals u on u.principal_id = p.grantee_principal_id where u.name = 'bob' order by 1
