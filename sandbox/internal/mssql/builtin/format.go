package builtin

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// maxMessage is the longest message; longer ones end in an ellipsis
// (learn.microsoft.com "RAISERROR (Transact-SQL)").
const maxMessage = 2047

// verb matches a placeholder for an argument: flags, width, precision, size and type.
var verb = regexp.MustCompile(`%(?:%|(-?)(0?)(\d*)(?:\.(\d+))?(I64)?([disxX])|)`)

const missing = "(null)"

// FormatMessage puts arguments into a message of RAISERROR or FORMATMESSAGE: %[-][0][width][.precision][I64]type with types d i s x X,
// %% for a percent sign; a missing or NULL argument shows as (null). Raises 2786 for an argument of the wrong type and 2748 for a type
// that no format accepts; refuses other formats.
func FormatMessage(format string, args []value.Value, types []datatype.Type) string {
	for i, t := range types {
		if !t.IsInteger() && !t.IsCharacter() && !t.IsBinary() && t.ID != datatype.Untyped && t.ID != datatype.Bit {
			panic(message.MS(2748, t.Name(), i+1))
		}
	}
	next := 0
	s := verb.ReplaceAllStringFunc(format, func(text string) string {
		if text == "%%" {
			return "%"
		}
		m := verb.FindStringSubmatch(text)
		if m[6] == "" {
			panic(sqlerr.NotSupported("the format of a message, %q", format))
		}
		next++
		if next > len(args) {
			return pad(missing, m)
		}
		return pad(substitute(args[next-1], types[next-1], next, m), m)
	})
	if charset.Len16(s) > maxMessage {
		s = charset.Sub16(s, 0, maxMessage-3) + "..."
	}
	return s
}

// substitute formats argument n as the verb m says, without its width.
func substitute(v value.Value, t datatype.Type, n int, m []string) string {
	text := m[6] == "s"
	if t.ID != datatype.Untyped && (text != (t.IsCharacter() || t.IsBinary()) || t.ID == datatype.BigInt && m[5] == "") {
		panic(message.MS(2786, n))
	}
	precision := -1
	if m[4] != "" {
		precision, _ = strconv.Atoi(m[4]) // a number out of range becomes the largest int
		precision = min(precision, maxMessage)
	}
	var s string
	switch {
	case v.IsNull():
		return missing
	case text:
		if s = v.Str(); t.IsBinary() {
			s = query.Must(datatype.Convert(v, t, varchar(datatype.Max), 1, datatype.Explicit)).Str()
		}
		if precision >= 0 {
			s = charset.Sub16(s, 0, precision)
		}
		return s
	case m[6] == "d" || m[6] == "i":
		s = strconv.FormatInt(v.N, 10)
	default:
		u := uint64(v.N)
		if m[5] == "" {
			u = uint64(uint32(v.N))
		}
		if s = strconv.FormatUint(u, 16); m[6] == "X" {
			s = strings.ToUpper(s)
		}
	}
	digits, negative := strings.CutPrefix(s, "-")
	digits = strings.Repeat("0", max(0, precision-len(digits))) + digits
	if negative {
		return "-" + digits
	}
	return digits
}

// pad pads text to the width of the verb m: on the right, on the left, or with zeros after the sign.
func pad(s string, m []string) string {
	width, _ := strconv.Atoi(m[3])
	n := min(width, maxMessage) - charset.Len16(s)
	switch {
	case n <= 0:
		return s
	case m[1] != "":
		return s + strings.Repeat(" ", n)
	case m[2] != "" && m[4] == "" && m[6] != "s" && s != missing:
		digits, negative := strings.CutPrefix(s, "-")
		digits = strings.Repeat("0", n) + digits
		if negative {
			return "-" + digits
		}
		return digits
	}
	return strings.Repeat(" ", n) + s
}
