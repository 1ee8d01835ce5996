package certify

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// mssqlKills are the probes of KILL, which ends tasks that are cancelled or run for too long.
func mssqlKills() []Probe {
	return []Probe{
		{
			Name: "kill-activated", Capability: "timeouts and cancel",
			Assumed:   "`KILL` ends the session of an activated procedure",
			Otherwise: "Cancelled tasks end by themselves; a refusal raises an alarm",
			Answers: []Answer{
				{Seen: "ends", Verdict: Works},
				{Seen: "goes on", Verdict: Handled},
				{Seen: "error 6107", Verdict: Handled}, // only user processes can be killed
			},
			Invasive: "a KILL of a session that a queue of certify's own has activated",
			ask:      killActivated,
		},
		{
			Name: "kill-grants", Capability: "timeouts and cancel", alone: true,
			Assumed:   "The kill script needs `ALTER ANY CONNECTION`, `VIEW SERVER STATE` and `AUTHENTICATE SERVER`",
			Otherwise: "One right too many",
			Answers: []Answer{
				{Seen: "all three", Verdict: Works},
				{Seen: "fewer", Verdict: Handled},
				{Seen: "more", Verdict: Handled, Means: "Cancelled tasks end by themselves, with an alarm."},
			},
			Invasive: "what `render --kill-script` makes: a certificate, also in master, and a login from it with rights on the server; and a KILL of a worker of the scratch installation",
			ask:      killGrants,
		},
	}
}

// killActivated: the pages say that KILL does not end a system process, and not whether an activated procedure is one.
func killActivated(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	if err := s.exec(ctx, b.table("Victims", "Session int NOT NULL")); err != nil {
		return "", err
	}
	const lock = mssqlProbe + "killed"
	if err := s.service(ctx, b, "Killed_Queue", `EXEC sys.sp_getapplock @Resource = N'`+lock+`', @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 0;
    INSERT INTO `+b.name("Victims")+` (Session) VALUES (@@SPID);
    WAITFOR DELAY '00:00:20';`); err != nil {
		return "", err
	}
	if err := s.send(ctx, "Killed_Queue"); err != nil {
		return "", err
	}
	if err := s.noted(ctx, b, "Victims", 1); err != nil {
		return "", err
	}
	text, err := s.value(ctx, "SELECT Session FROM "+b.name("Victims"))
	if err != nil {
		return "", err
	}
	victim, err := strconv.Atoi(text)
	if err != nil {
		return "", err
	}
	if err := s.exec(ctx, mssqlKill(victim)); err != nil {
		if seen, err := errorOf(err); err != nil || seen == "error 6107" {
			return seen, err
		}
		return "", needing("ALTER ANY CONNECTION", err)
	}
	err = until(ctx, 10*time.Second, func() (bool, error) {
		free, err := s.value(ctx, "SELECT APPLOCK_TEST(N'public', N'"+lock+"', N'Exclusive', N'Session')")
		return free == "1", err
	})
	if errors.Is(err, errLate) {
		return "goes on", nil
	}
	return "ends", err
}

// killGrants runs the kill script without one right after the other, and calls the signed procedure.
func killGrants(ctx context.Context, b *bed) (string, error) {
	script, err := templates.MSSQLKillScript(templates.Params{Schema: mssqlSchema})
	if err != nil {
		return "", err
	}
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	sign := func(without string) error {
		leave := strings.NewReplacer(", "+without, "", without+", ", "")
		for _, batch := range script {
			text := batch.SQL
			if without != "" {
				text = leave.Replace(text)
			}
			if err := s.exec(ctx, text); err != nil {
				return err
			}
		}
		return nil
	}
	if err := sign(""); err != nil { // fails at once without the right to
		return "", needing("sysadmin", err)
	}
	db, err := b.dbsched(ctx)
	if err != nil {
		return "", err
	}
	done, err := db.Submit(ctx, dialects.NewProcess{Name: "certify " + b.probe.Name, OnError: "Continue"}, []dialects.NewTask{{SQL: b.on.Dialect.Sleep(30 * time.Second), OnOrphan: "Fail"}})
	if err != nil {
		return "", err
	}
	defer func() {
		_ = db.CancelProcess(context.WithoutCancel(ctx), done.ProcessID)
		_ = until(ctx, time.Minute, func() (bool, error) { // other probes need its lane
			logs, err := db.Logs(ctx, dialects.Filter{ProcessID: done.ProcessID})
			return len(logs) == 0 || logs[0].FinishedAt != nil, err
		})
	}()
	var worker dialects.LogEntry
	if err := until(ctx, time.Minute, func() (bool, error) {
		logs, err := db.Logs(ctx, dialects.Filter{ProcessID: done.ProcessID})
		if len(logs) > 0 {
			worker = logs[0]
		}
		return worker.SessionID != 0, err
	}); err != nil {
		return "", err
	}
	kill := fmt.Sprintf("EXEC %s.KillWorker @SessionId = %d, @LaneId = %d;", mssqlSchema, worker.SessionID, worker.Lane)
	for _, right := range []string{"ALTER ANY CONNECTION", "VIEW SERVER STATE", "AUTHENTICATE SERVER"} {
		if err := sign(right); err != nil {
			return "", err
		}
		if seen, err := errorOf(s.exec(ctx, kill)); err != nil {
			return "", err
		} else if seen == noError {
			return "fewer", nil
		}
	}
	if err := sign(""); err != nil {
		return "", err
	}
	err = s.exec(ctx, kill)
	if seen, err2 := errorOf(err); err2 != nil || seen == "error 6107" { // whatever the rights are
		return "", err
	} else if seen != noError {
		return "more", nil
	}
	return "all three", nil
}
