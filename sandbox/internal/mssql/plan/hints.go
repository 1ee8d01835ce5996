package plan

import (
	"strconv"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// tableHints are the table hints that have been given (learn.microsoft.com "Table hints (Transact-SQL)").
type tableHints struct {
	nolock, readpast, readCommitted, readCommittedLock, repeatable, serializable bool
	updlock, xlock, tablock, tablockx, rowlock, nowait                           bool
	forceSeek                                                                    bool
	index                                                                        []string // names or numbers of the indexes that may be used
}

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
	h.nolock = h.nolock || o.nolock
	h.readpast = h.readpast || o.readpast
	h.readCommitted = h.readCommitted || o.readCommitted
	h.readCommittedLock = h.readCommittedLock || o.readCommittedLock
	h.repeatable = h.repeatable || o.repeatable
	h.serializable = h.serializable || o.serializable
	h.updlock, h.xlock = h.updlock || o.updlock, h.xlock || o.xlock
	h.tablock, h.tablockx = h.tablock || o.tablock, h.tablockx || o.tablockx
	h.rowlock, h.nowait = h.rowlock || o.rowlock, h.nowait || o.nowait
	h.check()
	return h
}

func (h *tableHints) add(kind string) {
	switch strings.ToUpper(kind) {
	case "NOLOCK", "READUNCOMMITTED":
		h.nolock = true
	case "READPAST":
		h.readpast = true
	case "READCOMMITTED":
		h.readCommitted = true
	case "READCOMMITTEDLOCK":
		h.readCommittedLock = true
	case "REPEATABLEREAD":
		h.repeatable = true
	case "HOLDLOCK", "SERIALIZABLE":
		h.serializable = true
	case "UPDLOCK":
		h.updlock = true
	case "XLOCK":
		h.xlock = true
	case "ROWLOCK":
		h.rowlock = true
	case "TABLOCK":
		h.tablock = true
	case "TABLOCKX":
		h.tablockx = true
	case "NOWAIT":
		h.nowait = true
	case "FORCESEEK":
		h.forceSeek = true
	default:
		panic(sqlerr.NotSupported("table hint %s", strings.ToUpper(kind)))
	}
}

// check refuses hints that contradict each other: 1047.
func (h *tableHints) check() {
	levels := 0
	for _, on := range []bool{h.nolock, h.readCommitted, h.readCommittedLock, h.repeatable, h.serializable} {
		if on {
			levels++
		}
	}
	tables := h.tablock || h.tablockx
	if levels > 1 || h.nolock && (h.updlock || h.xlock || h.rowlock || tables || h.readpast) || h.rowlock && tables || h.readpast && h.serializable {
		panic(message.MS(1047))
	}
}

// dml checks the hints of the target of a modification: 1065.
func (h *tableHints) dml() {
	if h.nolock {
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
	locks := h.updlock || h.xlock || h.tablockx
	switch {
	case h.nolock:
		level = ReadUncommitted
	case h.serializable:
		level = Serializable
	case h.repeatable:
		level = RepeatableRead
	case h.readCommitted, h.readCommittedLock:
		level = ReadCommitted
	}
	// SNAPSHOT also finds the rows to change in its snapshot, and detects conflicts when it locks them.
	locks = locks || in == toUpdate && level != Snapshot
	if h.readpast {
		switch {
		case level == Serializable, level == ReadUncommitted:
			panic(message.MS(650))
		case level == Snapshot && !locks:
			panic(message.MS(650))
		case level == ReadCommitted && !locks && !h.readCommittedLock && e.VersionedReadCommitted():
			panic(sqlerr.NotSupported("READPAST under READ_COMMITTED_SNAPSHOT without READCOMMITTEDLOCK"))
		}
	}
	a := store.Access{Lock: store.S, SkipLocked: h.readpast && !e.Kernel().Differs(differ.ReadpastWaits), NoWait: h.nowait}
	switch {
	case h.xlock:
		a.Lock = store.X
	case h.updlock, in == toUpdate:
		a.Lock = store.U
	}
	switch {
	case h.tablockx, h.tablock && (h.xlock || in == toUpdate):
		a.TableLock = store.X
	case h.tablock:
		a.TableLock = store.S
	}
	if h.readpast && !locks && e.Kernel().Differs(differ.ReadpastReads) {
		a.Mode = store.Dirty
		return a
	}
	a.Keep = h.updlock || h.xlock || h.tablockx || level >= RepeatableRead && level != Snapshot
	a.Range = level == Serializable
	a.Brief = in == toUpdate && !a.Keep && !a.Range
	if locks {
		return a
	}
	switch {
	case level == ReadUncommitted:
		a.Mode = store.Dirty
	case level == Snapshot && !h.tablock:
		a.Mode, a.Snapshot = store.Versioned, e.TransactionSnapshot()
	case level == ReadCommitted && e.VersionedReadCommitted() && !h.readCommittedLock && !h.tablock:
		a.Mode, a.Snapshot = store.Versioned, e.StatementSnapshot()
	}
	return a
}
