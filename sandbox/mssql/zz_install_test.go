package mssql_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"sort"
	"maps"
	"slices"

	"github.com/dbsched/dbsched/sandbox/kernel"
	"github.com/dbsched/dbsched/sandbox/mssql"
)

func TestInstallRendered(t *testing.T) {
	facts := map[string]bool{}
	k := kernel.New(kernel.Options{Clock: kernel.Simulated, Seed: 1})
	srv, err := mssql.New(k, mssql.Options{Password: "x", Census: func(f string) { facts[f] = true }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		b, _ := os.ReadFile("audit/supported.txt")
		for _, l := range strings.Split(string(b), "\n") {
			facts[l] = true
		}
		delete(facts, "")
		out := slices.Sorted(maps.Keys(facts))
		os.WriteFile("audit/supported.txt", []byte(strings.Join(out, "\n")+"\n"), 0o644)
	}()
	s, err := srv.Login("sa", "x", "test")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("/tmp/rendered/*.sql")
	sort.Strings(files)
	migrated := false
	for _, f := range files {
		if strings.Contains(f, "m_") {
			continue
		}
		b, _ := os.ReadFile(f)
		text := string(b)
		if strings.Contains(text, "MESSAGE TYPE") && !migrated {
			migrated = true
			ms, _ := filepath.Glob("/tmp/rendered/m_*up.sql")
			sort.Strings(ms)
			for _, m := range ms {
				mb, _ := os.ReadFile(m)
				r, err := s.Exec(string(mb))
				if err != nil {
					fmt.Println("MIG", m, err)
				}
				_ = r
			}
		}
		if strings.Contains(f, os.Getenv("STOPAT")) && os.Getenv("STOPAT") != "" {
			break
		}
		_, err := s.Exec(text)
		if err != nil {
			fmt.Println(f, strings.SplitN(text, "\n", 2)[0], "=>", err)
		}
	}
}
