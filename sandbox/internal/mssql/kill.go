package mssql

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// kill runs KILL session_id. The victim is rolled back; KILL does not wait for the rollback
// (learn.microsoft.com, "KILL (Transact-SQL)").
func (s *Session) kill(f *frame, n *ast.KillStatement) {
	if s.tran.Count > 0 {
		panic(message.MS(6115))
	}
	if !s.mayOnServer("ALTER ANY CONNECTION") {
		panic(message.MS(6102))
	}
	v := query.Must(s.converted(f, n, n.Parameter, typeInt))
	spid := int(v.Int64())
	switch victim := s.srv.Session(spid); {
	case spid == s.spid:
		panic(message.MS(6104))
	case victim == nil && spid < firstSPID && spid > 0:
		panic(message.MS(6107))
	case victim != nil && victim.activated && s.srv.k.Differs(differ.KillRefused):
		panic(message.MS(6107))
	case victim != nil && victim.activated && s.srv.k.Differs(differ.KillUnheeded):
	case victim == nil:
		panic(message.MS(6106, spid).At(16, 2))
	default:
		s.srv.killSession(victim, s.spid)
	}
}
