package certify

import "context"

// mssqlEnqueueing are the probes of what callers bring along.
func mssqlEnqueueing() []Probe {
	return []Probe{
		{
			Name: "implicit-transaction", Capability: "enqueueing",
			Assumed:   "Error 266 is not raised for a procedure in which `IMPLICIT_TRANSACTIONS` began a transaction",
			Otherwise: "With `XACT_ABORT` ON too, drivers show it for a successful `ExecAsync`: fails",
			Answers: []Answer{
				{Seen: noError, Verdict: Works},
				{Seen: "error 266 with XACT_ABORT OFF", Verdict: Handled, Means: "dbsched's procedures leave XACT_ABORT ON."},
				{Seen: "error 266", Verdict: Fails, Means: "Drivers without autocommit show error 266 for a successful ExecAsync that begins a transaction."},
			},
			ask: implicitTransaction,
		},
		{
			Name: "quoted-identifier", Capability: "enqueueing",
			Assumed:   "A procedure's own QUOTED_IDENTIFIER counts for filtered indexes",
			Otherwise: "Error 1934",
			Answers:   []Answer{{Seen: noError, Verdict: Works}, {Seen: "error 1934", Verdict: Fails, Means: "Callers with QUOTED_IDENTIFIER OFF cannot enqueue."}},
			ask:       quotedIdentifier,
		},
	}
}

func implicitTransaction(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	if err := s.exec(ctx, b.table("Begun", "N int NOT NULL"),
		"CREATE PROCEDURE "+b.name("LeavesOff")+" AS INSERT INTO "+b.name("Begun")+" (N) VALUES (1);",
		"CREATE PROCEDURE "+b.name("LeavesOn")+" AS BEGIN INSERT INTO "+b.name("Begun")+" (N) VALUES (1); SET XACT_ABORT ON; END;",
		"SET IMPLICIT_TRANSACTIONS ON;"); err != nil {
		return "", err
	}
	off, err := errorOf(s.exec(ctx, "EXEC "+b.name("LeavesOff")+";"))
	if err != nil {
		return "", err
	}
	if err := s.exec(ctx, "ROLLBACK;"); err != nil {
		return "", err
	}
	on, err := errorOf(s.exec(ctx, "EXEC "+b.name("LeavesOn")+";"))
	if err != nil {
		return "", err
	}
	if err := s.exec(ctx, "ROLLBACK;"); err != nil {
		return "", err
	}
	if on == noError && off != noError {
		return off + " with XACT_ABORT OFF", nil
	}
	return on, nil
}

func quotedIdentifier(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	table := b.name("Quoted")
	if err := s.exec(ctx, b.table("Quoted", "N int NOT NULL, Chosen bit NOT NULL"),
		"CREATE INDEX IX_Quoted ON "+table+" (N) WHERE Chosen = 1;",
		"CREATE PROCEDURE "+b.name("InsertQuoted")+" AS INSERT INTO "+table+" (N, Chosen) VALUES (1, 1);",
		"SET QUOTED_IDENTIFIER OFF;"); err != nil {
		return "", err
	}
	return errorOf(s.exec(ctx, "EXEC "+b.name("InsertQuoted")+";"))
}
