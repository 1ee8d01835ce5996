package checkpoint

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

type shape interface{ area() int }

type square struct{ side int }

func (s *square) area() int { return s.side * s.side }

type constant struct{ n int }

type state struct {
	name   string
	rows   []*square
	byName map[string]*square
	inMap  map[string]struct{ s *square }
	any    shape
	pair   [2]*square
	self   *state // a cycle
	text   *constant
	count  func() int
}

// TestRestore: everything reachable from a root is restored in place, whoever holds a pointer to it.
func TestRestore(t *testing.T) {
	n, a, b, text := 1, &square{2}, &square{3}, &constant{7}
	s := &state{
		name: "before", rows: []*square{a, b}, byName: map[string]*square{"a": a}, inMap: map[string]struct{ s *square }{"b": {b}},
		any: &square{5}, pair: [2]*square{a, {6}}, text: text, count: func() int { return n },
	}
	s.self = s
	inside, rows := s.pair[1], s.rows
	im := Take(s, func(t reflect.Type) bool { return t == reflect.TypeFor[constant]() })
	for range 2 { // an image can be restored again and again
		s.name, s.any, s.self, n, text.n = "after", &square{50}, nil, n+1, text.n+1
		a.side, b.side, inside.side = 20, 30, 60
		s.rows[0] = nil
		s.rows = append(s.rows, &square{9})
		delete(s.byName, "a")
		s.byName["c"] = &square{8}
		s.inMap = nil
		s.pair = [2]*square{}

		im.Restore()
		require.Equal(t, "before", s.name)
		require.Same(t, s, s.self)
		require.Equal(t, []int{2, 3, 6}, []int{a.side, b.side, inside.side})
		require.Len(t, s.rows, 2)
		require.Same(t, a, s.rows[0])
		require.Same(t, &rows[0], &s.rows[0], "in place")
		require.Equal(t, map[string]*square{"a": a}, s.byName)
		require.Same(t, b, s.inMap["b"].s)
		require.Equal(t, 25, s.any.area())
		require.Same(t, a, s.pair[0])
		require.Same(t, inside, s.pair[1])
	}
	require.Equal(t, 3, s.count(), "what only a function leads to is not seen")
	require.Equal(t, 9, text.n, "a fixed type is left alone")
}

// TestChannelsAreRefused: what cannot be restored is an error.
func TestChannelsAreRefused(t *testing.T) {
	require.Panics(t, func() { Take(&struct{ c chan int }{make(chan int)}, func(reflect.Type) bool { return false }) })
}
