package builtin

import "testing"

func FuzzRegexp(f *testing.F) {
	f.Add("500 Oracle Parkway", `([[:digit:]]+) [^]a]\.`, `\1`)
	f.Fuzz(func(t *testing.T, text, pattern, with string) {
		if text == "" || pattern == "" {
			return
		}
		for _, name := range []string{"REGEXP_LIKE", "REGEXP_SUBSTR", "REGEXP_COUNT", "REGEXP_INSTR"} {
			_, _, err := callFn(name, s(text), s(pattern))
			_ = number(t, err)
		}
		_, _, err := callFn("REGEXP_REPLACE", s(text), s(pattern), s(with))
		_ = number(t, err)
	})
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"a":[1,{"b":"x"}]}`, `$.a[1].b`)
	f.Fuzz(func(t *testing.T, doc, path string) {
		p, err := ParseJSONPath(path)
		_ = number(t, err)
		if err == nil {
			_, err = JSONValue(doc, p)
			_ = number(t, err)
			_, err = JSONQuery(doc, p)
			_ = number(t, err)
		}
	})
}
