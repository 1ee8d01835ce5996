package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOracleValuesOfTypes: a task gets each value as its type has it, and what is not of its type is refused before the task exists.
func TestOracleValuesOfTypes(t *testing.T) {
	const refused = "refused"
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec("create table vals (n number, v varchar2(4000))")
		text := map[string]string{
			"date": "to_char(:v, 'YYYY-MM-DD HH24:MI:SS')", "timestamp": "to_char(:v, 'YYYY-MM-DD HH24:MI:SS.FF9')", "timestamp with time zone": "to_char(:v, 'YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM')",
			"raw": "lengthb(:v) || ' ' || substr(rawtohex(:v), 1, 10)", "varchar2": "lengthb(:v) || ' ' || substr(:v, 1, 5)", "clob": "length(:v) || ' ' || substr(:v, 1, 5)",
			"number": "to_char(:v * 2)", "integer": "to_char(:v * 2)", "int": "to_char(:v * 2)", "binary_double": "to_char(cast(:v as number) * 2)",
		}
		quoted := func(of string, n int) string { return `"` + strings.Repeat(of, n) + `"` }
		bad := func(member string, values ...string) (all [][3]string) {
			for _, v := range values {
				all = append(all, [3]string{member, v, refused})
			}
			return all
		}
		const day, at = `"2026-01-31`, `"2026-01-31T04:05:06`
		cases := [][3]string{
			{"date", `"2024-02-29"`, "2024-02-29 00:00:00"}, {"DATE", `"0001-01-01"`, "0001-01-01 00:00:00"}, {"Date", `"9999-12-31T23:59:59"`, "9999-12-31 23:59:59"}, {"date", at + `.000"`, "2026-01-31 04:05:06"}, {"date", "null", ""},
			{"timestamp", at + `"`, "2026-01-31 04:05:06.000000000"}, {"timestamp", at + `.1"`, "2026-01-31 04:05:06.100000000"}, {"TimeStamp", at + `.123456700"`, "2026-01-31 04:05:06.123456700"}, {"timestamp", "null", ""},
			{"timestamp with time zone", at + `Z"`, "2026-01-31 04:05:06.000000000 +00:00"}, {"timestampwithtimezone", at + `.5+02:00"`, "2026-01-31 04:05:06.500000000 +02:00"},
			{"TIMESTAMP  WITH  TIME ZONE", at + `-05:30"`, "2026-01-31 04:05:06.000000000 -05:30"}, {"timestamp with time zone", at + `.123456700+14:00"`, "2026-01-31 04:05:06.123456700 +14:00"},
			{"raw", `"0a"`, "1 0A"}, {"raw", `"fFAB90"`, "3 FFAB90"}, {"raw", quoted("0f", 2000), "2000 0F0F0F0F0F"}, {"raw", `""`, " "}, {"raw", "null", " "},
			{"integer", "7", "14"}, {"int", "-7", "-14"}, {"integer", "1.0", "2"}, {"int", "1e3", "2000"}, {"int", "true", "2"}, {"int", "false", "0"}, {"integer", "null", ""}, {"integer", "0", "0"},
			{"number", "1.25", "2.5"}, {"number", "-0.5e-1", "-.1"}, {"number", "12345678901234567890", "24691357802469135780"}, {"number", "true", "2"}, {"number", "null", ""}, {"", "2.5", "5"}, {"", "true", "2"}, {"", "false", "0"},
			{"binary_double", "1.5", "3"}, {"Binary_Double", "-25e-2", "-.5"},
			{"varchar2", quoted("x", 4000), "4000 xxxxx"}, {"varchar2", quoted("é", 2000), "4000 ééééé"}, {"varchar2", `""`, " "}, {"varchar2", "null", " "}, {"VARCHAR2", `"null"`, "4 null"}, {"varchar2", `"1"`, "1 1"},
			{"clob", quoted("é", 5000), "5000 ééééé"}, {"clob", `"x"`, "1 x"}, {"", quoted("x", 4000), "4000 xxxxx"}, {"", `"x"`, "1 x"},
		}
		for _, more := range [][][3]string{
			bad("date", `"2023-02-29"`, `"2026-13-01"`, `"2026-00-10"`, `"2026-01-00"`, `"2026-04-31"`, `"2026-1-31"`, `"2026-01-3"`, `"20260131"`, `"2026/01/31"`, `" 2026-01-31"`, day+` "`, day+`T"`, day+`T04:05"`, day+`T24:00:00"`, day+`T23:60:00"`,
				day+`T23:59:60"`, day+` 04:05:06"`, day+`t04:05:06"`, at+`.5"`, at+`.001"`, at+`."`, at+`Z"`, at+`+00:00"`, `""`, `"today"`, "20260131", "true", "{}", "[]"),
			bad("timestamp", day+`"`, at+`."`, at+`,5"`, at+`.1234567890"`, at+`.5Z"`, at+`.5x"`, at+` "`, at+`.+1"`, `"2026-01-31T4:05:06"`, `"2026-02-30T04:05:06"`, `""`, "1", "false"),
			bad("timestamp with time zone", at+`"`, at+`z"`, at+`+02"`, at+`+0200"`, at+`+2:00"`, at+`+02:0"`, at+`+02:60"`, at+` +02:00"`, at+`Europe/Warsaw"`, day+`Z"`, at+`.Z"`, at+`ZZ"`, at+`+02:00Z"`, `"Z"`, `""`, "0"),
			bad("raw", `"0"`, `"abc"`, `"0x0A"`, `"0g"`, `" 0a"`, `"0a "`, quoted("0f", 2001), "10", "true"),
			bad("integer", "1.5", "-0.5", "1e-1", `"1"`, `""`, "1e126", "[1]", `{"a": 1}`), bad("int", "0.1"), bad("number", `"1"`, "1e126", "-1e126", `"true"`), bad("binary_double", "true", `"1"`),
			bad("varchar2", "1", "true", quoted("x", 4001), quoted("é", 2001), "[]", "{}"), bad("clob", "1", "false", "[]"),
		} {
			cases = append(cases, more...)
		}
		var want []string
		for i, c := range cases {
			kind := strings.Join(strings.Fields(strings.ToLower(c[0])), " ")
			if kind == "timestampwithtimezone" {
				kind = "timestamp with time zone"
			}
			if kind == "" {
				kind = "number"
				if c[1][0] == '"' {
					kind = "varchar2"
				}
			}
			require.NotEmpty(h, text[kind], kind)
			err := s.withText(fmt.Sprintf("begin dbsched.exec_async(%s, 1, in_parameters => :doc); end;", oracleLiteral(fmt.Sprintf("insert into vals (n, v) values (%d, %s)", i, text[kind]))),
				fmt.Sprintf(`{"%s": %s}`, strings.TrimSpace("v "+c[0]), c[1]))
			if c[2] == refused {
				assert.ErrorContains(h, err, "20034", "%s %.60s", c[0], c[1])
				assert.ErrorContains(h, err, "needs a single value of type", "%s %.60s", c[0], c[1])
				continue
			}
			if assert.NoError(h, err, "%s %.60s", c[0], c[1]) {
				want = append(want, fmt.Sprintf("%d %s", i, c[2]))
			}
		}
		h.drain(time.Minute)
		var got []string
		for _, r := range s.rows("select v.n, nvl(v.v, '') from vals v order by v.n") {
			got = append(got, r[0]+" "+strings.TrimPrefix(r[1], "NULL"))
		}
		assert.Equal(h, want, got)
		for _, l := range h.logs() {
			require.Equal(h, "Succeeded", l.Outcome, "%s: %s", l.SQL, l.ErrorMessage)
		}
		for name, number := range sorted(map[string]int{strings.Repeat("x", 30): 0, "A_z09": 0, "z": 0, strings.Repeat("x", 31): 32, "a$": 32, "a#": 32, "1a": 32, "_a": 32, ":a": 32, "": 32, " a": 32, "é": 32, "a-b": 32, "a int)": 33, "a  ": 0, "a text": 33, "a number(1)": 33}) {
			err := s.withText("begin dbsched.exec_async('begin null; end;', 1, in_parameters => :doc); end;", fmt.Sprintf(`{"%s": 1}`, name))
			if number == 0 {
				assert.NoError(h, err, name)
			} else {
				assert.ErrorContains(h, err, h.errorText(number), name)
			}
		}
	})
}
