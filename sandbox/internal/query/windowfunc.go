package query

import "github.com/dbsched/dbsched/sandbox/internal/value"

// WindowFrame returns the first and last row of the window frame of row i of a partition; lo > hi: it is empty.
type WindowFrame func(p *Partition, i int) (lo, hi int)

// Edge returns one end of the window frame of row i; it may lie outside the partition.
type Edge func(p *Partition, i int) int

// Between is the frame from one edge to another, cut off at the ends of the partition.
func Between(lo, hi Edge) WindowFrame {
	return func(p *Partition, i int) (int, int) { return max(0, lo(p, i)), min(p.Len()-1, hi(p, i)) }
}

// FirstRow is UNBOUNDED PRECEDING.
func FirstRow(*Partition, int) int { return 0 }

// LastRow is UNBOUNDED FOLLOWING.
func LastRow(p *Partition, _ int) int { return p.Len() - 1 }

// FirstPeer is CURRENT ROW as the start of a RANGE.
func FirstPeer(p *Partition, i int) int {
	for i > 0 && p.Peers(i-1, i) {
		i--
	}
	return i
}

// LastPeer is CURRENT ROW as the end of a RANGE.
func LastPeer(p *Partition, i int) int {
	for i+1 < p.Len() && p.Peers(i, i+1) {
		i++
	}
	return i
}

// RowNumber is ROW_NUMBER.
func RowNumber(_ *Partition, out []value.Value) {
	for i := range out {
		out[i] = value.NewInt(int64(i + 1))
	}
}

// Rank is RANK: one more than the number of rows before the peers.
func Rank(p *Partition, out []value.Value) { ranks(p, out, func(_, i int) int { return i + 1 }) }

// DenseRank is DENSE_RANK: the number of the group of peers.
func DenseRank(p *Partition, out []value.Value) { ranks(p, out, func(n, _ int) int { return n + 1 }) }

// ranks numbers the groups of peers: next returns the number of a group that begins at row i, given the number of the group before.
func ranks(p *Partition, out []value.Value, next func(n, i int) int) {
	n := 0
	for i := range out {
		if i == 0 || !p.Peers(i-1, i) {
			n = next(n, i)
		}
		out[i] = value.NewInt(int64(n))
	}
}

// Over computes an aggregate (without Distinct) over the frame of each row; frames that only grow are added to.
func Over(agg Agg, frame WindowFrame) WindowFunc {
	return func(p *Partition, out []value.Value) {
		var acc Acc
		from, to := 0, -1
		for i := range out {
			lo, hi := frame(p, i)
			if acc == nil || lo != from || hi < to {
				acc, from, to = agg.New(p.Frame()), lo, lo-1
			}
			for to < hi {
				to++
				if agg.Arg == nil {
					acc.Add(value.NewInt(1))
				} else {
					acc.Add(p.Eval(to, agg.Arg))
				}
			}
			out[i] = acc.Result()
		}
	}
}
