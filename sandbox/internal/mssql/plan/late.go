package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// late is lock after qualification (learn.microsoft.com, "Optimized locking", LAQ): an UPDATE or DELETE looks for its rows in the
// latest committed versions, without locks, then locks those that qualified, and tests those again that others have changed meanwhile.
// If one row cannot be tested again by itself, the statement starts over without LAQ. The heuristics that turn LAQ off are not modeled.
type late struct {
	memo int               // memo of a run: true while rows are found without locks
	hint *tableHints       // of the target
	one  bool              // conditions and assignments need nothing but the row
	cond []*optimizer.Cond // of WHERE
}

// lateFor returns nil for what never locks late: assignments of variables; OUTPUT to the client or a table variable; table variables.
func (n *names) lateFor(base *tableRel, rel optimizer.Relation, where []*optimizer.Cond, o *output, assigns, top bool) *late {
	if base.variable >= 0 || assigns || o.client != nil || o.into != nil && o.into.object == nil {
		return nil
	}
	_, alone := rel.(*optimizer.Table)
	base.late = &late{memo: n.c.Memo(), hint: &base.hints, one: alone && !top, cond: where}
	return base.late
}

// allowed reports whether a run may lock late: READ COMMITTED with row versions, and no hint that forbids it.
func (l *late) allowed(fr *query.Frame, t *store.Table) bool {
	e := env(fr)
	if l == nil || !t.Stamped() || !e.VersionedReadCommitted() {
		return false
	}
	h := l.hint
	if h.has(updlock|xlock|readCommittedLock|repeatable|serializable|tablock|tablockx) || e.Isolation() != ReadCommitted && !h.has(readCommitted) {
		return false
	}
	if h.has(readpast | nowait) {
		panic(sqlerr.NotSupported("READPAST and NOWAIT of a table that is changed under optimized locking without READCOMMITTEDLOCK"))
	}
	return true
}

// on reports whether the running statement finds its rows without locks.
func (l *late) on(fr *query.Frame) bool { return l != nil && fr.Memos[l.memo] == true }

// collect finds the rows that a statement changes.
func (l *late) collect(fr *query.Frame, x *target, base *tableRel, op query.Op, find func(*query.Frame, int64) found) []found {
	rows := func() (list []found) {
		query.EachRow(fr, limited(op, env(fr)), base.at.Slot, func(id int64) { list = append(list, find(fr, id)) })
		return list
	}
	t := x.data(fr)
	if !l.allowed(fr, t) {
		return rows()
	}
	fr.Memos[l.memo] = true
	list := rows()
	fr.Memos[l.memo] = false
	sn := env(fr).StatementSnapshot()
	kept := list[:0]
	for _, f := range list {
		row, ok := x.latest(fr, t, f.id)
		switch {
		case !env(fr).Txn().ChangedSince(t, store.RowID(f.id), sn):
			kept = append(kept, f)
		case !l.one:
			return rows()
		case ok:
			fr.Slots[base.at.Slot] = query.Tuple{Row: row, ID: f.id}
			if l.qualifies(fr) {
				kept = append(kept, find(fr, f.id))
			}
		}
	}
	return kept
}

func (l *late) qualifies(fr *query.Frame) bool {
	for _, c := range l.cond {
		if !c.Eval(fr).IsTrue() {
			return false
		}
	}
	return true
}
