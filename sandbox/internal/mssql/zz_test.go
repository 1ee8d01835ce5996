package mssql_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/dbsched/dbsched/sandbox/internal/mssql"
)

func TestZZ(t *testing.T) {
	text, _ := os.ReadFile("/tmp/zz.sql")
	srv := newSimulated(t, 1)
	s, _ := srv.Login("sa", "x", "test")
	for b := range strings.SplitSeq(string(text), "\nGO\n") {
		rec := &mssql.Recorder{}
		done := false
		s.Submit(rec, func(s *mssql.Session) { s.RunBatch(b) }, func() { done = true })
		err := srv.Kernel().RunUntil(func() bool { return done })
		fmt.Printf("> %s\n%s\n", b, strings.Join(lines(rec), "\n"))
		if err != nil {
			fmt.Println(err)
		}
	}
}
