package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
)

// info is the document of the JSON pages of learn.microsoft.com.
const info = `{"info":{"type":1,"address":{"town":"Bristol","county":"Avon","country":"England"},"tags":["Sport", "Water polo"]},"type":"Basic"}`

func TestJSONRead(t *testing.T) {
	run(t, []row{
		{"isjson", in(n(info)), "1", ""},
		{"isjson", in(n("1")), "0", ""},
		{"isjson", in(n("{a:1}")), "0", ""},
		{"isjson", in(nul(nvarchar(5))), "NULL", ""},
	})
}

func TestOpenJSON(t *testing.T) {
	rows, err := OpenJSON(`{"String":"John","Int":45,"Boolean":true,"Null":null,"Array":["C#"],"Object":{"a":1}}`)
	require.NoError(t, err)
	var got [][3]any
	for r := range rows {
		got = append(got, [3]any{r[0].Str(), r[1].Str(), r[2].N})
	}
	require.Equal(t, [][3]any{
		{"String", "John", int64(1)}, {"Int", "45", int64(2)}, {"Boolean", "true", int64(3)},
		{"Null", "", int64(0)}, {"Array", `["C#"]`, int64(4)}, {"Object", `{"a":1}`, int64(5)},
	}, got)
	_, err = OpenJSON("{")
	require.EqualValues(t, 13609, errNumber(t, err))
	rows, err = OpenJSON("1")
	require.NoError(t, err)
	for range rows {
		require.Fail(t, "no rows")
	}

	with, err := OpenJSONWith(`[{"id":2,"name":"John","age":25},{"id":"5","name":"Jane","skills":["SQL"]}]`, []JSONColumn{
		{Name: "id", Type: tInt, Path: "$.id"},
		{Name: "name", Type: nvarchar(50), Path: "$.name"},
		{Name: "age", Type: tInt},
		{Name: "skills", Type: nvarchar(datatype.Max), Path: "$.skills"},
		{Name: "short", Type: nvarchar(2), Path: "$.name"},
	})
	require.NoError(t, err)
	var lines []string
	for r, err := range with {
		require.NoError(t, err)
		line := ""
		for _, v := range r {
			line += v.String() + "|"
		}
		lines = append(lines, line)
	}
	require.Equal(t, []string{`2|"John"|25|NULL|NULL|`, `5|"Jane"|NULL|NULL|NULL|`}, lines)
	with, err = OpenJSONWith(`[{"id":"x"}]`, []JSONColumn{{Name: "id", Type: tInt}})
	require.NoError(t, err)
	for _, err := range with {
		require.EqualValues(t, 245, errNumber(t, err))
	}
}
