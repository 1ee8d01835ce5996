package certify

import (
	"context"
	"fmt"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// mssqlTasks are the probes that run tasks.
func mssqlTasks() []Probe {
	return []Probe{
		{
			Name: "options-of-a-task", Capability: "tasks run", Needed: true,
			Assumed:   "Activated sessions have the SET options that filtered indexes need",
			Otherwise: "Any: procedures set what they need, so error 1934 would be a defect",
			Answers:   []Answer{{Seen: "4472", Verdict: Works}},
			ask: func(ctx context.Context, b *bed) (string, error) {
				s, err := b.session(ctx)
				if err != nil {
					return "", err
				}
				if err := s.exec(ctx, b.table("Options", "Bits int NOT NULL")); err != nil {
					return "", err
				}
				// ANSI_WARNINGS 8, ANSI_PADDING 16, ANSI_NULLS 32, ARITHABORT 64, QUOTED_IDENTIFIER 256, CONCAT_NULL_YIELDS_NULL 4096, without NUMERIC_ROUNDABORT 8192
				if _, err := b.run(ctx, time.Minute, dialects.NewTask{SQL: "INSERT INTO " + b.name("Options") + " (Bits) VALUES (@@OPTIONS & 12664);"}); err != nil {
					return "", err
				}
				return s.value(ctx, "SELECT Bits FROM "+b.name("Options"))
			},
		},
	}
}

// name returns the name of an object that a probe makes.
func (b *bed) name(object string) string { return mssqlProbes + "." + object }

// table returns the statement that makes a table.
func (b *bed) table(name, columns string) string {
	return fmt.Sprintf("CREATE TABLE %s (%s)", b.name(name), columns)
}

// mssqlElsewhere are the assumptions that one connection cannot try.
func mssqlElsewhere() []Probe {
	return []Probe{}
}
