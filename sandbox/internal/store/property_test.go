package store

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// modelRow is a row of the simple model: id (unique), group, payload.
type modelRow [3]int64

// model is what a table should hold: rows by id.
type model map[int64]modelRow

// byGroup returns the ids whose group is within bounds, in index order (row ids grow with age,
// which the model does not know: ids of one group are compared as sets, sorted).
func (m model) byGroup(lo, hi int64) []int64 {
	rows := slices.Collect(maps.Values(m))
	rows = slices.DeleteFunc(rows, func(r modelRow) bool { return r[1] < lo || r[1] > hi })
	slices.SortFunc(rows, func(a, b modelRow) int { return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0])) })
	return column(rows)
}

func (m model) byID(lo, hi int64) []int64 {
	rows := slices.Collect(maps.Values(m))
	rows = slices.DeleteFunc(rows, func(r modelRow) bool { return r[0] < lo || r[0] > hi })
	slices.SortFunc(rows, func(a, b modelRow) int { return cmp.Compare(a[0], b[0]) })
	return column(rows)
}

func column(rows []modelRow) []int64 {
	out := []int64{}
	for _, r := range rows {
		out = append(out, r[0], r[1], r[2])
	}
	return out
}

// rowsOf reads whole rows; rows of one group are sorted by id.
func rowsOf(tx *Txn, tab *Table, a Access) ([]int64, error) {
	c := tx.Open(tab, a)
	defer c.Close()
	var rows []modelRow
	for {
		_, r, ok, err := c.Next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		rows = append(rows, modelRow{r[0].Int64(), r[1].Int64(), r[2].Int64()})
	}
	if a.Index != nil && !a.Index.unique {
		slices.SortStableFunc(rows, func(a, b modelRow) int {
			if a[1] != b[1] {
				return 0
			}
			return cmp.Compare(a[0], b[0])
		})
	}
	return column(rows), nil
}

// find returns the row id and row with the given id column.
func find(tx *Txn, tab *Table, pk *Index, id int64, a Access) (RowID, value.Row, bool, error) {
	a.Index, a.Lo, a.Hi = pk, k8(id), k8(id)
	c := tx.Open(tab, a)
	defer c.Close()
	return c.Next()
}

// One session does random things, with savepoints and rollbacks, while pinned snapshots watch; also when dead entries stay, or stay until
// something is inserted near them.
func TestRandomOperationsAgainstModel(t *testing.T) {
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 1))
		stalled := seed%4 > 1
		w := newWorld(t, Options{EscalateAt: 20, Stalled: stalled, Block: 4 * int(seed/4%2)})
		w.heap = seed%2 == 1
		tab, pk, ix := w.people()
		x, watcher := w.s.NewSession(nil), w.s.NewSession(nil)
		now := model{}
		type view struct {
			tx   *Txn
			sn   Snapshot
			want model
		}
		var views []view
		type savepoint struct {
			mark Mark
			want model
		}
		for range 40 {
			tx := x.Begin()
			begun := maps.Clone(now)
			var saves []savepoint
			for range 1 + r.IntN(12) {
				tx.NewStatement()
				id, group := r.Int64N(12), r.Int64N(6)
				rid, _, found, err := find(tx, tab, pk, id, Access{Lock: U})
				require.NoError(t, err)
				_, there := now[id]
				require.Equal(t, there, found)
				switch op := r.IntN(10); {
				case op < 4:
					_, err := tx.Insert(tab, ints(id, group, 0))
					var dup *UniqueViolation
					require.Equal(t, there, errors.As(err, &dup), err)
					if !there {
						now[id] = modelRow{id, group, 0}
					}
				case op < 7 && found:
					to := id
					if r.IntN(3) == 0 {
						to = r.Int64N(12)
					}
					_, taken := now[to]
					taken = taken && to != id
					n := r.Int64N(3)
					err := tx.Update(tab, rid, ints(to, group, n))
					require.Equal(t, taken, err != nil, err)
					if !taken {
						delete(now, id)
						now[to] = modelRow{to, group, n}
					}
				case op < 9 && found:
					require.NoError(t, tx.Delete(tab, rid))
					delete(now, id)
				case len(saves) > 0 && r.IntN(2) == 0:
					i := r.IntN(len(saves))
					tx.RollbackTo(saves[i].mark)
					now = maps.Clone(saves[i].want)
					saves = saves[:i]
				default:
					saves = append(saves, savepoint{tx.Mark(), maps.Clone(now)})
				}
				tx.NewStatement()
				lo := r.Int64N(6)
				hi := lo + r.Int64N(3)
				got, err := rowsOf(tx, tab, Access{Index: ix, Lo: k8(lo), Hi: k8(hi), Desc: false})
				require.NoError(t, err)
				require.Equal(t, now.byGroup(lo, hi), got)
				got, err = rowsOf(tx, tab, Access{Index: pk, Range: r.IntN(2) == 0, Keep: r.IntN(2) == 0})
				require.NoError(t, err)
				require.Equal(t, now.byID(0, 99), got)
				require.Equal(t, len(now), tab.Rows())
				for _, v := range views {
					got, err := rowsOf(v.tx, tab, asOf(v.sn, ix))
					require.NoError(t, err)
					require.Equal(t, v.want.byGroup(0, 99), got)
					got, err = rowsOf(v.tx, tab, asOf(v.sn, pk))
					require.NoError(t, err)
					require.Equal(t, v.want.byID(0, 99), got)
				}
			}
			if r.IntN(3) == 0 {
				tx.Rollback()
				now = begun
			} else {
				tx.Commit()
			}
			switch {
			case len(views) > 0 && r.IntN(2) == 0:
				i := r.IntN(len(views))
				views[i].tx.Commit()
				views = slices.Delete(views, i, i+1)
			case len(views) < 4:
				v := watcher.Begin()
				views = append(views, view{v, v.Snapshot(), maps.Clone(now)})
			}
		}
		watcher.Close()
		if !stalled {
			w.clean(tab)
		}
	}
}

// event is what a serializable transaction did: a range it read, or a row it wrote.
type event struct {
	read   bool
	index  int // 0: by id, 1: by group
	lo, hi int64
	got    []int64
	id     int64
	row    *modelRow // nil: deleted
}

// at returns the result of a read of the model.
func (m model) at(e event) []int64 {
	if e.index == 0 {
		return m.byID(e.lo, e.hi)
	}
	return m.byGroup(e.lo, e.hi)
}

// audit is what a snapshot saw.
type audit struct {
	seq int64
	event
}

// Several sessions run serializable transactions, switched at every lock. Locks are kept to the
// end, so running the transactions one after another in the order of their commits must give every
// read the same result, and every snapshot the state between two of them.
func TestSerializableHistoriesAreSerial(t *testing.T) {
	deadlocks, waits := 0, int64(0)
	for seed := range uint64(150) {
		k := kernel.New(kernel.Options{Seed: seed, Granularity: kernel.AtLocks})
		escalate := 0
		if seed%3 == 0 {
			escalate = 4
		}
		w := &world{t: t, k: k, s: New(k, Options{DetectAfter: time.Second, EscalateAt: escalate})}
		w.heap = seed%4 == 1
		tab, pk, ix := w.people(ints(2, 1, 0), ints(5, 2, 0), ints(8, 3, 0))
		state := model{2: {2, 1, 0}, 5: {5, 2, 0}, 8: {8, 3, 0}}
		var history [][]event
		var seqs []int64
		var audits []audit
		k.Go("watcher", func(task *kernel.Task) {
			x := w.s.NewSession(task)
			defer x.Close()
			r := rand.New(rand.NewPCG(seed, 99))
			for range 6 {
				tx := x.Begin()
				sn := tx.Snapshot()
				for range 3 {
					a := audit{seq: sn.Seq, event: event{index: r.IntN(2), lo: r.Int64N(10)}}
					a.hi = a.lo + r.Int64N(6)
					acc := asOf(sn, []*Index{pk, ix}[a.index])
					acc.Lo, acc.Hi = k8(a.lo), k8(a.hi)
					var err error
					a.got, err = rowsOf(tx, tab, acc)
					require.NoError(t, err)
					audits = append(audits, a)
					task.Switch(kernel.AtLocks)
				}
				tx.Commit()
			}
		}, nil)
		for n := range 4 {
			r := rand.New(rand.NewPCG(seed, uint64(n)))
			task := k.Go(fmt.Sprint("s", n), func(task *kernel.Task) {
				x := w.s.NewSession(task)
				defer x.Close()
				for range 6 {
					events, err := serializable(x, r, tab, pk, ix, func(e []event) {
						history, seqs = append(history, e), append(seqs, w.s.Sequence())
					})
					var lost *Deadlock
					if errors.As(err, &lost) {
						deadlocks++
						continue
					}
					require.NoError(t, err, events)
				}
			}, nil)
			if n == 3 && seed%5 == 0 {
				k.After(time.Duration(seed)*time.Millisecond, kernel.Demand, task.Kill)
			}
		}
		_ = k.RunUntil(func() bool { return false })
		waits += w.s.Counters.LockWaits
		for i, txn := range history {
			for _, a := range audits {
				if a.seq < seqs[i] && (i == 0 || a.seq >= seqs[i-1]) {
					require.Equal(t, state.at(a.event), a.got, "seed %d snapshot %d", seed, a.seq)
				}
			}
			for _, e := range txn {
				switch {
				case e.read:
					require.Equal(t, state.at(e), e.got, "seed %d txn %d: %+v", seed, i, txn)
				case e.row == nil:
					delete(state, e.id)
				default:
					delete(state, e.id)
					state[e.row[0]] = *e.row
				}
			}
		}
		w.clean(tab)
		require.Equal(t, len(state), tab.Rows())
	}
	require.NotZero(t, deadlocks)
	require.Greater(t, waits, int64(1000))
	t.Logf("%d deadlocks, %d waits", deadlocks, waits)
}

// serializable runs one random transaction; commit gets its events in the order of commits.
func serializable(x *Session, r *rand.Rand, tab *Table, pk, ix *Index, commit func([]event)) (events []event, err error) {
	tx := x.Begin()
	defer tx.Rollback()
	for range 1 + r.IntN(4) {
		tx.NewStatement()
		switch op := r.IntN(8); {
		case op < 3:
			e := event{read: true, index: r.IntN(2), lo: r.Int64N(10)}
			e.hi = e.lo + r.Int64N(4)
			a := Access{Index: pk, Lo: k8(e.lo), Hi: k8(e.hi), Range: true, Keep: true, Desc: r.IntN(4) == 0}
			if e.index == 1 {
				a.Index = ix
			}
			if e.got, err = rowsOf(tx, tab, a); err != nil {
				return events, err
			}
			if a.Desc { // compare in ascending order
				e.got = reversed(e.got, e.index == 1)
			}
			events = append(events, e)
		default:
			id := r.Int64N(10)
			rid, row, found, err := find(tx, tab, pk, id, Access{Lock: []LockMode{S, U}[r.IntN(2)], Range: true, Keep: true})
			if err != nil {
				return events, err
			}
			read := event{read: true, lo: id, hi: id, got: []int64{}}
			if found {
				read.got = []int64{row[0].Int64(), row[1].Int64(), row[2].Int64()}
			}
			events = append(events, read)
			next := modelRow{id, r.Int64N(10), r.Int64N(100)}
			switch {
			case !found:
				_, err = tx.Insert(tab, ints(next[:]...))
			case op < 6:
				if op == 5 {
					next[0] = r.Int64N(10)
				}
				err = tx.Update(tab, rid, ints(next[:]...))
				var dup *UniqueViolation
				if errors.As(err, &dup) { // it has read that the other key exists
					err = nil
					next = modelRow(read.got)
				}
			default:
				if err = tx.Delete(tab, rid); err == nil {
					events = append(events, event{id: id})
					continue
				}
			}
			if err != nil {
				return events, err
			}
			events = append(events, event{id: id, row: &next})
		}
	}
	tx.OnCommit(func() { commit(events) })
	tx.Commit()
	return events, nil
}

// reversed reverses the rows of a descending read.
func reversed(flat []int64, groups bool) []int64 {
	var rows []modelRow
	for i := 0; i < len(flat); i += 3 {
		rows = append(rows, modelRow(flat[i:i+3]))
	}
	slices.Reverse(rows)
	if groups {
		slices.SortStableFunc(rows, func(a, b modelRow) int { return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0])) })
	}
	return column(rows)
}

// The same seed gives the same history.
func TestHistoriesAreDeterministic(t *testing.T) {
	run := func(seed uint64) uint64 {
		k := kernel.New(kernel.Options{Seed: seed, Granularity: kernel.AtRows})
		w := &world{t: t, k: k, s: New(k, Options{DetectAfter: time.Second})}
		tab, pk, ix := w.people(ints(2, 1, 0), ints(5, 2, 0), ints(8, 3, 0))
		for n := range 4 {
			r := rand.New(rand.NewPCG(seed, uint64(n)))
			k.Go("s", func(task *kernel.Task) {
				x := w.s.NewSession(task)
				defer x.Close()
				for range 5 {
					_, _ = serializable(x, r, tab, pk, ix, func([]event) {})
				}
			}, nil)
		}
		_ = k.RunUntil(func() bool { return false })
		return k.TraceHash()
	}
	require.Equal(t, run(7), run(7))
	require.NotEqual(t, run(7), run(8))
}

// Transfers under plain locking reads for update keep the sum, whatever is killed on the way,
// and every snapshot sees the whole sum.
func TestTransfersKeepTheSum(t *testing.T) {
	const accounts, each = 6, 100
	for seed := range uint64(60) {
		k := kernel.New(kernel.Options{Seed: seed, Granularity: kernel.AtRows})
		w := &world{t: t, k: k, s: New(k, Options{DetectAfter: time.Second})}
		var rows []value.Row
		for n := range int64(accounts) {
			rows = append(rows, ints(n, n%3, each))
		}
		tab, pk, ix := w.people(rows...)
		var tasks []*kernel.Task
		for n := range 4 {
			r := rand.New(rand.NewPCG(seed, uint64(n)))
			tasks = append(tasks, k.Go("transfer", func(task *kernel.Task) {
				x := w.s.NewSession(task)
				defer x.Close()
				for range 10 {
					transfer(x, r, tab, pk, accounts)
				}
			}, nil))
		}
		k.Go("auditor", func(task *kernel.Task) {
			x := w.s.NewSession(task)
			defer x.Close()
			for range 15 {
				tx := x.Begin()
				sn := tx.Snapshot()
				for _, index := range []*Index{pk, ix} {
					got, err := rowsOf(tx, tab, asOf(sn, index))
					require.NoError(t, err)
					sum := int64(0)
					for i := 2; i < len(got); i += 3 {
						sum += got[i]
					}
					require.EqualValues(t, accounts*each, sum)
				}
				tx.Commit()
			}
		}, nil)
		for i := range tasks[:2] {
			k.After(time.Duration(1+i)*time.Second/2, kernel.Demand, tasks[i].Kill)
		}
		_ = k.RunUntil(func() bool { return false })
		w.clean(tab)
		got, err := rowsOf(w.s.NewSession(nil).Begin(), tab, Access{})
		require.NoError(t, err)
		sum := int64(0)
		for i := 2; i < len(got); i += 3 {
			sum += got[i]
		}
		require.EqualValues(t, accounts*each, sum)
	}
}

func transfer(x *Session, r *rand.Rand, tab *Table, pk *Index, accounts int64) {
	tx := x.Begin()
	defer tx.Rollback()
	for _, by := range []int64{-7, 7} {
		tx.NewStatement()
		id, row, ok, err := find(tx, tab, pk, r.Int64N(accounts), Access{Lock: U, Keep: true})
		if err != nil || !ok {
			return
		}
		if err := tx.Update(tab, id, ints(row[0].Int64(), r.Int64N(3), row[2].Int64()+by)); err != nil {
			return
		}
		x.Task.Spend(50 * time.Millisecond)
	}
	if r.IntN(4) > 0 {
		tx.Commit()
	}
}
