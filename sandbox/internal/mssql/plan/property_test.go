package plan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPathsAgree runs random queries on a table with indexes and on a heap with the same rows: whatever
// path is chosen, the result must be that of a scan that tests every condition.
func TestPathsAgree(t *testing.T) {
	s := newEngine().session(t)
	rng := rand.New(rand.NewPCG(1, 2))
	const columns = "(id int NOT NULL, a int NULL, b int NULL, c varchar(5) NULL, d datetime2(0) NOT NULL, e decimal(9, 2) NULL"
	s.run("CREATE TABLE T " + columns + ", CONSTRAINT PK_T PRIMARY KEY (id))")
	s.run("CREATE TABLE H " + columns + ")")
	for _, sql := range []string{
		"CREATE INDEX IX_ab ON T (a, b DESC)", "CREATE INDEX IX_b ON T (b DESC) INCLUDE (a)", "CREATE INDEX IX_c ON T (c, a)",
		"CREATE UNIQUE INDEX IX_d ON T (d, id)", "CREATE INDEX IX_f ON T (b) WHERE a = 2", "CREATE INDEX IX_n ON T (a) WHERE c IS NULL",
		"CREATE INDEX IX_m ON T (e, b) WHERE e IS NOT NULL",
	} {
		s.run(sql)
	}
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	for i := range 60 {
		row := fmt.Sprintf("(%d, %s, %s, %s, '2020-01-0%d', %s)", i, pick("NULL", "0", "1", "2", "3"), pick("NULL", "0", "1", "2"),
			pick("NULL", "''", "'a'", "'B'", "'b'", "'ab'", "'zz '"), 1+rng.IntN(5), pick("NULL", "0", "1.50", "2", "-1"))
		s.run("INSERT INTO T VALUES " + row)
		s.run("INSERT INTO H VALUES " + row)
	}
	s.run("DECLARE @i int = 1, @n int, @s varchar(5) = 'b', @big bigint = 2, @w nvarchar(5) = N'a', @d datetime2(0) = '2020-01-03'")
	leaf := func(x string) string {
		switch rng.IntN(13) {
		case 0:
			return x + "a " + pick("=", "<", "<=", ">", ">=", "<>") + " " + pick("1", "2", "@i", "@n", "@big", "1.5")
		case 1:
			return x + "b " + pick("=", "<", "<=", ">", ">=") + " " + pick("0", "1", "@i", "NULL")
		case 2:
			return x + "c " + pick("=", "<", ">", ">=", "<=") + " " + pick("'a'", "'B'", "@s", "@w", "'zz'", "''")
		case 3:
			return x + pick("a", "b", "c", "e") + pick(" IS NULL", " IS NOT NULL")
		case 4:
			return x + "a IN (" + pick("1, 2", "0, @i, NULL", "3, 3, 1") + ")"
		case 5:
			return x + "d " + pick("=", "<", ">=", ">") + " " + pick("@d", "'2020-01-02'", "CAST('2020-01-04' AS date)")
		case 6:
			return x + "id " + pick("=", "<", ">=") + " " + pick("5", "30", "@i", "'7'")
		case 7:
			return "(" + x + "b = 1 OR " + x + "b = " + pick("2", "@i") + ")"
		case 8:
			return x + "c LIKE " + pick("'a%'", "'%b'", "'_'")
		case 9:
			return x + "b BETWEEN 0 AND " + pick("1", "@i")
		case 10:
			return x + "e " + pick("=", ">", "<=") + " " + pick("1.5", "1", "@i", "2.00")
		case 11:
			return x + "a = 2"
		}
		return x + "a " + pick("IN", "NOT IN") + " (SELECT v FROM (VALUES (1), (3)) AS q (v))"
	}
	cond := func(x string) string {
		var parts []string
		for range 1 + rng.IntN(4) {
			l := leaf(x)
			if rng.IntN(6) == 0 {
				l = "NOT (" + l + ")"
			}
			parts = append(parts, l)
		}
		if rng.IntN(8) == 0 {
			return strings.Join(parts, " OR ")
		}
		return strings.Join(parts, " AND ")
	}
	both := func(sql string, ordered bool) {
		t.Helper()
		got := s.run(sql)
		want := s.run(strings.NewReplacer("FROM T ", "FROM H ", "JOIN T ", "JOIN H ", "WITH (FORCESEEK)", "").Replace(sql))
		if !ordered {
			slices.Sort(got)
			slices.Sort(want)
		}
		require.Equal(t, want, got, "%s\n%s", sql, s.access(sql))
	}
	for range 120 {
		both("SELECT * FROM T AS t WHERE "+cond("t."), false)
		both("SELECT "+pick("a, b", "b", "id, a", "c")+" FROM T AS t WHERE "+cond("t."), false)
		order := pick("t.id", "t.a, t.b DESC, t.id", "t.a DESC, t.b, t.id", "t.b DESC, t.id", "t.d, t.id", "t.d DESC, t.id DESC", "t.c, t.a, t.id")
		both("SELECT "+pick("", "TOP (3) ")+"t.id, t.a FROM T AS t WHERE "+cond("t.")+" ORDER BY "+order, true)
		join := pick("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN")
		both("SELECT t.id, u.id, u.a FROM T AS t "+join+" T AS u ON u."+pick("a", "b", "id")+" = t."+pick("a", "b", "id")+" AND "+cond(pick("t.", "u."))+" WHERE "+cond("t."), false)
		both("SELECT t.id, x.n, x.m FROM T AS t "+pick("CROSS", "OUTER")+" APPLY (SELECT u.id AS n, ISNULL(u.a, 7) AS m FROM T AS u WHERE u.b = t.a AND "+cond("u.")+") AS x WHERE "+cond("t."), false)
		both("SELECT t.id FROM T AS t WHERE "+pick("", "NOT ")+"EXISTS (SELECT 1 FROM T AS u WHERE u.a = t.b AND "+cond("u.")+") AND "+cond("t."), false)
		both("SELECT t.id FROM T AS t WHERE t.b "+pick("", "NOT ")+"IN (SELECT u.a FROM T AS u WHERE u.c = t.c AND "+cond("u.")+")", false)
		both("SELECT "+pick("MIN", "MAX")+"(t."+pick("a", "b", "id", "d")+") FROM T AS t WHERE "+cond("t."), false)
		both("SELECT t.a, COUNT(*), SUM(t.b) FROM T AS t WHERE "+cond("t.")+" GROUP BY t.a HAVING COUNT(*) > 1", false)
		both("SELECT t.id, u.id FROM T AS t JOIN T AS u ON u.id = t.a LEFT JOIN T AS w ON w.id = u.b AND "+cond("w.")+" WHERE "+cond("t.")+" AND "+cond("u."), false)
	}
}
