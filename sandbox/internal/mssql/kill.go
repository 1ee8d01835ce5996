package mssql

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// kill runs KILL session_id. The victim is rolled back; KILL does not wait for that
// (learn.microsoft.com, "KILL (Transact-SQL)").
func (s *Session) kill(f *frame, n *ast.KillStatement) error {
	if n.WithStatusOnly {
		return sqlerr.NotSupported("KILL ... WITH STATUSONLY")
	}
	if s.tranCount > 0 {
		return sqlerr.New(6115, "KILL command cannot be used inside user transactions.")
	}
	if !s.mayOnServer("ALTER ANY CONNECTION") {
		return sqlerr.New(6102, "User does not have permission to use the KILL statement.").At(14, 1)
	}
	v, err := s.converted(f, n, n.Parameter, typeInt)
	if err != nil {
		return err
	}
	spid := int(v.Int64())
	switch victim := s.srv.Session(spid); {
	case spid == s.spid:
		return sqlerr.New(6104, "Cannot use KILL to kill your own process.")
	case victim == nil && spid < firstSPID && spid > 0:
		return sqlerr.New(6107, "Only user processes can be killed.").At(14, 1)
	case victim == nil:
		return sqlerr.New(6106, "Process ID %d is not an active process ID.", spid).At(16, 2)
	default:
		s.srv.killSession(victim, s.spid)
	}
	return nil
}
