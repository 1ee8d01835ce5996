package plan

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects/mssql"
	"github.com/dbsched/dbsched/dialects/oracle"
)

var engines = map[string]Rules{"mssql": mssql.Dialect{}, "oracle": oracle.Dialect{}}

// TestParameters: a parameter that the server would refuse is a problem of the plan, at its line, with its task.
func TestParameters(t *testing.T) {
	for dialect, all := range map[string]map[string]string{
		"mssql": {
			`Day datte: x`:          `parameter "Day datte" of task 2 of order 100: the type is not supported. Use one of: bit, tinyint, `,
			`D decimal: 1`:          "the type is not supported",
			`"D decimal(39,0)": 1`:  "the type is not supported",
			`"D decimal(5,6)": 1`:   "the type is not supported",
			`"D decimal(p,s)": 1`:   "the type is not supported",
			`"@Day date": x`:        `"@Day" is not a name for a parameter: a letter or _, then`,
			`N int: 1.5`:            "the value is not a whole number of 32 bits",
			`N int: 2147483648`:     "the value is not a whole number of 32 bits",
			`N tinyint: -1`:         "the value is not a whole number from 0 to 255",
			`N int: "1"`:            "the value is not a whole number of 32 bits",
			`B bit: 1`:              "the value is not true or false",
			`F float: "1"`:          "the value is not a number",
			`Day date: "31.1.2026"`: "the value is not a date like 2026-01-31",
			`S nvarchar(max): 1`:    "the value is not a text: write it in quotes",
			`N int: 1, n bigint: 2`: "the name n appears twice",
			`S nvarchar(10): x`:     "the type is not supported",
			`X number: 1`:           "the type is not supported",
		},
		"oracle": {
			`day datetime2: x`:      `parameter "day datetime2" of task 2 of order 100: the type is not supported. Use one of: number, `,
			`_day date: x`:          `"_day" is not a name for a parameter: a letter, then`,
			`n number: "1"`:         "the value is not a number, true or false",
			`d binary_double: true`: "the value is not a number",
			`v varchar2: 1`:         "the value is not a text: write it in quotes",
			`v varchar2(10): x`:     "the type is not supported",
		},
	} {
		for parameters, want := range all {
			text := "process: p\nwaves:\n- tasks:\n  - x\n  - sql: y\n    parameters: {" + parameters + "}\n"
			_, err := Parse("p.yaml", engines[dialect], []byte(text), nil)
			require.ErrorContains(t, err, "p.yaml: 1 problem; nothing was sent:\n  p.yaml:6:", parameters)
			require.ErrorContains(t, err, want, parameters)
			_, err = Parse("p.yaml", nil, []byte(text), nil)
			require.NoError(t, err, "of an engine that is not known nothing is known")
		}
	}
	for dialect, parameters := range map[string]string{
		"mssql":  `{a: 1e3, "b Decimal(5, 2)": 1.5, c int: null, d: x, e bit: true, f nvarchar(max): x, g NVARCHAR: "1", h: false, i varbinary: "0x01"}`,
		"oracle": `{a: 1e3, b number: true, c int: null, d: x, e timestamp with time zone: "2026-01-31T00:00:00Z", f TimeStamp: "2026-01-31T00:00:00"}`,
	} {
		_, err := Parse("p.yaml", engines[dialect], []byte("process: p\nwaves:\n- tasks:\n  - {sql: x, parameters: "+parameters+"}\n"), nil)
		require.NoError(t, err)
	}
}

// TestTypesAreThoseOfTheServer: the plan knows exactly the types that the SQL knows.
func TestTypesAreThoseOfTheServer(t *testing.T) {
	for dialect, file := range map[string]string{"mssql": "parameters/read_parameters.sql", "oracle": "parameters/bind.sql"} {
		text, err := os.ReadFile(fmt.Sprintf("../../templates/%s/%s", dialect, file))
		require.NoError(t, err)
		m := regexp.MustCompile(`has a type that is not supported. Use ([^']*) or ([^']*)'`).FindSubmatch(text)
		require.NotNil(t, m, file)
		types := slices.DeleteFunc(slices.Clone(engines[dialect].Parameters().Types), func(typ string) bool {
			return dialect == "oracle" && typ == "int" // its message does not mention int
		})
		require.Equal(t, types, append(strings.Split(string(m[1]), ", "), string(m[2])))
	}
}
