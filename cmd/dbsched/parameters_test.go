package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlanChecksParameters: a value that cannot be bound is reported with its line and its task, before anything is sent; and the server
// accepts what passes the check, for each type that exists.
func TestPlanChecksParameters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dialect   string
		nowhere   string // a DSN where no server responds
		bad, says string
		good      string
	}{
		{
			"mssql", "sqlserver://u:hush@127.0.0.1:1?database=d", "Day datte", `:6:18: parameter "Day datte" of task 2 of order 100: the type is not supported. Use one of: bit, `,
			`A bit: true, B tinyint: 255, C smallint: -1, D int: 1, E bigint: 1, "F decimal(5, 2)": 1.5, G money: 1.5, H float: 1.5e+3,
      I date: "2026-01-31", J time: "10:20:30", K datetime2: "2026-01-31T10:20:30", L datetimeoffset: "2026-01-31T10:20:30Z",
      M uniqueidentifier: 01234567-89ab-cdef-0123-456789abcdef, N nvarchar: x, O nvarchar(max): x, P varchar: x, Q varchar(max): x,
      R varbinary: "0x01", S varbinary(max): "0x01", T int: null, U: 1, V: true, W: x`,
		},
		{
			"oracle", "oracle://u:hush@127.0.0.1:1/d", "day datetime2", `:6:18: parameter "day datetime2" of task 2 of order 100: the type is not supported. Use one of: number, `,
			`a number: 1.5, b integer: 1, c int: true, d binary_double: 1.5e+3, e varchar2: x, f clob: x, g raw: "0a", h date: "2026-01-31",
      i timestamp: "2026-01-31T10:20:30", j timestamp with time zone: "2026-01-31T10:20:30Z", k int: null, l: 1, m: true, n: x`,
		},
	} {
		t.Run(c.dialect, func(t *testing.T) {
			t.Parallel()
			plan := func(parameters string) string {
				return planFile(t, "process: p\nwaves:\n- tasks:\n  - x\n  - sql: y\n    parameters: {"+parameters+"}\n")
			}
			bad := plan(c.bad + ": x")
			for _, how := range []string{"--dry-run", "--wait"} {
				client{t, c.nowhere}.refused(2, bad+c.says, "run", bad, how)
			}
			s := serveEngine(t, c.dialect)
			s.ok("install", "--lanes=1")
			s.ok("run", plan(c.good))
			require.Len(t, data[[]struct{}](s, "tasks"), 2)
		})
	}
}
