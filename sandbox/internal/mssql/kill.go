package mssql

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// kill runs KILL session_id. The victim is rolled back; KILL does not wait for that
// (learn.microsoft.com, "KILL (Transact-SQL)").
func (s *Session) kill(f *frame, n *ast.KillStatement) {
	if s.tranCount > 0 {
		panic(sqlerr.New(6115, "KILL command cannot be used inside user transactions."))
	}
	if !s.mayOnServer("ALTER ANY CONNECTION") {
		panic(sqlerr.New(6102, "User does not have permission to use the KILL statement.").At(14, 1))
	}
	v := query.Must(s.converted(f, n, n.Parameter, typeInt))
	spid := int(v.Int64())
	switch victim := s.srv.Session(spid); {
	case spid == s.spid:
		panic(sqlerr.New(6104, "Cannot use KILL to kill your own process."))
	case victim == nil && spid < firstSPID && spid > 0:
		panic(sqlerr.New(6107, "Only user processes can be killed.").At(14, 1))
	case victim == nil:
		panic(sqlerr.New(6106, "Process ID %d is not an active process ID.", spid).At(16, 2))
	default:
		s.srv.killSession(victim, s.spid)
	}

}
