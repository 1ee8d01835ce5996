package simulation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUsers: what a user that was replaced has enqueued belongs to nobody: it does not run, and its successor does not see it.
func TestUsers(t *testing.T) {
	all := func(h *history) string {
		c := newChecker(h)
		c.rights()
		c.replaced()
		return strings.Join(c.broken, "\n")
	}
	fails := func(h *history, task int64) {
		for i := range h.logs {
			if h.logs[i].task == task {
				h.logs[i].errorNumber = 51021
			}
		}
	}
	h := good()
	h.order(newUser, 0, 9) // after its only task
	h.second = nil
	require.Empty(t, all(h))
	h.second = []int64{15}
	require.Equal(t, "the second user sees the tasks [15], and has []", all(h))
	h = good()
	h.order(newUser, 0, 0.5) // before the task begins at 3
	h.second = []int64{}
	require.Equal(t, "task 5 began, and its user had been replaced", all(h))
	h.runs = nil
	fails(h, 15)
	require.Empty(t, all(h))
	fails(h, 11) // another user's
	require.Equal(t, "attempt 1 of task 1 did not find its user, who was there", all(h))
	h = good()
	fails(h, 15) // nobody was replaced
	require.Equal(t, "attempt 1 of task 5 did not find its user, who was there", all(h))
	h = good()
	h.order(revoke, 0, -1)
	c := newChecker(h)
	c.denied()
	require.Equal(t, []string{"the second user enqueued process 2, and had no right to"}, c.broken)
	h.order(grant, 0, 0.05)
	c = newChecker(h)
	c.denied()
	require.Empty(t, c.broken)
	h = good()
	mixed := h.steps[1].process
	mixed.tasks = append(mixed.tasks, task{number: 7, wave: 1, key: 1})
	mixed.tasks[0].key = 1
	c = newChecker(h)
	c.enqueued[2] = yes
	c.keys()
	require.Empty(t, c.broken, "one user has two tasks of one key: the second got the id of the first")
	h.steps = append(h.steps, step{process: &process{number: 21, into: 2, tasks: []task{{number: 8, wave: 1, key: 1}}}})
	c = newChecker(h)
	c.enqueued[21] = yes
	c.keys()
	require.Equal(t, []string{"task 8 is not there, and no other has its key"}, c.broken, "the key is another user's")
}
