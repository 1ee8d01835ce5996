package oracle

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplit(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   []statement
	}{
		"empty":                     {" \n/\n\n -- nothing\n/\n", nil},
		"one block":                 {"declare\n  x int;\nbegin null; end;\n", []statement{{line: 1, text: "declare\n  x int;\nbegin null; end;"}}},
		"last semicolon":            {"create table a (b number);\n", []statement{{line: 1, text: "create table a (b number)"}}},
		"named end":                 {"begin null; end;\n/\ncreate or replace package body p as\nend p;\n/\n", []statement{{line: 1, text: "begin null; end;"}, {3, "create or replace package body p as\nend p;", unit{"PACKAGE BODY", "P"}}}},
		"line ends":                 {"drop table a;\r\n/\r\ndrop table b\r\n  /  \r\n", []statement{{line: 1, text: "drop table a"}, {line: 3, text: "drop table b"}}},
		"comments before":           {"-- don't\n/* it's */\n\nbegin null; end;\n", []statement{{line: 4, text: "begin null; end;"}}},
		"comments inside":           {"begin\n  -- don't; go\n  null;\nend;", []statement{{line: 1, text: "begin\n  -- don't; go\n  null;\nend;"}}},
		"a slash is no line":        {"select 1 / 2 from dual;", []statement{{line: 1, text: "select 1 / 2 from dual"}}},
		"quoted and qualified unit": {`create or replace noneditionable function app."My Func" return number is begin return 1; end;`, []statement{{1, `create or replace noneditionable function app."My Func" return number is begin return 1; end;`, unit{"FUNCTION", "My Func"}}}},
		"view":                      {"create or replace force view v as select 1 x from dual;", []statement{{1, "create or replace force view v as select 1 x from dual", unit{"VIEW", "V"}}}},
		"type body":                 {"create type  body t as end;", []statement{{1, "create type  body t as end;", unit{"TYPE BODY", "T"}}}},
		"label":                     {"<<a>>\nbegin null; end a;", []statement{{line: 1, text: "<<a>>\nbegin null; end a;"}}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, split(c.script)) })
	}
}

// How the driver treats a text depends on its first word.
func FuzzSplit(f *testing.F) {
	f.Add("-- x\nbegin null; end;\n/\ncreate table a (b number);")
	f.Add("/* x */ /")
	f.Fuzz(func(t *testing.T, script string) {
		line := 0
		for _, s := range split(script) {
			require.NotEmpty(t, s.text)
			require.NotRegexp(t, `^\s|^--|\n[ \t]*/[ \t]*\n`, s.text)
			require.Greater(t, s.line, line)
			line = s.line
		}
	})
}
