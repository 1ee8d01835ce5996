package builtin

import (
	"testing"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// FuzzJSON looks for texts on which OPENJSON panics.
func FuzzJSON(f *testing.F) {
	f.Add(info)
	f.Add(`{"a":"\u00e9"}`)
	f.Fuzz(func(_ *testing.T, text string) { _, _ = OpenJSON(text) })
}

// FuzzFormatMessage looks for formats that panic.
func FuzzFormatMessage(f *testing.F) {
	f.Add("%-5.3s %I64d %*d %%")
	f.Fuzz(func(_ *testing.T, format string) {
		args := []value.Value{value.NewInt(5), value.NewString("abc"), null}
		types := []datatype.Type{tInt, nvarchar(9), nvarchar(9)}
		_ = query.Catch(func() error { FormatMessage(format, args, types); return nil })
		_ = query.Catch(func() error { QuoteName(format, format); return nil })
	})
}
