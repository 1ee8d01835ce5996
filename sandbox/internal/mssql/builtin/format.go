package builtin

import (
	"regexp"
	"strconv"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// maxMessage is the longest message; longer ones end in an ellipsis
// (learn.microsoft.com "RAISERROR (Transact-SQL)").
const maxMessage = 2047

// verb matches a placeholder for an argument: size and type.
var verb = regexp.MustCompile(`%(?:%|(I64)?([dis])|)`)

// FormatMessage puts arguments into a message of RAISERROR: %[I64]type with types d i s, %% for a percent sign; a missing or NULL argument
// shows as (null). Raises 2786 for an argument of the wrong type and 2748 for a type that no format accepts; refuses other formats.
func FormatMessage(format string, args []value.Value, types []datatype.Type) string {
	for i, t := range types {
		if t.IsBinary() {
			panic(sqlerr.NotSupported("binary arguments of a message"))
		}
		if !t.IsInteger() && !t.IsCharacter() && t.ID != datatype.Untyped && t.ID != datatype.Bit {
			panic(message.MS(2748, t.Name(), i+1))
		}
	}
	next := 0
	s := verb.ReplaceAllStringFunc(format, func(text string) string {
		if text == "%%" {
			return "%"
		}
		m := verb.FindStringSubmatch(text)
		if m[2] == "" {
			panic(sqlerr.NotSupported("the format of a message, %q", format))
		}
		if next++; next > len(args) {
			return "(null)"
		}
		v, t := args[next-1], types[next-1]
		if t.ID != datatype.Untyped && ((m[2] == "s") != t.IsCharacter() || t.ID == datatype.BigInt && m[1] == "") {
			panic(message.MS(2786, next))
		}
		switch {
		case v.IsNull():
			return "(null)"
		case m[2] == "s":
			return v.Str()
		}
		return strconv.FormatInt(v.N, 10)
	})
	if charset.Len16(s) > maxMessage {
		s = charset.Sub16(s, 0, maxMessage-3) + "..."
	}
	return s
}
