package plan

import (
	"testing"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/parser"
)

// FuzzExpressions checks that whatever parses compiles and runs, or fails with an error of SQL: never with a panic.
func FuzzExpressions(f *testing.F) {
	for _, s := range []string{
		"1 + '2' || NULL", "CASE n WHEN 1 THEN 'a' ELSE s END", "DECODE(n, 1, 'a', NULL, DATE '2026-01-01')", "(SELECT MAX(n) FROM t u WHERE u.g = t.g)",
		"n + COUNT(*)", "MAX(n) KEEP (DENSE_RANK LAST ORDER BY g)", "LISTAGG(s, ',') WITHIN GROUP (ORDER BY n)", "SUM(n) OVER (PARTITION BY g ORDER BY n)",
		"EXTRACT(DAY FROM SYSDATE)", "CAST(n AS VARCHAR2(3))", "TRIM(BOTH s FROM g)",
		"SEQ.NEXTVAL", "F(n, s)", "NVL(n, s)", "COALESCE(n, 'x')", "INTERVAL '1' DAY * n", "SYSTIMESTAMP AT TIME ZONE s", "t.*", "-s", "ROWNUM", "LEVEL", ":1", "REC",
		"CASE WHEN (n, s) IN ((1, 'x'), (2, NULL)) THEN 1 END", "CASE WHEN s LIKE g ESCAPE '!' AND NOT EXISTS (SELECT 1 FROM dual) THEN 1 END",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if st, err := parser.Statement("SELECT " + text + " FROM t"); err == nil {
			if s, err := CompileStatement(newScope(false), st); err == nil {
				withSession(t, func(e *fakeEnv) {
					r, err := s.Open(e)
					for more := err == nil; more && err == nil; {
						_, more, err = r.Next()
					}
				})
			}
		}
		if st, err := parser.Statement("BEGIN x := " + text + "; END;"); err == nil {
			if a, ok := st.(*ast.Block).Body[0].(*ast.Assign); ok {
				if x, err := CompileExpr(newScope(true), a.Value); err == nil {
					_, _ = x.Value(&fakeEnv{})
				}
			}
		}
	})
}
