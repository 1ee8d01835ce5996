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
	return dialects.Usagef("SQL Server needs no runner: each task runs as the database user that enqueued it")
}

// Grant returns the statement to run: this program does not change role members itself.
func (s *scheduler) Grant(_ context.Context, user string, admin bool) error {
	role := s.Schema() + "_user"
	if admin {
		role = s.Schema() + "_admin"
	}
	return s.roles("ADD", role, user)
}

// Revoke returns the statement to run.
func (s *scheduler) Revoke(_ context.Context, user string) (dialects.Revoked, error) {
	return dialects.Revoked{}, s.roles("DROP", s.Schema()+"_user", user)
}

func (s *scheduler) roles(verb, role, user string) error {
	return dialects.Usagef("on SQL Server, use roles. Run: %s", fmt.Sprintf("ALTER ROLE %s %s MEMBER %s;", templates.QuoteIdent(role), verb, templates.QuoteIdent(user)))
}
