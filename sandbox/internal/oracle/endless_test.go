package oracle

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEndless: statements that would run forever, or nearly so, let other sessions work and end with a break.
func TestEndless(t *testing.T) {
	for _, text := range []string{
		"begin loop null; end loop; end;", "declare procedure p is begin p; end; begin loop begin p; exception when others then null; end; end loop; end;",
		"select count(*) from (select 1 from dual connect by level <= 2000) a, (select 1 from dual connect by level <= 2000) b, (select 1 from dual connect by level <= 2000) c",
	} {
		c := newClient(t)
		finished := false
		var failed error
		c.s.Submit(func(s *Session) {
			var call *Call
			if call, failed = s.Execute(text, nil); call.Rows != nil {
				_, _, failed = s.Fetch(call.Rows)
			}
		}, func() { finished = true })
		steps := 0
		require.NoError(t, c.srv.k.RunUntil(func() bool { steps++; return steps > 3 }), "%s %v", text, failed)
		require.Equal(t, []string{"1"}, c.srv.client(t, "APP").exec("select 1 from dual"))
		require.False(t, finished, text)
		c.s.Cancel()
		require.NoError(t, c.srv.k.RunUntil(func() bool { return finished }))
		require.ErrorContains(t, failed, "user requested cancel of current operation")
	}
	_, err := newClient(t).try("select count(*) from dual connect by level > 0")
	require.ErrorContains(t, err, "Not enough memory for CONNECT BY operation")
}
