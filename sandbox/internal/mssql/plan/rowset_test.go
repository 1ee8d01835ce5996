package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRowsets(t *testing.T) {
	s := tasks(t)
	require.Equal(t, []string{"a|1|2", "b|x|1"}, s.run(`SELECT [key], value, [type] FROM OPENJSON(N'{"a":1,"b":"x"}')`))
	require.Equal(t, []string{"1|x", "2|NULL"}, s.run(`SELECT j.id, j.n FROM OPENJSON(N'[{"id":1,"n":"x"},{"id":2}]') WITH (id int, n nvarchar(10) '$.n') AS j ORDER BY j.id`))
	require.Equal(t, []string{"1,2,3,4"}, s.run(`SELECT STUFF((SELECT ',' + CAST(TaskId AS varchar(20)) FROM Tasks ORDER BY TaskId FOR XML PATH('')), 1, 1, '')`))
	require.Equal(t, []string{"a&lt;b"}, s.run(`SELECT (SELECT x + '' FROM (VALUES ('a<b')) AS d (x) FOR XML PATH(''))`))
	s.tableVariable("@ids", "id bigint NOT NULL")
	require.Contains(t, s.access(`SELECT t.SqlText FROM Tasks AS t WHERE EXISTS (SELECT 1 FROM @ids AS i WHERE i.id = t.TaskId)`), "t: seek PK_Tasks (TaskId in)")
	s.run("INSERT INTO @ids VALUES (2), (3), (3)")
	require.Equal(t, []string{"2", "3"}, s.run(`SELECT t.TaskId FROM Tasks AS t WHERE EXISTS (SELECT 1 FROM @ids AS i WHERE i.id = t.TaskId) ORDER BY t.TaskId`))
	require.Equal(t, []string{"1", "4"}, s.run(`SELECT t.TaskId FROM Tasks AS t WHERE NOT EXISTS (SELECT 1 FROM @ids AS i WHERE i.id = t.TaskId) ORDER BY t.TaskId`))
}
