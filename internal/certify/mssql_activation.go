package certify

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// mssqlActivation are the probes of Service Broker, with queues of their own.
func mssqlActivation() []Probe {
	return []Probe{
		{
			Name: "options-of-activation", Capability: "tasks run",
			Assumed:   "Activated sessions have SET options 5432",
			Otherwise: "Any: procedures set what they need",
			Answers:   []Answer{{Seen: "5432", Verdict: Works}, {Seen: "others", Verdict: Handled}},
			ask:       optionsOfActivation,
		},
		{
			Name: "many-readers", Capability: "tasks run",
			Assumed:   "N queues with one reader have N readers within a second",
			Otherwise: "Late ramp-up",
			Answers:   []Answer{{Seen: "within a second", Verdict: Works}, {Seen: "later", Verdict: Handled}},
			ask:       manyReaders,
		},
		{
			Name: "next-activation", Capability: "tasks run as their user",
			Assumed:   "The next activation of a queue has another session",
			Otherwise: "The same session must be clean",
			Answers: []Answer{
				{Seen: "another session", Verdict: Works},
				{Seen: "the same, clean", Verdict: Handled},
				{Seen: "the same, as it was", Verdict: Fails, Means: "A task would find what another user's task left in the session."},
			},
			ask: nextActivation,
		},
		{
			Name: "timer-of-a-queue-that-is-off", Capability: "recovery and failovers",
			Assumed:   "A timer that fires while its queue is off is delivered later",
			Otherwise: "The sweep is late",
			Answers:   []Answer{{Seen: "later", Verdict: Works}, {Seen: "never", Verdict: Handled}},
			ask:       timerOfAQueueThatIsOff,
		},
	}
}

func optionsOfActivation(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	if err := s.exec(ctx, b.table("Activated", "Bits int NOT NULL")); err != nil {
		return "", err
	}
	if err := s.service(ctx, b, "Options_Queue", "INSERT INTO "+b.name("Activated")+" (Bits) VALUES (@@OPTIONS);"); err != nil {
		return "", err
	}
	if err := s.send(ctx, "Options_Queue"); err != nil {
		return "", err
	}
	if err := s.noted(ctx, b, "Activated", 1); err != nil {
		return "", err
	}
	if bits, err := s.value(ctx, "SELECT Bits FROM "+b.name("Activated")); err != nil || bits == "5432" {
		return bits, err
	}
	return "others", nil
}

// manyReaders sends to idle queues, whose readers stay for as long as the last of them may take.
func manyReaders(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	if err := s.exec(ctx, b.table("Readers", "Queue int NOT NULL, StartedAt datetime2(3) NOT NULL")); err != nil {
		return "", err
	}
	var queues []string
	for i := range lanes {
		queues = append(queues, "Readers_"+strconv.Itoa(i))
		if err := s.service(ctx, b, queues[i], fmt.Sprintf("INSERT INTO %s (Queue, StartedAt) VALUES (%d, SYSUTCDATETIME());\n    WAITFOR DELAY '00:00:03';", b.name("Readers"), i)); err != nil {
			return "", err
		}
	}
	if err := s.exec(ctx, b.table("Sent", "SentAt datetime2(3) NOT NULL")); err != nil {
		return "", err
	}
	if err := s.send(ctx, queues...); err != nil {
		return "", err
	}
	if err := s.exec(ctx, "INSERT INTO "+b.name("Sent")+" (SentAt) VALUES (SYSUTCDATETIME());"); err != nil {
		return "", err
	}
	if err := s.noted(ctx, b, "Readers", lanes); errors.Is(err, errLate) {
		return "later", nil
	} else if err != nil {
		return "", err
	}
	took, err := s.value(ctx, "SELECT DATEDIFF(millisecond, (SELECT s.SentAt FROM "+b.name("Sent")+" AS s), MAX(r.StartedAt)) FROM "+b.name("Readers")+" AS r")
	if err != nil {
		return "", err
	}
	if ms, err := strconv.Atoi(took); err != nil || ms > 1000 {
		return "later", err
	}
	return "within a second", nil
}

// nextActivation leaves something in the session of an activated procedure, as a task can, and looks for it in the next one.
func nextActivation(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	notes := b.name("Activations")
	if err := s.exec(ctx, b.table("Activations", "Id int IDENTITY(1, 1) NOT NULL PRIMARY KEY, Session nvarchar(100) NOT NULL, Found nvarchar(200) NOT NULL")); err != nil {
		return "", err
	}
	if err := s.service(ctx, b, "Next_Queue", `DECLARE @Found nvarchar(200) = CONCAT(CONVERT(nvarchar(100), SESSION_CONTEXT(N'left')), N', ', APPLOCK_MODE(N'public', N'`+mssqlProbe+`left', N'Session'));
    EXEC sys.sp_set_session_context @key = N'left', @value = N'something';
    EXEC sys.sp_getapplock @Resource = N'`+mssqlProbe+`left', @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 0;
    INSERT INTO `+notes+` (Session, Found)
    VALUES (CONCAT(@@SPID, N'/', CONVERT(nvarchar(30), (SELECT e.login_time FROM sys.dm_exec_sessions AS e WHERE e.session_id = @@SPID), 126)), @Found);`); err != nil {
		return "", err
	}
	for n := 1; n <= 2; n++ {
		if err := s.send(ctx, "Next_Queue"); err != nil {
			return "", err
		}
		if err := s.noted(ctx, b, "Activations", n); err != nil {
			return "", err
		}
		// Until the activation has ended: it would receive the next message, too. The lock stays longer only if the session is used again as it was.
		if err := until(ctx, 10*time.Second, func() (bool, error) {
			free, err := s.value(ctx, "SELECT APPLOCK_TEST(N'public', N'"+mssqlProbe+"left', N'Exclusive', N'Session')")
			return free == "1", err
		}); err != nil && !errors.Is(err, errLate) {
			return "", err
		}
	}
	all, err := rows(ctx, s.conn, "SELECT a.Session, a.Found FROM "+notes+" AS a ORDER BY a.Id")
	switch {
	case err != nil:
		return "", err
	case all[1][1] != ", NoLock":
		return "the same, as it was", nil
	case all[0][0] == all[1][0]:
		return "the same, clean", nil
	}
	return "another session", nil
}

func timerOfAQueueThatIsOff(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	queue := b.name("Timer_Queue")
	if err := s.exec(ctx, "CREATE QUEUE "+queue+";", "CREATE SERVICE "+serviceOf("Timer_Queue")+" AUTHORIZATION dbo ON QUEUE "+queue+" ([DEFAULT]);", `DECLARE @Handle uniqueidentifier;
BEGIN DIALOG @Handle FROM SERVICE `+serviceOf("Timer_Queue")+` TO SERVICE N'`+mssqlSchema+`_Timer_Queue', N'CURRENT DATABASE' WITH ENCRYPTION = OFF;
BEGIN CONVERSATION TIMER (@Handle) TIMEOUT = 2;`, "ALTER QUEUE "+queue+" WITH STATUS = OFF;"); err != nil {
		return "", err
	}
	if err := sleep(ctx, 4*time.Second); err != nil {
		return "", err
	}
	if err := s.exec(ctx, "ALTER QUEUE "+queue+" WITH STATUS = ON;"); err != nil {
		return "", err
	}
	err = until(ctx, 30*time.Second, func() (bool, error) {
		n, err := s.value(ctx, "SELECT COUNT(*) FROM "+queue)
		return n == "1", err
	})
	if errors.Is(err, errLate) {
		return "never", nil
	}
	return "later", err
}
