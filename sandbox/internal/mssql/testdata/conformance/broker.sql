create message type [//t/request] validation = none
create message type [//t/reply] validation = none
create contract [//t/contract] ([//t/request] sent by initiator, [//t/reply] sent by target)
create queue dbo.initiator
create queue dbo.target
create service [//t/initiator] on queue dbo.initiator
create service [//t/target] on queue dbo.target ([//t/contract])
create table dbo.seen (n int identity primary key, what nvarchar(200) null)
go
-- A message is seen when the sender commits.
declare @h uniqueidentifier
begin tran
begin dialog conversation @h from service [//t/initiator] to service '//t/target' on contract [//t/contract] with encryption = off
;send on conversation @h message type [//t/request] (N'one')
;send on conversation @h message type [//t/request] (N'two')
go
-- @B
receive top (1) cast(message_body as nvarchar(max)) as body from dbo.target
go
commit
go
-- @B
begin tran;
receive top (1) message_type_name, cast(message_body as nvarchar(max)) as body, message_sequence_number as seq, service_name from dbo.target
go
-- The conversation group is locked: nobody else gets its other message.
receive top (1) cast(message_body as nvarchar(max)) as body from dbo.target
go
-- @B
rollback
declare @h uniqueidentifier, @type sysname, @body nvarchar(max);
receive top (1) @h = conversation_handle, @type = message_type_name, @body = cast(message_body as nvarchar(max)) from dbo.target
select @type as type, @body as body
;send on conversation @h message type [//t/reply] (N'three')
declare @rows table (h uniqueidentifier, body nvarchar(max))
;receive conversation_handle, cast(message_body as nvarchar(max)) from dbo.target into @rows
select body from @rows
end conversation @h
go
-- Nothing there: variables keep their values, @@ROWCOUNT is 0.
declare @body nvarchar(10) = N'kept';
receive @body = cast(message_body as nvarchar(10)) from dbo.target
select @@rowcount as n, @body as body
go
declare @h uniqueidentifier;
receive top (1) @h = conversation_handle from dbo.initiator
select @@rowcount as n;
receive cast(message_body as nvarchar(10)) as body, message_type_name from dbo.initiator
end conversation @h
select count(*) as initiators from sys.conversation_endpoints where is_initiator = 1
go
-- WAITFOR (RECEIVE): until a message comes, or the time-out.
-- @B
waitfor (receive message_type_name from dbo.target), timeout 1000
go
-- @join
-- @B
waitfor (receive message_type_name from dbo.target)
go
declare @h uniqueidentifier
begin dialog @h from service [//t/initiator] to service '//t/target' on contract [//t/contract] with encryption = off, lifetime = 600
;send on conversation @h message type [//t/request]
go
-- A timer.
declare @h uniqueidentifier = (select top (1) conversation_handle from sys.conversation_endpoints where is_initiator = 1 and state = 'CO')
begin conversation timer (@h) timeout = 5
waitfor (receive message_type_name from dbo.initiator), timeout 20000
end conversation @h with error = 4711 description = N'enough'
go
-- @join
declare @h uniqueidentifier;
receive top (1) @h = conversation_handle from dbo.target
end conversation @h
go
-- Errors.
declare @h uniqueidentifier = newid()
;send on conversation @h message type [//t/request] (N'x')
go
declare @h uniqueidentifier
begin dialog @h from service [//t/none] to service '//t/target' on contract [//t/contract]
go
-- Activation.
create procedure dbo.works with execute as owner as
begin
    declare @h uniqueidentifier, @type sysname
    while 1 = 1
    begin
        begin tran
        set @h = null
        waitfor (receive top (1) @h = conversation_handle, @type = message_type_name from dbo.target), timeout 1000
        if @h is null
        begin
            commit
            break
        end
        insert dbo.seen (what) values (@type)
        if @type = N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog'
            end conversation @h
        commit
    end
end
go
alter queue dbo.target with activation (status = on, procedure_name = dbo.works, max_queue_readers = 1, execute as owner)
go
declare @h uniqueidentifier
begin dialog @h from service [//t/initiator] to service '//t/target' on contract [//t/contract] with encryption = off
;send on conversation @h message type [//t/request] (N'go')
end conversation @h
go
-- @advance 10s
select what from dbo.seen order by n
go
-- Poison: five rollbacks in a row disable the queue; then RECEIVE is 9617.
alter queue dbo.target with activation (status = off)
declare @h uniqueidentifier
begin dialog @h from service [//t/initiator] to service '//t/target' on contract [//t/contract] with encryption = off
;send on conversation @h message type [//t/request] (N'poison')
go
declare @i int = 0
while @i < 5
begin
    begin tran;
    receive top (1) message_type_name from dbo.target
    rollback
    set @i += 1
end
select is_receive_enabled as r, is_enqueue_enabled as e from sys.service_queues where name = 'target'
go
receive top (1) message_type_name from dbo.target
go
alter queue dbo.target with status = on;
receive top (1) message_type_name from dbo.target
go
-- Without poison message handling the queue stays enabled.
alter queue dbo.target with poison_message_handling (status = off)
declare @h uniqueidentifier
begin dialog @h from service [//t/initiator] to service '//t/target' on contract [//t/contract] with encryption = off
;send on conversation @h message type [//t/request] (N'poison')
go
declare @i int = 0
while @i < 6
begin
    begin tran;
    receive top (1) message_type_name from dbo.target
    rollback
    set @i += 1
end
select is_receive_enabled as r, is_poison_message_handling_enabled as p from sys.service_queues where name = 'target'
go
create queue dbo.other with status = on, retention = off, poison_message_handling (status = off)
drop queue dbo.other
go
drop queue dbo.target
go
drop service [//t/target]
drop queue dbo.target
go
-- What nobody uses is refused, in the words of the language.
declare @g uniqueidentifier = newid(), @h uniqueidentifier
begin dialog conversation @h from service [//t/initiator] to service '//t/target' on contract [//t/contract] with related_conversation_group = @g, encryption = off
go
declare @h uniqueidentifier
;receive top (1) conversation_handle from dbo.initiator where conversation_handle = @h
go
create queue dbo.other with retention = on
go
create message type [//t/other] validation = empty
go
