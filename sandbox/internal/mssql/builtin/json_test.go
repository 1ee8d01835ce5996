package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// info is the document of the JSON pages of learn.microsoft.com.
const info = `{"info":{"type":1,"address":{"town":"Bristol","county":"Avon","country":"England"},"tags":["Sport", "Water polo"]},"type":"Basic"}`

func TestJSONRead(t *testing.T) {
	run(t, []row{
		{"json_value", in(n(info), a("$")), "NULL", "nvarchar(4000)"},
		{"json_value", in(n(info), a("$.info.type")), "1", ""},
		{"json_value", in(n(info), a("$.info.address.town")), "Bristol", ""},
		{"json_value", in(n(info), a(`$.info."address"`)), "NULL", ""},
		{"json_value", in(n(info), a("$.info.tags")), "NULL", ""},
		{"json_value", in(n(info), a("lax $.info.tags[1]")), "Water polo", ""},
		{"json_value", in(n(info), a("$.nosuch")), "NULL", ""},
		{"json_value", in(n(info), a("$.Type")), "NULL", ""}, // names are case-sensitive
		{"json_value", in(n(`{"a":true,"b":null,"c":"\u00e9\ud83d\ude00\/"}`), a("$.a")), "true", ""},
		{"json_value", in(n(`{"a":true,"b":null}`), a("strict $.b")), "NULL", ""},
		{"json_value", in(n(`{"c":"\u00e9\ud83d\ude00\/"}`), a("$.c")), "é😀/", ""},
		{"json_query", in(n(info), a("$.info.tags")), `["Sport", "Water polo"]`, "nvarchar(max)"},
		{"json_query", in(n(info), a("$.type")), "NULL", ""},
		{"json_query", in(n(" [1] ")), "[1]", ""},
		{"isjson", in(n(info)), "1", ""},
		{"isjson", in(n("1")), "0", ""},
		{"isjson", in(n("{a:1}")), "0", ""},
		{"isjson", in(nul(nvarchar(5))), "NULL", ""},
	})
	for _, c := range []struct {
		name, doc, path string
		text            string
	}{
		{"json_value", info, "strict $.nosuch", "Property cannot be found on the specified JSON path."},
		{"json_value", info, "strict $.info", "Scalar value cannot be found in the specified JSON path."},
		{"json_query", info, "strict $.type", "Object or array cannot be found in the specified JSON path."},
		{"json_value", "{a:1}", "$.a", "JSON text is not properly formatted. Unexpected character 'a' is found at position 1."},
		{"json_value", `{"a":1`, "$.a", "JSON text is not properly formatted. Unexpected character '.' is found at position 6."},
		{"json_value", info, "info", "JSON path is not properly formatted. Unexpected character 'i' is found at position 0."},
		{"json_value", info, "$.info[x]", "JSON path is not properly formatted. Unexpected character 'x' is found at position 7."},
	} {
		_, _, err := call(t, c.name, n(c.doc), a(c.path))
		require.ErrorContains(t, err, c.text)
	}
}

func TestJSONModify(t *testing.T) {
	const doc = `{"name":"John","skills":["C#","SQL"]}`
	run(t, []row{
		// learn.microsoft.com "JSON_MODIFY", example A
		{"json_modify", in(n(doc), a("$.name"), a("Mike")), `{"name":"Mike","skills":["C#","SQL"]}`, "nvarchar(max)"},
		{"json_modify", in(n(doc), a("$.surname"), a("Smith")), `{"name":"John","skills":["C#","SQL"],"surname":"Smith"}`, ""},
		{"json_modify", in(n(doc), a("$.skills[0]"), nul(varchar(5))), `{"name":"John","skills":[null,"SQL"]}`, ""},
		{"json_modify", in(n(doc), a("append $.skills"), a("Azure")), `{"name":"John","skills":["C#","SQL","Azure"]}`, ""},
		{"json_modify", in(n(doc), a("$.name"), nul(varchar(5))), `{"skills":["C#","SQL"]}`, ""},
		{"json_modify", in(n(doc), a("$.skills"), nul(varchar(5))), `{"name":"John"}`, ""},
		{"json_modify", in(n(doc), a("strict $.name"), nul(varchar(5))), `{"name":null,"skills":["C#","SQL"]}`, ""},
		{"json_modify", in(n(doc), a("$.a.b"), i(1)), doc, ""},
		{"json_modify", in(n(`{"a":[1]}`), a("$.a[0]"), i(7)), `{"a":[7]}`, ""},
		{"json_modify", in(n(`{}`), a("$.a"), typed(value.NewInt(1), datatype.Of(datatype.Bit))), `{"a":true}`, ""},
		{"json_modify", in(n(`{}`), a("$.a"), n("x\"/")), `{"a":"x\"\/"}`, ""},
		{"json_modify", in(n(`{}`), a("append $.a"), d("1.5")), `{"a":[1.5]}`, ""},
	})
	v, err := JSONModify(doc, "$.skills", value.NewString(`["T-SQL"]`), nvarchar(99), true)
	require.NoError(t, err)
	require.Equal(t, `{"name":"John","skills":["T-SQL"]}`, v.Str())
	for path, want := range map[string]int32{"strict $.x": 13608, "$": 13619, "append strict $.name": 13621, "x": 13607} {
		_, err := JSONModify(doc, path, value.NewInt(1), tInt, false)
		require.Equal(t, want, errNumber(t, err), path)
	}
}

func TestOpenJSON(t *testing.T) {
	rows, err := OpenJSON(`{"String":"John","Int":45,"Boolean":true,"Null":null,"Array":["C#"],"Object":{"a":1}}`, "$")
	require.NoError(t, err)
	var got [][3]any
	for r := range rows {
		got = append(got, [3]any{r[0].Str(), r[1].Str(), r[2].N})
	}
	require.Equal(t, [][3]any{
		{"String", "John", int64(1)}, {"Int", "45", int64(2)}, {"Boolean", "true", int64(3)},
		{"Null", "", int64(0)}, {"Array", `["C#"]`, int64(4)}, {"Object", `{"a":1}`, int64(5)},
	}, got)
	_, err = OpenJSON("{", "$")
	require.EqualValues(t, 13609, errNumber(t, err))
	_, err = OpenJSON(`{"a":1}`, "strict $.a")
	require.EqualValues(t, 13611, errNumber(t, err))
	rows, err = OpenJSON(`{"a":1}`, "$.a")
	require.NoError(t, err)
	for range rows {
		require.Fail(t, "no rows")
	}

	with, err := OpenJSONWith(`[{"id":2,"info":{"name":"John"},"age":25},{"id":"5","info":{"name":"Jane","skills":["SQL"]}}]`, "$", []JSONColumn{
		{Name: "id", Type: tInt, Path: "strict $.id"},
		{Name: "name", Type: nvarchar(50), Path: "$.info.name"},
		{Name: "age", Type: tInt},
		{Name: "skills", Type: nvarchar(datatype.Max), Path: "$.info.skills", AsJSON: true},
		{Name: "short", Type: nvarchar(2), Path: "$.info.name"},
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
	require.Equal(t, []string{`2|"John"|25|NULL|NULL|`, `5|"Jane"|NULL|"[\"SQL\"]"|NULL|`}, lines)
	with, err = OpenJSONWith(`[{"id":"x"}]`, "$", []JSONColumn{{Name: "id", Type: tInt}})
	require.NoError(t, err)
	for _, err := range with {
		require.EqualValues(t, 245, errNumber(t, err))
	}
}

func TestStringSplit(t *testing.T) {
	parts, err := StringSplit("a,,b", ",")
	require.NoError(t, err)
	var got []string
	for s := range parts {
		got = append(got, s)
	}
	require.Equal(t, []string{"a", "", "b"}, got)
	_, err = StringSplit("a", "ab")
	require.EqualValues(t, 214, errNumber(t, err))
}
