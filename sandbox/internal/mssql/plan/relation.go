package plan

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// tableRel is a table, temporary table or table variable in FROM.
type tableRel struct {
	at       expression.Slot
	object   *catalog.Object
	table    *catalog.Table
	variable int // slot of a table variable; -1: a table
	hints    tableHints
	within   *catalog.Object // the view or inline function; nil: none
	intent   intent
	late     *late // for a target whose rows may be locked after they qualify
	scope    Scope
	c        *compiler
	rel      *optimizer.Table // what the optimizer sees of it

	columns []sourceColumn             // columns that index filters refer to
	filters map[*catalog.Index][]*expr // bound so far
}

// intent is what a statement does with the rows that it finds.
type intent uint8

const (
	toRead   intent = iota
	toUpdate        // U locks, kept on rows that qualify until they become X locks
)

// opRel is a derived table that was not merged into the query around it.
type opRel struct {
	*optimizer.Source
	through map[int]*expr // its columns as expressions inside it: updates pass through
}

// relation describes the table to the optimizer; alias is its name in explanations.
func (t *tableRel) relation(alias string) *optimizer.Table {
	out := &optimizer.Table{
		Name: alias, Slot: t.at.Slot, Base: t.at.Base, Cols: t.at.Width, Rows: t.size(), Heap: t.table.Clustered() == nil,
		NullKey: datatype.AppendKey(nil, value.Value{}, datatype.Of(datatype.Int), false), Hints: t.paths, Open: t.open,
	}
	for i, ix := range t.table.Indexes {
		x := optimizer.Index{ID: i, Name: ix.Name, Unique: ix.Unique}
		for _, k := range ix.Keys {
			x.Keys = append(x.Keys, optimizer.KeyColumn{Ord: k.Column, Name: t.table.Columns[k.Column].Name, Desc: k.Desc})
		}
		if !ix.Clustered {
			x.Columns = ix.Columns()
			if cl := t.table.Clustered(); cl != nil {
				for _, k := range cl.Keys {
					x.Columns = append(x.Columns, k.Column)
				}
			}
		}
		if ix.Filter != nil {
			x.Implied = func(conds []*optimizer.Cond) ([]*optimizer.Cond, bool) { return t.filterImplied(ix, conds) }
		}
		out.Indexes = append(out.Indexes, x)
	}
	return out
}

// open is optimizer.Table.Open.
func (t *tableRel) open(fr *query.Frame, index int, one bool) (*store.Txn, *store.Table, store.Access) {
	e, tab := env(fr), t.table
	t.hints.leave(fr, t.object, t.within, one, t.c.hints.parallel)
	a := t.hints.access(fr, t.intent)
	if t.late.on(fr) {
		a = store.Access{Mode: store.Versioned, Snapshot: e.StatementSnapshot()}
	}
	if t.variable >= 0 {
		tab = e.TableVar(t.variable)
	}
	if index >= 0 {
		a.Index = tab.Indexes[index].Data
	}
	return e.Txn(), tab.Data, a
}

// paths returns the indexes that INDEX and FORCESEEK hints leave; nil: all.
func (t *tableRel) paths() (out []int, seek bool) {
	for _, name := range t.hints.index {
		found := false
		for i, ix := range t.table.Indexes {
			if catalog.SameName(t.c.db.Collation, ix.Name, name) || name == fmt.Sprint(ix.ID) || name == "0" && ix.Clustered {
				out, found = append(out, i), true
			}
		}
		if !found && (name == "0" || name == "1") && t.table.Clustered() == nil {
			out, found = append(out, -1), name == "0"
		}
		if !found {
			panic(message.MS(308, name, t.object.QualifiedName()))
		}
	}
	if len(out) > 1 {
		panic(sqlerr.NotSupported("several indexes in one INDEX hint"))
	}
	return out, t.hints.forceSeek
}

// size is the number of rows that the planner assumes for a table.
func (t *tableRel) size() float64 {
	switch {
	case t.variable >= 0 && t.scope.Settings().Guess.ManyVariableRows:
		return 100 * optimizer.TableRows
	case t.variable >= 0:
		return optimizer.VariableRows
	case t.table.Temp:
		return optimizer.TempRows
	}
	return optimizer.TableRows
}

// filterImplied reports whether the conditions imply the index's filter, literally: a comparison with a
// variable does not. It returns the conditions that the filter makes superfluous.
func (t *tableRel) filterImplied(ix *catalog.Index, conds []*optimizer.Cond) (superfluous []*optimizer.Cond, ok bool) {
	if t.object == nil || len(t.scope.Settings().wrong()) > 0 {
		return nil, false
	}
	for _, f := range t.filterOf(ix) {
		found := false
		for _, cond := range conds {
			c := cond.Of.(*expr)
			switch {
			case f.Key != "" && c.Key == f.Key:
				found = true
				// SQL Server does not see that IS NULL follows from the filter: the column counts as needed.
				if c.Shape == expression.Compare || c.Shape == expression.Not {
					superfluous = append(superfluous, cond)
				}
			case f.Shape == expression.Not && f.Args[0].Shape == expression.IsNull && rejectsNull(c, f.Args[0].Args[0]):
				found = true
				if c.Shape == expression.Not { // IS NOT NULL: leaves nothing to seek by
					superfluous = append(superfluous, cond)
				}
			}
			if found {
				break
			}
		}
		if !found {
			return nil, false
		}
	}
	return superfluous, true
}

// rejectsNull reports whether a condition cannot be true where the column is NULL.
func rejectsNull(c, col *expr) bool {
	if c.Shape == expression.Compare {
		for _, a := range c.Args {
			if a.Shape == expression.Column && a.Slot == col.Slot && a.Ord == col.Ord {
				return true
			}
		}
	}
	return c.Shape == expression.Not && c.Args[0].Shape == expression.IsNull && c.Args[0].Args[0].Key == col.Key
}
