package audit

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

type word string

type leaf struct {
	Line int
	Kind word
	Text string
}

type branch struct {
	Line   int
	Of     any
	Leaves []leaf
	Last   *leaf
	Set    bool
	hidden bool // fields that are not exported are not facts
}

var tree = Tree{
	Place: func(n reflect.Value) Place { return Place{Line: int(n.FieldByName("Line").Int())} },
	Skip:  func(f reflect.StructField) bool { return f.Name == "Line" },
	Words: func(_ reflect.StructField, v reflect.Value) []string {
		if v.Kind() == reflect.String && v.Type() == reflect.TypeFor[word]() {
			return []string{v.String()}
		}
		return nil
	},
}

func TestFacts(t *testing.T) {
	n := &branch{Line: 1, Of: &branch{Leaves: []leaf{}, Set: true}, Leaves: []leaf{{Line: 2, Kind: "A B", Text: "x"}, {}}, hidden: true}
	type fact struct {
		text string
		line int
	}
	var got []fact
	for text, at := range tree.Facts(n) {
		got = append(got, fact{text, at.Line})
	}
	require.Equal(t, []fact{
		{"branch", 1}, {"branch Of", 1}, {"branch", 1}, {"branch Set", 1},
		{"branch Leaves", 1}, {"leaf", 2}, {"leaf Kind", 2}, {"leaf Kind A B", 2}, {"leaf Text", 2}, {"leaf", 1},
	}, got)

	table := Read([]byte("# a comment\nbranch\nbranch Of\n\nbranch Set\nbranch Leaves\nleaf\nleaf Kind\nleaf Text\n"))
	require.ErrorContains(t, table.Check(tree.Facts(n), "abc"), `Msg 49999, Level 16, State 1, Line 2: the sandbox does not model A B in "abc"`)
	table["leaf Kind A B"] = true
	require.NoError(t, table.Check(tree.Facts(n), "abc"))
	delete(table, "branch Set")
	require.ErrorContains(t, table.Check(tree.Facts(n), "abc"), `Line 1: the sandbox does not model SET in "abc"`)
	delete(table, "branch")
	require.ErrorContains(t, table.Check(tree.Facts(n), "abc"), `the sandbox does not model "abc"`)
	require.NoError(t, table.Check(tree.Facts(nil), ""))
}

func TestCensus(t *testing.T) {
	t.Setenv(CensusVariable, "")
	require.Nil(t, Census("x"))
	path := filepath.Join(t.TempDir(), "census")
	t.Setenv(CensusVariable, path)
	for range 2 {
		tell := Census("x")
		tell("a")
		tell("a b")
		tell("a")
	}
	text, err := os.ReadFile(path + ".x")
	require.NoError(t, err)
	require.Equal(t, "a\na b\na\na b\n", string(text))
}

func TestComposed(t *testing.T) {
	t.Setenv(ComposedVariable, "")
	Composed("x", "unit", "begin null; end;", "")
	path := filepath.Join(t.TempDir(), "composed")
	t.Setenv(ComposedVariable, path)
	Composed("x", "", "select\n@n;", "@n int")
	Composed("x", "APP.P", "commit", "")
	text, err := os.ReadFile(path + ".x")
	require.NoError(t, err)
	require.Equal(t, `["","select\n@n;","@n int"]`+"\n"+`["APP.P","commit",""]`+"\n", string(text))
}
