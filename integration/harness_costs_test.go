package integration

import (
	"testing"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/stretchr/testify/assert"
)

var costs = costTable{want: map[string]string{}, got: map[string]string{}, executed: map[string]bool{}}

// watched reports whether the table has a test.
func (c *costTable) watched(test string) bool { return c.want[test] != "" }

// watch compares what a test costs with its line, when it ends.
func (c *costTable) watch(t *testing.T, dialect string, box *sandbox.Server) {
	t.Helper()
	if !c.watched(t.Name()) {
		return
	}
	m := sandboxtest.Measure(box)
	t.Cleanup(func() {
		line, statements := costLine(t.Name(), m), box.Statements()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.got[t.Name()] = line
		for _, st := range statements {
			c.executed[dialect+" "+st.Unit] = c.executed[dialect+" "+st.Unit] || st.Ran
		}
		if !*update && !t.Failed() {
			assert.Equal(t, "\n"+costTitles()+"\n"+c.want[t.Name()], "\n"+costTitles()+"\n"+line, "the costs in %s have changed: mend it, or run make pins and say why", costsFile)
		}
	})
}
