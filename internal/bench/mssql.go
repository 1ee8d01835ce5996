package bench

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// seedSchema holds the published design.
const seedSchema = "dbsched_bench_seed"

var mssqlEngine = engine{
	schema:  "dbsched_bench",
	makes:   "the schemas dbsched_bench and " + seedSchema,
	nothing: "DECLARE @Nothing int = 1;",
	inTheWay: `SELECT N'Schema ' + s.name + N' exists. If it was left by a bench that was killed, remove it: ' +
       CASE s.name WHEN N'dbsched_bench' THEN N'dbsched uninstall --schema dbsched_bench' ELSE N'drop its objects and the service ServiceScheduler, then DROP SCHEMA ' + s.name END
FROM sys.schemas AS s WHERE s.name IN (N'dbsched_bench', N'` + seedSchema + `')
UNION ALL SELECT N'Service ServiceScheduler exists. bench creates one of this name: use another database.'
FROM sys.services AS s WHERE s.name = N'ServiceScheduler' AND SCHEMA_ID(N'` + seedSchema + `') IS NULL
UNION ALL SELECT N'Service Broker is off. Use another database, or run: ALTER DATABASE CURRENT SET ENABLE_BROKER'
FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.is_broker_enabled = 0`,
	beside: func(c Connect, nothing string) []design {
		p := polling{published: published{connect: c, empty: nothing}}
		return []design{&sessions{polling: p}, &readers{polling: p}}
	},
}

// polling is the task table that workers poll.
type polling struct{ published }

func (*polling) waves() bool { return true }

func (p *polling) make(ctx context.Context) error {
	if err := p.open(ctx); err != nil {
		return err
	}
	if err := p.exec(ctx, "CREATE SCHEMA "+seedSchema); err != nil {
		return err
	}
	return p.install(ctx, "polling_queue.sql", "go", func(batch string) string { return strings.ReplaceAll(batch, "dbo.", seedSchema+".") })
}

// remove drops what exists.
func (p *polling) remove(ctx context.Context) error {
	var all []string
	if _, err := p.db.ExecContext(ctx, "IF EXISTS (SELECT 1 FROM sys.services WHERE name = N'ServiceScheduler') DROP SERVICE ServiceScheduler"); err != nil {
		return err
	}
	all = append(all, fmt.Sprintf("IF OBJECT_ID(N'%s.QueueScheduler') IS NOT NULL DROP QUEUE %[1]s.QueueScheduler", seedSchema))
	for _, name := range []string{"StartScheduler", "StopScheduler", "ActivationQueueScheduler", "ExecAsync", "TaskScheduler", "ExecuteTask"} {
		all = append(all, fmt.Sprintf("DROP PROCEDURE IF EXISTS %s.%s", seedSchema, name))
	}
	all = append(all, fmt.Sprintf("DROP TABLE IF EXISTS %s.Tasks", seedSchema), fmt.Sprintf("DROP TABLE IF EXISTS %s.Logs", seedSchema),
		"DROP SCHEMA IF EXISTS "+seedSchema)
	return p.exec(ctx, all...)
}

func (p *polling) run(ctx context.Context, w work) (ran, error) {
	if err := p.exec(ctx, "DELETE FROM "+seedSchema+".Logs"); err != nil {
		return ran{}, err
	}
	called, err := p.now(ctx, "SELECT SYSDATETIME()")
	if err != nil {
		return ran{}, err
	}
	_, err = p.db.ExecContext(ctx, `SET NOCOUNT ON
DECLARE @i int = 0, @Order int
BEGIN TRANSACTION
WHILE @i < @p1
BEGIN
    SET @Order = @i / @p2
    EXEC `+seedSchema+`.ExecAsync @p3, @Order
    SET @i += 1
END
COMMIT`, w.waves*w.width, w.width, w.text)
	if err != nil {
		return ran{}, err
	}
	if err := p.until(ctx, "SELECT COUNT(*) FROM "+seedSchema+".Tasks WITH (NOLOCK)", func() error { return nil }); err != nil {
		return ran{}, err
	}
	tasks, err := p.times(ctx, "SELECT ExecutionOrder, StartTime, EndTime FROM "+seedSchema+".Logs ORDER BY LogID")
	return ran{called, tasks}, err
}

// sessions are clients that poll the table, one for each worker.
type sessions struct {
	polling
	stop func()
	done sync.WaitGroup
}

func (*sessions) name() string { return "polling table" }

func (s *sessions) up(ctx context.Context, workers int) error {
	if err := s.make(ctx); err != nil {
		return err
	}
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	for range workers {
		db, err := s.connect.Dialect.OpenDB(ctx, s.connect.Target)
		if err != nil {
			return err
		}
		s.done.Go(func() {
			defer db.Close()
			_, _ = db.ExecContext(ctx, "EXEC "+seedSchema+".TaskScheduler @WaitingTime = 36000") // until it is cancelled
		})
	}
	return nil
}

func (s *sessions) down(ctx context.Context) error {
	if s.stop != nil {
		s.stop()
		s.done.Wait()
	}
	if s.db == nil {
		return nil
	}
	defer s.db.Close()
	return s.remove(ctx)
}

// readers read one queue, at most one for each worker: the queue monitor adds them, one at a time.
type readers struct{ polling }

func (*readers) name() string { return "one queue" }

func (r *readers) up(ctx context.Context, workers int) error {
	if err := r.make(ctx); err != nil {
		return err
	}
	return r.exec(ctx, fmt.Sprintf("ALTER QUEUE %s.QueueScheduler WITH ACTIVATION (MAX_QUEUE_READERS = %d)", seedSchema, workers), "EXEC "+seedSchema+".StartScheduler")
}

// lingering is how long a reader stays without work: 30 s in its loop, and 5 s in its RECEIVE.
const lingering = 36 * time.Second

func (r *readers) down(ctx context.Context) error {
	if r.db == nil {
		return nil
	}
	defer r.db.Close()
	err := r.exec(ctx, fmt.Sprintf(`IF OBJECT_ID(N'%s.QueueScheduler') IS NOT NULL
    ALTER QUEUE %[1]s.QueueScheduler WITH ACTIVATION (STATUS = OFF)`, seedSchema))
	return errors.Join(err, r.pause(ctx, lingering), r.remove(ctx))
}
