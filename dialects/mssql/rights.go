package mssql

import (
	"context"
	"fmt"
	"io"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// RenderRunner has nothing to write.
func (Dialect) RenderRunner(io.Writer, dialects.Layout) error { return noRunner() }

// noRunner refuses a runner.
func noRunner() error {
	return dialects.Usagef("SQL Server needs no runner: every task runs as the database user who enqueued it")
}

// Grant tells the statement, which is nothing that this program should do by stealth.
func (s *scheduler) Grant(_ context.Context, user string, admin bool) error {
	role := s.Schema() + "_user"
	if admin {
		role = s.Schema() + "_admin"
	}
	return s.roles("ADD", role, user)
}

// Revoke tells the statement.
func (s *scheduler) Revoke(_ context.Context, user string) error {
	return s.roles("DROP", s.Schema()+"_user", user)
}

func (s *scheduler) roles(verb, role, user string) error {
	return dialects.Usagef("SQL Server has roles for this: %s", fmt.Sprintf("ALTER ROLE %s %s MEMBER %s;", templates.QuoteIdent(role), verb, templates.QuoteIdent(user)))
}
