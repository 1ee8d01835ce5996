package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// FuzzJSON looks for texts and paths on which the JSON functions panic, and checks
// that what JSON_MODIFY makes of valid JSON is valid.
func FuzzJSON(f *testing.F) {
	f.Add(info, "$.info.tags[1]")
	f.Add(`{"a":"\u00e9"}`, "append lax $.a")
	f.Fuzz(func(t *testing.T, text, path string) {
		_, _ = JSONValue(text, path)
		_, _ = JSONQuery(text, path)
		_, _ = OpenJSON(text, path)
		for _, v := range []value.Value{null, value.NewString("x\"")} {
			got, err := JSONModify(text, path, v, nvarchar(9), false)
			if err != nil {
				continue
			}
			_, err = parseJSON(got.Str(), 1)
			require.NoError(t, err, "%q", got.Str())
		}
	})
}

// FuzzFormatMessage looks for formats that panic.
func FuzzFormatMessage(f *testing.F) {
	f.Add("%-5.3s %I64d %*d %%")
	f.Fuzz(func(_ *testing.T, format string) {
		args := []value.Value{value.NewInt(5), value.NewString("abc"), null}
		types := []datatype.Type{tInt, nvarchar(9), nvarchar(9)}
		_, _ = FormatMessage(format, args, types)
		_, _ = ParseName(format)
		_, _ = QuoteName(format, format)
	})
}
