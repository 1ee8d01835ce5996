package splice

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// resolve cached inputs: ZZ_IN dir, ZZ_OUT dir, ZZ_KIND mssql|oracle
func TestZZ(t *testing.T) {
	kind := os.Getenv("ZZ_KIND")
	if kind == "" {
		t.Skip()
	}
	root := "../../sandbox/"
	inputs := append(Scripts(t, root+"internal/"+kind+"/testdata/conformance/*.txt"), Cases(t, root+"testdata/"+kind+"/*.sql")...)
	src, _ := os.ReadFile(root + "internal/" + kind + "/fuzz_test.go")
	_, w, _ := strings.Cut(string(src), "var world = []string{\n")
	w, _, _ = strings.Cut(w, "\n}\n")
	var world []string
	for _, l := range strings.Split(w, "`") {
		if strings.TrimSpace(l) != "," && strings.TrimSpace(l) != "" {
			world = append(world, l)
		}
	}
	texts := New(append(inputs, world...))
	files, _ := filepath.Glob(os.Getenv("ZZ_IN") + "/*")
	for _, f := range files {
		b, _ := os.ReadFile(f)
		lines := strings.Split(strings.TrimSpace(string(b)), "\n")
		if len(lines) != 3 {
			continue
		}
		text, err1 := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(lines[1], "string("), ")"))
		steps, err2 := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(lines[2], "[]byte("), ")"))
		if err1 != nil || err2 != nil {
			t.Log(f, err1, err2)
			continue
		}
		got := strings.ToValidUTF8(texts.Apply(text, []byte(steps)), "\uFFFD")
		out := fmt.Sprintf("go test fuzz v1\nstring(%q)\n[]byte(\"\")\n", got)
		_ = os.WriteFile(filepath.Join(os.Getenv("ZZ_OUT"), filepath.Base(f)), []byte(out), 0o644)
	}
}
