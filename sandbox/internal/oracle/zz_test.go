package oracle

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	text, _ := os.ReadFile("/tmp/zz.sql")
	var sb *Session
	c := newClient(t)
	c.exec("begin dbms_output.enable(null); end;")
	for b := range strings.SplitSeq(string(text), "\nGO\n") {
		done := false
		ss := c.s
		if strings.HasPrefix(b, "B:") {
			if sb == nil {
				sb, _ = c.srv.Login("APP")
			}
			ss = sb
			b = b[2:]
		}
		ss.Submit(func(s *Session) { fmt.Printf("> %s\n%s\n", b, strings.Join(execute(s, b), "\n")) }, func() { done = true })
		if err := c.srv.k.RunUntil(func() bool { return done }); err != nil {
			fmt.Println(err)
		}
	}
}
