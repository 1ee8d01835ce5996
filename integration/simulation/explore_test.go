package simulation

import (
	"math/rand/v2"
	"slices"

	"github.com/dbsched/dbsched/sandbox"
)

// chooser decides what an engine leaves undefined, and who runs next.
type chooser interface {
	// run chooses one of the ready tasks, which are ordered with the longest ready first; last is the one that just ran, and may be among them.
	run(ready []uint64, last uint64) int
	// other chooses one of n.
	other(point string, n int) int
}

// decisions asks a chooser, and records its choices.
type decisions struct {
	chooser
	of      *sandbox.Simulation
	last    uint64
	choices []choice
	shared  int64 // changes so far to what all sessions share
	faults  []string
	changed []int // at which points shared differed from the previous point
}

// point is called where others may run.
func (s *decisions) point(task uint64, number int, settled bool) {
	if s.last = task; settled {
		return // no more faults
	}
	c := s.of.Counters()
	if shared := c.RowsWritten + c.Messages + c.Transactions + c.Activations; shared != s.shared {
		s.shared = shared
		s.changed = append(s.changed, number)
	}
}

// choice is one of n.
type choice struct {
	run   bool
	n, is int
}

func (s *decisions) choose(point string, n int) int {
	c := choice{run: point == "run", n: n}
	if c.run {
		ready := s.of.Ready()
		c.is = s.run(ready, s.last)
		s.last = ready[c.is]
	} else {
		c.is = s.other(point, n)
	}
	s.choices = append(s.choices, c)
	return c.is
}

// byChance returns a seed's strategy: in two of three histories those who run have priorities, which change at some moments (PCT, Burckhardt et
// al. 2010); in the others all chances are even.
func byChance(seed uint64) chooser {
	r := rand.New(rand.NewPCG(seed, 2))
	if seed%3 == 0 {
		return even{r}
	}
	p := &priorities{even: even{r}, of: map[uint64]int{}, changes: map[int]bool{}}
	for range 1 + r.IntN(5) {
		p.changes[r.IntN(1500)] = true
	}
	return p
}

// even gives everything the same chance.
type even struct{ *rand.Rand }

func (e even) run(ready []uint64, _ uint64) int { return e.IntN(len(ready)) }
func (e even) other(_ string, n int) int        { return e.IntN(n) }

// priorities lets the one with the highest run. At some moments the one that would run falls below all others.
type priorities struct {
	even
	of      map[uint64]int
	lowest  int
	moment  int
	changes map[int]bool
}

func (p *priorities) run(ready []uint64, _ uint64) int {
	best := 0
	for i, id := range ready {
		if _, ok := p.of[id]; !ok {
			p.of[id] = 1 + p.IntN(1<<30)
		}
		if p.of[id] > p.of[ready[best]] {
			best = i
		}
	}
	if p.moment++; p.changes[p.moment] {
		p.lowest--
		p.of[ready[best]] = p.lowest
		return p.run(ready, 0)
	}
	return best
}

// steady lets everybody run until they wait, and then the one that has been ready longest, except for some choices.
type steady struct {
	even
	others map[int]int // the number of a choice: how many places after the usual one
	n      int
}

func (s *steady) run(ready []uint64, last uint64) int {
	usual := max(0, slices.Index(ready, last))
	other := s.others[s.n]
	s.n++
	return (usual + other) % len(ready)
}

// repeated repeats recorded choices.
type repeated struct {
	choices []choice
	n       int
}

func (a *repeated) next(n int) int {
	if a.n++; a.n > len(a.choices) {
		return 0
	}
	return min(a.choices[a.n-1].is, n-1)
}

func (a *repeated) run(ready []uint64, _ uint64) int { return a.next(len(ready)) }
func (a *repeated) other(_ string, n int) int        { return a.next(n) }
