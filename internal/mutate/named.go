package main

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed testdata/mssql.txt testdata/oracle.txt testdata/equivalent.txt testdata/unreached.txt
var testdata embed.FS

// named returns mistakes that people made or could make, which the tests notice. A paragraph of testdata is one: fields, lines that stand in the
// template ("- "), and lines with the mistake ("+ ").
func named(dialect string) (all []mutant, err error) {
	list, err := testdata.ReadFile("testdata/" + dialect + ".txt")
	if err != nil {
		return nil, err
	}
	for paragraph := range strings.SplitSeq(strings.TrimSpace(string(list)), "\n\n") {
		m := mutant{dialect: dialect, kind: "named"}
		var old, other []string
		for line := range strings.SplitSeq(strings.TrimSpace(paragraph), "\n") {
			key, value, _ := strings.Cut(line, " ")
			switch key {
			case "#", "why:":
			case "name:":
				m.id = dialect + "-" + value
			case "file:":
				m.file = dialect + "/" + value
			case "-":
				old = append(old, value)
			case "+":
				other = append(other, value)
			default:
				return nil, fmt.Errorf("%s: unknown line: %s", m.id, line)
			}
		}
		if m.id == "" {
			continue
		}
		if all, err = m.appendTo(all, strings.Join(old, "\n"), strings.Join(other, "\n")); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// appendTo finds the place of a named mistake.
func (m mutant) appendTo(all []mutant, old, other string) ([]mutant, error) {
	source := m.source()
	if n := strings.Count(source, old); n != 1 {
		return nil, fmt.Errorf("%s: its text occurs %d times in %s", m.id, n, m.file)
	}
	m.start = strings.Index(source, old)
	m.end, m.text, m.line = m.start+len(old), other, 1+strings.Count(source[:m.start], "\n")
	return append(all, m), nil
}

// evenly returns n of a list, spread over it.
func evenly(list []mutant, n int) []mutant {
	if n >= len(list) {
		return list
	}
	out := make([]mutant, 0, n)
	for i := range n {
		out = append(out, list[i*len(list)/n])
	}
	return out
}

// reasonsOf reads a list of mistakes and reasons: of equivalent.txt, which change no result, lock or cost, and of unreached.txt, whose statement
// nothing executes.
func reasonsOf(file string) (map[string]string, error) {
	list, err := testdata.ReadFile("testdata/" + file)
	if err != nil {
		return nil, err
	}
	reasons := map[string]string{}
	for line := range strings.Lines(string(list)) {
		id, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id != "" && id != "#" {
			reasons[id] = reason
		}
	}
	return reasons, nil
}
