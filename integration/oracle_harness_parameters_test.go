package integration

import (
	"database/sql"

	go_ora "github.com/sijms/go-ora/v2"
)

// withText passes a text that is too long for a literal.
func (s *session) withText(statement, text string) error {
	s.h.Helper()
	_, err := s.on().ExecContext(s.h.Context(), statement, sql.Named("doc", go_ora.Clob{String: text, Valid: true}))
	return err
}
