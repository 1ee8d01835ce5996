package query

import (
	"bytes"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Partition is what a window function sees: the rows of one partition in order, and how they tie.
type Partition struct {
	fr    *Frame
	slots []int
	rows  []keyed
}

// Len is the number of rows.
func (p *Partition) Len() int { return len(p.rows) }

// Eval computes an expression for row i.
func (p *Partition) Eval(i int, e Expr) value.Value {
	p.rows[i].row.restore(p.fr, p.slots)
	return e(p.fr)
}

// Peers reports whether rows i and j are equal in the window's order.
func (p *Partition) Peers(i, j int) bool { return bytes.Equal(p.rows[i].key, p.rows[j].key) }

// Frame returns the frame, for functions that start accumulators.
func (p *Partition) Frame() *Frame { return p.fr }

// WindowFunc fills the result of a window function for every row of a partition.
type WindowFunc func(p *Partition, out []value.Value)

// Window computes window functions that share partition and order. It reads all its input and
// produces it partition by partition, in order, with the results as a row in Slot.
type Window struct {
	Child       Op
	Slots       []int // what the child produces
	PartitionBy Key   // nil: one partition
	OrderBy     Key   // nil: no order, all rows are peers
	Funcs       []WindowFunc
	Slot        int
}

// Open starts it.
func (w *Window) Open(fr *Frame) Iter { return &windowIter{fr: fr, op: w} }

type windowIter struct {
	fr   *Frame
	op   *Window
	rows *replay
}

func (w *windowIter) Next() bool {
	if w.rows == nil {
		w.compute()
	}
	return w.rows.Next()
}

func (w *windowIter) compute() {
	op := w.op
	slots := append(append([]int{}, op.Slots...), op.Slot)
	w.rows = &replay{fr: w.fr, slots: slots}
	parts := [][]keyed{}
	index := map[string]int{}
	var buf []byte
	order := op.OrderBy
	if order == nil {
		order = func(_ *Frame, dst []byte) []byte { return dst }
	}
	// Rows are sorted by the order first and then split into partitions, so that each partition keeps the order.
	for _, r := range sorted(w.fr, op.Child, op.Slots, order) {
		buf = buf[:0]
		if op.PartitionBy != nil {
			r.row.restore(w.fr, op.Slots)
			buf = op.PartitionBy(w.fr, buf)
		}
		n, ok := index[string(buf)]
		if !ok {
			n = len(parts)
			index[string(buf)] = n
			parts = append(parts, nil)
		}
		parts[n] = append(parts[n], r)
	}
	for _, rows := range parts {
		w.partition(rows)
	}
}

func (w *windowIter) partition(rows []keyed) {
	p := &Partition{fr: w.fr, slots: w.op.Slots, rows: rows}
	results := make([]value.Row, len(rows))
	for i := range results {
		results[i] = make(value.Row, len(w.op.Funcs))
	}
	out := make([]value.Value, len(rows))
	for f, fn := range w.op.Funcs {
		fn(p, out)
		for i, v := range out {
			results[i][f] = v
		}
	}
	for i, r := range rows {
		w.rows.rows = append(w.rows.rows, append(r.row[:len(r.row):len(r.row)], Tuple{Row: results[i]}))
	}
}

func (w *windowIter) Close() {}
