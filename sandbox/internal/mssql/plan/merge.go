package plan

import (
	"slices"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// mergeClause is a WHEN clause.
type mergeClause struct {
	when    string // Matched, NotMatched or NotMatchedBySource
	cond    *expr
	sets    []setClause
	changed map[int]bool
	insert  *inserter
	values  []*expr
	action  string
}

// merged is what a MERGE is going to do with one row.
type merged struct {
	clause *mergeClause
	found
	row value.Row // for an INSERT: the values
	old value.Row
	new value.Row
}

// CompileMerge compiles a MERGE.
func CompileMerge(sc Scope, st *ast.MergeStatement) (*Statement, error) {
	return compileDML(sc, st.OptimizerHints, st.WithCtesAndXmlNamespaces, func(n *names, out *Statement) { n.merge(out, st.MergeSpecification) })
}

func (n *names) merge(out *Statement, spec *ast.MergeSpecification) {
	c := n.c
	if spec.TopRowFilter != nil {
		panic(sqlerr.NotSupported("MERGE TOP"))
	}
	if oc := spec.OutputClause; oc != nil { // the parser reads OUTPUT … INTO and drops INTO
		if oc.HasSpan() && spec.HasSpan() && oc.EndOffset() < spec.EndOffset() {
			panic(sqlerr.NotSupported("MERGE with OUTPUT … INTO"))
		}
	}
	target := n.mergeTarget(spec)
	base := n.baseOf(target)
	if base == nil {
		panic(message.MS(4405, target.alias))
	}
	source := n.tableRef(spec.TableReference, n.beside(nil))
	n.checkExposed()
	all := n.sources
	x := n.change(base, target, "MERGE")
	on := c.conds(expression.Conjuncts(n.predicate(spec.SearchCondition), nil))
	j := &optimizer.Join{Kind: query.Inner, Left: source, Right: base.rel, On: on}
	var clauses []*mergeClause
	for _, ac := range spec.ActionClauses {
		k := n.mergeClause(x, target, base, ac)
		switch {
		case k.when == "NotMatchedBySource":
			j.Kind = query.Full
		case k.when == "NotMatched" && j.Kind == query.Inner:
			j.Kind = query.Left
		}
		clauses = append(clauses, k)
		n.sources = all
	}
	act := c.Slot(1)
	kind := columnExpr(act, 0, datatype.Sized(datatype.NVarChar, 10).WithCollation(n.sc.Collation()), true, "$action")
	o := n.output(x, spec.OutputClause, nil, true, true, kind)
	out.Columns = o.columns
	for i := range out.Columns {
		out.Columns[i].Nullable = true
	}
	s := &selection{n: n, rel: j, own: j.Slots()}
	for _, k := range clauses {
		if k.cond != nil {
			s.cols = append(s.cols, outColumn{e: k.cond})
		}
		for _, set := range k.sets {
			s.cols = append(s.cols, outColumn{e: set.e})
		}
		for _, v := range k.values {
			s.cols = append(s.cols, outColumn{e: v})
		}
	}
	s.cols = append(s.cols, outColumn{e: neededBy(o, x, base)})
	pl, _ := s.plan(nil)
	c.paths = append(c.paths, pl.Access...)
	slots := s.own.List()
	there := optimizer.Witness(source)
	out.run = func(fr *query.Frame, sink func(value.Row) error) (int64, error) {
		var todo []*merged
		touched := map[int64]bool{}
		query.Each(fr, limited(pl.Op, env(fr)), func() bool {
			id := fr.Slots[base.at.Slot].ID
			when := "Matched"
			switch {
			case id == query.Missing:
				when = "NotMatched"
			case j.Kind == query.Full && fr.Slots[there].ID == query.Missing:
				when = "NotMatchedBySource"
			}
			for _, k := range clauses {
				if k.when != when || k.cond != nil && !k.cond.Eval(fr).IsTrue() {
					continue
				}
				m := &merged{clause: k, found: newFound(fr, id, slots, o)}
				if k.insert != nil {
					m.row = query.Eval(fr, expression.Evals(k.values))
				} else {
					if touched[id] {
						panic(message.MS(8672))
					}
					touched[id] = true
					for i := range k.sets {
						m.vals = append(m.vals, k.sets[i].e.Eval(fr))
					}
				}
				todo = append(todo, m)
				break
			}
			return true
		})
		return x.mergeAll(fr, todo, o, act.Slot, slots, sink)
	}
}

// mergeTarget binds the target: it is the first source.
func (n *names) mergeTarget(spec *ast.MergeSpecification) *source {
	switch ref := spec.Target.(type) {
	case *ast.NamedTableReference:
		named := *ref
		named.Alias = spec.TableAlias
		n.tableRef(&named, n.beside(nil))
	case *ast.VariableTableReference:
		v := *ref
		if spec.TableAlias != nil {
			v.Alias = spec.TableAlias
		}
		n.tableRef(&v, n.beside(nil))
	default:
		panic(sqlerr.NotSupported("target %T", ref))
	}
	return n.sources[0]
}

func (n *names) mergeClause(x *target, target *source, base *tableRel, ac *ast.MergeActionClause) *mergeClause {
	k := &mergeClause{when: ac.Condition}
	if k.when == "NotMatchedByTarget" {
		k.when = "NotMatched"
	}
	if _, inserts := ac.Action.(*ast.InsertMergeAction); inserts && k.when != "NotMatched" {
		panic(message.MS(10710, "INSERT"))
	} else if !inserts && k.when == "NotMatched" {
		panic(message.MS(10711, "UPDATE or DELETE"))
	}
	switch k.when {
	case "NotMatched":
		n.sources = n.sources[1:] // there is no row of the target
	case "NotMatchedBySource":
		n.sources = n.sources[:1]
	}
	if ac.SearchCondition != nil {
		k.cond = n.predicate(ac.SearchCondition)
	}
	switch a := ac.Action.(type) {
	case *ast.UpdateMergeAction:
		k.action = "UPDATE"
		k.sets, k.changed = n.setClauses(x, target, base, a.SetClauses)
		for _, s := range k.sets {
			if s.slot >= 0 {
				panic(sqlerr.NotSupported("variable assignment in MERGE"))
			}
		}
	case *ast.DeleteMergeAction:
		k.action = "DELETE"
		if x.object != nil {
			n.c.use(x.object, "DELETE")
		}
	case *ast.InsertMergeAction:
		k.action = "INSERT"
		if x.object != nil {
			n.c.use(x.object, "INSERT")
		}
		src, ok := a.Source.(*ast.ValuesInsertSource)
		if !ok || src.IsDefaultValues || len(src.RowValues) != 1 {
			panic(sqlerr.NotSupported("MERGE with INSERT DEFAULT VALUES"))
		}
		cols := n.insertColumns(x, a.Columns)
		if len(cols) != len(src.RowValues[0].ColumnValues) {
			panic(message.MS(213))
		}
		k.insert = n.inserter(x, cols)
		for i, v := range src.RowValues[0].ColumnValues {
			if _, ok := v.(*ast.DefaultLiteral); ok {
				d := n.defaultOf(x, cols[i])
				if d == nil {
					d = constExpr(value.Value{}, x.table.Columns[cols[i]].Type)
				}
				k.values = append(k.values, d)
				continue
			}
			k.values = append(k.values, x.toColumn(n.scalar(v), cols[i]))
		}
	default:
		panic(sqlerr.NotSupported("MERGE action %T", ac.Action))
	}
	return k
}

// mergeAll does what was decided: deletes, then updates, then inserts, so that freed keys
// can be used again.
func (x *target) mergeAll(fr *query.Frame, todo []*merged, o *output, act int, slots []int, sink func(value.Row) error) (int64, error) {
	t, tx := x.data(fr), env(fr).Txn()
	var ids []store.RowID
	var news []value.Row
	for _, m := range todo {
		if m.clause.insert != nil {
			continue
		}
		old, ok := x.latest(fr, t, m.id)
		if !ok {
			m.clause = nil
			continue
		}
		m.old = old
		if m.clause.action == "DELETE" {
			if err := tx.Delete(t, store.RowID(m.id)); err != nil {
				return 0, err
			}
			continue
		}
		m.new = slices.Clone(old)
		for i, set := range m.clause.sets {
			m.new[set.ord] = m.vals[i]
		}
		x.checkRow(fr, m.new, m.clause.changed)
		ids, news = append(ids, store.RowID(m.id)), append(news, m.new)
	}
	if len(ids) > 0 {
		if err := tx.UpdateAll(t, ids, news); err != nil {
			return 0, x.duplicate(err)
		}
	}
	var n int64
	for _, m := range todo {
		if m.clause == nil {
			continue
		}
		n++
		if ins := m.clause.insert; ins != nil {
			ins.checkIdentity(fr, true)
			m.new = ins.build(fr, m.row)
			if err := ins.insert(fr, m.new); err != nil {
				return 0, err
			}
		} else {
			x.checkChildren(fr, m.old, m.new)
		}
	}
	empty := make(value.Row, len(x.table.Columns))
	for _, m := range todo {
		if m.clause == nil {
			continue
		}
		m.restore(fr, slots)
		fr.Slots[act] = query.Tuple{Row: value.Row{value.NewString(m.clause.action)}}
		fr.Slots[x.at.Slot], fr.Slots[x.old.Slot] = query.Tuple{Row: m.new}, query.Tuple{Row: m.old}
		if m.new == nil {
			fr.Slots[x.at.Slot].Row = empty
		}
		if m.old == nil {
			fr.Slots[x.old.Slot].Row = empty
		}
		if err := o.row(fr, sink); err != nil {
			return 0, err
		}
	}
	return n, nil
}
