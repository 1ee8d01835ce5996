package builtin

import "testing"

func FuzzRegexp(f *testing.F) {
	f.Add("500 Oracle Parkway", `([[:digit:]]+) [^]a]\.`)
	f.Fuzz(func(t *testing.T, text, pattern string) {
		if text == "" || pattern == "" {
			return
		}
		for _, name := range []string{"REGEXP_LIKE", "REGEXP_SUBSTR", "REGEXP_INSTR"} {
			_, _, err := callFn(name, s(text), s(pattern))
			_ = number(t, err)
		}
	})
}
