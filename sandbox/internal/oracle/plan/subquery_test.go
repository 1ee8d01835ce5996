package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/parser"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// rows runs a query and formats its rows, with commas between columns and semicolons between rows.
func rows(t *testing.T, text string) string {
	t.Helper()
	st, err := parser.Statement(text)
	require.NoError(t, err, text)
	failed := func(err error) string {
		se, ok := err.(*sqlerr.Error) //nolint:errorlint // always one
		require.True(t, ok, "%s: %v", text, err)
		if se.Number == sqlerr.NotSupportedNumber {
			return se.Text
		}
		return fmt.Sprintf("ORA-%05d: %s", se.Number, se.Text)
	}
	s, err := CompileStatement(newScope(false), st)
	if err != nil {
		return failed(err)
	}
	var out []string
	withSession(t, func(e *fakeEnv) {
		var r *Rows
		if r, err = s.Open(e); err != nil {
			return
		}
		defer r.Close()
		for {
			row, ok, e := r.Next()
			if err = e; err != nil || !ok {
				return
			}
			cols := make([]string, len(row))
			for i, v := range row {
				cols[i] = show(t, &Expr{Type: s.Columns[i].Type}, v)
			}
			out = append(out, strings.Join(cols, ","))
		}
	})
	if err != nil {
		return failed(err)
	}
	return strings.Join(out, ";")
}

func TestSubqueries(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT (SELECT MAX(n) FROM t) FROM dual", "4"}, {"SELECT (SELECT n FROM t) FROM dual", "ORA-01427: single-row subquery returns more than one row"},
		{"SELECT (SELECT n FROM t WHERE n = 9) FROM dual", "NULL"}, {"SELECT (SELECT n, g FROM t) FROM dual", "ORA-00913: too many values"},
		{"SELECT n, (SELECT MAX(u.n) FROM t u WHERE u.g = t.g) FROM t", "1,2;2,2;3,3;4,NULL"},
		{"SELECT n FROM t WHERE EXISTS (SELECT 1 FROM t u WHERE u.g = t.g AND u.n < t.n)", "2"}, {"SELECT 1 FROM dual WHERE NOT EXISTS (SELECT NULL FROM t)", ""},
		{"SELECT n FROM t WHERE n IN (SELECT n + 1 FROM t)", "2;3;4"}, {"SELECT n FROM t WHERE n NOT IN (SELECT n + 1 FROM t)", "1"},
		{"SELECT n FROM t WHERE g NOT IN (SELECT g FROM t WHERE n > 2)", ""}, {"SELECT n FROM t WHERE g NOT IN (SELECT g FROM t WHERE n > 9)", "1;2;3;4"},
		{"SELECT n FROM t WHERE (n, g) IN (SELECT n, 'a' FROM t)", "1;2"}, {"SELECT n FROM t WHERE (n, g) NOT IN (SELECT n, 'a' FROM t)", "3"},
		{"SELECT n FROM t WHERE (n, g) IN (SELECT n FROM t)", "ORA-00947: not enough values"},
		{"SELECT n FROM t WHERE n IN (SELECT u.n FROM t u WHERE u.g = t.g)", "1;2;3"},
		{"SELECT n FROM t WHERE n = (SELECT MIN(n) FROM t)", "1"}, {"SELECT t.n FROM t, dual d WHERE d.dummy = 'X' AND n = 1", "1"},
		{"SELECT n FROM t, t u WHERE n = 1", "ORA-00918: column ambiguously defined"}, {"SELECT t.nosuch FROM (SELECT n FROM t) t", `ORA-00904: "T"."NOSUCH": invalid identifier`},
		{"SELECT SEQ.NEXTVAL, n FROM t", "1,1;2,2;3,3;4,4"}, {"SELECT 1 FROM t WHERE SEQ.NEXTVAL = 1", "ORA-02287: sequence number not allowed here"},
		{"SELECT (SELECT SEQ.NEXTVAL FROM dual) FROM dual", "ORA-02287: sequence number not allowed here"},
		{"SELECT SEQ.NEXTVAL, SEQ.CURRVAL FROM dual", "1,1"}, {"SELECT SEQ.NEXTVAL, SEQ.NEXTVAL FROM dual", "the sandbox does not model a sequence's NEXTVAL behind another reference to the sequence in the same statement"},
	} {
		require.Equal(t, c.want, rows(t, c.text), c.text)
	}
}

func TestAggregates(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT COUNT(*), COUNT(g), COUNT(DISTINCT g), SUM(n), AVG(n), MIN(s), MAX(n) FROM t", "4,3,2,10,2.5,x,4"}, {"SELECT COUNT(*), MAX(n) FROM t WHERE n > 9", "0,NULL"},
		{"SELECT g, COUNT(*) c FROM t GROUP BY g ORDER BY g", "a,2;b,1;NULL,1"}, {"SELECT g || 'x', MAX(n) + 1 FROM t GROUP BY g ORDER BY 2", "ax,3;bx,4;x,5"},
		{"SELECT UPPER(g), SUM(n) FROM t GROUP BY UPPER(g) ORDER BY 1", "A,3;B,3;NULL,4"}, {"SELECT MOD(n, 2) + 1, COUNT(*) FROM t GROUP BY MOD(n, 2) ORDER BY 1", "1,2;2,2"},
		{"SELECT g FROM t GROUP BY g HAVING COUNT(*) > 1", "a"}, {"SELECT MAX(n) FROM t HAVING COUNT(*) > 9", ""},
		{"SELECT LISTAGG(s, '-') WITHIN GROUP (ORDER BY n DESC) FROM t", "x-y-x"}, {"SELECT LISTAGG(DISTINCT s, ',') WITHIN GROUP (ORDER BY s) FROM t", "x,y"},
		{"SELECT g, n FROM t GROUP BY g", "ORA-00979: not a GROUP BY expression"}, {"SELECT g, MAX(n) FROM t", "ORA-00937: not a single-group group function"},
		{"SELECT COUNT(*) || (SELECT 1 FROM dual) FROM t", "ORA-00937: not a single-group group function"}, {"SELECT MAX((SELECT 1 FROM dual)) FROM t", "1"},
		{"SELECT MAX(n) FROM t HAVING COUNT(*) > (SELECT 1 FROM dual)", "4"},
		{"SELECT LOWER(s), MAX(n) FROM t GROUP BY UPPER(s)", "ORA-00979: not a GROUP BY expression"},
		{"SELECT n FROM t WHERE MAX(n) = 1", "ORA-00934: group function is not allowed here"}, {"SELECT MAX(n) FROM t GROUP BY MAX(n)", "ORA-00934: group function is not allowed here"},
		{"SELECT MAX(COUNT(*)) FROM t", "ORA-00978: nested group function without GROUP BY"}, {"SELECT SUM(g) FROM t", "ORA-01722: invalid number"},
		{"SELECT MAX(n) KEEP (DENSE_RANK FIRST ORDER BY g), MIN(n) KEEP (DENSE_RANK LAST ORDER BY g NULLS FIRST) FROM t", "2,3"},
		{"SELECT (SELECT MAX(u.n) FROM t u WHERE u.g = t.g), g FROM t GROUP BY g ORDER BY g", "2,a;3,b;NULL,NULL"}, {"SELECT SUM(1, 2) FROM t", "ORA-00909: invalid number of arguments"},
		{"SELECT CASE WHEN g = 'a' THEN 1 ELSE 2 END, COUNT(*) FROM t GROUP BY CASE WHEN g = 'a' THEN 1 ELSE 2 END ORDER BY 1", "1,2;2,2"},
		{"SELECT n, ROW_NUMBER() OVER (PARTITION BY g ORDER BY n DESC) FROM t ORDER BY n", "1,2;2,1;3,1;4,1"}, {"SELECT n, SUM(n) OVER (ORDER BY n) FROM t ORDER BY n", "1,1;2,3;3,6;4,10"},
		{"SELECT g, RANK() OVER (ORDER BY SUM(n)) FROM t GROUP BY g ORDER BY g", "a,1;b,1;NULL,3"}, {"SELECT n FROM t WHERE ROW_NUMBER() OVER (ORDER BY n) = 1", "ORA-30483: window  functions are not allowed here"},
	} {
		require.Equal(t, c.want, rows(t, c.text), c.text)
	}
}

// TestInAgrees checks that IN means the same for a list, a subquery and a correlated subquery, including with NULLs.
func TestInAgrees(t *testing.T) {
	values := []string{"1", "2", "NULL"}
	sets := [][]string{{}, {"1, 1"}, {"1, NULL"}, {"NULL, NULL"}, {"1, 2", "2, NULL"}, {"2, 2", "NULL, 1"}}
	ask := func(cond string) string {
		return rows(t, "SELECT CASE WHEN "+cond+" THEN 'true' WHEN NOT "+cond+" THEN 'false' ELSE 'unknown' END FROM dual d")
	}
	for _, a := range values {
		for _, b := range values {
			for _, set := range sets {
				// NULL literals get a type, like columns.
				query := "SELECT TO_NUMBER(NULL) x, TO_NUMBER(NULL) y FROM dual WHERE 1 = 2"
				for _, row := range set {
					x, y, _ := strings.Cut(row, ", ")
					query += fmt.Sprintf(" UNION ALL SELECT TO_NUMBER(%s), TO_NUMBER(%s) FROM dual", x, y)
				}
				left := fmt.Sprintf("(%s, %s)", a, b)
				once := ask(left + " IN (" + query + ")")
				each := ask(left + " IN (SELECT * FROM (" + query + ") q WHERE d.dummy = 'X')")
				require.Contains(t, []string{"true", "false", "unknown"}, once)
				require.Equal(t, each, once, "%s IN %v", left, set)
				if len(set) > 0 {
					require.Equal(t, ask(left+" IN (("+strings.Join(set, "), (")+"))"), once, "%s IN %v", left, set)
				}
			}
		}
	}
}
