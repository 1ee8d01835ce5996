package audit

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sqlc-dev/teesql/parser"
)

func TestGen(t *testing.T) {
	facts := map[string]bool{}
	for _, g := range []string{"../testdata/conformance/*.sql", "../../../integration/testdata/*.sql", "/tmp/rendered/*.sql"} {
		files, _ := filepath.Glob(g)
		for _, f := range files {
			b, _ := os.ReadFile(f)
			for _, batch := range strings.Split(string(b), "\ngo\n") {
				s, err := parser.Parse(context.Background(), strings.NewReader(batch))
				if err != nil {
					t.Log(f, err)
					continue
				}
				for _, bt := range s.Batches {
					Walk(bt, func(fact string, _ int) bool { facts[fact] = true; return true })
				}
			}
		}
	}
	var out []string
	for f := range facts {
		out = append(out, f)
	}
	slices.Sort(out)
	os.WriteFile("supported.txt", []byte(strings.Join(out, "\n")+"\n"), 0o644)
}
