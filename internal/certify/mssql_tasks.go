package certify

import (
	"context"
	"strings"

	"github.com/dbsched/dbsched/dialects"
)

// mssqlTasks are the probes of sessions that run tasks, and of the locks between them.
func mssqlTasks() []Probe {
	return []Probe{
		{
			Name: "options-of-a-task", Capability: "tasks run", Needed: true,
			Assumed:   "A task's session has the SET options that filtered indexes need",
			Otherwise: "Tasks that write tables with such indexes get error 1934",
			Answers:   []Answer{{Seen: "4472", Verdict: Works}},
			ask:       optionsOfATask,
		},
		{
			Name: "readpast", Capability: "tasks run", Needed: true,
			Assumed:   "With or without optimized locking, `READPAST` passes over rows that another transaction has inserted, changed or deleted",
			Otherwise: "If it waits, a transaction that enqueues blocks all workers; if it reads them, waves start too early",
			Answers: []Answer{
				{Seen: "passes over", Verdict: Works},
				{Seen: "waits", Verdict: Fails, Means: "Each open transaction that enqueues blocks all workers."},
				{Seen: "reads", Verdict: Fails, Means: "A wave could start before the one before it has ended."},
			},
			ask: readpast,
		},
	}
}

func optionsOfATask(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	if err := s.exec(ctx, b.table("Options", "Bits int NOT NULL")); err != nil {
		return "", err
	}
	// ANSI_WARNINGS 8, ANSI_PADDING 16, ANSI_NULLS 32, ARITHABORT 64, QUOTED_IDENTIFIER 256, CONCAT_NULL_YIELDS_NULL 4096, without NUMERIC_ROUNDABORT 8192
	if _, _, err := b.submit(ctx, "", dialects.NewTask{SQL: "INSERT INTO " + b.name("Options") + " (Bits) VALUES (@@OPTIONS & 12664);"}); err != nil {
		return "", err
	}
	return s.value(ctx, "SELECT Bits FROM "+b.name("Options"))
}

// readpast reads with the hints of a claim while another transaction has written. No page says how READPAST behaves where rows are locked by
// the transaction that wrote them ("Optimized locking").
func readpast(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	writer, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	table := b.name("Passed")
	if err := s.exec(ctx, b.table("Passed", "N int NOT NULL PRIMARY KEY, Changed bit NOT NULL"),
		"INSERT INTO "+table+" (N, Changed) VALUES (1, 0), (2, 0), (3, 0);", "SET LOCK_TIMEOUT 3000;"); err != nil {
		return "", err
	}
	if err := writer.exec(ctx, "BEGIN TRANSACTION;", "UPDATE p SET p.Changed = 1 FROM "+table+" AS p WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE p.N = 2;",
		"DELETE p FROM "+table+" AS p WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE p.N = 3;", "INSERT INTO "+table+" (N, Changed) VALUES (4, 0);"); err != nil {
		return "", err
	}
	found, err := s.values(ctx, "SELECT p.N FROM "+table+" AS p WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK) ORDER BY p.N")
	if err != nil {
		if seen, err := errorOf(err); err != nil || seen != "error 1222" {
			return seen, err
		}
		return "waits", nil
	}
	if err := writer.exec(ctx, "ROLLBACK TRANSACTION;"); err != nil {
		return "", err
	}
	if strings.Join(found, " ") == "1" {
		return "passes over", nil
	}
	return "reads", nil
}
