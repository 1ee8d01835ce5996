package store

import (
	"testing"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

func benchTable(b *testing.B, n int64) (*Store, *Table, *Index) {
	b.Helper()
	s := New(kernel.New(kernel.Options{}), Options{EscalateAt: 0})
	tx := s.NewSession(nil).Begin()
	t := s.NewTable(TableSpec{Name: "t"})
	pk, err := t.AddIndex(tx, IndexSpec{Name: "pk", Unique: true, Clustered: true, Key: intKey(0)})
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		if _, err := tx.Insert(t, ints(i, i, 0)); err != nil {
			b.Fatal(err)
		}
	}
	tx.Commit()
	return s, t, pk
}

func BenchmarkLockUnlock(b *testing.B) {
	s := New(kernel.New(kernel.Options{}), Options{})
	o := s.NewSession(nil).Owner()
	r := Resource{Class: Key, DB: 1, Object: 7, Key: "12345678"}
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Lock(o, r, X, LockWait{}); err != nil {
			b.Fatal(err)
		}
		s.Unlock(o, r, false)
	}
}

// BenchmarkPointRead reads one row by its key; each read is a separate transaction.
func BenchmarkPointRead(b *testing.B) {
	for _, mode := range []struct {
		name string
		mode ReadMode
	}{{"locking", Locking}, {"versioned", Versioned}, {"dirty", Dirty}} {
		b.Run(mode.name, func(b *testing.B) {
			s, t, pk := benchTable(b, 100_000)
			tx := s.NewSession(nil).Begin()
			b.ReportAllocs()
			i := int64(0)
			key := k8(0)
			for b.Loop() {
				i = (i + 7919) % 100_000
				key = append(key[:0], k8(i)...)
				c := tx.Open(t, Access{Index: pk, Lo: key, Hi: key, Mode: mode.mode, Snapshot: Snapshot{s.Sequence()}, Seek: true})
				if _, _, ok, err := c.Next(); !ok || err != nil {
					b.Fatal(ok, err)
				}
				c.Close()
			}
		})
	}
}

func BenchmarkFetch(b *testing.B) {
	s, t, _ := benchTable(b, 1000)
	tx := s.NewSession(nil).Begin()
	b.ReportAllocs()
	i := RowID(0)
	for b.Loop() {
		i = (i + 7) % 1000
		if _, ok, err := tx.Fetch(t, i+1, Access{}); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkScan(b *testing.B) {
	for _, mode := range []struct {
		name string
		mode ReadMode
	}{{"locking", Locking}, {"versioned", Versioned}} {
		b.Run(mode.name, func(b *testing.B) {
			s, t, pk := benchTable(b, 1000)
			tx := s.NewSession(nil).Begin()
			b.ReportAllocs()
			for b.Loop() {
				c := tx.Open(t, Access{Index: pk, Mode: mode.mode, Snapshot: Snapshot{s.Sequence()}})
				for {
					_, _, ok, err := c.Next()
					if err != nil {
						b.Fatal(err)
					}
					if !ok {
						break
					}
				}
				c.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/row")
		})
	}
}

func BenchmarkInsert(b *testing.B) {
	s, t, _ := benchTable(b, 0)
	x := s.NewSession(nil)
	b.ReportAllocs()
	i := int64(0)
	for b.Loop() {
		tx := x.Begin()
		i++
		if _, err := tx.Insert(t, ints(i*7919%1_000_003, i, 0)); err != nil {
			b.Fatal(err)
		}
		tx.Commit()
	}
}

func BenchmarkUpdate(b *testing.B) {
	s, t, _ := benchTable(b, 10_000)
	x := s.NewSession(nil)
	b.ReportAllocs()
	i := int64(0)
	for b.Loop() {
		tx := x.Begin()
		i = (i + 7919) % 10_000
		if err := tx.Update(t, RowID(i+1), ints(i, i, 1)); err != nil {
			b.Fatal(err)
		}
		tx.Commit()
	}
}
