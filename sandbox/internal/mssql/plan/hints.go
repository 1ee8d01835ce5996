package plan

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// hint is a table hint, or several.
type hint uint16

const (
	nolock hint = 1 << iota
	readpast
	readCommitted
	readCommittedLock
	repeatable
	serializable
	updlock
	xlock
	tablock
	tablockx
	rowlock
	nowait
)

var hintNames = map[string]hint{
	"NOLOCK": nolock, "READUNCOMMITTED": nolock, "READPAST": readpast, "READCOMMITTED": readCommitted, "READCOMMITTEDLOCK": readCommittedLock,
	"REPEATABLEREAD": repeatable, "HOLDLOCK": serializable, "SERIALIZABLE": serializable, "UPDLOCK": updlock, "XLOCK": xlock, "ROWLOCK": rowlock,
	"TABLOCK": tablock, "TABLOCKX": tablockx, "NOWAIT": nowait,
}

// tableHints are the table hints that have been given (learn.microsoft.com "Table hints (Transact-SQL)").
type tableHints struct {
	given     hint
	forceSeek bool
	index     []string // names or numbers of the indexes that may be used
}

// has reports whether one of some hints has been given.
func (h *tableHints) has(of hint) bool { return h.given&of != 0 }

// hintsOf reads the hints of a table reference.
func hintsOf(list []ast.TableHintType) (h tableHints) {
	for _, t := range list {
		switch x := t.(type) {
		case *ast.TableHint:
			h.add(x.HintKind)
		case *ast.IndexTableHint:
			for _, v := range x.IndexValues {
				h.index = append(h.index, indexName(v))
			}
		case *ast.ForceSeekTableHint:
			if x.IndexValue != nil || len(x.ColumnValues) > 0 {
				panic(sqlerr.NotSupported("FORCESEEK with an index and columns"))
			}
			h.forceSeek = true
		default:
			panic(sqlerr.NotSupported("table hint %T", t))
		}
	}
	h.check()
	return h
}

func indexName(v *ast.IdentifierOrValueExpression) string {
	name := v.Value
	if v.Identifier != nil {
		name = v.Identifier.Value
	}
	if len(name) >= 2 && name[0] == '[' && name[len(name)-1] == ']' { // the parser leaves the brackets
		name = strings.ReplaceAll(name[1:len(name)-1], "]]", "]")
	}
	return name
}

// with adds the hints of the view that names the table.
func (h tableHints) with(o tableHints) tableHints {
	h.given |= o.given
	h.check()
	return h
}

func (h *tableHints) add(kind string) {
	name := strings.ToUpper(kind)
	if hintNames[name] == 0 && name != "FORCESEEK" {
		panic(sqlerr.NotSupported("table hint %s", name))
	}
	h.given |= hintNames[name]
	h.forceSeek = h.forceSeek || name == "FORCESEEK"
}

// check refuses hints that contradict each other: 1047.
func (h *tableHints) check() {
	levels := bits.OnesCount16(uint16(h.given & (nolock | readCommitted | readCommittedLock | repeatable | serializable)))
	if levels > 1 || h.has(nolock) && h.has(updlock|xlock|rowlock|tablock|tablockx|readpast) || h.has(rowlock) && h.has(tablock|tablockx) ||
		h.has(readpast) && h.has(serializable) {
		panic(message.MS(1047))
	}
}

// dml checks the hints of the target of a modification: 1065.
func (h *tableHints) dml() {
	if h.has(nolock) {
		panic(message.MS(1065))
	}
}

// queryHints are the OPTION hints of a statement.
type queryHints struct {
	loop, force  bool
	parallel     bool // a statement that takes them, and nothing in them forbids the server to share it among several threads
	maxRecursion int  // 0: no limit
}

// options reads OPTION (…): what is harmless by its documentation is accepted, what changes results
// or access paths in ways that are not modeled is refused.
func (c *compiler) options(list []ast.OptimizerHintBase) {
	c.hints = queryHints{parallel: true, maxRecursion: 100}
	for _, o := range list {
		switch x := o.(type) {
		case *ast.OptimizerHint:
			switch strings.ToUpper(x.HintKind) {
			case "RECOMPILE", "KEEPPLAN", "KEEPFIXEDPLAN", "LOOPJOIN":
				c.hints.loop = c.hints.loop || strings.EqualFold(x.HintKind, "LoopJoin")
			case "FORCEORDER":
				c.hints.force = true
			default:
				panic(sqlerr.NotSupported("query hint %s", x.HintKind))
			}
		case *ast.LiteralOptimizerHint:
			n, ok := x.Value.(*ast.IntegerLiteral)
			if !ok {
				panic(sqlerr.NotSupported("query hint %s", x.HintKind))
			}
			switch strings.ToUpper(x.HintKind) {
			case "FAST":
			case "MAXDOP":
				c.hints.parallel = n.Value != "1"
			case "MAXRECURSION":
				v, err := strconv.Atoi(n.Value)
				if err != nil || v > 32767 {
					panic(message.MS(310, n.Value))
				}
				c.hints.maxRecursion = v
			default:
				panic(sqlerr.NotSupported("query hint %s", x.HintKind))
			}
		case *ast.OptimizeForOptimizerHint:
		case nil:
			panic(sqlerr.NotSupported("query hint"))
		default:
			panic(sqlerr.NotSupported("query hint %T", o))
		}
	}
}

// access says how rows are read and locked, given the hints and the session's isolation level.
func (h *tableHints) access(fr *query.Frame, in intent) store.Access {
	e := env(fr)
	level := e.Isolation()
	locks := h.has(updlock | xlock | tablockx)
	switch {
	case h.has(nolock):
		level = ReadUncommitted
	case h.has(serializable):
		level = Serializable
	case h.has(repeatable):
		level = RepeatableRead
	case h.has(readCommitted | readCommittedLock):
		level = ReadCommitted
	}
	// SNAPSHOT also finds the rows to change in its snapshot, and detects conflicts when it locks them.
	locks = locks || in == toUpdate && level != Snapshot
	if h.has(readpast) {
		switch {
		case level == Serializable, level == ReadUncommitted:
			panic(message.MS(650))
		case level == Snapshot && !locks:
			panic(message.MS(650))
		case level == ReadCommitted && !locks && !h.has(readCommittedLock) && e.VersionedReadCommitted():
			panic(sqlerr.NotSupported("READPAST under READ_COMMITTED_SNAPSHOT without READCOMMITTEDLOCK"))
		}
	}
	a := store.Access{Lock: store.S, SkipLocked: h.has(readpast) && !e.Kernel().Differs(differ.ReadpastWaits), NoWait: h.has(nowait)}
	switch {
	case h.has(xlock):
		a.Lock = store.X
	case h.has(updlock), in == toUpdate:
		a.Lock = store.U
	}
	switch {
	case h.has(tablockx), h.has(tablock) && (h.has(xlock) || in == toUpdate):
		a.TableLock = store.X
	case h.has(tablock):
		a.TableLock = store.S
	}
	if h.has(readpast) && !locks && e.Kernel().Differs(differ.ReadpastReads) {
		a.Mode = store.Dirty
		return a
	}
	a.Keep = h.has(updlock|xlock|tablockx) || level >= RepeatableRead && level != Snapshot
	a.Range = level == Serializable
	a.Brief = in == toUpdate && !a.Keep && !a.Range
	if locks {
		return a
	}
	switch {
	case level == ReadUncommitted:
		a.Mode = store.Dirty
	case level == Snapshot && !h.has(tablock):
		a.Mode, a.Snapshot = store.Versioned, e.TransactionSnapshot()
	case level == ReadCommitted && e.VersionedReadCommitted() && !h.has(readCommittedLock) && !h.has(tablock):
		a.Mode, a.Snapshot = store.Versioned, e.StatementSnapshot()
	}
	return a
}
