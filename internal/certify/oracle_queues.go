package certify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// oracleQueues are the probes of Advanced Queuing.
func oracleQueues() []Probe {
	return []Probe{
		{
			Name: "unknown-queue", Capability: "upgrades",
			Assumed:   "An unknown queue is ORA-25205, ORA-24010 or ORA-24002",
			Otherwise: "Shown unchanged",
			Answers:   []Answer{{Seen: "ORA-25205, ORA-24010 or ORA-24002", Verdict: Works}, {Seen: "no error", Verdict: Fails, Means: "A missing queue is not noticed."}},
			ask:       oracleUnknownQueue,
		},
		{
			Name: "wake-up", Capability: "tasks run",
			Assumed:   "A message that is committed wakes a session that waits in `DEQUEUE`",
			Otherwise: "Tasks start late, at most by a minute",
			Answers:   oracleDelays,
			ask: func(ctx context.Context, b *bed) (string, error) {
				return oracleWakes(ctx, b, "WAKE", "")
			},
		},
	}
}

// oracleDelays are the answers about a message, the best first.
var oracleDelays = []Answer{{Seen: "within 3 seconds", Verdict: Works}, {Seen: "later", Verdict: Handled}, {Seen: "not within 20 seconds", Verdict: Handled}}

// oracleLater returns the worse of two of them; none is the best.
func oracleLater(a, b string) string {
	rank := func(seen string) int {
		return slices.IndexFunc(oracleDelays, func(x Answer) bool { return x.Seen == seen })
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// oracleAQ declares what the calls of DBMS_AQ need.
const oracleAQ = "declare l_o dbms_aq.%s_options_t; l_p dbms_aq.message_properties_t; l_m raw(16); l_r raw(100) := hextoraw('00'); begin "

func oracleUnknownQueue(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	for _, text := range []string{
		fmt.Sprintf(oracleAQ, "enqueue") + "dbms_aq.enqueue('CERTIFY_NO_Q', l_o, l_p, l_r, l_m); end;",
		fmt.Sprintf(oracleAQ, "dequeue") + "l_o.wait := dbms_aq.no_wait; dbms_aq.dequeue('CERTIFY_NO_Q', l_o, l_p, l_r, l_m); end;",
		"begin dbms_aqadm.start_queue('CERTIFY_NO_Q'); end;",
		"begin dbms_aqadm.stop_queue('CERTIFY_NO_Q'); end;",
		"begin dbms_aqadm.drop_queue('CERTIFY_NO_Q'); end;",
		"begin dbms_aqadm.drop_queue_table('CERTIFY_NO_Q', force => true); end;",
	} {
		seen, err := oracleAnswer(s.exec(ctx, text))
		if err != nil || seen != "ORA-25205" && seen != "ORA-24010" && seen != "ORA-24002" {
			return seen, err
		}
	}
	return "ORA-25205, ORA-24010 or ORA-24002", nil
}

// oracleWakes lets a job wait for a message, on an instance if one is named, and measures how long a committed one takes to wake it.
func oracleWakes(ctx context.Context, b *bed, name, instance string) (string, error) {
	queue, table := oraclePrefix+name+"_Q", oraclePrefix+name+"_SEEN"
	s, err := b.oracleSession(ctx, "create table "+table+" (what varchar2(5))",
		fmt.Sprintf("begin dbms_aqadm.create_queue_table('%s', 'RAW'); dbms_aqadm.create_queue('%[2]s', '%[1]s'); dbms_aqadm.start_queue('%[2]s'); end;",
			oraclePrefix+name+"_QT", queue),
		oracleJob(name, fmt.Sprintf(oracleAQ, "dequeue")+fmt.Sprintf("insert into %[1]s (what) values ('waits'); commit; l_o.wait := 25; dbms_aq.dequeue('%[2]s', l_o, l_p, l_r, l_m); "+
			"insert into %[1]s (what) values ('woken'); commit; end;", table, queue), false))
	if err != nil {
		return "", err
	}
	if instance != "" {
		if err := s.exec(ctx, fmt.Sprintf("begin dbms_scheduler.set_attribute('%s', 'instance_id', %s); end;", oraclePrefix+name, instance)); err != nil {
			return "", err
		}
	}
	if err := s.exec(ctx, oracleRun(name)); err != nil {
		return "", err
	}
	rowsAre := func(n string) func() (bool, error) {
		return func() (bool, error) {
			found, err := s.value(ctx, "select count(*) from "+table)
			return found == n, err
		}
	}
	if err := until(ctx, time.Minute, rowsAre("1")); err != nil {
		return "", err
	}
	if err := sleep(ctx, time.Second); err != nil { // it is about to wait
		return "", err
	}
	if err := s.exec(ctx, fmt.Sprintf(oracleAQ, "enqueue")+"dbms_aq.enqueue('"+queue+"', l_o, l_p, l_r, l_m); commit; end;"); err != nil {
		return "", err
	}
	sent := time.Now()
	switch err := until(ctx, 20*time.Second, rowsAre("2")); {
	case errors.Is(err, errLate):
		return "not within 20 seconds", nil
	case err != nil:
		return "", err
	case time.Since(sent) > 3*time.Second:
		return "later", nil
	}
	return "within 3 seconds", nil
}
