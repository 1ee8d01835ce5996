-- The published design that dbsched grew from, retold: a task table that workers poll, one queue with three
-- readers, a conversation timer that keeps them coming. "GO" alone on a line ends a batch.
create table dbo.Tasks
(
    TaskID int identity(1, 1) primary key,
    ExecutionOrder int null,
    TaskBody varchar(max) not null,
    Status varchar(20) not null default('Pending')
)
go
create index IX_ExecutionOrder on dbo.Tasks(ExecutionOrder)
create index IX_Status on dbo.Tasks(Status)
go
create table dbo.Logs
(
    LogID bigint identity(1, 1) primary key,
    TaskID int not null,
    ExecutionOrder int not null,
    TaskBody varchar(max),
    SPID int not null default(@@SPID),
    StartTime datetime not null default(getdate()),
    EndTime datetime
)
go
create procedure dbo.ExecuteTask(@TaskID int, @ExecutionOrder int, @TaskBody nvarchar(max))
as
begin
    declare @LogID bigint
    insert into dbo.Logs(TaskID, TaskBody, ExecutionOrder)
        values(@TaskID, @TaskBody, @ExecutionOrder)
    select @LogID = scope_identity()
    begin try
        exec(@TaskBody)
    end try
    begin catch
        -- the hole: nobody learns of the error
    end catch
    update dbo.Logs set EndTime = getdate() where LogID = @LogID
end
go
create procedure dbo.TaskScheduler
(
    @WaitingTime int = 30
)
as
begin
    declare @StartTime datetime, @TaskID int, @TaskBody nvarchar(max), @ExecutionOrder int
    select @StartTime = getdate()
    while(1=1)
    begin
        begin transaction
        update top (1) t
            set @TaskID = TaskID,
                @TaskBody = TaskBody,
                @ExecutionOrder = ExecutionOrder,
                Status = 'Running'
        from dbo.Tasks t with (readpast)
        where t.Status = 'Pending'
            and not exists(
                select *
                from dbo.Tasks t1 with (nolock)
                where t1.ExecutionOrder < t.ExecutionOrder
            )
        if @@rowcount = 1
        begin
            exec dbo.ExecuteTask @TaskID, @ExecutionOrder, @TaskBody
            delete from dbo.Tasks where TaskID = @TaskID
            select @StartTime = getdate()
        end
        else
            waitfor delay '00:00:00:100'
        commit
        if datediff(second, @StartTime, getdate()) > @WaitingTime
            break;
    end
end
go
create procedure dbo.ExecAsync (@SQL varchar(max), @ExecutionOrder int)
as
begin
    insert into dbo.Tasks(TaskBody, ExecutionOrder) values(@SQL, @ExecutionOrder)
end
go
create queue dbo.QueueScheduler
create service ServiceScheduler on queue dbo.QueueScheduler([DEFAULT])
go
create procedure dbo.ActivationQueueScheduler
as
begin
    declare @Handle uniqueidentifier, @Type sysname, @msg nvarchar(max)
    waitfor(
        receive top (1)
            @Handle = conversation_handle,
            @Type = message_type_name
        from dbo.QueueScheduler
    ), timeout 5000
    if @Handle is null
        return;
    if @Type = 'http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer'
    begin
        begin conversation timer (@Handle) timeout = 10;
        exec dbo.TaskScheduler
    end
    else
        end conversation @Handle;
end
go
alter queue dbo.QueueScheduler
    with status = on, retention = off,
    activation (
        status = on,
        procedure_name = dbo.ActivationQueueScheduler,
        max_queue_readers = 3,
        execute as 'dbo'
        )
go
create procedure dbo.StartScheduler
as
begin
    declare @Handle uniqueidentifier
    select @Handle = conversation_handle
    from sys.conversation_endpoints
    where is_initiator = 1
        and far_service = 'ServiceScheduler'
        and state <> 'CD'
    if @@rowcount = 0
    begin
        begin dialog conversation @Handle
        from service ServiceScheduler
        to service 'ServiceScheduler'
        on contract [DEFAULT]
        with encryption = off;

        declare @i int = 0, @MaxReaders int = 0
        select @MaxReaders = max_readers from sys.service_queues where name = 'QueueScheduler'
        while @i < @MaxReaders
        begin
            begin conversation timer (@Handle) timeout = 1;
            select @i = @i + 1
        end
    end;
end
go
create procedure dbo.StopScheduler
as
begin
    declare @Handle uniqueidentifier
    select @Handle = conversation_handle
    from sys.conversation_endpoints
    where is_initiator = 1
        and far_service = 'ServiceScheduler'
        and state <> 'CD'
    if @@rowcount <> 0
        end conversation @Handle
end
go
