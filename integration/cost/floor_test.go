package cost

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// floors are bare table queues: claim, run, complete, and nothing else: no log, no waves, no errors, no retries. Apart, claim and
// completion each commit on their own, as in dbsched; together, one transaction stays open while the task runs.
var floors = map[string]struct{ up, fill, apart, together string }{"mssql": {
	"create table dbo.BareQueue (Id bigint identity primary key, Body nvarchar(max) not null, Status char(1) not null default 'P')",
	"insert into dbo.BareQueue (Body) select N'DECLARE @Nothing int = 1;' from dbo.Numbers where Number <= 1000",
	`set nocount on
declare @i int = 0, @id bigint, @body nvarchar(max)
while @i < 50
begin
    update top (1) q set @id = q.Id, @body = q.Body, q.Status = 'R' from dbo.BareQueue q with (rowlock, readpast) where q.Status = 'P'
    exec (@body)
    delete from dbo.BareQueue where Id = @id
    set @i += 1
end`, `set nocount on
declare @i int = 0, @id bigint, @body nvarchar(max)
while @i < 50
begin
    begin transaction
    select top (1) @id = q.Id, @body = q.Body from dbo.BareQueue q with (updlock, rowlock, readpast)
    exec (@body)
    delete from dbo.BareQueue where Id = @id
    commit
    set @i += 1
end`,
}, "oracle": {
	"create table bare_queue (id number generated as identity primary key, body clob not null, status varchar2(1) default 'P' not null)",
	"insert into bare_queue (body) select 'begin null; end;' from numbers where n <= 1000",
	`declare
    cursor waiting is select id, body from bare_queue where status = 'P' for update skip locked;
    l_id number;
    l_body clob;
begin
    for i in 1 .. 50 loop
        open waiting;
        fetch waiting into l_id, l_body;
        close waiting;
        update bare_queue set status = 'R' where id = l_id;
        commit write immediate wait;
        execute immediate l_body;
        delete from bare_queue where id = l_id;
        commit write immediate wait;
    end loop;
end;`, `declare
    cursor waiting is select id, body from bare_queue for update skip locked;
    l_id number;
    l_body clob;
begin
    for i in 1 .. 50 loop
        open waiting;
        fetch waiting into l_id, l_body;
        close waiting;
        execute immediate l_body;
        delete from bare_queue where id = l_id;
        commit write immediate wait;
    end loop;
end;`,
}}

// TestAgainstFloor compares them with dbsched's worker in its steady state, which TestTaskBesideMany measures.
func TestAgainstFloor(t *testing.T) {
	const tasks = 50
	each(t, 0, func(b *bench) {
		f := floors[b.dialect.Name()]
		b.exec(b.numbers...)
		b.exec(f.up, f.fill, f.apart, f.together)
		ours := b.steady()
		apart, together := per(b.spent(func() { b.exec(f.apart) }), tasks), per(b.spent(func() { b.exec(f.together) }), tasks)
		b.recordTask("floor/apart", apart)
		b.recordTask("floor/together", together)
		require.LessOrEqual(b, ours.flushes, min(apart.flushes, together.flushes), "commits that wait for the log")
	})
}

// TestMSSQLAgainstReaders compares the published readers of one queue, all started and busy, with the same.
func TestMSSQLAgainstReaders(t *testing.T) {
	t.Parallel()
	mssqlEngine().run(t, 0, func(b *bench) {
		b.pollingUp()
		b.pollingAdd(seedTasks, seedTasks, b.nothing)
		work := b.box.Work()
		theirs := per(b.spent(func() {
			for b.pollingLeft() > 0 {
				b.pause(100 * time.Millisecond)
			}
		}), seedTasks)
		theirs.worked(b, work, seedTasks)
		b.recordTask("task/one-queue-8-readers", theirs)
		require.LessOrEqual(b, b.steady().flushes, theirs.flushes, "commits that wait for the log") // of everything else they need less
	})
}

// steady is what a task costs dbsched, according to the committed figures.
func (b *bench) steady() taskCost {
	return figures.task(b.dialect.Name() + "/task/among-1000-unfinished")
}
